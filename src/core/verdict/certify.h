/* Checks that an infeasible verdict is true. It uses exact arithmetic only, and uses nothing from the solvers but the
 * certificate.
 *
 * A certificate is an integer vector a ≠ 0. It refutes if a·S ≥ 0 for every signature S, so that a·v ≥ 0 on the whole
 * cone, and a·v < 0 on the whole region. The region is the one that the verdict used: its sums are integers, and the
 * doubles of its covariance, axes and threshold are taken as exact rational numbers. */
#ifndef CORE_VERDICT_CERTIFY_H
#define CORE_VERDICT_CERTIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cone;
struct region;

enum certify_shape {
	CERTIFY_POINT,
	/* t = a·Y + Σ_i slack_i |a_i| < 0 and t² > times · q · aᵀΣa. The region may have slack. */
	CERTIFY_ELLIPSOID,
	/* a·Y + Σ_i half_i |a·e_i| < 0. The box is all Y + Σ_i u_i half_i e_i with |u_i| ≤ 1; slack is part of half. */
	CERTIFY_BOX,
};

struct certify_region {
	enum certify_shape shape;
	const struct region *region;
	const struct region_spread *spread; /* of the ellipsoid; NULL: that of the region */
	double q;
	size_t times;       /* 1; or n, to make the ellipsoid contain the whole rotated box */
	const double *half; /* n */
	const double *axis; /* n × n, row i is e_i; NULL: unit vectors */
};

bool certify_cone(const struct cone *, const int64_t *a);
bool certify_apart(const struct certify_region *, const int64_t *a);

/* Returns an upper bound of a·v / 2^bits over the region: the exact value rounded up to the next double. `a` may be 0.
 */
double certify_most(const struct certify_region *, const int64_t *a, long bits);

/* Returns the sign of a·Y: −1, 0 or 1. */
int certify_sign(const struct region *, const int64_t *a);

#endif
