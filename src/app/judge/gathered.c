#include "app/judge/gathered.h"

#include <math.h>
#include <stdlib.h>

#include "core/obs/gather.h"
#include "core/obs/obs.h"
#include "core/series/changes.h"
#include "core/stats/dot.h"
#include "core/stats/region.h"

size_t
gathered_rows(const struct obs *o)
{
	bool whole = o->n_rows && obs_samples_in_row(o, o->n_rows - 1) == o->per_row;

	return o->per_row < 2 || whole ? o->n_rows : o->n_rows - 1;
}

/* How many samples are worth one independent one: what sums over rows scatter, over what they would if samples were independent. */
static double
time_of(const struct gathered *g, const struct samples *s, size_t i)
{
	double mean = (double)g->sum[i] / (double)g->weight[i], between = 0, rows = 0;

	for (size_t m = 0; m < s->n_rows; m++) {
		size_t cell = m * s->n_counters + i;
		double off = (double)s->count[cell] - mean * (double)g->per_row;

		if (s->counted && !s->counted[cell])
			continue;
		between += off * off;
		rows++;
	}
	/* Both are of as many samples. */
	return g->scatter[i] > 0 && rows > 1 ? between / (g->scatter[i] * rows * (double)g->per_row / (double)g->weight[i]) : 1;
}

static double
longest_time(const struct gathered *g, const struct samples *s)
{
	double most = 1;

	for (size_t i = 0; i < s->n_counters; i++)
		most = fmax(most, time_of(g, s, i));
	/* The ratio of two variances with that many degrees of freedom is not 1 by chance alone. */
	return most > 1 + 5 * sqrt(2 / (double)s->n_rows) ? most : 1;
}

void
gathered_finish(const struct gathered *g, const struct samples *s, struct region *r)
{
	double by = 1 / (double)g->per_row, unit = pow(10, -r->decimals);

	for (size_t i = 0; i < r->n; i++) {
		r->sum[i] = g->sum[i];
		r->weight[i] = g->weight[i];
		r->mean[i] = g->weight[i] ? (double)g->sum[i] / (double)g->weight[i] * unit : 0;
	}
	if (r->point)
		return;
	r->rows = g->samples;
	r->effective = fmin((double)g->samples, r->effective * (double)g->samples / (double)s->n_rows / longest_time(g, s));
	if (r->cov) {
		dot_scale(r->cov, by * by, r->n * r->n);
		dot_scale(r->factor, by, r->n * r->n);
	}
	if (r->slack)
		dot_scale(r->slack, by, r->n);
}

void
gathered_levels(const struct gathered *g, struct changes *c)
{
	for (size_t i = 0; i < c->n; i++) {
		c->change[i].before /= (double)g->per_row;
		c->change[i].after /= (double)g->per_row;
	}
}

void
gathered_free(struct gathered *g)
{
	free(g->sum);
	free(g->weight);
	free(g->scatter);
	*g = (struct gathered){0};
}
