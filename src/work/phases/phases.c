#include "work/phases/phases.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/stats/tails.h"

#define PAIRS_KEPT ((size_t)200)     /* most pairs that are reported */
#define FORECAST_STEADY ((size_t)40) /* fewest rows of a forecast, if there are as many */
#define COMPARED 0.99                /* confidence of a ratio */

static void
phases_describe(const double *v, size_t n, struct phase_series *out)
{
	double sum = 0, squares = 0;

	out->least = out->most = out->mean = out->deviation = NAN;
	for (size_t m = 0; m < n; m++)
		if (!isnan(v[m])) {
			sum += v[m];
			out->least = fmin(isnan(out->least) ? INFINITY : out->least, v[m]);
			out->most = fmax(isnan(out->most) ? -INFINITY : out->most, v[m]);
			out->known++;
		}
	if (!out->known)
		return;
	out->mean = sum / (double)out->known;
	for (size_t m = 0; m < n; m++)
		squares += isnan(v[m]) ? 0 : (v[m] - out->mean) * (v[m] - out->mean);
	out->deviation = out->known > 1 ? sqrt(squares / (double)(out->known - 1)) : 0;
	out->trend = series_trend(v, n);
}

static bool
series_varies(const struct phase_series *s)
{
	return s->known > 1 && s->most > s->least;
}

/* A figure to sort by. Series of one cause have equal figures but for rounding, which differs by processor and
 * compiler; as a float they are equal, and keep the order of the data. */
static float
comparable(double v)
{
	return isnan(v) ? -1 : (float)fabs(v);
}

static int
pair_compare(const void *a, const void *b)
{
	const struct phase_pair *x = a, *y = b;
	float one = comparable(fmin(fabs(x->correlation.low), fabs(x->correlation.high))),
	      two = comparable(fmin(fabs(y->correlation.low), fabs(y->correlation.high)));

	if (one != two)
		return one < two ? 1 : -1;
	return x->a != y->a ? (x->a < y->a ? -1 : 1) : x->b < y->b ? -1 : x->b > y->b;
}

static void
find_pairs(struct phases *p, double confidence)
{
	size_t cap = 0;

	for (size_t a = 0; a < p->set->n; a++)
		for (size_t b = a + 1; b < p->set->n && series_varies(&p->series[a]); b++) {
			struct correlation c;

			if (!series_varies(&p->series[b]))
				continue;
			c = correlate(p->correlator, a, b, confidence, p->tried);
			if (!c.shown)
				continue;
			mem_grow(&p->pair, &cap, p->n_pairs + 1, sizeof *p->pair);
			p->pair[p->n_pairs++] = (struct phase_pair){a, b, c};
		}
	if (p->n_pairs)
		qsort(p->pair, p->n_pairs, sizeof *p->pair, pair_compare);
	if (p->n_pairs > PAIRS_KEPT)
		p->n_pairs = PAIRS_KEPT;
}

/* The first row from which a forecast is made: that of the last window, or of an earlier one if that is too short to
 * show its noise. If it has not three periods, no season is known to go on in it. */
static size_t
steady_from(const struct windows *w)
{
	size_t k = w->n - 1, rows = w->window[k].n;

	while (rows < FORECAST_STEADY && k > 0)
		rows += w->window[--k].n;
	return w->window[k].first;
}

void
phases_detail(struct phases *p, size_t series)
{
	struct phase_series *s = &p->series[series];
	size_t rows = p->set->rows, begin = steady_from(p->windows);

	if (s->detailed)
		return;
	s->detailed = true;
	s->outliers = outliers_find(panel_series(&p->panel, series), rows, p->set->n * rows);
	s->forecast = forecast_fit(p->set->v + series * rows + begin, rows - begin, s->season.period);
}

struct phases *
phases_new(struct series_set *set, const struct phases_how *how)
{
	struct phases *p = mem_new(sizeof *p);
	size_t rows = set->rows, varying = 0;

	p->set = set;
	p->series = mem_new_array(set->n, sizeof *p->series);
	p->without_season = mem_new_array(set->n * rows, sizeof *p->without_season);
	for (size_t i = 0; i < set->n; i++) {
		struct phase_series *s = &p->series[i];
		const double *v = set->v + i * rows;
		double *plain = p->without_season + i * rows;

		phases_describe(v, rows, s);
		s->season = season_find(v, rows);
		for (size_t m = 0; m < rows; m++)
			plain[m] = v[m] - season_at(&s->season, m);
		varying += series_varies(s);
	}
	p->panel = (struct panel){set->n, rows, p->without_season};
	p->windows = windows_find(&p->panel);
	for (size_t i = 0; i < set->n && !how->brief; i++)
		phases_detail(p, i);
	p->tried = varying * (varying ? varying - 1 : 0) / 2;
	p->correlator = correlator_new(&p->panel);
	if (how->pairs)
		find_pairs(p, how->confidence > 0 ? how->confidence : CORRELATION_CONFIDENCE);
	return p;
}

void
phases_free(struct phases *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->set->n; i++) {
		season_free(&p->series[i].season);
		forecast_free(&p->series[i].forecast);
		outliers_free(&p->series[i].outliers);
	}
	correlator_free(p->correlator);
	windows_free(p->windows);
	series_set_free(p->set);
	free(p->series);
	free(p->without_season);
	free(p->pair);
	free(p);
}

static int
change_compare(const void *a, const void *b)
{
	const struct phase_change *x = a, *y = b;
	float one = comparable(x->weight), two = comparable(y->weight);

	return one != two ? (one < two ? 1 : -1) : x->series < y->series ? -1 : x->series > y->series;
}

void
phases_compare(const struct phases *p, size_t before, size_t after, struct phase_change *out)
{
	size_t n = p->set->n;
	double one = sqrt(chi2_beyond(1 - COMPARED, 1)),
	       all = sqrt(chi2_beyond((1 - COMPARED) / (double)(n ? n : 1), 1));

	for (size_t i = 0; i < n; i++) {
		double a = p->windows->level[before * n + i], b = p->windows->level[after * n + i];
		double ea = windows_level_error(p->windows, &p->panel, before, i),
		       eb = windows_level_error(p->windows, &p->panel, after, i), error = hypot(ea, eb);
		struct phase_change c = {.series = i, .before = a, .after = b, .ratio = NAN, .low = NAN, .high = NAN};

		c.weight = error > 0 ? (b - a) / error : isnan(b - a) ? NAN : b != a ? copysign(INFINITY, b - a) : 0;
		c.changed = fabs(c.weight) > all;
		if (a > 0 && b > 0) {
			double spread = hypot(ea / a, eb / b);

			c.ratio = b / a;
			c.low = c.ratio * exp(-one * spread);
			c.high = c.ratio * exp(one * spread);
		}
		out[i] = c;
	}
	qsort(out, n, sizeof *out, change_compare);
}

size_t
phases_largest_change(const struct phases *p)
{
	size_t best = 0;

	for (size_t k = 1; k < p->windows->n; k++)
		if (!best || p->windows->window[k].jump > p->windows->window[best].jump)
			best = k;
	return best;
}

bool
phases_moves_with(const struct phases *p, size_t series, struct phase_pair *out)
{
	size_t others = 0;
	bool found = false;

	for (size_t i = 0; i < p->set->n; i++)
		others += i != series && (p->set->n_flows == 1 || p->set->flow[i] != p->set->flow[series]);
	for (size_t i = 0; i < p->set->n; i++) {
		struct phase_pair pair = {.a = series, .b = i};

		if (i == series || (p->set->n_flows > 1 && p->set->flow[i] == p->set->flow[series]))
			continue;
		pair.correlation = correlate(p->correlator, series, i, CORRELATION_CONFIDENCE, others);
		if (!pair.correlation.shown || (found && pair_compare(&pair, out) >= 0))
			continue;
		*out = pair;
		found = true;
	}
	return found;
}

double
phases_begin(const struct phases *p, size_t row)
{
	const double *end = p->set->end;

	if (!end)
		return (double)row;
	if (row > 0)
		return end[row - 1];
	return isnan(p->set->step) ? 0 : fmax(0, end[0] - p->set->step);
}
