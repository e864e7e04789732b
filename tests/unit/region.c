/* Regions from samples: means, covariances and axes compared with plain formulas in long double, and rows with empty
 * cells. */
#include "core/stats/region.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/stats/matrix.h"
#include "test.h"

/* Mean and covariance of the mean by the definition, with the documented floors; all cells are counted. */
static void
plain(const struct samples *s, long double *mean, long double *cov)
{
	size_t n = s->n_counters, m = s->n_rows;
	long double unit = powl(10, -s->decimals);

	for (size_t i = 0; i < n; i++) {
		mean[i] = 0;
		for (size_t k = 0; k < m; k++)
			mean[i] += (long double)s->count[k * n + i];
		mean[i] = mean[i] / (long double)m;
	}
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			long double c = 0;

			for (size_t k = 0; k < m; k++)
				c += ((long double)s->count[k * n + i] - mean[i]) *
					((long double)s->count[k * n + j] - mean[j]);
			cov[i * n + j] = c / (long double)(m - 1) / (long double)m * unit * unit;
		}
	for (size_t i = 0; i < n; i++) {
		mean[i] *= unit;
		cov[i * n + i] += unit * unit / (12 * (long double)m) + 1e-14L * mean[i] * mean[i];
	}
}

static void
mean_and_covariance_are_right(void)
{
	uint64_t seed = 1;
	size_t lagged = 0;

	for (int round = 0; round < 60; round++) {
		size_t n = 1 + test_random(&seed) % 6, m = 2 + test_random(&seed) % 70;
		struct samples s = {.n_counters = n, .n_rows = m, .decimals = (int)(test_random(&seed) % 4)};
		int64_t *count = mem_new_array(n * m, sizeof *count);
		long double mean[8], cov[64];
		struct region *r;

		for (size_t k = 0; k < m; k++) {
			double shared = 1000 * test_normal(&seed);

			for (size_t i = 0; i < n; i++)
				count[k * n + i] = (int64_t)(5000 + shared + 500 * test_normal(&seed));
		}
		s.count = count;
		r = region_new(&s, false);
		plain(&s, mean, cov);
		test_label("round %d", round);
		CHECK(region_has_noise_model(r));
		for (size_t i = 0; i < n; i++)
			CHECK_NEAR(r->mean[i], (double)mean[i], 1e-12 * (double)fabsl(mean[i]));
		if (r->fit.of_load[0].factor > 1 || r->fit.of_load[1].factor > 1 || r->fit.of_rest.factor > 1) {
			lagged++; /* found by chance */
			region_free(r);
			free(count);
			continue;
		}
		/* region_noise.c tests by how much it is widened. With few samples the floor of the eigenvalues
		 * shows. */
		for (size_t i = 0; i < n * n; i++)
			cov[i] *= r->inflation;
		for (size_t i = 0; i < n * n; i++)
			CHECK_NEAR(spread_at(&r->spread, n, i / n, i % n), (double)cov[i],
				1e-11 * (double)(cov[i / n * (n + 1)] + cov[i % n * (n + 1)]) * (double)n);
		region_free(r);
		free(count);
	}
	CHECK(lagged <= 4);
}

/* Near 2^62 a double has no digits left for the noise. The result must equal that of the same counts without the
 * offset. */
static void
huge_counts_keep_their_noise(void)
{
	size_t n = 2, m = 50;
	int64_t *small = mem_new_array(n * m, sizeof *small), *large = mem_new_array(n * m, sizeof *large);
	uint64_t seed = 2;
	struct samples s = {.n_counters = n, .n_rows = m, .count = small},
		       l = {.n_counters = n, .n_rows = m, .count = large};
	struct region *a, *b;

	for (size_t i = 0; i < n * m; i++) {
		small[i] = (int64_t)(test_random(&seed) % 1000);
		large[i] = small[i] + (INT64_C(1) << 62);
	}
	a = region_new(&s, false);
	b = region_new(&l, false);
	for (size_t i = 0; i < n; i++)
		CHECK(b->sum[i] - a->sum[i] == (i128)m << 62);
	/* Only the floor relative to the mean differs. */
	CHECK_NEAR(spread_at(&b->spread, b->n, 0, 1), spread_at(&a->spread, a->n, 0, 1),
		1e-9 * fabs(spread_at(&a->spread, a->n, 0, 1)) + 1e-9);
	CHECK_NEAR(b->spread.variance[0],
		a->spread.variance[0] + 1e-14 * a->inflation * (b->mean[0] * b->mean[0] - a->mean[0] * a->mean[0]),
		1e-9 * b->spread.variance[0]);
	region_free(a);
	region_free(b);
	free(small);
	free(large);
}

static void
extreme_counts_do_not_overflow(void)
{
	static const int64_t count[] = {INT64_MAX, 0, INT64_MAX, INT64_MAX, 0, 0, INT64_MAX, 5};
	struct samples s = {.n_counters = 2, .n_rows = 4, .count = count};
	struct region *r = region_new(&s, false);

	CHECK(r->sum[0] == (i128)INT64_MAX * 3);
	CHECK(isfinite(r->spread.variance[0]) && r->spread.variance[0] > 0 && isfinite(r->spread.factor[3]));
	region_axes(r);
	CHECK(isfinite(r->eigenvalue[1]) && r->eigenvalue[0] > 0);
	region_free(r);
}

/* Axes are orthonormal, belong to the covariance, and no eigenvalue is below 1e-13 of the largest. */
static void
axes_fit_the_covariance(void)
{
	uint64_t seed = 3;

	for (int round = 0; round < 20; round++) {
		size_t n = 12, m = round % 2 ? 8 : 60;
		int64_t *count = mem_new_array(n * m, sizeof *count);
		struct samples s = {.n_counters = n, .n_rows = m, .count = count};
		struct region *r;

		for (size_t k = 0; k < m; k++)
			for (size_t i = 0; i < n; i++)
				count[k * n + i] =
					i == 3 ? 0 : (int64_t)(pow(10, (double)(i % 8)) * (10 + test_normal(&seed)));
		r = region_new(&s, false);
		region_axes(r);
		test_label("round %d", round);
		for (size_t a = 0; a < n; a++) {
			CHECK(a == 0 || r->eigenvalue[a] >= r->eigenvalue[a - 1]);
			CHECK(r->eigenvalue[a] >= 0.99e-13 * r->eigenvalue[n - 1]);
			for (size_t b = 0; b < n; b++) {
				double product = 0, form = 0;

				for (size_t i = 0; i < n; i++) {
					product += r->eigenvector[a * n + i] * r->eigenvector[b * n + i];
					for (size_t j = 0; j < n; j++)
						form += r->eigenvector[a * n + i] * spread_at(&r->spread, n, i, j) *
							r->eigenvector[b * n + j];
				}
				CHECK_NEAR(product, a == b, 1e-10);
				CHECK_NEAR(form, a == b ? r->eigenvalue[a] : 0, 1e-13 * r->eigenvalue[n - 1]);
			}
		}
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j <= i; j++) {
				double t = 0;

				for (size_t k = 0; k <= j; k++)
					t += r->spread.factor[i * n + k] * r->spread.factor[j * n + k];
				CHECK_NEAR(t, spread_at(&r->spread, n, i, j),
					1e-14 * (r->spread.variance[i] + r->spread.variance[j]));
			}
		region_free(r);
		free(count);
	}
}

/* Rows with an empty cell are left out if at least 16 rows are complete: mean and covariance are those of the complete
 * rows. */
static void
incomplete_rows_are_left_out(void)
{
	enum { N = 3, M = 60 };
	static int64_t count[N * M], whole[N * M];
	static unsigned char counted[N * M];
	uint64_t seed = 4;
	size_t kept = 0;
	struct region *a, *b;

	for (size_t k = 0; k < M; k++) {
		double load = 1000 * test_normal(&seed);
		bool lacks = load > 0 && k % 2;

		for (size_t i = 0; i < N; i++) {
			count[k * N + i] = (int64_t)(100000 + load + 100 * test_normal(&seed));
			counted[k * N + i] = !(lacks && i == 1);
			if (!lacks)
				whole[kept * N + i] = count[k * N + i];
		}
		kept += !lacks;
	}
	a = region_new(&(struct samples){.n_counters = N, .n_rows = M, .count = count, .counted = counted}, false);
	b = region_new(&(struct samples){.n_counters = N, .n_rows = kept, .count = whole}, false);
	CHECK(kept < M && kept > 16);
	CHECK_INT(a->rows, kept);
	CHECK_INT(a->left_out, M - kept);
	CHECK_INT(a->uneven, N);
	for (size_t i = 0; i < N; i++)
		CHECK_NEAR(a->mean[i], b->mean[i], 0);
	for (size_t i = 0; i < N * N; i++)
		CHECK_NEAR(spread_at(&a->spread, N, i / N, i % N), spread_at(&b->spread, N, i / N, i % N),
			1e-9 * b->spread.variance[0]);
	region_free(a);
	region_free(b);
}

/* Without complete rows, neighbouring rows are added until each stretch has every counter: here three rows, one for
 * each counter. The covariance is that of the sums. */
static void
incomplete_rows_are_added_up(void)
{
	enum { N = 3, M = 90 };
	static int64_t count[N * M];
	static unsigned char counted[N * M];
	uint64_t seed = 5;
	double mean[N] = {0}, sum[N][M / N];
	struct region *r;

	for (size_t k = 0; k < M; k++)
		for (size_t i = 0; i < N; i++) {
			counted[k * N + i] = k % N == i;
			count[k * N + i] = counted[k * N + i] ? (int64_t)(100000 + 1000 * test_normal(&seed)) : 777;
			mean[i] += counted[k * N + i] ? (double)count[k * N + i] / (M / N) : 0;
		}
	for (size_t k = 0; k < M; k++)
		sum[k % N][k / N] = (double)count[k * N + k % N] - mean[k % N];
	r = region_new(&(struct samples){.n_counters = N, .n_rows = M, .count = count, .counted = counted}, false);
	CHECK_INT(r->weight[0], M / N);
	CHECK_NEAR(r->freedom, M / N - 1, 0);
	CHECK_NEAR(r->fit.of_rest.factor, 1, 0);
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++) {
			double want = 0;

			for (size_t t = 0; t < M / N; t++)
				want += sum[i][t] * sum[j][t] / (M / N - 1) / (M / N);
			if (i == j)
				want += 1.0 / 12 / (M / N) + 1e-14 * mean[i] * mean[i];
			CHECK_NEAR(spread_at(&r->spread, N, i, j) / r->inflation, want, 1e-6 * r->spread.variance[i]);
		}
	region_free(r);
	/* Each counter has one half of the run: only the whole run has both, so the noise is unknown. */
	for (size_t k = 0; k < M; k++)
		for (size_t i = 0; i < N; i++)
			counted[k * N + i] = (k < M / 2) == (i == 0);
	r = region_new(&(struct samples){.n_counters = N, .n_rows = M, .count = count, .counted = counted}, false);
	CHECK(!region_has_noise_model(r));
	region_free(r);
}

/* A counter that is absent under high load has a wrong mean. The other counters show that. */
static void
totals_of_rows_add_up(void)
{
	const int64_t count[] = {100, 7, 300, 0, 200, 5};
	const unsigned char counted[] = {1, 1, 1, 0, 1, 1};
	const double tolerance[] = {3, 1};
	struct samples s = {.n_counters = 2, .n_rows = 3, .count = count, .decimals = 1, .tolerance = tolerance};

	for (int lacks = 0; lacks < 2; lacks++) {
		struct region *r;

		s.counted = lacks ? counted : NULL;
		r = region_new(&s, true);
		region_add_up(r);
		CHECK_NEAR(r->mean[0], lacks ? 20 : 60, 1e-12); /* of different rows only means compare */
		CHECK_NEAR(r->mean[1], lacks ? 0.6 : 1.2, 1e-12);
		CHECK(r->weight[0] == (lacks ? 3 : 1));
		CHECK_NEAR(r->slack[0], lacks ? 1 : 3, 1e-12);
		CHECK(r->slack[0] >= (lacks ? 1 : 3));
		region_free(r);
	}
}

static void
uneven_rows_are_noticed(void)
{
	enum { N = 4, M = 200 };
	static int64_t count[N * M];
	static unsigned char counted[N * M];
	uint64_t seed = 6;

	for (int uneven = 0; uneven < 2; uneven++) {
		struct region *r;

		for (size_t k = 0; k < M; k++) {
			double load = test_normal(&seed);

			/* One of the first three counters is always absent, so that no row is complete. The last one is
			 * absent under high load, or in as many other rows. */
			for (size_t i = 0; i < N; i++) {
				count[k * N + i] = (int64_t)(100000 * (1 + 0.1 * load) + 1000 * test_normal(&seed));
				counted[k * N + i] = i < 3 ? k % 3 != i
					: uneven           ? load < 0.3
							   : test_random(&seed) % 2 == 0;
			}
		}
		r = region_new(
			&(struct samples){.n_counters = N, .n_rows = M, .count = count, .counted = counted}, false);
		CHECK(region_has_noise_model(r));
		CHECK_INT(r->uneven, uneven ? 3 : N);
		region_free(r);
	}
}

static void
too_few_rows_give_no_noise_model(void)
{
	static const int64_t count[] = {1, 2, 3, 4};
	static const unsigned char counted[] = {1, 1, 1, 0};
	struct samples one = {.n_counters = 2, .n_rows = 1, .count = count},
		       gap = {.n_counters = 2, .n_rows = 2, .count = count, .counted = counted},
		       none = {.n_counters = 2}, nothing = {0},
		       two = {.n_counters = 2, .n_rows = 2, .count = count, .decimals = 1};
	const struct samples *all[] = {&one, &gap, &none, &nothing};
	struct region *r;

	for (size_t i = 0; i < 4; i++) {
		r = region_new(all[i], false);
		CHECK(!region_has_noise_model(r));
		CHECK(!r->making && !r->spread.variance);
		region_axes(r);
		region_free(r);
	}
	r = region_new(&two, true);
	CHECK(r->point && !region_has_noise_model(r));
	CHECK(r->sum[0] == 4 && r->sum[1] == 6);
	CHECK_NEAR(r->mean[1], 0.3, 1e-15);
	region_free(r);
}

/* Half a step is slack where a counter is steady: the divisor of a column of three values or more, or of all. */
static void
steady_counts_may_be_rounded(void)
{
	static const struct {
		const char *name;
		int decimals;
		int64_t count[8];
		double slack[2];
	} row[] = {
		{"thousands", 0, {50000, 9000, 50000, 9000, 50000, 8000, 51000, 9000}, {500, 500}},
		{"a step each", 0, {50000, 9001, 50000, 9000, 49000, 9001, 51000, 9000}, {0, 0}},
		{"nothing in common", 0, {50000, 9001, 50000, 9001, 50000, 9001, 50000, 9001}, {0, 0}},
		{"neighbours differ", 0, {50000, 9000, 53000, 9000, 49000, 9000, 51000, 9000}, {0, 500}},
		{"no step but a small count", 0, {3000, 3000, 3000, 3000, 3000, 3000, 3000, 3000}, {0, 0}},
		{"two and ten steps of 2000", 0, {20000, 4000, 20000, 4000, 20000, 4000, 20000, 4000}, {1000, 1000}},
		{"decimals", 2, {5001, 907, 5001, 907, 5001, 907, 5002, 907}, {0.005, 0.005}},
	};

	for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
		struct samples s = {.n_counters = 2, .n_rows = 4, .count = row[k].count, .decimals = row[k].decimals};
		struct region *r = region_new(&s, false);

		test_label("%s", row[k].name);
		for (size_t i = 0; i < 2; i++)
			CHECK_NEAR(r->slack ? r->slack[i] : 0, row[k].slack[i], 1e-9);
		region_free(r);
	}
}

TEST_MAIN(CASE(mean_and_covariance_are_right), CASE(huge_counts_keep_their_noise), CASE(extreme_counts_do_not_overflow),
	CASE(axes_fit_the_covariance), CASE(incomplete_rows_are_left_out),
	CASE(incomplete_rows_are_added_up), CASE(totals_of_rows_add_up), CASE(uneven_rows_are_noticed),
	CASE(too_few_rows_give_no_noise_model), CASE(steady_counts_may_be_rounded))
