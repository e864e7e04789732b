#include "core/trust/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/trust/book.h"
#include "core/trust/judging.h"

#define UOPS_RATIO 2.0      /* counts for each one expected: more, of an event that varies, are micro-operations */
#define UOPS_RATIO_ANY 4.0  /* the same, of any event */
#define NAME_RATIO 1.1      /* the same, of an event whose name says so */
#define ELSE_SHARE 0.1      /* of the expected count, that a noisy event may be off */
#define ELSE_NOISE 1e-4     /* of the expected count, that it varies */
#define NOISE_FLOOR 16.0    /* counts: starting and stopping two counters may differ so much */
#define NOISE_SHARE 0.1     /* of the interrupts: their counter may be off so much */
#define BOUND_SHARE 0.25    /* of the interrupts of all CPUs, likewise */
#define NOISE_EDGE 2.0      /* counts: starting and stopping one counter may differ so much */
#define MORE_THAN_ALL 2.0    /* times the interrupts of all CPUs, where nothing else says how many faults there are */
#define SUSPECTS_MIN 3       /* machines that agree against an expectation */

static struct trust_part *
judge_add_part(struct judging_one *o, const char *by, double slope, double low, double high)
{
	struct trust_part *p = &o->r->part[o->r->n_parts++];

	*p = (struct trust_part){.by = by, .slope = slope, .low = low, .high = high, .occurrences = 1,
		.subtracted = true};
	return p;
}

static bool
says_uops(const struct trust_group *g)
{
	char *event = trust_event_class(g->event), *counter = trust_event_class(g->counter);
	bool says = strstr(event, "uop") || strstr(counter, "uop");

	free(event);
	free(counter);
	return says;
}

static void
judge_interrupts(struct judging_one *one)
{
	const struct judging_slope *slope = &one->v->interrupts;
	struct trust_part *part;

	if (one->v->dead)
		judging_say_of_machine(one->r, "the counter of interrupts never counts on this machine: "
				  "/proc/interrupts, of all CPUs, stands in for it");
	if (!slope->found) {
		if (slope->fit.known && one->r->spread > NOISE_EDGE && one->v->counted)
			judging_say(one->r,
				"interrupts do not explain how the counts vary (slope %.3g, %.3g to %.3g, "
				"which explains %.0f %% of the variance)",
				slope->fit.slope, slope->fit.low, slope->fit.high, 100 * slope->fit.share);
		return;
	}
	one->r->measured |= TRUST_BIT(INTERRUPTS);
	part = judge_add_part(one, trust_cause_name(TRUST_PER_INTERRUPT), slope->slope, slope->low, slope->high);
	part->bound = slope->bound;
	part->occurrences = trust_group_beside(one->g, slope->by);
	if (slope->level)
		judging_say(one->r, "the slope on interrupts is taken from the level of the counts: how they vary does "
			"not show it");
	if (!slope->bound && (slope->low > 1 || slope->high < 1))
		judging_say(one->r,
			"each counted interrupt adds %.2f: the counter of interrupts misses some, or counts "
			"others",
			slope->slope);
}

static void
judge_counted_faults(struct judging_one *one)
{
	const struct judging_slope *slope = &one->v->faults;
	double n = trust_group_beside(one->g, TRUST_BESIDE_FAULTS);
	struct trust_part *part;

	if (!slope->found || isnan(n))
		return;
	one->r->measured |= TRUST_BIT(FAULTS);
	part = judge_add_part(one, trust_cause_name(TRUST_PER_FAULT), slope->slope,
		slope->fit.known || slope->level ? slope->low : 0,
		slope->fit.known || slope->level ? slope->high : slope->slope);
	part->occurrences = n;
	part->assumed = slope->assumed;
	if (slope->level)
		judging_say(one->r,
			"the slope on page faults is taken from the level of the counts: how they vary does "
			"not show it");
	one->rest -= slope->slope * n;
}

static bool
branches_count_faults(const struct judging_one *one)
{
	const struct judging *judging = one->j;

	for (size_t i = 0; i < judging->runs->n; i++) {
		const struct trust_group *group = &judging->runs->group[i];
		double low, high, offset, faults = judging_faults(judging, i, &low, &high);
		char *class;
		bool branches;

		if (judging->test_of[i] != judging->test_of[one->at] || !str_eq(group->machine, one->g->machine) ||
			group->n == 0)
			continue;
		class = trust_event_class(group->event);
		branches = str_eq(class, "branches");
		free(class);
		offset = judging_middle(&judging->event[judging->event_of[i]], group) - group->expected;
		if (branches && judging_split_offset(offset, faults, 0).faults)
			return true;
	}
	return false;
}

/* No CPU receives more interrupts than all together: then the counter counts exceptions, of which page faults are most.
 */
static bool
counts_more_than_interrupts(const struct judging_one *o, double times)
{
	return o->v->interrupts.found && !o->v->interrupts.bound &&
		trust_group_beside(o->g, TRUST_BESIDE_INTERRUPTS) >
			times * trust_group_beside(o->g, TRUST_BESIDE_ALL_INTERRUPTS);
}

static double
least_interrupts(const struct trust_group *g)
{
	double least = INFINITY;

	for (size_t i = 0; i < g->n; i++)
		least = fmin(least, g->run[i].beside[TRUST_BESIDE_INTERRUPTS]);
	return least;
}

/* The counter of interrupts counts page faults, too, so they are subtracted already. An event that does not count them
 * has lost them: then the offset is a round number with them, and not without. */
static void
judge_faults_among(struct judging_one *one, double faults, double noise)
{
	struct judging_split counted = judging_split_offset(one->rest, NAN, noise),
			     lost = judging_split_offset(one->rest + faults, NAN, noise);

	judging_say(one->r, "the counter of interrupts counts page faults, too: at least %.0f of them", faults);
	if (fabs(lost.rest) < fabs(counted.rest) - noise / 2) {
		struct trust_part *part = judge_add_part(
			one, trust_cause_name(TRUST_PER_FAULT), -faults, -faults, -faults);

		part->per_run = true;
		one->rest += faults;
	} else {
		one->r->measured |= TRUST_BIT(FAULTS);
	}
}

/* The constants of a test: page faults, and round numbers of instructions. */
static void
judge_constants(struct judging_one *o)
{
	double low, high, faults = judging_faults(o->j, o->at, &low, &high), noise;
	struct judging_split split;
	char *class = trust_event_class(o->g->event);
	bool of_faults, among;

	/* one disturbed run does not count, or else all do */
	noise = fmin(judging_spread(o->v, o->g), 2 * judging_spread_of_most(o->v, o->g));
	if (noise > JUDGING_NEAR * JUDGING_UNIT) { /* then any offset has a round number near */
		free(class);
		return;
	}
	split = judging_split_offset(o->rest, judging_faults_here(o->j, o->at), noise);
	/* a counter of interrupts that is so high in each run may count the faults, too */
	among = !isnan(faults) && o->v->interrupts.found && !o->v->interrupts.bound && faults > 10 * JUDGING_AGREE &&
		least_interrupts(o->g) > faults - JUDGING_AGREE;
	of_faults = split.faults && !(among && counts_more_than_interrupts(o, 1));
	/* Branches are instructions: where the machine's branches count faults, instructions do. */
	if (!isnan(faults) && !of_faults && !among && str_eq(class, "instructions") && branches_count_faults(o)) {
		struct judging_split with = judging_split_offset(o->rest - faults, NAN, noise);

		of_faults = fabs(with.rest) <= fabs(split.rest) + fmax(noise, JUDGING_AGREE);
	}
	free(class);
	if (of_faults) {
		struct trust_part *part = judge_add_part(o, trust_cause_name(TRUST_PER_FAULT), faults, low, high);

		part->per_run = true;
		o->r->measured |= TRUST_BIT(FAULTS);
		o->rest -= faults;
		split = judging_split_offset(o->rest, NAN, noise);
	} else if (among) {
		judge_faults_among(o, faults, noise);
		split = judging_split_offset(o->rest, NAN, noise);
	} else if (isnan(faults) && counts_more_than_interrupts(o, MORE_THAN_ALL) &&
		fabs(split.rest) <= fmax(noise, NOISE_EDGE)) {
		o->r->measured |= TRUST_BIT(FAULTS);
		judging_say(o->r, "the counter of interrupts counts more than all CPUs had: page faults, too, as "
				"this event does");
	}
	if (split.round != 0 && split.near && (o->j->round || (split.rest == 0 && noise == 0))) {
		const char *by = split.round > 0 ? "overcounted instructions" : "uncounted instructions";
		struct trust_part *part = judge_add_part(o, by, split.round, split.round + fmin(split.rest, 0),
			split.round + fmax(split.rest, 0));

		part->per_run = true;
		o->rest = split.rest;
		o->rest_is_constant = true;
		o->r->measured |= split.round > 0 ? TRUST_BIT(OVERCOUNT) : TRUST_BIT(MISSED);
	}
}

/* A remainder that is larger than noise and than what starting a program may add is an overcount, not subtracted. */
static void
judge_rest(struct judging_one *one, double noise)
{
	bool counted_faults = !isnan(trust_group_beside(one->g, TRUST_BESIDE_FAULTS));
	double allowed = fmax(noise, counted_faults ? NOISE_FLOOR : JUDGING_NEAR * JUDGING_UNIT);
	char number[NUMBER_TEXT];

	if (one->v->interrupts.found && one->v->interrupts.bound)
		allowed += 0.5 * trust_group_beside(one->g, one->v->interrupts.by);
	if (!one->v->interrupts.found && !(one->r->measured & TRUST_BIT(FAULTS)) && noise == 0)
		allowed = 0; /* deterministic: every difference is one */
	if (!(fabs(one->rest) > allowed))
		return;
	one->r->measured |= one->rest > 0 ? TRUST_BIT(OVERCOUNT) : TRUST_BIT(MISSED);
	judging_say(one->r, "an offset of %s is not explained, and not subtracted",
		number_exact(number, llround(one->rest), true, false));
}

/* The number of machines whose event is off by the same constant in a test, in which it counts no more than expected
 * anywhere: then the expectation is in doubt, not the counters. */
static size_t
machines_that_agree(const struct judging_one *one, double round, size_t *of)
{
	const struct judging *judging = one->j;
	size_t n = 0;

	*of = 0;
	for (size_t i = 0; i < judging->runs->n; i++) {
		const struct trust_group *group = &judging->runs->group[i];
		double low, high, offset;

		if (judging->test_of[i] != judging->test_of[one->at] || !str_eq(group->event, one->g->event) ||
			isnan(group->expected) || group->n == 0)
			continue;
		offset = judging_middle(&judging->event[judging->event_of[i]], group) - group->expected;
		++*of;
		n += judging_split_offset(offset, judging_faults(judging, i, &low, &high), 0).round == round;
	}
	return n;
}

static void
doubt_expectation(struct judging_one *one)
{
	for (size_t i = 0; i < one->r->n_parts; i++) {
		struct trust_part *part = &one->r->part[i];
		char number[NUMBER_TEXT];
		size_t n, of;

		if (!part->per_run || !part->subtracted || str_eq(part->by, trust_cause_name(TRUST_PER_FAULT)))
			continue;
		n = machines_that_agree(one, part->slope, &of);
		if (n < SUSPECTS_MIN || 2 * n <= of)
			continue;
		part->by = "expectation";
		part->subtracted = false;
		one->r->measured &= ~(TRUST_BIT(OVERCOUNT) | TRUST_BIT(MISSED));
		judging_say(one->r, "%zu of %zu machines are off by the same %s, so the expected count is in doubt, "
			"not the counter: pseudo-instructions such as fsave are two instructions, one of them a wait "
			"prefix",
			n, of, number_exact(number, llround(part->slope), true, false));
	}
}

/* How many times as large the range of ten runs is as that of n runs, on average: ratios of the ranges of normal
 * deviates (Tippett 1925, "d2" of quality control). More runs than ten do not matter. */
static double
range_of_ten(size_t n)
{
	static const double range[] = {0, 0, 1.128, 1.693, 2.059, 2.326, 2.534, 2.704, 2.847, 2.970, 3.078};

	return n < 2 || n >= 10 ? 1 : range[10] / range[n];
}

/* What an event counts that is no instruction; the rest of its offset is without what causes explain. */
static bool
judge_else(struct judging_one *one, double noise)
{
	double ratio = 1 + one->rest / one->g->expected, range = noise * range_of_ten(one->g->n);
	bool far;

	if (!(one->g->expected > 0)) /* then no count is a multiple of it */
		return false;
	if (ratio > UOPS_RATIO_ANY || (ratio > UOPS_RATIO && noise > 0) || (says_uops(one->g) && ratio > NAME_RATIO)) {
		one->r->measured |= TRUST_BIT(UOPS);
		judging_say(one->r, "%.1f counts for each one expected: micro-operations, or elements of string "
			"instructions", ratio);
		return true;
	}
	/* less than half, and so noisy that no constant can be read off; or farther off than noise is wide */
	far = ratio < 1 / UOPS_RATIO && noise > JUDGING_NEAR * JUDGING_UNIT;
	far |= fabs(ratio - 1) > ELSE_SHARE && range > ELSE_NOISE * one->g->expected;
	if (noise > 0 && !one->v->interrupts.found && far) {
		one->r->measured |= TRUST_BIT(OTHER);
		judging_say(one->r, "far from the expected count (%.2f of it), and different in each run", ratio);
		return true;
	}
	return false;
}

/* Returns whether what is left of the spread is more than the way of measuring may leave. */
static bool
is_noisy(const struct judging_one *o, double noise)
{
	const struct judging_slope *s = &o->v->interrupts;

	if (!(fmin(noise, o->r->spread) > NOISE_EDGE))
		return false;
	if (s->found && s->bound)
		return noise > NOISE_FLOOR + BOUND_SHARE * trust_group_beside(o->g, s->by);
	return !s->found || noise > NOISE_FLOOR + NOISE_SHARE * trust_group_beside(o->g, s->by);
}

static void
adjust(struct judging_one *one)
{
	struct trust_judged *judged = one->r;
	double constant = 0, *c = mem_new_array(one->g->n, sizeof *c), low = INFINITY, high = -INFINITY, sum = 0;

	for (size_t i = 0; i < judged->n_parts; i++)
		if (judged->part[i].per_run && judged->part[i].subtracted)
			constant += judged->part[i].slope;
	for (size_t i = 0; i < one->g->n; i++) {
		double faults = one->g->run[i].beside[TRUST_BESIDE_FAULTS];

		c[i] = judging_without_interrupts(one->v, one->g, i) - constant;
		if (one->v->faults.found && !isnan(faults))
			c[i] -= one->v->faults.slope * faults;
		low = fmin(low, c[i]);
		high = fmax(high, c[i]);
		sum += c[i] - c[0];
	}
	judged->adjusted = c[0] + sum / (double)one->g->n;
	judged->adjusted_spread = high - low;
	judged->middle = trust_median(c, one->g->n);
	judged->distance = fmax(high - judged->middle, judged->middle - low);
	judged->run = c;
}

static enum trust_verdict
verdict_of(const struct judging_one *one)
{
	const struct trust_judged *judged = one->r;

	if (judged->letters & (TRUST_BIT(UOPS) | TRUST_BIT(OTHER)))
		return TRUST_ELSE;
	if (one->shared)
		return TRUST_UNKNOWN;
	if (judged->measured & TRUST_BIT(NOISE))
		return TRUST_NOISY;
	if (judged->spread > NOISE_EDGE || judged->measured & TRUST_BIT(INTERRUPTS) ||
		(judged->measured & TRUST_BIT(FAULTS) && one->v->faults.found))
		return TRUST_CORRECTABLE;
	if (isnan(one->g->expected) || (one->kernel && one->g->kernel))
		return TRUST_REPEATABLE;
	return fabs(judged->offset) <= judged->spread ? TRUST_EXACT : TRUST_CONSTANT;
}

/* Adds letters that these runs cannot show, from a book of facts. Exceptions and lazy saving of registers are constants
 * of a run, like the faults. Interrupts and faults are taken from the book if nothing recorded would show them. */
static void
add_known(struct judging_one *one, const struct trust_entry *entry)
{
	const struct judging_slope *slope = &one->v->interrupts;
	trust_letters add;

	if (!entry || one->r->measured & (TRUST_BIT(UOPS) | TRUST_BIT(OTHER)))
		return;
	add = entry->letters & (TRUST_BIT(EXCEPTIONS) | TRUST_BIT(LAZY_FPU));
	if (!isnan(one->rest) && !one->rest_is_constant && fabs(one->rest) > JUDGING_NEAR * JUDGING_UNIT)
		add = 0;
	/* a constant of an event that counts exceptions, and no instruction twice, is that of the exceptions */
	if (add & TRUST_BIT(EXCEPTIONS) && !(entry->letters & TRUST_BIT(OVERCOUNT)))
		one->r->letters &= ~TRUST_BIT(OVERCOUNT);
	if (!slope->fit.known && !slope->found)
		add |= entry->letters & TRUST_BIT(INTERRUPTS);
	if (!one->j->constant[one->j->test_of[one->at]].found && !one->v->faults.present)
		add |= entry->letters & TRUST_BIT(FAULTS);
	one->r->letters |= add;
	if (entry->note)
		one->r->known = mem_str(entry->note);
}

static void
say_errata(struct trust_judged *r, const struct trust_entry *e)
{
	if (e && e->errata)
		judging_say(r, "published errata of this event may be the cause: %s (hecate determinism --facts all)",
			e->errata);
}

static void
judge_group(const struct judging *judging, size_t at, struct trust_judged *judged, trust_lookup *known, void *ctx)
{
	struct judging_one o = {.j = judging,
		.at = at,
		.g = &judging->runs->group[at],
		.v = &judging->event[judging->event_of[at]],
		.r = judged};
	double noise;

	*judged = (struct trust_judged){.mean = trust_group_mean(o.g),
		.spread = trust_group_spread(o.g),
		.adjusted = NAN,
		.adjusted_spread = NAN,
		.offset = NAN,
		.middle = NAN,
		.distance = NAN,
		.verdict = TRUST_UNKNOWN};
	judged->offset = judged->mean - o.g->expected;
	if (o.g->n == 0) {
		judging_say(judged, "no run has a count");
		return;
	}
	noise = judging_spread(o.v, o.g);
	o.rest = judging_middle(o.v, o.g) - o.g->expected;
	o.shared = judging_is_multiplexed(o.g);
	if (!says_uops(o.g))
		judging_find_kernel(&o);
	if (judged->mean == 0 && judged->spread == 0) {
		judging_say(judged, "the event counts nothing");
	} else {
		judge_interrupts(&o);
		judge_counted_faults(&o);
		if (!isnan(o.rest) && !o.kernel && !judge_else(&o, noise)) {
			if (isnan(trust_group_beside(o.g, TRUST_BESIDE_FAULTS)))
				judge_constants(&o);
			doubt_expectation(&o);
			if (!o.rest_is_constant)
				judge_rest(&o, noise);
		}
		if (!(judged->measured & (TRUST_BIT(UOPS) | TRUST_BIT(OTHER))) && is_noisy(&o, noise))
			judged->measured |= TRUST_BIT(NOISE);
	}
	if (judged->mean > 0 || judged->spread > 0)
		adjust(&o);
	if (o.shared)
		judged->measured &= TRUST_BIT(UOPS) | TRUST_BIT(OTHER);
	judging_say_doubts(&o);
	if (known && judged->heaps)
		say_errata(
			judged, known(ctx, *o.g->machine ? o.g->machine : TRUST_ANY_MACHINE, o.g->event, o.g->counter));
	judged->letters = judged->measured;
	if (known && judged->mean > 0)
		add_known(&o, known(ctx, o.g->machine, o.g->event, o.g->counter));
	if (judged->mean > 0 && o.g->n > 1 && !o.g->mixed)
		judged->verdict = verdict_of(&o);
}

static void
add_group(struct judging *judging, size_t at)
{
	const struct trust_group *group = &judging->runs->group[at];
	struct judging_event *event;
	size_t i = 0, t = 0;

	while (i < judging->n_events &&
		!(str_eq(judging->event[i].machine, group->machine) && str_eq(judging->event[i].event, group->event)))
		i++;
	if (i == judging->n_events) {
		mem_grow(&judging->event, &judging->events_cap, ++judging->n_events, sizeof *judging->event);
		judging->event[i] = (struct judging_event){.machine = group->machine, .event = group->event};
	}
	event = &judging->event[judging->event_of[at] = i];
	mem_grow(&event->group, &event->cap, event->n + 1, sizeof *event->group);
	event->group[event->n++] = at;
	while (t < judging->n_tests && !str_eq(judging->constant[t].test, group->test))
		t++;
	if (t == judging->n_tests) {
		mem_grow(&judging->constant, &judging->tests_cap, ++judging->n_tests, sizeof *judging->constant);
		judging->constant[t] = (struct judging_constant){.test = group->test};
	}
	judging->test_of[at] = t;
}

struct trust_judgement *
trust_judge(const struct trust_runs *runs, trust_lookup *known, void *ctx)
{
	struct trust_judgement *judgement = mem_new(sizeof *judgement);
	struct judging j = {.runs = runs, .event_of = mem_new_array(runs->n, sizeof(size_t)),
		.test_of = mem_new_array(runs->n, sizeof(size_t))};

	for (size_t i = 0; i < runs->n; i++)
		add_group(&j, i);
	judging_find_slopes(&j);
	judging_find_constants(&j);
	for (size_t t = 0; t < j.n_tests; t++)
		j.round |= j.constant[t].found;
	judging_find_levels(&j);
	for (size_t i = 0; i < j.n_events; i++)
		judging_find_fault_slope(&j, &j.event[i]);
	judgement->n = runs->n;
	judgement->group = mem_new_array(judgement->n, sizeof *judgement->group);
	for (size_t i = 0; i < runs->n; i++)
		judge_group(&j, i, &judgement->group[i], known, ctx);
	judging_say_disturbed(&j, judgement->group);
	for (size_t i = 0; i < runs->n; i++)
		judgement->group[i].note = judging_join(&judgement->group[i]);
	for (size_t i = 0; i < j.n_events; i++)
		free(j.event[i].group);
	free(j.event);
	free(j.constant);
	free(j.event_of);
	free(j.test_of);
	return judgement;
}

void
trust_judgement_free(struct trust_judgement *judgement)
{
	if (!judgement)
		return;
	for (size_t i = 0; i < judgement->n; i++) {
		for (size_t k = 0; k < judgement->group[i].n_said; k++)
			free(judgement->group[i].said[k].text);
		free(judgement->group[i].said);
		free(judgement->group[i].note);
		free(judgement->group[i].known);
		free(judgement->group[i].run);
	}
	free(judgement->group);
	free(judgement);
}
