#include "core/series/mean.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/stats/region.h"

#define LEAST_CHANGE 1.1
#define DIGITS 1e9 /* the largest value in units of the samples; the rest of its digits does not matter */

struct moments {
	double mean, variance;
	size_t n;
};

static struct moments
moments_of(const double *v, size_t n)
{
	struct moments m = {0};
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(v[i])) {
			sum += v[i];
			m.n++;
		}
	m.mean = m.n ? sum / (double)m.n : NAN;
	for (size_t i = 0; i < n; i++)
		if (!isnan(v[i]))
			squares += (v[i] - m.mean) * (v[i] - m.mean);
	m.variance = m.n > 1 ? squares / (double)(m.n - 1) : NAN;
	return m;
}

struct series_trend
series_trend(const double *v, size_t n)
{
	struct moments first = moments_of(v, n / 3), last = moments_of(v + (n - n / 3), n / 3);
	struct series_trend t = {.ratio = NAN};
	double change = last.mean - first.mean;

	if (first.n < 2 || last.n < 2)
		return t;
	if (first.mean > 0)
		t.ratio = last.mean / first.mean;
	if (change * change <= (first.variance + last.variance) / 2)
		return t;
	if (last.mean >= LEAST_CHANGE * first.mean)
		t.direction = 1;
	else if (first.mean >= LEAST_CHANGE * last.mean)
		t.direction = -1;
	return t;
}

/* The correlation of neighbours as it is seen, corrected for the subtracted mean, 0 … 0.95. When it is too small to
 * differ from chance, the region assumes none. Here each pair of bounds is read by itself, so the correlation is always
 * used. That makes the bounds of independent values wider by a few hundredths. */
static double
seen_lag(const int64_t *v, size_t n)
{
	double mean = 0, by = 0, all = 0, rho;

	for (size_t i = 0; i < n; i++)
		mean += (double)v[i] / (double)n;
	for (size_t i = 0; i < n; i++) {
		all += ((double)v[i] - mean) * ((double)v[i] - mean);
		by += i ? ((double)v[i] - mean) * ((double)v[i - 1] - mean) : 0;
	}
	rho = all > 0 ? by / all + 1 / (double)n : 0;
	return fmin(0.95, fmax(0, rho));
}

struct series_mean
series_mean(const double *v, size_t n, double confidence)
{
	struct moments m = moments_of(v, n);
	struct series_mean out = {.mean = m.mean, .low = NAN, .high = NAN, .n = m.n, .effective = NAN};
	struct samples s = {.n_counters = 1};
	struct region *region;
	int64_t *count;
	double top = 0;

	if (m.n < SERIES_FEWEST_FOR_BOUNDS)
		return out;
	for (size_t i = 0; i < n; i++)
		if (v[i] > top)
			top = v[i];
	count = mem_new_array(n, sizeof *count);
	for (size_t i = 0; i < n && top > 0 && isfinite(top); i++)
		if (!isnan(v[i]))
			count[s.n_rows++] = llround(fmax(v[i], 0) / top * DIGITS);
	if (s.n_rows) {
		s.count = count;
		region = region_new(&s, false);
		if (region_has_noise_model(region)) {
			double half = sqrt(region_threshold2(region, confidence) * region->spread.variance[0]) * top /
				DIGITS,
			       rho = seen_lag(count, s.n_rows);

			if (!(region->lag > 0))
				half *= sqrt((1 + rho) / (1 - rho));
			out.low = fmax(0, m.mean - half);
			out.high = m.mean + half;
			out.effective = region->effective;
		}
		region_free(region);
	}
	free(count);
	return out;
}

/* The root of MOVER's quadratic for a bound a of the dividend x and b of the divisor y; `sign` chooses the root. */
static double
ratio_bound(double x, double y, double a, double b, double sign)
{
	double p = x * y, inside = p * p - a * b * (2 * x - a) * (2 * y - b);

	return (p + sign * sqrt(fmax(inside, 0))) / (b * (2 * y - b));
}

struct series_ratio
series_ratio(struct series_mean above, struct series_mean below)
{
	double x = above.mean, y = below.mean;
	struct series_ratio out = {.ratio = y > 0 ? x / y : NAN, .low = NAN, .high = NAN};

	if (isnan(out.ratio) || isnan(above.low) || isnan(below.low))
		return out;
	/* bounds below 0 were cut off there; a distance beyond the mean would make the formula's divisor negative */
	out.low = fmax(0, ratio_bound(x, y, above.low, fmin(below.high, 2 * y), -1));
	if (!(below.high < 2 * y))
		out.low = 0;
	out.high = below.low > 0 ? ratio_bound(x, y, above.high, below.low, 1) : INFINITY;
	return out;
}
