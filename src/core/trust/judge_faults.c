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
judging_find_varying_faults(const struct judging *j, struct judging_event *v)
{
	static const enum trust_beside interrupts = TRUST_BESIDE_INTERRUPTS;
	struct judging_slope *s = &v->faults;

	s->by = TRUST_BESIDE_FAULTS;
	s->fit = judging_fit(j, v, s->by, &interrupts);
	if (!s->fit.known)
		s->fit = judging_fit(j, v, s->by, NULL);
	s->found = s->fit.known && s->fit.low > 0 && s->fit.share >= SHARE_MIN && s->fit.slope >= SLOPE_MIN &&
		s->fit.slope <= SLOPE_MAX;
	s->slope = judge_faults_whole_of(&s->fit);
	s->low = s->fit.low;
	s->high = s->fit.high;
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
decide_by_tests(struct judging_slope *s, const double *faults, const double *offset, size_t n)
{
	struct judging_slope over = *s;

	if (n < TESTS_MIN)
		return false;
	over.fit = trust_slope_of_pairs(faults, offset, n);
	over.slope = over.fit.slope;
	over.low = over.fit.low - JUDGING_SKEW * fabs(over.fit.slope);
	over.high = over.fit.high + JUDGING_SKEW * fabs(over.fit.slope);
	over.found = over.fit.known && over.low > 0 && over.high - over.low <= WIDTH_MAX;
	if (over.found && over.low <= 1 && 1 <= over.high)
		over.slope = 1;
	if (over.found || (over.fit.known && (over.high < s->low || over.low > s->high)))
		*s = over;
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
judging_find_fault_slope(const struct judging *j, struct judging_event *v)
{
	double *faults = mem_new_array(v->n, sizeof *faults), *offset = mem_new_array(v->n, sizeof *offset);
	double *noise = mem_new_array(v->n, sizeof *noise), level, off;
	size_t n = 0;
	struct judging_slope *s = &v->faults;

	for (size_t k = 0; k < v->n; k++) {
		const struct trust_group *g = &j->runs->group[v->group[k]];
		double of_group = trust_group_beside(g, TRUST_BESIDE_FAULTS), mean = trust_group_mean(g);

		if (isnan(of_group) || isnan(mean) || !(mean > 0))
			continue;
		s->present = true;
		if (isnan(g->expected))
			continue;
		faults[n] = of_group;
		noise[n] = judging_spread(v, g);
		offset[n++] = judging_mean(v, g) - g->expected;
	}
	if (!decide_by_tests(s, faults, offset, n) && !s->found && s->present) {
		level = judge_faults_level_of(faults, offset, noise, n, &off);
		if (level > 0 && (!s->fit.known || (s->low <= level && level <= s->high))) {
			s->found = s->level = true;
			s->slope = level;
			s->low = level - off;
			s->high = level + off;
			if (!v->interrupts.level)
				judging_find_slope(j, v);
		} else if (isnan(level)) {
			assume_one(v, s);
		}
	}
	free(faults);
	free(offset);
	free(noise);
}
