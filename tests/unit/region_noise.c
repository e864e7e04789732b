/* Regions from noise, compared with direct formulas: few samples, estimated cells, stated errors, torn rows, long
 * recordings. */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/stats/centred.h"
#include "core/stats/region.h"
#include "core/stats/tails.h"
#include "test.h"

/* Correlated counts around 1e6: AR(1) in time where lag is not 0. */
static int64_t *
counts(size_t n, size_t m, double lag, uint64_t *seed)
{
	int64_t *c = mem_new_array(n * m, sizeof *c);
	double *z = mem_new_array(n + 1, sizeof *z);

	for (size_t k = 0; k < m; k++) {
		for (size_t i = 0; i <= n; i++)
			z[i] = k ? lag * z[i] + sqrt(1 - lag * lag) * test_normal(seed) : test_normal(seed);
		for (size_t i = 0; i < n; i++)
			c[k * n + i] = (int64_t)(1e6 + 3e4 * z[n] + 1e4 * (double)(i + 1) * z[i]);
	}
	free(z);
	return c;
}

/* The ellipsoid is Hotelling's: Σ is widened by T² / χ² at 0.99. With fewer rows than counters no ellipsoid exists. */
static void
few_samples_widen(void)
{
	static const struct {
		size_t n, m;
	} row[] = {{26, 27}, {26, 30}, {26, 60}, {26, 500}, {3, 4}, {3, 20}, {1, 6}, {10, 25}};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		uint64_t seed = 2;
		int64_t *c = counts(row[i].n, row[i].m, 0, &seed);
		struct region *r =
			region_new(&(struct samples){.n_counters = row[i].n, .n_rows = row[i].m, .count = c}, false);
		double n = (double)row[i].n, nu = (double)row[i].m - 1, left = nu - n + 1;
		double want = nu * n / left * gsl_cdf_fdist_Qinv(0.01, n, left) / gsl_cdf_chisq_Qinv(0.01, n);

		test_label("%zu counters, %zu rows", row[i].n, row[i].m);
		CHECK_NEAR(r->inflation / want, 1, 1e-6);
		CHECK(!r->open);
		region_free(r);
		free(c);
	}
	for (size_t m = 2; m <= 26; m += 8) {
		uint64_t seed = 3;
		int64_t *c = counts(26, m, 0, &seed);
		struct region *r = region_new(&(struct samples){.n_counters = 26, .n_rows = m, .count = c}, false);

		CHECK(r->open && isfinite(r->inflation) && region_has_noise_model(r));
		region_free(r);
		free(c);
	}
}

/* Correlated neighbouring rows are noticed, and the variance of their mean is measured. */
static void
lags_are_found_and_measured(void)
{
	static const struct { double lag; size_t m, n; } row[] = {{0.5, 1000, 4}, {0.9, 1000, 4}, {0.7, 4000, 26}};
	uint64_t seed = 3;

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		int64_t *c = counts(row[i].n, row[i].m, row[i].lag, &seed);
		struct region *r =
			region_new(&(struct samples){.n_counters = row[i].n, .n_rows = row[i].m, .count = c}, false);
		double worth = (double)row[i].m * (1 - row[i].lag) / (1 + row[i].lag);

		test_label("lag %g, %zu rows", row[i].lag, row[i].m);
		CHECK_NEAR(r->lag, row[i].lag, 0.2);
		CHECK_NEAR(r->effective, worth, 0.35 * worth);
		region_free(r);
		free(c);
	}
}

/* V (1 − p)/p a cell, and the square of a stated error, over M². */
static void
estimated_cells_add_their_variance(void)
{
	enum { N = 2, M = 50 };
	uint64_t seed = 5;
	int64_t *c = counts(N, M, 0, &seed);
	double running[N * M], error[N * M], extra[N] = {0};
	struct samples s = {.n_counters = N, .n_rows = M, .count = c}, with = s;
	struct region *a, *b;

	for (size_t k = 0; k < M; k++)
		for (size_t i = 0; i < N; i++) {
			double *p = &running[k * N + i], *e = &error[k * N + i];

			*p = k % 3 ? 0.1 + 0.8 * test_uniform(&seed) : 1;
			*e = i ? 1000 * test_uniform(&seed) : 0;
			extra[i] += (double)c[k * N + i] * (1 - *p) / *p + *e * *e;
		}
	with.running = running;
	with.error = error;
	a = region_new(&s, false);
	b = region_new(&with, false);
	CHECK_NEAR(b->inflation, a->inflation, 0);
	for (size_t i = 0; i < N; i++)
		CHECK_NEAR(b->spread.variance[i] - a->spread.variance[i], a->inflation * extra[i] / M / M,
			1e-9 * b->spread.variance[i]);
	CHECK_NEAR(spread_at(&b->spread, N, 0, 1), spread_at(&a->spread, N, 0, 1),
		1e-9 * fabs(spread_at(&a->spread, N, 0, 1)));
	region_free(a);
	region_free(b);
	free(c);
}

/* One row gives a region only if every counter states its error; a share of the time is no error. */
static void
one_row_needs_stated_errors(void)
{
	static const int64_t count[] = {1000000, 0, 250000};
	static const double all[] = {3000, 0, 500}, some[] = {3000, 0, 0}, none[] = {0, 0, 0}, running[] = {0.5, 1, 1};
	struct samples s = {.n_counters = 3, .n_rows = 1, .count = count};
	const double *bad[] = {NULL, some, none};
	struct region *r;

	for (size_t i = 0; i < 3; i++) {
		s.error = bad[i];
		s.running = running;
		r = region_new(&s, false);
		CHECK(!region_has_noise_model(r) && !r->stated);
		region_free(r);
	}
	s.error = all;
	s.running = NULL;
	s.runs = 1e6;
	r = region_new(&s, false);
	CHECK(region_has_noise_model(r) && r->stated);
	CHECK_NEAR(r->inflation, 1, 1e-3);
	CHECK_NEAR(r->spread.variance[0], 9e6 + 1.0 / 12 + 1e-2, 1e-3 * 9e6);
	CHECK_NEAR(r->spread.variance[1], 1 + 1.0 / 12, 2e-3);
	CHECK_NEAR(r->spread.variance[2], 250000, 500);
	CHECK_NEAR(spread_at(&r->spread, r->n, 0, 1), 0, 0);
	region_free(r);
	r = region_new(&s, true);
	CHECK(r->point && !region_has_noise_model(r));
	region_free(r);
	/* An unknown number of runs counts as two. */
	s.runs = 0;
	r = region_new(&s, false);
	CHECK_NEAR(r->freedom, 1, 0);
	region_free(r);
}

/* Σ t² of n independent t with runs − 1 degrees of freedom exceeds the threshold in at most 1 %, and not in far
 * fewer. */
static void
stated_errors_of_few_runs_widen(void)
{
	static const struct {
		size_t n, runs;
		double least;
	} row[] = {
		{5, 2, 0.004}, {5, 3, 0.004}, {5, 5, 0.001}, {3, 10, 0.002}, {26, 3, 0.001}, {26, 5, 0}, {1, 4, 0.006}};
	const unsigned rounds = test_either_rounds(20000, 200000);
	uint64_t seed = 21;

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		size_t n = row[i].n, k = row[i].runs;
		int64_t *count = mem_new_array(n, sizeof *count);
		double *error = mem_new_array(n, sizeof *error), q;
		struct region *r;
		unsigned beyond = 0;

		for (size_t c = 0; c < n; c++) {
			count[c] = 1000000000;
			error[c] = 1e6;
		}
		r = region_new(
			&(struct samples){
				.n_counters = n, .n_rows = 1, .count = count, .error = error, .runs = (double)k},
			false);
		q = region_threshold2(r, 0.99) * r->inflation;
		for (unsigned round = 0; round < rounds; round++) {
			double d2 = 0;

			for (size_t c = 0; c < n; c++) {
				double mean = 0, square = 0, x[10];

				for (size_t t = 0; t < k; t++) {
					x[t] = test_normal(&seed);
					mean += x[t] / (double)k;
				}
				for (size_t t = 0; t < k; t++)
					square += (x[t] - mean) * (x[t] - mean);
				d2 += mean * mean / (square / (double)(k - 1) / (double)k);
			}
			beyond += d2 > q;
		}
		test_label("%zu counters, %zu runs: %u of %u", n, k, beyond, rounds);
		CHECK((double)beyond <= 0.01 * rounds + 3 * sqrt(0.01 * rounds));
		CHECK((double)beyond >= row[i].least * rounds);
		region_free(r);
		free(count);
		free(error);
	}
}

/* tasks · parts / rows for consecutive rows. Each gap tears anew. Tears of unequal shares of time do not cancel. */
static void
tears_make_slack(void)
{
	enum { N = 3, M = 40 };
	uint64_t seed = 6;
	int64_t *c = counts(N, M, 0, &seed);
	unsigned char counted[N * M];
	double running[N * M];
	static const size_t parts[] = {1, 3, 1};
	struct samples s = {.n_counters = N, .n_rows = M, .count = c, .tasks = 8, .parts = parts};
	struct region *r = region_new(&s, false);

	CHECK_NEAR(r->slack[0], 8.0 / M, 1e-12);
	CHECK_NEAR(r->slack[1], 24.0 / M, 1e-12);
	CHECK(r->slack[0] * M >= 8);
	region_free(r);
	memset(counted, 1, sizeof counted);
	/* three stretches of consecutive rows, 37 in all, are complete */
	counted[10 * N] = counted[20 * N] = counted[21 * N] = 0;
	s.counted = counted;
	r = region_new(&s, false);
	CHECK_NEAR(r->slack[0], 3 * 8.0 / 37, 1e-12);
	CHECK_NEAR(r->slack[2], 3 * 8.0 / 37, 1e-12);
	region_free(r);
	s.counted = NULL;
	for (size_t k = 0; k < N * M; k++)
		running[k] = k / N < M / 2 ? 1 : 0.25;
	s.running = running;
	r = region_new(&s, false);
	/* Borders: 1/2 at the first, (4 − 1)/2 in the middle, 4/2 at the last. */
	CHECK_NEAR(r->slack[0], 8 * 4.0 / M, 1e-12);
	region_free(r);
	s.tasks = 0;
	r = region_new(&s, false);
	CHECK(r->slack == NULL);
	region_free(r);
	r = region_new(&(struct samples){.n_counters = N, .n_rows = M, .count = c, .tasks = 8}, true);
	CHECK(r->slack == NULL); /* an exact total */
	region_free(r);
	free(c);
}

/* Long recordings are summarised in blocks: the region is the same but for the statistics of 2048 blocks, and
 * correlation within blocks is noticed. */
static void
long_recordings_are_taken_in_blocks(void)
{
	enum { N = 3, M = 50000 };
	uint64_t seed = 7;

	for (int lagged = 0; lagged < 2; lagged++) {
		double lag = lagged ? 0.8 : 0, time = lagged ? 9 : 1, effective;
		int64_t *c = counts(N, M, lag, &seed);
		struct region *r = region_new(&(struct samples){.n_counters = N, .n_rows = M, .count = c}, false);
		double mean = 0, square = 0;

		test_label("lag %g", lag);
		for (size_t k = 0; k < M; k++)
			mean += (double)c[k * N] / M;
		for (size_t k = 0; k < M; k++)
			square += pow((double)c[k * N] - mean, 2);
		CHECK_NEAR(r->mean[0], mean, 1e-6);
		CHECK_NEAR(r->spread.variance[0] / (square / M / M), time, 0.25 * time);
		effective = M / time;
		CHECK(r->effective > 0.7 * effective && r->effective < 1.3 * effective);
		region_free(r);
		free(c);
	}
}

/* Only two neighbouring rows of many have the counter. No two stretches have every counter, so no noise model is
 * claimed. */
static void
rarely_counted_counters_have_no_region(void)
{
	static const size_t rows[] = {60, 5000};

	for (size_t k = 0; k < 2; k++) {
		size_t m = rows[k];
		uint64_t seed = 8;
		int64_t *c = counts(3, m, 0.9, &seed);
		unsigned char *counted = mem_new_array(3 * m, 1);
		struct region *r;

		memset(counted, 1, 3 * m);
		for (size_t i = 0; i < m; i++)
			counted[3 * i] = i == 3 || i == 4;
		r = region_new(&(struct samples){.n_counters = 3, .n_rows = m, .count = c, .counted = counted}, false);
		test_label("%zu rows", m);
		CHECK(!region_has_noise_model(r) || r->freedom <= 1);
		region_free(r);
		free(c);
		free(counted);
	}
}

TEST_MAIN(CASE(few_samples_widen), CASE(lags_are_found_and_measured), CASE(estimated_cells_add_their_variance),
	CASE(one_row_needs_stated_errors), CASE(stated_errors_of_few_runs_widen), CASE(tears_make_slack),
	CASE(long_recordings_are_taken_in_blocks), CASE(rarely_counted_counters_have_no_region))
