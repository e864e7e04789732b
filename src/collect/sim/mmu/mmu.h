/* The data side of a memory management unit: two levels of TLBs, paging-structure caches, walkers that read tables
 * through the data caches, and the features that may be planted.
 *
 * All memory is mapped by pages of one size. Tables of a level lie one behind the other in the upper half of physical
 * memory, so that an entry's place follows from the address and no table is kept. Physical memory is what 32 bits of
 * tag tell apart (8 TB where the smallest cache has 64 sets): of a larger virtual one, parts share frames. Times are in
 * the unit of sim_mmu_init(). */
#ifndef COLLECT_SIM_MMU_MMU_H
#define COLLECT_SIM_MMU_MMU_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/sim/event.h"
#include "collect/sim/machine.h"
#include "collect/sim/mmu/cache.h"
#include "collect/sim/mmu/walker.h"

struct sim_memory;

#define SIM_NEVER UINT64_MAX
#define SIM_STORM_STOPS 3 /* of a walk, where storm is planted */
#define SIM_LEVELS 4 /* of tables; 0 has the entries of 4 KB pages */

struct sim_mmu {
	uint64_t *count;          /* SIM_N_COUNTS, the core's */
	uint64_t walk_time[2];    /* of loads' and stores' walks; their cycles are not yet in count[] */
	struct sim_caches *caches;
	struct sim_tags dtlb, stlb;
	/* [level] has entries read at that level: 1 PDE, 2 PDPTE, 3 PML4E; 0 is not used */
	struct sim_tags psc[SIM_LEVELS];
	struct sim_walkers walkers;
	struct sim_mshrs mshrs;
	struct sim_pages pages;
	sim_plants plants;
	enum sim_page page;
	unsigned shift;
	uint64_t stlb_latency, walk_start;
	uint64_t half, table[SIM_LEVELS]; /* of physical memory; where the tables of a level begin */
	uint64_t now;             /* no request will be earlier than that */
	unsigned char prefetched[4]; /* references of the last request's prefetch, by enum sim_served */
};

struct sim_request {
	uint64_t at;     /* virtual address */
	uint64_t time;   /* of the TLB lookup */
	uint64_t squash; /* when its µop is squashed; SIM_NEVER: it retires */
	uint64_t oldest; /* when its µop is the oldest; SIM_NEVER: not before the squash */
	uint64_t stores; /* when the addresses of all older stores are known */
	uint64_t ask;    /* what it asks to be prefetched: an address; SIM_NEVER: nothing */
	bool store;
};

struct sim_translation {
	uint64_t ready; /* SIM_NEVER: it was squashed before */
	bool missed;    /* the STLB, by itself */
	bool first;     /* nobody had touched the page before */
};

void sim_mmu_init(struct sim_mmu *, const struct sim_machine *, const struct sim_memory *, struct sim_caches *,
	uint64_t *count, uint64_t unit);
void sim_mmu_free(struct sim_mmu *);

/* What the first-level TLB does not have at that time, and anything: it may ask for a prefetch, and it may be in the
 * first-level TLB. */
struct sim_translation sim_mmu_miss(struct sim_mmu *, const struct sim_request *);
struct sim_translation sim_mmu_ask(struct sim_mmu *, const struct sim_request *);

/* The line of an address in physical memory. */
static inline uint64_t
sim_mmu_line(const struct sim_mmu *m, uint64_t at)
{
	return (at & (m->half - 1)) >> SIM_LINE_SHIFT;
}

/* The line of the entry that is read for an address at a level. */
static inline uint64_t
sim_mmu_entry(const struct sim_mmu *m, unsigned level, uint64_t at)
{
	uint64_t entry = (at >> (12 + 9 * level) << 3) & (m->half / SIM_LEVELS - 1);

	return (m->table[level] + entry) >> SIM_LINE_SHIFT;
}

/* Somebody is going to ask for that address. */
static inline void
sim_mmu_expect(const struct sim_mmu *m, uint64_t at)
{
	sim_caches_expect(m->caches, sim_mmu_line(m, at));
	sim_caches_expect(m->caches, sim_mmu_entry(m, (unsigned)m->page, at));
}

/* Whether the first-level TLB has it then. */
static inline bool
sim_mmu_hit(struct sim_mmu *m, uint64_t at, uint64_t time)
{
	return sim_tags_hit(&m->dtlb, at >> m->shift, time);
}

#endif
