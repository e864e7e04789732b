/* Verdicts on small random cones, compared with answers found by other methods. */
#include "core/verdict/verdict.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/stats/region.h"
#include "core/stats/tails.h"
#include "core/verdict/certify.h"
#include "core/verdict/witness.h"
#include "exact.h"
#include "oracle.h"
#include "synthetic.h"
#include "test.h"

static const struct verdict_options PLAIN = {.confidence = 0.99};

/* The same cone with facets and without. */
struct pair {
	struct cone *full, *bare;
};

static struct pair
random_cone(uint64_t *seed, size_t n_max, size_t m_max)
{
	static const struct cone_limits none = {.seconds = -1};
	size_t n = 2 + test_random(seed) % (n_max - 1), m = 1 + test_random(seed) % m_max;
	int64_t *s = mem_new_array(n * m, sizeof *s);
	struct pair p;

	for (size_t i = 0; i < n * m; i++)
		s[i] = test_random(seed) % 2 ? 0 : (int64_t)(test_random(seed) % 4);
	p.full = cone_new(n, m, s, NULL);
	p.bare = cone_new(n, m, s, &none);
	free(s);
	return p;
}

static void
free_pair(struct pair p)
{
	cone_free(p.full);
	cone_free(p.bare);
}

/* A certificate must also hold by plain arithmetic. */
static void
check_certificate(const struct cone *c, const struct verdict *v)
{
	bool some = false;

	if (v->verdict != VERDICT_INFEASIBLE) {
		CHECK(v->certificate == NULL);
		return;
	}
	if (!CHECK(v->certificate && v->verified))
		return;
	for (size_t i = 0; i < c->n_counters; i++)
		some |= v->certificate[i] != 0;
	CHECK(some);
	for (size_t k = 0; k < c->n_signatures; k++)
		CHECK(exact_dot(v->certificate, c->signature + k * c->n_counters, c->n_counters) >= 0);
}

static struct region *
point(const int64_t *count, size_t n)
{
	struct samples s = {.n_counters = n, .n_rows = 1, .count = count};

	return region_new(&s, true);
}

/* A point in the cone, on its boundary, one count outside, or anywhere. */
static void
random_point(uint64_t *seed, const struct cone *c, int64_t scale, int64_t *v)
{
	uint64_t kind = test_random(seed) % 4;

	for (size_t i = 0; i < c->n_counters; i++)
		v[i] = kind == 0 ? (int64_t)(test_random(seed) % 20) * scale : 0;
	for (size_t k = 0; k < c->n_rays && kind > 0; k++) {
		int64_t f = test_random(seed) % 3
			? 0
			: (int64_t)(test_random(seed) % 9) * scale + (int64_t)(test_random(seed) % 2);

		for (size_t i = 0; i < c->n_counters; i++)
			v[i] += f * c->ray[k * c->n_counters + i];
	}
	if (kind == 2)
		v[test_random(seed) % c->n_counters] += 1;
}

static void
points_agree_with_the_exact_simplex(void)
{
	uint64_t seed = 1;
	int inside = 0, outside = 0;

	for (int round = 0; round < 1500; round++) {
		struct pair p = random_cone(&seed, 6, 9);
		size_t n = p.full->n_counters;
		int64_t v[8];
		double as_double[8];
		struct region *r;
		struct verdict *full, *bare;
		bool want;

		random_point(&seed, p.bare, round % 5 ? 1 : 1000000007, v);
		for (size_t i = 0; i < n; i++)
			as_double[i] = (double)v[i];
		want = oracle_point(n, p.bare->n_signatures, p.bare->signature, as_double);
		r = point(v, n);
		full = verdict_new(p.full, r, &PLAIN);
		bare = verdict_new(p.bare, r, &PLAIN);
		test_label("round %d", round);
		CHECK_INT(full->verdict, want ? VERDICT_FEASIBLE : VERDICT_INFEASIBLE);
		CHECK_INT(bare->verdict, full->verdict);
		CHECK_INT(full->region[REGION_BOX], full->verdict);
		CHECK_INT(full->n_violated > 0, !want);
		CHECK(isnan(full->distance2) && full->threshold2 == 0);
		check_certificate(p.full, full);
		check_certificate(p.bare, bare);
		if (!want) {
			CHECK(exact_dot(full->certificate, v, n) < 0);
			CHECK(exact_dot(bare->certificate, v, n) < 0);
		}
		inside += want;
		outside += !want;
		verdict_free(full);
		verdict_free(bare);
		region_free(r);
		free_pair(p);
	}
	CHECK(inside > 300 && outside > 300);
}

/* Counts near 2^62, one off the boundary: a double could not decide. */
static void
points_are_exact(void)
{
	static const int64_t signature[] = {
		1, 1, 0, 1}, v[] = {INT64_C(1) << 62, INT64_C(1) << 62}, off[] = {(INT64_C(1) << 62) + 1,
		INT64_C(1) << 62
	};
	static const struct cone_limits limits[] = {{.seconds = 0}, {.seconds = -1}};

	for (int k = 0; k < 2; k++) {
		struct cone *c = cone_new(2, 2, signature, &limits[k]);
		struct region *on = point(v, 2), *outside = point(off, 2);
		struct verdict *a = verdict_new(c, on, &PLAIN), *b = verdict_new(c, outside, &PLAIN);

		test_label("%d", k);
		CHECK_INT(a->verdict, VERDICT_FEASIBLE);
		CHECK_INT(b->verdict, VERDICT_INFEASIBLE);
		check_certificate(c, b);
		verdict_free(a);
		verdict_free(b);
		region_free(on);
		region_free(outside);
		cone_free(c);
	}
}

/* If no certificate fits 64 bits, the answer may be "borderline", but never wrong. */
static void
points_with_long_certificates_are_not_guessed(void)
{
	static const int64_t signature[] = {(1L << 40) + 15, 7, 3, 5, (1L << 40) + 9, 11, 13, 2, (1L << 40) + 1};
	struct cone *c = cone_new(3, 3, signature, NULL);

	CHECK(!c->complete);
	for (int k = 0; k < 4; k++) {
		int64_t v[3];
		struct region *r;
		struct verdict *w;

		/* On the facet of the first two rays, and one count above or below it. */
		for (int i = 0; i < 3; i++)
			v[i] = 3 * signature[i] + 5 * signature[3 + i] + (i == 2 ? k - 1 : 0);
		if (k == 3)
			v[2] = 0;
		r = point(v, 3);
		w = verdict_new(c, r, &PLAIN);
		test_label("%d", k);
		if (k == 1 || k == 2)
			CHECK_INT(w->verdict, VERDICT_FEASIBLE);
		else
			CHECK(w->verdict == VERDICT_INFEASIBLE ||
				(k == 0 && w->verdict == VERDICT_BORDERLINE && w->reason));
		check_certificate(c, w);
		verdict_free(w);
		region_free(r);
	}
	cone_free(c);
}

/* Noisy samples around a random point. */
static struct region *
random_region(uint64_t *seed, const struct cone *c, double spread)
{
	size_t rows = 12 + test_random(seed) % 40;
	int64_t v[8];

	random_point(seed, c, 1000, v);
	return synthetic_region(v, c->n_counters, rows, spread, 0.2, seed);
}

/* The verdict by the ellipsoid's distance, and two ways to find the distance. */
static void
distances_agree_with_brute_force(void)
{
	uint64_t seed = 2;
	int seen[3] = {0};

	for (int round = 0; round < 400; round++) {
		struct pair p = random_cone(&seed, 5, 8);
		size_t n = p.full->n_counters;
		struct region *r = random_region(&seed, p.full, 3000);
		double *cov = region_covariance(r),
		       want = oracle_distance2(n, p.bare->n_signatures, p.bare->signature, r->mean, cov),
		       q = chi2_quantile(0.99, n);
		struct verdict *full = verdict_new(p.full, r, &PLAIN), *bare = verdict_new(p.bare, r, &PLAIN);
		enum verdict_kind kind = want <= q ? VERDICT_FEASIBLE : VERDICT_INFEASIBLE;

		free(cov);
		test_label("round %d", round);
		CHECK_NEAR(full->distance2, want, 1e-6 * (1 + want));
		CHECK_NEAR(bare->distance2, want, 1e-6 * (1 + want));
		CHECK_NEAR(full->threshold2, q, 1e-9);
		CHECK_NEAR(full->p, chi2_tail(want, n), 1e-5);
		CHECK_INT(full->verdict, kind);
		CHECK_INT(bare->verdict, kind);
		check_certificate(p.full, full);
		check_certificate(p.bare, bare);
		seen[kind]++;
		verdict_free(full);
		verdict_free(bare);
		region_free(r);
		free_pair(p);
	}
	CHECK(seen[VERDICT_FEASIBLE] > 50 && seen[VERDICT_INFEASIBLE] > 50);
}

/* True if the box, scaled by `grow`, meets the cone. With factors close to 1 this separates borderline cases from wrong
 * ones. */
static bool
box_meets(const struct cone *c, const struct region *r, enum region_kind kind, double q, double grow)
{
	size_t n = c->n_counters;
	double half[8];

	for (size_t i = 0; i < n; i++)
		half[i] = grow * sqrt(q * (kind == REGION_BOX ? r->eigenvalue[i] : r->spread.variance[i]));
	return oracle_box(n, c->n_signatures, c->signature, r->mean, kind == REGION_BOX ? r->eigenvector : NULL, half);
}

static void
boxes_agree_with_the_papers_program(void)
{
	uint64_t seed = 3;
	int seen[3][4] = {{0}};

	for (int round = 0; round < 500; round++) {
		struct pair p = random_cone(&seed, 5, 8);
		size_t n = p.full->n_counters;
		struct region *r = random_region(&seed, p.full, 3000);
		double q = chi2_quantile(0.99, n);

		region_axes(r);
		for (enum region_kind kind = REGION_BOX; kind <= REGION_INDEPENDENT; kind++) {
			struct verdict_options o = {.confidence = 0.99, .decides = kind, .threshold2 = q};
			struct verdict *v[2] = {verdict_new(p.full, r, &o), verdict_new(p.bare, r, &o)};

			for (int k = 0; k < 2; k++) {
				test_label("round %d %s %s facets", round, region_name(kind), k ? "without" : "with");
				seen[kind][v[k]->verdict]++;
				check_certificate(p.full, v[k]);
				CHECK_INT(v[k]->verdict, v[k]->region[kind]);
				switch (v[k]->verdict) {
				case VERDICT_FEASIBLE:
					CHECK(box_meets(p.full, r, kind, q, 1 + 1e-7));
					break;
				case VERDICT_INFEASIBLE:
					CHECK(!box_meets(p.full, r, kind, q, 1 - 1e-7));
					CHECK_INT(v[k]->region[REGION_ELLIPSOID], VERDICT_INFEASIBLE);
					break;
				case VERDICT_BORDERLINE:
				case VERDICT_UNDECIDED:
					CHECK(false);
					break;
				}
				verdict_free(v[k]);
			}
		}
		region_free(r);
		free_pair(p);
	}
	for (enum region_kind kind = REGION_BOX; kind <= REGION_INDEPENDENT; kind++)
		CHECK(seen[kind][VERDICT_FEASIBLE] > 100 && seen[kind][VERDICT_INFEASIBLE] > 100);
}

/* Listed violations are broken by the whole region, worst first; margins and excesses follow their definitions. */
static void
violations_are_of_the_whole_region(void)
{
	/* a ≤ b, and c = a + b. */
	static const int64_t signature[] = {0, 1, 1, 1, 1, 2};
	static const int64_t count[] = {
		200, 100, 700, 202, 99, 702, 198, 101, 698, 201, 100, 699, 199, 101, 701, 200, 99, 700, 201, 101, 702,
		199, 99, 698
	};
	struct samples s = {.n_counters = 3, .n_rows = 8, .count = count, .independent = true};
	struct cone *c = cone_new(3, 2, signature, NULL);
	struct region *r = region_new(&s, false);
	struct verdict *v;

	for (enum region_kind kind = REGION_ELLIPSOID; kind <= REGION_INDEPENDENT; kind++) {
		struct verdict_options o = {.confidence = 0.9, .decides = kind};

		v = verdict_new(c, r, &o);
		test_label("%s", region_name(kind));
		CHECK_INT(v->verdict, VERDICT_INFEASIBLE);
		if (CHECK_INT(v->n_violated, 2)) {
			CHECK(v->violated[0].equality);
			CHECK_NEAR(fabs(v->violated[0].excess), 400, 1e-9);
			CHECK_NEAR(v->violated[1].excess, -100, 1e-9);
			CHECK(v->violated[0].margin > v->violated[1].margin && v->violated[1].margin > 0);
			/* Less than at the mean itself, because noise takes a part of it: |excess| over
			 * Σ|coef|·mean. */
			CHECK(v->violated[0].margin < 400 / 1000. && v->violated[1].margin < 100 / 300.);
		}
		verdict_free(v);
	}
	region_free(r);
	r = point(count, 3);
	v = verdict_new(c, r, &PLAIN);
	if (CHECK_INT(v->n_violated, 2)) {
		CHECK_NEAR(v->violated[0].margin, 0.4, 1e-12);
		CHECK_NEAR(v->violated[1].margin, 100 / 300., 1e-12);
	}
	verdict_free(v);
	region_free(r);
	cone_free(c);
}

/* A threshold equal to the distance is borderline; a slightly different one is not. */
static void
the_boundary_is_borderline(void)
{
	uint64_t seed = 4;
	int tried = 0;

	while (tried < 40) {
		struct pair p = random_cone(&seed, 5, 8);
		struct region *r = random_region(&seed, p.full, 3000);
		struct verdict *v = verdict_new(p.full, r, &PLAIN);
		static const double factor[] = {1, 1 + 5e-7, 1 - 5e-7, 1 + 2e-6, 1 - 2e-6};

		for (int k = 0; k < 5 && v->distance2 > 1e-3; k++) {
			struct verdict_options o = {.confidence = 0.99, .threshold2 = v->distance2 * factor[k]};
			struct verdict *w = verdict_new(p.full, r, &o);

			tried++;
			test_label("factor %g", factor[k]);
			CHECK_INT(w->verdict,
				k < 3                   ? VERDICT_BORDERLINE
					: factor[k] > 1 ? VERDICT_FEASIBLE
							: VERDICT_INFEASIBLE);
			CHECK((w->reason != NULL) == (k < 3));
			CHECK(w->certificate == NULL || k == 4);
			verdict_free(w);
		}
		verdict_free(v);
		region_free(r);
		free_pair(p);
	}
}

/* The box touches the cone when scaled by the ratio of its best direction; there the verdict is borderline. */
static void
a_touching_box_is_borderline(void)
{
	/* Cone a ≤ b; mean (300, 100): the independent box with half-width h in each direction touches it at h =
	 * 100. */
	static const int64_t signature[] = {0, 1, 1, 1}, count[] = {311, 111, 289, 111, 311, 89, 289, 89};
	static const struct { double half; enum verdict_kind want; } row[] = {
		{100, VERDICT_BORDERLINE}, {100 * (1 + 5e-7), VERDICT_BORDERLINE}, {100 * (1 + 3e-6),
			VERDICT_FEASIBLE}, {100 * (1 - 3e-6), VERDICT_INFEASIBLE},
	};
	struct samples s = {.n_counters = 2, .n_rows = 4, .count = count, .independent = true};
	struct region *r = region_new(&s, false);

	for (int bare = 0; bare < 2; bare++) {
		struct cone_limits limits = {.seconds = bare ? -1 : 0};
		struct cone *c = cone_new(2, 2, signature, &limits);

		for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
			/* Both variances nearly agree; the larger floor changes them by less than 1e-9. */
			double sd = (sqrt(r->spread.variance[0]) + sqrt(r->spread.variance[1])) / 2;
			struct verdict_options o = {.confidence = 0.99,
				.decides = REGION_INDEPENDENT,
				.threshold2 = row[k].half * row[k].half / sd / sd};
			struct verdict *v = verdict_new(c, r, &o);

			test_label("half %.9g bare %d", row[k].half, bare);
			CHECK_INT(v->verdict, row[k].want);
			verdict_free(v);
		}
		cone_free(c);
	}
	region_free(r);
}

static void
flows_add_up_to_the_observation(void)
{
	uint64_t seed = 5;
	int flows = 0;

	for (int round = 0; round < 200; round++) {
		struct pair p = random_cone(&seed, 5, 8);
		size_t n = p.full->n_counters;
		struct region *r = random_region(&seed, p.full, 3000);
		struct verdict_options o = {.confidence = 0.99, .flow = true, .decides = (enum region_kind)(round % 3)};
		const struct cone *c = round % 2 ? p.full : p.bare;
		struct verdict *v = verdict_new(c, r, &o);
		double d[8], d2 = 0, q = chi2_quantile(0.99, n);

		test_label("round %d", round);
		CHECK((v->flow != NULL) == (v->verdict == VERDICT_FEASIBLE));
		if (v->flow) {
			flows++;
			for (size_t i = 0; i < n; i++)
				d[i] = -r->mean[i];
			for (size_t k = 0; k < v->flow->n; k++) {
				CHECK(v->flow->term[k].uops > 0);
				for (size_t i = 0; i < n; i++)
					d[i] += v->flow->term[k].uops * (double)c->ray[v->flow->term[k].ray * n + i];
			}
			region_axes(r);
			for (size_t k = 0; k < n; k++) {
				double t = 0;

				for (size_t i = 0; i < n; i++)
					t += r->eigenvector[k * n + i] * d[i];
				d2 += t * t / r->eigenvalue[k];
				CHECK(o.decides != REGION_BOX || fabs(t) <= sqrt(r->eigenvalue[k] * q) * (1 + 1e-6));
				CHECK(o.decides != REGION_INDEPENDENT ||
					fabs(d[k]) <= sqrt(r->spread.variance[k] * q) * (1 + 1e-6));
			}
			CHECK(o.decides != REGION_ELLIPSOID || d2 <= q * (1 + 1e-6));
		}
		verdict_free(v);
		region_free(r);
		free_pair(p);
	}
	CHECK(flows > 50);
}

static void
points_have_flows_too(void)
{
	static const int64_t signature[] = {1, 0, 1, 1, 1, 0, 2, 2, 1}, v[] = {8, 5, 5};
	struct cone *c = cone_new(3, 3, signature, NULL);
	struct region *r = point(v, 3);
	struct verdict_options o = {.confidence = 0.99, .flow = true};
	struct verdict *w = verdict_new(c, r, &o);

	CHECK_INT(w->verdict, VERDICT_FEASIBLE);
	for (size_t i = 0; i < 3 && CHECK(w->flow); i++) {
		double s = 0;

		for (size_t k = 0; k < w->flow->n; k++)
			s += w->flow->term[k].uops * (double)c->ray[w->flow->term[k].ray * 3 + i];
		CHECK_NEAR(s, (double)v[i], 1e-9);
	}
	verdict_free(w);
	region_free(r);
	cone_free(c);
}

/* The place of a region across a row: its mean, and the reach of each kind of region; torn samples add to all. */
static void
across_a_row(void)
{
	static const int64_t count[] = {10, 30, 14, 30, 12, 36, 16, 40, 13, 34};
	static const int64_t row[] = {3, -1};
	struct samples s = {.n_counters = 2, .n_rows = 5, .count = count, .independent = true};
	struct region *r = region_new(&s, false);
	double q = chi2_quantile(0.99, 2), tear[] = {0.5, 2}, *none = r->slack;
	double variance = 9 * r->spread.variance[0] - 6 * spread_at(&r->spread, r->n, 0, 1) + r->spread.variance[1];
	struct across x = verdict_across(r, row, REGION_ELLIPSOID, q), wide;

	CHECK_NEAR(x.at, 3 * 13 - 34, 1e-9);
	CHECK_NEAR(x.size, 3 * 13 + 34, 1e-9);
	CHECK_NEAR(x.reach, sqrt(q * variance), 1e-9);
	CHECK_NEAR(verdict_across(r, row, REGION_INDEPENDENT, q).reach,
		sqrt(q) * (3 * sqrt(r->spread.variance[0]) + sqrt(r->spread.variance[1])), 1e-9);
	CHECK(verdict_across(r, row, REGION_BOX, q).reach >= x.reach * (1 - 1e-12));
	CHECK_NEAR(verdict_across(r, row, REGION_ELLIPSOID, NAN).reach, 0, 0);
	r->slack = tear;
	wide = verdict_across(r, row, REGION_ELLIPSOID, q);
	CHECK_NEAR(wide.reach - x.reach, 3 * 0.5 + 2, 1e-9);
	r->slack = none;
	region_free(r);
	r = region_new(&(struct samples){.n_counters = 2, .n_rows = 1, .count = count}, true);
	CHECK_NEAR(verdict_across(r, row, REGION_ELLIPSOID, 0).reach, 0, 0);
	CHECK_NEAR(verdict_across(r, row, REGION_ELLIPSOID, 0).at, 0, 1e-12);
	region_free(r);
}

TEST_MAIN(CASE(across_a_row), CASE(points_agree_with_the_exact_simplex), CASE(points_are_exact),
	CASE(points_with_long_certificates_are_not_guessed), CASE(distances_agree_with_brute_force),
	CASE(boxes_agree_with_the_papers_program), CASE(violations_are_of_the_whole_region),
	CASE(the_boundary_is_borderline), CASE(a_touching_box_is_borderline), CASE(flows_add_up_to_the_observation),
	CASE(points_have_flows_too))
