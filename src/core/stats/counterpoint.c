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
take_mean(struct region *r, const struct samples *s)
{
	for (size_t row = 0; row < s->n_rows; row++) {
		if (!samples_whole(s, row))
			continue;
		r->rows++;
		for (size_t i = 0; i < r->n; i++)
			r->sum[i] += s->count[row * r->n + i];
	}
	for (size_t i = 0; i < r->n && r->rows; i++) {
		r->weight[i] = (int64_t)r->rows;
		r->mean[i] = (double)r->sum[i] / (double)r->rows * r->unit;
	}
}

/* The covariance of the mean, if rows are independent. */
static void
take_covariance(struct region *r, const struct samples *s)
{
	double *off = mem_new_array(r->n, sizeof *off), m = (double)r->rows, unit = r->unit;

	for (size_t row = 0; row < s->n_rows; row++) {
		if (!samples_whole(s, row))
			continue;
		for (size_t i = 0; i < r->n; i++)
			off[i] = (double)s->count[row * r->n + i] * unit - r->mean[i];
		for (size_t i = 0; i < r->n; i++)
			for (size_t j = 0; j <= i; j++)
				r->cov[i * r->n + j] += off[i] * off[j];
	}
	for (size_t i = 0; i < r->n; i++)
		for (size_t j = 0; j <= i; j++)
			r->cov[j * r->n + i] = r->cov[i * r->n + j] /= (m - 1) * m;
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
put_together(struct region *r)
{
	for (size_t i = 0; i < r->n; i++)
		for (size_t j = 0; j <= i; j++) {
			double sum = 0;

			for (size_t k = 0; k < r->n; k++)
				sum += r->eigenvalue[k] * r->eigenvector[k * r->n + i] * r->eigenvector[k * r->n + j];
			r->cov[i * r->n + j] = r->cov[j * r->n + i] = sum;
		}
	if (!matrix_cholesky(r->n, r->cov, 0, r->factor))
		panic("a box of %zu counters, none of whose axes is short, has no factor", r->n);
}

struct region *
counterpoint_region(const struct samples *s)
{
	struct region *r = mem_new(sizeof *r);
	size_t n = s->n_counters;

	*r = (struct region){.n = n, .uneven = n, .decimals = s->decimals, .unit = samples_unit(s), .inflation = 1,
		.box_only = true};
	r->sum = mem_new_array(n, sizeof *r->sum);
	r->weight = mem_new_array(n, sizeof *r->weight);
	r->mean = mem_new_array(n, sizeof *r->mean);
	take_mean(r, s);
	r->left_out = s->n_rows - r->rows;
	r->effective = (double)r->rows;
	if (r->rows < COUNTERPOINT_SAMPLES || n == 0)
		return r;
	region_make_room(r);
	take_covariance(r, s);
	if (!matrix_eigen(n, r->cov, r->eigenvalue, r->eigenvector))
		panic("GSL found no eigenvalues of a covariance matrix of %zu counters", n);
	lengthen_axes(r);
	put_together(r);
	return r;
}
