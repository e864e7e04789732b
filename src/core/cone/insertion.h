/* The double description method in 64-bit integers: facets of a cone that grows ray by ray. Either the result is exact,
 * or there is no result. Private to core/cone. */
#ifndef CORE_CONE_INSERTION_H
#define CORE_CONE_INSERTION_H

#include <stddef.h>
#include <stdint.h>

#define INSERTION_BYTES_MAX ((size_t)32 << 20)

enum insertion_end {
	INSERTION_DONE,
	INSERTION_WIDE,   /* a number does not fit into 64 bits; there is no result */
	INSERTION_LATE,   /* the deadline passed */
	INSERTION_CROWDED /* the facets need more than bytes_max */
};

/* A cone in both descriptions. Its points have Σ coef·v = 0 for each equality and Σ coef·v ≥ 0 for each facet. The same
 * points are all non-negative combinations of the rays. Without rays it is {0}. A facet's coefficients matter only on
 * the cone's span, so any form of a facet will do. Rays may include some that are not extreme. The cone is pointed, as
 * every cone of vectors without negative entries is. */
struct insertion {
	size_t n;
	size_t bytes_max;  /* limit for the facets with their sets; may be changed after opening */
	size_t n_equalities, n_facets, n_rays;
	int64_t *equality; /* n_equalities × n */
	int64_t *facet;    /* n_facets × n */
	int64_t *ray;      /* n_rays × n: the given rays, then those that made the cone grow */
	struct insertion_state *state;
};

/* Copies its arguments. `room` is the number of rays that may be added; `deadline` is a time of clock_seconds(). */
void insertion_open(struct insertion *, size_t n, size_t n_equalities, const int64_t *equality, size_t n_facets,
	const int64_t *facet, size_t n_rays, const int64_t *ray, size_t room, double deadline);
/* Opens the cone {0} in n dimensions. */
void insertion_open_empty(struct insertion *, size_t n, size_t room, double deadline);
void insertion_close(struct insertion *);

/* Adds m vectors (row major) to the cone. After any result but INSERTION_DONE only insertion_close() may follow. */
enum insertion_end insertion_add(struct insertion *, size_t m, const int64_t *vector);

/* Removes the rays that are combinations of others; the order stays. */
void insertion_keep_extreme(struct insertion *);

#endif
