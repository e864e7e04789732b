/* Ranges of flow on small random cones: for points compared with exact vertices, for regions with flows drawn at
 * random. No range is wider than the flows that the solvers found. */
#include "core/verdict/uop_range.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/stats/matrix.h"
#include "core/stats/region.h"
#include "core/stats/tails.h"
#include "core/verdict/certify.h"
#include "exact.h"
#include "test.h"

enum { N_MAX = 4, M_MAX = 7, ROWS = 40 };

struct problem {
	size_t n, m;
	int64_t column[M_MAX * N_MAX];
	unsigned char part[M_MAX];
	double flow[M_MAX]; /* the true flow */
};

static bool
is_new(const struct problem *p, const int64_t *c)
{
	bool some = false;

	for (size_t i = 0; i < p->n; i++)
		some |= c[i] != 0;
	for (size_t j = 0; j < p->m; j++)
		some &= memcmp(p->column + j * p->n, c, p->n * sizeof *c) != 0;
	return some;
}

static struct problem
problem_new(uint64_t *seed)
{
	struct problem p = {.n = 1 + test_random(seed) % N_MAX};
	size_t tries = 1 + test_random(seed) % M_MAX;

	for (size_t k = 0; k < tries; k++) {
		int64_t *c = p.column + p.m * p.n;

		for (size_t i = 0; i < p.n; i++)
			c[i] = test_random(seed) % 2 ? 0 : (int64_t)(test_random(seed) % 4);
		if (!is_new(&p, c))
			continue;
		p.part[p.m] = (unsigned char)(test_random(seed) % 3);
		p.flow[p.m++] = test_random(seed) % 3 ? (double)(test_random(seed) % 50) : 0;
	}
	return p;
}

static void
counts_of(const struct problem *p, const double *flow, double *v)
{
	memset(v, 0, p->n * sizeof *v);
	for (size_t j = 0; j < p->m; j++)
		for (size_t i = 0; i < p->n; i++)
			v[i] += flow[j] * (double)p->column[j * p->n + i];
}

/* The greatest (sign 1) or least (−1) Σ cost·f over f ≥ 0 with Σ f column = v, from all vertices. */
static struct fraction
vertex(const struct problem *p, const int64_t *v, const int64_t *cost, int sign)
{
	struct fraction best = fraction(0, 1);
	bool some = false;

	for (unsigned set = 0; set < 1u << p->m; set++) {
		struct fraction a[N_MAX * M_MAX], b[N_MAX], x[M_MAX], sum = fraction(0, 1);
		int64_t whole[N_MAX * M_MAX];
		size_t which[M_MAX], k = 0;
		bool good = true;

		for (size_t j = 0; j < p->m; j++)
			if (set >> j & 1)
				which[k++] = j;
		for (size_t i = 0; i < p->n; i++) {
			b[i] = fraction(v[i], 1);
			for (size_t j = 0; j < k; j++) {
				whole[i * k + j] = p->column[which[j] * p->n + i];
				a[i * k + j] = fraction(whole[i * k + j], 1);
				}
		}
		if (k > p->n || (k && exact_rank(p->n, k, whole) < k))
			continue;
		if (k == 0)
			for (size_t i = 0; i < p->n; i++)
				good &= v[i] == 0;
		else
			good = exact_solve(p->n, k, a, b, x);
		for (size_t j = 0; j < k && good; j++) {
			good = x[j].num >= 0;
			sum = fraction_add(sum, fraction_multiply(x[j], fraction(cost[which[j]], 1)));
		}
		if (!good)
			continue;
		if (!some || (sum.num * best.den - best.num * sum.den) * sign > 0)
			best = sum;
		some = true;
	}
	CHECK(some);
	return best;
}

/* Checks that the double is close to the fraction, and on the right side of it. side 1: from above. */
static void
check_bound(double got, struct fraction want, int side)
{
	long double exact = (long double)want.num / (long double)want.den;

	CHECK_NEAR(got, (double)exact, 1e-6 * fmax(1, fabs((double)exact)));
	CHECK(side * ((long double)got - exact) >= -1e-18L * fabsl(exact));
}

static struct region *
point_at(const struct problem *p, int64_t *v)
{
	struct samples s = {.n_counters = p->n, .n_rows = 1, .count = v};
	double d[N_MAX];

	counts_of(p, p->flow, d);
	for (size_t i = 0; i < p->n; i++)
		v[i] = (int64_t)d[i];
	return region_new(&s, true);
}

static void
check_shares_of_point(const struct problem *p, struct uop_program *f, const int64_t *v)
{
	for (size_t c = 0; c < p->n; c++) {
		int64_t must[M_MAX], can[M_MAX];
		struct uop_range got;
		bool all = true, none = true;

		uop_range_share(f, p->part, c, &got);
		for (size_t j = 0; j < p->m; j++) {
			must[j] = p->part[j] == UOP_ALL ? p->column[j * p->n + c] : 0;
			can[j] = p->part[j] != UOP_NONE ? p->column[j * p->n + c] : 0;
			all &= must[j] == p->column[j * p->n + c];
			none &= can[j] == 0;
		}
		if (v[c] == 0) {
			CHECK(got.least <= got.greatest);
			CHECK(got.greatest >= 1 || none);
			CHECK(got.least <= 0 || all);
			continue;
		}
		check_bound(got.greatest, fraction_multiply(vertex(p, v, can, 1), fraction(1, v[c])), 1);
		check_bound(got.least, fraction_multiply(vertex(p, v, must, -1), fraction(1, v[c])), -1);
	}
}

static void
points_agree_with_exact_vertices(void)
{
	uint64_t seed = 1;

	for (unsigned round = 0; round < test_rounds(1500, 20000); round++) {
		struct problem p = problem_new(&seed);
		int64_t v[N_MAX], must[M_MAX], can[M_MAX];
		struct region *r = point_at(&p, v);
		struct uop_program *f = uop_program_new(p.n, p.m, p.column, r, REGION_ELLIPSOID, 0);
		struct uop_range got;

		test_label("round %u", round);
		for (size_t j = 0; j < p.m; j++) {
			must[j] = p.part[j] == UOP_ALL;
			can[j] = p.part[j] != UOP_NONE;
		}
		uop_range_total(f, p.part, &got);
		check_bound(got.greatest, vertex(&p, v, can, 1), 1);
		check_bound(got.least, vertex(&p, v, must, -1), -1);
		check_shares_of_point(&p, f, v);
		uop_program_free(f);
		region_free(r);
	}
	test_label("all");
}

/* Samples around the counts of the true flow, and the region of them, which most likely holds the truth. */
static struct region *
region_at(const struct problem *p, uint64_t *seed, double scale, bool torn)
{
	int64_t count[ROWS * N_MAX];
	struct samples s = {
		.n_counters = p->n, .n_rows = ROWS, .count = count, .independent = true, .tasks = torn ? 3 * scale : 0};
	double v[N_MAX];

	counts_of(p, p->flow, v);
	for (size_t row = 0; row < ROWS; row++) {
		double load = 1 + 0.1 * test_normal(seed);

		for (size_t i = 0; i < p->n; i++)
			count[row * p->n + i] = llround(
				fmax(0, scale * v[i] * load * (1 + 0.03 * test_normal(seed)) + test_normal(seed)));
	}
	return region_new(&s, false);
}

static double
distance2(const struct region *r, const double *v)
{
	double x[N_MAX], sum = 0;

	for (size_t i = 0; i < r->n; i++)
		x[i] = v[i] - r->mean[i];
	matrix_forward(r->n, r->spread.factor, x);
	for (size_t i = 0; i < r->n; i++)
		sum += x[i] * x[i];
	return sum;
}

/* True if v is in the region without slack, and not too close to its border. */
static bool
holds(const struct region *r, enum region_kind kind, double q, const double *v)
{
	if (kind == REGION_ELLIPSOID)
		return distance2(r, v) <= q * (1 - 1e-9);
	for (size_t i = 0; i < r->n; i++) {
		double t = kind == REGION_INDEPENDENT ? v[i] - r->mean[i] : 0,
		       half = sqrt((kind == REGION_BOX ? r->eigenvalue[i] : r->spread.variance[i]) * q);

		for (size_t j = 0; j < r->n && kind == REGION_BOX; j++)
			t += r->eigenvector[i * r->n + j] * (v[j] - r->mean[j]);
		if (fabs(t) > half * (1 - 1e-9))
			return false;
	}
	return true;
}

struct answers {
	struct uop_range total, uops, share[N_MAX];
};

/* A flow of the region lies within all ranges, for any share of the flow through UOP_SOME. */
static void
check_flow(const struct problem *p, const struct answers *a, const double *flow, const double *v, uint64_t *seed)
{
	double through = 0, all = 0, raised[N_MAX] = {0}, e = 1e-9;

	for (size_t j = 0; j < p->m; j++) {
		double part = flow[j] *
			(p->part[j] == UOP_ALL                   ? 1
					: p->part[j] == UOP_SOME ? (double)(test_random(seed) % 3) / 2
								  : 0);

		through += part;
		all += flow[j];
		for (size_t i = 0; i < p->n; i++)
			raised[i] += part * (double)p->column[j * p->n + i];
	}
	CHECK(through >= a->total.least * (1 - e) - e && through <= a->total.greatest * (1 + e) + e);
	if (all > 0)
		CHECK(through / all >= a->uops.least - e && through / all <= a->uops.greatest + e);
	for (size_t i = 0; i < p->n; i++)
		if (v[i] > 0)
			CHECK(raised[i] / v[i] >= a->share[i].least - e &&
				raised[i] / v[i] <= a->share[i].greatest + e);
}

static size_t
draw_flows(const struct problem *p, const struct region *r, enum region_kind kind, double q, const struct answers *a,
	double scale, uint64_t *seed)
{
	double at[M_MAX], flow[M_MAX], v[N_MAX];
	size_t inside = 0;

	for (size_t j = 0; j < p->m; j++)
		at[j] = p->flow[j] * scale;
	counts_of(p, at, v);
	if (!holds(r, kind, q, v))
		return 0;
	for (int k = 0; k < 150; k++) {
		double step = scale * pow(10, -3 * test_uniform(seed)) * 20;

		for (size_t j = 0; j < p->m; j++)
			flow[j] = fmax(0, at[j] + (test_random(seed) % 2 ? step * test_normal(seed) : 0));
		counts_of(p, flow, v);
		if (!holds(r, kind, q, v))
			continue;
		inside++;
		memcpy(at, flow, sizeof at); /* a random walk, so that it reaches the corners */
		check_flow(p, a, flow, v, seed);
	}
	return inside;
}

static void
check_tight(const struct uop_range *x, double size, double gap)
{
	CHECK(x->least <= x->greatest);
	CHECK(!isnan(x->reached_least) && !isnan(x->reached_greatest));
	CHECK(x->reached_least >= x->least - 1e-7 * size && x->reached_greatest <= x->greatest + 1e-7 * size);
	CHECK_NEAR(x->least, x->reached_least, gap * size);
	CHECK_NEAR(x->greatest, x->reached_greatest, gap * size);
}

static size_t
try_region(const struct problem *p, const struct region *r, enum region_kind kind, double scale, uint64_t *seed)
{
	static const struct verdict_options how = {.confidence = 0.99};
	double q = chi2_quantile(0.99, p->n);
	struct cone *c = cone_new(p->n, p->m, p->column, NULL);
	struct verdict *v = verdict_new(c, r, &how);
	struct uop_program *f;
	struct answers a;
	size_t inside = 0;

	if (v->region[kind] == VERDICT_FEASIBLE) {
		f = uop_program_new(p->n, p->m, p->column, r, kind, q);
		uop_range_total(f, p->part, &a.total);
		uop_range_share(f, p->part, UOP_UOPS, &a.uops);
		for (size_t i = 0; i < p->n; i++)
			uop_range_share(f, p->part, i, &a.share[i]);
		inside = draw_flows(p, r, kind, q, &a, scale, seed);
		if (!r->slack) /* with slack the solver may stop early; the bounds are valid anyway */
			check_tight(&a.total, a.total.greatest, 1e-3);
		if (!r->slack && a.uops.reached_greatest >= 0 && a.uops.reached_least >= 0)
			check_tight(&a.uops, 1, 1e-3);
		uop_program_free(f);
	}
	verdict_free(v);
	cone_free(c);
	return inside;
}

static void
flows_of_a_region_are_within_its_ranges(void)
{
	uint64_t seed = 5;
	size_t inside[3] = {0};

	for (unsigned round = 0; round < test_rounds(150, 3000); round++) {
		struct problem p = problem_new(&seed);
		double scale = round % 3 == 0 ? 1 : round % 3 == 1 ? 1000 : 1e6;
		struct region *r = region_at(&p, &seed, scale, round % 4 == 3);

		region_axes(r);
		for (int kind = 0; kind < 3; kind++) {
			test_label("round %u, %s", round, region_name((enum region_kind)kind));
			inside[kind] += p.m ? try_region(&p, r, (enum region_kind)kind, scale, &seed) : 0;
		}
		region_free(r);
	}
	test_label("all");
	for (int kind = 0; kind < 3; kind++)
		CHECK(inside[kind] > 2000);
}

static void
what_is_empty_or_too_large(void)
{
	static const int64_t zero[] = {
		0, 0}, some[] = {0, 7}, column[] = {1, 0, 0, 2, 3, 1}, large[] = {UOP_ENTRY_MAX + 1, 0
	};
	static const unsigned char part[] = {UOP_ALL, UOP_SOME, UOP_ALL};
	struct samples s = {.n_counters = 2, .n_rows = 1, .count = zero};
	struct region *r = region_new(&s, true);
	struct uop_program *f = uop_program_new(2, 3, column, r, REGION_ELLIPSOID, 0);
	struct uop_range got;

	/* all counts are zero: no flow, and shares are unknown */
	uop_range_total(f, part, &got);
	CHECK(got.least <= 0 && got.greatest <= 0 && got.reached_greatest >= 0);
	uop_range_share(f, part, 1, &got);
	CHECK(got.least <= 0 && got.greatest >= 1);
	uop_program_free(f);
	CHECK(uop_program_new(2, 1, large, r, REGION_ELLIPSOID, 0) == NULL);
	region_free(r);
	/* a counter that is 0 allows no flow through what raises it */
	s.count = some;
	r = region_new(&s, true);
	f = uop_program_new(2, 3, column, r, REGION_BOX, 0);
	uop_range_total(f, part, &got);
	CHECK(got.least <= 0);
	CHECK_NEAR(got.greatest, 3.5, 1e-12);
	uop_program_free(f);
	/* no column */
	f = uop_program_new(2, 0, column, r, REGION_BOX, 0);
	uop_range_total(f, part, &got);
	CHECK(got.least <= 0 && got.greatest <= 0);
	uop_range_share(f, part, 0, &got);
	CHECK(got.greatest <= 0);
	uop_program_free(f);
	region_free(r);
}

TEST_MAIN(CASE(what_is_empty_or_too_large), CASE(points_agree_with_exact_vertices),
	CASE(flows_of_a_region_are_within_its_ranges))
