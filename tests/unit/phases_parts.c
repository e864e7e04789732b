/* Windows, seasons, forecasts, outliers and correlations of made series, whose truth is known. Noise is as in the data
 * of hard observations (tests/lib/hard.h): a load that moves all counters by a tenth, and noise of 2 % of each counter,
 * of which a share may be an autoregression of 0.97. */
#include "core/series/correlation.h"
#include "core/series/forecast.h"
#include "core/series/outliers.h"
#include "core/series/season.h"
#include "core/series/windows.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "test.h"

enum { SERIES = 8, HOUR = 3600 };

struct made {
	double load, white, slow, lag; /* standard deviations, relative to the level; correlation of the slow part */
};
static const struct made steady[] = {
	{0.1, 0.02, 0, 0},
	{0.1, 0.0167, 0.011, 0.97},
	{0, 0.02, 0, 0},
	{0, 0.0167, 0.011, 0.97},
	{0.02, 0, 0.02, 0.9},
};

/* n series × rows around 1000 · (i + 1). */
static double *
make(uint64_t *seed, const struct made *m, size_t n, size_t rows)
{
	double *v = mem_new_array(n * rows, sizeof *v), *slow = mem_new_array(n, sizeof *slow);

	for (size_t i = 0; i < n; i++)
		slow[i] = test_normal(seed);
	for (size_t row = 0; row < rows; row++) {
		double load = 1 + m->load * test_normal(seed);

		for (size_t i = 0; i < n; i++) {
			v[i * rows + row] = 1000 * (double)(i + 1) * load *
				(1 + m->white * test_normal(seed) + m->slow * slow[i]);
			slow[i] = m->lag * slow[i] + sqrt(1 - m->lag * m->lag) * test_normal(seed);
		}
	}
	free(slow);
	return v;
}

/* An hour of eight steady series is one window, and has no outlier, in 99 of 100 hours. */
static void
steady_hours_are_one_window(void)
{
	unsigned hours = test_rounds(20, 400), windows[5] = {0}, outliers[5] = {0};
	uint64_t seed = 1;

	for (size_t k = 0; k < 5; k++) {
		for (unsigned h = 0; h < hours; h++) {
			double *v = make(&seed, &steady[k], SERIES, HOUR);
			struct panel panel = {SERIES, HOUR, v};
			struct windows *w = windows_find(&panel);
			size_t out = 0;

			for (size_t i = 0; i < SERIES; i++) {
				struct outliers o = outliers_find(v + i * HOUR, HOUR, (size_t)SERIES * HOUR);

				out += o.n;
				outliers_free(&o);
			}
			windows[k] += w->n > 1;
			outliers[k] += out > 0;
			windows_free(w);
			free(v);
		}
		test_label(
			"noise %zu: %u hours, %u with a change, %u with an outlier", k, hours, windows[k], outliers[k]);
		CHECK(windows[k] * 100 <= hours);
		CHECK(outliers[k] * 100 <= hours);
	}
}

/* One counter of eight changes by 5, 10 or 30 % at two planted rows, under a common load that varies by a tenth. */
static void
planted_changes_are_found(void)
{
	static const double size[] = {0.05, 0.1, 0.3};
	static const struct made noise[] = {{0.1, 0.01, 0, 0}, {0.02, 0.01, 0.005, 0.97}, {0, 0.005, 0, 0}};
	unsigned rounds = test_rounds(60, 400);
	uint64_t seed = 5;

	for (size_t k = 0; k < 9; k++) {
		unsigned found = 0, named = 0;

		for (unsigned r = 0; r < rounds; r++) {
			double *v = make(&seed, &noise[k / 3], SERIES, 600);
			size_t which = test_random(&seed) % SERIES, up = 100 + test_random(&seed) % 150,
			       down = 350 + test_random(&seed) % 150;
			struct panel panel = {SERIES, 600, v};
			struct windows *w;

			for (size_t m = up; m < down; m++)
				v[which * 600 + m] *= 1 + size[k % 3];
			w = windows_find(&panel);
			found += w->n == 3 && llabs((long long)w->window[1].first - (long long)up) <= 2 &&
				llabs((long long)w->window[2].first - (long long)down) <= 2 &&
				w->window[2].phase == w->window[0].phase && w->window[1].phase != w->window[0].phase;
			named += w->n == 3 && w->window[1].series == which;
			windows_free(w);
			free(v);
		}
		test_label(
			"noise %zu, %g %%: %u of %u found, %u named", k / 3, 100 * size[k % 3], found, rounds, named);
		CHECK(found * 100 >= 95 * rounds);
		CHECK(named * 100 >= 95 * rounds);
	}
}

static void
seasons_are_found_within_a_row(void)
{
	static const size_t period[] = {7, 24, 60, 100, 333};
	unsigned rounds = test_rounds(5, 100), found = 0, all = 0, wrong = 0;
	uint64_t seed = 9;

	for (unsigned r = 0; r < rounds; r++)
		for (size_t k = 0; k < 10; k++) {
			size_t p = period[k % 5], n = p > 100 ? 4500 : 1500;
			double *v = make(&seed, &steady[k % 2 ? 3 : 2], 1, n);
			struct season s = season_find(v, n);

			wrong += s.period > 0;
			season_free(&s);
			/* a wave, or a burst in an eighth of the period */
			for (size_t m = 0; m < n; m++)
				v[m] += k < 5 ? 40 * sin(2 * M_PI * (double)m / (double)p) : m % p * 8 < p ? 80 : 0;
			s = season_find(v, n);
			test_label("period %zu, found %g", p, s.period);
			found += fabs(s.period - (double)p) <= 1;
			all++;
			season_free(&s);
			free(v);
		}
	test_label("%u of %u seasons found, %u where there is none", found, all, wrong);
	CHECK(found * 100 >= 98 * all);
	CHECK(wrong * 100 <= all);
}

/* In few rows, too, noise has hardly ever a season. */
static void
short_noise_has_no_season(void)
{
	static const size_t rows[] = {20, 60, 200};
	unsigned rounds = test_rounds(1000, 10000);
	uint64_t seed = 11;

	for (size_t k = 0; k < 3; k++) {
		unsigned wrong = 0;

		for (unsigned r = 0; r < rounds; r++) {
			double *v = make(&seed, &steady[r % 5], 1, rows[k]);
			struct season s = season_find(v, rows[k]);

			wrong += s.period > 0;
			season_free(&s);
			free(v);
		}
		test_label("%zu rows: %u of %u with a season", rows[k], wrong, rounds);
		CHECK(wrong * 100 <= rounds);
	}
}

static void
forecasts_beat_the_last_value(void)
{
	unsigned rounds = test_rounds(10, 100), better = 0, inside = 0;
	uint64_t seed = 13;

	for (unsigned r = 0; r < rounds; r++) {
		size_t n = 600, p = 24;
		double *v = make(&seed, &steady[2], 1, n + p), hit = 0;
		struct forecast f;

		for (size_t m = 0; m < n + p; m++)
			v[m] += 60 * sin(2 * M_PI * (double)m / (double)p) + 0.3 * (double)m;
		f = forecast_fit(v, n, (double)p);
		CHECK(f.made);
		better += f.tested < f.last_value;
		for (size_t h = 1; h <= p; h++)
			hit += fabs(forecast_value(&f, h) - v[n + h - 1]) < 1.96 * forecast_error(&f, h);
		inside += hit >= 0.8 * (double)p;
		forecast_free(&f);
		free(v);
	}
	test_label("%u of %u better than the last value, %u with the rows inside the interval", better, rounds, inside);
	CHECK_INT(better, rounds);
	CHECK(inside * 100 >= 90 * rounds);
}

/* Exponential smoothing by hand: with α = 1 the forecast is the last value, with α = 0 the first. */
static void
forecasts_of_plain_series(void)
{
	double line[40], level[40];
	struct forecast f;

	for (size_t m = 0; m < 40; m++) {
		line[m] = 10 + 3 * (double)m;
		level[m] = m % 2 ? 5 : 7;
	}
	f = forecast_fit(line, 40, 0);
	CHECK(f.made);
	CHECK_NEAR(forecast_value(&f, 1), 130, 0.5);
	CHECK_NEAR(forecast_value(&f, 10), 157, 2);
	forecast_free(&f);
	f = forecast_fit(level, 40, 2);
	CHECK(f.made);
	CHECK_NEAR(forecast_value(&f, 1), 7, 0.1);
	CHECK_NEAR(forecast_value(&f, 2), 5, 0.1);
	forecast_free(&f);
}

/* Pairs of independent random walks: at most 1 of 100 is shown as correlated. */
static void
random_walks_are_not_correlated(void)
{
	static const size_t rows[] = {60, 300, 2000};
	unsigned pairs = test_rounds(1000, 20000);
	uint64_t seed = 17;

	for (size_t k = 0; k < 3; k++) {
		size_t n = rows[k];
		double *v = mem_new_array(2 * n, sizeof *v);
		unsigned shown = 0;

		for (unsigned r = 0; r < pairs; r++) {
			struct panel panel = {2, n, v};
			struct correlator *c;

			for (size_t i = 0; i < 2; i++)
				for (size_t m = 0; m < n; m++)
					v[i * n + m] = (m ? v[i * n + m - 1] : 1000) + test_normal(&seed);
			c = correlator_new(&panel);
			shown += correlate(c, 0, 1, CORRELATION_CONFIDENCE, 1).shown;
			correlator_free(c);
		}
		test_label("%zu rows: %u of %u pairs shown", n, shown, pairs);
		CHECK(shown * 100 <= pairs);
		free(v);
	}
}

/* The interval of Fisher's z by hand: r = 0.5 in 103 rows gives tanh(atanh 0.5 ± 2.5758 / 10) at 99 %. */
static void
related_series_are_correlated(void)
{
	enum { N = 400 };
	double v[4 * N];
	struct panel panel = {4, N, v};
	struct correlation c;
	struct correlator *made;
	uint64_t seed = 23;

	for (size_t m = 0; m < N; m++) {
		v[m] = test_normal(&seed);
		v[N + m] = 0.6 * v[m] + 0.8 * test_normal(&seed);
		v[2 * N + m] = 5;
		v[3 * N + m] = v[m];
	}
	made = correlator_new(&panel);
	c = correlate(made, 0, 1, 0.99, 1);
	CHECK(c.shown && c.low < 0.6 && c.high > 0.6 && !c.differences);
	CHECK_NEAR(atanh(c.high) - atanh(c.r), 2.575829 / sqrt(c.effective - 3), 1e-5);
	CHECK(c.effective > N / 2 && c.effective <= N);
	CHECK(correlate(made, 0, 1, 0.99, 1000).high > c.high);
	CHECK(isnan(correlate(made, 0, 2, 0.99, 1).r) && !correlate(made, 0, 2, 0.99, 1).shown);
	CHECK_NEAR(correlate(made, 0, 3, 0.99, 1).r, 1, 0);
	correlator_free(made);
}

static void
outliers_are_found(void)
{
	uint64_t seed = 29;
	double *v = make(&seed, &steady[2], 1, 500);
	struct outliers o;

	v[100] *= 1.4;
	v[300] *= 0.5;
	for (size_t m = 400; m < 500; m++)
		v[m] *= 3; /* a change of level is none */
	o = outliers_find(v, 500, 500);
	CHECK_INT(o.n, 2);
	if (o.n == 2) {
		CHECK_INT(o.outlier[0].row, 100);
		CHECK_INT(o.outlier[1].row, 300);
		CHECK(o.outlier[0].deviations > 10 && o.outlier[1].deviations < -10);
	}
	outliers_free(&o);
	free(v);
}

/* Rows that show nothing: one, none known, all equal, a season longer than the rows, two equal series. */
static void
poor_series_are_no_failure(void)
{
	double v[3 * 40];
	struct panel panel = {3, 40, v};

	for (size_t m = 0; m < 40; m++) {
		v[m] = NAN;
		v[40 + m] = 7;
		v[80 + m] = sin(2 * M_PI * (double)m / 70);
	}
	for (size_t rows = 1; rows <= 40; rows++) {
		struct windows *w;

		panel.rows = rows;
		w = windows_find(&panel);
		CHECK(w->n >= 1);
		CHECK_INT(w->window[w->n - 1].first + w->window[w->n - 1].n, rows);
		windows_free(w);
		for (size_t i = 0; i < 3; i++) {
			struct season s = season_find(v + 40 * i, rows);
			struct forecast f = forecast_fit(v + 40 * i, rows, s.period);
			struct outliers o = outliers_find(v + 40 * i, rows, rows);

			CHECK_NEAR(s.period, 0, 0);
			CHECK(i == 2 || !f.made);
			CHECK_INT(o.n, 0);
			season_free(&s);
			forecast_free(&f);
			outliers_free(&o);
		}
	}
}

TEST_MAIN(CASE(steady_hours_are_one_window), CASE(planted_changes_are_found), CASE(seasons_are_found_within_a_row),
	CASE(short_noise_has_no_season), CASE(forecasts_beat_the_last_value), CASE(forecasts_of_plain_series),
	CASE(random_walks_are_not_correlated), CASE(related_series_are_correlated), CASE(outliers_are_found),
	CASE(poor_series_are_no_failure))
