/* What to say after a search: why its start is refuted and, where nothing survives, what would be needed. */
#ifndef APP_SEARCH_SEARCH_END_H
#define APP_SEARCH_SEARCH_END_H

#include <stdbool.h>
#include <stddef.h>

#include "core/search/hitting.h"

struct analysis;
struct drafts;
struct explanations;
struct search;
struct watch;

struct search_end {
	struct explanations *start; /* why the start is refuted; NULL: not asked for */
	bool refused;               /* some model was usable and no tested one survives; the members below are set */
	struct hitting refusal;     /* the fewest observations of which each tested model is refuted by one */
	/* the tested model that the fewest observations refute; of equal ones the one with the fewest features */
	size_t nearest;
	struct drafts *drafts;      /* signatures that would make all observations feasible with it */
};

/* NULL only when the watch stopped it. The search must have a lattice. */
struct search_end *search_end_new(struct analysis *, const struct search *, bool explain, const struct watch *);
void search_end_free(struct search_end *);

#endif
