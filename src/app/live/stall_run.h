/* Where the time of tasks goes, live, as observations: windows of collect/stalls.h become rows of a table, which is
 * recorded, exported and drawn like any other.
 *
 *     one observation for each task ("gcc-4711"), a row for each window, a column for each amount of
 * core/stall/amounts.h ("stall:on-cpu"), in nanoseconds
 *
 *     without an interval   a row for each task when all is over, or when the task has ended: exact totals
 *     with one              a row for each window in which the task lived; its sum is the task's time since it was
 * first looked at
 *
 * In every row run + wait + off + unknown = elapsed, and the classes that can be told add up to these, to the
 * nanosecond. Cells of what cannot be told are not counted. A window in which records were lost (stalls_window.clean)
 * has the scheduler's run and wait in it and no class; without these all of it is unknown.
 *
 * It is driven like app/live/live.h, and both may watch one command at a time: live_options.waits is called when that
 * waits before its execve(2), and there a run with `waiting` is started. Nothing is missed, and time counts from the
 * execve(2) on. */
#ifndef APP_LIVE_STALL_RUN_H
#define APP_LIVE_STALL_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/live/live.h"
#include "collect/stalls.h"
#include "core/stall/amounts.h"

struct err;
struct obs_table;
struct spec_program;
struct stack;
struct str;

struct stall_run_options {
	char *const *argv;                  /* the command, NULL-terminated; copied. NULL: */
	int waiting;     /* … a process that somebody else lets go: what live_options.waits tells. 0: */
	const int *held; /* … or several such; copied. stall_run_begins() tells when each is let go. NULL: */
	size_t n_held;
	const char *const
		*held_name; /* … what each is called, for stall_run_held_name(); copied. NULL: by its command */
	const struct source_target *target; /* … processes, or CPUs (all of them); copied. NULL: all that runs */
	/* what observations come from, for `waiting` and `held`: a command line; copied. NULL otherwise */
	const char *name;
	unsigned interval_ms;               /* a row each; 0: one row for each task */
	bool by_hand;                       /* rows end where stall_run_tick() says so, and not after the interval */
	size_t samples;                     /* the watching ends after so many windows; 0: no such end */
	double duration;                    /* … or seconds; 0 */
	bool variant_given;
	enum stalls_variant variant;
	/* tasks with an observation of their own; further ones are added up in "others". 0: STALL_RUN_TASKS, or
	 * STALL_RUN_TOTALS without an interval */
	size_t tasks_max;
	size_t cells_max;                   /* rows times columns, of all; then the watching ends. 0: STALL_RUN_CELLS */
	/* it does not end then: the older half of the windows is taken together in pairs (obs_fold()). cells_max 0
	 * means STALL_RUN_FOLD_CELLS */
	bool folds;
	size_t ring_kb;                     /* of each CPU, for records; 0: the usual */
	int out_fd, err_fd;                 /* as in struct source_spec */
	const struct spec_program *setup;   /* of argv, as there; outlives the run */
	bool no_input, own_group;
};

#define STALL_RUN_TASKS 256
#define STALL_RUN_TOTALS 4096
#define STALL_RUN_FOLD_CELLS ((size_t)1 << 19) /* 4.7 MB */
#define STALL_RUN_CELLS ((size_t)1 << 24) /* 150 MB: two hours at 10 rows a second for ten tasks */

/* What is known of a task beside its rows. */
struct stall_run_task {
	int tid, pid;               /* 0, 0: the others */
	char name[16];              /* its last */
	size_t observation;         /* its place in the table; STALL_RUN_NONE before its first row */
	size_t n_tasks;             /* 1; of the others, how many */
	bool ended;
	bool doubtful;              /* records were lost while it lived */
	struct stall_amounts sum;   /* of all its windows */
	/* the same as the records have it, with counts of what happened; all zero without records */
	struct stall_row row;
	uint64_t run_ns, wait_ns, slices; /* the scheduler's, in windows where its books are known */
	uint64_t booked_ns;         /* … how much time these have */
	uint64_t records_run_ns;    /* run by records in these, the cost of switches left out */
	/* run time of records beyond the scheduler's: interrupts, steal, and torn readings */
	uint64_t excess_ns;
};

#define STALL_RUN_NONE ((size_t)-1)

struct stall_run;

/* Are these stacks made of classes of time ("stall:…") alone? False for none. */
bool stall_run_serves(struct stack *const *, size_t n);

struct stall_run *stall_run_new(const struct stall_run_options *);
void stall_run_free(struct stall_run *); /* ends a command that still runs */

/* Opens what can be had and starts the command, or the watching. False and *e when nothing can, or the command cannot
 * start. Once. */
bool stall_run_start(struct stall_run *, struct err *e);
bool stall_run_running(const struct stall_run *);
int stall_run_wait_fd(const struct stall_run *);     /* readable when records wait or the command has ended; -1 */
/* seconds until stall_run_poll() has something to do though nothing is readable; INFINITY */
double stall_run_patience(const struct stall_run *);

void stall_run_begins(struct stall_run *, int pid);  /* one of `held` is let go now */
/* NULL: it is none of `held`, or they have no names */
const char *stall_run_held_name(const struct stall_run *, int pid);
/* a window ends now: stall_run_poll() takes it (stall_run_options.by_hand) */
void stall_run_tick(struct stall_run *);

/* Take what is there, and close a window that is due: one call begins that, a later one has its rows. Only the end
 * waits for its last window, some 30 ms. True once when the run has ended. */
bool stall_run_poll(struct stall_run *);
void stall_run_finish(struct stall_run *); /* end it and keep what came: stall_run_poll() says when */

/* The observations so far; owned by the run. All may grow, but for those of tasks that have ended. */
const struct obs_table *stall_run_table(const struct stall_run *);
const struct stall_run_task *stall_run_tasks(const struct stall_run *, size_t *n); /* in order of appearance */
size_t stall_run_others(const struct stall_run *); /* the task that stands for the others; STALL_RUN_NONE */

/* How it went. */
struct stall_run_state {
	enum stalls_variant variant;
	struct stall_telling tells;
	const char *note;            /* what is not recorded, and why; "" */
	bool believed;               /* of all windows so far; false: bars are not to be shown, and … */
	const char *why;             /* … why not */
	size_t windows, doubted;     /* so far; of them with lost or contradictory records */
	size_t missed;               /* ticks that came too late for a window of their own */
	size_t quiet;                /* tasks of the whole machine that have not run, and have no row */
	uint64_t elapsed_ns;         /* since the start */
	uint64_t steal_ns;           /* of the machine */
	bool steal_known;
	const struct stall_cpu_row *cpu; /* sums; STALLS_RECORDS only */
	size_t n_cpus;
	struct stalls_figures figures;
	struct stall_trouble trouble;
	enum live_ending ending;
	int status;                  /* of the command, as wait(2) gives it */
	double reader_seconds;       /* processor time of this process since the start */
};
void stall_run_state(struct stall_run *, struct stall_run_state *);

/* What must be known about the numbers, one line each, "" when all is well. */
void stall_run_explain(struct stall_run *, struct str *out);

#endif
