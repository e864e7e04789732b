/* Features that no counter in use can tell apart: why a feature adds nothing where some others are on. */
#ifndef APP_SEARCH_SEARCH_ALIKE_H
#define APP_SEARCH_SEARCH_ALIKE_H

#include "app/search/search.h"

struct analysis;
struct search_cones;

/* Fills in s->alike and s->useless from the lattice. `used`: the counters of the cones. False when stopped. */
bool search_find_alike(
	struct search *, struct analysis *, struct search_cones *, const bool *used, const struct watch *);

#endif
