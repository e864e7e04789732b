/* Bounds on how many of the observed µops passed through each feature that is on: the least and the greatest flow, and
 * shares of counters, over all flows that an observation allows ("merging: 41 .. 48 % of load.walk_done"). */
#ifndef WORK_ANALYSIS_UOP_RANGES_H
#define WORK_ANALYSIS_UOP_RANGES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/udd/fset.h"
#include "core/verdict/uop_range.h"

struct analysis;
struct str;
struct udd_model;
struct analysis_watch;

/* The part of one counter's count, or of all µops seen (UOP_UOPS), that passes through the feature, 0 … 1. */
struct flow_share {
	size_t counter;      /* the model's number */
	struct uop_range range;
	bool always;         /* by the model alone: nothing but the feature raises the counter */
};

struct feature_flow {
	size_t feature;
	struct fset with;    /* features that require it; their parts count as its own */
	char *error;         /* why there is no answer; the rest is empty then */
	/* some of its µpaths raise a counter of the observation; otherwise least is 0 and greatest INFINITY */
	bool seen;
	bool unseen;         /* some of its µpaths raise none; their flow has no limit, and no number includes it */
	struct uop_range total; /* µops, per sample unless the observation is a total */
	struct flow_share uops;
	/* shares of the counters that it can raise, narrowest range first, those with `always` last */
	struct flow_share *share;
	size_t n_shares;
};

struct uop_ranges {
	struct fset on;
	bool exact;
	struct feature_flow *feature; /* the features that are on, in the model's order */
	size_t n;
};

#define FLOW_ALL_FEATURES SIZE_MAX

/* Sets out[i] for each finding i < n of a result of this choice if ask[i], which must be feasible; others are NULL. The
 * caller frees each with uop_ranges_free(). `feature`: only this feature, or FLOW_ALL_FEATURES. Returns false if the
 * watch stopped it, or the choice makes an error: all are NULL then. */
bool analysis_flow_ranges(struct analysis *, const struct fset *on, const bool *ask, size_t n, size_t feature,
	struct uop_ranges **out, const struct analysis_watch *);
void uop_ranges_free(struct uop_ranges *);

/* Appends lines for people about one feature, with at most `most` shares of counters; a line says how many were left
 * out. */
void uop_ranges_lines(const struct udd_model *, const struct feature_flow *, bool exact, size_t most,
	const char *indent, struct str *out);

/* Appends lines for people about one feature and one finding of this choice: the ranges and what they mean, or why
 * there are none. */
void uop_ranges_explain(struct analysis *, const struct fset *on, size_t finding, size_t feature,
	const struct analysis_watch *, struct str *out);

#endif
