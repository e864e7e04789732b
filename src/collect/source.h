/* Where numbers come from: the one door. A source opens the events that a model's counters name, runs or watches
 * something, and hands out its totals, and on request a row of increments for each interval. */
#ifndef COLLECT_SOURCE_H
#define COLLECT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/rotation.h"
#include "core/obs/obs.h"
#include "core/obs/source_data.h"

struct child;
struct err;
struct spec_program;

struct source_event {
	/* "page-faults:u", "exceptions:page_fault_user", "dtlb_load_misses.walk_completed", "cycles", "disk:vda/reads"
	 */
	const char *name;
	const char *filter; /* kernel filter, may hold $PGFAULT-like constants that the source probes; NULL */
};

/* One column to be: its events add up. */
struct source_counter {
	const char *name;
	const struct source_event *event;
	size_t n_events;
	/* of the CPUs that are watched count on these only, ascending; NULL: on all of them. Who cannot leaves status
	 * by_cpu false */
	const int *cpu;
	size_t n_cpus;
};

struct source_spec {
	const struct source_counter *counter;
	size_t n_counters;
	char *const *argv;      /* the command; NULL-terminated; NULL: watch `target` */
	/* NULL: run `argv`. CPUs may be watched while `argv` runs: what is counted is all that runs on them */
	const struct source_target *target;
	unsigned interval_ms;   /* a row each; 0: totals only, and no rows. A target without a command needs one */
	/* with an interval: there is no timer, a row is made when tick() asks for one, and at the end */
	bool by_hand;
	int out_fd;             /* the command's standard output goes here; -1: where hecate's goes */
	int err_fd;             /* its standard error; -1: where hecate's goes */
	bool no_input;          /* its standard input is /dev/null */
	/* the command's folder, files, environment, cores and memory; NULL: as hecate's */
	const struct spec_program *setup;
	/* the command, held ready by somebody else who starts and ends it (collect/perf/programs.h) and outlives the
	 * source; NULL: the source does. */
	struct child *held;
	                        /* Start the source before it */
	bool own_group;         /* a process group of its own, so that the terminal's keys do not reach it */
	bool may_count_nothing; /* that no counter can be counted is no failure: the run is wanted all the same */
	/* how many runs of the same came before: other chances befall a simulated machine in each */
	size_t run;
	/* a CPU that goes offline is lost to the counters that count there, and they go on without it; those that count
	 * nowhere else are */
	bool lose_cpus;
	                        /* not counted any more. Else no row can be read from then on */
	enum rotation_how rotation; /* of hardware events that need more counters than there are, with an interval */
	/* the user asked for that; else the kernel rotates where hecate's way would cost too much */
	bool rotation_said;
	struct source_keep *keep; /* what runs share; NULL: made for this run and dropped with it */
};

/* What several runs of one hecate share: filter constants that were probed, and a helper process that keeps tracepoints
 * open, since closing the last descriptor of one takes 35 to 44 ms and opening the first up to 15 ms. Free it after the
 * last source. */
struct source_keep;
struct source_keep *source_keep_new(void);
void source_keep_free(struct source_keep *);

enum source_state { SOURCE_READY, SOURCE_RUNNING, SOURCE_DONE };

/* What was counted since the row before. */
struct source_row {
	double seconds;         /* since the start, at the row's end */
	size_t missed;          /* ticks that passed unseen and are in this row too */
	/* tasks (or CPUs) that may have been in the middle of something when the row was read: each tears it by 1 at
	 * most */
	double tasks;
	/* n_counters: increments, scaled up where the counter ran a part of the time. The arrays are the caller's */
	int64_t *count;
	/* n_counters: 0 where the counter did not run at all in this interval, or is not open */
	unsigned char *counted;
	double *running;        /* n_counters: share of its time on a counter, 0 … 1 */
	struct obs_rotation rotation; /* turns that counters took so far */
};

enum source_news { SOURCE_NO_ROW, SOURCE_ROW, SOURCE_ROW_FAILED };

struct source;

struct source_ops {
	const char *name;
	/* Opens every event disabled. NULL and *e when nothing at all can be counted or the command cannot be prepared.
	 * Counters that could not be opened are told by status(). */
	struct source *(*open)(const struct source_spec *, struct err *e);
	/* n_counters entries, owned by the source. */
	const struct source_status *(*status)(const struct source *);
	/* Starts the command, or the watching. False and *e when it cannot start (not found, no permission, not an
	 * executable). */
	bool (*start)(struct source *, struct err *e);
	/* The command, which from open() to start() has been forked and waits before its execve(2), so that others may
	 * put themselves on it; 0: there is none, or the source cannot tell. NULL: as 0. */
	int (*pid)(const struct source *);
	/* A descriptor that becomes readable when the command or the target ends, or a row is due; -1 when there is
	 * none. */
	int (*wait_fd)(const struct source *);
	/* Reap without blocking; true once the command has ended. */
	bool (*poll)(struct source *, struct source_end *);
	/* Totals so far; after the end they are exact. counted[i] 0 where counter i is not open. False and *e on
	 * failure. */
	bool (*read)(struct source *, int64_t *count, unsigned char *counted, struct err *e);
	/* The row that is due, if one is. After the end there is one more, with what was counted since the last: the
	 * rows of counters that are not scaled add up to the totals exactly. SOURCE_ROW_FAILED and *e when a counter
	 * cannot be read. */
	enum source_news (*row)(struct source *, struct source_row *, struct err *e);
	/* A row is due now; of a source whose rows are made by hand. NULL: it has none. */
	void (*tick)(struct source *);
	/* No more: the command is told to end (SIGTERM; the second time SIGKILL) if it is the source's own, a target is
	 * let go. poll() tells when that is so. */
	void (*stop)(struct source *);
	/* Ends the command if it runs (SIGTERM to it, or to its group if it has one, then SIGKILL after a grace time),
	 * closes, frees. */
	void (*close)(struct source *);
};

extern const struct source_ops source_perf;
/* perf's events and what the kernel keeps in files (docs/kernel-files.md), in one run */
extern const struct source_ops source_all;
/* every call refuses: keeps the contract honest where perf_event_open is missing */
extern const struct source_ops source_none;

#endif
