/* Verdicts over regions with slack (a noise region and a box around it), compared with every corner and a fine grid of
 * that box. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/stats/matrix.h"
#include "core/stats/region.h"
#include "core/stats/tails.h"
#include "core/verdict/certify.h"
#include "core/verdict/projection.h"
#include "core/verdict/verdict.h"
#include "oracle.h"
#include "test.h"

#define GRID 24

struct pair {
	size_t n;
	struct cone *cone, *bare;
};

static struct pair
random_cones(uint64_t *seed)
{
	static const struct cone_limits none = {.seconds = -1};
	struct pair p = {.n = 2 + test_random(seed) % 2};
	int64_t signature[3 * 6];
	size_t m = 1 + test_random(seed) % 5;

	for (size_t i = 0; i < m * p.n; i++)
		signature[i] = (int64_t)(test_random(seed) % 4);
	signature[0] = 1;
	p.cone = cone_new(p.n, m, signature, NULL);
	p.bare = cone_new(p.n, m, signature, &none);
	return p;
}

/* Noisy rows around a mean, torn by many tasks. */
static struct region *
random_region(size_t n, uint64_t *seed)
{
	enum { M = 32 };
	int64_t count[3 * M];
	double mean[3], noise = pow(10, 3 * test_uniform(seed));

	for (size_t i = 0; i < n; i++)
		mean[i] = 4000 * test_uniform(seed) + 100;
	for (size_t k = 0; k < M; k++)
		for (size_t i = 0; i < n; i++)
			count[k * n + i] = (int64_t)(mean[i] + noise * test_normal(seed));
	return region_new(&(struct samples){.n_counters = n,
				  .n_rows = M,
				  .count = count,
				  .independent = true,
				  .tasks = M * floor(pow(10, 3 * test_uniform(seed)))},
		false);
}

/* The least d² over means in the box, on a grid: no less than the true one, and close to it. */
static double
grid_distance2(const struct cone *c, const struct region *r)
{
	size_t points = 1, per = c->n_counters == 2 ? GRID : GRID / 3;
	double least = INFINITY, mean[3], *cov = region_covariance(r);

	for (size_t i = 0; i < r->n; i++)
		points *= per + 1;
	for (size_t k = 0; k < points; k++) {
		size_t t = k;

		for (size_t i = 0; i < r->n; i++, t /= per + 1)
			mean[i] = r->mean[i] + r->slack[i] * (2.0 * (double)(t % (per + 1)) / (double)per - 1);
		least = fmin(least, oracle_distance2(c->n_counters, c->n_signatures, c->signature, mean, cov));
	}
	free(cov);
	return least;
}

/* The error of the grid: how much d may differ between neighbouring points. This is half a step in the metric of Σ, √n
 * times its longest side. */
static double
grid_error(const struct region *r)
{
	double error = 0, per = r->n == 2 ? GRID : GRID / 3, e[3];

	for (size_t i = 0; i < r->n; i++) {
		memset(e, 0, sizeof e);
		e[i] = r->slack[i] / per;
		matrix_forward(r->n, r->spread.factor, e);
		error += sqrt(e[0] * e[0] + e[1] * e[1] + (r->n > 2 ? e[2] * e[2] : 0));
	}
	return error;
}

static void
distances_are_least_over_the_slack(void)
{
	uint64_t seed = 1;
	size_t positive = 0, moved = 0;

	for (int round = 0; round < 120; round++) {
		struct pair p = random_cones(&seed);
		struct region *r = random_region(p.n, &seed);
		double grid = sqrt(grid_distance2(p.bare, r)), error = grid_error(r) + 1e-6 * (1 + grid), facets, rays;
		struct projection q;

		projection_find(p.cone, r->mean, r->slack, r->spread.factor, false, &q);
		facets = sqrt(q.d2);
		CHECK(q.converged);
		projection_free(&q);
		projection_find(p.bare, r->mean, r->slack, r->spread.factor, true, &q);
		rays = sqrt(q.d2);
		test_label("round %d: grid %g, rays %g, facets %g, error %g", round, grid, rays, facets, error);
		CHECK(q.converged);
		projection_free(&q);
		/* Without facets the distance is exact. With facets each one is relaxed by itself, so the distance can
		 * only be smaller. */
		CHECK(rays <= grid * (1 + 1e-6) + 1e-6 && rays >= grid - error);
		CHECK(facets <= rays * (1 + 1e-6) + 1e-6);
		positive += rays > 1;
		projection_find(p.bare, r->mean, NULL, r->spread.factor, true, &q);
		moved += rays < 0.9 * sqrt(q.d2);
		projection_free(&q);
		region_free(r);
		cone_free(p.cone);
		cone_free(p.bare);
	}
	CHECK(positive > 20);
	CHECK(moved > 40);
}

/* The region without slack, moved to one corner of it. The slack is tasks / rows here, both whole numbers. */
static struct region
corner(const struct region *r, size_t which, i128 *sum)
{
	struct region c = *r;

	for (size_t i = 0; i < r->n; i++)
		sum[i] = r->sum[i] + (which >> i & 1 ? 1 : -1) * (i128)llround(r->slack[i] * (double)r->weight[i]);
	c.sum = sum;
	c.slack = NULL;
	return c;
}

/* A certificate holds over noise and slack if and only if it holds at every corner, because a·v is linear in the
 * slack. */
static void
certificates_hold_at_every_corner(void)
{
	uint64_t seed = 2;
	size_t held = 0, refused = 0;

	for (int round = 0; round < 400; round++) {
		size_t n = 2 + test_random(&seed) % 2;
		struct region *r = random_region(n, &seed);
		struct certify_region t = {
			.shape = CERTIFY_ELLIPSOID, .region = r, .q = chi2_quantile(0.99, n), .times = 1};
		int64_t a[3];
		i128 sum[3];
		bool all = true;

		for (size_t i = 0; i < n; i++)
			a[i] = (int64_t)(test_random(&seed) % 9) - 5;
		for (size_t k = 0; k < (size_t)1 << n; k++) {
			struct region c = corner(r, k, sum);
			struct certify_region u = t;

			u.region = &c;
			all &= certify_apart(&u, a);
		}
		test_label("round %d", round);
		CHECK_INT(certify_apart(&t, a), all);
		held += all;
		refused += !all;
		region_free(r);
	}
	CHECK(held > 50 && refused > 50);
}

/* Slack exactly at the boundary. */
static void
the_slack_side_is_exact(void)
{
	i128 sum[] = {-30, 0};
	int64_t weight[] = {10, 10}, a[] = {1, 0}, both[] = {2, -1};
	double factor[] = {0.5, 0, 0, 0.5}, variance[] = {0.25, 0.25}, slack[] = {1.5, 0.5};
	struct region r = {
		.n = 2, .sum = sum, .weight = weight, .spread = {factor, variance}, .rows = 10, .slack = slack};
	struct certify_region t = {.shape = CERTIFY_ELLIPSOID, .region = &r, .q = 9, .times = 1};

	CHECK(!certify_apart(&t, a)); /* (−3 + 1.5)² = 9 · 0.25 */
	slack[0] = nextafter(1.5, 0);
	CHECK(certify_apart(&t, a));
	slack[0] = 3;
	t.q = 1e-300;
	CHECK(!certify_apart(&t, a)); /* the sign */
	slack[0] = 1;
	t.q = 1.8; /* (−6 + 2 + 0.5)² = 12.25 > 1.8 · 1.25 */
	CHECK(certify_apart(&t, both));
	t.q = 9.8; /* = 9.8 · 1.25 */
	t.q = 0x1.3999999999999p+3;
	CHECK(certify_apart(&t, both));
	t.q = 0x1.399999999999bp+3;
	CHECK(!certify_apart(&t, both));
}

/* An infeasible region is far from the cone at every point of the slack; slack makes fewer regions infeasible, never
 * more. */
static void
verdicts_respect_the_slack(void)
{
	uint64_t seed = 3;
	size_t infeasible[3] = {0}, feasible = 0, saved = 0;

	for (int round = 0; round < 200; round++) {
		struct pair p = random_cones(&seed);
		struct region *r = random_region(p.n, &seed), without;
		struct cone *c = round % 2 ? p.cone : p.bare;
		struct verdict_options o = {.confidence = 0.99};
		struct verdict *v = verdict_new(c, r, &o), *w;
		double q = v->threshold2, grid = grid_distance2(p.bare, r);

		test_label("round %d: grid %g of %g", round, grid, q);
		region_axes(r); /* before it is copied */
		without = *r;
		without.slack = NULL;
		w = verdict_new(c, &without, &o);
		for (size_t k = 0; k < 3; k++) {
			if (v->region[k] != VERDICT_INFEASIBLE)
				continue;
			infeasible[k]++;
			CHECK(grid > q);
			CHECK_INT(w->region[k], VERDICT_INFEASIBLE);
			CHECK_INT(v->region[REGION_ELLIPSOID], VERDICT_INFEASIBLE);
		}
		if (sqrt(grid) - grid_error(r) > sqrt(q) * 1.000001)
			CHECK(v->verdict == VERDICT_INFEASIBLE || c->complete);
		if (v->verdict == VERDICT_INFEASIBLE) {
			struct certify_region t = {.shape = CERTIFY_ELLIPSOID, .region = r, .q = q, .times = 1};

			CHECK(v->certificate && certify_apart(&t, v->certificate) && certify_cone(c, v->certificate));
			for (size_t k = 0; k < v->n_violated; k++)
				CHECK(v->violated[k].margin > 0);
		}
		feasible += v->verdict == VERDICT_FEASIBLE;
		saved += v->verdict == VERDICT_FEASIBLE && w->verdict == VERDICT_INFEASIBLE;
		verdict_free(v);
		verdict_free(w);
		region_free(r);
		cone_free(p.cone);
		cone_free(p.bare);
	}
	for (size_t k = 0; k < 3; k++)
		CHECK(infeasible[k] > 20);
	CHECK(feasible > 20);
	CHECK(saved > 5);
}

/* Holm's procedure uses the same regions with slack, at its own levels: its result is between Bonferroni's and the
 * uncorrected one. */
static void
families_keep_the_slack(void)
{
	enum { FAMILY = 6 };
	uint64_t seed = 4;
	size_t rejected = 0, kept = 0;

	for (int round = 0; round < 40; round++) {
		struct pair p = random_cones(&seed);
		const struct cone *cone[FAMILY];
		struct region *region[FAMILY];
		struct verdict *v[FAMILY];
		struct verdict_options o = {.confidence = 0.99}, strict = {.confidence = 1 - 0.01 / FAMILY};

		for (size_t i = 0; i < FAMILY; i++) {
			cone[i] = p.cone;
			region[i] = random_region(p.n, &seed);
			v[i] = verdict_new(p.cone, region[i], &o);
		}
		verdicts_holm(v, cone, (const struct region *const *)region, FAMILY, NULL, &o);
		for (size_t i = 0; i < FAMILY; i++) {
			struct verdict *w = verdict_new(p.cone, region[i], &strict);

			test_label("round %d, observation %zu", round, i);
			CHECK(w->verdict != VERDICT_INFEASIBLE || v[i]->family_wise == VERDICT_INFEASIBLE);
			CHECK(v[i]->family_wise != VERDICT_INFEASIBLE || v[i]->verdict == VERDICT_INFEASIBLE);
			rejected += v[i]->family_wise == VERDICT_INFEASIBLE;
			kept += v[i]->family_wise != VERDICT_INFEASIBLE;
			verdict_free(w);
		}
		for (size_t i = 0; i < FAMILY; i++) {
			verdict_free(v[i]);
			region_free(region[i]);
		}
		cone_free(p.cone);
		cone_free(p.bare);
	}
	CHECK(rejected > 20 && kept > 20);
}

TEST_MAIN(CASE(distances_are_least_over_the_slack), CASE(certificates_hold_at_every_corner),
	CASE(the_slack_side_is_exact), CASE(verdicts_respect_the_slack), CASE(families_keep_the_slack))
