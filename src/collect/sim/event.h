/* What can be counted in a simulated core: events that perf knows, followed by the truth, which no PMU shows. */
#ifndef COLLECT_SIM_EVENT_H
#define COLLECT_SIM_EVENT_H

#include <stdbool.h>
#include <stddef.h>

/* X(id, perf's name (perfmon's for Haswell)). Each is what a counter of that name counts on the machine. Loads come
 * first, then stores in the same order. */
#define SIM_EVENTS(X) \
	X(LOAD_CAUSES_WALK, "dtlb_load_misses.miss_causes_a_walk") \
	X(LOAD_WALK_DONE_4K, "dtlb_load_misses.walk_completed_4k") \
	X(LOAD_WALK_DONE_2M, "dtlb_load_misses.walk_completed_2m_4m") \
	X(LOAD_WALK_DONE_1G, "dtlb_load_misses.walk_completed_1g") \
	X(LOAD_WALK_DONE, "dtlb_load_misses.walk_completed") \
	X(LOAD_PDE_MISS, "dtlb_load_misses.pde_cache_miss") \
	X(LOAD_STLB_HIT_4K, "dtlb_load_misses.stlb_hit_4k") \
	X(LOAD_STLB_HIT_2M, "dtlb_load_misses.stlb_hit_2m") \
	X(LOAD_STLB_HIT, "dtlb_load_misses.stlb_hit") \
	X(LOAD_RET, "mem_uops_retired.all_loads") \
	X(LOAD_RET_STLB_MISS, "mem_uops_retired.stlb_miss_loads") \
	X(LOAD_WALK_CYCLES, "dtlb_load_misses.walk_duration") \
	X(STORE_CAUSES_WALK, "dtlb_store_misses.miss_causes_a_walk") \
	X(STORE_WALK_DONE_4K, "dtlb_store_misses.walk_completed_4k") \
	X(STORE_WALK_DONE_2M, "dtlb_store_misses.walk_completed_2m_4m") \
	X(STORE_WALK_DONE_1G, "dtlb_store_misses.walk_completed_1g") \
	X(STORE_WALK_DONE, "dtlb_store_misses.walk_completed") \
	X(STORE_PDE_MISS, "dtlb_store_misses.pde_cache_miss") \
	X(STORE_STLB_HIT_4K, "dtlb_store_misses.stlb_hit_4k") \
	X(STORE_STLB_HIT_2M, "dtlb_store_misses.stlb_hit_2m") \
	X(STORE_STLB_HIT, "dtlb_store_misses.stlb_hit") \
	X(STORE_RET, "mem_uops_retired.all_stores") \
	X(STORE_RET_STLB_MISS, "mem_uops_retired.stlb_miss_stores") \
	X(STORE_WALK_CYCLES, "dtlb_store_misses.walk_duration") \
	X(REF_L1, "page_walker_loads.dtlb_l1") \
	X(REF_L2, "page_walker_loads.dtlb_l2") \
	X(REF_L3, "page_walker_loads.dtlb_l3") \
	X(REF_MEM, "page_walker_loads.dtlb_memory") \
	X(DATA_L1_HIT, "mem_load_uops_retired.l1_hit") \
	X(DATA_L2_HIT, "mem_load_uops_retired.l2_hit") \
	X(DATA_L3_HIT, "mem_load_uops_retired.l3_hit") \
	X(DATA_L3_MISS, "mem_load_uops_retired.l3_miss") \
	X(CLEARS, "machine_clears.count") \
	X(BRANCH_MISSES, "br_misp_retired.all_branches") \
	X(CYCLES, "cycles") \
	X(INSTRUCTIONS, "instructions") \
	X(PAGE_FAULTS, "page-faults")

/* What no counter shows: how often each feature acted. */
#define SIM_TRUTHS(X) \
	X(PREFETCHES, "translation prefetches begun") \
	X(PREFETCH_ABORTS, "… that stopped at an entry whose accessed bit was clear") \
	X(PREFETCH_FILLS, "… that filled a TLB") \
	X(EARLY_LOOKUPS, "paging-structure lookups before the MSHRs") \
	X(MERGED, "requests merged with a walk in flight") \
	X(ROOT_HITS, "walks that began at the root cache's entry") \
	X(BYPASSED, "walks that completed with no reference seen") \
	X(REPLAYED, "walks done again at retirement, unseen") \
	X(ABORTED, "walks that stopped after a reference") \
	X(ABORTED_UNSEEN, "walks that stopped before the first") \
	X(DROPPED, "requests dropped before a walk") \
	X(PREFETCHES_DONE, "prefetches that counted as completed walks") \
	X(TWINS, "walks of a second walker for a page that is being walked") \
	X(STORMED, "walks stopped before the first reference and begun again") \
	X(WRONG_PATH, "µops of a wrong path that began") \
	X(ACCESSED_SET, "accessed bits that walks set")

enum sim_event {
#define X(id, name) SIM_##id,
	SIM_EVENTS(X)
#undef X
	SIM_N_EVENTS,
	SIM_FIRST_TRUTH = SIM_N_EVENTS,
	SIM_BEFORE_TRUTHS = SIM_FIRST_TRUTH - 1,
#define X(id, text) SIM_TRUE_##id,
	SIM_TRUTHS(X)
#undef X
	SIM_N_COUNTS
};

/* distance from a load's event to the same event of stores */
#define SIM_STORE_EVENTS ((int)SIM_STORE_CAUSES_WALK - (int)SIM_LOAD_CAUSES_WALK)

const char *sim_event_name(enum sim_event);  /* perf's name, or the text of a truth */
/* Finds an event by perf's name, with or without a modifier (":u"). Truths are not found. */
bool sim_event_find(const char *name, enum sim_event *);

#endif
