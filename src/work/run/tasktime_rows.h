/* Fills the table of a run that divides the time of tasks: turns windows into rows, and limits tasks and rows. */
#ifndef WORK_RUN_TASKTIME_ROWS_H
#define WORK_RUN_TASKTIME_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/tasktime/amounts.h"

struct obs_origin;
struct obs_table;
struct tasktime_run_state;
struct tasktime_run_task;
struct tasktime_source_window;

struct tasktime_rows_how {
	const char *asked;            /* source of the observations; outlives the rows */
	const struct obs_origin *origin; /* of the observations; outlives the rows */
	bool sampled;                 /* a row for each window; false: one for each task at its end */
	bool sums;                    /* no rows and no tasks, only tasktime_rows_sum() */
	bool machine;                 /* tasks of the whole machine: those that do not run have no row */
	bool folds;                   /* as in struct tasktime_run_options, like the next two */
	size_t tasks_max, cells_max;
	struct tasktime_coverage coverage;
	double exception_ns;          /* what a recorded fault costs beyond its records, if the coverage has it */
	uint64_t start_ns;            /* time 0 of the rows */
};

struct tasktime_rows;

struct tasktime_rows *tasktime_rows_new(void); /* with an empty table */
void tasktime_rows_free(struct tasktime_rows *);
void tasktime_rows_begin(struct tasktime_rows *, const struct tasktime_rows_how *);

/* Adds the rows of a window. `wanted` false: the limit is passed; only the state of the run changes. */
void tasktime_rows_take(struct tasktime_rows *, const struct tasktime_source_window *, bool wanted);
/* For runs without samples: adds a row for each task that has not ended. */
void tasktime_rows_take_end(struct tasktime_rows *);
/* The amounts of all windows so far, of all tasks but threads of the kernel. */
const struct tasktime_amounts *tasktime_rows_sum(const struct tasktime_rows *);
bool tasktime_rows_full(const struct tasktime_rows *); /* there is no room for more rows */

struct obs_table *tasktime_rows_table(struct tasktime_rows *);
const struct tasktime_run_task *tasktime_rows_tasks(const struct tasktime_rows *, size_t *n);
size_t tasktime_rows_others(const struct tasktime_rows *); /* the task that stands for all others; TASKTIME_RUN_NONE */
/* The state of the run, as far as its windows show it. All other fields are 0. */
struct tasktime_run_state tasktime_rows_state(const struct tasktime_rows *);

#endif
