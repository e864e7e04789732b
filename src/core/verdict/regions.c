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
certify(const struct decision *decision, const struct projection *near, const struct certify_region *shape)
{
	size_t n;
	struct violation *violation = decide_violations(decision, REGION_ELLIPSOID, &n);
	int64_t *out = NULL;

	if (n > 0) {
		size_t row = violation[0].equality ? violation[0].row : decision->cone->n_equalities + violation[0].row;

		out = certificate_from_row(decision->cone, shape, row, violation[0].excess < 0 ? 1 : -1);
	}
	free(violation);
	return out ? out : certificate_from(decision->cone, shape, near->weight, near->direction);
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
decide_doubt(const struct region *region, const struct noise_answer *answer)
{
	const struct noise_form *form = &answer->form;
	char time[NUMBER_TEXT], rows[NUMBER_TEXT];
	double block = region_block(region);
	struct str s = {0};

	if (answer->why == NOISE_FEW_ROWS) {
		str_addf(&s, "independent rows would refute it, but fewer than %zu rows do not show whether they "
			     "depend on each other; take more, or state that they are independent",
			NOISE_FEWEST);
		return str_take(&s);
	}
	if (answer->why == NOISE_AT_EDGE) {
		str_add(&s, "independent rows would refute it, but noise that is as slow as the whole record explains "
			    "them best, and then more rows of the same kind show no mean; take many short runs "
			    "instead");
		return str_take(&s);
	}
	str_addf(&s, "independent rows would refute it, but %zu rows cannot exclude noise ", region->rows);
	if (form->memory > 0 && form->share < 1)
		str_addf(&s, "of which %.0f %% has long memory (Hurst exponent %.2g)", 100 * form->share, form->memory);
	else if (form->memory > 0)
		str_addf(&s, "with long memory (Hurst exponent %.2g)", form->memory);
	else if (form->share < 1)
		str_addf(&s, "of which %.0f %% is forgotten only within %s rows", 100 * form->share,
			number_round(time, form->time * block));
	else
		str_addf(&s, "that is forgotten only within %s rows", number_round(time, form->time * block));
	str_add(&s, ", which would explain it");
	if (answer->rows < INFINITY)
		str_addf(&s, "; about %s rows would decide", number_round(rows, answer->rows * block));
	return str_take(&s);
}

struct noise_answer
decide_few_rows(double p)
{
	return (struct noise_answer){.p = 1, .p_independent = p, .why = NOISE_FEW_ROWS, .rows = (double)NOISE_FEWEST,
		.form = {.factor = 1}};
}

/* Returns true if slow noise does not explain the ellipsoid's refutation. It is tested along the direction in which the
 * cone is nearest. */
static bool
ellipsoid_stands(struct decision *decision)
{
	const struct region *region = decision->region;
	struct noise_question q = {.direction = decision->near.direction,
		.d2 = decision->near.d2 * region->inflation,
		.dimensions = (double)region->n};

	if (!region->noise && !region->few)
		return true;
	if (isnan(decision->slow[0].p)) {
		for (size_t i = 0; i < region->n; i++)
			q.extra += q.direction[i] * q.direction[i] * region->extra[i];
		decision->slow[0] = region->few ? decide_few_rows(region_p(region, decision->near.d2))
						: noise_ask(region->noise, &region->fit, &q);
		if (decision->slow[0].p > 1 - decision->confidence)
			decision->doubt[0] = decide_doubt(region, &decision->slow[0]);
	}
	return !decision->doubt[0];
}

struct decision_answer
decide_ellipsoid(struct decision *decision)
{
	struct certify_region shape = {
		.shape = CERTIFY_ELLIPSOID, .region = decision->region, .q = decision->q, .times = 1};
	struct decision_answer out = {.verdict = VERDICT_BORDERLINE};

	if (!decision->near.converged) {
		out.reason = "the distance to the cone was not found within the iteration limit";
		return out;
	}
	if (fabs(decision->near.d2 / decision->q - 1) <= DECIDE_MARGIN) {
		out.reason = DECIDE_AT_THRESHOLD;
		return out;
	}
	if (decision->near.d2 < decision->q || decision->region->open) {
		out.verdict = decision->near.d2 < decision->q ? VERDICT_FEASIBLE : VERDICT_UNDECIDED;
		out.reason = decision->near.d2 < decision->q ? NULL : "fewer rows than counters bound no ellipsoid";
		out.inside = mem_copy(decision->near.v, decision->region->n * sizeof *out.inside);
		return out;
	}
	if (!ellipsoid_stands(decision)) {
		out.verdict = VERDICT_UNDECIDED;
		out.reason = decision->doubt[0];
		return out;
	}
	return decide_certified(decision, &decision->near, &shape);
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
rotated_box(struct decision *decision)
{
	const struct region *region = decision->region;
	struct certify_region shape = {
		.shape = CERTIFY_ELLIPSOID, .region = region, .q = decision->q, .times = region->n};
	struct decision_answer out = {.verdict = VERDICT_INFEASIBLE};

	if (decision->near.converged && decision->near.d2 <= decision->q) {
		out.verdict = VERDICT_FEASIBLE;
		out.inside = mem_copy(decision->near.v, region->n * sizeof *out.inside);
		return out;
	}
	if (decision->near.converged && decision->near.d2 > (double)region->n * decision->q * (1 + DECIDE_MARGIN)) {
		out.certificate = certificate_from(
			decision->cone, &shape, decision->near.weight, decision->near.direction);
		if (out.certificate)
			return out;
	}
	rotated_half_widths(decision);
	shape = (struct certify_region){
		.shape = CERTIFY_BOX, .region = region, .half = decision->half, .axis = region->eigenvector};
	return from_box(box_decide(decision->cone, &shape, &decision->near));
}

/* The independent box contains the ellipsoid, too. If the ellipsoid's projection does not decide, its own metric
 * gives better candidates. */
static struct decision_answer
independent_box(struct decision *decision)
{
	const struct region *region = decision->region;
	struct certify_region shape = {.shape = CERTIFY_BOX, .region = region, .half = decision->half};
	struct decision_answer out = {.verdict = VERDICT_FEASIBLE};
	struct projection near;
	double *factor;

	if (decision->near.converged && decision->near.d2 <= decision->q) {
		out.inside = mem_copy(decision->near.v, region->n * sizeof *out.inside);
		return out;
	}
	factor = mem_new_array(region->n * region->n, sizeof *factor);
	for (size_t i = 0; i < region->n; i++) {
		factor[i * region->n + i] = sqrt(region->spread.variance[i]);
		decision->half[i] = sqrt(region->spread.variance[i] * decision->q) +
			(region->slack ? region->slack[i] : 0);
	}
	projection_find(decision->cone, region->mean, NULL, factor, false, &near);
	out = from_box(box_decide(decision->cone, &shape, &near));
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
