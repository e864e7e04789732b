#include "core/trust/judging.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"

#define SHARE_MIN 0.5    /* of the variance that a cause must explain */
#define SLOPE_MIN 0.3    /* counts for each interrupt: below, and above, no interrupt return is counted */
#define SLOPE_MAX 3.0

struct trust_slope
judging_fit(const struct judging *judging, const struct judging_event *event, enum trust_beside by,
	const enum trust_beside *beside)
{
	struct trust_slope s = {0};
	double *x, *y, *z;
	size_t *test, n = 0, m = 0, tests = 0;

	for (size_t k = 0; k < event->n; k++)
		n += judging->runs->group[event->group[k]].n;
	x = mem_new_array(n, sizeof *x);
	y = mem_new_array(n, sizeof *y);
	z = mem_new_array(n, sizeof *z);
	test = mem_new_array(n, sizeof *test);
	for (size_t k = 0; k < event->n; k++) {
		const struct trust_group *group = &judging->runs->group[event->group[k]];
		bool faults = event->faults.found && !isnan(trust_group_beside(group, TRUST_BESIDE_FAULTS));
		size_t first = m;

		for (size_t i = 0; i < group->n; i++) {
			const double *of = group->run[i].beside;

			if (isnan(of[by]) || (beside && isnan(of[*beside])))
				continue;
			x[m] = of[by];
			z[m] = beside ? of[*beside] : 0;
			y[m] = group->run[i].count - group->run[0].count;
			if (faults)
				y[m] -= event->faults.slope * of[TRUST_BESIDE_FAULTS];
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

/* Returns whether a machine counts interrupts next to any of its events, and whether that counter ever counts. */
static void
judge_interrupts_find_counter(const struct judging *judging, struct judging_event *event)
{
	bool some = false, above = false;

	for (size_t i = 0; i < judging->n_events; i++) {
		const struct judging_event *other = &judging->event[i];

		if (!str_eq(other->machine, event->machine))
			continue;
		for (size_t k = 0; k < other->n; k++) {
			const struct trust_group *group = &judging->runs->group[other->group[k]];

			for (size_t r = 0; r < group->n; r++) {
				double h = group->run[r].beside[TRUST_BESIDE_INTERRUPTS];

				some |= !isnan(h);
				above |= h > 0;
			}
		}
	}
	event->counted = above;
	event->dead = some && !above;
}

static void
find_counted(const struct judging *judging, struct judging_event *event)
{
	struct judging_slope *slope = &event->interrupts;

	slope->by = TRUST_BESIDE_INTERRUPTS;
	slope->fit = judging_fit(judging, event, slope->by, NULL);
	slope->slope = slope->fit.slope;
	slope->low = slope->fit.low - JUDGING_SKEW * fabs(slope->fit.slope);
	slope->high = slope->fit.high + JUDGING_SKEW * fabs(slope->fit.slope);
	slope->found = slope->fit.known && slope->low > 0 && slope->fit.share >= SHARE_MIN &&
		slope->slope >= SLOPE_MIN && slope->slope <= SLOPE_MAX;
	if (slope->found && slope->low <= 1 && 1 <= slope->high)
		slope->slope = 1;
}

/* Interrupts of all CPUs: the column that explains most. Its slope may be small, since others get interrupts, too. */
static void
find_bound(const struct judging *judging, struct judging_event *event)
{
	static const enum trust_beside column[] = {TRUST_BESIDE_ALL_INTERRUPTS, TRUST_BESIDE_TIMER};
	struct judging_slope *slope = &event->interrupts;

	slope->bound = true;
	slope->by = TRUST_BESIDE_ALL_INTERRUPTS;
	for (size_t i = 0; i < 2; i++) {
		struct trust_slope fit = judging_fit(judging, event, column[i], NULL);

		if (!fit.known || (slope->fit.known && fit.share <= slope->fit.share))
			continue;
		slope->fit = fit;
		slope->by = column[i];
	}
	slope->within = slope->slope = slope->fit.slope;
	slope->low = slope->fit.low;
	slope->high = fmax(slope->fit.high, 1);
	slope->found = slope->fit.known && slope->low > 0 && slope->fit.share >= SHARE_MIN && slope->slope < SLOPE_MAX;
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
judge_interrupts_level_of(const struct judging *judging, size_t group, enum trust_beside by, double *off)
{
	const struct trust_group *trust_group = &judging->runs->group[group];
	double h = trust_group_beside(trust_group, by), mean = trust_group_mean(trust_group),
	       spread = trust_group_spread(trust_group);
	double low, high, faults = judging_faults(judging, group, &low, &high), offset = mean - trust_group->expected,
			  slope;
	struct judging_split split;

	if (isnan(faults) || isnan(offset) || !(h > 0) || spread == 0 || spread > h / 2 ||
		mean > 2 * trust_group->expected)
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
share_level(const struct judging *judging, struct judging_event *event)
{
	struct judging_slope *slope = &event->interrupts;
	double sum = 0;
	size_t n = 0;

	if (!slope->level)
		return;
	for (size_t i = 0; i < judging->n_events; i++) {
		const struct judging_event *other = &judging->event[i];

		if (other == event || !other->interrupts.level || !str_eq(other->machine, event->machine))
			continue;
		sum += other->interrupts.own;
		n++;
	}
	if (n) {
		slope->slope = sum / (double)n;
		slope->low = fmin(slope->low, slope->slope);
		slope->high = fmax(slope->high, slope->slope);
	}
	if (!slope->bound && slope->low <= 1 && 1 <= slope->high)
		slope->slope = 1;
}

void
judging_find_levels(struct judging *judging)
{
	for (size_t i = 0; i < judging->n_events; i++) {
		struct judging_event *v = &judging->event[i];
		struct judging_slope *judging_slope = &v->interrupts;
		double sum = 0, weight = 0, low = INFINITY, high = -INFINITY;

		if (!judging_is_open(judging_slope))
			continue;
		for (size_t k = 0; k < v->n; k++) {
			double off, slope = judge_interrupts_level_of(judging, v->group[k], judging_slope->by, &off);

			if (isnan(slope))
				continue;
			sum += slope / (off * off);
			weight += 1 / (off * off);
			low = fmin(low, slope - off);
			high = fmax(high, slope + off);
		}
		if (!(weight > 0))
			continue;
		judging_slope->found = judging_slope->level = true;
		judging_slope->slope = judging_slope->own = sum / weight;
		judging_slope->low = low;
		judging_slope->high = high;
	}
	for (size_t i = 0; i < judging->n_events; i++)
		share_level(judging, &judging->event[i]);
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
