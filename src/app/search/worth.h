/* What each counter buys: what a search would lose without it, and a small set of counters that keeps what the search
 * found. */
#ifndef APP_SEARCH_WORTH_H
#define APP_SEARCH_WORTH_H

#include <stdbool.h>
#include <stddef.h>

#include "core/udd/fset.h"

struct analysis;
struct search;
struct watch;

struct worth_counter {
	size_t counter;
	size_t revived;        /* models that the search tested and that are refuted: so many would not be without it */
	struct fset example;   /* … the first of them */
	struct fset unrequired; /* features that all survivors have, but not without it */
	size_t merged;         /* distinct cones of the models tested: so many fewer without it */
	size_t constraints;    /* of the cone of `about`: those that go */
	bool changes;          /* the smallest survivors are others without it */
};

struct worth {
	struct worth_counter *counter; /* the most useful first; all counters in use */
	size_t n;
	/* the choice whose constraints are counted: the first smallest survivor, or where the search began */
	struct fset about;
	/* per counter of the model: a set that gives the same smallest survivors, and loses them with any one left out
	 */
	bool *kept;
	size_t n_kept;
	bool complete;         /* all searches classified every set; else it holds for the models that they tested */
	double seconds;
};

/* `s` is a search with this analysis that began at s->start->on, with that limit. NULL only when the watch stopped it.
 */
struct worth *worth_find(struct analysis *, const struct search *s, size_t tests_max, const struct watch *);
void worth_free(struct worth *);

#endif
