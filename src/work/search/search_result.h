/* Conclusions from a search, in addition to its graph (search.h): why its start is refuted, what would be needed if
 * nothing survives, and features that no data can reveal. */
#ifndef WORK_SEARCH_SEARCH_RESULT_H
#define WORK_SEARCH_SEARCH_RESULT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/search/hitting.h"

struct analysis;
struct drafts;
struct explanations;
struct fset;
struct search;
struct analysis_watch;

struct search_end {
	struct explanations *start; /* why the start is refuted; NULL: not asked for */
	bool refused;               /* some model was usable and no tested one survives; the members below are set */
	struct hitting refusal;     /* the smallest set of observations that together refute all tested models */
	/* the tested model that the fewest observations refute; among equals, the one with the fewest features */
	size_t nearest;
	struct drafts *drafts;      /* signatures that would make all observations feasible with it */
};

/* Returns NULL only if the watch stopped it. The search must have begun. */
struct search_end *search_end_new(
	struct analysis *, const struct search *, bool explain, const struct analysis_watch *);
void search_end_free(struct search_end *);

/* True if some model without this feature allows everything that a machine with the features `truth` can count. Then
 * these counters cannot show that the machine has the feature. The models tried are the search's survivors and its
 * largest choice without the feature. Also false if the truth is not a choice of the model. This is for machines whose
 * features are known, such as simulated ones. */
bool search_hidden(struct analysis *, const struct search *, const struct fset *truth, size_t feature);

#endif
