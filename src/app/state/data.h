/* What was observed: recorded tables, the runs of this session with what they printed, and what this machine can count.
 * Written by control (app/control/) alone. */
#ifndef APP_STATE_DATA_H
#define APP_STATE_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "core/machine/doctor.h"
#include "core/verdict/verdict.h"

struct flow_watch;
struct live;
struct obs_table;
struct spec_run;
struct tasktime_run;
struct timeline;

/* The verdict on the samples so far. */
struct verdict_point {
	double seconds; /* since the start of the run */
	size_t samples;
	enum verdict_kind verdict;
	double distance2, threshold2; /* NAN: none */
};

#define VERDICT_POINTS_MOST 1024

/* Verdicts while samples come in, of the run that goes on or was last. */
struct verdict_history {
	struct verdict_point *point;
	size_t n, cap;
	char *of;    /* the observation's name; NULL */
	double step; /* seconds between two points at least, so that a long run has room */
};

/* The session file that keeps all this. */
struct saved {
	char *in;    /* its path; NULL: none */
	double at;   /* when it was brought up to date last; 0: not yet */
	bool failed; /* the last attempt failed, and will be repeated */
};

/* Models that can be opened by name; both NULL-terminated and parallel. */
struct installed {
	char **name;
	char **text; /* what each says of itself */
};

struct data {
	uint64_t generation;       /* rises with whatever makes answers old */
	struct obs_table **table;  /* recorded, in the order of the arguments */
	size_t n_tables;
	char *name;                /* "gcc-28.csv"; NULL */
	struct live *live;         /* counters; its observations stand after the recorded tables */
	struct tasktime_run **stalls; /* the time of tasks, one for each run; the last one may go on */
	size_t n_stalls;
	struct spec_run **specified;  /* runs of a specification; the last one may go on */
	size_t n_specified;
	struct flow_watch **flows;    /* flows of each run; the last one may go on */
	size_t n_flows;
	bool had_run;
	long long *so_far;         /* totals of the run that goes on, per counter of the model; NULL: none */
	bool *counted;
	struct str output;         /* what the command printed lately */
	size_t output_total;       /* bytes printed in all */
	struct verdict_history history;
	struct str run_notes;      /* what could not be counted, and why */
	struct timeline *timeline; /* snapshots, as views 5 to 7 show them; NULL: neither network nor stack */
	struct doctor machine;
	struct saved saved;
	struct installed installed;
};

#endif
