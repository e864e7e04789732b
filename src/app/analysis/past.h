/* What samples refuted while they came in. Regions that hold at every look hold together: with the confidence that each
 * has, the true mean lies in all of them at once. So a certificate of one look refutes at every later one, whatever the
 * region is by then, every cone on which it still holds, which is decided exactly. */
#ifndef APP_ANALYSIS_PAST_H
#define APP_ANALYSIS_PAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/udd/fset.h"

struct prepared;
struct signatures;
struct udd_model;

struct past_refutation {
	size_t table, place;  /* the observation */
	char *name;           /* … as it is called in its table */
	struct fset on;       /* the set of features that it refuted first */
	int64_t *coef;        /* the certificate, over the model's counters: Σ coef·S ≥ 0 for its signatures */
	char *text;
	size_t samples;       /* so many there were then */
	double seconds;       /* … and when that was, as past_now() said */
};

struct past {
	struct past_refutation *item; /* in the order in which they came */
	size_t n, cap;
	double seconds;
};

struct past *past_new(void);
void past_free(struct past *);

/* What is added from here on happened then. */
void past_now(struct past *, double seconds);

/* A refutation of the observation that holds for these signatures, too; NULL: none. It must have been peeked at, and
 * still have the counters. */
const struct past_refutation *past_find(const struct past *, const struct prepared *, const struct signatures *);

/* Keep one: coef is over the kept counters of the observation, in their order. Nothing happens where the observation is
 * not peeked at. */
void past_add(
	struct past *, const struct udd_model *, const struct prepared *, const struct fset *on, const int64_t *coef);

#endif
