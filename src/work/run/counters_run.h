/* The run that counts the events of a command, or of tasks that run already. The counters of a model, a network or
 * stacks decide which events are opened.
 *
 *     without an interval   the command's totals at its exit are one exact observation
 *     with an interval      each interval adds a row to a growing observation; options.totals adds the exact totals
 *
 * Subcommands wait for such a run, and the explorer polls it. */
#ifndef WORK_RUN_COUNTERS_RUN_H
#define WORK_RUN_COUNTERS_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "core/obs/source_data.h"
#include "work/run/run.h"

struct child;
struct err;
struct counter_list;
struct obs;
struct obs_table;
struct source_keep;
struct source_ops;
struct spec_program;
struct str;
struct udd_model;

struct counters_run_options {
	const struct source_ops *ops; /* NULL: this machine, or the simulated one that argv names */
	const bool *counter;          /* for each counter of the list, whether to open it; copied. NULL: all */
	char *const *argv;            /* NULL-terminated; copied. NULL: the target is watched */
	/* what to watch; copied. NULL: argv alone. CPUs are watched while argv runs, if there is one */
	const struct source_target *target;
	unsigned interval_ms;         /* length of a row; 0: no rows, only exact totals */
	size_t samples;               /* number of rows after which the run ends; 0: no limit */
	double duration;              /* seconds after which the run ends; 0: no limit */
	size_t cells_max;             /* rows times counters after which the run ends; 0: COUNTERS_RUN_CELLS_MAX */
	/* With an interval: at exit the exact totals become the observation "NAME total". Fewer rows than
	 * COUNTERS_RUN_ROWS_WORTH are then dropped: so few noisy samples add nothing to exact totals. */
	bool totals;
	/* Rows are folded, so that the run does not end for lack of memory. At COUNTER_ROWS_FOLD_CELLS cells or
	 * COUNTER_ROWS_FOLD_ROWS rows, the older half of the rows is summed in pairs (obs_fold()). */
	bool folds;
	bool peeked;                  /* rows are judged while they come; the observation says so */
	int out_fd, err_fd;           /* as in struct source_spec */
	bool no_input, own_group;
	const bool *runs_on; /* as in struct source_spec */
	/* folder, files, environment, cores and memory of argv; outlives the run. NULL: as hecate's */
	const struct spec_program *setup;
	/* the process of argv, which another module starts and ends (collect/process/programs.h); outlives the run.
	 * NULL: the run starts and ends argv itself */
	struct child *held;
	bool by_hand;                 /* rows end with counters_run_tick() and with the run, not by a timer */
	enum rotation_how rotation;   /* as in struct source_spec */
	bool rotation_given;
	const char *name;             /* name of observations; copied. NULL: that of the command or the target */
	bool no_calibrate;            /* do not measure what the constants of the counters' network need */
	struct source_keep *keep;     /* what runs share; NULL: they share nothing */
};

#define COUNTERS_RUN_ROWS_WORTH 10
/* most cells of one observation: 600 MB, a day and a half at 10 ms with five counters */
#define COUNTERS_RUN_CELLS_MAX ((size_t)1 << 26)
#define COUNTER_ROWS_FOLD_CELLS ((size_t)1 << 19) /* 4.7 MB */
#define COUNTER_ROWS_FOLD_ROWS ((size_t)4096)
/* least number of rows to keep, however many counters there are. Both row limits are powers of two, like the room of an
 * observation */
#define COUNTER_ROWS_FOLD_LEAST ((size_t)256)

struct counters_run;

/* This kind leads, and announces RUN_ROW and RUN_OVER. open() and go() fail if nothing can be counted, or if the
 * command cannot start.
 * After open() the table has its columns, and nothing runs. The growing observation is the last one of the table. Times
 * are seconds since the start; the time of exact totals is the run's duration. A start for another command or target
 * may replace the table by one with the same observations and more columns. explain() adds counters that could not be
 * counted, with reason and remedy, and missed ticks. free() ends a command that still runs. */
extern const struct run_ops counters_run_ops;
struct run *counters_as_run(struct counters_run *);
struct counters_run *run_as_counters(struct run *); /* NULL if the run is of another kind */

/* Takes the list. Columns are the counters that can be tried, by name; explain() reports the others. A model's columns
 * have the numbers of its counters. If a counter has several choices of events, the first choice whose events all open
 * is counted. The choices are tried at the first start for a command or target. If whole CPUs are watched, a counter
 * has a column for each of its owners, NAME@OWNER (collect/host/owners.h); when a CPU goes offline, its owners lose
 * it. */
struct counters_run *counters_run_new(struct counter_list *, const struct counters_run_options *);

/* Sets the command or target of the next start, and its limits. The observations stay. */
void counters_run_set_command(struct counters_run *, const struct counters_run_options *);
/* Counts what this list has from the next start on: the counters of the list before, and others after them. Takes the
 * list. `asked` as in the options. */
void counters_run_set_list(struct counters_run *, struct counter_list *, const bool *asked);
void counters_run_stop(struct counters_run *); /* ends the present run and drops its counts */

void counters_run_tick(struct counters_run *);  /* ends a row: poll() takes it (options.by_hand) */
void counters_run_taken(struct counters_run *); /* sums the rows so far into one, after the caller copied them */

const char *counters_run_explain_code(const char *line); /* a stable word for a line of explain(): "not-counted" … */

#endif
