/* Noise in time. The spectra of its forms are compared with sums over all pairs of rows; fits and corrected covariances
 * with the noise that was drawn; and p-values with how often true means exceed them. */
#include "core/stats/noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/stats/centred.h"
#include "core/stats/region.h"
#include "core/stats/spectra.h"
#include "test.h"

#define PI 3.14159265358979323846

static double
correlation(const struct noise_form *f, double lag)
{
	if (lag < 0.5)
		return 1;
	if (f->memory > 0)
		return f->share * 0.5 *
			(pow(lag + 1, 2 * f->memory) - 2 * pow(lag, 2 * f->memory) + pow(lag - 1, 2 * f->memory));
	return f->time > 0 ? f->share * exp(-lag / f->time) : 0;
}

/* The variance of Σ_t w_t x_t, pair by pair. */
static double
variance(const struct noise_form *f, const double *w, size_t k)
{
	double sum = 0;

	for (size_t s = 0; s < k; s++)
		for (size_t t = 0; t < k; t++)
			sum += w[s] * w[t] * correlation(f, fabs((double)s - (double)t));
	return sum;
}

static void
spectra_are_those_of_their_correlations(void)
{
	static const size_t rows[] = {8, 20, 61, 128, 150};

	for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
		size_t k = rows[r];
		struct spectra *f = spectra_hold(NULL, k, 0);
		double *w = mem_new_array(k, sizeof *w);

		size_t number[SPECTRA_WAVES];

		CHECK_INT(f->waves, spectra_waves(k, number));
		for (size_t j = 1; j < f->waves; j++)
			CHECK(number[j] > number[j - 1] && f->j[j] == number[j]);
		for (size_t i = 0; i < f->n; i++) {
			const struct spectrum *s = &f->one[i];
			double all = s->zero + s->rest * (double)(k - 1 - f->waves), logs = 0;

			test_label("%zu rows, share %g, time %g, memory %g", k, s->form.share, s->form.time,
				s->form.memory);
			for (size_t t = 0; t < k; t++)
				w[t] = 1 / sqrt((double)k);
			CHECK_NEAR(s->zero, variance(&s->form, w, k), 1e-9 * s->zero);
			for (size_t j = 0; j < f->waves; j++) {
				double want;

				for (size_t t = 0; t < k; t++)
					w[t] = sqrt(2 / (double)k) *
						cos(PI * (double)f->j[j] * ((double)t + 0.5) / (double)k);
				want = variance(&s->form, w, k);
				/* For long memory a form of 128 rows is extended. */
				CHECK_NEAR(s->wave[j], want, (s->form.memory > 0 && k > 128 ? 0.03 : 1e-8) * want);
				all += s->wave[j];
				logs += log(s->wave[j]);
			}
			CHECK_NEAR(all, (double)k, s->rest < 2e-3 ? 1 : 1e-6);
			CHECK_NEAR(s->log_all, logs + log(s->rest) * (double)(k - 1 - f->waves), 1e-9);
			CHECK(s->form.factor >= 1 - 1e-9);
		}
		CHECK_NEAR(f->one[0].form.factor, 1, 1e-12);
		free(w);
		spectra_drop(NULL, f);
	}
}

/* n counters. All share a load whose neighbouring rows have the correlation `load`; each adds noise of its own, of
 * which `share` has the correlation `lag`. */
static int64_t *
draw(size_t n, size_t m, double load, double share, double lag, uint64_t *seed)
{
	int64_t *c = mem_new_array(n * m, sizeof *c);
	double *slow = mem_new_array(n + 1, sizeof *slow);

	for (size_t t = 0; t < m; t++) {
		for (size_t i = 0; i <= n; i++) {
			double by = i == n ? load : lag;

			slow[i] = t ? by * slow[i] + sqrt(1 - by * by) * test_normal(seed) : test_normal(seed);
		}
		for (size_t i = 0; i < n; i++) {
			double noise = sqrt(1 - share) * test_normal(seed) + sqrt(share) * slow[i];

			c[t * n + i] = llround(1e6 * (double)(i + 1) * (1 + 0.1 * slow[n] + 0.02 * noise));
		}
	}
	free(slow);
	return c;
}

static struct region *
region_of(size_t n, size_t m, const int64_t *c)
{
	return region_new(&(struct samples){.n_counters = n, .n_rows = m, .count = c}, false);
}

/* Independent rows are almost always recognised. For correlated rows the variance of the mean is found, for the load
 * and for the noise separately. */
static void
forms_are_found(void)
{
	static const struct { double load, share, lag; size_t m; double of_load, of_rest; } row[] = {
		{0, 0, 0, 600, 1, 1}, {0, 1, 0.5, 600, 1.1, 3}, {0, 1, 0.9, 2000, 1.7, 19}, {0.9, 0, 0, 2000,
			18.3, 1}, {0, 0.3, 0.97, 2000, 1.7, 20.4},
	};
	uint64_t seed = 1;

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		double of_load = 0, of_rest = 0;

		for (int round = 0; round < 40; round++) {
			int64_t *c = draw(6, row[i].m, row[i].load, row[i].share, row[i].lag, &seed);
			struct region *r = region_of(6, row[i].m, c);

			of_load += r->fit.of_load[0].factor / 40;
			of_rest += r->fit.of_rest.factor / 40;
			region_free(r);
			free(c);
		}
		test_label("row %zu: %.2f and %.2f", i, of_load, of_rest);
		/* A load includes some of the noise: 4 % of its variance. Factors err on the large side. */
		CHECK(of_load > 0.8 * row[i].of_load && of_load < 2 * row[i].of_load);
		CHECK(of_rest > 0.8 * row[i].of_rest && of_rest < 1.6 * row[i].of_rest);
	}
	for (int round = 0, found = 0; round < 400; round++) {
		int64_t *c = draw(6, 60, 0, 0, 0, &seed);
		struct region *r = region_of(6, 60, c);

		found += r->lag > 0;
		CHECK(round < 399 || found <= 12);
		region_free(r);
		free(c);
	}
}

/* Σ is factor · (part of the load) + factor · (the rest). */
static void
a_fit_is_applied_part_by_part(void)
{
	enum { N = 4, M = 200 };
	uint64_t seed = 2;
	int64_t *c = draw(N, M, 0.9, 0, 0, &seed);
	struct region *r = region_of(N, M, c);
	double cov[N * N], before[N * N], want[N * N], mean[N] = {0};
	size_t load = 0;
	struct noise_fit fit = {.of_load = {{.factor = 7}}, .of_rest = {.factor = 2}, .zero = 2, .others = 1};
	struct noise_fit none = {.of_load = {{.factor = 1}}, .of_rest = {.factor = 1}, .zero = 1, .others = 1};
	double most = 0;

	for (size_t j = 0; j < NOISE_WAVES; j++)
		fit.wave[j] = none.wave[j] = 1;
	for (size_t t = 0; t < M; t++)
		for (size_t i = 0; i < N; i++)
			mean[i] += (double)c[t * N + i] / M;
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++) {
			cov[i * N + j] = 0;
			for (size_t t = 0; t < M; t++)
				cov[i * N + j] += ((double)c[t * N + i] - mean[i]) * ((double)c[t * N + j] - mean[j]) /
					(M - 1) / M;
		}
	memcpy(before, cov, sizeof before);
	for (size_t i = 0; i < N; i++) {
		double explained = 0;

		for (size_t j = 0; j < N; j++)
			explained += cov[i * N + j] * cov[i * N + j] / cov[i * N + i] / cov[j * N + j];
		if (explained > most) {
			most = explained;
			load = i;
		}
	}
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++) {
			double part = cov[i * N + load] * cov[j * N + load] / cov[load * N + load];

			want[i * N + j] = 7 * part + 2 * (cov[i * N + j] - part);
		}
	noise_apply(r->noise, &none, cov);
	for (size_t i = 0; i < N * N; i++)
		CHECK_NEAR(cov[i], before[i], 1e-12 * fabs(before[i]));
	noise_apply(r->noise, &fit, cov);
	for (size_t i = 0; i < N * N; i++)
		CHECK_NEAR(cov[i], want[i], 1e-6 * fabs(want[i]));
	region_free(r);
	free(c);
}

/* The distance of a known mean, in the dimensions without the load: p ≤ α in at most a share α of all streams, for any
 * noise of the family. */
static void
p_values_hold(void)
{
	static const struct {
		double share, lag;
		size_t m;
	} row[] = {{0, 0, 60}, {0.3, 0.97, 60}, {0.1, 0.97, 60}, {1, 0.9, 60}, {1, 0.5, 30}, {0.3, 0.9, 200}};
	enum { N = 6 };
	const unsigned rounds = test_rounds(600, 6000);
	uint64_t seed = 3;

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		unsigned below = 0;

		for (unsigned round = 0; round < rounds; round++) {
			int64_t *c = draw(N, row[i].m, 0, row[i].share, row[i].lag, &seed);
			struct region *r = region_of(N, row[i].m, c);
			double normal[(N - 1) * N] = {0}, z[N - 1], a[N] = {0}, w[(N - 1) * (N - 1)],
						inverse[(N - 1) * (N - 1)], d2 = 0;
			struct noise_question q = {
				.direction = a, .dimensions = N - 1};

			/* counter k + 1 is (k + 2) times counter 0, but for its noise */
			for (size_t k = 0; k < N - 1; k++) {
				normal[k * N] = (double)(k + 2);
				normal[k * N + k + 1] = -1;
				z[k] = (double)(k + 2) * r->mean[0] - r->mean[k + 1];
			}
			for (size_t k = 0; k < N - 1; k++)
				for (size_t l = 0; l < N - 1; l++) {
					w[k * (N - 1) + l] = 0;
					for (size_t x = 0; x < N; x++)
						for (size_t y = 0; y < N; y++)
							w[k * (N - 1) + l] += normal[k * N + x] * normal[l * N + y] *
								spread_at(&r->spread, N, x, y) / r->inflation;
					inverse[k * (N - 1) + l] = k == l;
				}
			/* Gauss–Jordan elimination */
			for (size_t k = 0; k < N - 1; k++) {
				double by = w[k * (N - 1) + k];

				for (size_t x = 0; x < N - 1; x++) {
					w[k * (N - 1) + x] /= by;
					inverse[k * (N - 1) + x] /= by;
				}
				for (size_t l = 0; l < N - 1; l++) {
					double f = l == k ? 0 : w[l * (N - 1) + k];

					for (size_t x = 0; x < N - 1; x++) {
						w[l * (N - 1) + x] -= f * w[k * (N - 1) + x];
						inverse[l * (N - 1) + x] -= f * inverse[k * (N - 1) + x];
					}
				}
			}
			for (size_t k = 0; k < N - 1; k++)
				for (size_t l = 0; l < N - 1; l++) {
					d2 += z[k] * inverse[k * (N - 1) + l] * z[l];
					for (size_t x = 0; x < N; x++)
						a[x] += inverse[k * (N - 1) + l] * z[l] * normal[k * N + x];
				}
			q.d2 = d2;
			below += noise_ask(r->noise, &r->fit, &q).p <= 0.05;
			region_free(r);
			free(c);
		}
		test_label("share %g, lag %g, %zu rows: %u of %u", row[i].share, row[i].lag, row[i].m, below, rounds);
		CHECK((double)below <= 0.05 * rounds + 3 * sqrt(0.05 * 0.95 * rounds));
	}
}

/* A larger distance never has a larger p. So of two models the smaller one is refuted whenever the larger one is. */
static void
more_distance_never_helps(void)
{
	uint64_t seed = 4;
	int64_t *c = draw(8, 60, 0, 0.3, 0.9, &seed);
	struct region *r = region_of(8, 60, c);
	double before = 1;

	for (double d2 = 1; d2 < 1e4; d2 *= 1.3) {
		struct noise_answer a =
			noise_ask(r->noise, &r->fit, &(struct noise_question){.d2 = d2, .dimensions = 8});

		CHECK(a.p <= before * (1 + 1e-12));
		CHECK(isnan(a.rows) || a.rows >= 90);
		before = a.p;
	}
	CHECK(before < 1e-6);
	region_free(r);
	free(c);
}

/* Neither few rows nor rows with gaps show correlation in time. */
static void
too_few_rows_have_no_noise(void)
{
	uint64_t seed = 5;
	int64_t *c = draw(3, 10, 0, 0, 0, &seed);
	struct region *few = region_of(3, NOISE_FEWEST - 1, c), *enough = region_of(3, NOISE_FEWEST, c);
	struct region *known =
		region_new(&(struct samples){.n_counters = 3, .n_rows = 10, .count = c, .independent = true}, false);

	CHECK(few->noise == NULL && region_has_noise_model(few));
	CHECK(enough->noise != NULL);
	CHECK(known->noise == NULL && region_has_noise_model(known));
	region_free(few);
	region_free(enough);
	region_free(known);
	free(c);
}

/* The reach of one series is that of bench/laws-power.py, which computes covariances and tails in another way. */
static void
reach_of_one_series(void)
{
	static const double want[][2] = {
		{3086390.514, 1235083.928}, {8828244.332, 5967743.764}, {4308761.031, 3345779.817}};

	for (int i = 0; i < 3; i++) {
		int64_t c[60];
		struct region *r;

		for (int t = 0; t < 60; t++) {
			double fast = sin(t * t), x[] = {fast, fast + t / 30.0, sin(t / 7.0) + 0.1 * fast};

			c[t] = llround(1e6 * (10 + x[i]));
		}
		r = region_of(1, 60, c);
		test_label("series %d", i);
		CHECK_NEAR(sqrt(noise_reach2(r->noise, 2, 0, 0.0018)), want[i][0], 1e-4 * want[i][0]);
		CHECK_NEAR(sqrt(noise_reach2(r->noise, 2, 0, 0.05)), want[i][1], 1e-4 * want[i][1]);
		CHECK(noise_reach2(r->noise, 2, 1e12, 0.05) > want[i][1] * want[i][1] + 1e12);
		region_free(r);
	}
}

/* Observations with the same number of rows share their forms; forms that nobody holds go when others come. */
static void
a_book_shares_forms(void)
{
	struct spectra_book *book = spectra_book_new();
	struct spectra *a = spectra_hold(book, 60, 0), *alone = spectra_hold(NULL, 60, 0);

	CHECK(spectra_hold(book, 60, 0) == a);
	CHECK(a != alone);
	CHECK_INT(a->n, alone->n);
	for (size_t i = 0; i < a->n; i++) {
		CHECK_NEAR(a->one[i].form.factor, alone->one[i].form.factor, 0);
		CHECK(memcmp(a->one[i].wave, alone->one[i].wave, a->waves * sizeof *a->one->wave) == 0);
	}
	spectra_drop(book, a);
	for (size_t rows = 100; rows < 200; rows++)
		spectra_drop(book, spectra_hold(book, rows, 0));
	CHECK(spectra_hold(book, 60, 0) == a); /* still held once */
	spectra_drop(book, a);
	spectra_drop(book, a);
	spectra_drop(NULL, alone);
	spectra_drop(book, NULL);
	spectra_book_free(book);
}

TEST_MAIN(CASE(reach_of_one_series), CASE(spectra_are_those_of_their_correlations), CASE(forms_are_found),
	CASE(a_fit_is_applied_part_by_part), CASE(p_values_hold), CASE(more_distance_never_helps),
	CASE(too_few_rows_have_no_noise), CASE(a_book_shares_forms))
