/* What is wrong with runs themselves: too few, of different things, multiplexed, or on a disturbed machine. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/sort.h"
#include "base/str.h"
#include "core/trust/judging.h"
#include "event/name.h"

#define DIFFERENT_SHARE 0.2   /* of the mean: runs of one program hardly differ so much */
#define DIFFERENT_COUNTS 100.0 /* fewer counts may differ so much by chance */
#define LOST_SHARE 0.0005     /* of a run without a counter: less is the instant between start and count */
#define LOST_SECONDS 0.0005   /* the same where the duration is known: the kernel rotates every millisecond or less */
#define KERNEL_PER_FAULT 50.0 /* counts for each page fault: more are the kernel's instructions */
#define START_EDGE 16.0       /* counts: starting and stopping a counter in the kernel may differ so much */
#define HEAP_MIN 2            /* runs in a heap of counts */
#define HEAPS_RUNS 6          /* runs that show two heaps */
#define HEAPS_APART 4.0       /* how much further apart than wide */
#define HEAPS_WIDE 1e-3      /* of their distance: heaps that are narrower differ by a constant */
#define CLOCK_SHARE 0.03      /* a frequency that changes by more makes cycles of different runs incomparable */
#define CLOCK_SECONDS 0.05    /* a shorter run spends too much of its time on its start */
#define STEADY_SHARE 0.01     /* instructions that vary less are those of the same work */
#define SWITCHES_MANY 10.0    /* context switches of a run */
#define STEAL_SHARE 0.01      /* of the time */

void
judging_say(struct trust_judged *r, const char *fmt, ...)
{
	struct str text = {0};
	va_list ap;

	va_start(ap, fmt);
	str_addv(&text, fmt, ap);
	va_end(ap);
	mem_grow(&r->said, &r->said_cap, r->n_said + 1, sizeof *r->said);
	r->said[r->n_said++] = (struct trust_said){.text = str_take(&text)};
}

void
judging_say_of_machine(struct trust_judged *r, const char *text)
{
	judging_say(r, "%s", text);
	r->said[r->n_said - 1].of_machine = true;
}

char *
judging_join(const struct trust_judged *r)
{
	struct str text = {0};

	for (size_t i = 0; i < r->n_said; i++)
		str_addf(&text, "%s%s", i ? "; " : "", r->said[i].text);
	return r->n_said ? str_take(&text) : NULL;
}

static double
mean_running(const struct trust_group *g)
{
	double sum = 0;

	for (size_t i = 0; i < g->n; i++)
		sum += g->run[i].running;
	return g->n ? sum / (double)g->n : 1;
}

bool
judging_is_multiplexed(const struct trust_group *g)
{
	double lost = 1 - mean_running(g), seconds = trust_group_beside(g, TRUST_BESIDE_SECONDS);

	return isnan(seconds) ? lost > LOST_SHARE : lost * seconds > LOST_SECONDS;
}

void
judging_find_kernel(struct judging_one *one)
{
	const struct trust_slope *faults = &one->v->faults.fit;
	bool anyway = one->g->kernel_anyway || (faults->known && faults->low > KERNEL_PER_FAULT);

	one->kernel = one->r->offset > fmax(one->r->spread, START_EDGE) && (one->g->kernel || anyway);
	if (one->kernel && one->g->kernel) {
		judging_say(one->r, "it counts the kernel's side, too, as its name says, which is not expected: count "
			"the program alone (EVENT:u) to compare");
	} else if (one->kernel) {
		one->r->measured |= TRUST_BIT(OVERCOUNT);
		judging_say(one->r, "it counts the kernel's side, too, although its name says :u: page faults, system "
			"calls and interrupts add hundreds each");
	}
}

/* Says how far the heaps are apart: a constant that is the same in all runs of the upper one is no other program. */
static void
say_constant(struct judging_one *one, double low, double high, double wide)
{
	char apart[NUMBER_TEXT], times[NUMBER_TEXT], off[NUMBER_TEXT];
	double expected = one->g->expected;

	if (!(low > 0) || wide > HEAPS_WIDE * (high - low))
		return;
	judging_say(one->r, "the heaps are %s apart, give or take %s: the upper one is %s times the lower one%s",
		number_exact(apart, llround(high - low), false, false),
		number_digits(off, wide, 2, true), number_digits(times, high / low, 3, true),
		fabs(low - expected) < HEAPS_WIDE * (high - low) ? ", which is as expected: the others overcount by a "
								   "constant, in a burst"
			: fabs(high - expected) < HEAPS_WIDE * (high - low) ? ". The upper one is as expected"
				: "");
}

/* Two heaps of counts, far apart: not noise, but a change between the runs. */
static void
say_heaps(struct judging_one *one)
{
	size_t n = one->g->n, at = 0;
	double *c, gap = 0, wide, low, high;
	char lower[NUMBER_TEXT], upper[NUMBER_TEXT];

	if (!(one->r->measured & TRUST_BIT(NOISE)) || n < HEAPS_RUNS)
		return;
	c = mem_copy(one->r->run, n * sizeof *c);
	sort_doubles(c, n);
	for (size_t i = HEAP_MIN; i + HEAP_MIN <= n; i++)
		if (c[i] - c[i - 1] > gap) {
			gap = c[i] - c[i - 1];
			at = i;
		}
	wide = at ? fmax(c[at - 1] - c[0], c[n - 1] - c[at]) : INFINITY;
	low = c[at ? (at - 1) / 2 : 0];
	high = c[(at + n - 1) / 2];
	free(c);
	if (!(gap > HEAPS_APART * wide && gap > START_EDGE))
		return;
	one->r->heaps = true;
	judging_say(one->r, "the counts lie in two heaps, %zu near %s and %zu near %s: something changes between "
		"the runs, such as the input, the event, or what else runs on the core", at,
		number_exact(lower, llround(low), false, false), n - at,
		number_exact(upper, llround(high), false, false));
	say_constant(one, low, high, wide);
}

static bool
counts_instructions(const struct trust_group *g)
{
	char *class = trust_event_class(g->event);
	bool has = str_eq(class, "instructions");

	free(class);
	return has;
}

/* Returns whether the instructions of a test are the same in each run, as far as they were counted. */
static bool
is_same_work(const struct judging_one *o)
{
	for (size_t i = 0; i < o->j->runs->n; i++) {
		const struct trust_group *g = &o->j->runs->group[i];

		if (o->j->test_of[i] == o->j->test_of[o->at] && str_eq(g->machine, o->g->machine) &&
			counts_instructions(g) && g->n > 1)
			return trust_group_spread(g) < STEADY_SHARE * trust_group_mean(g);
	}
	return false;
}

static bool
is_long(const struct trust_group *g)
{
	for (size_t i = 0; i < g->n; i++)
		if (!(g->run[i].beside[TRUST_BESIDE_SECONDS] >= CLOCK_SECONDS))
			return false;
	return true;
}

/* The largest frequency of runs over the smallest, by something that runs steadily; NAN: not all runs have it. */
static double
frequency_range(const struct trust_group *group, enum trust_beside by)
{
	double low = INFINITY, high = 0;

	for (size_t i = 0; i < group->n; i++) {
		double f = group->run[i].count / group->run[i].beside[by];

		if (!(f > 0) || isinf(f))
			return NAN;
		low = fmin(low, f);
		high = fmax(high, f);
	}
	return group->n > 1 ? high / low : NAN;
}

static void
say_clock(struct judging_one *one)
{
	double range;
	bool fixed;

	if (!event_name_same(one->g->event, "cycles"))
		return;
	range = frequency_range(one->g, TRUST_BESIDE_REFERENCE);
	fixed = !isnan(range);
	if (!fixed)
		range = is_same_work(one) && is_long(one->g) ? frequency_range(one->g, TRUST_BESIDE_SECONDS) : NAN;
	if (range > 1 + CLOCK_SHARE)
		judging_say(one->r,
			"the clock frequency differs by %.0f %% between runs (cycles against %s), while the "
			"work is the same: cycles and times of different runs cannot be compared. Fix the frequency "
			"(cpupower frequency-set -g performance), or count ref-cycles",
			100 * (range - 1), fixed ? "ref-cycles" : "time");
}

/* Events that the machine decides, not the program. */
static bool
is_of_machine(const struct trust_group *g)
{
	static const char *const word[] = {"interrupt", "hw_int", "exc_irq", "switches", "migrations", "-clock"};
	char *class = trust_event_class(g->event);
	bool is = false;

	for (size_t i = 0; i < sizeof word / sizeof word[0]; i++)
		is |= strstr(class, word[i]) != NULL;
	free(class);
	return is;
}

void
judging_say_doubts(struct judging_one *one)
{
	const struct trust_group *group = one->g;

	if (group->stated_runs) {
		one->r->spread = one->r->adjusted_spread = NAN;
		judging_say(one->r,
			"only the mean of %zu runs is known, and its standard deviation, %.4g: letters need "
			"the runs themselves",
			group->stated_runs, group->stated_sd);
	} else if (group->n == 1) {
		judging_say(one->r, "one run shows no spread");
	}
	if (one->shared)
		judging_say(one->r,
			"multiplexed: the event had a counter %.4g %% of the time, and its counts are scaled "
			"up. So no exactness can be judged: count fewer events at once",
			100 * mean_running(group));
	if (group->mixed)
		judging_say(one->r, "its rows name different counters, so the runs are not of one event");
	if (group->empty)
		judging_say(
			one->r, group->empty == 1 ? "%zu run has no count" : "%zu runs have no count", group->empty);
	say_heaps(one);
	if (!one->r->heaps && one->r->spread > fmax(DIFFERENT_SHARE * one->r->mean, DIFFERENT_COUNTS) &&
		!is_of_machine(group))
		judging_say(one->r, "the counts differ by more than a fifth%s",
			is_same_work(one) ? ", while the instructions of the same program do not: the event depends on "
					  "the machine's state"
					: ": the runs seem to be of different programs or inputs");
	say_clock(one);
}

/* Sums over the groups of a machine. */
struct disturbed {
	double runs, switches, seconds, steal;
};

static void
add_disturbed(const struct trust_group *group, struct disturbed *disturbed)
{
	for (size_t i = 0; i < group->n; i++) {
		const double *b = group->run[i].beside;

		if (!isnan(b[TRUST_BESIDE_SWITCHES])) {
			disturbed->runs++;
			disturbed->switches += b[TRUST_BESIDE_SWITCHES];
		}
		if (!isnan(b[TRUST_BESIDE_STEAL]) && !isnan(b[TRUST_BESIDE_SECONDS])) {
			disturbed->seconds += b[TRUST_BESIDE_SECONDS];
			disturbed->steal += b[TRUST_BESIDE_STEAL];
		}
	}
}

void
judging_say_disturbed(const struct judging *judging, struct trust_judged *judged)
{
	bool *done = mem_new_array(judging->runs->n, sizeof *done);

	for (size_t i = 0; i < judging->runs->n; i++) {
		struct disturbed d = {0};
		struct str text = {0};

		for (size_t k = i; k < judging->runs->n && !done[i]; k++)
			if (str_eq(judging->runs->group[k].machine, judging->runs->group[i].machine)) {
				done[k] = k > i;
				add_disturbed(&judging->runs->group[k], &d);
			}
		if (d.runs > 0 && d.switches > SWITCHES_MANY * d.runs) {
			str_addf(&text, "%.0f context switches a run: other programs ran meanwhile, or the program "
				"waited; stop them, and pin it to a quiet CPU", d.switches / d.runs);
			judging_say_of_machine(&judged[i], str_text(&text));
			str_clear(&text);
		}
		if (d.steal > STEAL_SHARE * d.seconds) {
			str_addf(&text, "the hypervisor took %.0f %% of the time from its CPU: times and cycles are "
				"not those of the program alone", 100 * d.steal / d.seconds);
			judging_say_of_machine(&judged[i], str_text(&text));
		}
		str_free(&text);
	}
	free(done);
}
