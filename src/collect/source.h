/* Sources: the one interface to wherever numbers come from. A source opens the events of a model's counters, runs a
 * command or watches a target, and returns totals and, on request, a row of increments per interval. */
#ifndef COLLECT_SOURCE_H
#define COLLECT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/rotation.h"
#include "core/obs/obs.h"
#include "core/obs/source_data.h"
#include "event/list.h"

struct child;
struct err;
struct spec_program;

/* A counter: one column, whose count is the sum of the counts of its events. */
struct source_counter {
	const char *name;
	const struct event_item *event;
	size_t n_events;
	/* the watched CPUs to count on, ascending; NULL: all. A source that cannot select them leaves status.by_cpu
	 * false */
	const int *cpu;
	size_t n_cpus;
	size_t number; /* the unit that it is in the constraints of struct source_spec */
};

/* What relates counters that have to take turns (core/fit/sets.h): asked for if hecate rotates them. `make` NULL:
 * nothing is known. The source frees what it returns; `ctx` must stay until start(). */
struct source_constraints {
	struct set_constraints (*make)(void *ctx);
	void *ctx;
};

/* source_status_note() sets `why` and `remedy` (NULL: none). source_status_refuse() sets a refusal and returns false.
 */
void source_status_note(struct source_status *, const char *remedy, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
bool source_status_refuse(struct source_status *, int error, const char *remedy, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* Adds a hint such as "nearest: a, b" to the reason, and frees it; NULL: none. Returns false. */
bool source_status_hint(struct source_status *, char *hint);

/* Returns the health of a counter's column in an observation. The first argument is the health that its rows showed so
 * far, or that of its status. */
enum obs_health source_health(enum obs_health, enum source_zero);

struct source_spec {
	const struct source_counter *counter;
	size_t n_counters;
	char *const *argv;      /* the command; NULL-terminated; NULL: watch `target` */
	/* NULL: run `argv`. CPUs may be watched while `argv` runs; then everything on them is counted */
	const struct source_target *target;
	unsigned interval_ms;   /* length of a row, ms; 0: totals only. A target without a command needs an interval */
	/* with an interval: no timer; rows are made by tick() and at the end */
	bool by_hand;
	int out_fd;             /* the command's standard output goes here; -1: where hecate's goes */
	int err_fd;             /* the command's standard error goes here; -1: where hecate's goes */
	bool no_input;          /* the command's standard input is /dev/null */
	/* the command's folder, files, environment, cores and memory; NULL: as hecate's */
	const struct spec_program *setup;
	/* the command as a held process. The caller starts it after the source, ends it, and keeps it until the source
	 * is closed. NULL: the source does all that */
	struct child *held;
	bool own_group;         /* the command has its own process group, so that the terminal's keys do not reach it */
	/* where this is true, the command goes on when the source is closed; NULL: it is ended */
	const bool *runs_on;
	bool may_count_nothing; /* the run goes on even if no counter can be counted */
	/* number of earlier runs of the same command: a simulated machine draws other random numbers in each run */
	size_t run;
	/* when a CPU goes offline, counters go on without it; a counter without any CPU left is no longer counted.
	 * False: no row can be read after that */
	bool lose_cpus;
	/* with an interval: how hardware events take turns if they need more counters than exist */
	enum rotation_how rotation;
	/* the user chose `rotation`; otherwise the kernel rotates where hecate's rotation would cost too much */
	bool rotation_given;
	struct source_constraints constraints;
	struct source_keep *keep; /* shared between runs; NULL: made and freed with this run */
};

/* What the runs of one hecate share: probed filter constants, and a helper process that keeps tracepoints open. Closing
 * the last descriptor of a tracepoint takes 35 to 44 ms, and opening the first up to 15 ms. Free it after the last
 * source. */
struct source_keep;
struct source_keep *source_keep_new(void);
void source_keep_free(struct source_keep *);

enum source_state { SOURCE_READY, SOURCE_RUNNING, SOURCE_DONE };

/* The increments since the previous row. */
struct source_row {
	double seconds;         /* time from the start to the row's end */
	size_t missed;          /* ticks that came too late for a row of their own and are in this one */
	/* tasks (or CPUs) that may have run while the row was read: each makes counters differ by at most 1 */
	double tasks;
	/* n_counters: increments, scaled up for counters that ran part of the time. The caller owns the arrays */
	int64_t *count;
	/* n_counters: 0 if the counter is not open or did not run in this interval */
	unsigned char *counted;
	double *running;        /* n_counters: share of the interval on a hardware counter, 0 … 1 */
	struct obs_rotation rotation; /* turns of the rotation so far */
};

enum source_news { SOURCE_NO_ROW, SOURCE_ROW, SOURCE_ROW_FAILED };

struct source;

struct source_ops {
	const char *name;
	/* Opens every event, disabled. Returns NULL and sets *e when nothing can be counted or the command cannot be
	 * prepared. status() reports counters that could not be opened. */
	struct source *(*open)(const struct source_spec *, struct err *e);
	/* n_counters entries, owned by the source. */
	const struct source_status *(*status)(const struct source *);
	/* Starts the command or the watching. Returns false and sets *e when the command cannot start (not found, no
	 * permission, not an executable). */
	bool (*start)(struct source *, struct err *e);
	/* Returns the process ID of the command, or 0 if there is no command or it is unknown. Between open() and
	 * start() the command waits before its execve(2), so that other observers can attach to it. A NULL function
	 * means always 0. */
	int (*pid)(const struct source *);
	/* Returns the machine whose events the source counts, and their codes; the source owns it. A NULL function
	 * means that nothing is known. */
	const struct obs_origin *(*origin)(const struct source *);
	/* Returns a descriptor that becomes readable when the command or the target ends or a row is due; -1: none. */
	int (*wait_fd)(const struct source *);
	/* Reaps the command without blocking. Returns true once it has ended. */
	bool (*poll)(struct source *, struct source_end *);
	/* Reads the totals so far, which are exact after the end. counted[i] is 0 if counter i is not open. On failure
	 * returns false and sets *e. */
	bool (*read)(struct source *, int64_t *count, unsigned char *counted, struct err *e);
	/* Takes the row that is due, if any. After the end one more row is due, with the increments since the last row,
	 * so that the rows of unscaled counters add up exactly to the totals. Returns SOURCE_ROW_FAILED and sets *e
	 * when a counter cannot be read. */
	enum source_news (*row)(struct source *, struct source_row *, struct err *e);
	/* Makes a row due now, if by_hand is set. A NULL function means that the source cannot. */
	void (*tick)(struct source *);
	/* Ends the run: sends the source's own command SIGTERM (SIGKILL the second time), stops watching a target.
	 * poll() then reports the end. */
	void (*stop)(struct source *);
	/* Closes and frees the source. A command that still runs is ended first: SIGTERM to it, or to its group if it
	 * has one, then SIGKILL after a grace time. */
	void (*close)(struct source *);
};

extern const struct source_ops source_perf;
/* perf events and the kernel's files (docs/kernel-files.md) in one run */
extern const struct source_ops source_all;
/* refuses every call: for systems without perf_event_open(2) */
extern const struct source_ops source_none;

#endif
