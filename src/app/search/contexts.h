/* In which sets of the other features does something hold that was found in one? Statements about features are tried in
 * the family that a search is over: in all of its legal sets where these are few, else in a sample of them. */
#ifndef APP_SEARCH_CONTEXTS_H
#define APP_SEARCH_CONTEXTS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/udd/fset.h"

struct lattice;
struct udd_model;

#define CONTEXTS_MAX 256   /* legal sets up to which all are tried */
#define CONTEXTS_SAMPLE 24 /* … and how many of more */

struct contexts {
	const struct udd_model *model;
	struct fset fixed, start, all; /* the family: legal sets that agree with `start` in what is fixed */
	struct fset *set;
	size_t n, cap;
	bool whole;          /* `set` holds every set of the family */
};

/* Of the search that the lattice is of. Deterministic. */
struct contexts *contexts_new(const struct udd_model *, const struct fset *start, const struct lattice *);
void contexts_free(struct contexts *);

enum contexts_claim {
	CONTEXTS_EQUAL,  /* D ∪ one and D ∪ other make one cone, whatever D */
	CONTEXTS_NOTHING /* where `other` is on, `one` changes no cone */
};

/* A set's cone by number: equal cones have equal numbers. CONTEXTS_NONE: it makes no model. */
#define CONTEXTS_NONE ((size_t)-1)
typedef size_t contexts_cone(void *ctx, const struct fset *);

struct contexts_count {
	/* Contexts: sets of features besides `one` and `other` with which both sides are of the family. */
	size_t tested, held;
	/* Held < tested: a D in which it does not hold, of those the one with the fewest features. */
	struct fset but;
};

/* `besides`: a context to begin with, whether it is in the sample or not. `wholly`: only whether it holds in all is
 * asked for, so that the first in which it does not is the last. */
struct contexts_count contexts_try(const struct contexts *, enum contexts_claim, const struct fset *one,
	const struct fset *other, const struct fset *besides, bool wholly, contexts_cone *, void *ctx);

#endif
