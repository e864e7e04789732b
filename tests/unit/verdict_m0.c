/* Verdicts at full size: 26 counters, 488 signatures of the Haswell model m0 (tests/cones), 60 samples drawn from known
 * flows. */
#include "core/verdict/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/stats/region.h"
#include "core/stats/tails.h"
#include "signature_file.h"
#include "synthetic.h"
#include "test.h"

struct m0 {
	struct signature_file *file;
	struct cone *cone, *bare; /* with facets, without */
	int64_t *outside;
	size_t n_outside;
};

static struct m0
m0_new(void)
{
	static const struct cone_limits none = {.seconds = -1};
	struct m0 m = {.file = signature_file_read("cones/haswell-m0.txt")};

	m.cone = cone_new(m.file->n_counters, m.file->n, m.file->signature, NULL);
	m.bare = cone_new(m.file->n_counters, m.file->n, m.file->signature, &none);
	m.n_outside = synthetic_haswell_outside(m.file->n_counters, m.file->name, &m.outside);
	return m;
}

static void
m0_free(struct m0 m)
{
	cone_free(m.cone);
	cone_free(m.bare);
	free(m.outside);
	signature_file_free(m.file);
}

/* One of the first four outside vectors carries the share. */
static struct synthetic
source(const struct m0 *m, uint64_t *seed, double share)
{
	struct synthetic s = {.n_counters = m->cone->n_counters,
		.n_rays = m->cone->n_rays,
		.ray = m->cone->ray,
		.n_outside = 1,
		.outside = m->outside + test_random(seed) % 4 * m->cone->n_counters,
		.share = share,
		.rows = 60};

	s.spread = 3 + test_random(seed) % 198;
	s.scale = pow(10, 4 + (double)(test_random(seed) % 7));
	return s;
}

static struct region *
region_of(const int64_t *count, size_t n, size_t rows)
{
	struct samples s = {.n_counters = n, .n_rows = rows, .count = count, .independent = true};

	return region_new(&s, false);
}

static struct verdict_options
options(size_t n)
{
	return (struct verdict_options){.confidence = 0.99, .threshold2 = chi2_quantile(0.99, n)};
}

static void
feasible_observations_are_not_refuted(void)
{
	struct m0 m = m0_new();
	struct verdict_options o = options(m.cone->n_counters);
	uint64_t seed = 11;

	for (int round = 0; round < 400; round++) {
		struct synthetic s = source(&m, &seed, 0);
		int64_t *count = synthetic_samples(&s, &seed);
		struct region *r = region_of(count, s.n_counters, s.rows);
		struct verdict *v = verdict_new(m.cone, r, &o);

		test_label("round %d", round);
		for (size_t k = 0; k < 3; k++)
			CHECK_INT(v->region[k], VERDICT_FEASIBLE);
		verdict_free(v);
		region_free(r);
		free(count);
	}
	m0_free(m);
}

/* Exact ratios between counters in every sample: the covariance has no full rank, which must not refute. */
static void
exactly_related_counters_do_not_refute(void)
{
	struct m0 m = m0_new();
	size_t n = m.cone->n_counters, rows = 60, found = 0;
	struct verdict_options o = options(n);
	int64_t *count = mem_new_array(n * rows, sizeof *count);
	uint64_t seed = 12;

	for (int round = 0; round < 300; round++) {
		bool planted = round % 3 == 2;
		size_t spread = 2 + test_random(&seed) % 30;
		const int64_t **line = mem_new_array(spread + 1, sizeof *line);
		struct region *r;
		struct verdict *v;

		for (size_t k = 0; k < spread; k++)
			line[k] = m.cone->ray + test_random(&seed) % m.cone->n_rays * n;
		line[spread] = m.outside + test_random(&seed) % 4 * n;
		memset(count, 0, n * rows * sizeof *count);
		for (size_t row = 0; row < rows; row++) {
			double work = exp(0.2 * test_normal(&seed));

			for (size_t k = 0; k < spread + planted; k++) {
				int64_t flow = (int64_t)(1e5 * work *
					(k == spread ? (double)(spread * spread) : (double)(k + 1)) *
					(round % 2 ? 1 : exp(0.1 * test_normal(&seed))));

				for (size_t i = 0; i < n; i++)
					count[row * n + i] += flow * line[k][i];
			}
		}
		r = region_of(count, n, rows);
		v = verdict_new(m.cone, r, &o);
		test_label("round %d", round);
		for (size_t k = 0; k < 3 && !planted; k++)
			CHECK_INT(v->region[k], VERDICT_FEASIBLE);
		found += planted && v->verdict == VERDICT_INFEASIBLE;
		verdict_free(v);
		region_free(r);
		free(line);
	}
	CHECK(found >= 95);
	free(count);
	m0_free(m);
}

static void
planted_violations_are_found(void)
{
	struct m0 m = m0_new();
	struct verdict_options o = options(m.cone->n_counters);
	uint64_t seed = 13;
	size_t found[3] = {0}, listed = 0, rounds = 200;

	for (size_t round = 0; round < rounds; round++) {
		struct synthetic s = source(&m, &seed, round % 2 ? 0.5 : 0.9);
		int64_t *count = synthetic_samples(&s, &seed);
		struct region *r = region_of(count, s.n_counters, s.rows);
		struct verdict *v = verdict_new(m.cone, r, &o);

		for (size_t k = 0; k < 3; k++)
			found[k] += v->region[k] == VERDICT_INFEASIBLE;
		listed += v->n_violated > 0;
		verdict_free(v);
		region_free(r);
		free(count);
	}
	CHECK(found[REGION_ELLIPSOID] >= rounds * 97 / 100);
	CHECK(found[REGION_BOX] >= rounds * 9 / 10);
	CHECK(found[REGION_INDEPENDENT] >= rounds * 9 / 10);
	CHECK(found[REGION_BOX] <= found[REGION_ELLIPSOID]);
	CHECK(listed > rounds * 9 / 10);
	m0_free(m);
}

/* Both ways give the same verdict, and a box is never refuted unless its ellipsoid is. */
static void
facets_do_not_change_verdicts(void)
{
	static const double shares[] = {0, 0.03, 0.1, 0.2, 0.3, 0.5};
	struct m0 m = m0_new();
	struct verdict_options o = options(m.cone->n_counters);
	uint64_t seed = 14;
	size_t seen[3][4] = {{0}};

	for (int round = 0; round < 300; round++) {
		struct synthetic s = source(&m, &seed, shares[round % 6]);
		int64_t *count = synthetic_samples(&s, &seed);
		struct region *r = region_of(count, s.n_counters, s.rows);
		struct verdict *v = verdict_new(m.cone, r, &o), *w = verdict_new(m.bare, r, &o);

		test_label("round %d", round);
		CHECK_NEAR(w->distance2, v->distance2, 1e-3 * (1 + v->distance2));
		for (size_t k = 0; k < 3; k++) {
			CHECK_INT(w->region[k], v->region[k]);
			CHECK(v->region[k] != VERDICT_BORDERLINE);
			seen[k][v->region[k]]++;
			if (v->region[k] == VERDICT_INFEASIBLE)
				CHECK_INT(v->region[REGION_ELLIPSOID], VERDICT_INFEASIBLE);
		}
		verdict_free(v);
		verdict_free(w);
		region_free(r);
		free(count);
	}
	for (size_t k = 0; k < 3; k++)
		CHECK(seen[k][VERDICT_FEASIBLE] > 50 && seen[k][VERDICT_INFEASIBLE] > 30);
	m0_free(m);
}

/* A limit on the time for facets does not change the verdict. */
static void
a_time_limit_changes_no_verdict(void)
{
	size_t n = 20, m = 120, rows = 60;
	uint64_t seed = 15;
	int64_t *signature = mem_new_array(n * m, sizeof *signature), *extra = mem_new_array(n, sizeof *extra), *count;
	struct cone_limits limits = {.seconds = 0.02};
	struct verdict_options o = options(n);
	struct cone *c;

	for (size_t i = 0; i < n * m; i++)
		signature[i] = test_random(&seed) % 4 ? 0 : (int64_t)(test_random(&seed) % 7);
	/* No signature raises counter 0 without counter 1. */
	for (size_t k = 0; k < m; k++)
		signature[k * n + 1] += signature[k * n];
	extra[0] = 1;
	c = cone_new(n, m, signature, &limits);
	CHECK(!c->complete);
	for (int planted = 0; planted < 2; planted++) {
		struct synthetic s = {.n_counters = n,
			.n_rays = c->n_rays,
			.ray = c->ray,
			.n_outside = 1,
			.outside = extra,
			.share = planted ? 0.9 : 0,
			.spread = 40,
			.scale = 1e6,
			.rows = rows};
		struct region *r;
		struct verdict *v;

		count = synthetic_samples(&s, &seed);
		r = region_of(count, n, rows);
		v = verdict_new(c, r, &o);
		test_label("planted %d", planted);
		for (size_t k = 0; k < 3; k++)
			CHECK_INT(v->region[k], planted ? VERDICT_INFEASIBLE : VERDICT_FEASIBLE);
		CHECK_INT(v->verified, planted);
		verdict_free(v);
		region_free(r);
		free(count);
	}
	cone_free(c);
	free(signature);
	free(extra);
}

/* Exact totals of m0's flows are in the cone; with one retired miss more than walks they are not. With and without
 * facets. */
static void
points_at_full_size(void)
{
	struct m0 m = m0_new();
	size_t n = m.cone->n_counters, miss = 0, ret = 0;
	uint64_t seed = 16;
	struct verdict_options o = options(n);

	while (strcmp(m.file->name[miss], "load.ret_stlb_miss"))
		miss++;
	while (strcmp(m.file->name[ret], "load.ret"))
		ret++;
	for (int round = 0; round < 12; round++) {
		int64_t v[64] = {0};
		struct cone *cone = round % 2 ? m.bare : m.cone;
		struct samples s = {.n_counters = n, .n_rows = 1, .count = v};
		struct region *r;
		struct verdict *w;

		for (size_t k = 0; k < m.cone->n_rays; k++) {
			int64_t flow = (int64_t)(test_random(&seed) % 1000) * (round < 6 ? 1 : 1000000007);

			for (size_t i = 0; i < n; i++)
				v[i] += flow * m.cone->ray[k * n + i];
		}
		r = region_new(&s, true);
		w = verdict_new(cone, r, &o);
		test_label("round %d", round);
		CHECK_INT(w->verdict, VERDICT_FEASIBLE);
		verdict_free(w);
		region_free(r);
		v[ret] += v[1];
		for (size_t i = 0; i < n; i++)
			if (strcmp(m.file->name[i], "load.walk_done") == 0)
				v[miss] = v[i] + 1;
		r = region_new(&s, true);
		w = verdict_new(cone, r, &o);
		CHECK_INT(w->verdict, VERDICT_INFEASIBLE);
		CHECK(w->verified);
		verdict_free(w);
		region_free(r);
	}
	m0_free(m);
}

static void
degenerate_data(void)
{
	struct m0 m = m0_new();
	size_t n = m.cone->n_counters, rows = 40;
	struct verdict_options o = options(n);
	int64_t *count = mem_new_array(n * rows, sizeof *count);
	struct samples one = {.n_counters = n, .n_rows = 1, .count = count}, none = {.n_counters = n};
	struct cone *c[] = {m.cone, m.bare}, *empty = cone_new(0, 0, NULL, NULL);
	struct region *r;
	struct verdict *v;
	unsigned char *counted;

	for (int k = 0; k < 2; k++) {
		memset(count, 0, n * rows * sizeof *count);
		r = region_of(count, n, rows);
		v = verdict_new(c[k], r, &o);
		CHECK_INT(v->verdict, VERDICT_FEASIBLE); /* nothing happened: every model allows that */
		CHECK_NEAR(v->distance2, 0, 1e-9);
		verdict_free(v);
		region_free(r);
		for (size_t i = 0; i < n * rows; i++)
			count[i] = INT64_C(1) << 62;
		r = region_of(count, n, rows);
		v = verdict_new(c[k], r, &o);
		CHECK_INT(v->verdict, VERDICT_INFEASIBLE); /* a = b + c, but all three are equal */
		verdict_free(v);
		region_free(r);
		/* The same flow in each sample: all columns are constant. */
		for (size_t i = 0; i < n * rows; i++)
			count[i] = 1000000 * (m.cone->ray[i % n] + 3 * m.cone->ray[5 * n + i % n]);
		r = region_of(count, n, rows);
		v = verdict_new(c[k], r, &o);
		CHECK_INT(v->verdict, VERDICT_FEASIBLE);
		verdict_free(v);
		region_free(r);
	}
	r = region_new(&one, false);
	v = verdict_new(m.cone, r, &o);
	CHECK_INT(v->verdict, VERDICT_UNDECIDED);
	CHECK(v->reason && strstr(v->reason, "one noisy sample"));
	verdict_free(v);
	region_free(r);
	counted = mem_new_array(n * rows, sizeof *counted);
	memset(counted, 1, n * rows);
	for (size_t k = 1; k < rows; k++)
		counted[k * n + 3] = 0;
	r = region_new(&(struct samples){.n_counters = n, .n_rows = rows, .count = count, .counted = counted}, false);
	v = verdict_new(m.cone, r, &o);
	CHECK_INT(v->verdict, VERDICT_UNDECIDED);
	CHECK(v->reason && strstr(v->reason, "fewer than two samples"));
	verdict_free(v);
	region_free(r);
	free(counted);
	r = region_new(&none, false);
	v = verdict_new(m.cone, r, &o);
	CHECK_INT(v->verdict, VERDICT_UNDECIDED);
	verdict_free(v);
	region_free(r);
	r = region_new(&(struct samples){.n_rows = 5}, false);
	v = verdict_new(empty, r, &o);
	CHECK_INT(v->verdict, VERDICT_UNDECIDED);
	CHECK(v->reason && strstr(v->reason, "no counter in common"));
	verdict_free(v);
	region_free(r);
	v = verdict_undecided("all counters are dead");
	CHECK_STR(v->reason, "all counters are dead");
	CHECK_STR(verdict_name(v->region[2]), "undecided");
	verdict_free(v);
	verdict_free(NULL);
	cone_free(empty);
	free(count);
	m0_free(m);
}

struct ranked {
	double p;
	size_t at;
};

static int
compare_ranked(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return x->p < y->p ? -1 : x->p > y->p;
}

/* For the ellipsoid, the program's procedure is Holm's on the p-values. */
static void
family_wise_is_holms(void)
{
	enum { N = 60 };
	struct m0 m = m0_new();
	struct verdict_options o = {.confidence = 0.99};
	uint64_t seed = 17;
	struct region *region[N];
	struct verdict *v[N];
	const struct cone *cone[N];
	struct ranked rank[N];
	size_t rejected = 0, plain = 0, family = 0;
	bool open = true;

	for (size_t i = 0; i < N; i++) {
		/* a small share, so that p-values of every size occur */
		struct synthetic s = source(&m, &seed, i % 4 ? 0.05 * (double)(i % 7) : 0);
		int64_t *count = synthetic_samples(&s, &seed);

		cone[i] = m.cone;
		if (i < 2) {
			struct samples exact = {.n_counters = s.n_counters, .n_rows = 1, .count = count};

			region[i] = region_new(&exact, i == 0); /* an exact total, and one noisy sample */
		} else {
			region[i] = region_of(count, s.n_counters, s.rows);
		}
		v[i] = verdict_new(m.cone, region[i], &o);
		free(count);
		if (i >= 2)
			rank[family++] = (struct ranked){v[i]->p, i};
	}
	qsort(rank, family, sizeof *rank, compare_ranked);
	verdicts_holm(v, cone, (const struct region *const *)region, N, NULL, &o);
	for (size_t k = 0; k < family; k++) {
		struct verdict *w = v[rank[k].at];

		test_label("rank %zu, p %g", k, rank[k].p);
		open = open && rank[k].p < 0.01 / (double)(family - k);
		CHECK_INT(w->family_wise, open ? VERDICT_INFEASIBLE : VERDICT_FEASIBLE);
		rejected += open;
		plain += w->verdict == VERDICT_INFEASIBLE;
	}
	CHECK_INT(v[0]->family_wise, v[0]->verdict);
	CHECK_INT(v[1]->family_wise, VERDICT_UNDECIDED);
	CHECK(rejected > 0 && rejected < family);
	CHECK(rejected <= plain);
	for (size_t i = 0; i < N; i++) {
		verdict_free(v[i]);
		region_free(region[i]);
	}
	m0_free(m);
}

/* Samples of (a, b) whose d² to the cone a ≤ b is close to `d2`: fixed noise, and a shifted. */
static struct region *
shifted_region(const struct cone *c, double d2)
{
	enum { ROWS = 40 };
	int64_t count[2 * ROWS];
	double low = 0, high = 1e9;
	struct region *r = NULL;

	for (int step = 0; step < 60; step++) {
		double shift = (low + high) / 2;
		struct verdict_options o = {.confidence = 0.99};
		struct verdict *v;
		uint64_t seed = 1;

		for (size_t k = 0; k < ROWS; k++) {
			count[2 * k] = (int64_t)(1e10 + shift + 1e6 * test_normal(&seed));
			count[2 * k + 1] = (int64_t)(1e10 + 1e6 * test_normal(&seed));
		}
		region_free(r);
		r = region_of(count, 2, ROWS);
		v = verdict_new(c, r, &o);
		*(v->distance2 < d2 ? &low : &high) = shift;
		verdict_free(v);
	}
	return r;
}

/* p-values 0.004, 0.009 and 0.04, for which Holm's steps end at different levels. */
static void
holm_steps_down(void)
{
	static const int64_t signature[] = {0, 1, 1, 1};
	static const struct { double level; enum verdict_kind want[3]; } row[] = {
		{0.03, {VERDICT_INFEASIBLE, VERDICT_INFEASIBLE, VERDICT_FEASIBLE}},
		/* a third of the level is below 0.009, a half is not: Bonferroni would keep the second */
		{0.019, {VERDICT_INFEASIBLE, VERDICT_INFEASIBLE, VERDICT_FEASIBLE}},
		/* a half is below 0.009 */
		{0.016, {VERDICT_INFEASIBLE, VERDICT_FEASIBLE, VERDICT_FEASIBLE}},
		/* a third is below 0.004 */
		{0.011, {VERDICT_FEASIBLE, VERDICT_FEASIBLE, VERDICT_FEASIBLE}},
	};
	static const double p[] = {0.004, 0.009, 0.04};
	struct cone *c = cone_new(2, 2, signature, NULL);
	const struct cone *cone[] = {c, c, c};
	struct region *region[3];

	for (size_t i = 0; i < 3; i++)
		region[i] = shifted_region(c, -2 * log(p[i])); /* χ² with 2 degrees of freedom */
	for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
		struct verdict_options o = {.confidence = 1 - row[k].level};
		struct verdict *v[3];

		for (size_t i = 0; i < 3; i++)
			v[i] = verdict_new(c, region[i], &o);
		verdicts_holm(v, cone, (const struct region *const *)region, 3, NULL, &o);
		for (size_t i = 0; i < 3; i++) {
			test_label("level %g, p %g", row[k].level, p[i]);
			CHECK_NEAR(v[i]->p, p[i], 1e-5);
			CHECK_INT(v[i]->verdict, p[i] < row[k].level ? VERDICT_INFEASIBLE : VERDICT_FEASIBLE);
			CHECK_INT(v[i]->family_wise, row[k].want[i]);
			verdict_free(v[i]);
		}
	}
	for (size_t i = 0; i < 3; i++)
		region_free(region[i]);
	cone_free(c);
}

TEST_MAIN(CASE(feasible_observations_are_not_refuted), CASE(exactly_related_counters_do_not_refute),
	CASE(planted_violations_are_found), CASE(facets_do_not_change_verdicts),
	CASE(a_time_limit_changes_no_verdict), CASE(points_at_full_size), CASE(degenerate_data),
	CASE(family_wise_is_holms), CASE(holm_steps_down))
