#include "cover.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/stats/lag.h"
#include "core/stats/region.h"
#include "test.h"

#define CONFIDENCE 0.99
#define MEAN 1000000.0
#define DEVIATION 50000.0

int64_t *
cover_rows(size_t n, double lag, size_t rows, uint64_t *seed)
{
	int64_t *count = mem_new_array(rows * n, sizeof *count);
	double *state = mem_new_array(n + 1, sizeof *state), fresh = sqrt(1 - lag * lag);

	for (size_t i = 0; i <= n; i++)
		state[i] = test_normal(seed);
	for (size_t m = 0; m < rows; m++) {
		for (size_t i = 0; i <= n && m > 0; i++)
			state[i] = lag * state[i] + fresh * test_normal(seed);
		for (size_t i = 0; i < n; i++)
			count[m * n + i] = llround(MEAN + DEVIATION * (n > 1 ? (state[i] + state[n]) / sqrt(2) : state[i]));
	}
	free(state);
	return count;
}

double
cover_distance2(const struct region *r, double *z)
{
	double d2 = 0;

	for (size_t i = 0; i < r->n; i++) {
		z[i] = r->mean[i] - MEAN;
		for (size_t j = 0; j < i; j++)
			z[i] -= r->factor[i * r->n + j] * z[j];
		z[i] /= r->factor[i * r->n + i];
		d2 += z[i] * z[i];
	}
	return d2;
}

/* ln of the determinant of the true covariance of the mean: half of each counter's variance is common to all. */
static double
true_log_determinant(size_t n, double lag, size_t rows)
{
	double one = log(DEVIATION * DEVIATION * lag_seen_by(lag, (double)rows) / (double)rows);

	return (double)n * one + (n > 1 ? (double)n * log(0.5) + log(1 + (double)n) : 0);
}

static double
log_determinant(const struct region *r)
{
	double sum = 0;

	for (size_t i = 0; i < r->n; i++)
		sum += 2 * log(r->factor[i * r->n + i]);
	return sum;
}

struct cover_count
cover_run(size_t n, double lag, size_t rows, size_t streams, uint64_t seed)
{
	struct cover_count out = {.streams = streams};
	double bound = chi2_quantile(CONFIDENCE, n), truth = true_log_determinant(n, lag, rows), width = 0, *z = mem_new_array(n, sizeof *z);

	for (size_t i = 0; i < streams; i++) {
		int64_t *count = cover_rows(n, lag, rows, &seed);
		struct samples s = {.n_counters = n, .n_rows = rows, .count = count};
		struct region *r = region_new(&s, false);

		out.missed += cover_distance2(r, z) > bound;
		out.found += r->lag > 0;
		out.shrunk += r->shrinkage > 0;
		out.freedom += r->freedom / (double)streams;
		width += (log_determinant(r) - truth) / (2 * (double)n) / (double)streams;
		region_free(r);
		free(count);
	}
	out.width = exp(width);
	free(z);
	return out;
}
