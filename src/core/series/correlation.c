#include "core/series/correlation.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/stats/tails.h"

#define LAGS ((size_t)256)   /* most lags of an autocorrelation */
#define QUIET 5              /* lags in a row within noise that end it */
#define WANDERS 0.5          /* product of the correlations of neighbours from which both series wander */
#define FEWEST_EFFECTIVE 5.0 /* Fisher's z needs more than three */

/* A series less its mean, with the sum of squares 1; 0 where it is unknown. */
struct standard {
	float *x;
	double *rho; /* autocorrelation at lags 1 … n_rho */
	size_t n_rho, known;
	bool constant;
};

struct correlator {
	const struct panel *panel;
	struct standard *level, *difference;
};

static double
dot(const float *a, const float *b, size_t n)
{
	double sum[4] = {0};
	size_t m = 0;

	for (; m + 4 <= n; m += 4)
		for (size_t k = 0; k < 4; k++)
			sum[k] += (double)a[m + k] * (double)b[m + k];
	for (; m < n; m++)
		sum[0] += (double)a[m] * (double)b[m];
	return sum[0] + sum[1] + sum[2] + sum[3];
}

/* Stops where the correlation has been within noise for some lags: what follows is noise alone. */
static void
take_autocorrelation(struct standard *s, size_t n)
{
	size_t most = n / 4 < LAGS ? n / 4 + 1 : LAGS, quiet = 0;
	double noise = 2 / sqrt((double)n);

	s->rho = mem_new_array(most, sizeof *s->rho);
	for (size_t k = 1; k <= most && quiet < QUIET; k++) {
		double rho = dot(s->x, s->x + k, n - k);

		s->rho[s->n_rho++] = rho;
		quiet = fabs(rho) < noise ? quiet + 1 : 0;
	}
}

static struct standard
standardise(const double *v, size_t n, bool differences)
{
	struct standard s = {.x = mem_new_array(n, sizeof *s.x)};
	double sum = 0, squares = 0, largest = 0;
	double *d = mem_new_array(n, sizeof *d);

	for (size_t m = 0; m < n; m++) {
		d[m] = !differences ? v[m] : m > 0 ? v[m] - v[m - 1] : NAN;
		if (isnan(d[m]))
			continue;
		sum += d[m];
		largest = fmax(largest, fabs(v[m]));
		s.known++;
	}
	for (size_t m = 0; m < n && s.known; m++)
		if (!isnan(d[m])) {
			d[m] -= sum / (double)s.known;
			squares += d[m] * d[m];
		}
	s.constant = s.known < 2 || sqrt(squares / (double)s.known) <= 1e-12 * largest;
	for (size_t m = 0; m < n && !s.constant; m++)
		s.x[m] = isnan(d[m]) ? 0 : (float)(d[m] / sqrt(squares));
	if (!s.constant)
		take_autocorrelation(&s, n);
	free(d);
	return s;
}

struct correlator *
correlator_new(const struct panel *panel)
{
	struct correlator *c = mem_new(sizeof *c);

	c->panel = panel;
	c->level = mem_new_array(panel->n, sizeof *c->level);
	c->difference = mem_new_array(panel->n, sizeof *c->difference);
	for (size_t i = 0; i < panel->n; i++) {
		c->level[i] = standardise(panel_series(panel, i), panel->rows, false);
		c->difference[i] = standardise(panel_series(panel, i), panel->rows, true);
	}
	return c;
}

void
correlator_free(struct correlator *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->panel->n; i++) {
		free(c->level[i].x);
		free(c->level[i].rho);
		free(c->difference[i].x);
		free(c->difference[i].rho);
	}
	free(c->level);
	free(c->difference);
	free(c);
}

static double
worth(const struct standard *a, const struct standard *b)
{
	size_t lags = a->n_rho < b->n_rho ? a->n_rho : b->n_rho;
	double n = (double)(a->known < b->known ? a->known : b->known), sum = 0;

	for (size_t k = 0; k < lags; k++)
		sum += a->rho[k] * b->rho[k];
	return n / fmax(1, 1 + 2 * sum);
}

struct correlation
correlate(const struct correlator *c, size_t a, size_t b, double confidence, size_t tried)
{
	const struct standard *x = &c->level[a], *y = &c->level[b];
	struct correlation out = {.r = NAN, .low = -1, .high = 1, .effective = worth(x, y)};
	double n = (double)(x->known < y->known ? x->known : y->known), z, half;

	if (x->constant || y->constant)
		return out;
	if (out.effective < fmin(CORRELATION_LEVELS, n / 2) || x->rho[0] * y->rho[0] > WANDERS) {
		x = &c->difference[a];
		y = &c->difference[b];
		out.differences = true;
		out.effective = worth(x, y);
		if (x->constant || y->constant)
			return out;
	}
	if (out.effective < FEWEST_EFFECTIVE)
		return out;
	out.r = fmin(1, fmax(-1, dot(x->x, y->x, c->panel->rows)));
	if (fabs(out.r) > 1 - 1e-6) {
		out.r = out.low = out.high = out.r > 0 ? 1 : -1;
		out.shown = true;
		return out;
	}
	half = sqrt(chi2_beyond((1 - confidence) / (double)(tried ? tried : 1), 1) / (out.effective - 3));
	z = atanh(out.r);
	out.low = tanh(z - half);
	out.high = tanh(z + half);
	out.shown = out.low > 0 || out.high < 0;
	return out;
}
