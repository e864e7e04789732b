/* Facets and extreme rays of the cone of some signatures, not yet in normal form. Private to core/cone. */
#ifndef CORE_CONE_FACETS_H
#define CORE_CONE_FACETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cone;
struct rref;

struct facets {
	size_t n_facets, n_rays;
	int64_t *facet;      /* n_facets × n_counters: 0 where an equality leads, gcd 1; in no particular order */
	int64_t *ray;        /* n_rays × n_counters: signatures, the extreme ones */
	size_t n_lost;       /* facets with a coefficient beyond 64 bits, left out */
	const char *failure; /* why there is nothing, or NULL; a literal */
};

/* Of the signatures of c that are marked; they span the cone, and `eq` are its equalities. */
void facets_find(const struct cone *c, const bool *mark, const struct rref *eq, double deadline, struct facets *out);

/* Of the cone `old`, which is complete, with the marked signatures of c besides. False, and nothing to free, when
 * numbers on the way do not fit 64 bits. */
bool facets_grow(const struct cone *c, const struct cone *old, const bool *mark, const struct rref *eq, double deadline,
	struct facets *out);

void facets_free(struct facets *);

#endif
