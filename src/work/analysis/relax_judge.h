/* Which observations refute a choice, and how other choices change that. Shared by relax.c and relax_judge.c. */
#ifndef WORK_ANALYSIS_RELAX_JUDGE_H
#define WORK_ANALYSIS_RELAX_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "work/analysis/relax.h"

struct search_cones;

/* A choice that was tried: the observations that refute it, and its cone. */
struct relax_trial {
	struct fset on;
	bool *refuted; /* per observation; computed only for those that refute the first choice */
	size_t cone;
};

struct relax {
	struct analysis *a;
	struct fset on;
	const struct analysis_watch *watch;
	size_t n;            /* number of observations */
	bool *refuted;
	double *threshold2;  /* per observation: that of the judging region; 0: none, or not computed yet */
	double *reach2;      /* per observation: that of the region that is compared with a constraint */
	int64_t **certificate; /* certificate per observation, over the model's counters; NULL: not refuted */
	bool *used;
	struct search_cones *cones;
	struct relax_trial *tried;
	size_t n_tried, cap;
};

/* Calls the watch; false stops. */
bool relax_go_on(const struct relax *, const char *stage, size_t done, size_t of);

/* Judges a choice that has signatures, unless it was judged before. The result is valid until the next new choice. NULL
 * when stopped. */
const struct relax_trial *relax_try(struct relax *, const struct fset *on);

#endif
