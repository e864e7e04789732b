/* What a search says besides which models survive: why its start does not, and, where none does, what would be needed.
 */
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
	bool refused;               /* no tested model survives, and some is usable: */
	struct hitting refusal;     /* … the fewest observations of which each of them is refuted by one */
	size_t nearest; /* … the tested model that the fewest refute; of equal ones the one with the fewest features */
	struct drafts *drafts;      /* … signatures that would make all observations feasible with it */
};

/* NULL only when the watch stopped it. The search must have a lattice. */
struct search_end *search_end_new(struct analysis *, const struct search *, bool explain, const struct watch *);
void search_end_free(struct search_end *);

#endif
