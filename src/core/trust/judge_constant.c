#include "core/trust/judging.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"
#include "base/str.h"

#define ERROR_MAX 60.0    /* counts: offsets whose mean is less certain do not take part */
#define LEAST_MIN 3.0     /* counts: what is not clearly above 0 is no fault */
#define LEAST_MAX 1e5     /* counts: a program of loops with round numbers of rounds touches fewer pages */
#define SHARE_MIN 0.6     /* of the offsets must agree */
#define MACHINES_MIN 3    /* so many machines speak for a program; fewer leave out what is judged */

/* The offset of a group that counts interrupts. */
struct offset {
	size_t group;
	double value;
	bool agrees;
};

static const double units[] = {1e6, 1e5, 1e4};

double
judging_middle(const struct judging_event *v, const struct trust_group *g)
{
	double *count = mem_new_array(g->n, sizeof *count), middle;

	for (size_t i = 0; i < g->n; i++)
		count[i] = judging_without_interrupts(v, g, i);
	middle = g->n ? trust_median(count, g->n) : NAN;
	free(count);
	return middle;
}

double
judging_spread_of_most(const struct judging_event *event, const struct trust_group *group)
{
	double *count = mem_new_array(group->n, sizeof *count), middle = judging_middle(event, group), range;
	size_t from = 0, to = group->n, leave = group->n / 10;

	for (size_t i = 0; i < group->n; i++)
		count[i] = judging_without_interrupts(event, group, i);
	sort_doubles(count, group->n);
	for (; leave > 0; leave--) {
		if (middle - count[from] > count[to - 1] - middle)
			from++;
		else
			to--;
	}
	range = to > from ? count[to - 1] - count[from] : NAN;
	free(count);
	return range;
}

/* Distance of two numbers on a circle. */
static double
apart(double a, double b, double unit)
{
	double d = fmod(fabs(a - b), unit);

	return fmin(d, unit - d);
}

static size_t
count_near(const struct offset *o, size_t n, double value, double unit)
{
	size_t near = 0;

	for (size_t i = 0; i < n; i++)
		near += apart(o[i].value, value, unit) <= JUDGING_AGREE;
	return near;
}

/* The number of different machines, or events, among the offsets that agree. */
static size_t
count_names(const struct judging *judging, const struct offset *offset, size_t n, bool machines)
{
	size_t names = 0;

	for (size_t i = 0; i < n; i++) {
		const struct trust_group *g = &judging->runs->group[offset[i].group];
		bool before = !offset[i].agrees;

		for (size_t k = 0; k < i && !before; k++) {
			const struct trust_group *h = &judging->runs->group[offset[k].group];

			before = offset[k].agrees && str_eq(machines ? g->machine : g->event,
				machines ? h->machine : h->event);
		}
		names += !before;
	}
	return names;
}

/* The slope of another event of the machine: interrupts of one machine are of one kind. NAN: none has one. */
static double
slope_of_others(const struct judging *j, const struct judging_event *v)
{
	for (size_t i = 0; i < j->n_events; i++) {
		const struct judging_slope *s = &j->event[i].interrupts;

		if (&j->event[i] != v && str_eq(j->event[i].machine, v->machine) && s->found && !s->bound && !s->level)
			return s->slope;
	}
	return NAN;
}

/* The offset that an event would have whose counts leave the slope open, with the slope of another one. NAN: the event
 * is not open, or its counts say nothing. */
static double
offset_of_open(const struct judging *j, const struct judging_event *v, const struct trust_group *g)
{
	double h = trust_group_beside(g, TRUST_BESIDE_INTERRUPTS), spread = trust_group_spread(g);

	if (v->interrupts.found || !judging_is_open(&v->interrupts) || !(h > 0) || spread == 0 ||
		spread > fmin(h / 2, ERROR_MAX))
		return NAN;
	return trust_group_mean(g) - slope_of_others(j, v) * h - g->expected;
}

/* Offsets of the groups of a test; with `open` also of events whose slope is open. */
static size_t
judge_constant_collect(const struct judging *judging, size_t test, bool open, struct offset *offset)
{
	size_t n = 0;

	for (size_t i = 0; i < judging->runs->n; i++) {
		const struct trust_group *group = &judging->runs->group[i];
		const struct judging_event *event = &judging->event[judging->event_of[i]];
		double value = NAN;

		if (judging->test_of[i] != test || isnan(group->expected) || group->n < 2)
			continue;
		if (event->interrupts.found && !event->interrupts.bound && !event->interrupts.level &&
			judging_spread_of_most(event, group) <= ERROR_MAX * sqrt((double)group->n))
			value = judging_middle(event, group) - group->expected;
		else if (open)
			value = offset_of_open(judging, event, group);
		if (!isnan(value))
			offset[n++] = (struct offset){.group = i, .value = value};
	}
	return n;
}

/* Marks the largest set of offsets that agree modulo a unit; false if these are too few. *least is the smallest of them
 * above 0: the offset of an event that no instruction raises or lowers, if there is such an event. */
static bool
find_residue(struct offset *o, size_t n, double unit, double *least)
{
	size_t best = 0, most = 0;

	for (size_t i = 0; i < n; i++) {
		size_t near = count_near(o, n, o[i].value, unit);

		if (near > most) {
			most = near;
			best = i;
		}
	}
	if (most < 2 || (double)most < SHARE_MIN * (double)n)
		return false;
	*least = INFINITY;
	for (size_t i = 0; i < n; i++) {
		o[i].agrees = apart(o[i].value, o[best].value, unit) <= JUDGING_AGREE;
		if (o[i].agrees && o[i].value >= LEAST_MIN)
			*least = fmin(*least, o[i].value);
	}
	return *least < LEAST_MAX;
}

/* An agreeing offset as a residue near `least`. */
static double
as_residue(const struct offset *o, double least, double unit)
{
	double r = o->value - least;

	return least + r - round(r / unit) * unit;
}

/* Looks for what the offsets of a test have in common. */
static void
find_common(struct judging *judging, size_t test, bool open, struct offset *o)
{
	struct judging_constant *constant = &judging->constant[test];
	size_t n = judge_constant_collect(judging, test, open, o), m = 0;
	double least = 0, *value;

	for (size_t u = 0; u < sizeof units / sizeof units[0] && !constant->found; u++) {
		constant->unit = units[u];
		constant->found = n > 0 && find_residue(o, n, constant->unit, &least);
	}
	if (!constant->found)
		return;
	value = mem_new_array(n, sizeof *value);
	constant->low = INFINITY;
	constant->high = -INFINITY;
	for (size_t i = 0; i < n; i++) {
		if (!o[i].agrees)
			continue;
		value[m] = as_residue(&o[i], least, constant->unit);
		constant->low = fmin(constant->low, value[m]);
		constant->high = fmax(constant->high, value[m++]);
	}
	constant->value = trust_median(value, m);
	constant->n = m;
	constant->n_machines = count_names(judging, o, n, true);
	constant->n_events = count_names(judging, o, n, false);
	free(value);
	/* One event alone may have any constant, unless many machines have exactly the same. */
	constant->found = constant->n_events >= 2 ||
		(constant->n_machines >= MACHINES_MIN && constant->unit == units[0]);
	constant->open = open;
}

/* An event whose interrupts hardly differ takes part only if the others do not suffice. */
static void
find_constant(struct judging *j, size_t test, struct offset *o)
{
	find_common(j, test, false, o);
	if (!j->constant[test].found)
		find_common(j, test, true, o);
}

void
judging_find_constants(struct judging *j)
{
	struct offset *o = mem_new_array(j->runs->n, sizeof *o);

	for (size_t t = 0; t < j->n_tests; t++)
		find_constant(j, t, o);
	free(o);
}

double
judging_faults(const struct judging *judging, size_t group, double *low, double *high)
{
	const struct judging_constant *constant = &judging->constant[judging->test_of[group]];
	const char *event = judging->runs->group[group].event;
	struct offset *offset;
	double *value, result;
	size_t n, m = 0;

	*low = constant->low;
	*high = constant->high;
	if (!constant->found)
		return NAN;
	if (constant->n_machines >= MACHINES_MIN)
		return constant->value;
	/* few machines: other events decide, so that no event is measured by itself */
	offset = mem_new_array(judging->runs->n, sizeof *offset);
	n = judge_constant_collect(judging, judging->test_of[group], constant->open, offset);
	value = mem_new_array(n, sizeof *value);
	for (size_t i = 0; i < n; i++)
		if (!str_eq(judging->runs->group[offset[i].group].event, event) &&
			apart(offset[i].value, constant->value, constant->unit) <= JUDGING_AGREE)
			value[m++] = as_residue(&offset[i], constant->value, constant->unit);
	result = m ? trust_median(value, m) : constant->value;
	free(value);
	free(offset);
	return result;
}

double
judging_faults_here(const struct judging *judging, size_t group)
{
	const struct judging_constant *constant = &judging->constant[judging->test_of[group]];
	const struct trust_group *trust_group = &judging->runs->group[group];
	struct offset *offset;
	double *value, low, high, result = judging_faults(judging, group, &low, &high);
	size_t n, m = 0;

	if (!constant->found)
		return result;
	offset = mem_new_array(judging->runs->n, sizeof *offset);
	n = judge_constant_collect(judging, judging->test_of[group], constant->open, offset);
	value = mem_new_array(n, sizeof *value);
	for (size_t i = 0; i < n; i++) {
		const struct trust_group *other = &judging->runs->group[offset[i].group];
		const struct judging_slope *slope = &judging->event[judging->event_of[offset[i].group]].interrupts;

		/* a slope that is not known to be 1 makes the offset uncertain */
		if (str_eq(other->machine, trust_group->machine) && !str_eq(other->event, trust_group->event) &&
			(!slope->found || slope->slope == 1) &&
			apart(offset[i].value, constant->value, constant->unit) <= JUDGING_AGREE)
			value[m++] = as_residue(&offset[i], constant->value, constant->unit);
	}
	if (m)
		result = trust_median(value, m);
	free(value);
	free(offset);
	return result;
}

static void
split_round(double offset, double *whole, double *rest)
{
	*whole = round(offset / JUDGING_UNIT) * JUDGING_UNIT;
	*rest = offset - *whole;
}

struct judging_split
judging_split_offset(double offset, double faults, double noise)
{
	struct judging_split with, without = {0};

	split_round(offset, &without.round, &without.rest);
	without.near = fabs(without.rest) <= JUDGING_NEAR * JUDGING_UNIT;
	if (isnan(faults))
		return without;
	with.faults = true;
	split_round(offset - faults, &with.round, &with.rest);
	with.near = fabs(with.rest) <= JUDGING_NEAR * JUDGING_UNIT;
	if (with.near != without.near)
		return with.near ? with : without;
	/* one cause is better than two, and a clearly smaller rest better than a larger one */
	if ((with.round == 0) != (without.round == 0))
		return with.round == 0 ? with : without;
	if (fabs(with.rest) < fabs(without.rest) - noise / 2)
		return with;
	return without;
}
