/* Both problems are non-negative least squares, with Σ = L Lᵀ.
 *
 *     facets b_j (dual)    v = Y + Σ a,  a = Σ_j λ_j b_j,  and λ minimises |Σ_j λ_j Lᵀb_j|² + 2 Σ_j λ_j b_j·Y:
 *                          least squares with c_j = Lᵀb_j and c_j·y = −b_j·Y. It needs neither an inverse nor an
 *                          eigenvector, and the distance is the norm of the fit, without cancellation.
 *     rays r_j (primal)    |L⁻¹Y − Σ_j f_j L⁻¹r_j|² is minimised over f ≥ 0. */
#include "core/verdict/projection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/stats/dot_product.h"
#include "core/stats/matrix.h"
#include "core/verdict/nnls.h"

#define FACETS_PER_RAY_MAX 8 /* with more facets per ray than this, the primal problem is smaller */

/* Scale c to length 1. Returns its length, or 1 for a vector of zeros. */
static double
normalise(double *c, size_t n)
{
	double s = dot(c, c, n);

	s = s > 0 ? sqrt(s) : 1;
	dot_scale(c, 1 / s, n);
	return s;
}

/* Column j of the dual problem: set c to ±Lᵀb scaled to length 1, and *g to c·y. Returns the unscaled length. */
static double
facet_column(size_t n, const int64_t *b, double sign, const double *mean, const double *slack, const double *factor,
	double *c, double *g)
{
	double length;

	*g = 0;
	for (size_t i = 0; i < n; i++) {
		double t = sign * (double)b[i];

		if (b[i] == 0)
			continue;
		*g -= t * mean[i] + (slack ? fabs(t) * slack[i] : 0);
		dot_subtract(c, -t, factor + i * n, i + 1);
	}
	length = normalise(c, n);
	*g /= length;
	return length;
}

/* An equality is one free column. With slack it becomes two inequalities, −h ≤ b·v ≤ h, with opposite columns; those
 * of the second come last. */
static void
by_facets(
	const struct cone *cone, const double *mean, const double *slack, const double *factor, struct projection *out)
{
	size_t n = cone->n_counters, e = cone->n_equalities, m = e + cone->n_inequalities, all = slack ? m + e : m;
	double *c = mem_new_array(all * n, sizeof *c), *g = mem_new_array(all, sizeof *g),
	       *length = mem_new_array(all, sizeof *length);
	struct nnls s;

	for (size_t j = 0; j < all; j++) {
		size_t row = j < m ? j : j - m;
		const int64_t *b = cone_row(cone, row);

		length[j] = facet_column(n, b, j < m ? 1 : -1, mean, slack, factor, c + j * n, &g[j]);
	}
	nnls_solve(all, n, slack ? 0 : e, c, g, &s);
	out->converged = s.converged;
	out->d2 = s.norm2;
	out->weight = mem_new_array(m, sizeof *out->weight);
	for (size_t k = 0; k < s.n_active; k++) {
		size_t j = s.active[k], row = j < m ? j : j - m;
		const int64_t *b = cone_row(cone, row);
		double w = (j < m ? 1 : -1) * s.z[k] / length[j];

		out->weight[row] += w;
		for (size_t i = 0; i < n; i++)
			out->direction[i] += w * (double)b[i];
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

/* Fill in the columns L⁻¹ r_j and, with slack, L⁻¹ (−e_i), each scaled to length 1. */
static double *
ray_columns(const struct cone *cone, bool slack, const double *factor, double *length)
{
	size_t n = cone->n_counters, m = cone->n_rays, all = slack ? m + n : m;
	double *c = mem_new_array(all * n, sizeof *c);

	for (size_t j = 0; j < all; j++) {
		if (j < m)
			for (size_t i = 0; i < n; i++)
				c[j * n + i] = (double)cone->ray[j * n + i];
		else
			c[j * n + j - m] = -1;
		matrix_forward(n, factor, c + j * n);
		length[j] = normalise(c + j * n, n);
	}
	return c;
}

/* A coordinate of the mean may move within [−slack, slack]. END_LOW: it starts from the low end, with a non-negative
 * multiplier and no upper limit. END_HIGH: it is held at the high end. */
enum end { END_LOW, END_HIGH };

/* Solve once, with each coordinate either open upwards or held. Returns the squared distance, with coordinates
 * beyond the high end cut back to it. *worst is a coordinate that should be held (it went beyond) or released; n if
 * there is none, and the solution is final. */
static double
pass_over_rays(const struct cone *cone, const double *mean, const double *slack, const double *c, const double *length,
	enum end *end, const double *factor, struct projection *out, size_t *worst)
{
	size_t n = cone->n_counters, m = cone->n_rays, all = slack ? m + n : m;
	double *y = mem_copy(mean, n * sizeof *mean), *fit = mem_new_array(n, sizeof *fit),
	       *g = mem_new_array(all, sizeof *g);
	double *used = mem_new_array(all * n, sizeof *used), most = 0, d2 = 0;
	struct nnls s;

	for (size_t i = 0; i < n && slack; i++)
		y[i] += end[i] == END_HIGH ? slack[i] : -slack[i];
	matrix_forward(n, factor, y);
	/* A held coordinate has a column of zeros, which is never chosen. */
	memcpy(used, c, all * n * sizeof *used);
	for (size_t j = 0; j < all; j++) {
		if (j >= m && end[j - m] == END_HIGH)
			memset(used + j * n, 0, n * sizeof *used);
		g[j] = dot(used + j * n, y, n);
	}
	nnls_solve(all, n, 0, used, g, &s);
	out->converged = s.converged;
	memset(out->flow, 0, m * sizeof *out->flow);
	memset(out->v, 0, n * sizeof *out->v);
	*worst = n;
	for (size_t k = 0; k < s.n_active; k++) {
		size_t j = s.active[k];
		double z = s.z[k] / length[j];

		if (j < m) {
			out->flow[j] = z;
			for (size_t i = 0; i < n; i++)
				out->v[i] += z * (double)cone->ray[j * n + i];
		} else if (z > 2 * slack[j - m]) {
			double over = (z - 2 * slack[j - m]) * length[j];

			if (over > most) {
				most = over;
				*worst = j - m;
			}
			z = 2 * slack[j - m];
		}
		for (size_t i = 0; i < n; i++)
			fit[i] += z * length[j] * c[j * n + i];
	}
	for (size_t i = 0; i < n; i++) {
		out->direction[i] = fit[i] - y[i];
		d2 += out->direction[i] * out->direction[i];
	}
	matrix_backward(n, factor, out->direction);
	/* A held coordinate comes closer if released: half the derivative of d² by the slack is −direction. */
	if (*worst == n)
		for (size_t i = 0; i < n && slack; i++) {
			double gain = -out->direction[i] / length[m + i];

			if (end[i] == END_HIGH && gain > most + 1e-9 * (1 + sqrt(d2))) {
				most = gain;
				*worst = i;
			}
		}
	nnls_free(&s);
	free(y);
	free(fit);
	free(g);
	free(used);
	return d2;
}

/* With slack, the possible means form a box: least squares with bounds on both sides, of which the solver knows one.
 * Coordinates that go beyond their far end are held there, and released again, one at a time. Every pass gives a
 * point of the cone and a mean within the slack, so the result is never below the true distance. A refutation needs
 * a certificate in any case. */
static void
projection_by_rays(
	const struct cone *cone, const double *mean, const double *slack, const double *factor, struct projection *out)
{
	size_t n = cone->n_counters, all = cone->n_rays + (slack ? n : 0), worst = n;
	double *length = mem_new_array(all, sizeof *length), *c = ray_columns(cone, slack != NULL, factor, length);
	enum end *end = mem_new_array(n, sizeof *end);

	out->flow = mem_new_array(cone->n_rays, sizeof *out->flow);
	for (size_t pass = 0; pass < 4 * n + 10; pass++) {
		out->d2 = pass_over_rays(cone, mean, slack, c, length, end, factor, out, &worst);
		if (worst == n)
			break;
		end[worst] = end[worst] == END_HIGH ? END_LOW : END_HIGH;
	}
	out->converged &= worst == n;
	free(length);
	free(c);
	free(end);
}

void
projection_find(const struct cone *cone, const double *mean, const double *slack, const double *factor, bool rays,
	struct projection *out)
{
	*out = (struct projection){0};
	out->v = mem_new_array(cone->n_counters, sizeof *out->v);
	out->direction = mem_new_array(cone->n_counters, sizeof *out->direction);
	if (cone->complete && !rays && cone->n_inequalities / FACETS_PER_RAY_MAX <= cone->n_rays)
		by_facets(cone, mean, slack, factor, out);
	else
		projection_by_rays(cone, mean, slack, factor, out);
}

void
projection_free(struct projection *p)
{
	free(p->v);
	free(p->direction);
	free(p->weight);
	free(p->flow);
}
