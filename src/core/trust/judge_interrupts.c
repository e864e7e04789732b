#include "core/trust/judging.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"

#define SHARE_MIN 0.5    /* of the variance that a cause must explain */
#define SLOPE_MIN 0.3    /* counts for each interrupt: below, and above, no interrupt return is counted */
#define SLOPE_MAX 3.0

struct trust_slope
judging_fit(
	const struct judging *j, const struct judging_event *v, enum trust_beside by, const enum trust_beside *beside)
{
	struct trust_slope s = {0};
	double *x, *y, *z;
	size_t *test, n = 0, m = 0, tests = 0;

	for (size_t k = 0; k < v->n; k++)
		n += j->runs->group[v->group[k]].n;
	x = mem_new_array(n, sizeof *x);
	y = mem_new_array(n, sizeof *y);
	z = mem_new_array(n, sizeof *z);
	test = mem_new_array(n, sizeof *test);
	for (size_t k = 0; k < v->n; k++) {
		const struct trust_group *g = &j->runs->group[v->group[k]];
		bool faults = v->faults.found && !isnan(trust_group_beside(g, TRUST_BESIDE_FAULTS));
		size_t first = m;

		for (size_t i = 0; i < g->n; i++) {
			const double *of = g->run[i].beside;

			if (isnan(of[by]) || (beside && isnan(of[*beside])))
				continue;
			x[m] = of[by];
			z[m] = beside ? of[*beside] : 0;
			y[m] = g->run[i].count - g->run[0].count;
			if (faults)
				y[m] -= v->faults.slope * of[TRUST_BESIDE_FAULTS];
			test[m++] = tests;
		}
		tests += m > first;
	}
	if (m)
		s = trust_slope_fit(x, beside ? z : NULL, y, test, m, tests);
	free(x);
	free(y);
	free(z);
	free(test);
	return s;
}

/* Whether a machine counts interrupts next to any of its events, and whether that counter ever counts. */
static void
judge_interrupts_find_counter(const struct judging *j, struct judging_event *v)
{
	bool some = false, above = false;

	for (size_t i = 0; i < j->n_events; i++) {
		const struct judging_event *other = &j->event[i];

		if (!str_eq(other->machine, v->machine))
			continue;
		for (size_t k = 0; k < other->n; k++) {
			const struct trust_group *g = &j->runs->group[other->group[k]];

			for (size_t r = 0; r < g->n; r++) {
				double h = g->run[r].beside[TRUST_BESIDE_INTERRUPTS];

				some |= !isnan(h);
				above |= h > 0;
			}
		}
	}
	v->counted = above;
	v->dead = some && !above;
}

static void
find_counted(const struct judging *j, struct judging_event *v)
{
	struct judging_slope *s = &v->interrupts;

	s->by = TRUST_BESIDE_INTERRUPTS;
	s->fit = judging_fit(j, v, s->by, NULL);
	s->slope = s->fit.slope;
	s->low = s->fit.low - JUDGING_SKEW * fabs(s->fit.slope);
	s->high = s->fit.high + JUDGING_SKEW * fabs(s->fit.slope);
	s->found = s->fit.known && s->low > 0 && s->fit.share >= SHARE_MIN && s->slope >= SLOPE_MIN &&
		s->slope <= SLOPE_MAX;
	if (s->found && s->low <= 1 && 1 <= s->high)
		s->slope = 1;
}

/* Interrupts of all CPUs: the column that explains most. Its slope may be small, since others get interrupts, too. */
static void
find_bound(const struct judging *j, struct judging_event *v)
{
	static const enum trust_beside column[] = {TRUST_BESIDE_ALL_INTERRUPTS, TRUST_BESIDE_TIMER};
	struct judging_slope *s = &v->interrupts;

	s->bound = true;
	s->by = TRUST_BESIDE_ALL_INTERRUPTS;
	for (size_t i = 0; i < 2; i++) {
		struct trust_slope fit = judging_fit(j, v, column[i], NULL);

		if (!fit.known || (s->fit.known && fit.share <= s->fit.share))
			continue;
		s->fit = fit;
		s->by = column[i];
	}
	s->within = s->slope = s->fit.slope;
	s->low = s->fit.low;
	s->high = fmax(s->fit.high, 1);
	s->found = s->fit.known && s->low > 0 && s->fit.share >= SHARE_MIN && s->slope < SLOPE_MAX;
}

void
judging_find_slope(const struct judging *j, struct judging_event *v)
{
	v->interrupts = (struct judging_slope){0};
	if (v->counted)
		find_counted(j, v);
	else
		find_bound(j, v);
}

void
judging_find_slopes(struct judging *j)
{
	for (size_t i = 0; i < j->n_events; i++)
		judge_interrupts_find_counter(j, &j->event[i]);
	for (size_t i = 0; i < j->n_events; i++) {
		judging_find_varying_faults(j, &j->event[i]);
		judging_find_slope(j, &j->event[i]);
	}
}

/* The slope that the level of one group shows: NAN when it shows none. *off is how far it may be off. */
static double
judge_interrupts_level_of(const struct judging *j, size_t group, enum trust_beside by, double *off)
{
	const struct trust_group *g = &j->runs->group[group];
	double h = trust_group_beside(g, by), mean = trust_group_mean(g), spread = trust_group_spread(g);
	double low, high, faults = judging_faults(j, group, &low, &high), offset = mean - g->expected, slope;
	struct judging_split split;

	if (isnan(faults) || isnan(offset) || !(h > 0) || spread == 0 || spread > h / 2 || mean > 2 * g->expected)
		return NAN;
	/* an interrupt counts about once; then the round number is that which is left */
	split = judging_split_offset(offset - h, faults, spread + high - low);
	slope = (h + split.rest) / h;
	*off = (fmax(high - low, 2 * JUDGING_AGREE) / 2 + spread / 2) / h;
	return slope - *off >= SLOPE_MIN && slope + *off <= SLOPE_MAX ? slope : NAN;
}

bool
judging_is_open(const struct judging_slope *s)
{
	if (s->bound)
		return true;
	return !s->found && (!s->fit.known ||
		(s->low <= SLOPE_MAX && s->high >= SLOPE_MIN && s->high - s->low > SLOPE_MIN));
}

/* An event's level shows its own slope, and subtracting that would make any event look right. So the slope is taken
 * from the machine's other events, whose interrupts are of the same kind. */
static void
share_level(const struct judging *j, struct judging_event *v)
{
	struct judging_slope *s = &v->interrupts;
	double sum = 0;
	size_t n = 0;

	if (!s->level)
		return;
	for (size_t i = 0; i < j->n_events; i++) {
		const struct judging_event *other = &j->event[i];

		if (other == v || !other->interrupts.level || !str_eq(other->machine, v->machine))
			continue;
		sum += other->interrupts.own;
		n++;
	}
	if (n) {
		s->slope = sum / (double)n;
		s->low = fmin(s->low, s->slope);
		s->high = fmax(s->high, s->slope);
	}
	if (!s->bound && s->low <= 1 && 1 <= s->high)
		s->slope = 1;
}

void
judging_find_levels(struct judging *j)
{
	for (size_t i = 0; i < j->n_events; i++) {
		struct judging_event *v = &j->event[i];
		struct judging_slope *s = &v->interrupts;
		double sum = 0, weight = 0, low = INFINITY, high = -INFINITY;

		if (!judging_is_open(s))
			continue;
		for (size_t k = 0; k < v->n; k++) {
			double off, slope = judge_interrupts_level_of(j, v->group[k], s->by, &off);

			if (isnan(slope))
				continue;
			sum += slope / (off * off);
			weight += 1 / (off * off);
			low = fmin(low, slope - off);
			high = fmax(high, slope + off);
		}
		if (!(weight > 0))
			continue;
		s->found = s->level = true;
		s->slope = s->own = sum / weight;
		s->low = low;
		s->high = high;
	}
	for (size_t i = 0; i < j->n_events; i++)
		share_level(j, &j->event[i]);
}

double
judging_without_interrupts(const struct judging_event *v, const struct trust_group *g, size_t run)
{
	const struct judging_slope *s = &v->interrupts;
	double h = g->run[run].beside[s->by], mean;

	if (!s->found || isnan(h))
		return g->run[run].count;
	if (!s->bound)
		return g->run[run].count - s->slope * h;
	mean = trust_group_beside(g, s->by);
	return g->run[run].count - s->slope * mean - s->within * (h - mean);
}

double
judging_mean(const struct judging_event *v, const struct trust_group *g)
{
	double sum = 0, first = g->n ? judging_without_interrupts(v, g, 0) : NAN;

	for (size_t i = 0; i < g->n; i++)
		sum += judging_without_interrupts(v, g, i) - first;
	return first + sum / (double)g->n;
}

/* The count of a run without what interrupts and counted page faults added. */
static double
without_causes(const struct judging_event *v, const struct trust_group *g, size_t run)
{
	double faults = g->run[run].beside[TRUST_BESIDE_FAULTS], c = judging_without_interrupts(v, g, run);

	return v->faults.found && !isnan(faults) ? c - v->faults.slope * faults : c;
}

double
judging_spread(const struct judging_event *v, const struct trust_group *g)
{
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < g->n; i++) {
		double c = without_causes(v, g, i);

		low = fmin(low, c);
		high = fmax(high, c);
	}
	return g->n ? high - low : NAN;
}
