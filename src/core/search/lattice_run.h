/* State of a search over sets of features. Private to core/search: lattice*.c. */
#ifndef CORE_SEARCH_LATTICE_RUN_H
#define CORE_SEARCH_LATTICE_RUN_H

#include "core/search/clauses.h"
#include "core/search/lattice.h"

struct lattice_run {
	const struct lattice_problem *p;
	struct search_graph *l;
	struct fset all;
	struct clauses map;
	size_t tests_max, nodes;
};

/* lattice_map.c: what tested sets say about others, and the next set that none of them classifies. */
void lattice_map_model(struct lattice_run *, const struct search_graph_model *);
bool lattice_is_legal(const struct lattice_run *, const struct fset *on);
bool lattice_is_open(const struct lattice_run *, const struct fset *on);
struct clauses_query lattice_query(struct lattice_run *, struct fset fixed, struct fset value);
/* Finds the next unclassified set. The search's own fixed features are always fixed. Sets the reason if it gives up. */
enum clauses_answer lattice_next(
	struct lattice_run *, const struct clauses *, struct fset fixed, struct fset value, struct fset *out);

/* lattice_test.c: the models and edges of the search. */
void lattice_add_edge(struct lattice_run *, size_t from, size_t to, enum graph_step);
/* Test a legal set and add its result to the map. Returns false if the search ends, because it was stopped or made too
 * many tests. */
bool lattice_test(struct lattice_run *, const struct fset *on, enum graph_step, size_t *at);
/* Connect a set from the map to the nearest tested set: to one with more features, by elimination, or else to one with
 * fewer, by discovery. */
void lattice_connect(struct lattice_run *, size_t at);

/* lattice_steps.c: the two phases. Returns false if the search ends. */
bool lattice_discover(struct lattice_run *, size_t *at);
bool lattice_discover_once(struct lattice_run *);
bool lattice_eliminate(struct lattice_run *, size_t at);
bool lattice_prune(struct lattice_run *, size_t at);
bool lattice_classify_rest(struct lattice_run *);

/* lattice_needs.c: which observations need which features, and which features are on in some survivor. Returns false,
 * without needs, if the search ends before that. */
bool lattice_find_needs(struct lattice_run *);

#endif
