#include "rivals.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/stats/tails.h"

struct moments {
	double mean, variance;
};

static struct moments
moments_of(const double *v, size_t n)
{
	struct moments m = {0};

	for (size_t i = 0; i < n; i++)
		m.mean += v[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		m.variance += (v[i] - m.mean) * (v[i] - m.mean) / (double)(n - 1);
	return m;
}

/* Of a difference with this variance. */
static double
two_sided(double difference, double variance, double freedom)
{
	if (variance <= 0)
		return fabs(difference) > 0 ? 0 : 1;
	return fisher_tail(difference * difference / variance, 1, freedom);
}

double
rival_welch(const double *a, size_t n_a, const double *b, size_t n_b)
{
	struct moments x = moments_of(a, n_a), y = moments_of(b, n_b);
	double u = x.variance / (double)n_a, v = y.variance / (double)n_b;

	return two_sided(
		y.mean - x.mean, u + v, (u + v) * (u + v) / (u * u / (double)(n_a - 1) + v * v / (double)(n_b - 1)));
}

double
rival_ministat(const double *a, size_t n_a, const double *b, size_t n_b)
{
	struct moments x = moments_of(a, n_a), y = moments_of(b, n_b);
	size_t freedom = n_a + n_b - 2;
	double pooled = ((double)(n_a - 1) * x.variance + (double)(n_b - 1) * y.variance) / (double)freedom;
	double variance = pooled * (1 / (double)n_a + 1 / (double)n_b), d = y.mean - x.mean;

	return freedom > 100 && variance > 0 ? chi2_tail(d * d / variance, 1) : two_sided(d, variance, (double)freedom);
}

/* --- Mann and Whitney --------------------------------------------------------------------------------------------- */

struct ranked {
	double value;
	bool is_b;
};

static int
by_value(const void *a, const void *b)
{
	double x = ((const struct ranked *)a)->value, y = ((const struct ranked *)b)->value;

	return (x > y) - (x < y);
}

/* The share of all orders of n_a and n_b values in which U is at least u. */
static double
share_from(size_t n_a, size_t n_b, double u)
{
	size_t most = n_a * n_b;
	double *ways = mem_new_array((n_a + 1) * (most + 1), sizeof *ways), all = 0, from = 0;

	/* ways[i][s]: of i values of A with so many of B below them, s in all; B's are added one level at a time */
	ways[0] = 1;
	for (size_t below = 0; below <= n_b; below++)
		for (size_t i = 1; i <= n_a; i++)
			for (size_t s = below; s <= most; s++)
				ways[i * (most + 1) + s] += ways[(i - 1) * (most + 1) + s - below];
	for (size_t s = 0; s <= most; s++) {
		all += ways[n_a * (most + 1) + s];
		from += (double)s >= u ? ways[n_a * (most + 1) + s] : 0;
	}
	free(ways);
	return from / all;
}

double
rival_mann_whitney(const double *a, size_t n_a, const double *b, size_t n_b)
{
	size_t n = n_a + n_b;
	struct ranked *r = mem_new_array(n, sizeof *r);
	double rank_sum = 0, ties = 0, u, p, pairs = (double)n_a * (double)n_b, total = (double)n;

	for (size_t i = 0; i < n; i++)
		r[i] = i < n_a ? (struct ranked){a[i], false} : (struct ranked){b[i - n_a], true};
	qsort(r, n, sizeof *r, by_value);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && r[end].value <= r[i].value; end++)
			;
		for (size_t k = i; k < end; k++)
			rank_sum += r[k].is_b ? 0 : ((double)i + (double)end + 1) / 2;
		ties += pow((double)(end - i), 3) - (double)(end - i);
	}
	free(r);
	u = rank_sum - (double)n_a * ((double)n_a + 1) / 2;
	u = fmax(u, pairs - u);
	if (ties <= 0 && (n_a <= 8 || n_b <= 8))
		return fmin(1, 2 * share_from(n_a, n_b, u));
	p = pairs / 12 * (total + 1 - ties / (total * (total - 1)));
	if (p <= 0)
		return 1;
	u = (u - pairs / 2 - 0.5) / sqrt(p);
	return fmin(1, erfc(u / sqrt(2)));
}
