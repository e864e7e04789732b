#include "core/diff/diff.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/stats/tails.h"

#define PAIRS_FEWEST 10
#define STILL 0.01 /* of the difference between the sides: less variation within them says nothing about it */

/* Pairs of runs of the same side in one block: one less the other. */
struct pairs {
	double *x, *y;
	size_t n;
};

static void
pairs_take(struct pairs *p, const struct diff_table *t, const struct diff_quantity *other)
{
	const double *y = t->quantity[0].value, *x = other->value;

	p->n = 0;
	for (size_t first = 0; first + SHIFT_BLOCK <= t->n_runs; first += SHIFT_BLOCK)
		for (size_t i = first; i < first + SHIFT_BLOCK; i++)
			for (size_t k = i + 1; k < first + SHIFT_BLOCK; k++) {
				if (t->is_b[i] != t->is_b[k] || !isfinite(x[i] + x[k] + y[i] + y[k]))
					continue;
				p->x[p->n] = x[k] - x[i];
				p->y[p->n++] = y[k] - y[i];
			}
}

/* Least squares through 0, since the sign of a pair is arbitrary. False: there is no slope. */
static bool
fit(const struct pairs *p, double alpha, struct diff_moved *m)
{
	double xx = 0, xy = 0, error = 0, half;

	for (size_t i = 0; i < p->n; i++) {
		xx += p->x[i] * p->x[i];
		xy += p->x[i] * p->y[i];
	}
	if (p->n < PAIRS_FEWEST || xx <= 0)
		return false;
	m->slope = xy / xx;
	for (size_t i = 0; i < p->n; i++) {
		double leverage = p->x[i] * p->x[i] / xx, rest;

		/* one run that was disturbed in both quantities makes no relation */
		if (leverage > 0.5)
			return false;
		rest = (p->y[i] - m->slope * p->x[i]) / (1 - leverage);
		error += p->x[i] * p->x[i] * rest * rest;
	}
	half = sqrt(error) / xx * sqrt(fisher_beyond(alpha, 1, (double)(p->n - 1)));
	m->slope_low = m->slope - half;
	m->slope_high = m->slope + half;
	return true;
}

/* The pairs' typical difference, in units of the sides' difference. */
static double
liveliness(struct pairs *p, double between)
{
	for (size_t i = 0; i < p->n; i++)
		p->x[i] = fabs(p->x[i]);
	return p->n ? diff_median(p->x, p->n) / fabs(between) : NAN;
}

void
diff_find_moved(const struct diff_table *t, const struct diff_report *report, const struct diff_rule *rule,
	size_t first, struct diff_moved *moved)
{
	struct pairs p = {.x = mem_new_array(t->n_runs + 1, sizeof *p.x),
		.y = mem_new_array(t->n_runs + 1, sizeof *p.y)};
	size_t tried = 0;

	for (size_t pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < t->n; i++) {
			const struct diff_found *f = &report->found[i];
			double by = f->b - f->a;

			if (!pass)
				moved[i] = (struct diff_moved){0};
			if (i < first || (f->answer != DIFF_MORE && f->answer != DIFF_LESS) || by == 0)
				continue;
			if (!pass) {
				tried++;
				continue;
			}
			pairs_take(&p, t, &t->quantity[i]);
			if (fit(&p, (1 - rule->confidence) / (double)tried, &moved[i])) {
				moved[i].known = moved[i].slope_low > 0 || moved[i].slope_high < 0;
				moved[i].part = moved[i].slope * by;
				moved[i].part_low = fmin(moved[i].slope_low * by, moved[i].slope_high * by);
				moved[i].part_high = fmax(moved[i].slope_low * by, moved[i].slope_high * by);
			}
			moved[i].still = !moved[i].known && liveliness(&p, by) < STILL;
		}
	free(p.x);
	free(p.y);
}
