/* Page faults that were counted beside an event: what each adds to it. Three things can show that, the first of them
 * that does decides:
 *
 *   1. Tests of different numbers of faults, whose expected counts are known: the slope of what remains without
 *      interrupts on the number of faults.
 *   2. Runs of one test whose faults differ: the slope within tests, where interrupts are the same.
 *   3. The level of tests whose faults hardly differ between runs: what remains is a whole number of times the faults,
 *      or nothing. A slope that (2) excludes is not taken. */
#include "core/trust/judging.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

#define TESTS_MIN 4
#define WIDTH_MAX 0.5     /* an interval that is wider decides nothing */
#define SHARE_MIN 0.5     /* of the variance that the faults must explain */
#define SLOPE_MIN 0.3     /* counts for each fault: below, and above, it is something else that varies */
#define SLOPE_MAX 10.0
#define LEVEL_MAX 5.0     /* the largest whole number that a level shows: more would fit by accident */
#define LEVEL_FAULTS 1000.0 /* faults of a run: the level of fewer is lost in what starting a program adds */

/* The whole number that is nearest to a slope if its interval has that number, or the slope. */
static double
judge_faults_whole_of(const struct trust_slope *s)
{
	double whole = fmax(1, round(s->slope));

	return s->low <= whole && whole <= s->high ? whole : s->slope;
}

void
judging_find_varying_faults(const struct judging *judging, struct judging_event *event)
{
	static const enum trust_beside interrupts = TRUST_BESIDE_INTERRUPTS;
	struct judging_slope *slope = &event->faults;

	slope->by = TRUST_BESIDE_FAULTS;
	slope->fit = judging_fit(judging, event, slope->by, &interrupts);
	if (!slope->fit.known)
		slope->fit = judging_fit(judging, event, slope->by, NULL);
	slope->found = slope->fit.known && slope->fit.low > 0 && slope->fit.share >= SHARE_MIN &&
		slope->fit.slope >= SLOPE_MIN && slope->fit.slope <= SLOPE_MAX;
	slope->slope = judge_faults_whole_of(&slope->fit);
	slope->low = slope->fit.low;
	slope->high = slope->fit.high;
}

/* The slope that levels show: the offset of every test is the same whole number of times its faults, from 0 to
 * LEVEL_MAX. NAN: none does. *off is how far it may be off. */
static double
judge_faults_level_of(const double *faults, const double *offset, const double *noise, size_t n, double *off)
{
	double level = n ? round(offset[0] / faults[0]) : NAN;

	*off = 0;
	for (size_t i = 0; i < n; i++) {
		double counts = JUDGING_AGREE + JUDGING_SKEW * fmax(level, 1) * faults[i];

		if (faults[i] < LEVEL_FAULTS || noise[i] > counts || fabs(offset[i] - level * faults[i]) > counts)
			return NAN;
		*off = fmax(*off, counts / faults[i]);
	}
	return level >= 0 && level <= LEVEL_MAX ? level : NAN;
}

/* Slope over tests: true if it decides. */
static bool
decide_by_tests(struct judging_slope *slope, const double *faults, const double *offset, size_t n)
{
	struct judging_slope over = *slope;

	if (n < TESTS_MIN)
		return false;
	over.fit = trust_slope_of_pairs(faults, offset, n);
	over.slope = over.fit.slope;
	over.low = over.fit.low - JUDGING_SKEW * fabs(over.fit.slope);
	over.high = over.fit.high + JUDGING_SKEW * fabs(over.fit.slope);
	over.found = over.fit.known && over.low > 0 && over.high - over.low <= WIDTH_MAX;
	if (over.found && over.low <= 1 && 1 <= over.high)
		over.slope = 1;
	if (over.found || (over.fit.known && (over.high < slope->low || over.low > slope->high)))
		*slope = over;
	return over.found;
}

/* An event that counts the return from an interrupt counts that from a fault: it is the same instruction. */
static void
assume_one(const struct judging_event *v, struct judging_slope *s)
{
	if (!v->interrupts.found || v->interrupts.bound || v->interrupts.slope != 1)
		return;
	if (s->fit.known && (s->low > 1 || s->high < 1))
		return;
	s->found = s->assumed = true;
	s->slope = 1;
}

void
judging_find_fault_slope(const struct judging *judging, struct judging_event *event)
{
	double *faults = mem_new_array(event->n, sizeof *faults), *offset = mem_new_array(event->n, sizeof *offset);
	double *noise = mem_new_array(event->n, sizeof *noise), level, off;
	size_t n = 0;
	struct judging_slope *slope = &event->faults;

	for (size_t k = 0; k < event->n; k++) {
		const struct trust_group *group = &judging->runs->group[event->group[k]];
		double of_group = trust_group_beside(group, TRUST_BESIDE_FAULTS), mean = trust_group_mean(group);

		if (isnan(of_group) || isnan(mean) || !(mean > 0))
			continue;
		slope->present = true;
		if (isnan(group->expected))
			continue;
		faults[n] = of_group;
		noise[n] = judging_spread(event, group);
		offset[n++] = judging_mean(event, group) - group->expected;
	}
	if (!decide_by_tests(slope, faults, offset, n) && !slope->found && slope->present) {
		level = judge_faults_level_of(faults, offset, noise, n, &off);
		if (level > 0 && (!slope->fit.known || (slope->low <= level && level <= slope->high))) {
			slope->found = slope->level = true;
			slope->slope = level;
			slope->low = level - off;
			slope->high = level + off;
			if (!event->interrupts.level)
				judging_find_slope(judging, event);
		} else if (isnan(level)) {
			assume_one(event, slope);
		}
	}
	free(faults);
	free(offset);
	free(noise);
}
