/* Samples are centred before they are multiplied, and centred exactly: counts near 2^62 leave no digits of their variance
 * in a double, so first the rounded mean is taken off as an integer, then the rest of the mean as a small double. */
#include "core/stats/region.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/panic.h"
#include "core/stats/cholesky.h"
#include "core/stats/dot.h"
#include "core/stats/eigen.h"

#define RELATIVE_FLOOR 1e-7    /* standard error of a mean, relative to it, that is never undercut */
#define EIGENVALUE_FLOOR 1e-13 /* of the largest eigenvalue */

struct region_state {
	bool axes;
};

static double
unit(int decimals)
{
	return decimals ? pow(10, -decimals) : 1;
}

/* Exact sums; counters that no row counted keep weight 0 and mean 0. */
static void
take_sums(struct region *r, const struct samples *s)
{
	for (size_t m = 0; m < s->n_rows; m++)
		for (size_t i = 0; i < r->n; i++)
			if (!s->counted || s->counted[m * r->n + i]) {
				r->sum[i] += s->count[m * r->n + i];
				r->weight[i]++;
			}
	for (size_t i = 0; i < r->n; i++)
		if (r->weight[i])
			r->mean[i] = (double)r->sum[i] / (double)r->weight[i] * unit(r->decimals);
}

/* Column i of the samples minus its mean, in units of the counter; 0 where it was not counted. */
static void
centre(const struct region *r, const struct samples *s, size_t i, double *x)
{
	i128 w = r->weight[i] ? r->weight[i] : 1, half = r->sum[i] < 0 ? -(w / 2) : w / 2;
	i128 whole = (r->sum[i] + half) / w;
	double rest = (double)(r->sum[i] - whole * w) / (double)w, scale = unit(r->decimals);

	for (size_t m = 0; m < s->n_rows; m++) {
		bool here = !s->counted || s->counted[m * r->n + i];
		int64_t off = 0;

		if (here && __builtin_sub_overflow(s->count[m * r->n + i], (int64_t)whole, &off))
			x[m] = (double)((i128)s->count[m * r->n + i] - whole) * scale;
		else
			x[m] = here ? ((double)off - rest) * scale : 0;
	}
}

/* Rows in which both counters were counted. */
static size_t
together(const struct samples *s, size_t i, size_t j)
{
	size_t n = 0;

	if (!s->counted)
		return s->n_rows;
	for (size_t m = 0; m < s->n_rows; m++)
		n += s->counted[m * s->n_counters + i] && s->counted[m * s->n_counters + j];
	return n;
}

/* The covariance of the means: m_ij rows counted both i and j, m_i and m_j rows each, so cov(Ȳ_i, Ȳ_j) = m_ij / (m_i m_j) · c_ij. */
static void
take_covariance(struct region *r, const struct samples *s)
{
	size_t n = r->n;
	double *x = mem_new_array(n * s->n_rows, sizeof *x);

	for (size_t i = 0; i < n; i++)
		centre(r, s, i, x + i * s->n_rows);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j <= i; j++) {
			double both = (double)together(s, i, j), c = 0;

			if (both > 1)
				c = dot(x + i * s->n_rows, x + j * s->n_rows, s->n_rows) / (both - 1) * both
					/ ((double)r->weight[i] * (double)r->weight[j]);
			r->cov[i * n + j] = r->cov[j * n + i] = c;
		}
	free(x);
}

/* Counts are whole numbers, and a standard error below 1e-7 of the mean is an artefact (docs/numerics.md). */
static void
floor_variances(struct region *r)
{
	double u = unit(r->decimals);

	for (size_t i = 0; i < r->n; i++) {
		double relative = RELATIVE_FLOOR * r->mean[i];

		r->cov[i * r->n + i] += u * u / (12.0 * (double)r->weight[i]) + relative * relative;
	}
}

/* Covariances of pairs that were counted in different rows need not fit together. Where they do not, they are taken back
 * together, as little as makes the correlations a proper matrix: a floor on the eigenvalues alone would call the
 * directions in which they contradict each other very precisely known. */
static void
reconcile_pairs(struct region *r)
{
	size_t n = r->n;
	double *c = mem_new_array(n * n, sizeof *c);

	for (int step = 0; step <= 16; step++) {
		double keep = 1 - step / 16.0;

		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				c[i * n + j] = i == j ? 1 : keep * r->cov[i * n + j] / sqrt(r->cov[i * n + i] * r->cov[j * n + j]);
		if (!cholesky(n, c, step ? 1.0 / 64 : EIGENVALUE_FLOOR, r->factor))
			continue;
		for (size_t i = 0; i < n * n && step; i++)
			if (i / n != i % n)
				r->cov[i] *= keep;
		break;
	}
	free(c);
}

/* No eigenvalue below 1e-13 of the largest. Usually none is, which a Cholesky factor of the matrix less the floor shows. Else
 * the floor is added to all of them: that needs no eigenvectors, and differs from lifting the small ones alone by no more
 * than a factor of 2, near the floor, towards the wider region. The Frobenius norm stands for the largest eigenvalue: it is
 * no less, and not much more where a few factors make up the covariance. */
static void
floor_eigenvalues(struct region *r)
{
	size_t n = r->n;
	double least = EIGENVALUE_FLOOR * sqrt(dot(r->cov, r->cov, n * n));

	if (cholesky(n, r->cov, least, r->factor)) {
		cholesky(n, r->cov, 0, r->factor);
		return;
	}
	/* Twice, if ever, where pairs counted in different rows left a slightly negative eigenvalue. */
	do {
		for (size_t i = 0; i < n; i++)
			r->cov[i * n + i] += least;
		least *= 2;
	} while (!cholesky(n, r->cov, 0, r->factor));
}

static bool
has_missing_cells(const struct samples *s)
{
	for (size_t i = 0; s->counted && i < s->n_rows * s->n_counters; i++)
		if (!s->counted[i])
			return true;
	return false;
}

bool
region_has_noise_model(const struct region *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->weight[i] < 2)
			return false;
	return !r->point && r->rows > 1 && r->n > 0;
}

struct region *
region_new(const struct samples *s, bool exact)
{
	struct region *r = mem_new(sizeof *r);
	size_t n = s->n_counters;

	*r = (struct region){.n = n, .rows = s->n_rows, .point = exact, .decimals = s->decimals};
	r->sum = mem_new_array(n, sizeof *r->sum);
	r->weight = mem_new_array(n, sizeof *r->weight);
	r->mean = mem_new_array(n, sizeof *r->mean);
	r->state = mem_new(sizeof *r->state);
	take_sums(r, s);
	if (!region_has_noise_model(r))
		return r;
	r->cov = mem_new_array(n * n, sizeof *r->cov);
	r->factor = mem_new_array(n * n, sizeof *r->factor);
	r->eigenvalue = mem_new_array(n, sizeof *r->eigenvalue);
	r->eigenvector = mem_new_array(n * n, sizeof *r->eigenvector);
	take_covariance(r, s);
	floor_variances(r);
	if (has_missing_cells(s))
		reconcile_pairs(r);
	floor_eigenvalues(r);
	return r;
}

void
region_axes(const struct region *r)
{
	double least;

	if (r->state->axes || !r->cov)
		return;
	if (!eigen_symmetric(r->n, r->cov, r->eigenvalue, r->eigenvector))
		panic("GSL found no eigenvalues of a covariance matrix of %zu counters", r->n);
	/* What rounding took off. */
	least = EIGENVALUE_FLOOR * r->eigenvalue[r->n - 1];
	for (size_t k = 0; k < r->n; k++)
		r->eigenvalue[k] = fmax(r->eigenvalue[k], least);
	r->state->axes = true;
}

void
region_free(struct region *r)
{
	if (!r)
		return;
	free(r->sum);
	free(r->weight);
	free(r->mean);
	free(r->cov);
	free(r->factor);
	free(r->eigenvalue);
	free(r->eigenvector);
	free(r->state);
	free(r);
}
