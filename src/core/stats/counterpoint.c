/* The box is stored as a covariance with the same eigenvectors. Its eigenvalues μ_i satisfy sqrt(μ_i q) = sqrt(λ_i q) +
 * t. So everything that hecate does with rotated boxes works for this one too, exact certificates included. */
#include "core/stats/counterpoint.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/panic.h"
#include "core/stats/matrix.h"
#include "core/stats/region.h"
#include "core/stats/tails.h"

#define SHORTEST 1e-6 /* of the longest half axis; a shorter axis would leave no factor after rounding */

static void
take_mean(struct region *region, const struct samples *samples)
{
	for (size_t row = 0; row < samples->n_rows; row++) {
		if (!samples_whole(samples, row))
			continue;
		region->rows++;
		for (size_t i = 0; i < region->n; i++)
			region->sum[i] += samples->count[row * region->n + i];
	}
	for (size_t i = 0; i < region->n && region->rows; i++) {
		region->weight[i] = (int64_t)region->rows;
		region->mean[i] = (double)region->sum[i] / (double)region->rows * region->unit;
	}
}

/* The covariance of the mean, if rows are independent. */
static void
take_covariance(struct region *region, const struct samples *samples)
{
	double *off = mem_new_array(region->n, sizeof *off), m = (double)region->rows, unit = region->unit;

	for (size_t row = 0; row < samples->n_rows; row++) {
		if (!samples_whole(samples, row))
			continue;
		for (size_t i = 0; i < region->n; i++)
			off[i] = (double)samples->count[row * region->n + i] * unit - region->mean[i];
		for (size_t i = 0; i < region->n; i++)
			for (size_t j = 0; j <= i; j++)
				region->making[i * region->n + j] += off[i] * off[j];
	}
	for (size_t i = 0; i < region->n; i++)
		for (size_t j = 0; j <= i; j++)
			region->making[j * region->n + i] = region->making[i * region->n + j] /= (m - 1) * m;
	free(off);
}

/* The tolerance t, in counts. */
static double
tolerance(const struct region *r)
{
	double largest = 0;

	for (size_t i = 0; i < r->n; i++)
		largest = fmax(largest, fabs(r->mean[i]));
	return largest > 0 ? COUNTERPOINT_TOLERANCE * largest : 1;
}

/* Turns λ into μ. */
static void
lengthen_axes(struct region *r)
{
	double q = chi2_quantile(COUNTERPOINT_CONFIDENCE, r->n), t = tolerance(r), longest = 0;
	double *half = mem_new_array(r->n, sizeof *half);

	for (size_t k = 0; k < r->n; k++) {
		half[k] = sqrt(fmax(r->eigenvalue[k], 0) * q) + t;
		longest = fmax(longest, half[k]);
	}
	for (size_t k = 0; k < r->n; k++) {
		half[k] = fmax(half[k], SHORTEST * longest);
		r->eigenvalue[k] = half[k] * half[k] / q;
	}
	free(half);
}

/* Computes Σ μ_k e_k e_kᵀ and its factor. */
static void
put_together(struct region *region)
{
	for (size_t i = 0; i < region->n; i++)
		for (size_t j = 0; j <= i; j++) {
			double sum = 0;

			for (size_t k = 0; k < region->n; k++)
				sum += region->eigenvalue[k] * region->eigenvector[k * region->n + i] *
					region->eigenvector[k * region->n + j];
			region->making[i * region->n + j] = region->making[j * region->n + i] = sum;
		}
	if (!matrix_cholesky(region->n, region->making, 0, region->spread.factor))
		panic("a box of %zu counters, none of whose axes is short, has no factor", region->n);
}

struct region *
counterpoint_region(const struct samples *samples)
{
	struct region *region = mem_new(sizeof *region);
	size_t n = samples->n_counters;

	*region = (struct region){.n = n,
		.uneven = n,
		.decimals = samples->decimals,
		.unit = samples_unit(samples),
		.inflation = 1,
		.box_only = true};
	region->sum = mem_new_array(n, sizeof *region->sum);
	region->weight = mem_new_array(n, sizeof *region->weight);
	region->mean = mem_new_array(n, sizeof *region->mean);
	take_mean(region, samples);
	region->left_out = samples->n_rows - region->rows;
	region->effective = (double)region->rows;
	if (region->rows < COUNTERPOINT_SAMPLES || n == 0)
		return region;
	region_make_room(region);
	take_covariance(region, samples);
	region_find_axes(region);
	lengthen_axes(region);
	put_together(region);
	region_fold(region);
	return region;
}
