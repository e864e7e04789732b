#include "work/analysis/describe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/int128.h"
#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/verdict/nnls.h"

#define DENOMINATOR_MAX 720 /* largest common denominator of the weights: 6! is divisible by 1 … 6 */

/* Finds real weights: non-negative least squares of the certificate over the rows, which are scaled to length 1. */
static bool
real_weights(const struct cone *cone, const int64_t *coef, double *weight)
{
	size_t m = cone->n_equalities + cone->n_inequalities, n = cone->n_counters;
	double *row = mem_new_array(m * n, sizeof *row), *g = mem_new_array(m, sizeof *g),
	       *length = mem_new_array(m, sizeof *length);
	struct nnls out;
	bool good;

	for (size_t k = 0; k < m; k++) {
		for (size_t i = 0; i < n; i++)
			length[k] += (double)cone_row(cone, k)[i] * (double)cone_row(cone, k)[i];
		length[k] = sqrt(length[k]);
		for (size_t i = 0; i < n; i++) {
			row[k * n + i] = (double)cone_row(cone, k)[i] / length[k];
			g[k] += row[k * n + i] * (double)coef[i];
		}
	}
	nnls_solve(m, n, cone->n_equalities, row, g, &out);
	good = out.converged;
	for (size_t j = 0; good && j < out.n_active; j++)
		weight[out.active[j]] = out.z[j] / length[out.active[j]];
	nnls_free(&out);
	free(length);
	free(g);
	free(row);
	return good;
}

static bool
is_exact(const struct cone *cone, const int64_t *coef, const int64_t *weight, int64_t times)
{
	size_t m = cone->n_equalities + cone->n_inequalities;

	for (size_t i = 0; i < cone->n_counters; i++) {
		i128 sum = -(i128)times * coef[i];

		for (size_t k = 0; k < m; k++)
			sum += (i128)weight[k] * cone_row(cone, k)[i];
		if (sum)
			return false;
	}
	for (size_t k = cone->n_equalities; k < m; k++)
		if (weight[k] < 0)
			return false;
	return true;
}

bool
combine_rows(const struct cone *cone, const int64_t *coef, int64_t *weight, int64_t *times)
{
	size_t m = cone->n_equalities + cone->n_inequalities;
	double *real = mem_new_array(m, sizeof *real);
	bool found = false;

	if (m && real_weights(cone, coef, real))
		for (*times = 1; !found && *times <= DENOMINATOR_MAX; ++*times) {
			bool near = true;

			for (size_t k = 0; k < m && near; k++) {
				double w = real[k] * (double)*times;

				near = fabs(w) < 1e15 && fabs(w - rint(w)) < 1e-4 * (1 + fabs(w));
				weight[k] = near ? llrint(w) : 0;
			}
			if (near && is_exact(cone, coef, weight, *times)) {
				found = true;
				break;
			}
		}
	free(real);
	return found;
}
