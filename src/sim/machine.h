/* A simulated machine as described by a data file (.machine): sizes, widths, latencies, and its features.
 * docs/simulated-machine.md documents the language. */
#ifndef SIM_MACHINE_H
#define SIM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/op.h"
#include "sim/pipeline/predict.h"

struct diags;
struct err;

#define SIM_MACHINE_FILE_MAX ((size_t)1 << 20)
#define SIM_LINE 64u                        /* bytes of a cache line */
#define SIM_WAYS_MAX 64                     /* ways of any structure */
#define SIM_CACHE_MAX ((uint64_t)1 << 32)   /* bytes */

enum sim_page { SIM_4K, SIM_2M, SIM_1G, SIM_PAGES };
static inline unsigned sim_page_shift(enum sim_page p) { return 12 + 9 * (unsigned)p; }

struct sim_ways { unsigned entries, ways; }; /* entries / ways sets, a power of two; entries 0: no such structure */

struct sim_cache {
	uint64_t bytes;
	unsigned ways, latency; /* cycles from the request to the data */
	unsigned line;          /* bytes of a line; 0: SIM_LINE */
};

/* A group of equal issue ports, which take µops of some kinds. */
struct sim_ports {
	unsigned n;
	uint32_t kinds; /* set: bit 1 << enum sim_op_kind */
};

#define SIM_PORTS_MAX 8

/* How a load finds out whether an older store of unknown address writes what it reads. */
enum sim_disambiguation {
	SIM_ORACLE, /* the load knows */
	SIM_WAIT,   /* the load waits for the addresses of all older stores */
	SIM_BLIND,  /* the load goes ahead; if that was wrong, it and all younger µops begin again */
};

/* Which line of a set is evicted when another one comes. */
enum sim_replacement {
	SIM_LRU,    /* the one that was not used for the longest time */
	SIM_FIFO,   /* the one that came first, used or not */
	SIM_RANDOM, /* any, drawn by a generator of the cache's own */
	SIM_N_REPLACEMENTS
};
const char *sim_replacement_name(enum sim_replacement);

/* The pipeline of a core, which is simulated cycle by cycle. */
struct sim_pipeline {
	bool there;              /* false: the machine is simulated by sim/core.c */
	unsigned fetch;          /* instructions fetched in a cycle */
	unsigned fetch_branches; /* branches fetched in a cycle */
	unsigned fetch_taken;    /* taken branches fetched in a cycle; fetch ends at the last of them */
	unsigned front_end;      /* cycles from fetch to dispatch */
	unsigned fetch_buffer;   /* µops that can wait for dispatch, beyond width × front_end on their way to it */
	unsigned redirect;       /* cycles that fetch loses at a branch whose target is not known before decoding */
	unsigned issue, commit;  /* µops in a cycle */
	unsigned window;         /* µops from fetch to commit; 0: no such limit */
	unsigned scheduler;      /* µops that wait for their operands or a port; 0: as many as the reorder buffer */
	unsigned int_registers, fp_registers; /* physical registers for results in flight; 0: always enough */
	unsigned branches;       /* branches from fetch to commit */
	struct sim_ports ports[SIM_PORTS_MAX];
	unsigned n_ports;        /* groups in `ports` */
	unsigned latency[SIM_N_OP_KINDS]; /* cycles; for loads and stores: until the address is known */
	uint32_t blocking;       /* set of kinds whose port is busy until the result is there */
	unsigned forward;        /* cycles from a load's address to data from the store queue */
	enum sim_disambiguation disambiguation;
	unsigned store_sets;     /* with SIM_BLIND: entries of the table of store sets; 0: none */
	struct sim_cache l1i;    /* its latency is part of front_end */
	enum sim_replacement replacement; /* replacement of lines in all caches */
	bool translates;         /* false: there are no TLBs, and addresses are translated at once */
	struct sim_ways itlb;    /* TLB of instructions, for 4 KB pages */
	struct sim_predictor_size predictor;
	unsigned stride_entries, stride_ahead; /* stride prefetcher; 0 entries: none */
	/* data caches are looked up in program order, when an access is fetched; false: when it is executed */
	bool lookup_at_fetch;
	unsigned rob_pack;       /* with rob_compression: µops dispatched in a cycle that share an entry */
	unsigned banks;          /* banks of the first data cache; a cycle's loads conflict in a bank; 0: none do */
	unsigned fp_dispatch;    /* floating-point µops dispatched in a cycle; 0: as many as others */
	unsigned write_back;     /* loads that can write their result in a cycle; 0: any number */
};

/* X(id, name, text): features that may be planted, that is, switched on. A machine file says which features the machine
 * may have, and which it has by default. */
#define SIM_PLANTS(X) \
	X(TLB_PF, "tlb_pf", "loads of certain neighbouring lines prefetch the translation of the next page") \
	X(EARLY_PSC, "early_psc", "paging-structure caches are looked up before a walk is requested") \
	X(MERGING, "merging", "a request for a page that is being walked waits for that walk") \
	X(PML4E, "pml4e", "a cache of root entries saves the reference to the root table") \
	X(BYPASS, "bypass", \
		"a load's walk after a store with unknown address is done at retirement, by references that " \
		"no counter shows") \
	X(PF_SETS, "pf_sets", "a prefetch sets accessed bits instead of stopping where one is clear") \
	X(PF_STORES, "pf_stores", "stores trigger prefetches, too") \
	X(PF_DTLB_MISS, "pf_dtlb_miss", "only accesses that miss the first-level TLB trigger prefetches") \
	X(PF_STLB_MISS, "pf_stlb_miss", "only accesses that miss the second-level TLB trigger prefetches") \
	X(AB_WALK, "ab_walk", "a walk may be stopped before its first reference") \
	X(AB_PSC, "ab_psc", "a request may be dropped after the paging-structure lookup") \
	X(REPLAY, "replay", \
		"a walk that meets a clear accessed bit on a µop that is not the oldest stops, and is repeated at " \
		"retirement, unseen") \
	X(PF_DONE, "pf_done", "a prefetch that fills a TLB counts as a completed walk, though no miss caused it") \
	X(TWIN, "twin", \
		"a request for a page that is being walked is walked by a second walker, which counts its references " \
		"and completion, not its cause") \
	X(STORM, "storm", \
		"a walk of a retiring µop is stopped three times before its first reference, and counted each time " \
		"it begins") \
	X(WRONG_PATH, "wrong_path", "fetch goes on behind a mispredicted branch, and what it fetches is executed") \
	X(ROB_COMPRESSION, "rob_compression", \
		"simple µops that are dispatched in the same cycle share an entry of the reorder buffer") \
	X(MOVE_ELIMINATION, "move_elimination", "copies of registers need no unit and no cycle") \
	X(FMA_SPLIT, "fma_split", "a fused multiply-add is executed as a multiplication and an addition") \
	X(STA_STD, "sta_std", "a store's address does not wait for its data") \
	X(NUKE_REPLAY, "nuke_replay", \
		"a load that an older store overtakes while it is executed begins again; without it, all that " \
		"follows is fetched again")

enum sim_plant {
#define X(id, name, text) SIM_PLANT_##id,
	SIM_PLANTS(X)
#undef X
	SIM_N_PLANTS
};
typedef uint32_t sim_plants; /* set: bit 1 << enum sim_plant */
const char *sim_plant_name(enum sim_plant);
const char *sim_plant_text(enum sim_plant);
bool sim_plant_find(const char *name, enum sim_plant *);
/* Returns "early_psc,merging", or "none", as sim_plants_parse() reads it. The caller frees it. */
char *sim_plants_text(sim_plants);

struct sim_machine {
	char *name, *text;
	unsigned width, rob, load_queue, store_queue; /* µops per cycle; entries */
	/* cycles from the resolved branch to the first µop of the right path */
	unsigned branch_penalty;
	struct sim_ways dtlb[SIM_PAGES];             /* first level, one for each page size */
	struct sim_ways stlb;                        /* second level, shared by the page sizes of stlb_holds */
	bool stlb_holds[SIM_PAGES];
	unsigned stlb_latency;
	struct sim_ways pde, pdpte, pml4e;           /* paging-structure caches; pml4e only if it is planted */
	unsigned walkers, mshrs;                     /* concurrent walks; requests that can wait for a walk */
	unsigned walk_start;                         /* cycles from the STLB miss to the first reference */
	/* neighbouring lines that trigger a prefetch of the next page (51 52), and of the previous page (8 7) */
	unsigned line_up[2], line_down[2];
	struct sim_cache l1, l2, l3;
	unsigned memory_latency;
	unsigned data_mlp;                           /* concurrent misses of the first level (fill buffers) */
	double ghz;
	/* number of programmable counters; number of fixed counters, for cycles and instructions */
	unsigned counters, fixed;
	unsigned timer_hz;                           /* timer interrupts per second */
	unsigned fault_cycles;                       /* the kernel's time for the first touch of a page */
	/* features that the machine may have; features that it has by default */
	sim_plants may, has;
	struct sim_pipeline pipe;
	/* installed stacks that show where the cycles of its pipeline go, the first one first */
	char **stack;
	size_t n_stacks;
};

/* Parses a machine, which the caller frees. Returns NULL and adds diagnostics on errors such as impossible sizes or
 * unknown words. `path` is for messages. `changes` are items, without the last ';', that replace those of the text;
 * NULL or "": none. */
struct sim_machine *sim_machine_parse(
	const char *path, const char *text, size_t len, const char *changes, struct diags *);
void sim_machine_free(struct sim_machine *);

/* Parses a set of features: "early_psc,merging", "none", "all", "-bypass" (what the machine has, without bypass),
 * "+ab_walk", "all,-replay". Returns false and sets *e if a feature is unknown, named twice, or impossible on the
 * machine. */
bool sim_plants_parse(const struct sim_machine *, const char *text, sim_plants *, struct err *e);

#endif
