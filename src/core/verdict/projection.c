/* With Σ = L Lᵀ and facets b_j:   v = Y + Σ a,  a = Σ_j λ_j b_j,  and λ minimises |Σ_j λ_j Lᵀb_j|² + 2 Σ_j λ_j b_j·Y,
 * which is least squares with c_j = Lᵀb_j and c_j·y = −b_j·Y: neither an inverse nor an eigenvector is needed, and the
 * distance itself is the norm of the fit, free of cancellation.
 * With rays r_j:   |L⁻¹Y − Σ_j f_j L⁻¹r_j|² is minimised over f ≥ 0. */
#include "core/verdict/projection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/stats/cholesky.h"
#include "core/stats/dot.h"
#include "core/verdict/nnls.h"

#define FACETS_PER_RAY_MAX 8 /* with more facets than this the rays are the smaller problem */

/* Scale c to length 1; returns the length, or 1 for a vector of zeros. */
static double
normalise(double *c, size_t n)
{
	double s = dot(c, c, n);

	s = s > 0 ? sqrt(s) : 1;
	dot_scale(c, 1 / s, n);
	return s;
}

static void
by_facets(const struct cone *cone, const double *mean, const double *factor, struct projection *out)
{
	size_t n = cone->n_counters, e = cone->n_equalities, m = e + cone->n_inequalities;
	double *c = mem_new_array(m * n, sizeof *c), *g = mem_new_array(m, sizeof *g), *length = mem_new_array(m, sizeof *length);
	struct nnls s;

	for (size_t j = 0; j < m; j++) {
		const int64_t *b = j < e ? cone->equality + j * n : cone->inequality + (j - e) * n;

		for (size_t i = 0; i < n; i++) {
			double t = (double)b[i];

			if (b[i] == 0)
				continue;
			g[j] -= t * mean[i];
			dot_subtract(c + j * n, -t, factor + i * n, i + 1);
		}
		length[j] = normalise(c + j * n, n);
		g[j] /= length[j];
	}
	nnls_solve(m, n, e, c, g, &s);
	out->converged = s.converged;
	out->d2 = s.norm2;
	out->weight = mem_new_array(m, sizeof *out->weight);
	for (size_t k = 0; k < s.n_active; k++) {
		size_t j = s.active[k];
		const int64_t *b = j < e ? cone->equality + j * n : cone->inequality + (j - e) * n;

		out->weight[j] = s.z[k] / length[j];
		for (size_t i = 0; i < n; i++)
			out->direction[i] += out->weight[j] * (double)b[i];
	}
	for (size_t i = 0; i < n; i++) {
		out->v[i] = mean[i];
		for (size_t k = 0; k <= i; k++)
			out->v[i] += factor[i * n + k] * s.fit[k];
	}
	nnls_free(&s);
	free(c);
	free(g);
	free(length);
}

static void
by_rays(const struct cone *cone, const double *mean, const double *factor, struct projection *out)
{
	size_t n = cone->n_counters, m = cone->n_rays;
	double *c = mem_new_array(m * n, sizeof *c), *g = mem_new_array(m, sizeof *g), *length = mem_new_array(m, sizeof *length);
	double *y = mem_copy(mean, n * sizeof *mean);
	struct nnls s;

	cholesky_forward(n, factor, y);
	for (size_t j = 0; j < m; j++) {
		for (size_t i = 0; i < n; i++)
			c[j * n + i] = (double)cone->ray[j * n + i];
		cholesky_forward(n, factor, c + j * n);
		length[j] = normalise(c + j * n, n);
		for (size_t i = 0; i < n; i++)
			g[j] += c[j * n + i] * y[i];
	}
	nnls_solve(m, n, 0, c, g, &s);
	out->converged = s.converged;
	out->flow = mem_new_array(m, sizeof *out->flow);
	for (size_t k = 0; k < s.n_active; k++) {
		size_t j = s.active[k];

		out->flow[j] = s.z[k] / length[j];
		for (size_t i = 0; i < n; i++)
			out->v[i] += out->flow[j] * (double)cone->ray[j * n + i];
	}
	for (size_t i = 0; i < n; i++) {
		out->direction[i] = s.fit[i] - y[i];
		out->d2 += out->direction[i] * out->direction[i];
	}
	cholesky_backward(n, factor, out->direction);
	nnls_free(&s);
	free(c);
	free(g);
	free(length);
	free(y);
}

void
projection_find(const struct cone *cone, const double *mean, const double *factor, bool rays, struct projection *out)
{
	*out = (struct projection){0};
	out->v = mem_new_array(cone->n_counters, sizeof *out->v);
	out->direction = mem_new_array(cone->n_counters, sizeof *out->direction);
	if (cone->complete && !rays && cone->n_inequalities / FACETS_PER_RAY_MAX <= cone->n_rays)
		by_facets(cone, mean, factor, out);
	else
		by_rays(cone, mean, factor, out);
}

void
projection_free(struct projection *p)
{
	free(p->v);
	free(p->direction);
	free(p->weight);
	free(p->flow);
}
