/* Tests statements about features in many contexts. A context is a set of the other features. Something that was found
 * in one context may not hold in others, so it is tried in the family of the search: in all its legal sets if they are
 * few, otherwise in a sample of them. */
#ifndef WORK_SEARCH_CONTEXTS_H
#define WORK_SEARCH_CONTEXTS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/udd/fset.h"

struct search_graph;
struct udd_model;

#define CONTEXTS_MAX 256   /* most legal sets that are all tried */
#define CONTEXTS_SAMPLE 24 /* number of sets tried when there are more */

struct contexts {
	const struct udd_model *model;
	struct fset fixed, start, all; /* the family: legal sets that agree with `start` in the fixed features */
	struct fset *set;
	size_t n, cap;
	bool whole;          /* `set` holds every set of the family */
};

/* Makes the family of the search that produced the graph. Deterministic. */
struct contexts *contexts_new(const struct udd_model *, const struct fset *start, const struct search_graph *);
void contexts_free(struct contexts *);

enum contexts_claim {
	CONTEXTS_EQUAL,  /* D ∪ one and D ∪ other have the same cone, for every D */
	CONTEXTS_NOTHING /* where `other` is on, switching `one` changes no cone */
};

/* Returns the number of a set's cone: equal cones have equal numbers. CONTEXTS_NONE: the set makes no model. */
#define CONTEXTS_NONE ((size_t)-1)
typedef size_t contexts_cone(void *ctx, const struct fset *);

struct contexts_count {
	/* Contexts tested, and those in which the claim held. A context is a set of features other than `one` and
	 * `other` with which both sides belong to the family. */
	size_t tested, held;
	/* when held < tested: a context in which the claim does not hold, with the fewest features */
	struct fset but;
};

/* Counts the contexts in which the claim holds. `besides`: a context that is tried first, whether or not it is in the
 * sample. `wholly`: only "holds in all" matters, so testing stops at the first context in which it does not. */
struct contexts_count contexts_try(const struct contexts *, enum contexts_claim, const struct fset *one,
	const struct fset *other, const struct fset *besides, bool wholly, contexts_cone *, void *ctx);

#endif
