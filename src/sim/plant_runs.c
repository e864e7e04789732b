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
sim_plant_draw(uint64_t *seed, enum sim_event e, struct sim_lie *lie)
{
	enum sim_plant_kind kind = (enum sim_plant_kind)(random_next(seed) % SIM_PLANT_N_KINDS);
	double share = 0.01 + (double)(random_next(seed) % 50) / 100; /* of a class, its opcodes that are wrong */

	*lie = (struct sim_lie){.event = e, .factor = 1};
	switch (kind) {
	case SIM_PLANT_NONE:
		break;
	case SIM_PLANT_INTERRUPTS:
		lie->per_interrupt = (double)(1 + random_next(seed) % 2);
		break;
	case SIM_PLANT_FAULTS:
		lie->per_fault = (double)(1 + random_next(seed) % 5);
		break;
	case SIM_PLANT_BOTH:
		lie->per_interrupt = lie->per_fault = 1;
		break;
	case SIM_PLANT_DOUBLE:
		also(lie, plant_runs_part_of(e, seed), share);
		break;
	case SIM_PLANT_MISSED:
		also(lie, plant_runs_part_of(e, seed), -share);
		break;
	case SIM_PLANT_STRINGS:
		lie->longest = 64 + random_next(seed) % 1000;
		lie->strings = 20 + random_next(seed) % 1000;
		break;
	case SIM_PLANT_MICROCODE:
		lie->factor = (double)(2 + random_next(seed) % 4);
		break;
	case SIM_PLANT_CONFUSED:
		also(lie, other_than(e, seed), 1);
		break;
	case SIM_PLANT_DEAD:
		lie->dead = true;
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
make_run(struct sim_plant_runs *runs, struct sim_pmu *pmu, size_t run, uint64_t *seed)
{
	static const uint64_t none[SIM_N_COUNTS];
	uint64_t begin = random_next(seed) % (uint64_t)NS_PER_SECOND;
	uint64_t ns = (uint64_t)(0.8 * NS_PER_SECOND) + random_next(seed) % (uint64_t)(0.4 * NS_PER_SECOND);
	uint64_t *truth = mem_new_array(SIM_N_COUNTS, sizeof *truth);
	struct sim_reading reading[SIM_PLANT_EVENTS];

	runs->faults[run] = 10008 + (int64_t)(random_next(seed) % 12);
	runs->interrupts[run] = (int64_t)((begin + ns) / (uint64_t)(NS_PER_SECOND / TIMER_HZ) -
		begin / (uint64_t)(NS_PER_SECOND / TIMER_HZ));
	runs->seconds[run] = (double)ns / NS_PER_SECOND;
	make_truth(runs->expected, runs->faults[run], truth);
	sim_pmu_start(pmu, begin, none);
	sim_pmu_advance(pmu, begin + ns, truth);
	sim_pmu_read(pmu, reading);
	for (size_t k = 0; k < SIM_PLANT_EVENTS; k++)
		runs->count[run * SIM_PLANT_EVENTS + k] = reading[k].count;
	free(truth);
}

struct sim_plant_runs *
sim_plant_runs_new(const struct sim_lie *lie, size_t n_lies, size_t n_runs, uint64_t seed)
{
	const struct sim_machine machine = {.timer_hz = TIMER_HZ};
	const struct sim_pmu_spec spec = {.machine = &machine, .event = sim_plant_event, .n_events = SIM_PLANT_EVENTS,
		.rotation = ROTATION_KERNEL, .lie = lie, .n_lies = n_lies, .seed = seed};
	struct sim_plant_runs *runs = mem_new(sizeof *runs);
	struct sim_pmu *pmu = sim_pmu_new(&spec, NULL);

	if (!pmu)
		panic("a virtual PMU with enough counters was refused");
	runs->n_runs = n_runs;
	runs->count = mem_new_array(n_runs * SIM_PLANT_EVENTS, sizeof *runs->count);
	runs->interrupts = mem_new_array(n_runs, sizeof *runs->interrupts);
	runs->faults = mem_new_array(n_runs, sizeof *runs->faults);
	runs->seconds = mem_new_array(n_runs, sizeof *runs->seconds);
	runs->expected[0] = 2000000 + (int64_t)(random_next(&seed) % 1000000);
	runs->expected[1] = runs->expected[0] / 5;
	runs->expected[2] = runs->expected[1] * 3 / 4;
	runs->expected[3] = runs->expected[0] / 3;
	runs->expected[4] = runs->expected[0] / 7;
	for (size_t k = 0; k < n_runs; k++)
		make_run(runs, pmu, k, &seed);
	sim_pmu_free(pmu);
	return runs;
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
