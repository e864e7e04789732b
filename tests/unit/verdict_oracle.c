/* Verdicts on cones of middle and large size (with facets, grown, without facets, facets given up) compared with
 * independent answers:
 *
 *   points      GLPK's exact simplex on the flow equations
 *   boxes       the same simplex on the paper's own program
 *   ellipsoids  a proof of each answer by plain arithmetic: flows that add up to a point of the region, or a direction
 *               that has all signatures on one side and the region on the other */
#include "core/verdict/verdict.h"
#include "core/verdict/witness.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/stats/region.h"
#include "core/stats/tails.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "exact.h"
#include "models.h"
#include "oracle.h"
#include "synthetic.h"
#include "test.h"
#include "text/diag.h"
#include "work/analysis/cones.h"

#define N_MAX 20

/* One cone in several states. */
#define STATES_MAX 3
struct states {
	size_t n_states;
	struct cone *cone[STATES_MAX];
};

static int64_t *
random_signatures(uint64_t *seed, size_t n, size_t m)
{
	int64_t *s = mem_new_array(n * m, sizeof *s);

	for (size_t i = 0; i < n * m; i++)
		s[i] = test_random(seed) % 3 ? 0 : (int64_t)(1 + test_random(seed) % 4);
	return s;
}

/* Built at once, grown from some of its signatures, and without facets. */
static struct states
states_new(size_t n, size_t m, const int64_t *s)
{
	static const struct cone_limits none = {.seconds = -1};
	struct cone *part = cone_new(n, m / 2, s, NULL);
	const struct cone *from[] = {part};
	struct states t = {3, {cone_new(n, m, s, NULL), cone_grow(from, 1, n, m, s, NULL), cone_new(n, m, s, &none)}};

	cone_free(part);
	return t;
}

static void
states_free(struct states *t)
{
	for (size_t k = 0; k < t->n_states; k++)
		cone_free(t->cone[k]);
}

/* A total inside the cone, one count outside, or anywhere. */
static void
random_total(uint64_t *seed, const struct cone *c, int64_t scale, int64_t *v)
{
	uint64_t kind = test_random(seed) % 5 / 2; /* 0 anywhere, 1 one count outside, 2 inside */

	/* A few large counts and many small ones are hardly ever inside. */
	for (size_t i = 0; i < c->n_counters; i++)
		v[i] = kind == 0 ? (int64_t)(test_random(seed) % 3 ? 0 : test_random(seed) % 20) * scale : 0;
	for (size_t k = 0; k < c->n_signatures && kind > 0; k++) {
		int64_t f = test_random(seed) % 4 ? 0 : (int64_t)(test_random(seed) % 9) * scale;

		for (size_t i = 0; i < c->n_counters; i++)
			v[i] += f * c->signature[k * c->n_counters + i];
	}
	if (kind == 1)
		v[test_random(seed) % c->n_counters] += 1;
}

static struct region *
point_of(const int64_t *v, size_t n)
{
	return region_new(&(struct samples){.n_counters = n, .n_rows = 1, .count = v}, true);
}

static struct region *
noisy_region(uint64_t *seed, const struct cone *c, double spread)
{
	size_t n = c->n_counters, rows = 3 * n + test_random(seed) % 20;
	int64_t v[N_MAX];

	random_total(seed, c, 1000, v);
	return synthetic_region(v, n, rows, spread, 0.3, seed);
}

/* (v − Y)ᵀ Σ⁻¹ (v − Y), by elimination with pivots in long double. */
static long double
mahalanobis(const struct region *r, const long double *v)
{
	size_t n = r->n;
	long double a[N_MAX * N_MAX], d[N_MAX], b[N_MAX], sum = 0;

	for (size_t i = 0; i < n * n; i++)
		a[i] = spread_at(&r->spread, n, i / n, i % n);
	for (size_t i = 0; i < n; i++)
		b[i] = d[i] = v[i] - r->mean[i];
	for (size_t c = 0; c < n; c++) {
		size_t p = c;

		for (size_t i = c + 1; i < n; i++)
			if (fabsl(a[i * n + c]) > fabsl(a[p * n + c]))
				p = i;
		for (size_t j = 0; j < n && p != c; j++) {
			long double t = a[p * n + j];

			a[p * n + j] = a[c * n + j];
			a[c * n + j] = t;
		}
		if (p != c) {
			long double t = b[p];

			b[p] = b[c];
			b[c] = t;
		}
		for (size_t i = c + 1; i < n; i++) {
			long double f = a[i * n + c] / a[c * n + c];

			for (size_t j = c; j < n; j++)
				a[i * n + j] -= f * a[c * n + j];
			b[i] -= f * b[c];
		}
	}
	for (size_t i = n; i-- > 0;) {
		for (size_t j = i + 1; j < n; j++)
			b[i] -= a[i * n + j] * b[j];
		b[i] /= a[i * n + i];
		sum += b[i] * d[i];
	}
	return sum;
}

/* Checks the proof of each answer about an ellipsoid. */
static void
check_proof(const struct cone *c, const struct region *r, const struct verdict *v)
{
	size_t n = c->n_counters;
	long double point[N_MAX] = {0}, at_mean = 0, variance = 0;

	if (v->verdict == VERDICT_FEASIBLE) {
		if (!CHECK(v->flow != NULL))
			return;
		for (size_t k = 0; k < v->flow->n; k++) {
			CHECK(v->flow->term[k].uops > 0);
			for (size_t i = 0; i < n; i++)
				point[i] += (long double)v->flow->term[k].uops *
					(long double)c->ray[v->flow->term[k].ray * n + i];
		}
		CHECK(mahalanobis(r, point) <= (long double)v->threshold2 * (1 + 1e-5L));
		return;
	}
	if (!CHECK_INT(v->verdict, VERDICT_INFEASIBLE) || !CHECK(v->certificate && v->verified))
		return;
	for (size_t k = 0; k < c->n_signatures; k++)
		CHECK(exact_dot(v->certificate, c->signature + k * n, n) >= 0);
	for (size_t i = 0; i < n; i++) {
		at_mean += (long double)v->certificate[i] * r->mean[i];
		for (size_t j = 0; j < n; j++)
			variance += (long double)v->certificate[i] * (long double)v->certificate[j] *
				spread_at(&r->spread, n, i, j);
	}
	CHECK(at_mean < 0);
	CHECK(at_mean * at_mean > (long double)v->threshold2 * variance * (1 - 1e-9L));
}

static void
check_points(uint64_t *seed, const struct states *t, int rounds, int *seen)
{
	const struct cone *c = t->cone[0];
	size_t n = c->n_counters;

	for (int k = 0; k < rounds; k++) {
		struct verdict_options o = {.confidence = 0.99};
		int64_t v[N_MAX];
		double as_double[N_MAX];
		struct region *r;
		bool inside;

		random_total(seed, c, k % 2 ? 1 : 10007, v);
		for (size_t i = 0; i < n; i++)
			as_double[i] = (double)v[i];
		inside = oracle_point(n, c->n_signatures, c->signature, as_double);
		r = point_of(v, n);
		for (size_t s = 0; s < t->n_states; s++) {
			struct verdict *w = verdict_new(t->cone[s], r, &o);

			CHECK_INT(w->verdict, inside ? VERDICT_FEASIBLE : VERDICT_INFEASIBLE);
			if (w->verdict == VERDICT_INFEASIBLE) {
				CHECK(exact_dot(w->certificate, v, n) < 0);
				for (size_t i = 0; i < c->n_signatures; i++)
					CHECK(exact_dot(w->certificate, c->signature + i * n, n) >= 0);
			}
			verdict_free(w);
		}
		seen[inside]++;
		region_free(r);
	}
}

static bool
box_meets(const struct cone *c, const struct region *r, enum region_kind kind, double q, double grow)
{
	size_t n = c->n_counters;
	double half[N_MAX];

	for (size_t i = 0; i < n; i++)
		half[i] = grow * sqrt(q * (kind == REGION_BOX ? r->eigenvalue[i] : r->spread.variance[i]));
	return oracle_box(n, c->n_signatures, c->signature, r->mean, kind == REGION_BOX ? r->eigenvector : NULL, half);
}

static void
check_regions(uint64_t *seed, const struct states *t, int rounds, int *seen)
{
	const struct cone *c = t->cone[0];

	for (int k = 0; k < rounds; k++) {
		struct verdict_options o = {
			.confidence = 0.99, .flow = true, .threshold2 = chi2_quantile(0.99, c->n_counters)};
		struct region *r = noisy_region(seed, c, k % 2 ? 3000 : 300);
		struct verdict *first = verdict_new(c, r, &o);

		region_axes(r);
		check_proof(c, r, first);
		for (enum region_kind kind = REGION_BOX; kind <= REGION_INDEPENDENT; kind++) {
			bool meets = box_meets(c, r, kind, o.threshold2,
				first->region[kind] == VERDICT_FEASIBLE ? 1 + 1e-7 : 1 - 1e-7);

			CHECK_INT(first->region[kind], meets ? VERDICT_FEASIBLE : VERDICT_INFEASIBLE);
		}
		for (size_t s = 1; s < t->n_states; s++) {
			struct verdict *w = verdict_new(t->cone[s], r, &o);

			check_proof(t->cone[s], r, w);
			CHECK_NEAR(w->distance2, first->distance2, 1e-6 * (1 + first->distance2));
			for (size_t i = 0; i < 3; i++)
				CHECK_INT(w->region[i], first->region[i]);
			verdict_free(w);
		}
		seen[first->verdict]++;
		verdict_free(first);
		region_free(r);
	}
}

static void
facets_growth_and_rays_agree_with_exact_programs(void)
{
	uint64_t seed = 1;
	int points[2] = {0}, regions[4] = {0};

	for (int round = 0; round < (int)test_rounds(60, 3000); round++) {
		size_t n = 3 + test_random(&seed) % 7, m = 2 + test_random(&seed) % 30;
		int64_t *s = random_signatures(&seed, n, m);
		struct states t = states_new(n, m, s);

		test_label("round %d, %zu × %zu", round, m, n);
		CHECK(t.cone[0]->complete && t.cone[1]->complete && !t.cone[2]->complete);
		if (t.cone[0]->n_signatures > 0) {
			check_points(&seed, &t, 4, points);
			check_regions(&seed, &t, 2, regions);
		}
		states_free(&t);
		free(s);
	}
	CHECK(points[0] > 50 && points[1] > 50);
	CHECK(regions[VERDICT_FEASIBLE] > 20 && regions[VERDICT_INFEASIBLE] > 10);
}

/* 20 counters have too many facets: they are given up, and the verdicts are still right. */
static void
given_up_cones_agree_with_exact_programs(void)
{
	struct cone_limits limits = {.seconds = 0.005};
	uint64_t seed = 2;
	int points[2] = {0}, regions[4] = {0};

	for (int round = 0; round < (int)test_rounds(6, 60); round++) {
		size_t n = 20, m = 60 + test_random(&seed) % 40;
		int64_t *s = random_signatures(&seed, n, m);
		struct states t = {1, {cone_new(n, m, s, &limits)}};

		test_label("round %d, %zu × %zu", round, m, n);
		CHECK(!t.cone[0]->complete);
		check_points(&seed, &t, 4, points);
		check_regions(&seed, &t, 2, regions);
		states_free(&t);
		free(s);
	}
	CHECK(points[0] > 5 && points[1] > 5);
	CHECK(regions[VERDICT_FEASIBLE] > 2 && regions[VERDICT_INFEASIBLE] > 2);
}

static struct signatures *
walk_anew(const struct udd_model *m, const struct fset *on)
{
	struct diags d = {0};
	struct udd_diagram *g = udd_expand(m, on, &d);
	struct signatures *s = signatures_new(g, &d);

	udd_diagram_free(g);
	diags_free(&d);
	return s;
}

/* Totals of one choice's flows, with verdicts by other choices of the model, whose cones come from the cache. */
static void
toggled_models_agree_with_the_exact_simplex(void)
{
	uint64_t seed = 3;
	int seen[2] = {0};

	for (int round = 0; round < (int)test_rounds(60, 2000); round++) {
		struct udd_model *m = model_random(&seed);
		struct cones *cones = cones_new(m, 0);
		struct fset on = {{test_random(&seed) % (1u << RANDOM_MODEL_FEATURES)}};
		struct signatures *truth = walk_anew(m, &on);
		size_t n = m->n_counters;
		bool all[RANDOM_MODEL_COUNTERS] = {true, true, true, true, true};
		int64_t v[N_MAX] = {0};
		double as_double[N_MAX];
		struct region *r;

		for (size_t k = 0; k < truth->n; k++) {
			int64_t f = test_random(&seed) % 2 ? 0 : (int64_t)(test_random(&seed) % 1000);

			for (size_t i = 0; i < n; i++)
				v[i] += f * truth->coef[k * n + i];
		}
		for (size_t i = 0; i < n; i++)
			as_double[i] = (double)v[i];
		r = point_of(v, n);
		for (int step = 0; step < 12; step++) {
			struct signatures *s = walk_anew(m, &on);
			const struct cone *c;
			struct verdict *w;
			bool inside = oracle_point(n, s->n, s->coef, as_double);

			cones_begin(cones);
			c = cones_get(cones, &on, all);
			w = verdict_new(c, r, &(struct verdict_options){.confidence = 0.99});
			test_label("round %d step %d", round, step);
			CHECK_INT(w->verdict, inside ? VERDICT_FEASIBLE : VERDICT_INFEASIBLE);
			CHECK(inside || step > 0);
			seen[inside]++;
			verdict_free(w);
			signatures_free(s);
			on.w[0] ^= UINT64_C(1) << test_random(&seed) % RANDOM_MODEL_FEATURES;
		}
		region_free(r);
		signatures_free(truth);
		cones_free(cones);
		udd_free(m);
	}
	CHECK(seen[0] > 100 && seen[1] > 100);
}

TEST_MAIN(CASE(facets_growth_and_rays_agree_with_exact_programs), CASE(given_up_cones_agree_with_exact_programs),
	CASE(toggled_models_agree_with_the_exact_simplex))
