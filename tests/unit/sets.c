/* Sets of events by constraint: the predicted width against simulated turns, the sets against all that are possible,
 * and what holds for every input. */
#include "core/fit/sets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "calibration.h"
#include "collect/rotation.h"
#include "core/cone/cone.h"
#include "core/fit/holders.h"
#include "core/stats/region.h"
#include "core/verdict/verdict.h"
#include "test.h"

static bool
few_fit(void *ctx, const size_t *unit, size_t n)
{
	(void)unit;
	return n <= *(const size_t *)ctx;
}

static bool
matched(void *ctx, const size_t *unit, size_t n)
{
	return holders_fit(ctx, unit, n);
}

/* The constraints of a cone of random flows. */
static struct set_constraints
random_constraints(uint64_t *seed, size_t n)
{
	int64_t signature[8 * 8];
	struct set_constraints out;
	struct cone *cone;

	for (size_t i = 0; i < n * n; i++)
		signature[i] = (int64_t)(test_random(seed) % 3);
	cone = cone_new(n, n, signature, NULL);
	out = set_constraints_of_cone(cone);
	cone_free(cone);
	return out;
}

/* a = b + c, from the flows a b and a c. */
static void
tight_flows_cancel(void)
{
	static const int64_t signature[] = {1, 1, 0, 1, 0, 1};
	static unsigned char together[] = {1, 1, 1, 0, 0, 0}, apart[] = {1, 1, 0, 0, 0, 1},
			     twice[] = {1, 1, 0, 1, 0, 1};
	struct cone *cone = cone_new(3, 2, signature, NULL);
	struct set_constraints c = set_constraints_of_cone(cone);

	CHECK_INT(c.n, 1); /* b ≥ 0 and c ≥ 0 are of one counter */
	CHECK_INT(c.at[0].n, 3);
	CHECK_NEAR(c.at[0].spread[0] + c.at[0].spread[4] + c.at[0].spread[8], 1, 1e-12);
	CHECK_NEAR(set_constraint_width(&c.at[0], &(struct rotation_sets){3, 2, together}), 0, 1e-7);
	CHECK(sets_whole(&(struct rotation_sets){3, 2, together}, &c) == 1);
	CHECK(sets_whole(&(struct rotation_sets){3, 2, apart}, &c) == 0);
	/* flows (½ −½ 0), (½ 0 −½) and their sum: spread (3 −1.5 −1.5; 1 .5; . 1) / 4 · 8/6. a and b share a set of
	 * two: 2 (.6 + .2 + .2 − 2 · .3) = .8. With a in both sets: .6 + 2 (.2 + .2) − 4 · .3 = .2 */
	CHECK_NEAR(set_constraint_width(&c.at[0], &(struct rotation_sets){3, 2, apart}), sqrt(.8), 1e-12);
	CHECK_NEAR(set_constraint_width(&c.at[0], &(struct rotation_sets){3, 2, twice}), sqrt(.2), 1e-12);
	set_constraints_free(&c);
	cone_free(cone);
}

#define TURNS 20000
#define UNITS 6

/* Random sets, and flows that vary from turn to turn: the variance of a constraint's scaled counts, by simulation. */
static double
simulated(const struct set_constraint *c, const struct rotation_sets *s, const double *flow, size_t n_flows,
	uint64_t *seed)
{
	double square = 0;
	size_t in[UNITS] = {0};

	for (size_t k = 0; k < s->n; k++)
		for (size_t u = 0; u < s->n_units; u++)
			in[u] += s->has[k * s->n_units + u];
	for (size_t round = 0; round < TURNS; round++) {
		double sum = 0;

		for (size_t k = 0; k < s->n; k++)
			for (size_t f = 0; f < n_flows; f++) {
				double x = (test_uniform(seed) - 0.5) * sqrt(12);

				for (size_t i = 0; i < c->n; i++) {
					size_t u = c->unit[i];
					double times = u == SETS_ALWAYS ? 1
						: s->has[k * s->n_units + u] ? (double)s->n / (double)in[u] : 0;

					sum += times * x * flow[f * c->n + i];
				}
			}
		square += sum * sum / (double)s->n;
	}
	return square / TURNS;
}

static struct rotation_sets
random_sets(uint64_t *seed)
{
	struct rotation_sets s = {.n_units = UNITS, .n = 2 + test_random(seed) % 3};

	s.has = mem_new_array(s.n * UNITS, 1);
	for (size_t u = 0; u < UNITS; u++) {
		s.has[test_random(seed) % s.n * UNITS + u] = 1;
		for (size_t k = 0; k < s.n; k++)
			s.has[k * UNITS + u] |= test_random(seed) % 3 == 0;
	}
	return s;
}

static void
width_is_that_of_simulated_turns(void)
{
	for (uint64_t at = 1; at <= 12; at++) {
		uint64_t seed = at;
		size_t unit[] = {0, 1, 2, 3, at % 2 ? SETS_ALWAYS : 4};
		double flow[3 * 5], spread[25] = {0}, trace = 0, width;
		const struct set_constraint c = {.n = 5, .unit = unit, .spread = spread};
		struct rotation_sets s = random_sets(&seed);

		for (size_t i = 0; i < 15; i++)
			flow[i] = test_uniform(&seed) * 2 - 1;
		for (size_t f = 0; f < 3; f++)
			for (size_t i = 0; i < 5; i++)
				for (size_t j = 0; j < 5; j++)
					spread[i * 5 + j] += flow[f * 5 + i] * flow[f * 5 + j];
		for (size_t i = 0; i < 5; i++)
			trace += spread[i * 6];
		width = set_constraint_width(&c, &s);
		test_label("seed %d", (int)at);
		CHECK(trace > 0 && width > 0);
		CHECK_NEAR(simulated(&c, &s, flow, 3, &seed) / (width * width), 1, 0.06);
		rotation_sets_free(&s);
	}
}

/* The least cost of all families of `left` more sets, of at most two of the five units each. */
static double
best_of_all(const struct set_constraints *c, struct rotation_sets *s, size_t left, unsigned from)
{
	double best = INFINITY;

	if (left == 0) {
		for (size_t u = 0; u < 5; u++) {
			bool in = false;

			for (size_t k = 0; k < s->n; k++)
				in |= s->has[k * 5 + u];
			if (!in)
				return INFINITY;
		}
		return sets_width(c, s);
	}
	for (unsigned units = from; units < 32; units++) {
		if (units == 0 || __builtin_popcount(units) > 2)
			continue;
		for (size_t u = 0; u < 5; u++)
			s->has[(left - 1) * 5 + u] = units >> u & 1;
		best = fmin(best, best_of_all(c, s, left - 1, units));
	}
	return best;
}

static void
sets_are_nearly_the_best(void)
{
	const size_t seeds = test_rounds(100, 1000);
	size_t two = 2, best = 0, tried = 0;

	for (uint64_t at = 1; at <= seeds; at++) {
		uint64_t seed = at;
		struct set_constraints c = random_constraints(&seed, 5);
		const struct rotation_room room = {few_fit, &two};
		struct rotation_sets s = rotation_sets_by_constraint(5, &room, &c), all = {.n_units = 5, .n = 3};
		double least;

		all.has = mem_new_array(15, 1);
		if (c.n > 0) {
			least = best_of_all(&c, &all, 3, 0);
			test_label("seed %d: %g, the best is %g", (int)at, sets_width(&c, &s), least);
			CHECK(s.n <= 3 && sets_width(&c, &s) >= least - 1e-9);
			CHECK(sets_width(&c, &s) <= 1.1 * least);
			best += sets_width(&c, &s) <= least + 1e-6;
			tried++;
		}
		rotation_sets_free(&s);
		rotation_sets_free(&all);
		set_constraints_free(&c);
	}
	test_label("%zu of %zu are the best", best, tried);
	CHECK(tried > seeds / 2 && best * 100 >= tried * 95);
}

/* What holds for sets of every model, on counters that are not alike. */
static void
check_sets(const struct set_constraints *c, struct holder_event *event, size_t n)
{
	const struct rotation_room room = {matched, event};
	struct rotation_sets plain = rotation_sets_new(n, &room), s = rotation_sets_by_constraint(n, &room, c),
			     again = rotation_sets_by_constraint(n, &room, c);

	CHECK_INT(s.n_units, n);
	CHECK(s.n <= plain.n && s.n > 0);
	CHECK(c->n == 0 || sets_width(c, &s) <= sets_width(c, &plain) + 1e-9);
	CHECK(c->n > 0 || (s.n == plain.n && memcmp(s.has, plain.has, n * s.n) == 0));
	CHECK(again.n == s.n && memcmp(again.has, s.has, n * s.n) == 0);
	for (size_t u = 0; u < n; u++) {
		size_t in = 0;

		for (size_t k = 0; k < s.n; k++)
			in += s.has[k * n + u];
		CHECK(in > 0);
	}
	for (size_t k = 0; k < s.n; k++) {
		size_t unit[8], some = 0;

		for (size_t u = 0; u < n; u++)
			if (s.has[k * n + u])
				unit[some++] = u;
		CHECK(some > 0 && holders_fit(event, unit, some));
	}
	rotation_sets_free(&plain);
	rotation_sets_free(&s);
	rotation_sets_free(&again);
}

static void
sets_fit_and_are_no_wider(void)
{
	for (uint64_t at = 1; at <= test_rounds(200, 3000); at++) {
		uint64_t seed = at;
		size_t n = 3 + test_random(&seed) % 6;
		struct set_constraints of_cone = random_constraints(&seed, n), c;
		struct holder_event event[8] = {0};
		size_t counter[8];

		for (size_t i = 0; i < n; i++) {
			event[i] = (struct holder_event){.counters = 1 + test_random(&seed) % 7,
				.alone = test_random(&seed) % 5 == 0};
			counter[i] = test_random(&seed) % n; /* counters of several events, and some that never turn */
		}
		c = set_constraints_over(&of_cone, counter, n);
		test_label("seed %d: %zu units, %zu constraints", (int)at, n, c.n);
		check_sets(&c, event, n);
		set_constraints_free(&of_cone);
		set_constraints_free(&c);
	}
}

/* Three pairs that are in no order: sets of two hold each pair. More units than bits: in order. */
static void
pairs_are_found(void)
{
	static const int64_t signature[] = {1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1};
	struct cone *cone = cone_new(6, 3, signature, NULL);
	struct set_constraints c = set_constraints_of_cone(cone);
	size_t two = 2, four = 4;
	struct rotation_room room = {few_fit, &two};
	struct rotation_sets s = rotation_sets_by_constraint(6, &room, &c), many;

	CHECK_INT(c.n, 3);
	CHECK_INT(s.n, 3);
	CHECK_INT(sets_whole(&s, &c), 3);
	rotation_sets_free(&s);
	s = rotation_sets_new(6, &room);
	CHECK_INT(sets_whole(&s, &c), 0);
	rotation_sets_free(&s);
	room.ctx = &four;
	many = rotation_sets_by_constraint(SETS_MASK + 1, &room, &c);
	s = rotation_sets_new(SETS_MASK + 1, &room);
	CHECK(many.n == s.n && memcmp(many.has, s.has, s.n * s.n_units) == 0);
	rotation_sets_free(&s);
	rotation_sets_free(&many);
	set_constraints_free(&c);
	cone_free(cone);
}

/* A program whose load has slow noise (AR 0.97 from turn to turn, 40 %) and whose flows vary, each on its own, in the
 * same way (20 %): the hardest of noises for counters that count at different times. Counts are large, so the spread of
 * turns is all their error. */
#define ROWS 60
#define STEPS 8   /* of a mean turn */
#define ROUNDS 5  /* of all sets in a row */
#define COUNTERS 6
#define FLOWS 4

static const int64_t pipeline[FLOWS * COUNTERS] = {
	1, 0, 1, 1, 0, 0,
	1, 1, 0, 1, 0, 1,
	0, 1, 1, 0, 1, 1,
	0, 0, 1, 0, 1, 1,
};

static double
slow(double before, uint64_t *seed)
{
	return 0.97 * before + sqrt(1 - 0.97 * 0.97) * test_normal(seed);
}

static struct region *
region_of_turns(const struct rotation_sets *s, uint64_t seed)
{
	int64_t count[ROWS * COUNTERS] = {0};
	double running[ROWS * COUNTERS] = {0}, load = test_normal(&seed), flow[FLOWS], sum[COUNTERS];
	struct samples samples = {.n_counters = COUNTERS, .n_rows = ROWS, .count = count, .running = running,
		.random_turns = true};
	struct rotation *r = rotation_new(s->n, STEPS, seed);
	struct rotation_turn turn = {0};
	const size_t steps = STEPS * ROUNDS * s->n;

	for (size_t f = 0; f < FLOWS; f++)
		flow[f] = test_normal(&seed);
	for (size_t m = 0; m < ROWS; m++) {
		memset(sum, 0, sizeof sum);
		for (size_t t = 0; t < steps; t++, turn.ns--) {
			if (turn.ns == 0)
				turn = rotation_next(r);
			if (t % STEPS == 0) {
				load = slow(load, &seed);
				for (size_t f = 0; f < FLOWS; f++)
					flow[f] = slow(flow[f], &seed);
			}
			for (size_t i = 0; i < COUNTERS; i++) {
				if (!s->has[turn.set * COUNTERS + i])
					continue;
				running[m * COUNTERS + i] += 1 / (double)steps;
				for (size_t f = 0; f < FLOWS; f++)
					sum[i] += 1e8 * exp(0.4 * load + 0.2 * flow[f]) *
						(double)pipeline[f * COUNTERS + i];
			}
		}
		for (size_t i = 0; i < COUNTERS; i++)
			count[m * COUNTERS + i] = llround(sum[i] / running[m * COUNTERS + i]);
	}
	rotation_free(r);
	return region_new(&samples, false);
}

static double
log_volume(const struct region *r)
{
	double sum = 0;

	for (size_t i = 0; i < COUNTERS; i++)
		sum += log(r->spread.factor[i * COUNTERS + i]);
	return sum;
}

static void
true_models_stand(void)
{
	const struct verdict_options how = {.confidence = 0.99, .decides = REGION_CONE, .alone = true, .bare = true};
	const size_t seeds = test_rounds(300, 3000);
	struct cone *cone = cone_new(COUNTERS, FLOWS, pipeline, NULL);
	struct set_constraints c = set_constraints_of_cone(cone);
	size_t two = 2, refuted[2] = {0}, smaller = 0;
	const struct rotation_room room = {few_fit, &two};
	struct rotation_sets s[2] = {
		rotation_sets_new(COUNTERS, &room), rotation_sets_by_constraint(COUNTERS, &room, &c)};

	for (uint64_t seed = 1; seed <= seeds; seed++) {
		double volume[2];

		for (size_t by = 0; by < 2; by++) {
			struct region *region = region_of_turns(&s[by], seed);
			struct verdict *v = verdict_new(cone, region, &how);

			refuted[by] += v->verdict == VERDICT_INFEASIBLE;
			volume[by] = log_volume(region);
			verdict_free(v);
			region_free(region);
		}
		smaller += volume[1] < volume[0];
	}
	printf("# %zu seeds: refuted %zu in order, %zu by constraint; predicted width %.2f and %.2f; region smaller in "
	       "%zu\n", seeds, refuted[0], refuted[1], sets_width(&c, &s[0]), sets_width(&c, &s[1]), smaller);
	CHECK(smaller * 10 > seeds * 9);
	for (size_t by = 0; by < 2; by++) { /* the lower 95 % bound of the rate */
		CHECK(calibration_lower(refuted[by], seeds) <= 0.01);
		rotation_sets_free(&s[by]);
	}
	set_constraints_free(&c);
	cone_free(cone);
}

TEST_MAIN(CASE(tight_flows_cancel), CASE(width_is_that_of_simulated_turns), CASE(sets_are_nearly_the_best),
	CASE(sets_fit_and_are_no_wider), CASE(pairs_are_found),
	CASE(true_models_stand))
