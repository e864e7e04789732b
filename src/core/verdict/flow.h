/* A witness: µops on rays of the cone that together raise what an observation counted. */
#ifndef CORE_VERDICT_FLOW_H
#define CORE_VERDICT_FLOW_H

#include <stddef.h>

struct cone;
struct region;

/* µops on one ray, more than 0. */
struct flow_term {
	size_t ray;
	double uops;
};

struct witness_flow {
	size_t n; /* at most one term per counter */
	struct flow_term *term;
};

/* Of a region with a noise model that meets the cone: the flow onto the point of the cone nearest to the mean where
 * that is within √q of it, or onto `inside` (NULL: none), a point of the cone in the region as a solver found it, which
 * serves where a box meets the cone and the ellipsoid does not. NULL where neither gives one. flow_free() the
 * result. */
struct witness_flow *flow_of_region(const struct cone *, const struct region *, double q, const double *inside);

/* Onto `v`, a point of the cone but for rounding: an exact total, or what its tolerances allow. */
struct witness_flow *flow_of_point(const struct cone *, const struct region *, const double *v);

void flow_free(struct witness_flow *);

#endif
