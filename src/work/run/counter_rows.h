/* The table of a counters run: takes rows and totals from a source, and makes observations of them. */
#ifndef WORK_RUN_COUNTER_ROWS_H
#define WORK_RUN_COUNTER_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/source.h"

struct counter_plan;
struct err;
struct obs;
struct obs_table;
struct run;

/* How the observations of one run are made; outlives the run. */
struct counter_rows_how {
	const char *name, *asked; /* the subject's name and source, as in struct run_subject */
	bool sampled;             /* rows come while it runs */
	bool totals, folds, peeked; /* as in struct counters_run_options */
	bool alone;               /* its totals have events of the command only: they are exact */
	const struct run *run;    /* of the counters, next to which the time of tasks may be divided */
};

struct counter_rows;

struct counter_rows *counter_rows_new(void); /* with an empty table */
void counter_rows_free(struct counter_rows *);

/* Borrows the plan, and gives its columns their places in the table (counter_plan_fit()). Their status is not known. */
void counter_rows_fit(struct counter_rows *, struct counter_plan *);

/* The rows come from this open source, which is borrowed until counter_rows_end(). */
void counter_rows_begin(
	struct counter_rows *, const struct source_ops *, struct source *, const struct counter_rows_how *);
/* Takes the row that is due. It is added if it is wanted, else dropped. *e for SOURCE_ROW_FAILED. */
enum source_news counter_rows_take(struct counter_rows *, bool wanted, struct err *e);
/* Sums all rows of the growing observation into one. */
void counter_rows_fold(struct counter_rows *);
/* Reads the totals so far, for each column. False and *e, which may be NULL, on failure. */
bool counter_rows_read(struct counter_rows *, int64_t *count, unsigned char *counted, struct err *e);
/* The command has ended: adds its totals if they are wanted, and drops rows that are too few next to them. False and
 * *e: the totals cannot be read, and the rows are dropped. */
bool counter_rows_add_totals(struct counter_rows *, const struct source_end *, struct err *e);
void counter_rows_note(struct counter_rows *, char *text); /* adds a note to the table, which takes over the text */
void counter_rows_drop(struct counter_rows *); /* drops the rows of this run */
/* Ends the rows of this run. Keeps the remarks that the source made while it counted. */
void counter_rows_end(struct counter_rows *);

/* The state of the present run, or of the last one. */
struct counter_rows_state {
	const struct obs_table *table;
	const struct obs *growing;          /* NULL: no row has come, or the run has ended */
	const struct source_status *status; /* of each column; NULL: not known yet */
	bool amounts;                       /* no row so far lacks amounts of tasks' time */
	size_t n, missed;                   /* rows; ticks that came too late for a row of their own */
	struct obs_rotation rotation;       /* when the last row ended */
};
struct counter_rows_state counter_rows_state(const struct counter_rows *);
const struct obs *counter_rows_news(struct counter_rows *); /* growing observation if it has grown, or NULL */

/* The largest number of rows of an observation that folds. */
size_t counter_rows_most(size_t n_columns);

#endif
