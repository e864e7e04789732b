/* State of a specification's run. Private to spec_run*.c. */
#ifndef APP_RUN_SPEC_RUN_STATE_H
#define APP_RUN_SPEC_RUN_STATE_H

#include <stdint.h>

#include "app/run/counters_run.h"
#include "app/run/spec_run.h"
#include "base/err.h"
#include "core/spec/spec.h"

struct obs;

/* One counters run, and its rows in the common table. */
struct spec_part {
	struct counters_run *live;
	size_t program;     /* its number; SPEC_RUN_NONE: the machine */
	size_t *column;     /* column of the common table, for each column of the run */
	struct obs *obs;    /* in the table; NULL: none yet, or none of its own */
	size_t rows;        /* rows of the run that were taken */
	bool going, over;
	bool counts_rows;   /* rows come one by one; false: its only row is its totals */
};

#define SPEC_RUN_NONE ((size_t)-1)

struct spec_run {
	struct run run;
	int *pid;                    /* of the programs, while they are held; n_pids of them */
	char **name;
	size_t n_pids;
	struct spec_run_options opt;
	struct source_target target; /* ids owned; opt.target points here, or is NULL */
	char *picked;
	struct source_keep *keep;
	struct programs *programs;
	struct spec_part *part;
	size_t n;
	struct obs_table *table;
	int epoll;
	bool *end_known;         /* for each program: its end is known */
	bool running, finishing, killed;
	bool common;             /* rows of one sample have one time */
	/* processor seconds of sampling: since the last sample; in all; of this process when spec_run_poll() was
	 * called (opt.apart) */
	double own, own_all, poll_cpu;
	double started_at, finish_at, next_at, last_at, cpu_at_start, cpu_before;
	double look_sum;
	struct spec_pace pace;
	double memory_before;
	struct spec_run_state state;
	struct err trouble;      /* what ended it early */
	struct err machine_why;  /* why counters of the machine are not counted */
	/* Sums since the last row of the common observation. */
	struct obs *whole;       /* NULL: there is none, or no row yet */
	int64_t *sum;
	unsigned char *counted;  /* 0: no part; 1: all parts with rows; 2: some of them */
	double *share;
	double tasks;
	size_t summed;           /* rows */
};

/* Opens the counters of all parts. */
bool spec_run_open(struct spec_run *, struct err *e);

/* take() adds new rows of a part to the table, unless all rows of a sample have one time; flush() adds those, and a row
 * of all programs together. */
void spec_run_take(struct spec_run *, struct spec_part *);
void spec_run_flush(struct spec_run *, double seconds);
/* Adds the name, with "#2" after it in the second run. */
void spec_run_name_again(const struct spec_run *, const char *name, struct str *out);
/* Makes the table after all parts are open. */
void spec_run_make_table(struct spec_run *);

#endif
