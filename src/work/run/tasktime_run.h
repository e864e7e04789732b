/* The run that divides the time of tasks: windows of collect/tasktime_source.h become rows of observations, which are
 * recorded, exported and drawn like all others.
 *
 *     observation   a task ("gcc-4711")
 *     column        an amount of core/tasktime/amounts.h ("stall:on-cpu"), in nanoseconds
 *     row           with an interval, a window in which the task lived; their sum is its time since the first window.
 *                   Without one, the exact totals of a task, when it or the run has ended
 *
 * In each row run + wait + off + unknown = elapsed, and the known classes add up to these, to the nanosecond. Cells of
 * amounts that cannot be known are not counted. A window with lost records (tasktime_source_window.clean) has the
 * scheduler's run and wait, and no class; without the scheduler's numbers all of it is unknown.
 *
 * It leads, or it joins a run that holds its command before execve(2) (work/run/run.h). Then nothing is missed, and
 * time counts from the execve(2) on. */
#ifndef WORK_RUN_TASKTIME_RUN_H
#define WORK_RUN_TASKTIME_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/tasktime_source.h"
#include "core/tasktime/amounts.h"
#include "core/tasktime/fault_cost.h"
#include "work/run/run.h"

struct err;
struct obs_table;
struct spec_program;
struct stack;
struct str;

struct tasktime_run_options {
	char *const *argv;                  /* the command, NULL-terminated; copied. NULL: none is run */
	const struct source_target *target; /* processes, or all CPUs; copied. NULL: all that runs */
	/* source of observations when the run joins a leader that holds processes: a command line; copied */
	const char *name;
	unsigned interval_ms;               /* length of a row; 0: one row for each task */
	/* no rows: it only knows tasktime_run_amount(), and ends with its leader. The target of a command may be
	 * watched, too */
	bool sums;
	bool by_hand;                       /* rows end with RUN_INTERVAL, not after the interval */
	size_t samples;                     /* windows after which the run ends; 0: no limit */
	double duration;                    /* seconds after which it ends; 0: no limit */
	bool variant_given;
	enum tasktime_source_variant variant;
	/* tasks with an observation of their own; the sum of all others is "others". 0: TASKTIME_RUN_TASKS, or
	 * TASKTIME_RUN_TOTALS without an interval */
	size_t tasks_max;
	/* rows times columns of all observations, after which the run ends. 0: TASKTIME_RUN_CELLS */
	size_t cells_max;
	/* at cells_max the run does not end: the older half of the windows is summed in pairs (obs_fold()). cells_max 0
	 * then means TASKTIME_RUN_FOLD_CELLS */
	bool folds;
	bool no_faults;                     /* as in struct tasktime_source_spec */
	bool no_calibrate;                  /* do not measure what a page fault costs here */
	size_t ring_kb;                     /* ring for records of each CPU, KiB; 0: the default */
	int out_fd, err_fd;                 /* as in struct source_spec */
	const struct spec_program *setup;   /* for argv, as in struct counters_run_options; outlives the run */
	bool no_input, own_group;
	const bool *runs_on; /* as in struct source_spec */
};

#define TASKTIME_RUN_TASKS 256
#define TASKTIME_RUN_TOTALS 4096
#define TASKTIME_RUN_FOLD_CELLS ((size_t)1 << 18) /* 2.4 MB, and up to twice that while arrays grow */
#define TASKTIME_RUN_CELLS ((size_t)1 << 24) /* 150 MB: two hours at 10 rows a second for ten tasks */

/* What is known about a task in addition to its rows. */
struct tasktime_run_task {
	int tid, pid;               /* 0, 0: "others" */
	char name[16];              /* its latest name */
	size_t observation;         /* its place in the table; TASKTIME_RUN_NONE before its first row */
	size_t n_tasks;             /* 1; for "others", their number */
	bool ended;
	bool doubtful;              /* records were lost while it lived */
	struct tasktime_amounts sum;   /* sum over all its windows */
	/* sums by the records, with counts of events; zero without records */
	struct tasktime_row row;
	uint64_t run_ns, wait_ns, slices; /* the scheduler's numbers, in windows in which they are known */
	uint64_t booked_ns;         /* duration of these windows */
	uint64_t records_run_ns;    /* run time by records in these windows, without the cost of switches */
	/* run time by records beyond the scheduler's: interrupts, steal, torn readings */
	uint64_t excess_ns;
};

#define TASKTIME_RUN_NONE ((size_t)-1)

struct tasktime_run;

/* True when these stacks have classes of time ("stall:…") and no other counters. */
bool tasktime_run_serves(struct stack *const *, size_t n);

struct tasktime_run *tasktime_run_new(const struct tasktime_run_options *);

/* Leads or joins, once. RUN_INTERVAL ends its window (by_hand). go() fails when nothing can be opened or the command
 * cannot start. A poll() closes the window that is due, and a later one adds its rows; only the end waits for its last
 * window, about 30 ms. free() ends a command that still runs. */
extern const struct run_ops tasktime_run_ops, tasktime_sums_ops; /* the second one with `sums` */
struct run *tasktime_as_run(struct tasktime_run *);
struct tasktime_run *run_as_tasktime(struct run *); /* NULL if the run is of another kind */

/* The leader's name for a process that it holds or held; NULL: another process, or one without a name. */
const char *tasktime_run_held_name(const struct tasktime_run *, int pid);
const struct tasktime_run_task *tasktime_run_tasks(const struct tasktime_run *, size_t *n); /* in order of appearance */
size_t tasktime_run_others(const struct tasktime_run *); /* the task that stands for the others; TASKTIME_RUN_NONE */

/* Sets *ns to this amount of all tasks together since the start, threads of the kernel left out; 10 ms ago, or now if
 * it may wait for that (`settle`, 15 ms). False: the run does not distinguish the amount, its records cannot be
 * believed, or it never ran. */
bool tasktime_run_amount(struct tasktime_run *, int amount, bool settle, int64_t *ns);

/* How the run went. */
struct tasktime_run_state {
	enum tasktime_source_variant variant;
	struct tasktime_coverage coverage;
	const char *note;            /* what is not recorded, and why; or "" */
	bool believed;               /* all windows so far can be believed; false: show no bars */
	const char *why;             /* why some cannot be believed; or "" */
	size_t windows, doubted;     /* windows so far; windows with lost or contradictory records */
	size_t missed;               /* ticks that came too late for a window */
	size_t quiet;                /* tasks of the machine that did not run, and have no row */
	size_t tasks_max;            /* tasks that can have an observation of their own */
	bool no_calibrate;           /* as in the options */
	struct fault_cost fault;     /* what a page fault costs here; pages 0: not known */
	size_t cells;                /* rows times columns of all observations */
	uint64_t elapsed_ns;         /* since the start */
	uint64_t steal_ns;           /* steal time of the machine */
	bool steal_known;
	const struct tasktime_cpu_row *cpu; /* sums of each CPU; TASKTIME_SOURCE_RECORDS only */
	size_t n_cpus;
	struct tasktime_source_figures figures;
	struct tasktime_trouble trouble;
	enum run_ending ending;
	int status;                  /* exit status of the command, as wait(2) gives it */
	double reader_seconds;       /* processor time of this process since the start */
};

/* Adds a line for each thing that a reader must know; nothing when all is well. `others`: the task that stands for the
 * others; TASKTIME_RUN_NONE. */
void tasktime_remarks_add(const struct tasktime_run_state *, const struct tasktime_run_task *, size_t n, size_t others,
	struct str *out);
/* Returns true if bars may be shown and the run's answer given: all windows are believed, or in few of them records
 * contradict each other. There the scheduler's run and wait stand, so the sums remain right. */
bool tasktime_run_shows(const struct tasktime_run_state *);
void tasktime_run_state(const struct tasktime_run *, struct tasktime_run_state *);

#endif
