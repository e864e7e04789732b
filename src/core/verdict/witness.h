/* A witness of a feasible verdict: µops on rays of the cone that together cause the observed counts. */
#ifndef CORE_VERDICT_WITNESS_H
#define CORE_VERDICT_WITNESS_H

#include <stddef.h>

struct cone;
struct region;

/* µops on one ray, above 0 */
struct witness_term {
	size_t ray;
	double uops;
};

struct witness {
	size_t n; /* at most one term per counter */
	struct witness_term *term;
};

/* Returns a witness for a region with a noise model that meets the cone. The flow leads to the point of the cone
 * nearest to the mean, if that point is within √q of the mean. Otherwise it leads to `inside`, a point of the cone in
 * the region that a solver found (NULL: none): a box may meet the cone where the ellipsoid does not. Returns NULL if
 * neither point gives a witness. Free with witness_free(). */
struct witness *witness_of_region(const struct cone *, const struct region *, double q, const double *inside);

/* Returns a witness for `v`, a point of the cone up to rounding: an exact total, or a point within its tolerances. */
struct witness *witness_of_point(const struct cone *, const struct region *, const double *v);

void witness_free(struct witness *);

#endif
