#include "sim/pmu.h"

#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/int128.h"
#include "base/mem.h"
#include "core/series/rhythm.h"
#include "sim/orders.h"

#define NS_PER_SECOND 1000000000u

/* An event that a caller wants to count. */
struct slot {
	enum sim_event event;
	bool on;
	struct sim_lie lie;  /* exact where it was not asked to lie */
	uint64_t to_string;  /* counts until the next string */
	double part;         /* fraction left over by a factor; added to the next count */
	uint64_t count;      /* counted since the last read */
	uint64_t running_ns;
};

struct group {
	size_t first, n; /* its slots */
};

struct sim_pmu {
	struct slot *slot;
	size_t n;
	struct group *group;
	size_t n_groups, head; /* the group that is scheduled first */
	unsigned counters, fixed;
	bool multiplex, rotates; /* rotates: some group is not counting */
	uint64_t slice_ns, next_ns;
	unsigned timer_hz;
	uint64_t now_ns, enabled_ns; /* time; how long counting has been enabled since the last read */
	uint64_t truth[SIM_N_EVENTS]; /* totals of the last call */
	/* Random turns: sets of groups, and the current one. */
	enum rotation_how how;
	struct rotation_sets sets;
	struct rotation *rotation;
	size_t set;
	uint64_t seed;
	/* The kernel's turns: samples the reference (instructions) to see whether the program keeps step. */
	struct rhythm *rhythm;
	uint64_t sample_ns, instructions; /* time of the next sample; count at the last one */
	uint64_t sample_random;
	uint64_t random;
};

/* Counters of the PMU in use. */
struct taken {
	unsigned programmable;
	bool instructions, cycles;
};

/* Takes a fixed counter for the event if one is free. Intel numbers them: the first counts instructions, the second
 * cycles. */
static bool
take_fixed(unsigned fixed, enum sim_event event, struct taken *t)
{
	bool *place = event == SIM_INSTRUCTIONS && fixed > 0 ? &t->instructions
		: event == SIM_CYCLES && fixed > 1           ? &t->cycles
							     : NULL;

	if (!place || *place)
		return false;
	return *place = true;
}

/* Page faults are counted by the kernel, the truth by nobody. */
static bool
needs_counter(enum sim_event e)
{
	return e != SIM_PAGE_FAULTS && !sim_event_is_reference(e);
}

/* Gives counters to a group's events; *t is unchanged when they do not fit. */
static bool
take_counters(const struct sim_pmu *p, const struct group *g, struct taken *t)
{
	struct taken now = *t;

	for (size_t i = g->first; i < g->first + g->n; i++)
		if (needs_counter(p->slot[i].event) && !take_fixed(p->fixed, p->slot[i].event, &now) &&
			++now.programmable > p->counters)
			return false;
	*t = now;
	return true;
}

static bool
is_software(const struct sim_pmu *p, const struct group *g)
{
	for (size_t i = g->first; i < g->first + g->n; i++)
		if (needs_counter(p->slot[i].event))
			return false;
	return true;
}

static void
schedule_set(struct sim_pmu *p)
{
	for (size_t k = 0; k < p->n_groups; k++)
		for (size_t i = p->group[k].first; i < p->group[k].first + p->group[k].n; i++)
			p->slot[i].on = p->sets.has[p->set * p->n_groups + k];
	p->rotates = p->sets.n > 1;
}

static void
schedule(struct sim_pmu *p)
{
	struct taken t = {0};
	bool full = false;

	for (size_t k = 0; k < p->n_groups; k++) {
		const struct group *g = &p->group[(p->head + k) % p->n_groups];
		bool on = !p->multiplex || is_software(p, g) || (!full && take_counters(p, g, &t));

		full |= !on;
		for (size_t i = g->first; i < g->first + g->n; i++)
			p->slot[i].on = on;
	}
	p->rotates = full;
}

static void
find_groups(struct sim_pmu *p, const unsigned *number)
{
	p->group = mem_new_array(p->n, sizeof *p->group);
	for (size_t i = 0; i < p->n; i++) {
		if (number && i > 0 && number[i] == number[i - 1])
			p->group[p->n_groups - 1].n++;
		else
			p->group[p->n_groups++] = (struct group){i, 1};
	}
}

static bool
fit_together(void *ctx, const size_t *group, size_t n)
{
	const struct sim_pmu *p = ctx;
	struct taken t = {0};

	for (size_t i = 0; i < n; i++)
		if (!take_counters(p, &p->group[group[i]], &t))
			return false;
	return true;
}

/* Returns true when each group, alone, fits on the counters. */
static bool
pmu_all_fit(const struct sim_pmu *p, const char *machine, struct err *e)
{
	for (size_t k = 0; k < p->n_groups && p->multiplex; k++) {
		const struct group *g = &p->group[k];
		struct taken t = {0};

		if (take_counters(p, g, &t))
			continue;
		if (g->n == 1)
			err_set(e, "%s can never be counted: the PMU of %s has no programmable counter",
				sim_event_name(p->slot[g->first].event), machine);
		else
			err_set(e,
				"a group of %zu events, which begins with %s, can never be counted: the PMU of %s has "
				"%u programmable counters and %u fixed ones",
				g->n, sim_event_name(p->slot[g->first].event), machine, p->counters, p->fixed);
		return err_hint(e,
			p->counters ? "make smaller groups; events outside of groups take turns"
				: "give the machine counters, or ask for as many as needed");
	}
	return true;
}

static struct sim_pmu *
pmu_prepare(const struct sim_pmu_spec *s)
{
	struct sim_pmu *p = mem_new(sizeof *p);

	p->n = s->n_events;
	p->slot = mem_new_array(p->n, sizeof *p->slot);
	p->counters = s->machine->counters;
	p->fixed = s->machine->fixed;
	p->multiplex = s->multiplex;
	p->slice_ns = s->slice_ns ? s->slice_ns : SIM_SLICE_NS;
	p->how = s->multiplex ? s->rotation : ROTATION_KERNEL;
	p->timer_hz = s->machine->timer_hz;
	p->random = s->seed;
	for (size_t i = 0; i < p->n; i++) {
		struct slot *w = &p->slot[i];

		*w = (struct slot){.event = s->event[i], .lie = {.factor = 1}};
		for (size_t k = 0; k < s->n_lies; k++)
			if (s->lie[k].event == w->event)
				w->lie = s->lie[k];
		w->to_string = w->lie.strings;
	}
	find_groups(p, s->group);
	return p;
}

bool
sim_pmu_can(const struct sim_pmu_spec *s, struct err *e)
{
	struct sim_pmu *p = pmu_prepare(s);
	bool fits = pmu_all_fit(p, s->machine->name, e);

	sim_pmu_free(p);
	return fits;
}

struct sim_pmu *
sim_pmu_new(const struct sim_pmu_spec *s, struct err *e)
{
	struct sim_pmu *p = pmu_prepare(s);

	if (!pmu_all_fit(p, s->machine->name, e)) {
		sim_pmu_free(p);
		return NULL;
	}
	if (p->how == ROTATION_RANDOM) {
		const struct rotation_room room = {fit_together, p};

		p->sets = rotation_sets_new(p->n_groups, &room);
	}
	return p;
}

void
sim_pmu_free(struct sim_pmu *p)
{
	if (!p)
		return;
	rotation_sets_free(&p->sets);
	rotation_free(p->rotation);
	rhythm_free(p->rhythm);
	free(p->slot);
	free(p->group);
	free(p);
}

static void
pmu_forget(struct sim_pmu *p)
{
	p->enabled_ns = 0;
	for (size_t i = 0; i < p->n; i++)
		p->slot[i].count = p->slot[i].running_ns = 0;
}

static void
keep_truth(struct sim_pmu *p, const uint64_t *truth)
{
	for (size_t i = 0; i < SIM_N_EVENTS; i++)
		p->truth[i] = truth[i];
}

static void
next_turn(struct sim_pmu *p)
{
	struct rotation_turn t = rotation_next(p->rotation);

	p->set = t.set;
	p->next_ns += t.ns ? t.ns : 1;
	schedule_set(p);
}

static void
start_turns(struct sim_pmu *p)
{
	p->seed = random_next(&p->random);
	rotation_free(p->rotation);
	p->rotation = rotation_new(p->sets.n, p->slice_ns, p->seed);
	p->next_ns = p->now_ns;
	next_turn(p);
}

/* Begins the kernel's turns with a tick at a random time, because that tick has no fixed relation to the program. */
static void
start_ticks(struct sim_pmu *p)
{
	p->head = 0;
	p->next_ns = p->now_ns + 1 + random_next(&p->random) % p->slice_ns;
	schedule(p);
}

/* Samples come at random distances; otherwise a program in step with them would go unnoticed. */
static void
plan_sample(struct sim_pmu *p)
{
	uint64_t step = p->slice_ns / RHYTHM_LOOKS;

	p->sample_ns = p->now_ns + 1 + step / 2 + random_next(&p->sample_random) % (step + 1);
}

static void
start_sampling(struct sim_pmu *p)
{
	rhythm_free(p->rhythm);
	p->rhythm = NULL;
	p->sample_ns = UINT64_MAX;
	if (!p->rotates || p->how != ROTATION_KERNEL || !p->fixed)
		return;
	p->rhythm = rhythm_new((double)p->slice_ns / RHYTHM_LOOKS);
	p->instructions = p->truth[SIM_INSTRUCTIONS];
	p->sample_random = ~p->random;
	rhythm_add(p->rhythm, p->now_ns, 0);
	plan_sample(p);
}

void
sim_pmu_start(struct sim_pmu *p, uint64_t now_ns, const uint64_t *truth)
{
	p->now_ns = now_ns;
	for (size_t i = 0; i < p->n; i++)
		p->slot[i].part = 0;
	pmu_forget(p);
	keep_truth(p, truth);
	if (p->how == ROTATION_RANDOM)
		start_turns(p);
	else
		start_ticks(p);
	start_sampling(p);
}

uint64_t
sim_pmu_until_ns(const struct sim_pmu *p)
{
	if (!p->rotates)
		return UINT64_MAX;
	return p->sample_ns < p->next_ns ? p->sample_ns : p->next_ns;
}

uint64_t
sim_pmu_turn_ends_ns(const struct sim_pmu *p)
{
	return p->rotates ? p->next_ns : UINT64_MAX;
}

/* Returns the number of timer interrupts from time 0 to `ns`. */
static uint64_t
interrupts_until(const struct sim_pmu *p, uint64_t ns)
{
	return (uint64_t)((u128)ns * p->timer_hz / NS_PER_SECOND);
}

/* Returns what `times` interrupts or faults add to a counter that gets `each` per event on average. */
static uint64_t
leak(struct sim_pmu *p, double each, uint64_t times)
{
	double whole = floor(each), part = each - whole;
	uint64_t sum = times * (uint64_t)whole;

	for (uint64_t i = 0; i < times && part > 0; i++)
		sum += (double)(random_next(&p->random) >> 11) * 0x1p-53 < part;
	return sum;
}

uint64_t
sim_string_loads(uint64_t n)
{
	return n / 64 * 4 + n % 64;
}

/* Returns what strings among the event's own counts add. */
static uint64_t
strings(struct sim_pmu *p, struct slot *w, uint64_t rise)
{
	uint64_t sum = 0;

	if (!w->lie.strings)
		return 0;
	for (; rise >= w->to_string; rise -= w->to_string, w->to_string = w->lie.strings)
		sum += sim_string_loads(1 + random_next(&p->random) % w->lie.longest) - 1;
	w->to_string -= rise;
	return sum;
}

/* Returns what the event counts instead of its own rise and that of others. Fractions and what would lower the count
 * are kept for the next time. */
static uint64_t
misjudge(struct slot *w, uint64_t rise, const uint64_t *before, const uint64_t *now)
{
	double seen;

	if (w->lie.factor == 1 && !w->lie.n_also)
		return rise;
	seen = (double)rise * w->lie.factor + w->part;
	for (size_t k = 0; k < w->lie.n_also; k++) {
		enum sim_event other = w->lie.also[k].event;

		seen += w->lie.also[k].times * (double)(now[other] - before[other]);
	}
	w->part = seen > 0 ? seen - floor(seen) : seen;
	return seen > 0 ? (uint64_t)seen : 0;
}

void
sim_pmu_advance(struct sim_pmu *p, uint64_t now_ns, const uint64_t *truth)
{
	uint64_t passed = now_ns - p->now_ns, interrupts = interrupts_until(p, now_ns) - interrupts_until(p, p->now_ns);
	uint64_t faults = truth[SIM_PAGE_FAULTS] - p->truth[SIM_PAGE_FAULTS];

	for (size_t i = 0; i < p->n; i++) {
		struct slot *w = &p->slot[i];

		if (!w->on)
			continue;
		w->running_ns += passed;
		if (!w->lie.dead)
			w->count += misjudge(w, truth[w->event] - p->truth[w->event], p->truth, truth) +
				strings(p, w, truth[w->event] - p->truth[w->event]) +
				leak(p, w->lie.per_interrupt, interrupts) + leak(p, w->lie.per_fault, faults);
	}
	p->enabled_ns += passed;
	p->now_ns = now_ns;
	keep_truth(p, truth);
	if (now_ns >= p->sample_ns) {
		rhythm_add(p->rhythm, now_ns, truth[SIM_INSTRUCTIONS] - p->instructions);
		p->instructions = truth[SIM_INSTRUCTIONS];
		plan_sample(p);
	}
	if (now_ns < p->next_ns)
		return;
	if (p->how == ROTATION_RANDOM) {
		while (p->next_ns <= now_ns)
			next_turn(p);
		return;
	}
	p->next_ns += ((now_ns - p->next_ns) / p->slice_ns + 1) * p->slice_ns;
	if (p->rotates)
		p->head = (p->head + 1) % p->n_groups;
	schedule(p);
}

struct sim_turns
sim_pmu_turns(struct sim_pmu *p)
{
	struct sim_turns t = {0};

	if (!p->rotates)
		return t;
	t.seed = p->how == ROTATION_RANDOM ? p->seed : 0;
	t.rotation_ns = (double)p->slice_ns * (double)(p->how == ROTATION_RANDOM ? p->sets.n : p->n_groups);
	if (p->rhythm)
		t.program_ns = rhythm_locked_lately(p->rhythm, t.rotation_ns, p->n_groups).period_ns;
	return t;
}

static int64_t
pmu_scale(uint64_t count, uint64_t enabled, uint64_t running)
{
	u128 scaled = ((u128)count * enabled + running / 2) / running;

	return scaled > INT64_MAX ? INT64_MAX : (int64_t)scaled;
}

void
sim_pmu_read(struct sim_pmu *p, struct sim_reading *out)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct slot *w = &p->slot[i];

		out[i] = (struct sim_reading){0};
		if (w->running_ns)
			out[i] = (struct sim_reading){
				.count = pmu_scale(w->count, p->enabled_ns, w->running_ns),
				.running = (double)w->running_ns / (double)p->enabled_ns, .counted = true,
			};
	}
	pmu_forget(p);
}
