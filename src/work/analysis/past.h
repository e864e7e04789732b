/* Refutations found while samples were still coming in. Regions for repeated testing hold together: with the stated
 * confidence, the true mean lies in the regions of all tests at once. So a certificate found in one test remains valid
 * in later ones, whatever the region is by then. It refutes every cone whose signatures satisfy it, which is decided
 * exactly. */
#ifndef WORK_ANALYSIS_PAST_H
#define WORK_ANALYSIS_PAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/udd/fset.h"

struct prepared;
struct signatures;
struct udd_model;

struct past_refutation {
	size_t table, place;  /* the observation's table, and its number there */
	char *name;           /* the observation's name in its table */
	struct fset on;       /* the first set of features that it refuted */
	int64_t *coef;        /* the certificate, over the model's counters: Σ coef·S ≥ 0 for the signatures S */
	char *text;
	size_t samples;       /* number of samples at that time */
	double seconds;       /* time of the refutation, as given to past_now() */
};

struct past {
	struct past_refutation *item; /* in order of time */
	size_t n, cap;
	double seconds;
};

struct past *past_new(void);
void past_free(struct past *);

/* Sets the time of refutations that are added from here on. */
void past_now(struct past *, double seconds);

/* Returns a refutation of the observation that is also valid for these signatures, or NULL. The observation must have a
 * region for repeated testing and still have the counters. */
const struct past_refutation *past_find(const struct past *, const struct prepared *, const struct signatures *);

/* Adds a refutation. `coef` is over the kept counters of the observation, in their order. Does nothing for an
 * observation without a region for repeated testing. */
void past_add(
	struct past *, const struct udd_model *, const struct prepared *, const struct fset *on, const int64_t *coef);

#endif
