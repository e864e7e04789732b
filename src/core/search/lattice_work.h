/* The insides of a search over sets of features. Used by lattice*.c. */
#ifndef CORE_SEARCH_LATTICE_WORK_H
#define CORE_SEARCH_LATTICE_WORK_H

#include "core/search/clauses.h"
#include "core/search/lattice.h"

struct lattice_work {
	const struct lattice_problem *p;
	struct lattice *l;
	struct fset all;
	struct clauses map;
	size_t tests_max, nodes;
};

static inline struct fset
minus(struct fset a, struct fset b)
{
	for (size_t i = 0; i < FSET_MAX / 64; i++)
		a.w[i] &= ~b.w[i];
	return a;
}

static inline struct fset
both(struct fset a, struct fset b)
{
	for (size_t i = 0; i < FSET_MAX / 64; i++)
		a.w[i] &= b.w[i];
	return a;
}

static inline struct fset
either(struct fset a, struct fset b)
{
	for (size_t i = 0; i < FSET_MAX / 64; i++)
		a.w[i] |= b.w[i];
	return a;
}

static inline bool
none(struct fset a)
{
	return fset_count(&a) == 0;
}

static inline bool
survives(const struct lattice_model *m)
{
	return m->usable && m->n_infeasible == 0;
}

/* lattice_map.c: what tested sets say of others, and the next set that none of them says anything of. */
void lattice_map_model(struct lattice_work *, const struct lattice_model *);
bool lattice_is_legal(const struct lattice_work *, const struct fset *on);
bool lattice_is_open(const struct lattice_work *, const struct fset *on);
struct clauses_query lattice_query(struct lattice_work *, struct fset fixed, struct fset value);
/* The features that are fixed for the whole search are so here too. Sets the reason when it gives up. */
enum clauses_answer lattice_next(
	struct lattice_work *, const struct clauses *, struct fset fixed, struct fset value, struct fset *out);

/* lattice_test.c: the models and edges, as they come. */
size_t lattice_find(const struct lattice *, const struct fset *on); /* n_models: not there */
void lattice_add_edge(struct lattice_work *, size_t from, size_t to, enum lattice_step);
/* Test a legal set and put what it says on the map. False when the search ends here: stopped, or enough tests. */
bool lattice_test(struct lattice_work *, const struct fset *on, enum lattice_step, size_t *at);
/* A set from the map hangs on the tested one that is nearest to it: one with more features, by elimination, else one
 * with fewer. */
void lattice_hang(struct lattice_work *, size_t at);

/* lattice_steps.c: the two phases. False when the search ends. */
bool lattice_discover(struct lattice_work *, size_t *at);
bool lattice_discover_once(struct lattice_work *);
bool lattice_eliminate(struct lattice_work *, size_t at);
bool lattice_prune(struct lattice_work *, size_t at);
bool lattice_classify_rest(struct lattice_work *);

/* lattice_needs.c: which observations need which features, and what is on in some survivor. False, and no needs, when
 * the search ends before. */
bool lattice_find_needs(struct lattice_work *);

/* lattice_sum.c: the features that make no difference between tested models. */
void lattice_find_idle(struct lattice *);

#endif
