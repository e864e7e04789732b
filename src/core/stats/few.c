#include "core/stats/few.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/stats/cholesky.h"
#include "core/stats/region.h"

#define REFERENCE 0.99   /* confidence at which the widening is exact */
#define REFERENCE_Z 2.3263478740408408
#define KNOWN 1e9        /* degrees of freedom: as good as known */

double
few_size(size_t n, double nu)
{
	return fmax(1, fisher_quantile(REFERENCE, n, nu) / fisher_quantile(REFERENCE, n, KNOWN));
}

double
few_shape(size_t n, double nu)
{
	double most = fmax(nu, 2 * (double)n), left = most - (double)n + 1;

	return few_size(n, nu) * most / left * few_size(n, left) / few_size(n, most);
}

/* The quantile of χ² with a real number of degrees of freedom, by Wilson and Hilferty's cube (Proceedings of the National Academy of
 * Sciences 17, 1931). */
static double
chi2_of(double nu)
{
	double root = 1 - 2 / (9 * nu) + REFERENCE_Z * sqrt(2 / (9 * nu));

	return nu * root * root * root;
}

/* Traces of the inverse of the correlation matrix of cov, and of that squared. */
static void
inverse_traces(size_t n, const double *cov, const double *factor, double *trace, double *trace2)
{
	double *x = mem_new_array(n, sizeof *x);

	*trace = *trace2 = 0;
	for (size_t j = 0; j < n; j++) {
		for (size_t i = 0; i < n; i++)
			x[i] = i == j ? 1 : 0;
		cholesky_forward(n, factor, x);
		cholesky_backward(n, factor, x);
		*trace += x[j] * cov[j * n + j];
		for (size_t i = 0; i < n; i++)
			*trace2 += x[i] * x[i] * cov[i * n + i] * cov[j * n + j];
	}
	free(x);
}

/* With R the correlations as they were measured, the shrunk ones are (1 − s) (R + l·1), l = s / (1 − s). Let m and m' be the mean
 * diagonals of (R + l·1)⁻¹ and of its square, and g = n / nu. Then the mean and the variance of zᵀ (R + l·1)⁻¹ z are n Θ₁ and 2 n Θ₂,
 *
 *   Θ₁ = (1 − l m) / (1 − g (1 − l m)),   Θ₂ = (1 − l m) / (1 − g + g l m)³ − l (m − l m') / (1 − g + g l m)⁴
 *
 * and a multiple of χ² has both. That takes what R is drawn to, variances, for known; they are estimates, and one over an estimate
 * with nu degrees of freedom is nu / (nu − 2) in the mean. l m is the share that they have in z's distance. */
double
few_shrunk(size_t n, double nu, double shrunk, const double *cov, const double *factor)
{
	double trace, trace2, keep = 1 - shrunk, dim = (double)n, g = dim / nu, lm, l2m2, left, scale, mean, variance;

	inverse_traces(n, cov, factor, &trace, &trace2);
	lm = shrunk * trace / dim; /* (R + l·1)⁻¹ is (1 − s) times the inverse of the shrunk ones */
	l2m2 = shrunk * shrunk * trace2 / dim;
	left = 1 - g * (1 - lm);
	if (!(keep > 0) || !(left > 0) || !(lm < 1))
		return few_size(n, nu);
	scale = (1 + 2 * lm / fmax(nu - 2, 2)) / keep;
	mean = scale * dim * (1 - lm) / left;
	variance = scale * scale * 2 * dim * ((1 - lm) - (lm - l2m2) / left) / (left * left * left);
	if (!(variance > 0))
		return few_size(n, nu);
	return fmax(few_size(n, nu), variance / (2 * mean) * chi2_of(2 * mean * mean / variance) / chi2_of(dim));
}
