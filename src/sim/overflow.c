#include "sim/overflow.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/int128.h"
#include "base/mem.h"
#include "base/random.h"
#include "sim/core.h"
#include "sim/workload.h"

#define NS_PER_SECOND 1000000000u
#define AHEAD 256    /* µops that the workload is asked for at a time */
#define LOOP 64      /* instructions after which the program is at the same address again */

struct sim_overflow {
	struct sim_overflow_spec how;
	char *workload_text;
	struct sim_pmu *pmu;
	struct sim_workload *workload; /* of the run */
	struct sim_core *core;
	struct sim_uop ahead[AHEAD];
	size_t n_ahead, next_ahead;
	uint64_t random, begin_ns, now_ns;
	uint64_t done, exact;    /* instructions; true count of the event */
	uint64_t count;          /* that the PMU shows */
	uint64_t *skid;          /* n_skids: drawn so far */
	size_t n_skids, cap_skids;
	uint64_t lost;
};

struct sim_overflow *
sim_overflow_new(const struct sim_overflow_spec *how, struct err *e)
{
	const struct sim_pmu_spec pmu = {.machine = how->machine, .event = &how->event, .n_events = 1,
		.rotation = ROTATION_KERNEL, .lie = how->lie, .n_lies = how->n_lies, .seed = how->seed};
	struct sim_workload *tried = sim_workload_new(how->workload, how->seed, e);
	struct sim_overflow *overflow;

	if (!tried)
		return NULL;
	sim_workload_free(tried);
	overflow = mem_new(sizeof *overflow);
	overflow->how = *how;
	overflow->workload_text = mem_str(how->workload);
	overflow->random = how->seed;
	overflow->pmu = sim_pmu_new(&pmu, e);
	if (overflow->pmu)
		return overflow;
	sim_overflow_free(overflow);
	return NULL;
}

static void
sim_end(void *ctx)
{
	struct sim_overflow *o = ctx;

	sim_core_free(o->core);
	sim_workload_free(o->workload);
	o->core = NULL;
	o->workload = NULL;
}

void
sim_overflow_free(struct sim_overflow *o)
{
	if (!o)
		return;
	sim_end(o);
	sim_pmu_free(o->pmu);
	free(o->workload_text);
	free(o->skid);
	free(o);
}

static bool
sim_start(void *ctx, struct err *e)
{
	struct sim_overflow *overflow = ctx;

	sim_end(overflow);
	overflow->workload = sim_workload_new(overflow->workload_text, overflow->how.seed, e);
	if (!overflow->workload)
		return false;
	overflow->core = sim_core_new(
		overflow->how.machine, overflow->how.machine->has, sim_workload_memory(overflow->workload));
	overflow->n_ahead = overflow->next_ahead = overflow->n_skids = 0;
	overflow->done = overflow->exact = overflow->count = overflow->lost = 0;
	overflow->begin_ns = overflow->now_ns = random_below(&overflow->random, NS_PER_SECOND);
	sim_pmu_start(overflow->pmu, overflow->now_ns, sim_core_counts(overflow->core));
	return true;
}

/* The next instruction; NULL: the program is over. */
static const struct sim_uop *
fetch(struct sim_overflow *overflow)
{
	if (overflow->done == overflow->how.length)
		return NULL;
	for (;;) {
		struct sim_uop *uop = &overflow->ahead[overflow->next_ahead];

		if (overflow->next_ahead == overflow->n_ahead) {
			overflow->n_ahead = sim_workload_fill(overflow->workload, overflow->ahead, AHEAD, NULL);
			overflow->next_ahead = 0;
			if (overflow->n_ahead == 0 || overflow->n_ahead == SIZE_MAX)
				return NULL;
			continue;
		}
		overflow->next_ahead++;
		if (uop->kind == SIM_FETCH || (uop->flags & SIM_WRONG))
			continue;
		uop->other = 0;
		uop->flags &= SIM_DEPENDS;
		return uop;
	}
}

/* Executes an instruction. False: the program is over. */
static bool
execute(struct sim_overflow *overflow)
{
	const struct sim_uop *uop = fetch(overflow);
	const uint64_t *truth = sim_core_counts(overflow->core);
	struct sim_reading r;

	if (!uop)
		return false;
	sim_core_run(overflow->core, uop, 1);
	overflow->done++;
	overflow->exact = truth[overflow->how.event];
	overflow->now_ns = overflow->begin_ns + (uint64_t)((double)truth[SIM_CYCLES] / overflow->how.machine->ghz);
	sim_pmu_advance(overflow->pmu, overflow->now_ns, truth);
	sim_pmu_read(overflow->pmu, &r);
	overflow->count += (uint64_t)r.count;
	return true;
}

static uint64_t
draw_skid(struct sim_overflow *o)
{
	uint64_t skid = o->how.skid_least + random_below(&o->random, o->how.skid_most - o->how.skid_least + 1);

	mem_grow(&o->skid, &o->cap_skids, o->n_skids + 1, sizeof *o->skid);
	return o->skid[o->n_skids++] = skid;
}

static bool
sim_run(void *ctx, uint64_t period, struct overflow_stop *stop, struct err *e)
{
	struct sim_overflow *overflow = ctx;
	uint64_t at = period ? overflow->count + period : UINT64_MAX, until = UINT64_MAX;

	(void)e;
	*stop = (struct overflow_stop){.why = OVERFLOW_STOPPED};
	while (overflow->count < until && stop->why == OVERFLOW_STOPPED) {
		if (!execute(overflow))
			stop->why = OVERFLOW_ENDED;
		while (until == UINT64_MAX && overflow->count >= at) {
			if (overflow->how.lose && random_below(&overflow->random, overflow->how.lose) == 0) {
				overflow->lost++;
				at += period;
			} else {
				until = at + draw_skid(overflow);
			}
		}
	}
	stop->count = overflow->count;
	return true;
}

static bool
sim_step(void *ctx, struct overflow_stop *stop, struct err *e)
{
	struct sim_overflow *o = ctx;
	bool more = execute(o);

	(void)e;
	*stop = (struct overflow_stop){
		.why = more ? OVERFLOW_STOPPED : OVERFLOW_ENDED, .count = o->count, .retired = more};
	return true;
}

static void
sim_look(void *ctx, struct overflow_state *out)
{
	const struct sim_overflow *o = ctx;

	*out = (struct overflow_state){.word = {o->done % LOOP, o->done}, .n = 2};
}

struct overflow_subject
sim_overflow_subject(struct sim_overflow *o)
{
	static const struct overflow_ops ops = {sim_start, sim_run, sim_step, sim_look, sim_end};

	return (struct overflow_subject){&ops, o};
}

const uint64_t *
sim_overflow_skids(const struct sim_overflow *o, size_t *n)
{
	*n = o->n_skids;
	return o->skid;
}

uint64_t
sim_overflow_lost(const struct sim_overflow *o)
{
	return o->lost;
}

uint64_t
sim_overflow_instructions(const struct sim_overflow *o)
{
	return o->done;
}

uint64_t
sim_overflow_exact(const struct sim_overflow *o)
{
	return o->exact;
}

uint64_t
sim_overflow_interrupts(const struct sim_overflow *o)
{
	u128 hz = o->how.machine->timer_hz;

	return (uint64_t)(o->now_ns * hz / NS_PER_SECOND) - (uint64_t)(o->begin_ns * hz / NS_PER_SECOND);
}
