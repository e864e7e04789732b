/* The map of a search: clauses over features that the sets still to be looked at keep, and the next such set. */
#ifndef CORE_SEARCH_CLAUSES_H
#define CORE_SEARCH_CLAUSES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/udd/fset.h"

/* One of `on` is on, or one of `off` is off. */
struct clause {
	struct fset on, off;
};

struct clauses {
	struct clause *clause;
	size_t n, cap;
};

void clauses_add(struct clauses *, struct clause);
void clauses_free(struct clauses *);

enum clauses_answer { CLAUSES_FOUND, CLAUSES_NONE, CLAUSES_GAVE_UP, CLAUSES_STOPPED };

/* What is asked for: the features in `fixed` are as in `value`; legal() as in lattice.h. */
struct clauses_query {
	size_t n_features;
	struct fset fixed, value;
	bool (*legal)(void *ctx, const struct fset *on, const struct fset *known);
	bool (*go_on)(void *ctx); /* asked now and then; false stops. NULL: goes on */
	void *ctx;
	size_t *nodes; /* how many may be looked at; what was is taken off */
};

/* The first legal set that keeps all clauses, in the order that has a feature on before off: no other such set has more
 * features besides all of its own. */
enum clauses_answer clauses_next(const struct clauses *, const struct clauses_query *, struct fset *out);

/* How many legal sets there are; NAN when there are more than `most`, or it was stopped. */
double clauses_count(const struct clauses_query *, double most);

#endif
