/* The value of each counter: what a search would lose without it, and a small set of counters that keeps the search's
 * result. */
#ifndef WORK_SEARCH_WORTH_H
#define WORK_SEARCH_WORTH_H

#include <stdbool.h>
#include <stddef.h>

#include "core/udd/fset.h"

struct analysis;
struct search;
struct analysis_watch;

struct worth_counter {
	size_t counter;
	size_t revived;        /* tested models that are refuted, and would not be without the counter */
	struct fset example;   /* the first of these models */
	struct fset unrequired; /* features that all survivors have only because of this counter */
	size_t merged;         /* distinct cones of the tested models that coincide without it */
	size_t constraints;    /* constraints lost in the cone of `about` */
	bool changes;          /* the smallest survivors differ without it */
};

struct worth {
	struct worth_counter *counter; /* most useful first; all counters in use */
	size_t n;
	/* the choice whose constraints are counted: the first smallest survivor, or the start of the search */
	struct fset about;
	/* a minimal set of the model's counters that gives the same smallest survivors; per counter: is it in the
	 * set? */
	bool *kept;
	size_t n_kept;
	/* every search classified all its sets; false: the results hold only for the models that were tested */
	bool complete;
	double seconds;
};

/* Computes the value of the counters. `s` is a search with this analysis from s->start->on, with the limit `tests_max`.
 * NULL only when the watch stopped it. */
struct worth *worth_find(struct analysis *, const struct search *s, size_t tests_max, const struct analysis_watch *);
void worth_free(struct worth *);

#endif
