/* The point of a cone nearest to a mean, in the metric of a covariance, and the direction that separates them. */
#ifndef CORE_VERDICT_PROJECTION_H
#define CORE_VERDICT_PROJECTION_H

#include <stdbool.h>
#include <stddef.h>

struct cone;

struct projection {
	bool converged;
	double d2;         /* (v−Y)ᵀ Σ⁻¹ (v−Y) */
	double *v;         /* n: the nearest point */
	double *direction; /* n: a = Σ⁻¹(v−Y); a·u ≥ 0 on the cone, a·Y = −d2 without slack */
	/* a = Σ weight_k · row_k over the equalities, then the inequalities (≥ 0); NULL without facets */
	double *weight;
	double *flow;      /* v = Σ flow_k · ray_k, ≥ 0; NULL with facets */
};

/* factor is the lower Cholesky factor of Σ. With facets the dual problem is solved, over the equalities and the
 * violated facets: a handful of columns; without them, or on request, the primal one over the rays.
 *
 * slack (n, or NULL) lets the mean be off by so much besides: d2 is the least over the cone and all means within it,
 * or, with facets, a little less, since each facet b·v ≥ 0 is relaxed to b·v ≥ −Σ|b_i| slack_i by itself. Then a·Y +
 * Σ|a_i| slack_i ≤ −d2, and v is in the cone but for the slack. projection_free() what it fills. */
void projection_find(const struct cone *, const double *mean, const double *slack, const double *factor, bool by_rays,
	struct projection *out);
void projection_free(struct projection *);

#endif
