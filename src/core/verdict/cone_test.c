/* The test of the cone itself (verdict.h): counts the constraints that meet at the nearest point, and compares the
 * distance with the quantile for so many dimensions. */
#include "core/verdict/decide.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/stats/region.h"
#include "core/stats/tails.h"
#include "core/verdict/certify.h"

/* The projection that the cone test uses: in the covariance of the mean, or of its proportions. */
static const struct projection *
cone_test_nearest(const struct decision *w)
{
	return w->scaled.v ? &w->scaled : &w->near;
}

/* The variance of row·mean. *least is the part of it that noise does not cause. */
static double
variance_along(const struct region *r, const int64_t *b, double *least)
{
	double variance = 0;

	*least = 0;
	for (size_t i = 0; i < r->n; i++) {
		double by = (double)b[i], others = 0;

		if (b[i] == 0)
			continue;
		*least += by * by * r->extra[i] * r->inflation;
		for (size_t j = 0; j < i; j++)
			if (b[j])
				others += (double)b[j] * r->cov[i * r->n + j];
		variance += by * (2 * others + by * r->cov[i * r->n + i]);
	}
	return variance;
}

/* Without facets, the number of meeting constraints: counters that count minus rays with flow at the nearest point. */
static size_t
count_free(const struct decision *w)
{
	const struct region *r = w->region;
	size_t lived = 0, flows = 0;

	for (size_t i = 0; i < r->n; i++)
		lived += r->sum[i] != 0;
	for (size_t k = 0; k < w->cone->n_rays; k++)
		flows += cone_test_nearest(w)->flow[k] > 0;
	return lived > flows ? lived - flows : 0;
}

/* Number of constraints that meet at the nearest point. A constraint is left out if the mean keeps it exactly and noise
 * does not change it, because it says nothing. noisy[k], false before the call, becomes true for rows that noise
 * changes. */
static size_t
count_meeting(const struct decision *w, bool *noisy)
{
	const struct region *r = w->region;
	const double *weight = cone_test_nearest(w)->weight;
	size_t e = w->cone->n_equalities, m = e + w->cone->n_inequalities, met = 0;

	if (!weight)
		return count_free(w);
	for (size_t k = 0; k < m; k++) {
		const int64_t *b = cone_row(w->cone, k);
		double size, least;

		if (!(weight[k] < 0 || weight[k] > 0) && (k >= e || r->slack))
			continue;
		noisy[k] = variance_along(r, b, &least) >= 4 * least;
		met += noisy[k] || fabs(decide_row_at_mean(r, b, &size)) > 1e-12 * size;
	}
	return met;
}

/* Changes a so that it measures how counters depart from the proportions of the mean: a − e_load (a·mean)/mean_load. */
static void
take_scale_out(const struct region *r, double *a)
{
	double at = 0;

	for (size_t i = 0; i < r->n; i++)
		at += a[i] * r->mean[i];
	a[r->load] -= at / r->mean[r->load];
}

/* True if slow noise does not explain the cone test's refutation. It is tested along the direction of the
 * refutation. The extra variance along the mean of a bursty region does not come from the rows. */
static bool
cone_stands(struct decision *w)
{
	const struct region *r = w->region;
	double *a, at = 0;
	struct noise_answer in;
	struct noise_question q = {.d2 = w->test.distance2, .dimensions = (double)w->test.dimensions};

	if (r->few) {
		w->slow[1] = decide_few_rows(w->test.p);
		w->test.p = 1;
		w->doubt[1] = decide_doubt(r, &w->slow[1]);
		return false;
	}
	if (!r->noise)
		return true;
	q.direction = a = mem_copy(cone_test_nearest(w)->direction, r->n * sizeof *a);
	for (size_t i = 0; i < r->n; i++) {
		q.extra += a[i] * a[i] * r->extra[i];
		at += a[i] * r->mean[i];
	}
	if (r->bursty) {
		q.extra += at * at / (REGION_KNOWN_SCALE * REGION_KNOWN_SCALE);
		take_scale_out(r, a);
	}
	w->slow[1] = noise_ask(r->noise, &r->fit, &q);
	if (r->proportions) {
		const struct noise_fit none = noise_no_fit();
		double even = noise_variance(r->proportions, a);

		/* These rows have equal weight, but the mean is weighted by load: its independent part averages over
		 * fewer rows. */
		q.extra += even * ((r->freedom + 1) / (r->load_freedom + 1) - 1);
		q.d2 = at * at / (even + q.extra);
		in = noise_ask(r->proportions, &none, &q);
		if (in.p > w->slow[1].p)
			w->slow[1] = in;
	}
	w->test.p = fmax(w->test.p, w->slow[1].p);
	if (w->test.p > 1 - w->confidence)
		w->doubt[1] = decide_doubt(r, &w->slow[1]);
	free(a);
	return !w->doubt[1];
}

static struct decision_answer
refute_by_cone(struct decision *w)
{
	const struct region *r = w->region;
	struct certify_region shape = {.shape = CERTIFY_ELLIPSOID, .region = r, .cov = w->cov, .times = 1};
	struct decision_answer out = {.verdict = VERDICT_UNDECIDED};

	if (!cone_stands(w)) {
		out.reason = w->doubt[1];
		return out;
	}
	/* The covariance decided which constraints meet. With fewer rows than counters it is unknown in most
	 * directions, and rows that depend on each other are worth fewer still. */
	if (r->open && r->fit.of_rest.factor > 1) {
		out.reason = "there are fewer rows than counters, and they resemble their neighbours";
		return out;
	}
	shape.q = w->reach2 = w->test.threshold2 / r->inflation;
	return decide_certified(w, cone_test_nearest(w), &shape);
}

/* Sets the distance and its threshold. The dimensions are the number of meeting constraints. If the observation is
 * tested repeatedly, one threshold must hold for all tests, and the dimensions are all counters. */
static void
take_test(struct decision *w, size_t meeting)
{
	const struct region *r = w->region;
	struct cone_test *t = &w->test;

	*t = (struct cone_test){.dimensions = r->peeked ? r->n : meeting,
		.distance2 = cone_test_nearest(w)->d2 * r->inflation,
		.freedom = w->scaled.v ? r->load_freedom : r->freedom,
		.p = 1};
	if (r->peeked) {
		t->threshold2 = w->q * r->inflation;
		t->p = region_p(r, cone_test_nearest(w)->d2);
	} else if (t->dimensions) {
		t->threshold2 = hotelling_quantile(w->confidence, (double)t->dimensions, t->freedom);
		t->p = hotelling_tail(t->distance2, (double)t->dimensions, t->freedom);
	}
}

static struct decision_answer
by_test(struct decision *w)
{
	const struct cone_test *t = &w->test;
	double alpha = 1 - w->confidence;
	size_t d = t->dimensions;

	if ((double)d > t->freedom && t->distance2 > chi2_quantile(w->confidence, d))
		return (struct decision_answer){.verdict = VERDICT_UNDECIDED,
			.reason = t->freedom < w->region->freedom
				? "nearly all that was counted is in so few of the rows that they cannot decide"
				: "more constraints meet at the nearest point of the cone than the rows can resolve"};
	if (fabs(t->p / alpha - 1) <= DECIDE_MARGIN)
		return (struct decision_answer){.verdict = VERDICT_BORDERLINE, .reason = DECIDE_AT_THRESHOLD};
	if (t->p < alpha)
		return refute_by_cone(w);
	return (struct decision_answer){.verdict = VERDICT_FEASIBLE,
		.inside = mem_copy(cone_test_nearest(w)->v, w->region->n * sizeof(double))};
}

/* The ellipsoid's result as that of the cone. */
static struct decision_answer
as_ellipsoid(const struct decision *w)
{
	struct decision_answer out = w->answer[REGION_ELLIPSOID];
	size_t n = w->region->n;

	out.certificate = out.certificate ? mem_copy(out.certificate, n * sizeof *out.certificate) : NULL;
	out.inside = out.inside ? mem_copy(out.inside, n * sizeof *out.inside) : NULL;
	return out;
}

/* Decide by the face that the nearest point lies on. A model that the ellipsoid refutes is refuted. Two cases have no
 * test on a face: stated errors have no covariance, and data that are tested repeatedly while they grow have one
 * threshold for all tests, in all dimensions. The latter use the proportions' threshold if the load is bursty, else the
 * ellipsoid's. */
struct decision_answer
decide_cone(struct decision *w)
{
	const struct region *r = w->region;
	bool refuted = w->answer[REGION_ELLIPSOID].verdict == VERDICT_INFEASIBLE;
	struct decision_answer out;
	bool *noisy;

	if (r->stated || !w->near.converged || (r->peeked && !r->bursty))
		return as_ellipsoid(w);
	if (r->bursty && !refuted) {
		projection_find(w->cone, r->mean, r->slack, r->shape_factor, false, &w->scaled);
		if (!w->scaled.converged)
			return as_ellipsoid(w);
		w->cov = r->shape;
	}
	noisy = mem_new_array(w->cone->n_equalities + w->cone->n_inequalities, sizeof *noisy);
	take_test(w, cone_test_nearest(w)->d2 > 0 ? count_meeting(w, noisy) : 0);
	out = refuted ? as_ellipsoid(w) : by_test(w);
	free(noisy);
	return out;
}
