/* What the files of a profile that runs share. Private to spec_run*.c. */
#ifndef APP_RUN_SPEC_RUN_STATE_H
#define APP_RUN_SPEC_RUN_STATE_H

#include <stdint.h>

#include "app/run/counters_run.h"
#include "app/run/spec_run.h"
#include "base/err.h"
#include "core/spec/spec.h"

struct obs;

/* One live and what of it stands in the table of all. */
struct spec_part {
	struct counters_run *live;
	size_t program;     /* its number; SPEC_RUN_NONE: the machine */
	size_t *column;     /* per column of the live: that of the table */
	struct obs *obs;    /* in the table; NULL: none yet, or none of its own */
	size_t rows;        /* of the live, that were taken */
	bool going, over;
	bool counts_rows;   /* they come one by one; else its only row is its totals */
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
	bool *told;              /* per program: its end is known */
	bool running, finishing, killed;
	bool common;             /* rows of one look have one time */
	/* seconds of the processor for looking, since the last look, and of all; what was taken until spec_run_poll()
	 * was called (opt.apart) */
	double own, own_all, poll_cpu;
	double started_at, finish_at, next_at, last_at, cpu_at_start, cpu_before;
	double look_sum;
	struct spec_pace pace;
	double memory_before;
	struct spec_run_state state;
	struct err trouble;      /* what ended it early */
	struct err machine_why;  /* why what is of the machine is not counted */
	/* What all together did since the last row of theirs. */
	struct obs *whole;       /* NULL: there is none, or no row yet */
	int64_t *sum;
	unsigned char *counted;  /* 0: nobody; 1: all who had rows; 2: not all of them */
	double *share;
	double tasks;
	size_t summed;           /* rows */
};

/* Opens the counters of all parts. */
bool spec_run_open(struct spec_run *, struct err *e);

/* Take the new rows of a part into the table, unless all rows of a look have one time; flush: then they are taken, and
 * a row of all together. */
void spec_run_take(struct spec_run *, struct spec_part *);
void spec_run_flush(struct spec_run *, double seconds);
/* "#2" behind it in the second run */
void spec_run_name_again(const struct spec_run *, const char *name, struct str *out);
/* The table, once all parts are open. */
void spec_run_make_table(struct spec_run *);

#endif
