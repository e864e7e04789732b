/* How often the region of one look misses a mean that is known, in small, and the factors by which few samples widen it. */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/stats/cholesky.h"
#include "core/stats/few.h"
#include "core/stats/lag.h"
#include "core/stats/region.h"
#include "cover.h"
#include "test.h"

/* Hotelling's T² is n nu / (nu − n + 1) times F with n and nu − n + 1 degrees of freedom; with a known shape it is n times F with n and nu. */
static void
both_quantiles_are_exact(void)
{
	static const struct { size_t n; double nu; } row[] = {{1, 5}, {1, 50}, {2, 12}, {5, 19}, {5, 400}, {26, 60}, {26, 77}, {26, 1000}};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		double n = (double)row[i].n, nu = row[i].nu, left = nu - n + 1, chi2 = gsl_cdf_chisq_Qinv(0.01, n);
		double size = n * gsl_cdf_fdist_Qinv(0.01, n, nu) / chi2, shape = n * nu / left * gsl_cdf_fdist_Qinv(0.01, n, left) / chi2;

		test_label("%zu counters, %g", row[i].n, nu);
		CHECK_NEAR(few_size(row[i].n, nu), size, 0.02 * size);
		CHECK_NEAR(few_shape(row[i].n, nu), shape, 0.02 * shape);
	}
	/* No power is left there: as at twice as many, but for the size. */
	CHECK_NEAR(few_shape(26, 30) / few_size(26, 30), few_shape(26, 52) / few_size(26, 52), 1e-9);
}

/* n / (1 + 2 Σ r_k²), with the correlations of batch sums added up pair by pair. */
static void
batches_are_worth_what_their_correlations_leave(void)
{
	static const struct { double rho; size_t length; } row[] = {{0, 1}, {0.5, 1}, {0.9, 1}, {0.5, 3}, {0.9, 10}, {0.9, 25}, {0.95, 4}};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		double sum = 1, own = 0;

		for (size_t by = 0; by < 400; by++) {
			double r = 0;

			for (size_t a = 0; a < row[i].length; a++)
				for (size_t b = 0; b < row[i].length; b++)
					r += pow(row[i].rho, fabs((double)(by * row[i].length + b) - (double)a));
			if (by == 0)
				own = r;
			else
				sum += 2 * r * r / (own * own);
		}
		test_label("%g, batches of %zu", row[i].rho, row[i].length);
		CHECK_NEAR(lag_worth(row[i].rho, (double)row[i].length, 40), 40 / sum, 1e-6);
	}
}

/* nu + 1 samples of n counters, half of whose variance is in common, of mean 0: the covariance of the mean, correlations shrunk by s, its factor, and d² of 0. */
static double
draw(size_t n, size_t m, double s, uint64_t *seed, double *cov, double *factor)
{
	double *x = mem_new_array(n * m, sizeof *x), *mean = mem_new_array(n, sizeof *mean), rows = (double)m, d2 = 0;

	for (size_t k = 0; k < m; k++) {
		double common = test_normal(seed);

		for (size_t i = 0; i < n; i++) {
			x[k * n + i] = common + test_normal(seed);
			mean[i] += x[k * n + i] / rows;
		}
	}
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			double sum = 0;

			for (size_t k = 0; k < m; k++)
				sum += (x[k * n + i] - mean[i]) * (x[k * n + j] - mean[j]);
			cov[i * n + j] = sum / (rows - 1) / rows * (i == j ? 1 : 1 - s);
		}
	CHECK(cholesky(n, cov, 0, factor));
	cholesky_forward(n, factor, mean);
	for (size_t i = 0; i < n; i++)
		d2 += mean[i] * mean[i];
	free(x);
	free(mean);
	return d2;
}

/* The factor makes χ²'s bound one that about 1 % of the samples are beyond; without it, many more are. */
static void
shrunk_correlations_cover(void)
{
	static const struct { size_t n, m; double s; } row[] = {{10, 20, 0.1}, {10, 20, 0.3}, {26, 20, 0.2}, {26, 20, 0.4}, {26, 40, 0.12}, {26, 78, 0.05}};
	const unsigned rounds = test_rounds(1500, 20000);
	uint64_t seed = 11;

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		size_t n = row[i].n;
		double *cov = mem_new_array(n * n, sizeof *cov), *factor = mem_new_array(n * n, sizeof *factor), chi2 = chi2_quantile(0.99, n);
		unsigned beyond = 0, bare = 0;

		for (unsigned round = 0; round < rounds; round++) {
			double d2 = draw(n, row[i].m, row[i].s, &seed, cov, factor), f = few_shrunk(n, (double)row[i].m - 1, row[i].s, cov, factor);

			if (round == 0)
				CHECK(f >= few_size(n, (double)row[i].m - 1) && f < 3);
			beyond += d2 > f * chi2;
			bare += d2 > chi2;
		}
		test_label("%zu counters, %zu samples, shrunk by %g: %u of %u, bare %u", n, row[i].m, row[i].s, beyond, rounds, bare);
		CHECK(beyond * 100 <= 3 * rounds);
		CHECK(bare > 2 * beyond + rounds / 100);
		free(cov);
		free(factor);
	}
}

/* Correlated rows: 1 % may be missed. */
static void
correlated_rows_cover(void)
{
	static const struct { size_t n; double lag; size_t m; double width; } row[] = {
		{1, 0.9, 500, 1.3}, {5, 0.5, 60, 1.6}, {5, 0.9, 500, 1.5}, {10, 0.5, 500, 1.4}, {26, 0.5, 200, 1.4}, {26, 0.5, 500, 1.4}, {26, 0.9, 500, 1.4},
	};
	const unsigned streams = test_rounds(300, 4000);

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct cover_count got = cover_run(row[i].n, row[i].lag, row[i].m, streams, 21);

		test_label("%zu counters, lag %g, %zu rows: %zu of %u, width %.2f", row[i].n, row[i].lag, row[i].m, got.missed, streams, got.width);
		CHECK(got.found > streams - streams / 20);
		CHECK(got.missed * 100 <= 3 * (size_t)streams);
		CHECK(got.width < row[i].width);
	}
}

TEST_MAIN(CASE(both_quantiles_are_exact), CASE(batches_are_worth_what_their_correlations_leave), CASE(shrunk_correlations_cover),
	CASE(correlated_rows_cover))
