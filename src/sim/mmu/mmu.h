/* The data side of a memory management unit: two levels of TLBs, paging-structure caches, walkers that read page tables
 * through the data caches, and the features that may be planted.
 *
 *     request ─► DTLB ─hit──────────────────────────────────────────────► translated
 *                 │miss
 *                 ▼
 *                STLB ─hit (+ stlb_latency)─────────────────────────────► translated, DTLB filled
 *                 │miss
 *                 ▼
 *                MSHR ─page being walked, merging planted────────────────► waits for that walk
 *                 │one is free                    (early_psc: PDE lookup here, also for merged requests)
 *                 ▼
 *                walker free: walk begins, dtlb_*_misses.miss_causes_a_walk      (bypass: later, unseen)
 *                 │  PDE, PDPTE, root cache (pml4e) ─hit at level l─► skips the tables above l
 *                 ▼
 *                one reference per level, through the data caches: page_walker_loads.*
 *                   level 3 PML4  ─► 2 PDPT ─► 1 page directory ─► 0 page table       (4 KB pages)
 *                 │  accessed bit clear: replay may stop the walk and repeat it at retirement
 *                 ▼
 *                all tables filled, walk_completed_*                     ─► translated
 *
 * A request with a squash time may end at any of these steps; struct sim_request has the times that decide it.
 *
 * All memory is mapped by pages of one size. The tables of a level lie one after the other in the upper half of
 * physical memory. An entry's address therefore follows from the virtual address, and no tables are stored. Physical
 * memory has as many lines as 32 bits of tag distinguish (8 TB where the smallest cache has 64 sets); parts of a larger
 * virtual memory share frames. Times are in the unit given to sim_mmu_init(). */
#ifndef SIM_MMU_MMU_H
#define SIM_MMU_MMU_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/event.h"
#include "sim/machine.h"
#include "sim/mmu/cache.h"
#include "sim/mmu/walker.h"

struct sim_memory;

#define SIM_NEVER UINT64_MAX
#define SIM_STORM_STOPS 3 /* how often a walk is stopped if storm is planted */
#define SIM_LEVELS 4 /* levels of tables; level 0 has the entries of 4 KB pages */

struct sim_mmu {
	uint64_t *count;          /* the core's SIM_N_COUNTS totals */
	uint64_t walk_time[2];    /* walk time of loads and of stores that is not yet in count[] as cycles */
	struct sim_caches *caches;
	struct sim_tags dtlb, stlb, itlb;
	struct sim_tags *first;   /* first-level TLB of the current request: &dtlb, or &itlb */
	uint64_t *fetch_count;    /* the same totals for instruction addresses, which no event shows yet */
	/* by level of the entries: 1 PDE, 2 PDPTE, 3 PML4E; [0] is unused */
	struct sim_tags psc[SIM_LEVELS];
	struct sim_walkers walkers;
	struct sim_mshrs mshrs;
	struct sim_pages pages;
	sim_plants plants;
	enum sim_page page;
	unsigned shift;
	uint64_t stlb_latency, walk_start;
	uint64_t half, table[SIM_LEVELS]; /* half of physical memory; where the tables of each level begin */
	uint64_t now;             /* no later request has an earlier time */
	unsigned char prefetched[4]; /* references of the last request's prefetch, by enum sim_served */
};

struct sim_request {
	uint64_t at;     /* virtual address */
	uint64_t time;   /* time of the TLB lookup */
	uint64_t squash; /* time at which its µop is squashed; SIM_NEVER: it retires */
	uint64_t oldest; /* time at which its µop becomes the oldest; SIM_NEVER: not before the squash */
	uint64_t stores; /* time at which the addresses of all older stores are known */
	uint64_t ask;    /* address to prefetch; SIM_NEVER: none */
	bool store;
};

struct sim_translation {
	uint64_t ready; /* SIM_NEVER: the µop was squashed before */
	bool missed;    /* the request itself missed the STLB */
	bool first;     /* first touch of the page */
};

void sim_mmu_init(struct sim_mmu *, const struct sim_machine *, const struct sim_memory *, struct sim_caches *,
	uint64_t *count, uint64_t unit);
void sim_mmu_free(struct sim_mmu *);

/* sim_mmu_miss() takes requests that miss the first-level TLB and ask for no prefetch. sim_mmu_ask() takes any request.
 */
struct sim_translation sim_mmu_miss(struct sim_mmu *, const struct sim_request *);
struct sim_translation sim_mmu_ask(struct sim_mmu *, const struct sim_request *);

/* Translates the address of an instruction at `time`. Returns the time at which it is translated; *missed is true if
 * that is not at once. */
uint64_t sim_mmu_fetch(struct sim_mmu *, uint64_t at, uint64_t time, bool *missed);

/* Returns the line number of an address in physical memory. */
static inline uint64_t
sim_mmu_line(const struct sim_mmu *m, uint64_t at)
{
	return (at & (m->half - 1)) >> SIM_LINE_SHIFT;
}

/* Returns the line number of the entry that a walker reads for an address at a level. */
static inline uint64_t
sim_mmu_entry(const struct sim_mmu *m, unsigned level, uint64_t at)
{
	uint64_t entry = (at >> (12 + 9 * level) << 3) & (m->half / SIM_LEVELS - 1);

	return (m->table[level] + entry) >> SIM_LINE_SHIFT;
}

/* Announces a request for that address, so that the host can prefetch. */
static inline void
sim_mmu_expect(const struct sim_mmu *m, uint64_t at)
{
	sim_caches_expect(m->caches, sim_mmu_line(m, at));
	sim_caches_expect(m->caches, sim_mmu_entry(m, (unsigned)m->page, at));
}

/* Returns true when the first-level TLB has the address at `time`. */
static inline bool
sim_mmu_hit(struct sim_mmu *m, uint64_t at, uint64_t time)
{
	return sim_tags_hit(&m->dtlb, at >> m->shift, time);
}

#endif
