#include "core/series/forecast.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multimin.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/series/season.h"

#define STEPS 80     /* most steps of the minimiser from one beginning */
#define SETTLED 1e-3 /* size of the simplex, in logits of the weights, at which it ends */

/* A series to be smoothed, and room for its season. */
struct smoothing {
	const double *v;
	size_t n, begin; /* errors count from row `begin` on */
	double period;
	size_t places;  /* of a period; 0: no season */
	double *season; /* places */
	size_t *place;  /* of each row */
	double level, trend;
	double absolute, squares; /* Σ |error|, Σ error² of the last run */
	size_t counted;
};

static double
weight_from(double logit)
{
	return 1 / (1 + exp(-logit));
}

static double
logit_of(double weight)
{
	double w = fmin(0.999, fmax(0.001, weight));

	return log(w / (1 - w));
}

static double
mean_of(const double *v, size_t n)
{
	double sum = 0, known = 0;

	for (size_t m = 0; m < n; m++)
		if (!isnan(v[m])) {
			sum += v[m];
			known++;
		}
	return known > 0 ? sum / known : NAN;
}

/* Begins with the first two periods: their means give level and trend, the first one's rows the season. */
static void
smoothing_begin(struct smoothing *s)
{
	size_t p = s->places ? s->places : 1;
	double first = mean_of(s->v, p), second = mean_of(s->v + p, p);

	s->trend = s->places && !isnan(second - first) ? (second - first) / (double)p : 0;
	s->level = first;
	for (size_t m = 0; m < p && isnan(s->level) && m < s->n; m++)
		s->level = s->v[m];
	for (size_t k = 0; k < s->places; k++)
		s->season[k] = isnan(s->v[k] - first) ? 0
						      : s->v[k] - first - s->trend * ((double)k - (double)(p - 1) / 2);
}

/* Smooths all rows and returns the sum of the absolute errors of one row ahead: a burst weighs no more than it is. */
static double
smooth(struct smoothing *s, double alpha, double beta, double gamma)
{
	smoothing_begin(s);
	s->absolute = s->squares = 0;
	s->counted = 0;
	for (size_t m = s->places ? s->places : 1; m < s->n; m++) {
		double none = 0, *season = s->places ? &s->season[s->place[m]] : &none, before = s->level, error, ahead;

		ahead = s->level + s->trend;
		if (isnan(s->v[m]) || isnan(ahead)) {
			s->level = isnan(ahead) ? s->v[m] : ahead;
			continue;
		}
		error = s->v[m] - ahead - *season;
		if (m >= s->begin) {
			s->squares += error * error;
			s->absolute += fabs(error);
			s->counted++;
		}
		s->level = ahead + alpha * error;
		s->trend += beta * (s->level - before - s->trend);
		*season += gamma * (s->v[m] - s->level - *season);
	}
	return s->absolute;
}

static double
errors_at(const gsl_vector *x, void *params)
{
	struct smoothing *s = params;
	double sum = smooth(s, weight_from(gsl_vector_get(x, 0)), weight_from(gsl_vector_get(x, 1)),
		s->places ? weight_from(gsl_vector_get(x, 2)) : 0);

	return isfinite(sum) ? sum : HUGE_VAL;
}

/* Finds the weights with the least errors. weight[2] is γ. Begins with the weights, or, if they are 0, once slow and
 * once quick. */
static void
find_weights(struct smoothing *s, double weight[3])
{
	static const double begin[2][3] = {{-1.4, -4, -2}, {2, -5, -3}};
	bool known = weight[0] > 0;
	size_t n = s->places ? 3 : 2;
	gsl_multimin_function f = {errors_at, n, s};
	gsl_multimin_fminimizer *minimizer = gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, n);
	gsl_vector *x = gsl_vector_alloc(n), *step = gsl_vector_alloc(n);
	double least = INFINITY;

	for (int b = 0; b < (known ? 1 : 2); b++) {
		for (size_t k = 0; k < n; k++)
			gsl_vector_set(x, k, known ? logit_of(weight[k]) : begin[b][k]);
		gsl_vector_set_all(step, 1);
		gsl_multimin_fminimizer_set(minimizer, &f, x, step);
		for (int i = 0; i < STEPS; i++)
			if (gsl_multimin_fminimizer_iterate(minimizer) ||
				gsl_multimin_test_size(gsl_multimin_fminimizer_size(minimizer), SETTLED) !=
					GSL_CONTINUE)
				break;
		if (gsl_multimin_fminimizer_minimum(minimizer) < least) {
			least = gsl_multimin_fminimizer_minimum(minimizer);
			for (size_t k = 0; k < 3; k++)
				weight[k] = k < n ? weight_from(gsl_vector_get(gsl_multimin_fminimizer_x(minimizer), k))
						  : 0;
		}
	}
	gsl_multimin_fminimizer_free(minimizer);
	gsl_vector_free(x);
	gsl_vector_free(step);
}

/* Fits weights to the rows before the last fifth, and compares the errors in it with those of the last value. */
static void
test_weights(struct forecast *out, struct smoothing *s, double weight[3])
{
	size_t n = s->n, begin = n - n / 5, pairs = 0;
	double last = NAN, sum = 0;

	s->n = begin;
	find_weights(s, weight);
	s->n = n;
	s->begin = begin;
	smooth(s, weight[0], weight[1], weight[2]);
	out->tested = s->counted ? s->absolute / (double)s->counted : NAN;
	for (size_t m = 0; m < n; m++) {
		if (isnan(s->v[m]))
			continue;
		if (m >= begin && !isnan(last)) {
			sum += fabs(s->v[m] - last);
			pairs++;
		}
		last = s->v[m];
	}
	out->last_value = pairs ? sum / (double)pairs : NAN;
}

static bool
varies(const double *v, size_t n)
{
	double low = INFINITY, high = -INFINITY;
	size_t known = 0;

	for (size_t m = 0; m < n; m++)
		if (!isnan(v[m])) {
			low = fmin(low, v[m]);
			high = fmax(high, v[m]);
			known++;
		}
	return known >= FORECAST_FEWEST && high - low > 1e-9 * fmax(fabs(high), fabs(low));
}

struct forecast
forecast_fit(const double *v, size_t n, double period)
{
	struct forecast out = {.period = (double)n >= 3 * period ? period : 0};
	size_t places = (size_t)ceil(out.period - 1e-6), used = n < FORECAST_ROWS ? n : FORECAST_ROWS;
	double weight[3] = {0};
	struct smoothing s;

	used = used < 3 * places ? (n < 3 * places ? n : 3 * places) : used;
	v += n - used;
	n = used;
	if (!varies(v, n))
		return out;
	s = (struct smoothing){.v = v, .n = n, .period = out.period, .places = places};
	s.season = mem_new_array(places + 1, sizeof *s.season);
	s.place = mem_new_array(n, sizeof *s.place);
	for (size_t m = 0; m < n && places; m++)
		s.place[m] = season_place(out.period, m);
	s.begin = places ? 2 * places : 2;
	test_weights(&out, &s, weight);
	s.begin = places ? 2 * places : 2;
	find_weights(&s, weight);
	smooth(&s, weight[0], weight[1], weight[2]);
	out.error = s.counted ? sqrt(s.squares / (double)s.counted) : NAN;
	out.alpha = weight[0];
	out.beta = weight[1];
	out.gamma = weight[2];
	out.level = s.level;
	out.trend = s.trend;
	out.rows = n;
	out.made = isfinite(out.level) && isfinite(out.error);
	free(s.place);
	if (places)
		out.season = s.season;
	else
		free(s.season);
	return out;
}

void
forecast_free(struct forecast *f)
{
	free(f->season);
	*f = (struct forecast){0};
}

double
forecast_value(const struct forecast *f, size_t ahead)
{
	return f->level + (double)ahead * f->trend +
		(f->season ? f->season[season_place(f->period, f->rows + ahead - 1)] : 0);
}

double
forecast_error(const struct forecast *f, size_t ahead)
{
	double variance = 1;
	size_t places = (size_t)round(f->period);

	for (size_t j = 1; j < ahead; j++) {
		double c = f->alpha * (1 + (double)j * f->beta) +
			(places && j % places == 0 ? f->gamma * (1 - f->alpha) : 0);

		variance += c * c;
	}
	return f->error * sqrt(variance);
}
