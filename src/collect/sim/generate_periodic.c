/* A workload that goes by the clock, as programs do that are woken by a timer: so that a program whose period is
 * that of the PMU's rotation can be made. */
#include "collect/sim/generate.h"

#include "base/mem.h"
#include "collect/sim/random.h"

#define WORD 8u

struct periodic {
	struct sim_generator g;
	uint64_t base, words, few; /* of its memory, and of what the quiet part goes through */
	uint64_t period_ns, busy_ns, offset_ns;
	uint64_t random, stores;   /* stores: of 2^32 */
	struct sim_uop uop;
};

static size_t
periodic_fill(struct sim_generator *g, struct sim_uop *out, size_t n)
{
	struct periodic *p = (struct periodic *)g;
	bool busy = (g->now_ns + p->offset_ns) % p->period_ns < p->busy_ns;

	for (size_t i = 0; i < n; i++) {
		struct sim_uop u = p->uop;

		u.at = p->base + sim_random_below(&p->random, busy ? p->words : p->few) * WORD;
		u.kind = p->stores && (uint32_t)sim_random(&p->random) < p->stores ? SIM_STORE : SIM_LOAD;
		out[i] = u;
	}
	return n;
}

/* Where in its period it begins chance says. */
struct sim_generator *
sim_periodic_new(const struct sim_plan *plan, struct err *e)
{
	const int64_t *v = plan->set->value;
	struct periodic *p;

	if (!sim_plan_holds(plan, "periodic, by what it goes through when it is quiet,", (uint64_t)v[SIM_SET_QUIET], e))
		return NULL;
	p = mem_new(sizeof *p);
	p->g.fill = periodic_fill;
	p->base = plan->base;
	p->words = (uint64_t)v[SIM_SET_FOOTPRINT] / WORD;
	p->few = (uint64_t)v[SIM_SET_QUIET] / WORD;
	p->period_ns = (uint64_t)v[SIM_SET_PERIOD];
	p->busy_ns = (uint64_t)((u128)p->period_ns * (uint64_t)v[SIM_SET_BUSY] / SIM_SHARE_ONE);
	p->random = sim_scatter(plan->seed);
	p->offset_ns = sim_random_below(&p->random, p->period_ns);
	p->stores = sim_share_of_bits(SIM_SHARE_ONE - v[SIM_SET_LOADS]);
	p->uop = (struct sim_uop){.kind = SIM_LOAD, .other = (uint16_t)v[SIM_SET_OTHER], .size = WORD};
	return &p->g;
}
