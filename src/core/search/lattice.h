/* Discovery and elimination over sets of features: finds the models that survive, with as few tests as possible.
 *
 * A model is a set of features. The caller tests whether it survives; the search itself handles no cones. A feature in
 * `grows` only adds µpaths. So whatever refutes a set also refutes every subset that differs only in such features. If
 * a set survives, so does every superset that differs only in them. Other features may have any effect, so every legal
 * choice of them is searched separately.
 *
 * Sources: CounterPoint section 5 (discovery, elimination, figures 7 and 8); Liffiton, Previti, Malik and
 * Marques-Silva, "Fast, flexible MUS enumeration" (Constraints 21, 2016): a map of unclassified sets gives the next set
 * to test. */
#ifndef CORE_SEARCH_LATTICE_H
#define CORE_SEARCH_LATTICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/search/search_graph.h"
#include "core/udd/fset.h"

struct lattice_problem {
	size_t n_features, n_observations;
	/* NONE and AUTO: classify every legal set. DISCOVER: take one step, that is, test the start and the start with
	 * the features of repairs(). ELIMINATE: find the subsets of the start that survive, if the start survives. */
	enum search_task task;
	struct fset start;   /* set where discovery begins; must be legal */
	struct fset fixed;   /* features that stay as in `start`: only sets that agree with it in these are searched */
	struct fset grows;   /* features that only add µpaths, as far as known */
	size_t tests_max;    /* 0: LATTICE_TESTS_MAX */
	/* Returns true if the choice may still become legal. `known` contains the features that are decided. If all
	 * features are decided, the answer is exact. */
	bool (*legal)(void *ctx, const struct fset *on, const struct fset *known);
	/* Test the legal set out->on: set the bits of `refuted`, which are all zero at the call, and the members that
	 * describe the model's cone. Returns false only if the search was stopped. */
	bool (*test)(void *ctx, struct search_graph_model *out);
	/* Features that may repair the refuted set that was tested last; NULL: not known. */
	struct fset (*repairs)(void *ctx, const struct fset *on);
	/* Returns true if the cone of one tested set is inside that of another one. Arguments are numbers of cones. */
	bool (*inside)(void *ctx, size_t smaller, size_t larger);
	/* Called after each tested model, and again if its edge changes. It may call lattice_sum(). May be NULL. */
	void (*report)(void *ctx, struct search_graph *so_far);
	/* Called regularly while the search looks for the next set; returning false stops the search. NULL: never
	 * stops. */
	bool (*go_on)(void *ctx);
	void *ctx;
};

#define LATTICE_TESTS_MAX 5000
#define LATTICE_NODES_MAX 20000000 /* choices visited to find unclassified sets */

/* Search. Fills an empty graph, which may already have the names of its observations. If the search is stopped, the
 * graph has what was tested until then. */
void lattice_search(const struct lattice_problem *, struct search_graph *);

/* Compute minimal, required, optional, orphan and tested from the models so far, for callers of `report` before the
 * end. */
void lattice_sum(struct search_graph *);

#endif
