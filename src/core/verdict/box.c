/* Decides whether a box meets the cone.
 *
 * A direction a with a·v ≥ 0 on the cone separates the box by the factor −a·Y / Σ_i half_i |a·e_i|. Above 1 it
 * refutes. The largest factor is the one by which the box would have to grow to touch the cone. So every question is
 * about that factor; within 1e-6 of 1 the answer is borderline.
 *
 * Four methods are tried in this order, because the first ones nearly always decide:
 *
 *     1. every row of the cone
 *     2. the direction of the projection
 *     3. the nearest point of the projection
 *     4. a linear program in the box's own coordinates u ∈ [−1, 1]^n, with only those rows of the cone that
 *        the box crosses (docs/numerics.md); without facets it is that of CounterPoint's appendix A */
#include "core/verdict/box.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/stats/region.h"
#include "core/verdict/certificate.h"
#include "core/verdict/lp.h"
#include "core/verdict/projection.h"

#define BOX_MARGIN 1e-6

struct box_problem {
	const struct cone *cone;
	const struct certify_region *box;
	const double *mean;
	size_t n, m; /* counters; rows of the cone */
	double *row; /* n scratch values: a·e_i half_i */
};

/* Set w->row to half_i (a·e_i). Returns a·Y. */
static double
in_box(struct box_problem *w, const double *a)
{
	double at_mean = 0;

	for (size_t i = 0; i < w->n; i++)
		w->row[i] = w->box->axis ? 0 : a[i];
	for (size_t j = 0; j < w->n; j++) {
		if (a[j] == 0)
			continue;
		at_mean += a[j] * w->mean[j];
		for (size_t i = 0; i < w->n && w->box->axis; i++)
			w->row[i] += a[j] * w->box->axis[i * w->n + j];
	}
	for (size_t i = 0; i < w->n; i++)
		w->row[i] *= w->box->half[i];
	return at_mean;
}

static double
ratio(struct box_problem *w, const double *a, double sign)
{
	double at_mean = sign * in_box(w, a), reach = 0;

	for (size_t i = 0; i < w->n; i++)
		reach += fabs(w->row[i]);
	return reach > 0 ? -at_mean / reach : 0;
}

static void
row_as_double(const struct box_problem *w, size_t k, double *a)
{
	for (size_t j = 0; j < w->n; j++)
		a[j] = (double)cone_row(w->cone, k)[j];
}

/* Find the row (and its sign, for an equality) with the largest factor. */
static double
best_row(struct box_problem *w, size_t *row, int *sign, double *a)
{
	double best = -INFINITY;

	for (size_t k = 0; k < w->m; k++) {
		double r;

		row_as_double(w, k, a);
		r = ratio(w, a, 1);
		if (k < w->cone->n_equalities && r < 0 ? -r > best : r > best) {
			*row = k;
			*sign = k < w->cone->n_equalities && r < 0 ? -1 : 1;
			best = *sign * r;
		}
	}
	return best;
}

/* The factor by which the box must grow to contain v: an upper bound of the factor of all directions. */
static double
factor_of_point(const struct box_problem *w, const double *v)
{
	double most = 0;

	for (size_t i = 0; i < w->n; i++) {
		double t = w->box->axis ? 0 : v[i] - w->mean[i];

		for (size_t j = 0; j < w->n && w->box->axis; j++)
			t += w->box->axis[i * w->n + j] * (v[j] - w->mean[j]);
		most = fmax(most, fabs(t) / w->box->half[i]);
	}
	return most;
}

/* Infeasible, if the direction (as weights of rows, or itself) passes the exact check. */
static bool
refute(const struct box_problem *w, const double *weight, const double *direction, struct box_answer *out)
{
	out->certificate = certificate_from(w->cone, w->box, weight, direction);
	if (!out->certificate)
		return false;
	out->verdict = VERDICT_INFEASIBLE;
	return true;
}

static struct box_answer
borderline(const char *reason)
{
	return (struct box_answer){.verdict = VERDICT_BORDERLINE, .reason = reason};
}

static struct box_answer
box_conclude(struct box_problem *w, const double *weight, const double *direction)
{
	struct box_answer out = {.verdict = VERDICT_BORDERLINE};

	if (ratio(w, direction, 1) <= 1 + BOX_MARGIN)
		return borderline("the box touches the cone's boundary within a millionth of its width");
	if (refute(w, weight, direction, &out))
		return out;
	return borderline("no certificate of the refutation passed the exact check");
}

/* Find u with |u_i| ≤ 1 − 1e-6 and row·(Y + Σ u_i half_i e_i) ≥ 0 for the rows that the box crosses. */
static struct box_answer
by_facets(struct box_problem *w)
{
	size_t n = w->n, used = 0, *which = mem_new_array(w->m, sizeof *which);
	double *a = mem_new_array(w->m * n, sizeof *a), *lo = mem_new_array(w->m, sizeof *lo),
	       *hi = mem_new_array(w->m, sizeof *hi);
	double *size = mem_new_array(w->m, sizeof *size), *x = mem_new_array(n, sizeof *x),
	       *y = mem_new_array(w->m, sizeof *y);
	double *direction = mem_new_array(n, sizeof *direction), *weight = mem_new_array(w->m, sizeof *weight);
	struct box_answer out;
	struct lp problem;
	enum lp_answer answer;

	for (size_t k = 0; k < w->m; k++) {
		double at_mean, reach = 0;

		row_as_double(w, k, x);
		at_mean = in_box(w, x);
		for (size_t i = 0; i < n; i++)
			reach += fabs(w->row[i]);
		if (!(reach > 0) || (k >= w->cone->n_equalities && at_mean >= reach))
			continue;
		for (size_t i = 0; i < n; i++)
			a[used * n + i] = w->row[i] / reach;
		lo[used] = -at_mean / reach;
		hi[used] = k < w->cone->n_equalities ? lo[used] : INFINITY;
		size[used] = reach;
		which[used++] = k;
	}
	problem = (struct lp){.n_rows = used, .n_cols = n, .a = a, .row_lo = lo, .row_hi = hi,
		.col_lo = BOX_MARGIN - 1, .col_hi = 1 - BOX_MARGIN};
	answer = lp_solve(&problem, x, y);
	if (answer == LP_INFEASIBLE) {
		for (size_t r = 0; r < used; r++) {
			weight[which[r]] = y[r] / size[r];
			for (size_t j = 0; j < n; j++)
				direction[j] += weight[which[r]] * (double)cone_row(w->cone, which[r])[j];
		}
		out = box_conclude(w, weight, direction);
	} else if (answer == LP_FEASIBLE) {
		out = (struct box_answer){
			.verdict = VERDICT_FEASIBLE, .inside = mem_copy(w->mean, n * sizeof *w->mean)};
		for (size_t j = 0; j < n; j++)
			for (size_t i = 0; i < n; i++)
				if (w->box->axis || i == j)
					out.inside[j] +=
						x[i] * w->box->half[i] * (w->box->axis ? w->box->axis[i * n + j] : 1);
	} else {
		out = borderline("the linear program gave no answer that passed a check");
	}
	free(which);
	free(a);
	free(lo);
	free(hi);
	free(size);
	free(x);
	free(y);
	free(direction);
	free(weight);
	return out;
}

/* Find f ≥ 0 with |e_i·(Σ f_j ray_j − Y)| ≤ (1 − 1e-6) half_i. */
static struct box_answer
box_by_rays(struct box_problem *w)
{
	size_t n = w->n, m = w->cone->n_rays;
	double *a = mem_new_array(n * m, sizeof *a), *lo = mem_new_array(n, sizeof *lo),
	       *hi = mem_new_array(n, sizeof *hi);
	double *x = mem_new_array(m, sizeof *x), *y = mem_new_array(n, sizeof *y),
	       *size = mem_new_array(m, sizeof *size);
	double *direction = mem_new_array(n, sizeof *direction);
	struct box_answer out;
	struct lp problem;
	enum lp_answer answer;

	for (size_t i = 0; i < n; i++) {
		double centre = 0;

		for (size_t j = 0; j < n; j++) {
			double e = (w->box->axis ? w->box->axis[i * n + j] : i == j) / w->box->half[i];

			centre += e * w->mean[j];
			for (size_t k = 0; k < m && e != 0; k++)
				a[i * m + k] += e * (double)w->cone->ray[k * n + j];
		}
		lo[i] = centre - (1 - BOX_MARGIN);
		hi[i] = centre + (1 - BOX_MARGIN);
		for (size_t k = 0; k < m; k++)
			size[k] = fmax(size[k], fabs(a[i * m + k]));
	}
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < m; k++)
			a[i * m + k] /= size[k];
	problem = (struct lp){
		.n_rows = n, .n_cols = m, .a = a, .row_lo = lo, .row_hi = hi, .col_lo = 0, .col_hi = INFINITY};
	answer = lp_solve(&problem, x, y);
	if (answer == LP_INFEASIBLE) {
		/* y·(rows) is at most 0 on the cone, so −y·(rows) is the direction */
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				direction[j] -=
					y[i] * (w->box->axis ? w->box->axis[i * n + j] : i == j) / w->box->half[i];
		out = box_conclude(w, NULL, direction);
	} else if (answer == LP_FEASIBLE) {
		out = (struct box_answer){.verdict = VERDICT_FEASIBLE, .inside = mem_new_array(n, sizeof *out.inside)};
		for (size_t k = 0; k < m; k++)
			for (size_t j = 0; j < n; j++)
				out.inside[j] += x[k] / size[k] * (double)w->cone->ray[k * n + j];
	} else {
		out = borderline("the linear program gave no answer that passed a check");
	}
	free(a);
	free(lo);
	free(hi);
	free(x);
	free(y);
	free(size);
	free(direction);
	return out;
}

/* True if a row or the projection decides. */
static bool
decide_early(struct box_problem *w, const struct projection *near, struct box_answer *out)
{
	double *a = mem_new_array(w->n, sizeof *a);
	size_t row = 0;
	int sign = 1;
	bool done = false;

	if (best_row(w, &row, &sign, a) > 1 + BOX_MARGIN) {
		out->certificate = certificate_from_row(w->cone, w->box, row, sign);
		out->verdict = VERDICT_INFEASIBLE;
		done = out->certificate != NULL;
	}
	if (!done && near->converged && ratio(w, near->direction, 1) > 1 + BOX_MARGIN)
		done = refute(w, near->weight, near->direction, out);
	/* With slack, the projection's nearest point belongs to a wider cone. */
	if (!done && near->converged && !w->box->region->slack && factor_of_point(w, near->v) <= 1 - BOX_MARGIN) {
		*out = (struct box_answer){
			.verdict = VERDICT_FEASIBLE, .inside = mem_copy(near->v, w->n * sizeof *near->v)};
		done = true;
	}
	free(a);
	return done;
}

struct box_answer
box_decide(const struct cone *c, const struct certify_region *box, const struct projection *near)
{
	struct box_problem w = {.cone = c, .box = box, .mean = box->region->mean, .n = c->n_counters};
	struct box_answer out = {.verdict = VERDICT_BORDERLINE};

	w.m = c->n_equalities + c->n_inequalities;
	w.row = mem_new_array(w.n, sizeof *w.row);
	if (!decide_early(&w, near, &out))
		out = c->complete ? by_facets(&w) : box_by_rays(&w);
	free(w.row);
	return out;
}
