/* The verdicts that suspicions of counters are tested against. Private to suspects.c and suspects_leak.c. */
#ifndef WORK_ANALYSIS_SUSPICION_H
#define WORK_ANALYSIS_SUSPICION_H

#include "core/verdict/verdict.h"
#include "work/analysis/describe.h"
#include "work/analysis/suspects.h"

struct suspicion {
	struct analysis *a;
	size_t n;
	struct verdict **v;
	const struct cone **cone;
	size_t n_refuted;
	size_t counter; /* the current suspect */
	int64_t *row;   /* room for one row over the model's counters */
};

enum verdict_kind suspicion_verdict(const struct suspicion *, size_t i);
/* Returns the counter's place among the counters of the observation. */
size_t suspicion_place(const struct prepared *, size_t counter);
/* True for a refuted observation that lacks the counter, or that violates a constraint without it. */
bool suspicion_clears(const struct suspicion *, size_t i);

/* Tests whether the same leak into the current counter frees all observations. */
bool suspicion_leak(const struct suspicion *, const char *cause, struct suspect *);

#endif
