#include "cover.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/stats/region.h"
#include "test.h"

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
			count[m * n + i] =
				llround(MEAN + DEVIATION * (n > 1 ? (state[i] + state[n]) / sqrt(2) : state[i]));
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
			z[i] -= r->spread.factor[i * r->n + j] * z[j];
		z[i] /= r->spread.factor[i * r->n + i];
		d2 += z[i] * z[i];
	}
	return d2;
}
