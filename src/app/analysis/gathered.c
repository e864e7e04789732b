#include "app/analysis/gathered.h"

#include <math.h>
#include <stdlib.h>

#include "core/obs/gather.h"
#include "core/obs/obs.h"
#include "core/stats/region.h"

size_t
gathered_rows(const struct obs *o)
{
	bool whole = o->n_rows && obs_samples_in_row(o, o->n_rows - 1) == o->per_row;

	return o->per_row < 2 || whole ? o->n_rows : o->n_rows - 1;
}

/* Returns how many samples are worth one independent sample: the variance of the sums in the rows, divided by the
 * variance that they would have if samples were independent. */
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
	/* Both variances are those of sums of per_row samples. */
	return g->scatter[i] > 0 && rows > 1
		? between / (g->scatter[i] * rows * (double)g->per_row / (double)g->weight[i]) : 1;
}

static double
longest_time(const struct gathered *g, const struct samples *s)
{
	double most = 1;

	for (size_t i = 0; i < s->n_counters; i++)
		most = fmax(most, time_of(g, s, i));
	/* Chance alone makes the ratio of two variances with so many degrees of freedom differ from 1. */
	return most > 1 + 5 * sqrt(2 / (double)s->n_rows) ? most : 1;
}

void
gathered_finish(const struct gathered *g, const struct samples *s, struct region *r)
{
	region_set_totals(r, s, g->sum, g->weight, g->samples, r->point ? 1 : longest_time(g, s));
}

void
gathered_free(struct gathered *g)
{
	free(g->sum);
	free(g->weight);
	free(g->scatter);
	*g = (struct gathered){0};
}
