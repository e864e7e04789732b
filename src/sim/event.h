/* What can be counted in a simulated core: events that perf knows, followed by the truth, which no PMU shows. */
#ifndef SIM_EVENT_H
#define SIM_EVENT_H

#include <stdbool.h>
#include <stddef.h>

/* X(id, perf's name (perfmon's for Haswell)): what a counter of that name counts on the machine. Events of loads come
 * first, then those of stores in the same order. */
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
	X(PAGE_FAULTS, "page-faults") \
	SIM_PIPE_EVENTS(X)

/* Events of machines with a pipeline. "miss" counts each miss of a structure, on wrong paths, too; "miss.retired"
 * counts µops that retired and were the first to miss there. METHOD.PART counts cycles
 * (sim/account/account.h). */
#define SIM_PIPE_EVENTS(X) \
	X(PIPE_UOPS, "uops.retired") \
	X(PIPE_DISPATCHED, "uops.dispatched") \
	X(PIPE_ISSUED, "uops.issued") \
	X(PIPE_FETCHED, "uops.fetched") \
	X(PIPE_BRANCHES, "branches.retired") \
	X(PIPE_CONDITIONALS, "branches.conditional") \
	X(PIPE_L1I, "l1i.miss") \
	X(PIPE_L2I, "l2i.miss") \
	X(PIPE_L3I, "l3i.miss") \
	X(PIPE_ITLB, "itlb.miss") \
	X(PIPE_BRANCH, "branch.miss") \
	X(PIPE_L1D, "l1d.miss") \
	X(PIPE_L2D, "l2d.miss") \
	X(PIPE_L3D, "l3d.miss") \
	X(PIPE_DTLB, "dtlb.miss") \
	X(PIPE_L1I_RETIRED, "l1i.miss.retired") \
	X(PIPE_L2I_RETIRED, "l2i.miss.retired") \
	X(PIPE_L3I_RETIRED, "l3i.miss.retired") \
	X(PIPE_ITLB_RETIRED, "itlb.miss.retired") \
	X(PIPE_BRANCH_RETIRED, "branch.miss.retired") \
	X(PIPE_L1D_RETIRED, "l1d.miss.retired") \
	X(PIPE_L2D_RETIRED, "l2d.miss.retired") \
	X(PIPE_L3D_RETIRED, "l3d.miss.retired") \
	X(PIPE_DTLB_RETIRED, "dtlb.miss.retired") \
	X(PIPE_L1I_ACCESS, "l1i.access") \
	X(PIPE_L1D_ACCESS, "l1d.access") \
	X(PIPE_L1D_MISS, "l1d.miss.all") /* of loads and stores */ \
	X(PIPE_L2_ACCESS, "l2.access") \
	X(PIPE_L2_MISS, "l2.miss") \
	X(PIPE_L3_ACCESS, "l3.access") \
	X(PIPE_L3_MISS, "l3.miss") \
	X(PIPE_PREFETCH, "prefetch.access") \
	X(PIPE_PREFETCH_MISS, "prefetch.miss") \
	X(PIPE_FORWARDED, "loads.forwarded") \
	X(PIPE_UNDELIVERED, "slots.undelivered") \
	X(PIPE_NONE_DELIVERED, "cycles.undelivered") \
	X(PIPE_RECOVERY, "cycles.recovery") \
	X(PIPE_CLEARS, "clears") \
	X(PIPE_EXEC_NONE, "cycles.exec_none") \
	X(PIPE_LOAD_WAIT, "cycles.load_wait") \
	X(PIPE_L1D_WAIT, "cycles.l1d_wait") \
	X(PIPE_L2D_WAIT, "cycles.l2d_wait") \
	X(PIPE_L3D_WAIT, "cycles.l3d_wait") \
	X(PIPE_DTLB_WAIT, "cycles.dtlb_wait") \
	X(PIPE_STORE_FULL, "cycles.store_full") \
	X(PIPE_L1I_WAIT, "cycles.l1i_wait") \
	X(PIPE_ITLB_WAIT, "cycles.itlb_wait") \
	X(PIPE_DIV_BUSY, "cycles.div_busy") \
	X(PIPE_WRONG_FETCH, "uops.fetched.wrong") \
	X(PIPE_HIDDEN, "cycles.hidden") /* a front-end event is under way while a miss of data fills the buffer */ \
	SIM_SLOT_EVENTS(X) \
	SIM_METHOD_EVENTS(X, POWER5, "power5") \
	SIM_METHOD_EVENTS(X, FMT, "fmt") \
	SIM_METHOD_EVENTS(X, SFMT, "sfmt") \
	SIM_METHOD_EVENTS(X, TEA, "tea") \
	SIM_METHOD_EVENTS(X, REFERENCE, "truth") \
	SIM_METHOD_EVENTS(X, INVERSE, "inverse")

/* Dispatch slots, each charged to one cause (sim/pipeline/pipe_slots.c). They sum to width × cycles. The levels of
 * loads, and those of stores, are in the order L1, L2, L3, memory. */
#define SIM_SLOT_EVENTS(X) \
	X(SLOT_RETIRING, "slots.retiring") \
	X(SLOT_WRONG_PATH, "slots.wrong_path") \
	X(SLOT_RECOVERY, "slots.recovery") \
	X(SLOT_CLEARED, "slots.cleared") \
	X(SLOT_ITLB, "slots.itlb") \
	X(SLOT_ICACHE_L2, "slots.icache_l2") \
	X(SLOT_ICACHE_L3, "slots.icache_l3") \
	X(SLOT_ICACHE_MEM, "slots.icache_mem") \
	X(SLOT_TAKEN, "slots.taken_branch") \
	X(SLOT_BRANCHES, "slots.branch_limit") \
	X(SLOT_FETCH, "slots.fetch_bandwidth") \
	X(SLOT_LOAD_L1, "slots.load_l1") \
	X(SLOT_LOAD_L2, "slots.load_l2") \
	X(SLOT_LOAD_L3, "slots.load_l3") \
	X(SLOT_LOAD_MEM, "slots.load_mem") \
	X(SLOT_STORE_L1, "slots.store_l1") \
	X(SLOT_STORE_L2, "slots.store_l2") \
	X(SLOT_STORE_L3, "slots.store_l3") \
	X(SLOT_STORE_MEM, "slots.store_mem") \
	X(SLOT_DTLB, "slots.dtlb") \
	X(SLOT_MEM_BANDWIDTH, "slots.mem_bandwidth") \
	X(SLOT_INT_BANDWIDTH, "slots.int_bandwidth") \
	X(SLOT_FV_BANDWIDTH, "slots.fv_bandwidth") \
	X(SLOT_SCALAR_EXECUTE, "slots.scalar_execute") \
	X(SLOT_FV_EXECUTE, "slots.fv_execute") \
	X(SLOT_NOT_READY, "slots.not_ready") \
	X(SLOT_COMMIT, "slots.commit_limit")

/* in the order of enum sim_part */
#define SIM_METHOD_EVENTS(X, ID, name) \
	X(ID##_BASE, name ".base") \
	X(ID##_BRANCH, name ".branch") \
	X(ID##_L1I, name ".l1i") \
	X(ID##_L2I, name ".l2i") \
	X(ID##_L3I, name ".l3i") \
	X(ID##_ITLB, name ".itlb") \
	X(ID##_L1D, name ".l1d") \
	X(ID##_L2D, name ".l2d") \
	X(ID##_L3D, name ".l3d") \
	X(ID##_DTLB, name ".dtlb") \
	X(ID##_UNIT, name ".unit")

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

/* True for events that only machines with a pipeline have. */
static inline bool sim_event_is_of_pipe(enum sim_event e) { return e >= SIM_PIPE_UOPS && e < SIM_N_EVENTS; }
/* True for components of the truth, which reference runs find. These are no events of hardware and need no counter.
 * Only view 6 and hecate stack read them, to compare. They are the last events. */
static inline bool sim_event_is_reference(enum sim_event e) { return e >= SIM_REFERENCE_BASE && e < SIM_N_EVENTS; }

/* distance from a load's event to the same event of stores */
#define SIM_STORE_EVENTS ((int)SIM_STORE_CAUSES_WALK - (int)SIM_LOAD_CAUSES_WALK)

const char *sim_event_name(enum sim_event);  /* perf's name, or the text of a truth */
/* Finds an event by perf's name, with or without a modifier (":u"). Truths are not found. */
bool sim_event_find(const char *name, enum sim_event *);
/* Returns "nearest: A, B" of perf's names; NULL: none. The caller frees. */
char *sim_event_near(const char *name);

#endif
