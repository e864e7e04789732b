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
	double *direction; /* n: a = Σ⁻¹(v−Y); a·u ≥ 0 on the cone; without slack a·Y = −d2 */
	/* a = Σ weight_k · row_k over the equalities, then the inequalities (≥ 0); NULL without facets */
	double *weight;
	double *flow;      /* v = Σ flow_k · ray_k, with flow_k ≥ 0; NULL with facets */
};

/* Find the nearest point. factor is the lower Cholesky factor of Σ. With facets the dual problem is solved, over the
 * equalities and the violated facets, which are only a few columns. Without facets, or if by_rays is set, the primal
 * problem is solved over the rays.
 *
 * slack (n, or NULL) is how far the mean may be off in each counter. d2 is then the least distance over the cone and
 * all such means. With facets it may be a little less, because each facet b·v ≥ 0 is relaxed separately to b·v ≥
 * −Σ|b_i| slack_i. a·Y + Σ|a_i| slack_i ≤ −d2, and v is in the cone up to the slack. Free the result with
 * projection_free(). */
void projection_find(const struct cone *, const double *mean, const double *slack, const double *factor, bool by_rays,
	struct projection *out);
void projection_free(struct projection *);

#endif
