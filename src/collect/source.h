/* Where numbers come from: the one door. A source opens the events that a model's counters name, runs or watches
 * something, and hands out rows of an observation table. */
#ifndef COLLECT_SOURCE_H
#define COLLECT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/obs/obs.h"

struct err;

struct source_event {
	const char *name;   /* "page-faults:u", "exceptions:page_fault_user", "dtlb_load_misses.walk_completed", "cycles" */
	const char *filter; /* kernel filter, may hold $PGFAULT-like constants that the source probes; NULL */
};

/* One column to be: its events add up. */
struct source_counter {
	const char *name;
	const struct source_event *event;
	size_t n_events;
};

/* How opening one counter went. */
struct source_status {
	enum obs_health health; /* OBS_LIVE: open; OBS_UNSUPPORTED: refused */
	bool user_only;         /* ":u" was added, because kernel side counting is not permitted */
	double running;         /* after the end: share of the time that it was on a counter; below 1 it was multiplexed, and is not counted */
	int error;              /* errno of the refusal, 0 */
	char why[256];          /* "perf_event_paranoid is 2 and hecate has no CAP_PERFMON" */
	char remedy[256];       /* one command or step, "" when there is none */
};

struct source_spec {
	const struct source_counter *counter;
	size_t n_counters;
	char *const *argv;      /* the command; NULL-terminated */
	int out_fd;             /* the command's standard output goes here; -1: where hecate's goes */
	int err_fd;             /* its standard error; -1: where hecate's goes */
	bool no_input;          /* its standard input is /dev/null */
	bool own_group;         /* a process group of its own, so that the terminal's keys do not reach it */
	struct source_keep *keep; /* what runs share; NULL: made for this run and dropped with it */
};

/* What several runs of one hecate share: filter constants that were probed, and a helper process that keeps tracepoints open, since
 * closing the last descriptor of one takes 35 to 44 ms and opening the first up to 15 ms. Free it after the last source. */
struct source_keep;
struct source_keep *source_keep_new(void);
void source_keep_free(struct source_keep *);

enum source_state { SOURCE_READY, SOURCE_RUNNING, SOURCE_DONE };

/* What happened to the command. */
struct source_end {
	bool exited, signalled;
	int code;           /* exit status, or signal number */
	double seconds;     /* wall time from exec to exit */
	size_t left_behind; /* descendants still running at exit: totals are not exact then */
};

struct source;

struct source_ops {
	const char *name;
	/* Opens every event disabled. NULL and *e when nothing at all can be counted or the command cannot be prepared.
	 * Counters that could not be opened are told by status(). */
	struct source *(*open)(const struct source_spec *, struct err *e);
	/* n_counters entries, owned by the source. */
	const struct source_status *(*status)(const struct source *);
	/* Starts the command. False and *e when it cannot start (not found, no permission, not an executable). */
	bool (*start)(struct source *, struct err *e);
	/* A descriptor that becomes readable when the command ends; -1 when there is none. */
	int (*wait_fd)(const struct source *);
	/* Reap without blocking; true once the command has ended. */
	bool (*poll)(struct source *, struct source_end *);
	/* Totals so far; after the end they are exact. counted[i] 0 where counter i is not open. False and *e on failure. */
	bool (*read)(struct source *, int64_t *count, unsigned char *counted, struct err *e);
	/* Ends the command if it runs (SIGTERM to it, or to its group if it has one, then SIGKILL after a grace time), closes, frees. */
	void (*close)(struct source *);
};

extern const struct source_ops source_perf;
extern const struct source_ops source_none; /* every call refuses: keeps the contract honest where perf_event_open is missing */

#endif
