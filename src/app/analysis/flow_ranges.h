/* How much of what was seen went through each feature that is on: the least and the greatest flow, and shares of
 * counters, over all flows that an observation allows ("merging: 41 .. 48 % of load.walk_done"). */
#ifndef APP_ANALYSIS_FLOW_RANGES_H
#define APP_ANALYSIS_FLOW_RANGES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/udd/fset.h"
#include "core/verdict/flow_range.h"

struct analysis;
struct str;
struct udd_model;
struct watch;

/* Of one counter's count, or of all µops seen (FLOW_UOPS): the part that passes the feature, 0 … 1. */
struct flow_share {
	size_t counter;      /* of the model */
	struct flow_range range;
	bool always;         /* by the model alone: without the feature nothing raises it */
};

struct feature_flow {
	size_t feature;
	struct fset with;    /* features that require it: their parts count as its own */
	char *error;         /* there is no answer: why; the rest is empty then */
	/* some of its µpaths raise a counter of the observation; else least is 0 and greatest INFINITY */
	bool seen;
	bool unseen;         /* some raise none: their flow, which has no limit, is in no number here */
	struct flow_range total; /* µops, per sample unless the observation is a total */
	struct flow_share uops;
	/* of the counters that it can raise, the narrowest range first; what is `always` last */
	struct flow_share *share;
	size_t n_shares;
};

struct flow_ranges {
	struct fset on;
	bool exact;
	struct feature_flow *feature; /* those that are on, in the model's order */
	size_t n;
};

#define FLOW_ALL_FEATURES SIZE_MAX

/* out[i] for the findings i < n of a result of this choice with ask[i] (which must be feasible ones), else NULL; the
 * caller frees each with flow_ranges_free(). `feature`: this one only. False when the watch stopped it, or the choice
 * makes an error: all are NULL then. */
bool analysis_flow_ranges(struct analysis *, const struct fset *on, const bool *ask, size_t n, size_t feature,
	struct flow_ranges **out, const struct watch *);
void flow_ranges_free(struct flow_ranges *);

/* Lines for people about one feature, `most` shares of counters at most (the others are said to be there). */
void flow_ranges_lines(const struct udd_model *, const struct feature_flow *, bool exact, size_t most,
	const char *indent, struct str *out);

/* All about one feature and one finding of this choice, in lines for people: the ranges, what they mean, or why there
 * are none. */
void flow_ranges_explain(struct analysis *, const struct fset *on, size_t finding, size_t feature, const struct watch *,
	struct str *out);

#endif
