/* Trends and means of a series (core/series/mean.h): trends are found where they exist and nowhere else. The bounds
 * hold the true mean as often as they state, for correlated values, too. The series are generated, so the truth is
 * known. */
#include "core/series/mean.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "test.h"

enum { ROWS = 60 };

/* An AR(1) process of deviation `noise` around a line from a to b. */
static void
series(uint64_t *seed, size_t n, double a, double b, double noise, double lag, double *v)
{
	double x = test_normal(seed);

	for (size_t i = 0; i < n; i++) {
		v[i] = a + (b - a) * (double)i / (double)(n - 1) + noise * x;
		x = lag * x + sqrt(1 - lag * lag) * test_normal(seed);
	}
}

static void
trends_by_hand(void)
{
	static const double up[] = {1, 1.1, 0.9, 2, 2, 2, 4, 4.1, 3.9}, flat[] = {1, 1, 1, 1, 1, 1, 1.05, 1.05, 1.05};
	static const double noisy[] = {
		1, 9, 2, 5, 5, 5, 3, 10, 4}, from_nothing[] = {0, 0, 1, 2, 3, 3}, few[] = {1, 2, 3, 4, 5
	};
	double down[] = {4, NAN, 4, 3, 3, 3, 2, 2, NAN};

	CHECK_NEAR(series_trend(up, 9).ratio, 4, 1e-12);
	CHECK_INT(series_trend(up, 9).direction, 1);
	CHECK_INT(series_trend(down, 9).direction, -1);
	CHECK_NEAR(series_trend(down, 9).ratio, 0.5, 1e-12);
	CHECK_INT(series_trend(flat, 9).direction, 0);
	CHECK_INT(series_trend(noisy, 9).direction, 0);
	CHECK_INT(series_trend(from_nothing, 6).direction, 1);
	CHECK(isnan(series_trend(from_nothing, 6).ratio));
	CHECK_INT(series_trend(few, 5).direction, 0);
	down[0] = NAN; /* leaves one value in one of the thirds */
	CHECK_INT(series_trend(down, 9).direction, 0);
	CHECK(isnan(series_trend(down, 0).ratio));
}

static void
noise_is_no_trend(void)
{
	unsigned rounds = test_rounds(2000, 100000), white = 0, slow = 0, seen = 0;
	uint64_t seed = 7;
	double v[ROWS];

	for (unsigned i = 0; i < rounds; i++) {
		series(&seed, ROWS, 10, 10, 3, 0, v);
		white += series_trend(v, ROWS).direction != 0;
		series(&seed, ROWS, 10, 10, 3, 0.6, v);
		slow += series_trend(v, ROWS).direction != 0;
		series(&seed, ROWS, 8, 16, 2, 0.3, v);
		seen += series_trend(v, ROWS).direction == 1;
	}
	CHECK(white * 50 <= rounds);
	CHECK(slow * 5 <= rounds);
	CHECK(seen * 100 >= 95 * rounds);
}

static void
bounds_hold_the_mean(void)
{
	static const double lag[] = {0, 0.3, 0.5, 0.8, 0.9};
	static const size_t rows[] = {40, 60, 200};
	unsigned rounds = test_rounds(1000, 20000);
	uint64_t seed = 11;
	double v[200];

	for (size_t k = 0; k < 15; k++) {
		size_t n = rows[k % 3];
		double rho = lag[k / 3], width = 0;
		unsigned inside = 0;

		test_label("%zu values, correlation %g", n, rho);
		for (unsigned i = 0; i < rounds; i++) {
			struct series_mean l;

			series(&seed, n, 40, 40, 2, rho, v);
			l = series_mean(v, n, 0.95);
			inside += l.low <= 40 && 40 <= l.high;
			width += l.high - l.low;
		}
		CHECK(inside * 100 >= 92 * rounds);
		/* … and are not too wide: the true deviation of the mean is 2 √((1 + ρ)/(1 − ρ) / n), and with ρ
		 * known the bounds would be 4 of these apart */
		CHECK(width / rounds < 4 * 4 * 2 * sqrt((1 + rho) / (1 - rho) / (double)n));
	}
}

static void
few_values_have_no_bounds(void)
{
	double v[60];
	struct series_mean l;

	for (size_t i = 0; i < 60; i++)
		v[i] = i % 2 ? 3 : 5;
	l = series_mean(v, SERIES_FEWEST_FOR_BOUNDS - 1, 0.95);
	CHECK(isnan(l.low) && isnan(l.high));
	CHECK_INT(l.n, SERIES_FEWEST_FOR_BOUNDS - 1);
	l = series_mean(v, 60, 0.95);
	CHECK_NEAR(l.mean, 4, 1e-12);
	CHECK(l.low < 4 && l.low > 3 && l.high > 4 && l.high < 5);
	for (size_t i = 0; i < 60; i++)
		v[i] = i < 24 ? NAN : 0;
	l = series_mean(v, 60, 0.95);
	CHECK_INT(l.n, 36);
	CHECK_NEAR(l.mean, 0, 0);
	l = series_mean(v, 24, 0.95);
	CHECK(isnan(l.mean) && isnan(l.low));
	for (size_t i = 0; i < 60; i++)
		v[i] = 7; /* nothing varies: as well known as its unit allows */
	l = series_mean(v, 60, 0.95);
	CHECK_NEAR(l.low, 7, 1e-4);
	CHECK_NEAR(l.high, 7, 1e-4);
}

TEST_MAIN(CASE(trends_by_hand), CASE(noise_is_no_trend), CASE(bounds_hold_the_mean), CASE(few_values_have_no_bounds))
