/* Regions that hold at every look: the bound from first principles, its effect on verdicts, and how often it fails on
 * random streams. */
#include "core/stats/sequence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/stats/region.h"
#include "core/stats/tails.h"
#include "core/verdict/verdict.h"
#include "peeks.h"
#include "test.h"

static const double confidences[] = {1e-9, 0.5, 0.9, 0.99, 0.999999, 1 - 1e-12};
#define N_CONFIDENCES (sizeof confidences / sizeof *confidences)

/* ln of the mean of exp(l·z − m l²/2) over l ~ N(0, tau2), by the trapezoidal rule: the martingale after m samples with
 * the sum z. */
static double
mixture(double z, double m, double tau2)
{
	double spread = 1 / sqrt(m + 1 / tau2), centre = z / (m + 1 / tau2), step = spread / 64, sum = 0;
	double most = centre * z - (m + 1 / tau2) * centre * centre / 2;

	for (int k = -1000; k <= 1000; k++) {
		double l = centre + k * step;

		sum += exp(l * z - (m + 1 / tau2) * l * l / 2 - most);
	}
	return log(sum * step / sqrt(2 * acos(-1) * tau2)) + most;
}

/* τ² as the header defines it: the bound at 99 % is least at SEQUENCE_TIGHTEST samples. */
static double
tau2_of(size_t n)
{
	double low = 1e-9, high = 1e3;

	for (int step = 0; step < 200; step++) {
		double a = low + (high - low) / 3, b = high - (high - low) / 3, f[2] = {a, b};

		for (int k = 0; k < 2; k++)
			f[k] = (1 + 1 / (SEQUENCE_TIGHTEST * f[k])) *
				(2 * log(100) + (double)n * log1p(SEQUENCE_TIGHTEST * f[k]));
		*(f[0] < f[1] ? &high : &low) = f[0] < f[1] ? b : a;
	}
	return (low + high) / 2;
}

static void
the_mixture_is_one_over_alpha_at_the_bound(void)
{
	static const size_t dimension[] = {1, 2, 5, 26, 60};
	static const double samples[] = {1, 8, 60, 500, 100000};

	for (size_t i = 0; i < 5; i++)
		for (size_t k = 0; k < 5; k++)
			for (size_t c = 0; c < N_CONFIDENCES; c++) {
				size_t n = dimension[i];
				double m = samples[k], tau2 = tau2_of(n),
				       d2 = sequence_threshold2(confidences[c], n, m);
				/* The sum lies along one axis; the other n − 1 dimensions add none. */
				double got = mixture(sqrt(m * d2), m, tau2) + (double)(n - 1) * mixture(0, m, tau2);

				test_label("%zu counters, %g samples, confidence %.12g", n, m, confidences[c]);
				CHECK_NEAR(got, -log1p(-confidences[c]), 1e-6 * (1 + (double)n));
			}
}

static void
p_inverts_the_bound(void)
{
	for (size_t n = 1; n < 60; n += 7)
		for (double m = 1; m < 1e6; m *= 3)
			for (size_t c = 0; c < N_CONFIDENCES; c++) {
				double q = sequence_threshold2(confidences[c], n, m), alpha = 1 - confidences[c];

				CHECK_NEAR(sequence_p(q, n, m) / alpha, 1, 1e-3); /* 1 − confidence has lost digits */
				CHECK(sequence_p(q * 1.01, n, m) < alpha);
				CHECK(sequence_p(q * 0.99, n, m) > alpha);
				CHECK_NEAR(sequence_p(0, n, m), 1, 0);
			}
}

static void
it_is_tightest_where_documented(void)
{
	for (size_t n = 1; n < 100; n += 3) {
		double least = sequence_threshold2(0.99, n, SEQUENCE_TIGHTEST);

		test_label("%zu counters", n);
		for (double m = 1; m < 1e5; m *= 1.3)
			CHECK(sequence_threshold2(0.99, n, m) >= least * (1 - 1e-12));
		CHECK(least > chi2_quantile(0.99, n));
		/* At the root x of x − ln(1 + x) = 2 ln(1/α)/n the bound is n (1 + x). */
		CHECK_NEAR(least, (double)n * (1 + SEQUENCE_TIGHTEST * tau2_of(n)), 1e-3 * least);
	}
}

/* rows × n counts around a mean; the true means of the first two differ by `off`. */
static int64_t *
draw(size_t n, size_t rows, double off, uint64_t *seed)
{
	int64_t *count = mem_new_array(rows * n, sizeof *count);

	for (size_t k = 0; k < rows * n; k++)
		count[k] = llround(10000 + (k % n == 0 ? off : 0) + 100 * test_normal(seed));
	return count;
}

static void
peeking_widens_a_region(void)
{
	static const double error[2] = {5, 5};
	uint64_t seed = 4;
	int64_t *count = draw(2, 4000, 0, &seed);

	for (size_t m = 2; m <= 4000; m = m * 3 / 2 + 1) {
		struct samples s = {.n_counters = 2, .n_rows = m, .count = count, .independent = true}, peeked = s;
		struct region *once, *often;

		peeked.peeked = true;
		once = region_new(&s, false);
		often = region_new(&peeked, false);
		test_label("%zu samples", m);
		CHECK(!once->peeked && often->peeked);
		CHECK(memcmp(once->mean, often->mean, 2 * sizeof *once->mean) == 0);
		for (size_t i = 0; i < 2; i++) /* correlation that cannot be excluded widens it */
			CHECK(often->spread.variance[i] >= once->spread.variance[i] &&
				often->spread.variance[i] < (m < 20 ? 50 : 6) * once->spread.variance[i]);
		for (size_t c = 0; c < N_CONFIDENCES; c++) {
			double q = region_threshold2(often, confidences[c]);

			CHECK(isfinite(q) && q > region_threshold2(once, confidences[c]));
			CHECK(q >= sequence_threshold2(confidences[c], 2, (double)m));
			CHECK_NEAR(region_p(often, q) / (1 - confidences[c]), 1, 2e-3);
			CHECK_NEAR(region_p(once, region_threshold2(once, confidences[c])) / (1 - confidences[c]), 1,
				2e-3);
		}
		CHECK_NEAR(region_threshold2(once, 0.99), chi2_quantile(0.99, 2), 0);
		/* With many samples Σ is almost known. */
		CHECK(m < 1000 || region_threshold2(often, 0.99) < 1.03 * sequence_threshold2(0.99, 2, (double)m));
		CHECK(m < 1000 || often->spread.variance[0] < 1.3 * once->spread.variance[0]);
		CHECK(m > 10 || region_threshold2(often, 0.99) > 1.5 * sequence_threshold2(0.99, 2, (double)m));
		region_free(once);
		region_free(often);
	}
	for (int exact = 0; exact < 2; exact++) {
		struct samples s = {
			.n_counters = 2, .n_rows = 1, .count = count, .error = exact ? NULL : error, .peeked = true};
		struct region *r = region_new(&s, exact);

		CHECK(!r->peeked);
		region_free(r);
	}
	free(count);
}

/* The cone { a = b }. */
static struct cone *
equal_counters(void)
{
	static const int64_t signature[] = {1, 1};

	return cone_new(2, 1, signature, NULL);
}

static struct verdict *
judge(const struct cone *c, const int64_t *count, size_t rows, bool peeked, struct verdict_options o)
{
	struct samples s = {.n_counters = 2, .n_rows = rows, .count = count, .peeked = peeked, .independent = true};
	struct region *r = region_new(&s, false);
	struct verdict *v = verdict_new(c, r, &o);

	region_free(r);
	return v;
}

static void
verdicts_use_the_sequence(void)
{
	struct cone *c = equal_counters();
	uint64_t seed = 9;
	size_t between = 0, refuted = 0;

	for (int round = 0; round < 200; round++) {
		int64_t *count = draw(2, 60, 20.0 * (round % 10), &seed);

		for (int decides = 0; decides < 3; decides++) {
			struct verdict_options o = {.confidence = 0.99,
				.decides = (enum region_kind)decides,
				.threshold2 = chi2_quantile(0.99, 2)};
			struct verdict *once = judge(c, count, 60, false, o), *often = judge(c, count, 60, true, o);

			CHECK(often->distance2 <= once->distance2 * (1 + 1e-9));
			CHECK(often->threshold2 > once->threshold2); /* although the caller gives χ²'s threshold */
			CHECK(often->p > once->p || often->p >= 1);
			for (int k = 0; k < 3; k++)
				CHECK(often->region[k] != VERDICT_INFEASIBLE || once->region[k] == VERDICT_INFEASIBLE);
			CHECK((often->region[0] == VERDICT_INFEASIBLE) == (often->distance2 > often->threshold2));
			CHECK((often->p < 0.01) == (often->distance2 > often->threshold2));
			CHECK(often->verdict != VERDICT_INFEASIBLE || (often->verified && often->certificate));
			between += once->verdict == VERDICT_INFEASIBLE && often->verdict == VERDICT_FEASIBLE;
			refuted += often->verdict == VERDICT_INFEASIBLE;
			verdict_free(once);
			verdict_free(often);
		}
		free(count);
	}
	CHECK(between > 20);
	CHECK(refuted > 20);
	cone_free(c);
}

static void
bad_input(void)
{
	struct cone *c = equal_counters();
	struct verdict_options o = {.confidence = 0.99};
	uint64_t seed = 3;
	int64_t *count = draw(2, 100, 0, &seed), *same = mem_new_array(200, sizeof *same);

	for (size_t k = 0; k < 200; k++)
		same[k] = k % 2 ? 5000 : 5001;
	for (size_t m = 0; m <= 100; m++) {
		struct verdict *v = judge(c, count, m, true, o);

		test_label("%zu samples", m);
		CHECK((v->verdict == VERDICT_UNDECIDED) == (m < SEQUENCE_FIRST));
		CHECK(v->verdict != VERDICT_UNDECIDED || v->reason);
		verdict_free(v);
		/* Counters that never vary: only the floors are left, and they separate 5000 from 5001. */
		v = judge(c, same, m, true, o);
		CHECK_INT(v->verdict, m < SEQUENCE_FIRST ? VERDICT_UNDECIDED : VERDICT_INFEASIBLE);
		verdict_free(v);
	}
	for (size_t i = 0; i < N_CONFIDENCES; i++) {
		struct verdict *v;

		o.confidence = confidences[i];
		v = judge(c, count, 100, true, o);
		CHECK(isfinite(v->threshold2) && v->threshold2 > 0);
		CHECK(v->p >= 0 && v->p <= 1);
		verdict_free(v);
	}
	free(count);
	free(same);
	cone_free(c);
}

/* The guarantee itself: at most 1 % of streams that are sampled repeatedly ever have a region without the true mean.
 * With the threshold of a single look far more do. */
static void
regions_at_every_look_hold_the_true_mean(void)
{
	static const struct { size_t n; double lag; } row[] = {{1, 0}, {2, 0}, {5, 0}, {2, 0.5}, {2, 0.9}};
	size_t streams = test_rounds(100, 1000), rows = test_rounds(200, 300), fixed = 0;

	for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
		struct peeks_count got = peeks_cover(row[k].n, row[k].lag, streams, rows, 77 + k);

		test_label("%zu counters, lag %g: %zu by one look, %zu by the sequence, of %zu", row[k].n, row[k].lag,
			got.ever[PEEKS_FIXED], got.ever[PEEKS_SEQUENCE], streams);
		CHECK(calibration_lower(got.ever[PEEKS_SEQUENCE], streams) <= 0.01);
		CHECK(got.ever[PEEKS_SEQUENCE] <= got.ever[PEEKS_FIXED]);
		fixed += row[k].lag > 0 ? 0 : got.ever[PEEKS_FIXED];
	}
	CHECK(calibration_lower(fixed, 3 * streams) > 0.01);
}

static void
true_models_survive_peeking_and_false_ones_do_not(void)
{
	struct calibration *c = calibration_new();
	size_t streams = test_rounds(6, 60), rows = test_rounds(120, 300), found = 0;

	if (!CHECK(c))
		return;
	for (size_t k = 0; k < peeks_n_settings; k++) {
		struct peeks_count good = peeks_run(c, &peeks_setting[k], streams, rows, 0, 10 + k);
		struct peeks_count bad = peeks_run(c, &peeks_setting[k], streams / 3 + 1, rows, 0.3, 50 + k);

		test_label("%s: %zu of %zu", peeks_setting[k].name, good.ever[PEEKS_SEQUENCE], streams);
		CHECK(calibration_lower(good.ever[PEEKS_SEQUENCE], streams) <= 0.01);
		CHECK(bad.ever[PEEKS_SEQUENCE] <= bad.ever[PEEKS_FIXED]);
		found += bad.ever[PEEKS_SEQUENCE];
	}
	CHECK(found >= peeks_n_settings);
	calibration_free(c);
}

TEST_MAIN(CASE(the_mixture_is_one_over_alpha_at_the_bound), CASE(p_inverts_the_bound),
	CASE(it_is_tightest_where_documented), CASE(peeking_widens_a_region), CASE(verdicts_use_the_sequence),
	CASE(bad_input), CASE(regions_at_every_look_hold_the_true_mean),
	CASE(true_models_survive_peeking_and_false_ones_do_not))
