/* The map of a search: clauses over features that unclassified sets satisfy, and the search for the next such set. */
#ifndef CORE_SEARCH_CLAUSES_H
#define CORE_SEARCH_CLAUSES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/udd/fset.h"

/* A clause is satisfied if a feature of `on` is on, or a feature of `off` is off. */
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

/* A query: features in `fixed` have their state in `value`. legal() is as in lattice.h. */
struct clauses_query {
	size_t n_features;
	struct fset fixed, value;
	bool (*legal)(void *ctx, const struct fset *on, const struct fset *known);
	bool (*go_on)(void *ctx); /* called regularly; returning false stops the query. NULL: never stops */
	void *ctx;
	size_t *nodes; /* budget of visited nodes; those used are subtracted */
};

/* Find the first legal set that satisfies all clauses. The search tries a feature on before off. So no other such set
 * contains all features of the found one. */
enum clauses_answer clauses_next(const struct clauses *, const struct clauses_query *, struct fset *out);

/* Returns the number of legal sets; NAN if there are more than `most`, or if the query was stopped. */
double clauses_count(const struct clauses_query *, double most);

#endif
