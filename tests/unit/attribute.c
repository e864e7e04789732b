/* The search for parts that an event counts wrongly, on made workloads whose errors are planted. */
#include "core/trust/attribute.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/stats/tails.h"
#include "test.h"

#define N 40

struct planted {
	double slope[N], constant[N]; /* error of each part */
	double run;                   /* error of each run */
	double pair;                  /* error that parts 2 and 5 have together only, halved between them */
	double noise;                 /* standard deviation of a run */
	uint64_t random;
	size_t calls, stop_after;     /* 0: never */
	const uint32_t *loops;
};

static bool
measure(void *ctx, const bool *on, uint32_t divisor, struct attribute_level *level)
{
	struct planted *p = ctx;
	double error[10];
	if (p->stop_after > 0 && p->calls >= p->stop_after)
		return false;
	p->calls++;
	for (size_t r = 0; r < 10; r++) {
		error[r] = p->run + p->noise * test_normal(&p->random);
		for (size_t k = 0; k < N; k++)
			if (on[k])
				error[r] += p->slope[k] * (double)(p->loops[k] / divisor) + p->constant[k];
		if (on[2] && on[5])
			error[r] += p->pair;
	}
	*level = attribute_level_of(error, 10);
	return true;
}

static uint32_t loops[N];
static unsigned group[N];

static struct attribute_problem
problem(void)
{
	for (size_t k = 0; k < N; k++) {
		loops[k] = 1000 + 500 * (uint32_t)(k % 5);
		group[k] = (unsigned)(k / 8);
	}
	return (struct attribute_problem){.n = N, .group = group, .loops = loops};
}

static void
search(struct planted *p, struct attribute_result *r)
{
	struct attribute_problem q = problem();
	p->loops = loops;
	attribute_search(&q, measure, p, r);
}

static void
nothing_is_invented(void)
{
	for (uint64_t seed = 0; seed < 200; seed++) {
		struct planted p = {.run = 7, .noise = seed % 2 == 0 ? 0 : 3, .random = seed};
		struct attribute_result r;
		search(&p, &r);
		test_label("seed %u", (unsigned)seed);
		CHECK(r.whole);
		CHECK_INT(r.n_found + r.n_together, 0);
		CHECK_NEAR(r.none.error, 7, 10);
		CHECK_INT(r.n_measured, 2 + N / 8);
		attribute_free(&r);
	}
}

/* Random errors of 1 to 3 parts: exactly these are found, with intervals that hold the truth. */
static void
what_is_planted_is_found(void)
{
	unsigned wrong = 0, outside = 0, all = 0;
	for (uint64_t seed = 0; seed < 300; seed++) {
		static const double slopes[] = {1, -1, 2, 0.5, -0.25, 23};
		struct planted p = {.run = 3, .noise = (double)(seed % 3), .random = seed + 1};
		uint64_t random = seed * 77 + 5;
		size_t n = 1 + test_random(&random) % 3, planted = 0;
		for (size_t k = 0; k < n; k++)
			p.slope[test_random(&random) % N] = slopes[test_random(&random) % 6];
		for (size_t k = 0; k < N; k++)
			planted += p.slope[k] != 0;
		struct attribute_result r;
		search(&p, &r);
		wrong += r.n_found != planted || r.n_together > 0 || !r.whole;
		for (size_t k = 0; k < r.n_found; k++) {
			const struct attribute_found *f = &r.found[k];
			all++;
			/* noise may look like a constant; a part without an error is never found */
			outside += p.slope[f->part] == 0 || f->low > p.slope[f->part] + 1e-9 ||
				f->high < p.slope[f->part] - 1e-9 || f->high - f->low > 0.05;
			CHECK(f->low <= f->slope && f->slope <= f->high);
		}
		attribute_free(&r);
	}
	CHECK_INT(wrong, 0);
	CHECK(all > 400);
	CHECK(outside <= all / 100);
}

static void
errors_that_cancel_between_groups_are_found(void)
{
	struct planted p = {.random = 1};
	p.slope[3] = 1;   /* 2500 iterations */
	p.slope[28] = -1; /* 2500 iterations, in another group */
	struct attribute_result r;
	search(&p, &r);
	CHECK_NEAR(r.all.error, 0, 1e-9);
	if (CHECK_INT(r.n_found, 2)) {
		CHECK_INT(r.found[0].part, 3);
		CHECK_INT(r.found[1].part, 28);
		CHECK_NEAR(r.found[1].slope, -1, 1e-9);
	}
	attribute_free(&r);
}

static void
a_constant_of_a_run_is_told_from_a_slope(void)
{
	struct planted p = {.random = 1, .noise = 0.5};
	p.constant[9] = 100;
	p.slope[17] = 2;
	p.constant[17] = 50;
	struct attribute_result r;
	search(&p, &r);
	if (CHECK_INT(r.n_found, 2)) {
		CHECK_INT(r.found[0].part, 9);
		CHECK(r.found[0].low <= 0 && r.found[0].high >= 0);
		CHECK(r.found[0].constant_low <= 100 && r.found[0].constant_high >= 100);
		CHECK(r.found[0].constant_low > 80);
		CHECK(r.found[1].low <= 2 && r.found[1].high >= 2);
		CHECK(r.found[1].constant_low <= 50 && r.found[1].constant_high >= 50);
	}
	attribute_free(&r);
}

/* An error that two parts have together only is reported for the set; one between groups, as a rest. */
static void
errors_that_do_not_add_up_are_said(void)
{
	struct planted p = {.random = 1, .pair = 500};
	struct attribute_result r;
	search(&p, &r);
	CHECK_INT(r.n_found, 0);
	if (CHECK_INT(r.n_together, 1)) {
		CHECK_INT(r.together[0].n, 8);
		CHECK_NEAR(r.together[0].level.error, 500, 1e-9);
	}
	CHECK_NEAR(r.rest, 0, 1e-9);
	attribute_free(&r);
}

static void
a_search_that_is_stopped_keeps_what_it_has(void)
{
	for (size_t stop = 1; stop < 14; stop++) {
		struct planted p = {.random = 1, .stop_after = stop};
		p.slope[1] = 1;
		struct attribute_result r;
		search(&p, &r);
		test_label("after %zu sets", stop);
		CHECK_INT(r.n_measured, stop);
		CHECK(!r.whole);
		CHECK(isnan(r.rest));
		if (r.n_found > 0) {
			CHECK_INT(r.found[0].part, 1);
			CHECK_NEAR(r.found[0].slope, 1, 1e-9);
		}
		attribute_free(&r);
	}
}

static void
parts_that_cannot_run_are_left_out(void)
{
	struct planted p = {.random = 1};
	struct attribute_problem q = problem();
	struct attribute_result r;
	p.loops = loops;
	p.slope[4] = 1;
	loops[4] = 0;
	p.constant[4] = 1000;
	attribute_search(&q, measure, &p, &r);
	CHECK_INT(r.n_found, 0);
	CHECK_NEAR(r.all.error, 0, 1e-9);
	attribute_free(&r);
}

static void
levels(void)
{
	static const double equal[] = {5, 5, 5}, two[] = {1, 3};
	CHECK_NEAR(attribute_level_of(equal, 3).width, 0, 1e-12);
	CHECK_NEAR(attribute_level_of(two, 2).error, 2, 1e-12);
	CHECK_NEAR(attribute_level_of(two, 2).width, 1 / tan(M_PI * 6.334e-5 / 2), 1e-2); /* Cauchy's distribution */
	/* The square of Student's t is F with 1 degree of freedom. */
	for (size_t n = 2; n <= 31; n++) {
		double error[31] = {1.0}, sure = sqrt(fisher_quantile(1 - 6.334e-5, 1, (double)n - 1));
		double scale = 1 / sqrt((double)n * (double)n); /* standard error of the mean of one 1 and zeros */

		CHECK_NEAR(attribute_level_of(error, n).width / sure, scale, 1e-4 * scale);
	}
	CHECK(isinf(attribute_level_of(equal, 1).width));
}

TEST_MAIN(CASE(levels), CASE(nothing_is_invented), CASE(what_is_planted_is_found),
	CASE(errors_that_cancel_between_groups_are_found), CASE(a_constant_of_a_run_is_told_from_a_slope),
	CASE(errors_that_do_not_add_up_are_said), CASE(a_search_that_is_stopped_keeps_what_it_has),
	CASE(parts_that_cannot_run_are_left_out))
