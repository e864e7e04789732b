/* Decides by the regions that hold for all models at once: the ellipsoid and the two boxes. */
#include "core/verdict/decide.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/stats/region.h"
#include "core/verdict/box.h"
#include "core/verdict/certificate.h"

const char DECIDE_AT_THRESHOLD[] = "the distance to the cone is the threshold, within a millionth";

/* The single constraint with the largest margin, if one refutes alone; else the separating direction. */
static int64_t *
certify(const struct decision *w, const struct projection *near, const struct certify_region *shape)
{
	size_t n;
	struct violation *v = decide_violations(w, REGION_ELLIPSOID, &n);
	int64_t *out = NULL;

	if (n > 0) {
		size_t row = v[0].equality ? v[0].row : w->cone->n_equalities + v[0].row;

		out = certificate_from_row(w->cone, shape, row, v[0].excess < 0 ? 1 : -1);
	}
	free(v);
	return out ? out : certificate_from(w->cone, shape, near->weight, near->direction);
}

struct decision_answer
decide_certified(const struct decision *w, const struct projection *near, const struct certify_region *shape)
{
	int64_t *certificate = certify(w, near, shape);

	if (!certificate)
		return (struct decision_answer){.verdict = VERDICT_BORDERLINE,
			.reason = "no certificate of the refutation passed the exact check"};
	return (struct decision_answer){.verdict = VERDICT_INFEASIBLE, .certificate = certificate};
}

char *
decide_doubt(const struct region *r, const struct noise_answer *a)
{
	const struct noise_form *f = &a->form;
	char time[NUMBER_TEXT], rows[NUMBER_TEXT];
	double block = region_block(r);
	struct str s = {0};

	if (a->why == NOISE_FEW_ROWS) {
		str_addf(&s, "independent rows would refute it, but fewer than %zu rows do not show whether they "
			     "depend on each other; take more, or state that they are independent",
			NOISE_FEWEST);
		return str_take(&s);
	}
	if (a->why == NOISE_AT_EDGE) {
		str_add(&s, "independent rows would refute it, but noise that is as slow as the whole record explains "
			    "them best, and then more rows of the same kind show no mean; take many short runs "
			    "instead");
		return str_take(&s);
	}
	str_addf(&s, "independent rows would refute it, but %zu rows cannot exclude noise ", r->rows);
	if (f->memory > 0 && f->share < 1)
		str_addf(&s, "of which %.0f %% has long memory (Hurst exponent %.2g)", 100 * f->share, f->memory);
	else if (f->memory > 0)
		str_addf(&s, "with long memory (Hurst exponent %.2g)", f->memory);
	else if (f->share < 1)
		str_addf(&s, "of which %.0f %% is forgotten only within %s rows", 100 * f->share,
			number_round(time, f->time * block));
	else
		str_addf(&s, "that is forgotten only within %s rows", number_round(time, f->time * block));
	str_add(&s, ", which would explain it");
	if (a->rows < INFINITY)
		str_addf(&s, "; about %s rows would decide", number_round(rows, a->rows * block));
	return str_take(&s);
}

struct noise_answer
decide_few_rows(double p)
{
	return (struct noise_answer){.p = 1, .p_independent = p, .why = NOISE_FEW_ROWS, .rows = (double)NOISE_FEWEST,
		.form = {.factor = 1}};
}

/* True if slow noise does not explain the ellipsoid's refutation. It is tested along the direction in which the cone
 * is nearest. */
static bool
ellipsoid_stands(struct decision *w)
{
	const struct region *r = w->region;
	struct noise_question q = {
		.direction = w->near.direction, .d2 = w->near.d2 * r->inflation, .dimensions = (double)r->n};

	if (!r->noise && !r->few)
		return true;
	if (isnan(w->slow[0].p)) {
		for (size_t i = 0; i < r->n; i++)
			q.extra += q.direction[i] * q.direction[i] * r->extra[i];
		w->slow[0] = r->few ? decide_few_rows(region_p(r, w->near.d2)) : noise_ask(r->noise, &r->fit, &q);
		if (w->slow[0].p > 1 - w->confidence)
			w->doubt[0] = decide_doubt(r, &w->slow[0]);
	}
	return !w->doubt[0];
}

struct decision_answer
decide_ellipsoid(struct decision *w)
{
	struct certify_region shape = {.shape = CERTIFY_ELLIPSOID, .region = w->region, .q = w->q, .times = 1};
	struct decision_answer out = {.verdict = VERDICT_BORDERLINE};

	if (!w->near.converged) {
		out.reason = "the distance to the cone was not found within the iteration limit";
		return out;
	}
	if (fabs(w->near.d2 / w->q - 1) <= DECIDE_MARGIN) {
		out.reason = DECIDE_AT_THRESHOLD;
		return out;
	}
	if (w->near.d2 < w->q || w->region->open) {
		out.verdict = w->near.d2 < w->q ? VERDICT_FEASIBLE : VERDICT_UNDECIDED;
		out.reason = w->near.d2 < w->q ? NULL : "fewer rows than counters bound no ellipsoid";
		out.inside = mem_copy(w->near.v, w->region->n * sizeof *out.inside);
		return out;
	}
	if (!ellipsoid_stands(w)) {
		out.verdict = VERDICT_UNDECIDED;
		out.reason = w->doubt[0];
		return out;
	}
	return decide_certified(w, &w->near, &shape);
}

static struct decision_answer
from_box(struct box_answer b)
{
	return (struct decision_answer){
		.verdict = b.verdict, .reason = b.reason, .certificate = b.certificate, .inside = b.inside};
}

/* The rotated box and the slack, a box along other axes, are enclosed in one box along the rotated axes. */
static void
rotated_half_widths(struct decision *w)
{
	const struct region *r = w->region;

	region_axes(r);
	for (size_t i = 0; i < r->n; i++) {
		w->half[i] = sqrt(r->eigenvalue[i] * w->q);
		for (size_t j = 0; j < r->n && r->slack; j++)
			w->half[i] += fabs(r->eigenvector[i * r->n + j]) * r->slack[j];
	}
}

/* The ellipsoid is inside the rotated box, and that box is inside the ellipsoid √n times as large. */
static struct decision_answer
rotated_box(struct decision *w)
{
	const struct region *r = w->region;
	struct certify_region shape = {.shape = CERTIFY_ELLIPSOID, .region = r, .q = w->q, .times = r->n};
	struct decision_answer out = {.verdict = VERDICT_INFEASIBLE};

	if (w->near.converged && w->near.d2 <= w->q) {
		out.verdict = VERDICT_FEASIBLE;
		out.inside = mem_copy(w->near.v, r->n * sizeof *out.inside);
		return out;
	}
	if (w->near.converged && w->near.d2 > (double)r->n * w->q * (1 + DECIDE_MARGIN)) {
		out.certificate = certificate_from(w->cone, &shape, w->near.weight, w->near.direction);
		if (out.certificate)
			return out;
	}
	rotated_half_widths(w);
	shape = (struct certify_region){.shape = CERTIFY_BOX, .region = r, .half = w->half, .axis = r->eigenvector};
	return from_box(box_decide(w->cone, &shape, &w->near));
}

/* The independent box contains the ellipsoid, too. If the ellipsoid's projection does not decide, its own metric
 * gives better candidates. */
static struct decision_answer
independent_box(struct decision *w)
{
	const struct region *r = w->region;
	struct certify_region shape = {.shape = CERTIFY_BOX, .region = r, .half = w->half};
	struct decision_answer out = {.verdict = VERDICT_FEASIBLE};
	struct projection near;
	double *factor;

	if (w->near.converged && w->near.d2 <= w->q) {
		out.inside = mem_copy(w->near.v, r->n * sizeof *out.inside);
		return out;
	}
	factor = mem_new_array(r->n * r->n, sizeof *factor);
	for (size_t i = 0; i < r->n; i++) {
		factor[i * r->n + i] = sqrt(r->cov[i * r->n + i]);
		w->half[i] = sqrt(r->cov[i * r->n + i] * w->q) + (r->slack ? r->slack[i] : 0);
	}
	projection_find(w->cone, r->mean, NULL, factor, false, &near);
	out = from_box(box_decide(w->cone, &shape, &near));
	projection_free(&near);
	free(factor);
	return out;
}

/* A box contains the ellipsoid. So if slow noise explains that the ellipsoid misses the cone, it also explains the
 * box. */
static struct decision_answer
in_doubt(struct decision *w, struct decision_answer a)
{
	if (a.verdict != VERDICT_INFEASIBLE || (!w->region->open && ellipsoid_stands(w)))
		return a;
	free(a.certificate);
	return (struct decision_answer){.verdict = VERDICT_UNDECIDED,
		.reason = w->region->open ? "fewer rows than counters bound no box" : w->doubt[0]};
}

struct decision_answer
decide_box(struct decision *w)
{
	return in_doubt(w, rotated_box(w));
}

struct decision_answer
decide_independent(struct decision *w)
{
	return in_doubt(w, independent_box(w));
}
