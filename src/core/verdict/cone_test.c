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
variance_along(const struct region *region, const int64_t *b, double *least)
{
	double variance = 0;

	*least = 0;
	for (size_t i = 0; i < region->n; i++) {
		double by = (double)b[i], others = 0;

		if (b[i] == 0)
			continue;
		*least += by * by * region->extra[i] * region->inflation;
		for (size_t j = 0; j < i; j++)
			if (b[j])
				others += (double)b[j] * spread_at(&region->spread, region->n, i, j);
		variance += by * (2 * others + by * region->spread.variance[i]);
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
count_meeting(const struct decision *decision, bool *noisy)
{
	const struct region *region = decision->region;
	const double *weight = cone_test_nearest(decision)->weight;
	size_t e = decision->cone->n_equalities, m = e + decision->cone->n_inequalities, met = 0;

	if (!weight)
		return count_free(decision);
	for (size_t k = 0; k < m; k++) {
		const int64_t *b = cone_row(decision->cone, k);
		double size, least;

		if (!(weight[k] < 0 || weight[k] > 0) && (k >= e || region->slack))
			continue;
		noisy[k] = variance_along(region, b, &least) >= 4 * least;
		met += noisy[k] || fabs(decide_row_at_mean(region, b, &size)) > 1e-12 * size;
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

/* Returns true if slow noise does not explain the cone test's refutation. It is tested along the direction of the
 * refutation. The extra variance along the mean of a bursty region does not come from the rows. */
static bool
cone_stands(struct decision *decision)
{
	const struct region *region = decision->region;
	double *a, at = 0;
	struct noise_answer in;
	struct noise_question q = {.d2 = decision->test.distance2, .dimensions = (double)decision->test.dimensions};

	if (region->few) {
		decision->slow[1] = decide_few_rows(decision->test.p);
		decision->test.p = 1;
		decision->doubt[1] = decide_doubt(region, &decision->slow[1]);
		return false;
	}
	if (!region->noise)
		return true;
	q.direction = a = mem_copy(cone_test_nearest(decision)->direction, region->n * sizeof *a);
	for (size_t i = 0; i < region->n; i++) {
		q.extra += a[i] * a[i] * region->extra[i];
		at += a[i] * region->mean[i];
	}
	if (region->bursty) {
		q.extra += at * at / (REGION_KNOWN_SCALE * REGION_KNOWN_SCALE);
		take_scale_out(region, a);
	}
	decision->slow[1] = noise_ask(region->noise, &region->fit, &q);
	if (region->proportions) {
		const struct noise_fit none = noise_no_fit();
		double even = noise_variance(region->proportions, a);

		/* These rows have equal weight, but the mean is weighted by load: its independent part averages over
		 * fewer rows. */
		q.extra += even * ((region->freedom + 1) / (region->load_freedom + 1) - 1);
		q.d2 = at * at / (even + q.extra);
		in = noise_ask(region->proportions, &none, &q);
		if (in.p > decision->slow[1].p)
			decision->slow[1] = in;
	}
	decision->test.p = fmax(decision->test.p, decision->slow[1].p);
	if (decision->test.p > 1 - decision->confidence)
		decision->doubt[1] = decide_doubt(region, &decision->slow[1]);
	free(a);
	return !decision->doubt[1];
}

static struct decision_answer
refute_by_cone(struct decision *decision)
{
	const struct region *region = decision->region;
	struct certify_region shape = {
		.shape = CERTIFY_ELLIPSOID, .region = region, .spread = decision->spread, .times = 1};
	struct decision_answer out = {.verdict = VERDICT_UNDECIDED};

	if (!cone_stands(decision)) {
		out.reason = decision->doubt[1];
		return out;
	}
	/* The covariance decided which constraints meet. With fewer rows than counters it is unknown in most
	 * directions, and rows that depend on each other are worth fewer still. */
	if (region->open && region->fit.of_rest.factor > 1) {
		out.reason = "there are fewer rows than counters, and they resemble their neighbours";
		return out;
	}
	shape.q = decision->reach2 = decision->test.threshold2 / region->inflation;
	return decide_certified(decision, cone_test_nearest(decision), &shape);
}

/* Sets the distance and its threshold. The dimensions are the number of meeting constraints. If the observation is
 * tested repeatedly, one threshold must hold for all tests, and the dimensions are all counters. */
static void
take_test(struct decision *decision, size_t meeting)
{
	const struct region *region = decision->region;
	struct cone_test *test = &decision->test;

	*test = (struct cone_test){.dimensions = region->peeked ? region->n : meeting,
		.distance2 = cone_test_nearest(decision)->d2 * region->inflation,
		.freedom = decision->scaled.v ? region->load_freedom : region->freedom,
		.p = 1};
	if (region->peeked) {
		test->threshold2 = decision->q * region->inflation;
		test->p = region_p(region, cone_test_nearest(decision)->d2);
	} else if (test->dimensions) {
		test->threshold2 = hotelling_quantile(decision->confidence, (double)test->dimensions, test->freedom);
		test->p = hotelling_tail(test->distance2, (double)test->dimensions, test->freedom);
	}
}

static struct decision_answer
by_test(struct decision *decision)
{
	const struct cone_test *test = &decision->test;
	double alpha = 1 - decision->confidence;
	size_t d = test->dimensions;

	if ((double)d > test->freedom && test->distance2 > chi2_quantile(decision->confidence, d))
		return (struct decision_answer){.verdict = VERDICT_UNDECIDED,
			.reason = test->freedom < decision->region->freedom
				? "nearly all that was counted is in so few of the rows that they cannot decide"
				: "more constraints meet at the nearest point of the cone than the rows can resolve"};
	if (fabs(test->p / alpha - 1) <= DECIDE_MARGIN)
		return (struct decision_answer){.verdict = VERDICT_BORDERLINE, .reason = DECIDE_AT_THRESHOLD};
	if (test->p < alpha)
		return refute_by_cone(decision);
	return (struct decision_answer){.verdict = VERDICT_FEASIBLE,
		.inside = mem_copy(cone_test_nearest(decision)->v, decision->region->n * sizeof(double))};
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
decide_cone(struct decision *decision)
{
	const struct region *region = decision->region;
	bool refuted = decision->answer[REGION_ELLIPSOID].verdict == VERDICT_INFEASIBLE;
	struct decision_answer out;
	bool *noisy;

	if (region->stated || !decision->near.converged || (region->peeked && !region->bursty))
		return as_ellipsoid(decision);
	if (region->bursty && !refuted) {
		projection_find(
			decision->cone, region->mean, region->slack, region->shape.factor, false, &decision->scaled);
		if (!decision->scaled.converged)
			return as_ellipsoid(decision);
		decision->spread = &region->shape;
	}
	noisy = mem_new_array(decision->cone->n_equalities + decision->cone->n_inequalities, sizeof *noisy);
	take_test(decision, cone_test_nearest(decision)->d2 > 0 ? count_meeting(decision, noisy) : 0);
	out = refuted ? as_ellipsoid(decision) : by_test(decision);
	free(noisy);
	return out;
}
