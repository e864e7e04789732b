#include "core/trust/slope.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/trust/runs.h"

#define CONFIDENCE 0.99
#define FLOOR 0.5           /* counts: the least scale of residuals */
#define PAIRS_MAX ((size_t)2000) /* runs: the pairs of more take too long */
#define SHARE_BETTER 0.1    /* of the variance, which the pairs must explain more */
#define ALIKE 1e-3          /* of the variance of x: if less is left, x and the other column cannot be told apart */
#define SHARE_FRISCH 0.5    /* of the variance: less says nothing about errors of x */

struct sums {
	double xx, xy;
};

/* Subtracts from each value the mean of its test. */
static size_t
centre(const double *v, const size_t *test, size_t n, size_t n_tests, double *out)
{
	double *sum = mem_new_array(n_tests, sizeof *sum), *first = mem_new_array(n_tests, sizeof *first);
	size_t *m = mem_new_array(n_tests, sizeof *m), levels = 0;

	for (size_t i = 0; i < n; i++) {
		if (m[test[i]]++ == 0) {
			first[test[i]] = v[i];
			levels++;
		}
		sum[test[i]] += v[i] - first[test[i]];
	}
	for (size_t i = 0; i < n; i++)
		out[i] = v[i] - first[test[i]] - sum[test[i]] / (double)m[test[i]];
	free(sum);
	free(first);
	free(m);
	return levels;
}

/* What one run adds to the sums of squares. */
struct pair {
	double raw, rest;
};

static int
by_rest(const void *a, const void *b)
{
	double x = ((const struct pair *)a)->rest, y = ((const struct pair *)b)->rest;

	return x < y ? -1 : x > y;
}

/* The share of the sum of squares that the slope removes. */
static double
share_explained(const double *x, const double *y, size_t n, double slope)
{
	double raw = 0, rest = 0;

	for (size_t i = 0; i < n; i++) {
		raw += y[i] * y[i];
		rest += (y[i] - slope * x[i]) * (y[i] - slope * x[i]);
	}
	return raw > 0 ? fmax(0, 1 - rest / raw) : 0;
}

/* The same without the tenth of the runs that it explains worst; levels are medians, which these do not move. */
static double
share_of_most(const double *x, const double *y, const size_t *test, size_t n, size_t n_tests, double slope)
{
	struct pair *pair = mem_new_array(n, sizeof *pair);
	double *of_raw = mem_new_array(n, sizeof *of_raw), *of_rest = mem_new_array(n, sizeof *of_rest);
	double raw = 0, rest = 0;

	for (size_t t = 0; t < n_tests; t++) {
		double level, level_rest;
		size_t m = 0;

		for (size_t i = 0; i < n; i++)
			if (test[i] == t) {
				of_raw[m] = y[i];
				of_rest[m++] = y[i] - slope * x[i];
			}
		level = trust_median(of_raw, m);
		level_rest = trust_median(of_rest, m);
		for (size_t i = 0; i < n; i++)
			if (test[i] == t)
				pair[i] = (struct pair){.raw = pow(y[i] - level, 2),
					.rest = pow(y[i] - slope * x[i] - level_rest, 2)};
	}
	qsort(pair, n, sizeof *pair, by_rest);
	for (size_t i = 0; i < n - n / 10; i++) {
		raw += pair[i].raw;
		rest += pair[i].rest;
	}
	free(pair);
	free(of_raw);
	free(of_rest);
	return raw > 0 ? fmax(0, 1 - rest / raw) : 0;
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* The median of the slopes between all pairs of points of the same test; NULL: there is one test. */
static struct trust_slope
of_pairs(const double *x, const double *y, const size_t *test, size_t n)
{
	struct trust_slope s = {0};
	double *slope, width, variance = 0;
	size_t m = 0;

	if (n > PAIRS_MAX)
		return s;
	slope = mem_new_array(n * n / 2 + 1, sizeof *slope);

	for (size_t i = 0; i < n; i++) {
		double same = 1; /* points of the test up to here */

		for (size_t k = 0; k < i; k++) {
			if (test && test[i] != test[k])
				continue;
			same++;
			if (x[i] != x[k])
				slope[m++] = (y[i] - y[k]) / (x[i] - x[k]);
		}
		/* the variance of Kendall's score, n (n − 1) (2 n + 5) / 18, grows by this with each point */
		variance += (same * (same - 1) * (2 * same + 5) - (same - 1) * (same - 2) * (2 * same + 3)) / 18;
	}
	if (m >= 3) {
		qsort(slope, m, sizeof *slope, by_value);
		width = gsl_cdf_ugaussian_Pinv(0.5 + CONFIDENCE / 2) * sqrt(variance);
		s.known = true;
		s.slope = (slope[(m - 1) / 2] + slope[m / 2]) / 2;
		s.low = slope[(size_t)fmax(0, floor(((double)m - width) / 2) - 1)];
		s.high = slope[(size_t)fmin((double)m - 1, ceil(((double)m + width) / 2))];
	}
	free(slope);
	return s;
}

/* The scale of residuals where x is far from its mean, which may be more than elsewhere. MacKinnon and White, "Some
 * heteroskedasticity-consistent covariance matrix estimators", Journal of Econometrics 29, 1985 (HC3). */
static double
uneven_scale(const double *x, const double *y, size_t n, const struct trust_slope *s, double xx)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		double lever = fmin(x[i] * x[i] / xx, 0.9), rest = (y[i] - s->slope * x[i]) / (1 - lever);

		sum += x[i] * x[i] * rest * rest;
	}
	return sqrt(sum / xx);
}

/* Fits centred x and y, whose levels and other slopes took so many degrees of freedom. */
static struct trust_slope
fit_centred(const double *cx, const double *cy, const size_t *test, size_t n, size_t n_tests, size_t taken)
{
	struct trust_slope s = {0}, pairs;
	double error, t, rest = 0;
	struct sums sum = {0};

	for (size_t i = 0; i < n; i++) {
		sum.xx += cx[i] * cx[i];
		sum.xy += cx[i] * cy[i];
	}
	if (n < taken + 2 || !(sum.xx > 0))
		return s;
	s.known = true;
	s.slope = sum.xy / sum.xx;
	for (size_t i = 0; i < n; i++)
		rest += (cy[i] - s.slope * cx[i]) * (cy[i] - s.slope * cx[i]);
	s.sigma = sqrt(rest / (double)(n - taken - 1));
	error = fmax(fmax(s.sigma, FLOOR), uneven_scale(cx, cy, n, &s, sum.xx)) / sqrt(sum.xx);
	s.share = share_explained(cx, cy, n, s.slope);
	pairs = of_pairs(cx, cy, test, n);
	pairs.share = share_of_most(cx, cy, test, n, n_tests, pairs.slope);
	if (pairs.known && pairs.share > share_of_most(cx, cy, test, n, n_tests, s.slope) + SHARE_BETTER) {
		pairs.low = fmin(pairs.low, pairs.slope - FLOOR / sqrt(sum.xx));
		pairs.high = fmax(pairs.high, pairs.slope + FLOOR / sqrt(sum.xx));
		return pairs;
	}
	t = gsl_cdf_tdist_Pinv(0.5 + CONFIDENCE / 2, (double)(n - taken - 1));
	s.low = s.slope - t * error;
	s.high = s.slope + t * error;
	if (s.share >= SHARE_FRISCH && s.slope > 0)
		s.high += s.slope / s.share - s.slope;
	return s;
}

/* Subtracts from v what z explains of it, both centred. False: nothing that counts is left. */
static bool
project_out(const double *z, size_t n, double *v)
{
	double zz = 0, zv = 0, before = 0, after = 0;

	for (size_t i = 0; i < n; i++) {
		zz += z[i] * z[i];
		zv += z[i] * v[i];
		before += v[i] * v[i];
	}
	for (size_t i = 0; i < n && zz > 0; i++)
		v[i] -= zv / zz * z[i];
	for (size_t i = 0; i < n; i++)
		after += v[i] * v[i];
	return after > ALIKE * before;
}

struct trust_slope
trust_slope_fit(
	const double *x, const double *beside, const double *y, const size_t *test, size_t n, size_t n_tests)
{
	struct trust_slope s = {0};
	double *cx = mem_new_array(n, sizeof *cx), *cy = mem_new_array(n, sizeof *cy), *cz = NULL;
	size_t levels;

	gsl_set_error_handler_off();
	levels = centre(x, test, n, n_tests, cx);
	centre(y, test, n, n_tests, cy);
	if (!beside) {
		s = fit_centred(cx, cy, test, n, n_tests, levels);
		goto out;
	}
	cz = mem_new_array(n, sizeof *cz);
	centre(beside, test, n, n_tests, cz);
	if (project_out(cz, n, cx)) {
		project_out(cz, n, cy);
		s = fit_centred(cx, cy, test, n, n_tests, levels + 1);
	}
out:
	free(cx);
	free(cy);
	free(cz);
	return s;
}

struct trust_slope
trust_slope_of_pairs(const double *x, const double *y, size_t n)
{
	return of_pairs(x, y, NULL, n);
}
