/* Finds facets and extreme rays of a cone of signatures, not yet in normal form. Private to core/cone. */
#ifndef CORE_CONE_FACETS_H
#define CORE_CONE_FACETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cone;
struct rref;

struct facets {
	size_t n_facets, n_rays;
	/* n_facets × n_counters: 0 in the columns where an equality leads, greatest common divisor 1, in no particular
	 * order */
	int64_t *facet;
	int64_t *ray;        /* n_rays × n_counters: the signatures that are extreme */
	size_t n_lost;       /* number of facets left out because a coefficient exceeds 64 bits */
	const char *failure; /* why there is no result, a literal; or NULL */
};

/* Finds the facets from scratch: the marked signatures of c span the cone, and `eq` are its equalities. */
void facets_find(const struct cone *c, const bool *mark, const struct rref *eq, double deadline, struct facets *out);

/* Finds the facets by growth: the cone `old`, which must be complete, is extended by the marked signatures of c.
 * Returns false, with nothing to free, if an intermediate number exceeds 64 bits. */
bool facets_grow(const struct cone *c, const struct cone *old, const bool *mark, const struct rref *eq, double deadline,
	struct facets *out);

void facets_free(struct facets *);

/* Recognises signatures that lie half-way between two others. Most signatures of a model do, and none of them is needed
 * as a ray. */

/* Sets needed[i] to false for vectors that are the midpoint of two others. There are m distinct vectors without
 * negative entries, row major in n columns. needed[i] stays true for every vector that the conic hull needs. */
void midpoints_find(size_t n, size_t m, const int64_t *vector, bool *needed);

#endif
