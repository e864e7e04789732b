/* Conclusions from a search, in addition to its graph (search.h): why its start is refuted, what would be needed where
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
	/* the tested model that the fewest observations refute; of equal ones the one with the fewest features */
	size_t nearest;
	struct drafts *drafts;      /* signatures that would make all observations feasible with it */
};

/* NULL only when the watch stopped it. The search must have begun. */
struct search_end *search_end_new(
	struct analysis *, const struct search *, bool explain, const struct analysis_watch *);
void search_end_free(struct search_end *);

/* Is there a model without this feature that allows everything that a machine with the features `truth` can count? Then
 * these counters cannot show that the machine has it. The models are choices of that search: its survivors, and the
 * largest choice without the feature. False also where the truth is not a choice of the model. For machines whose
 * features are known, as those of a simulated machine are. */
bool search_hidden(struct analysis *, const struct search *, const struct fset *truth, size_t feature);

#endif
