/* Lightest hitting sets and proposed signatures (core/search), compared with brute force on small random families and
 * cones. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/cone/separate.h"
#include "core/search/hitting.h"
#include "core/search/lattice.h"
#include "core/search/propose.h"
#include "tests/lib/test.h"

#define ELEMENTS 10
#define SETS 12

static uint64_t
weight_of(uint32_t bits, const uint64_t *weight)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < ELEMENTS; i++)
		sum += bits >> i & 1 ? weight[i] : 0;
	return sum;
}

static bool
meets_all(uint32_t bits, const uint64_t *set, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!(set[i] & bits))
			return false;
	return true;
}

static void
hitting_sets_are_lightest(void)
{
	uint64_t seed = 1;

	for (unsigned round = 0; round < test_rounds(400, 20000); round++) {
		uint64_t set[SETS], weight[ELEMENTS], best = UINT64_MAX;
		size_t n = test_random(&seed) % (SETS + 1);
		bool plain = round % 2;
		uint32_t bits = 0;
		size_t work = HITTING_WORK_MAX;
		struct hitting h;

		for (size_t i = 0; i < n; i++)
			set[i] = (test_random(&seed) & test_random(&seed) & ((1u << ELEMENTS) - 1)) |
				UINT64_C(1) << test_random(&seed) % ELEMENTS;
		for (size_t i = 0; i < ELEMENTS; i++)
			weight[i] = plain ? 1 : 1 + test_random(&seed) % 5;
		for (uint32_t k = 0; k < 1u << ELEMENTS; k++)
			if (meets_all(k, set, n) && weight_of(k, weight) < best)
				best = weight_of(k, weight);
		test_label("round %u", round);
		if (!CHECK(hitting_find(ELEMENTS, plain ? NULL : weight, n, set, &work, &h)))
			continue;
		for (size_t i = 0; i < h.n; i++) {
			CHECK(i == 0 || h.element[i] > h.element[i - 1]);
			bits |= 1u << h.element[i];
		}
		CHECK(meets_all(bits, set, n));
		CHECK(h.proven);
		CHECK_INT(h.weight, best);
		CHECK_INT(weight_of(bits, weight), best);
		free(h.element);
	}
}

/* With no budget the answer is still a hitting set, and not claimed to be the lightest. */
static void
giving_up_is_said(void)
{
	static const uint64_t set[] = {3, 6, 5, 24, 48, 40, 0x180, 0x300, 0x280};
	size_t work = 0;
	struct hitting h;
	uint32_t bits = 0;

	if (CHECK(hitting_find(ELEMENTS, NULL, 9, set, &work, &h))) {
		for (size_t i = 0; i < h.n; i++)
			bits |= 1u << h.element[i];
		CHECK(meets_all(bits, set, 9));
		CHECK(!h.proven);
		free(h.element);
	}
	CHECK(!hitting_find(ELEMENTS, NULL, 2, (const uint64_t[]){1, 0}, &work, &h)); /* no set meets an empty one */
}

static void
a_refusal_is_of_usable_models(void)
{
	uint64_t refuted[][1] = {{0x6}, {0xa}, {0}, {0x14}};
	struct search_graph_model model[] = {
		{.refuted = refuted[0], .infeasible = 2, .usable = true},
		{.refuted = refuted[1], .infeasible = 2, .usable = true},
		{.refuted = refuted[2], .usable = false},
		{.refuted = refuted[3], .infeasible = 2, .usable = true},
	};
	struct search_graph l = {.model = model, .n_models = 4};
	struct hitting h;

	if (CHECK(hitting_refusal(&l, 5, &h))) {
		CHECK_INT(h.n, 2); /* 1 meets the first two sets; 2 or 4 the third */
		CHECK_INT(h.element[0], 1);
		free(h.element);
	}
	model[2].usable = true; /* it survives */
	CHECK(!hitting_refusal(&l, 5, &h));
	l.n_models = 0;
	CHECK(!hitting_refusal(&l, 5, &h));
}

/* Exact points and a cone of a few rays. */
#define COUNTERS 3
#define RAYS 4
#define POINTS 3
struct world {
	size_t n_rays, n_points;
	int64_t ray[RAYS * COUNTERS], point[POINTS * COUNTERS];
	size_t asked, stop_after;
};

static enum propose_answer
judge(void *ctx, size_t observation, size_t n, const int64_t *vector, int64_t *certificate)
{
	static const int64_t one[COUNTERS] = {1, 1, 1};
	struct world *w = ctx;
	int64_t ray[(RAYS + 8) * COUNTERS];
	bool likely[RAYS + 8] = {0};
	i128 sum[COUNTERS];

	if (w->stop_after && w->asked++ == w->stop_after)
		return PROPOSE_STOPPED;
	if (!CHECK(n <= 8))
		return PROPOSE_UNKNOWN;
	memcpy(ray, w->ray, w->n_rays * COUNTERS * sizeof *ray);
	memcpy(ray + w->n_rays * COUNTERS, vector, n * COUNTERS * sizeof *ray);
	for (size_t i = 0; i < COUNTERS; i++)
		sum[i] = w->point[observation * COUNTERS + i];
	switch (cone_separate(COUNTERS, w->n_rays + n, ray, sum, one, likely, 10, certificate)) {
	case SEPARATE_INSIDE:
		return PROPOSE_TAKEN;
	case SEPARATE_OUTSIDE:
		return PROPOSE_REFUTED;
	case SEPARATE_TOO_LONG:
	case SEPARATE_GAVE_UP:
		break;
	}
	return PROPOSE_UNKNOWN;
}

/* Independent of the program: facets, not certificates. */
static size_t
takes(const struct world *w, const int64_t *vector, size_t n, bool *which)
{
	int64_t row[(RAYS + 8) * COUNTERS];
	size_t taken = 0;
	struct cone *c;

	memcpy(row, w->ray, w->n_rays * COUNTERS * sizeof *row);
	if (n)
		memcpy(row + w->n_rays * COUNTERS, vector, n * COUNTERS * sizeof *row);
	c = cone_new(COUNTERS, w->n_rays + n, row, &(struct cone_limits){0});
	CHECK(c->complete);
	for (size_t p = 0; p < w->n_points; p++) {
		bool in = true;

		for (size_t k = 0; k < c->n_equalities + c->n_inequalities; k++) {
			bool equality = k < c->n_equalities;
			const int64_t *a = equality ? c->equality + k * COUNTERS
						    : c->inequality + (k - c->n_equalities) * COUNTERS;
			int64_t d = 0;

			for (size_t i = 0; i < COUNTERS; i++)
				d += a[i] * w->point[p * COUNTERS + i];
			in &= equality ? d == 0 : d >= 0;
		}
		if (which)
			which[p] = in;
		taken += in;
	}
	cone_free(c);
	return taken;
}

/* All vectors in the documented order; `out` has room. */
static size_t
all_vectors(size_t counters_max, int64_t sum_max, int64_t (*out)[COUNTERS])
{
	size_t n = 0;

	for (size_t size = 1; size <= counters_max; size++)
		for (int64_t sum = 1; sum <= (size == 1 ? 1 : sum_max); sum++)
			/* sets of counters in order: 0, 01, 012, 02, 1, 12, 2 */
			for (int turn = 0; turn < 8; turn++) {
				static const int order[] = {1, 3, 7, 5, 2, 6, 4, 0};
				int which = order[turn];

				if ((size_t)__builtin_popcount((unsigned)which) != size)
					continue;
				for (int64_t a = 0; a <= sum; a++)
					for (int64_t b = 0; a + b <= sum; b++) {
						int64_t c = sum - a - b, x = a, y = b, rest;

						if ((a > 0) != (which & 1) || (b > 0) != (which >> 1 & 1) ||
							(c > 0) != (which >> 2 & 1))
							continue;
						for (int64_t k = 0; k < 2; k++) {
							while (y) {
								rest = x % y;
								x = y;
								y = rest;
							}
							y = c;
						}
						while (y) {
							rest = x % y;
							x = y;
							y = rest;
						}
						if (x == 1)
							memcpy(out[n++], (int64_t[]){a, b, c}, sizeof *out);
					}
			}
	return n;
}

static void
make_world(struct world *w, uint64_t *seed)
{
	do {
		*w = (struct world){.n_rays = 1 + test_random(seed) % RAYS, .n_points = 1 + test_random(seed) % POINTS};
		for (size_t i = 0; i < w->n_rays * COUNTERS; i++)
			w->ray[i] = (int64_t)(test_random(seed) % 3);
		for (size_t i = 0; i < w->n_points * COUNTERS; i++)
			w->point[i] = (int64_t)(test_random(seed) % 9);
	} while (takes(w, NULL, 0, NULL) > 0);
}

static void
check_alternatives(const struct world *w, const struct proposals *p, size_t at, const int64_t *chosen)
{
	const struct proposed *x = &p->one[at];
	int64_t set[8 * COUNTERS];
	bool which[POINTS];
	int64_t sum = x->own.vector[0] + x->own.vector[1] + x->own.vector[2];

	takes(w, x->own.vector, 1, which);
	for (size_t i = 0; i < w->n_points; i++)
		CHECK_INT(x->own.repaired[i], which[i]);
	memcpy(set, chosen, p->n * COUNTERS * sizeof *set);
	memmove(set + at * COUNTERS, set + (at + 1) * COUNTERS, (p->n - at - 1) * COUNTERS * sizeof *set);
	CHECK_INT(x->needed, w->n_points - takes(w, set, p->n - 1, NULL));
	CHECK(x->needed > 0);
	for (size_t k = 0; k < x->n_alternatives; k++) {
		const int64_t *s = x->alternative[k].vector;

		memcpy(set + (p->n - 1) * COUNTERS, s, COUNTERS * sizeof *s);
		CHECK_INT(takes(w, set, p->n, NULL), w->n_points);
		CHECK_INT(s[0] + s[1] + s[2], sum);
		CHECK(memcmp(s, x->own.vector, COUNTERS * sizeof *s) != 0);
		CHECK_INT(x->alternative[k].repairs, takes(w, s, 1, NULL));
		CHECK(k == 0 || x->alternative[k - 1].repairs >= x->alternative[k].repairs);
	}
}

static void
proposals_are_smallest(void)
{
	static int64_t alone[2000][COUNTERS], pool[200][COUNTERS];
	size_t n_alone = all_vectors(COUNTERS, PROPOSE_SUM_MAX, alone),
	       n_pool = all_vectors(PROPOSE_POOL_COUNTERS_MAX, PROPOSE_POOL_SUM_MAX, pool);
	static const bool use[COUNTERS] = {true, true, true};
	uint64_t seed = 7;
	size_t single = 0, several = 0;

	for (unsigned round = 0; round < test_rounds(150, 3000); round++) {
		struct world w;
		struct propose_problem problem = {.n_counters = COUNTERS, .use = use, .judge = judge, .ctx = &w};
		int64_t chosen[8 * COUNTERS];
		struct proposals *p;
		size_t first = 0;

		make_world(&w, &seed);
		problem.n_observations = w.n_points;
		p = propose(&problem);
		test_label("round %u", round);
		if (!CHECK(p) || !CHECK(p->whole) || !CHECK(p->smallest) || !CHECK(p->n >= 1 && p->n <= COUNTERS)) {
			proposals_free(p);
			continue;
		}
		for (size_t i = 0; i < p->n; i++)
			memcpy(chosen + i * COUNTERS, p->one[i].own.vector, COUNTERS * sizeof *chosen);
		CHECK_INT(takes(&w, chosen, p->n, NULL), w.n_points);
		while (first < n_alone && takes(&w, alone[first], 1, NULL) < w.n_points)
			first++;
		if (first < n_alone) {
			single++;
			CHECK_INT(p->n, 1);
			CHECK(memcmp(chosen, alone[first], sizeof *alone) == 0);
		} else {
			several++;
			CHECK(p->n >= 2);
			for (size_t a = 0; a < n_pool && p->n > 2; a++)
				for (size_t b = 0; b < a; b++) {
					int64_t pair[2 * COUNTERS];

					memcpy(pair, pool[a], sizeof *pool);
					memcpy(pair + COUNTERS, pool[b], sizeof *pool);
					CHECK(takes(&w, pair, 2, NULL) < w.n_points);
				}
		}
		for (size_t i = 0; i < p->n; i++)
			check_alternatives(&w, p, i, chosen);
		proposals_free(p);
	}
	CHECK(single > 20); /* both outcomes occur */
	CHECK(several > 20);
}

static void
limits_are_said(void)
{
	static const bool use[COUNTERS] = {true, true, true}, some[COUNTERS] = {true, true, false};
	struct world w = {.n_rays = 1, .n_points = 2, .ray = {1, 1, 1}, .point = {5, 3, 1, 1, 3, 5}};
	struct propose_problem problem = {
		.n_counters = COUNTERS, .n_observations = 2, .use = use, .judge = judge, .ctx = &w, .tests_max = 3};
	struct proposals *p = propose(&problem);

	if (CHECK(p)) {
		CHECK(p->whole && !p->smallest);
		CHECK_STR(p->reason,
			"the limit of work was reached before it was known whether fewer or smaller ones suffice");
		CHECK_INT(p->n, 3); /* (5, 3, 1) needs the first two, (1, 3, 5) the last two */
		for (size_t i = 0; i < p->n; i++) {
			const int64_t *s = p->one[i].own.vector;

			CHECK_INT(s[0] + s[1] + s[2], 1);
			CHECK(p->one[i].needed > 0);
		}
	}
	proposals_free(p);
	problem.tests_max = 0;
	problem.visited_max = 2; /* single vectors are given up, and most sets too */
	p = propose(&problem);
	if (CHECK(p))
		CHECK(!p->smallest && p->reason);
	proposals_free(p);
	problem.visited_max = 0;
	w.point[5] = 1;
	problem.use = some;
	p = propose(&problem);
	if (CHECK(p)) {
		CHECK(p->whole);
		for (size_t i = 0; i < p->n; i++)
			CHECK_INT(p->one[i].own.vector[2], 0);
	}
	proposals_free(p);
	for (w.stop_after = 1; w.stop_after < 30; w.stop_after += 4) {
		w.asked = 0;
		p = propose(&problem);
		CHECK(!p || w.asked <= w.stop_after); /* it ended before the limit */
		proposals_free(p);
	}
	problem.n_observations = 0;
	p = propose(&problem);
	if (CHECK(p))
		CHECK(p->whole && p->n == 0);
	proposals_free(p);
}

TEST_MAIN(CASE(hitting_sets_are_lightest), CASE(giving_up_is_said), CASE(a_refusal_is_of_usable_models),
	CASE(proposals_are_smallest), CASE(limits_are_said))
