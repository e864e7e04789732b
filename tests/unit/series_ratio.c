/* Ratios of means (core/series/mean.h): by hand, against Fieller's interval, and how often the bounds hold the true
 * ratio. The series are generated, so the truth is known. */
#include "core/series/mean.h"

#include <math.h>
#include <stdio.h>

#include "test.h"

static double
unit(uint64_t *seed)
{
	return ldexp((double)(test_random(seed) >> 11), -53);
}

/* The bounds agree with Fieller's where those of the means are symmetric: the roots r of (x - r y)² = hx² + r² hy². */
static void
fiellers_interval(void)
{
	uint64_t seed = 11;

	for (unsigned i = 0; i < test_rounds(2000, 20000); i++) {
		double x = 1 + 9 * unit(&seed), y = 1 + 9 * unit(&seed), hx = x * 0.9 * unit(&seed),
		       hy = y * 0.9 * unit(&seed), a = y * y - hy * hy, root;
		struct series_ratio r = series_ratio((struct series_mean){.mean = x, .low = x - hx, .high = x + hx},
			(struct series_mean){.mean = y, .low = y - hy, .high = y + hy});

		root = sqrt(fmax(0, x * x * y * y - a * (x * x - hx * hx)));
		CHECK_NEAR(r.ratio, x / y, 1e-12);
		CHECK_NEAR(r.low, (x * y - root) / a, 1e-6 * (1 + r.low));
		CHECK_NEAR(r.high, (x * y + root) / a, 1e-6 * (1 + r.high));
	}
}

static void
by_hand(void)
{
	struct series_mean two = {.mean = 2, .low = 2, .high = 2}, four = {.mean = 4, .low = 4, .high = 4},
			   nothing = {.mean = 0, .low = 0, .high = 0}, vague = {.mean = 2, .low = 0, .high = 5},
			   alone = {.mean = 2, .low = NAN, .high = NAN},
			   unknown = {.mean = NAN, .low = NAN, .high = NAN};
	struct series_ratio r = series_ratio(four, two);

	CHECK(r.ratio == 2 && r.low == 2 && r.high == 2);
	r = series_ratio(nothing, two);
	CHECK(r.ratio == 0 && r.low == 0 && r.high == 0);
	CHECK(isnan(series_ratio(two, nothing).ratio) && isnan(series_ratio(two, nothing).high));
	r = series_ratio(two, vague); /* the divisor may be 0 */
	CHECK(r.ratio == 1 && r.low == 0 && isinf(r.high));
	r = series_ratio(two, alone);
	CHECK(r.ratio == 1 && isnan(r.low) && isnan(r.high));
	CHECK(isnan(series_ratio(unknown, two).ratio));
}

static void
fill(uint64_t *seed, double mean, double spread, double lag, double *v, size_t n)
{
	double x = test_normal(seed);

	for (size_t i = 0; i < n; i++) {
		v[i] = fmax(0, mean * (1 + spread * x));
		x = lag * x + sqrt(1 - lag * lag) * test_normal(seed);
	}
}

/* Independent rows and correlated ones, of unequal number: bounds at 95 % hold the true ratio of 3 in at least 92 %. */
static void
bounds_hold(void)
{
	static const double lags[] = {0, 0.5};
	enum { A = 60, B = 150 };
	unsigned rounds = test_rounds(1000, 20000);
	uint64_t seed = 3;
	double a[A], b[B];

	for (size_t k = 0; k < 2; k++) {
		unsigned held = 0;

		for (unsigned i = 0; i < rounds; i++) {
			struct series_ratio r;

			fill(&seed, 10, 0.2, lags[k], a, A);
			fill(&seed, 30, 0.1, lags[k], b, B);
			r = series_ratio(series_mean(b, B, 0.95), series_mean(a, A, 0.95));
			held += r.low <= 3 && r.high >= 3;
		}
		printf("# correlation %g: %u of %u intervals at 95 %% hold the true ratio\n", lags[k], held, rounds);
		CHECK(held >= 0.92 * rounds && held < rounds);
	}
}

TEST_MAIN(CASE(by_hand), CASE(fiellers_interval), CASE(bounds_hold))
