#include "fake_sim.h"

#include <stdlib.h>

#include "base/mem.h"
#include "sim/core.h"

struct sim_core {
	uint64_t count[SIM_N_COUNTS], page;
	sim_plants plants;
	unsigned char walk[FAKE_SIM_WALK]; /* walks that began so many µops ago: 0 none, 1 a load's, 2 a store's */
	size_t at;
};

struct sim_core *
sim_core_new(const struct sim_machine *machine, sim_plants plants, const struct sim_memory *memory)
{
	struct sim_core *c = mem_new(sizeof *c);

	(void)machine;
	(void)memory;
	c->plants = plants;
	return c;
}

void
sim_core_free(struct sim_core *c)
{
	free(c);
}

static void
end_walk(struct sim_core *c)
{
	int to_store = c->walk[c->at] == 2 ? SIM_STORE_EVENTS : 0;

	if (c->walk[c->at]) {
		c->count[SIM_LOAD_WALK_DONE + to_store]++;
		c->count[SIM_LOAD_WALK_DONE_4K + to_store]++;
		c->count[SIM_REF_L2] += 2;
	}
	c->walk[c->at] = 0;
	c->at = (c->at + 1) % FAKE_SIM_WALK;
}

static void
run_uop(struct sim_core *c, const struct sim_uop *u)
{
	int to_store = u->kind == SIM_STORE ? SIM_STORE_EVENTS : 0;
	size_t at = c->at;

	end_walk(c);
	c->count[SIM_CYCLES] += 1u + u->other;
	c->count[SIM_INSTRUCTIONS] += 1u + u->other;
	if (u->kind == SIM_FETCH)
		return;
	if (u->flags & SIM_WRONG) {
		c->count[SIM_TRUE_WRONG_PATH]++;
		return;
	}
	c->count[SIM_LOAD_RET + to_store]++;
	c->count[SIM_PAGE_FAULTS] += u->size == 4096;
	c->count[SIM_TRUE_MERGED] += (c->plants >> SIM_PLANT_MERGING) & 1;
	if (u->at >> 12 != c->page) {
		c->count[SIM_LOAD_CAUSES_WALK + to_store]++;
		c->walk[at] = u->kind == SIM_STORE ? 2 : 1;
	}
	c->page = u->at >> 12;
}

void
sim_core_run(struct sim_core *c, const struct sim_uop *u, size_t n)
{
	for (size_t i = 0; i < n; i++)
		run_uop(c, &u[i]);
}

void
sim_core_drain(struct sim_core *c)
{
	for (size_t i = 0; i < FAKE_SIM_WALK; i++)
		end_walk(c);
}

const uint64_t *
sim_core_counts(const struct sim_core *c)
{
	return c->count;
}

void
sim_core_plant(struct sim_core *c, sim_plants plants)
{
	c->plants = plants;
}

void
sim_core_observe(struct sim_core *c, void (*report)(void *ctx, const struct sim_uop_counts *), void *ctx)
{
	(void)c;
	(void)report;
	(void)ctx;
}
