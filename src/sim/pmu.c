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
	size_t constraints, whole;
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
schedule(struct sim_pmu *pmu)
{
	struct taken t = {0};
	bool full = false;

	for (size_t k = 0; k < pmu->n_groups; k++) {
		const struct group *g = &pmu->group[(pmu->head + k) % pmu->n_groups];
		bool on = !pmu->multiplex || is_software(pmu, g) || (!full && take_counters(pmu, g, &t));

		full |= !on;
		for (size_t i = g->first; i < g->first + g->n; i++)
			pmu->slot[i].on = on;
	}
	pmu->rotates = full;
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
pmu_all_fit(const struct sim_pmu *pmu, const char *machine, struct err *e)
{
	for (size_t k = 0; k < pmu->n_groups && pmu->multiplex; k++) {
		const struct group *group = &pmu->group[k];
		struct taken t = {0};

		if (take_counters(pmu, group, &t))
			continue;
		if (group->n == 1)
			err_set(e, "%s can never be counted: the PMU of %s has no programmable counter",
				sim_event_name(pmu->slot[group->first].event), machine);
		else
			err_set(e,
				"a group of %zu events, which begins with %s, can never be counted: the PMU of %s has "
				"%u programmable counters and %u fixed ones",
				group->n, sim_event_name(pmu->slot[group->first].event), machine, pmu->counters,
				pmu->fixed);
		return err_hint(e,
			pmu->counters ? "make smaller groups; events outside of groups take turns"
				: "give the machine counters, or ask for as many as needed");
	}
	return true;
}

static struct sim_pmu *
pmu_prepare(const struct sim_pmu_spec *spec)
{
	struct sim_pmu *pmu = mem_new(sizeof *pmu);

	pmu->n = spec->n_events;
	pmu->slot = mem_new_array(pmu->n, sizeof *pmu->slot);
	pmu->counters = spec->machine->counters;
	pmu->fixed = spec->machine->fixed;
	pmu->multiplex = spec->multiplex;
	pmu->slice_ns = spec->slice_ns ? spec->slice_ns : SIM_SLICE_NS;
	pmu->how = spec->multiplex ? spec->rotation : ROTATION_KERNEL;
	pmu->timer_hz = spec->machine->timer_hz;
	pmu->random = spec->seed;
	for (size_t i = 0; i < pmu->n; i++) {
		struct slot *slot = &pmu->slot[i];

		*slot = (struct slot){.event = spec->event[i], .lie = {.factor = 1}};
		for (size_t k = 0; k < spec->n_lies; k++)
			if (spec->lie[k].event == slot->event)
				slot->lie = spec->lie[k];
		slot->to_string = slot->lie.strings;
	}
	find_groups(pmu, spec->group);
	return pmu;
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
sim_pmu_new(const struct sim_pmu_spec *spec, struct err *e)
{
	struct sim_pmu *pmu = pmu_prepare(spec);

	if (!pmu_all_fit(pmu, spec->machine->name, e)) {
		sim_pmu_free(pmu);
		return NULL;
	}
	if (pmu->how == ROTATION_RANDOM) {
		const struct rotation_room room = {fit_together, pmu};

		const struct set_constraints *constraints = spec->group ? NULL : spec->constraints;

		pmu->sets = rotation_sets_by_constraint(pmu->n_groups, &room, constraints);
		pmu->constraints = constraints ? constraints->n : 0;
		pmu->whole = constraints ? sets_whole(&pmu->sets, constraints) : 0;
	}
	return pmu;
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
start_sampling(struct sim_pmu *pmu)
{
	rhythm_free(pmu->rhythm);
	pmu->rhythm = NULL;
	pmu->sample_ns = UINT64_MAX;
	if (!pmu->rotates || pmu->how != ROTATION_KERNEL || !pmu->fixed)
		return;
	pmu->rhythm = rhythm_new((double)pmu->slice_ns / RHYTHM_LOOKS);
	pmu->instructions = pmu->truth[SIM_INSTRUCTIONS];
	pmu->sample_random = ~pmu->random;
	rhythm_add(pmu->rhythm, pmu->now_ns, 0);
	plan_sample(pmu);
}

void
sim_pmu_start(struct sim_pmu *pmu, uint64_t now_ns, const uint64_t *truth)
{
	pmu->now_ns = now_ns;
	for (size_t i = 0; i < pmu->n; i++)
		pmu->slot[i].part = 0;
	pmu_forget(pmu);
	keep_truth(pmu, truth);
	if (pmu->how == ROTATION_RANDOM)
		start_turns(pmu);
	else
		start_ticks(pmu);
	start_sampling(pmu);
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
misjudge(struct slot *slot, uint64_t rise, const uint64_t *before, const uint64_t *now)
{
	double seen;

	if (slot->lie.factor == 1 && !slot->lie.n_also)
		return rise;
	seen = (double)rise * slot->lie.factor + slot->part;
	for (size_t k = 0; k < slot->lie.n_also; k++) {
		enum sim_event other = slot->lie.also[k].event;

		seen += slot->lie.also[k].times * (double)(now[other] - before[other]);
	}
	slot->part = seen > 0 ? seen - floor(seen) : seen;
	return seen > 0 ? (uint64_t)seen : 0;
}

void
sim_pmu_advance(struct sim_pmu *pmu, uint64_t now_ns, const uint64_t *truth)
{
	uint64_t passed = now_ns - pmu->now_ns,
		 interrupts = interrupts_until(pmu, now_ns) - interrupts_until(pmu, pmu->now_ns);
	uint64_t faults = truth[SIM_PAGE_FAULTS] - pmu->truth[SIM_PAGE_FAULTS];

	for (size_t i = 0; i < pmu->n; i++) {
		struct slot *slot = &pmu->slot[i];

		if (!slot->on)
			continue;
		slot->running_ns += passed;
		if (!slot->lie.dead)
			slot->count += misjudge(slot, truth[slot->event] - pmu->truth[slot->event], pmu->truth, truth) +
				strings(pmu, slot, truth[slot->event] - pmu->truth[slot->event]) +
				leak(pmu, slot->lie.per_interrupt, interrupts) + leak(pmu, slot->lie.per_fault, faults);
	}
	pmu->enabled_ns += passed;
	pmu->now_ns = now_ns;
	keep_truth(pmu, truth);
	if (now_ns >= pmu->sample_ns) {
		rhythm_add(pmu->rhythm, now_ns, truth[SIM_INSTRUCTIONS] - pmu->instructions);
		pmu->instructions = truth[SIM_INSTRUCTIONS];
		plan_sample(pmu);
	}
	if (now_ns < pmu->next_ns)
		return;
	if (pmu->how == ROTATION_RANDOM) {
		while (pmu->next_ns <= now_ns)
			next_turn(pmu);
		return;
	}
	pmu->next_ns += ((now_ns - pmu->next_ns) / pmu->slice_ns + 1) * pmu->slice_ns;
	if (pmu->rotates)
		pmu->head = (pmu->head + 1) % pmu->n_groups;
	schedule(pmu);
}

struct sim_turns
sim_pmu_turns(struct sim_pmu *p)
{
	struct sim_turns t = {0};

	if (!p->rotates)
		return t;
	t.seed = p->how == ROTATION_RANDOM ? p->seed : 0;
	t.constraints = p->constraints;
	t.whole = p->whole;
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
sim_pmu_read(struct sim_pmu *pmu, struct sim_reading *out)
{
	for (size_t i = 0; i < pmu->n; i++) {
		const struct slot *slot = &pmu->slot[i];

		out[i] = (struct sim_reading){0};
		if (slot->running_ns)
			out[i] = (struct sim_reading){
				.count = pmu_scale(slot->count, pmu->enabled_ns, slot->running_ns),
				.running = (double)slot->running_ns / (double)pmu->enabled_ns, .counted = true,
			};
	}
	pmu_forget(pmu);
}
