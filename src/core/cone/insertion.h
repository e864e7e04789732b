/* Facets of a cone that grows ray by ray: the double description method in 64-bit integers, exact or not at all. */
#ifndef CORE_CONE_INSERTION_H
#define CORE_CONE_INSERTION_H

#include <stddef.h>
#include <stdint.h>

#define INSERTION_BYTES_MAX ((size_t)32 << 20)

enum insertion_end {
	INSERTION_DONE,
	INSERTION_WIDE,   /* a number does not fit 64 bits: nothing is known */
	INSERTION_LATE,   /* the time was up */
	INSERTION_CROWDED /* more facets than memory is set aside for */
};

/* A cone by both descriptions: Σ coef·v = 0 for the equalities, ≥ 0 for the facets, which is the same as all
 * combinations ≥ 0 of the rays. Without rays it is {0}. Facets stand for what they are on the cone's span, any form
 * will do; rays may be more than the extreme ones. Pointed, as all cones of vectors without negative entries are. */
struct insertion {
	size_t n;
	size_t bytes_max;  /* for the facets with their sets; may be changed after opening */
	size_t n_equalities, n_facets, n_rays;
	int64_t *equality; /* n_equalities × n */
	int64_t *facet;    /* n_facets × n */
	int64_t *ray;      /* n_rays × n: the given ones, then those that made the cone grow */
	struct insertion_state *state;
};

/* Copies what it is given. `room`: how many rays may be added; `deadline`: on the clock of clock_seconds(). */
void insertion_open(struct insertion *, size_t n, size_t n_equalities, const int64_t *equality, size_t n_facets,
	const int64_t *facet, size_t n_rays, const int64_t *ray, size_t room, double deadline);
/* The cone {0} of n dimensions. */
void insertion_open_empty(struct insertion *, size_t n, size_t room, double deadline);
void insertion_close(struct insertion *);

/* The cone of these m vectors besides (row major): after anything but INSERTION_DONE only insertion_close() is allowed.
 */
enum insertion_end insertion_add(struct insertion *, size_t m, const int64_t *vector);

/* Take out the rays that are combinations of others; the order stays. */
void insertion_keep_extreme(struct insertion *);

#endif
