#include "sim/plant_runs.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/panic.h"
#include "base/random.h"

#define TIMER_HZ 250
#define NS_PER_SECOND 1e9

const enum sim_event sim_plant_event[SIM_PLANT_EVENTS] = {
	SIM_INSTRUCTIONS, SIM_PIPE_BRANCHES, SIM_PIPE_CONDITIONALS, SIM_LOAD_RET, SIM_STORE_RET
};

static const char *const kind_name[] = {
#define X(id, name) [SIM_PLANT_##id] = name,
	SIM_PLANT_KINDS(X)
#undef X
};

const char *
sim_plant_kind_name(enum sim_plant_kind k)
{
	return kind_name[k];
}

/* A class of instructions that is neither the event nor contains it: it counts twice, or is missed. */
static enum sim_event
plant_runs_part_of(enum sim_event e, uint64_t *seed)
{
	if (e == SIM_INSTRUCTIONS)
		return sim_plant_event[1 + random_next(seed) % (SIM_PLANT_EVENTS - 1)];
	return e == SIM_PIPE_BRANCHES ? SIM_PIPE_CONDITIONALS : e;
}

static enum sim_event
other_than(enum sim_event e, uint64_t *seed)
{
	enum sim_event other;

	do
		other = sim_plant_event[1 + random_next(seed) % (SIM_PLANT_EVENTS - 1)];
	while (other == e);
	return other;
}

static void
also(struct sim_lie *l, enum sim_event e, double times)
{
	l->also[l->n_also].event = e;
	l->also[l->n_also++].times = times;
}

enum sim_plant_kind
sim_plant_draw(uint64_t *seed, enum sim_event e, struct sim_lie *l)
{
	enum sim_plant_kind kind = (enum sim_plant_kind)(random_next(seed) % SIM_PLANT_N_KINDS);
	double share = 0.01 + (double)(random_next(seed) % 50) / 100; /* of a class, its opcodes that are wrong */

	*l = (struct sim_lie){.event = e, .factor = 1};
	switch (kind) {
	case SIM_PLANT_NONE:
		break;
	case SIM_PLANT_INTERRUPTS:
		l->per_interrupt = (double)(1 + random_next(seed) % 2);
		break;
	case SIM_PLANT_FAULTS:
		l->per_fault = (double)(1 + random_next(seed) % 5);
		break;
	case SIM_PLANT_BOTH:
		l->per_interrupt = l->per_fault = 1;
		break;
	case SIM_PLANT_DOUBLE:
		also(l, plant_runs_part_of(e, seed), share);
		break;
	case SIM_PLANT_MISSED:
		also(l, plant_runs_part_of(e, seed), -share);
		break;
	case SIM_PLANT_STRINGS:
		l->longest = 64 + random_next(seed) % 1000;
		l->strings = 20 + random_next(seed) % 1000;
		break;
	case SIM_PLANT_MICROCODE:
		l->factor = (double)(2 + random_next(seed) % 4);
		break;
	case SIM_PLANT_CONFUSED:
		also(l, other_than(e, seed), 1);
		break;
	case SIM_PLANT_DEAD:
		l->dead = true;
		break;
	case SIM_PLANT_N_KINDS:
		panic("no kind of plant");
	}
	return kind;
}

/* Sets the exact counts of one run, as the running totals that a core keeps. */
static void
make_truth(const int64_t *expected, int64_t faults, uint64_t *truth)
{
	for (size_t k = 0; k < SIM_PLANT_EVENTS; k++)
		truth[sim_plant_event[k]] = (uint64_t)expected[k];
	truth[SIM_PAGE_FAULTS] = (uint64_t)faults;
}

static void
make_run(struct sim_plant_runs *r, struct sim_pmu *p, size_t run, uint64_t *seed)
{
	static const uint64_t none[SIM_N_COUNTS];
	uint64_t begin = random_next(seed) % (uint64_t)NS_PER_SECOND;
	uint64_t ns = (uint64_t)(0.8 * NS_PER_SECOND) + random_next(seed) % (uint64_t)(0.4 * NS_PER_SECOND);
	uint64_t *truth = mem_new_array(SIM_N_COUNTS, sizeof *truth);
	struct sim_reading reading[SIM_PLANT_EVENTS];

	r->faults[run] = 10008 + (int64_t)(random_next(seed) % 12);
	r->interrupts[run] = (int64_t)((begin + ns) / (uint64_t)(NS_PER_SECOND / TIMER_HZ) -
		begin / (uint64_t)(NS_PER_SECOND / TIMER_HZ));
	r->seconds[run] = (double)ns / NS_PER_SECOND;
	make_truth(r->expected, r->faults[run], truth);
	sim_pmu_start(p, begin, none);
	sim_pmu_advance(p, begin + ns, truth);
	sim_pmu_read(p, reading);
	for (size_t k = 0; k < SIM_PLANT_EVENTS; k++)
		r->count[run * SIM_PLANT_EVENTS + k] = reading[k].count;
	free(truth);
}

struct sim_plant_runs *
sim_plant_runs_new(const struct sim_lie *lie, size_t n_lies, size_t n_runs, uint64_t seed)
{
	const struct sim_machine machine = {.timer_hz = TIMER_HZ};
	const struct sim_pmu_spec spec = {.machine = &machine, .event = sim_plant_event, .n_events = SIM_PLANT_EVENTS,
		.rotation = ROTATION_KERNEL, .lie = lie, .n_lies = n_lies, .seed = seed};
	struct sim_plant_runs *r = mem_new(sizeof *r);
	struct sim_pmu *p = sim_pmu_new(&spec, NULL);

	if (!p)
		panic("a virtual PMU with enough counters was refused");
	r->n_runs = n_runs;
	r->count = mem_new_array(n_runs * SIM_PLANT_EVENTS, sizeof *r->count);
	r->interrupts = mem_new_array(n_runs, sizeof *r->interrupts);
	r->faults = mem_new_array(n_runs, sizeof *r->faults);
	r->seconds = mem_new_array(n_runs, sizeof *r->seconds);
	r->expected[0] = 2000000 + (int64_t)(random_next(&seed) % 1000000);
	r->expected[1] = r->expected[0] / 5;
	r->expected[2] = r->expected[1] * 3 / 4;
	r->expected[3] = r->expected[0] / 3;
	r->expected[4] = r->expected[0] / 7;
	for (size_t k = 0; k < n_runs; k++)
		make_run(r, p, k, &seed);
	sim_pmu_free(p);
	return r;
}

void
sim_plant_runs_free(struct sim_plant_runs *r)
{
	if (!r)
		return;
	free(r->count);
	free(r->interrupts);
	free(r->faults);
	free(r->seconds);
	free(r);
}
