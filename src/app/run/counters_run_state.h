/* What the files of a live run share. Private to live*.c. */
#ifndef APP_RUN_COUNTERS_RUN_STATE_H
#define APP_RUN_COUNTERS_RUN_STATE_H

#include "app/run/counter_list.h"
#include "app/run/counter_plan.h"
#include "app/run/counters_run.h"
#include "base/err.h"

struct liveness;

struct counters_run {
	struct run run;
	int held;                       /* the command, while it waits */
	struct obs *announced;          /* the observation whose rows the other runs know … */
	size_t n_announced;             /* … and how many these are, with those that were folded */
	struct counter_list *counters; /* owned */
	bool *chosen;                   /* … and which of them were asked for, owned; NULL: all */
	struct counter_plan *plan;
	bool planned;                   /* … for the command or target at hand */
	struct counters_run_options opt;
	char **argv;                    /* the command, owned; opt.argv is the same */
	struct source_target target;    /* ids owned; opt.target points here, or is NULL */
	size_t runs;                    /* … that were begun */
	char *name, *asked;             /* of observations: "gcc"; "gcc -c x.c" */
	struct source *source;
	bool running, finishing;
	enum run_ending ending;
	double started_at, finish_at;
	struct obs_table *table;
	struct source_end end;
	struct source_status *status;   /* per column */
	bool known;                     /* status was filled */
	/* The rows of the present run. */
	struct obs *growing;            /* in the table; NULL before the first row */
	struct liveness *liveness;
	struct source_row row;          /* arrays of plan->n, owned */
	int64_t *count;                 /* per column */
	unsigned char *counted;
	size_t rows, missed;
	struct err trouble;             /* what ended the rows early */
};

#endif
