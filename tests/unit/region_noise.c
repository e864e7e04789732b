/* How noise becomes a region, against direct formulas: shrinkage, few samples, batches, lag, estimated cells, tears, long recordings. */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/stats/centred.h"
#include "core/stats/lag.h"
#include "core/stats/region.h"
#include "core/stats/shrink.h"
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

/* Schäfer and Strimmer's formula as it is printed: standardise, w_kij = x_ki x_kj, Var(r_ij) = n / (n − 1)³ Σ_k (w_kij − w̄_ij)². */
static double
intensity(const int64_t *count, size_t n, size_t m)
{
	double *x = mem_new_array(n * m, sizeof *x), above = 0, below = 0, rows = (double)m;

	for (size_t i = 0; i < n; i++) {
		double mean = 0, variance = 0;

		for (size_t k = 0; k < m; k++)
			mean += (double)count[k * n + i] / rows;
		for (size_t k = 0; k < m; k++)
			variance += pow((double)count[k * n + i] - mean, 2) / (rows - 1);
		for (size_t k = 0; k < m; k++)
			x[k * n + i] = ((double)count[k * n + i] - mean) / sqrt(variance);
	}
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			double mean = 0, variance = 0;

			for (size_t k = 0; k < m; k++)
				mean += x[k * n + i] * x[k * n + j] / rows;
			for (size_t k = 0; k < m; k++)
				variance += pow(x[k * n + i] * x[k * n + j] - mean, 2);
			if (i == j)
				continue;
			above += rows / pow(rows - 1, 3) * variance;
			below += pow(rows / (rows - 1) * mean, 2);
		}
	free(x);
	return fmin(1, above / below);
}

static void
shrinkage_is_the_printed_formula(void)
{
	uint64_t seed = 1;
	size_t full = 0;

	for (int round = 0; round < 60; round++) {
		size_t n = 2 + test_random(&seed) % 12, m = 3 + test_random(&seed) % (2 * n - 3);
		int64_t *c = counts(n, m, 0, &seed);
		struct samples s = {.n_counters = n, .n_rows = m, .count = c};
		struct region *r = region_new(&s, false);
		double want = intensity(c, n, m);

		test_label("round %d, %zu of %zu", round, m, n);
		if (!(r->lag > 0))
			CHECK_NEAR(r->shrinkage, want, 1e-9);
		full += want < 1;
		region_free(r);
		free(c);
	}
	CHECK(full > 40);
}

/* Σ is widened by n F / χ² at 0.99. */
static void
few_samples_widen(void)
{
	static const struct { size_t n, m; } row[] = {{26, 3}, {26, 5}, {26, 10}, {26, 12}, {26, 30}, {26, 60}, {26, 500}, {3, 4}, {3, 20}, {1, 6}};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		uint64_t seed = 2;
		int64_t *c = counts(row[i].n, row[i].m, 0, &seed);
		struct samples s = {.n_counters = row[i].n, .n_rows = row[i].m, .count = c};
		struct region *r = region_new(&s, false);
		double n = (double)row[i].n, nu = (double)row[i].m - 1;
		double want = n * gsl_cdf_fdist_Qinv(0.01, n, nu) / gsl_cdf_chisq_Qinv(0.01, n);

		test_label("%zu counters, %zu rows", row[i].n, row[i].m);
		CHECK_NEAR(r->lag, 0, 0);
		CHECK_NEAR(r->inflation, want, 0.02 * want);
		region_free(r);
		free(c);
	}
	for (double nu = 2; nu < 400; nu *= 1.3)
		CHECK_NEAR(fisher_quantile(0.99, 26, nu) / gsl_cdf_fdist_Qinv(0.01, 26, nu), 1, 0.02);
}

/* Independent rows are taken as such, nearly always; correlated ones are found, and measured. */
static void
lags_are_found_and_measured(void)
{
	static const struct { double lag; size_t m, n; double least, most; } row[] = {
		{0.5, 60, 26, 0.3, 0.65}, {0.9, 60, 26, 0.6, 0.95}, {0.5, 1000, 4, 0.42, 0.56}, {0.9, 1000, 4, 0.86, 0.93}, {0.7, 4000, 26, 0.66, 0.73},
	};
	uint64_t seed = 3;
	size_t alarms = 0;

	for (int round = 0; round < 400; round++) {
		size_t m = 8 + test_random(&seed) % 100;
		int64_t *c = counts(26, m, 0, &seed);
		struct region *r = region_new(&(struct samples){.n_counters = 26, .n_rows = m, .count = c}, false);

		alarms += r->lag > 0;
		if (r->lag <= 0) {
			CHECK_INT(r->batches, 0);
			CHECK_NEAR(r->effective, (double)m, 0);
		}
		region_free(r);
		free(c);
	}
	CHECK(alarms <= 8);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		int64_t *c = counts(row[i].n, row[i].m, row[i].lag, &seed);
		struct region *r = region_new(&(struct samples){.n_counters = row[i].n, .n_rows = row[i].m, .count = c}, false);
		double time = (1 + r->lag) / (1 - r->lag);

		test_label("lag %g, %zu rows", row[i].lag, row[i].m);
		CHECK(r->lag >= row[i].least && r->lag <= row[i].most);
		CHECK(r->effective <= (double)row[i].m / time * 1.0001);
		CHECK(r->effective > (double)row[i].m / time / 4);
		CHECK(r->batches >= 20 || row[i].m < 40);
		region_free(r);
		free(c);
	}
	/* 1 + 2 Σ (1 − k/b) ρ^k */
	CHECK_NEAR(lag_seen_by(0.5, 3), 1 + 2 * (2.0 / 3 * 0.5 + 1.0 / 3 * 0.25), 1e-12);
	CHECK_NEAR(lag_seen_by(0.9, 1), 1, 0);
	CHECK_NEAR(lag_seen_by(0.5, 1e6), 3, 1e-4);
}

/* Σ is that of the batches' sums, and what they do not see of the correlation widens all of it. */
static void
batches_are_sums_of_neighbours(void)
{
	enum { N = 3, M = 203 };
	uint64_t seed = 4;
	int64_t *c = counts(N, M, 0.8, &seed);
	struct region *r = region_new(&(struct samples){.n_counters = N, .n_rows = M, .count = c}, false);
	size_t b = r->batches;
	double sum[N][M] = {{0}}, mean[N] = {0}, length = (double)M / (double)b, seen = 1, rest;

	CHECK_INT(b, 20);
	CHECK_NEAR(r->shrinkage, 0, 0);
	for (size_t k = 0; k < M; k++)
		for (size_t i = 0; i < N; i++)
			mean[i] += (double)c[k * N + i] / M;
	for (size_t t = 0; t < b; t++)
		for (size_t k = t * M / b; k < (t + 1) * M / b; k++)
			for (size_t i = 0; i < N; i++)
				sum[i][t] += (double)c[k * N + i] - mean[i];
	for (double k = 1; k < length; k++)
		seen += 2 * (1 - k / length) * pow(r->lag, k);
	rest = fmax(1, M / r->effective / seen);
	CHECK(rest > 1);
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++) {
			double want = 0;

			for (size_t t = 0; t < b; t++)
				want += sum[i][t] * sum[j][t];
			want *= (double)b / (double)(b - 1) / M / M;
			if (i == j)
				want += 1.0 / (12 * M) + 1e-14 * mean[i] * mean[i];
			CHECK_NEAR(r->cov[i * N + j], want * rest * r->inflation, 1e-6 * r->cov[i * N + i]);
		}
	for (size_t i = 0; i < N; i++) {
		double square = 0;

		for (size_t k = 0; k <= i; k++)
			square += r->factor[i * N + k] * r->factor[i * N + k];
		CHECK_NEAR(square, r->cov[i * N + i], 1e-9 * square);
	}
	region_free(r);
	free(c);
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
		CHECK_NEAR(b->cov[i * N + i] - a->cov[i * N + i], a->inflation * extra[i] / M / M, 1e-9 * b->cov[i * N + i]);
	CHECK_NEAR(b->cov[1], a->cov[1], 1e-9 * fabs(a->cov[1]));
	region_free(a);
	region_free(b);
	free(c);
}

/* One row makes a region only if every counter that counted states its error; a share of the time is no error. */
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
	r = region_new(&s, false);
	CHECK(region_has_noise_model(r) && r->stated);
	CHECK_NEAR(r->cov[0], 9e6 + 1.0 / 12 + 1e-2, 1e-3);
	CHECK_NEAR(r->cov[4], 1 + 1.0 / 12, 1e-6);
	CHECK_NEAR(r->cov[8], 250000, 1);
	CHECK_NEAR(r->cov[1], 0, 0);
	region_free(r);
	r = region_new(&s, true);
	CHECK(r->point && !region_has_noise_model(r));
	region_free(r);
}

/* tasks · parts / rows where rows follow each other; each gap tears anew; unlike shares do not cancel. */
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
	counted[10 * N] = counted[20 * N] = counted[21 * N] = 0; /* counter 0 in three runs of 37 rows */
	s.counted = counted;
	r = region_new(&s, false);
	CHECK_NEAR(r->slack[0], 3 * 8.0 / 37, 1e-12);
	CHECK_NEAR(r->slack[2], 8.0 / M, 1e-12);
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
	CHECK(r->slack == NULL); /* a point is exact */
	region_free(r);
	free(c);
}

/* Long recordings are taken in blocks: the same region but for the statistics of 2048 blocks, and correlation within them is seen. */
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
		CHECK_NEAR(r->cov[0] / (square / M / M), time, 0.25 * time);
		effective = M / time;
		CHECK(r->effective > 0.7 * effective && r->effective < 1.3 * effective);
		region_free(r);
		free(c);
	}
}

/* A counter that only a few neighbouring rows of many counted: no block, and no batch, may make its variance vanish. */
static void
rarely_counted_counters_keep_their_variance(void)
{
	static const size_t rows[] = {60, 5000};

	for (size_t k = 0; k < 2; k++)
		for (size_t first = 3; first <= 30; first += 27) {
			size_t m = rows[k];
			uint64_t seed = 8;
			int64_t *c = counts(3, m, 0.9, &seed);
			unsigned char *counted = mem_new_array(3 * m, 1);
			struct region *r;
			double sum = 0, square = 0;

			memset(counted, 1, 3 * m);
			for (size_t i = 0; i < m; i++)
				counted[3 * i] = i >= first && i < first + 2;
			for (size_t i = first; i < first + 2; i++)
				sum += (double)c[3 * i] / 2;
			for (size_t i = first; i < first + 2; i++)
				square += pow((double)c[3 * i] - sum, 2);
			r = region_new(&(struct samples){.n_counters = 3, .n_rows = m, .count = c, .counted = counted}, false);
			test_label("%zu rows, from %zu", m, first);
			CHECK_INT(r->batches, 0);
			if (region_has_noise_model(r))
				CHECK(r->cov[0] > 0.99 * square / 2);
			else
				CHECK(m > 2 * CENTRED_BLOCKS);
			region_free(r);
			free(c);
			free(counted);
		}
}

TEST_MAIN(CASE(shrinkage_is_the_printed_formula), CASE(few_samples_widen), CASE(lags_are_found_and_measured),
	CASE(batches_are_sums_of_neighbours), CASE(estimated_cells_add_their_variance), CASE(one_row_needs_stated_errors), CASE(tears_make_slack),
	CASE(long_recordings_are_taken_in_blocks), CASE(rarely_counted_counters_keep_their_variance))
