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
in_box(struct box_problem *problem, const double *a)
{
	double at_mean = 0;

	for (size_t i = 0; i < problem->n; i++)
		problem->row[i] = problem->box->axis ? 0 : a[i];
	for (size_t j = 0; j < problem->n; j++) {
		if (a[j] == 0)
			continue;
		at_mean += a[j] * problem->mean[j];
		for (size_t i = 0; i < problem->n && problem->box->axis; i++)
			problem->row[i] += a[j] * problem->box->axis[i * problem->n + j];
	}
	for (size_t i = 0; i < problem->n; i++)
		problem->row[i] *= problem->box->half[i];
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
best_row(struct box_problem *problem, size_t *row, int *sign, double *a)
{
	double best = -INFINITY;

	for (size_t k = 0; k < problem->m; k++) {
		double r;

		row_as_double(problem, k, a);
		r = ratio(problem, a, 1);
		if (k < problem->cone->n_equalities && r < 0 ? -r > best : r > best) {
			*row = k;
			*sign = k < problem->cone->n_equalities && r < 0 ? -1 : 1;
			best = *sign * r;
		}
	}
	return best;
}

/* The factor by which the box must grow to contain v: an upper bound of the factor of all directions. */
static double
factor_of_point(const struct box_problem *problem, const double *v)
{
	double most = 0;

	for (size_t i = 0; i < problem->n; i++) {
		double t = problem->box->axis ? 0 : v[i] - problem->mean[i];

		for (size_t j = 0; j < problem->n && problem->box->axis; j++)
			t += problem->box->axis[i * problem->n + j] * (v[j] - problem->mean[j]);
		most = fmax(most, fabs(t) / problem->box->half[i]);
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
by_facets(struct box_problem *box_problem)
{
	size_t n = box_problem->n, used = 0, *which = mem_new_array(box_problem->m, sizeof *which);
	double *a = mem_new_array(box_problem->m * n, sizeof *a), *lo = mem_new_array(box_problem->m, sizeof *lo),
	       *hi = mem_new_array(box_problem->m, sizeof *hi);
	double *size = mem_new_array(box_problem->m, sizeof *size), *x = mem_new_array(n, sizeof *x),
	       *y = mem_new_array(box_problem->m, sizeof *y);
	double *direction = mem_new_array(n, sizeof *direction),
	       *weight = mem_new_array(box_problem->m, sizeof *weight);
	struct box_answer out;
	struct lp problem;
	enum lp_answer answer;

	for (size_t k = 0; k < box_problem->m; k++) {
		double at_mean, reach = 0;

		row_as_double(box_problem, k, x);
		at_mean = in_box(box_problem, x);
		for (size_t i = 0; i < n; i++)
			reach += fabs(box_problem->row[i]);
		if (!(reach > 0) || (k >= box_problem->cone->n_equalities && at_mean >= reach))
			continue;
		for (size_t i = 0; i < n; i++)
			a[used * n + i] = box_problem->row[i] / reach;
		lo[used] = -at_mean / reach;
		hi[used] = k < box_problem->cone->n_equalities ? lo[used] : INFINITY;
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
				direction[j] += weight[which[r]] * (double)cone_row(box_problem->cone, which[r])[j];
		}
		out = box_conclude(box_problem, weight, direction);
	} else if (answer == LP_FEASIBLE) {
		out = (struct box_answer){.verdict = VERDICT_FEASIBLE,
			.inside = mem_copy(box_problem->mean, n * sizeof *box_problem->mean)};
		for (size_t j = 0; j < n; j++)
			for (size_t i = 0; i < n; i++)
				if (box_problem->box->axis || i == j)
					out.inside[j] += x[i] * box_problem->box->half[i] *
						(box_problem->box->axis ? box_problem->box->axis[i * n + j] : 1);
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
box_by_rays(struct box_problem *box_problem)
{
	size_t n = box_problem->n, m = box_problem->cone->n_rays;
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
			double e = (box_problem->box->axis ? box_problem->box->axis[i * n + j] : i == j) /
				box_problem->box->half[i];

			centre += e * box_problem->mean[j];
			for (size_t k = 0; k < m && e != 0; k++)
				a[i * m + k] += e * (double)box_problem->cone->ray[k * n + j];
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
				direction[j] -= y[i] *
					(box_problem->box->axis ? box_problem->box->axis[i * n + j] : i == j) /
					box_problem->box->half[i];
		out = box_conclude(box_problem, NULL, direction);
	} else if (answer == LP_FEASIBLE) {
		out = (struct box_answer){.verdict = VERDICT_FEASIBLE, .inside = mem_new_array(n, sizeof *out.inside)};
		for (size_t k = 0; k < m; k++)
			for (size_t j = 0; j < n; j++)
				out.inside[j] += x[k] / size[k] * (double)box_problem->cone->ray[k * n + j];
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

/* Returns true if a row or the projection decides. */
static bool
decide_early(struct box_problem *problem, const struct projection *near, struct box_answer *out)
{
	double *a = mem_new_array(problem->n, sizeof *a);
	size_t row = 0;
	int sign = 1;
	bool done = false;

	if (best_row(problem, &row, &sign, a) > 1 + BOX_MARGIN) {
		out->certificate = certificate_from_row(problem->cone, problem->box, row, sign);
		out->verdict = VERDICT_INFEASIBLE;
		done = out->certificate != NULL;
	}
	if (!done && near->converged && ratio(problem, near->direction, 1) > 1 + BOX_MARGIN)
		done = refute(problem, near->weight, near->direction, out);
	/* With slack, the projection's nearest point belongs to a wider cone. */
	if (!done && near->converged && !problem->box->region->slack &&
		factor_of_point(problem, near->v) <= 1 - BOX_MARGIN) {
		*out = (struct box_answer){
			.verdict = VERDICT_FEASIBLE, .inside = mem_copy(near->v, problem->n * sizeof *near->v)};
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
