/* Is an infeasible verdict true? Exact arithmetic only, and nothing from the solvers but the certificate itself.
 *
 * A certificate is an integer vector a ≠ 0. It refutes when a·S ≥ 0 for every signature S, so that a·v ≥ 0 all over the
 * cone, and a·v < 0 all over the region. The region is the one that the verdict used: its sums as integers, and the
 * doubles of its covariance, axes and threshold taken as the rational numbers they are. */
#ifndef CORE_VERDICT_CERTIFY_H
#define CORE_VERDICT_CERTIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cone;
struct region;

enum certify_shape {
	CERTIFY_POINT,
	/* t = a·Y + Σ_i slack_i |a_i| < 0 and t² > times · q · aᵀΣa; slack is the region's, which need have none */
	CERTIFY_ELLIPSOID,
	/* a·Y + Σ_i half_i |a·e_i| < 0, the box being all Y + Σ_i u_i half_i e_i with |u_i| ≤ 1, slack within half */
	CERTIFY_BOX,
};

struct certify_region {
	enum certify_shape shape;
	const struct region *region;
	const double *cov;  /* n × n, of the ellipsoid; NULL: the region's */
	double q;
	size_t times;       /* 1; n makes the ellipsoid hold the whole rotated box */
	const double *half; /* n */
	const double *axis; /* n × n, row i is e_i; NULL: the unit vectors */
};

bool certify_cone(const struct cone *, const int64_t *a);
bool certify_apart(const struct certify_region *, const int64_t *a);

/* No less than the most of a·v / 2^bits over the region, and more by rounding only: the next double. `a` may be 0. */
double certify_most(const struct certify_region *, const int64_t *a, long bits);

/* The sign of a·Y: −1, 0 or 1. */
int certify_sign(const struct region *, const int64_t *a);

#endif
