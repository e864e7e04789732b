/* A simulated machine as described by a data file (.machine): sizes, widths, latencies, and its features.
 * docs/simulated-machine.md documents the language. */
#ifndef COLLECT_SIM_MACHINE_H
#define COLLECT_SIM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
};

/* X(id, name, text): features that may be planted, that is, switched on. A machine file says which ones the machine may
 * have, and which it has unless the user says otherwise. */
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
		"it begins")

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
	struct sim_ways pde, pdpte, pml4e;           /* paging-structure caches; pml4e is used where planted */
	unsigned walkers, mshrs;                     /* concurrent walks; requests that can wait for a walk */
	unsigned walk_start;                         /* cycles from the STLB miss to the first reference */
	/* neighbouring lines that trigger the next, the previous page: 51 52, 8 7 */
	unsigned line_up[2], line_down[2];
	struct sim_cache l1, l2, l3;
	unsigned memory_latency;
	unsigned data_mlp;                           /* concurrent misses of the first level (fill buffers) */
	double ghz;
	/* counters of the PMU: programmable; fixed ones for cycles and instructions */
	unsigned counters, fixed;
	unsigned timer_hz;                           /* timer interrupts per second */
	unsigned fault_cycles;                       /* the kernel's time for the first touch of a page */
	/* features: those it may have; those it has unless the user says otherwise */
	sim_plants may, has;
};

/* Parses a machine. NULL and diagnostics on errors: impossible sizes, unknown words. The caller frees the machine.
 * `path` is for messages. */
struct sim_machine *sim_machine_parse(const char *path, const char *text, size_t len, struct diags *);
void sim_machine_free(struct sim_machine *);

/* Parses a set of features: "early_psc,merging", "none", "all", "-bypass" (what the machine has, without bypass),
 * "+ab_walk", "all,-replay". False and *e when one is unknown, named twice, or impossible on the machine. */
bool sim_plants_parse(const struct sim_machine *, const char *text, sim_plants *, struct err *e);

#endif
