/* The observations that refute a choice, and what other choices do for them: shared by relax.c and relax_judge.c. */
#ifndef APP_ANALYSIS_RELAX_JUDGE_H
#define APP_ANALYSIS_RELAX_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/analysis/relax.h"

struct search_cones;

/* A choice that was tried: which observations refute it, and its cone. */
struct relax_trial {
	struct fset on;
	bool *refuted; /* per observation; only asked of those that refute the first choice */
	size_t cone;
};

struct relax {
	struct analysis *a;
	struct fset on;
	const struct watch *watch;
	size_t n;            /* observations */
	bool *refuted;
	double *threshold2;  /* per observation; 0: none, or to be computed */
	double *reach2;      /* … of the region that a constraint is held against */
	int64_t **certificate; /* per observation, over the model's counters; NULL: not refuted */
	bool *used;
	struct search_cones *cones;
	struct relax_trial *tried;
	size_t n_tried, cap;
};

/* Ask the watch. */
bool relax_go_on(const struct relax *, const char *stage, size_t done, size_t of);

/* What is known of a choice that has signatures; valid until the next one that is new. NULL when stopped. */
const struct relax_trial *relax_try(struct relax *, const struct fset *on);

#endif
