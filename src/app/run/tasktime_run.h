/* Where the time of tasks goes, live, as observations: windows of collect/tasktime_source.h become rows of a table,
 * which is recorded, exported and drawn like any other.
 *
 *     one observation for each task ("gcc-4711"), a row for each window, a column for each amount of
 * core/tasktime/amounts.h ("stall:on-cpu"), in nanoseconds
 *
 *     without an interval   a row for each task when all is over, or when the task has ended: exact totals
 *     with one              a row for each window in which the task lived; its sum is the task's time since it was
 * first looked at
 *
 * In every row run + wait + off + unknown = elapsed, and the classes that can be told add up to these, to the
 * nanosecond. Cells of what cannot be told are not counted. A window in which records were lost
 * (tasktime_source_window.clean) has the scheduler's run and wait in it and no class; without these all of it is
 * unknown.
 *
 * It leads, or it joins the run that holds the command before execve(2) (app/run/run.h): then nothing is missed, and
 * time counts from the execve(2) on. */
#ifndef APP_RUN_TASKTIME_RUN_H
#define APP_RUN_TASKTIME_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/run/run.h"
#include "collect/tasktime_source.h"
#include "core/tasktime/amounts.h"

struct err;
struct obs_table;
struct spec_program;
struct stack;
struct str;

struct tasktime_run_options {
	char *const *argv;                  /* the command, NULL-terminated; copied. NULL: */
	const struct source_target *target; /* … processes, or CPUs (all of them); copied. NULL: all that runs */
	/* what observations come from, if the run joins a leader that holds processes: a command line; copied */
	const char *name;
	unsigned interval_ms;               /* a row each; 0: one row for each task */
	bool by_hand;                       /* rows end where tasktime_run_tick() says so, and not after the interval */
	size_t samples;                     /* the watching ends after so many windows; 0: no such end */
	double duration;                    /* … or seconds; 0 */
	bool variant_given;
	enum tasktime_source_variant variant;
	/* tasks with an observation of their own; further ones are added up in "others". 0: TASKTIME_RUN_TASKS, or
	 * TASKTIME_RUN_TOTALS without an interval */
	size_t tasks_max;
	/* rows times columns, of all; then the watching ends. 0: TASKTIME_RUN_CELLS */
	size_t cells_max;
	/* it does not end then: the older half of the windows is taken together in pairs (obs_fold()). cells_max 0
	 * means TASKTIME_RUN_FOLD_CELLS */
	bool folds;
	size_t ring_kb;                     /* of each CPU, for records; 0: the usual */
	int out_fd, err_fd;                 /* as in struct source_spec */
	const struct spec_program *setup;   /* of argv, as there; outlives the run */
	bool no_input, own_group;
};

#define TASKTIME_RUN_TASKS 256
#define TASKTIME_RUN_TOTALS 4096
#define TASKTIME_RUN_FOLD_CELLS ((size_t)1 << 19) /* 4.7 MB */
#define TASKTIME_RUN_CELLS ((size_t)1 << 24) /* 150 MB: two hours at 10 rows a second for ten tasks */

/* What is known of a task beside its rows. */
struct tasktime_run_task {
	int tid, pid;               /* 0, 0: the others */
	char name[16];              /* its last */
	size_t observation;         /* its place in the table; TASKTIME_RUN_NONE before its first row */
	size_t n_tasks;             /* 1; of the others, how many */
	bool ended;
	bool doubtful;              /* records were lost while it lived */
	struct tasktime_amounts sum;   /* of all its windows */
	/* the same as the records have it, with counts of what happened; all zero without records */
	struct tasktime_row row;
	uint64_t run_ns, wait_ns, slices; /* the scheduler's, in windows where its books are known */
	uint64_t booked_ns;         /* … how much time these have */
	uint64_t records_run_ns;    /* run by records in these, the cost of switches left out */
	/* run time of records beyond the scheduler's: interrupts, steal, and torn readings */
	uint64_t excess_ns;
};

#define TASKTIME_RUN_NONE ((size_t)-1)

struct tasktime_run;

/* Are these stacks made of classes of time ("stall:…") alone? False for none. */
bool tasktime_run_serves(struct stack *const *, size_t n);

struct tasktime_run *tasktime_run_new(const struct tasktime_run_options *);
void tasktime_run_free(struct tasktime_run *); /* ends a command that still runs */

extern const struct run_ops tasktime_run_ops; /* leads or joins; RUN_INTERVAL ends its window (by_hand) */
struct run *tasktime_as_run(struct tasktime_run *);
struct tasktime_run *run_as_tasktime(struct run *); /* NULL: it is of another kind */

/* Opens what can be had and starts the command, or the watching. False and *e when nothing can, or the command cannot
 * start. Once. */
bool tasktime_run_start(struct tasktime_run *, struct err *e);
bool tasktime_run_running(const struct tasktime_run *);
int tasktime_run_wait_fd(const struct tasktime_run *);     /* readable when records wait or the command has ended; -1 */
/* seconds until tasktime_run_poll() has something to do though nothing is readable; INFINITY */
double tasktime_run_patience(const struct tasktime_run *);

/* What the leader calls this process, which it holds or held; NULL: it is another one, or has no name. */
const char *tasktime_run_held_name(const struct tasktime_run *, int pid);
/* a window ends now: tasktime_run_poll() takes it (tasktime_run_options.by_hand) */
void tasktime_run_tick(struct tasktime_run *);

/* Take what is there, and close a window that is due: one call begins that, a later one has its rows. Only the end
 * waits for its last window, some 30 ms. True once when the run has ended. */
bool tasktime_run_poll(struct tasktime_run *);
void tasktime_run_finish(struct tasktime_run *); /* end it and keep what came: tasktime_run_poll() says when */

/* The observations so far; owned by the run. All may grow, but for those of tasks that have ended. */
const struct obs_table *tasktime_run_table(const struct tasktime_run *);
const struct tasktime_run_task *tasktime_run_tasks(const struct tasktime_run *, size_t *n); /* in order of appearance */
size_t tasktime_run_others(const struct tasktime_run *); /* the task that stands for the others; TASKTIME_RUN_NONE */

/* How it went. */
struct tasktime_run_state {
	enum tasktime_source_variant variant;
	struct tasktime_coverage tells;
	const char *note;            /* what is not recorded, and why; "" */
	bool believed;               /* of all windows so far; false: bars are not to be shown, and … */
	const char *why;             /* … why not */
	size_t windows, doubted;     /* so far; of them with lost or contradictory records */
	size_t missed;               /* ticks that came too late for a window of their own */
	size_t quiet;                /* tasks of the whole machine that have not run, and have no row */
	uint64_t elapsed_ns;         /* since the start */
	uint64_t steal_ns;           /* of the machine */
	bool steal_known;
	const struct tasktime_cpu_row *cpu; /* sums; TASKTIME_SOURCE_RECORDS only */
	size_t n_cpus;
	struct tasktime_source_figures figures;
	struct tasktime_trouble trouble;
	enum run_ending ending;
	int status;                  /* of the command, as wait(2) gives it */
	double reader_seconds;       /* processor time of this process since the start */
};
void tasktime_run_state(const struct tasktime_run *, struct tasktime_run_state *);

/* What must be known about the numbers, one line each, "" when all is well. */
void tasktime_run_explain(struct tasktime_run *, struct str *out);

#endif
