/* The simulated MMU, µop by µop: sequences whose counts are worked out by hand, with each planted feature and without.
 * Times are those of tests/lib/sim_bed.h: one µop a cycle; the STLB answers after 7, a walk's first reference comes 5
 * after its begin; caches take 4, 12, 40, memory 200. */
#include "sim/mmu/mmu.h"

#include <stdio.h>

#include "sim_bed.h"
#include "test.h"

#define PAGE ((uint64_t)1 << 12)
#define MB ((uint64_t)1 << 20)
#define GB ((uint64_t)1 << 30)
#define LINE ((uint64_t)64)

/* Four memory references, because nothing is cached; then the neighbours. */
static void
walks_of_4k_pages(void)
{
	struct bed b;

	bed_init(&b, SIM_4K, 0);
	bed_begin(&b);
	bed_load(&b, 0, 0);
	/* Dispatched at 1, the walk begins at 8, the first reference at 13, all are back at 813, the data at 1013. */
	COUNTS(&b,
		"LOAD_RET 1, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 1, LOAD_WALK_DONE_4K 1, "
		"LOAD_PDE_MISS 1, REF_MEM 4, LOAD_WALK_CYCLES 805, CYCLES 1013, "
		"INSTRUCTIONS 1, DATA_L3_MISS 1");
	bed_drain(&b);
	bed_load(&b, 8, 0);
	COUNTS(&b, "LOAD_RET 1, DATA_L1_HIT 1, CYCLES 5");
	bed_drain(&b);
	bed_load(&b, PAGE + LINE, 0); /* below the same PDE, its entry in the same line of the table */
	COUNTS(&b,
		"LOAD_RET 1, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 1, LOAD_WALK_DONE_4K 1, REF_L1 "
		"1, LOAD_WALK_CYCLES 9");
	bed_drain(&b);
	bed_load(&b, 8 * PAGE + 2 * LINE, 0); /* in the next line */
	COUNTS(&b,
		"LOAD_RET 1, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 1, LOAD_WALK_DONE_4K 1, REF_MEM "
		"1");
	bed_drain(&b);
	bed_load(&b, 2 * MB + 3 * LINE, 0); /* below the next PDE; the PDPTE is known */
	COUNTS(&b,
		"LOAD_RET 1, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 1, LOAD_WALK_DONE_4K 1, "
		"LOAD_PDE_MISS 1, REF_L1 1, REF_MEM 1");
	bed_drain(&b);
	/* below the next PDPTE: its entry and the root's are in lines read before */
	bed_store(&b, GB + 4 * LINE, 0);
	COUNTS(&b,
		"STORE_RET 1, STORE_RET_STLB_MISS 1, STORE_CAUSES_WALK 1, STORE_WALK_DONE 1, STORE_WALK_DONE_4K 1, "
		"STORE_PDE_MISS 1, REF_L1 2, REF_MEM 2");
	bed_end(&b);
}

static void
walks_of_large_pages(void)
{
	struct bed b;

	bed_init(&b, SIM_2M, 0);
	bed_begin(&b);
	bed_load(&b, 0, 0);
	COUNTS(&b,
		"LOAD_RET 1, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 1, LOAD_WALK_DONE_2M 1, "
		"LOAD_PDE_MISS 1, REF_MEM 3");
	bed_drain(&b);
	bed_load(&b, 2 * MB - 8, 0);
	COUNTS(&b, "LOAD_RET 1");
	bed_store(&b, 2 * MB, 0); /* the PDE cache has no entries of 2 MB pages; the PDPTE is known */
	COUNTS(&b,
		"STORE_RET 1, STORE_RET_STLB_MISS 1, STORE_CAUSES_WALK 1, STORE_WALK_DONE 1, STORE_WALK_DONE_2M 1, "
		"STORE_PDE_MISS 1, REF_L1 1");
	bed_end(&b);

	bed_init(&b, SIM_1G, 0);
	bed_begin(&b);
	bed_load(&b, 0, 0);
	COUNTS(&b,
		"LOAD_RET 1, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 1, LOAD_WALK_DONE_1G 1, "
		"LOAD_PDE_MISS 1, REF_MEM 2");
	bed_drain(&b);
	bed_load(&b, GB, 0); /* it replaces the TLB's only entry */
	COUNTS(&b,
		"LOAD_RET 1, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 1, LOAD_WALK_DONE_1G 1, "
		"LOAD_PDE_MISS 1, REF_L1 2");
	bed_drain(&b);
	bed_load(&b, 0, 0); /* no other TLB has it */
	COUNTS(&b,
		"LOAD_RET 1, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 1, LOAD_WALK_DONE_1G 1, "
		"LOAD_PDE_MISS 1, REF_L1 2");
	bed_end(&b);
}

static void
the_second_level_keeps_evicted_entries(void)
{
	static const struct { enum sim_page page; unsigned pages; const char *hit; } row[] = {
		{SIM_4K, 5, "LOAD_RET 1, LOAD_STLB_HIT 1, LOAD_STLB_HIT_4K 1, DATA_L1_HIT 1"},
		{SIM_2M, 3, "LOAD_RET 1, LOAD_STLB_HIT 1, LOAD_STLB_HIT_2M 1, DATA_L1_HIT 1"},
	};

	for (size_t i = 0; i < 2; i++) {
		uint64_t size = (uint64_t)1 << sim_page_shift(row[i].page);
		struct bed b;

		bed_init(&b, row[i].page, 0);
		bed_begin(&b);
		/* one more than the first level holds; the lines are in several sets of L1 */
		for (unsigned k = 0; k < row[i].pages; k++) {
			bed_load(&b, k * size + k * LINE, 0);
			bed_drain(&b);
		}
		COUNTS(&b,
			i ? "LOAD_RET 3, LOAD_RET_STLB_MISS 3, LOAD_CAUSES_WALK 3, LOAD_WALK_DONE 3, LOAD_WALK_DONE_2M "
			    "3, LOAD_PDE_MISS 3, REF_MEM 3, REF_L1 2"
			  : "LOAD_RET 5, LOAD_RET_STLB_MISS 5, LOAD_CAUSES_WALK 5, LOAD_WALK_DONE 5, LOAD_WALK_DONE_4K "
			    "5, LOAD_PDE_MISS 1, REF_MEM 4, REF_L1 4");
		bed_load(&b, 0, 0);
		COUNTS(&b, row[i].hit);
		bed_drain(&b);
		bed_load(&b, 8, 0); /* now the first level has it again */
		COUNTS(&b, "LOAD_RET 1");
		bed_end(&b);
	}
}

static void
the_root_cache_saves_a_reference(void)
{
	static const struct { enum sim_page page; const char *with, *without; } row[] = {
		{SIM_4K, "LOAD_WALK_DONE_4K 1, REF_L1 1, REF_MEM 2, TRUE_ROOT_HITS 1,",
			"LOAD_WALK_DONE_4K 1, REF_L1 2, REF_MEM 2,"},
		{SIM_2M, "LOAD_WALK_DONE_2M 1, REF_L1 1, REF_MEM 1, TRUE_ROOT_HITS 1,",
			"LOAD_WALK_DONE_2M 1, REF_L1 2, REF_MEM 1,"},
		{SIM_1G, "LOAD_WALK_DONE_1G 1, REF_L1 1, TRUE_ROOT_HITS 1,", "LOAD_WALK_DONE_1G 1, REF_L1 2,"},
	};
	char want[200];

	for (size_t i = 0; i < 3; i++)
		for (int on = 0; on < 2; on++) {
			struct bed b;

			bed_init(&b, row[i].page, on ? PLANT(PML4E) : 0);
			bed_begin(&b);
			bed_load(&b, 0, 0);
			bed_drain(&b);
			COUNTS(&b,
				i == 0 ? "LOAD_RET 1, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 1, "
					 "LOAD_WALK_DONE_4K 1, LOAD_PDE_MISS 1, REF_MEM 4"
					: i == 1 ? "LOAD_RET 1, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 1, "
						   "LOAD_WALK_DONE 1, LOAD_WALK_DONE_2M 1, LOAD_PDE_MISS 1, REF_MEM 3"
						 : "LOAD_RET 1, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 1, "
						   "LOAD_WALK_DONE 1, LOAD_WALK_DONE_1G 1, LOAD_PDE_MISS 1, REF_MEM 2");
			bed_load(&b, GB, 0);
			snprintf(want, sizeof want,
				"%s LOAD_RET 1, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 1, "
				"LOAD_PDE_MISS 1",
				on ? row[i].with : row[i].without);
			test_label("row %zu, pml4e %d", i, on);
			COUNTS(&b, want);
			bed_end(&b);
		}
}

/* Two loads, a cycle apart, of a page that is in no TLB. */
static void
the_second_request_merges_or_walks(void)
{
	static const struct { sim_plants plants; const char *want;
	} row[] = {
		{0,
			"LOAD_RET 2, LOAD_RET_STLB_MISS 2, LOAD_CAUSES_WALK 2, LOAD_WALK_DONE 2, LOAD_WALK_DONE_4K 2, "
			"LOAD_PDE_MISS 1, REF_MEM 4, REF_L1 1"},
		/* Looked up before the first walk filled anything. When this one begins, the PDPTE is known. */
		{PLANT(EARLY_PSC),
			"LOAD_RET 2, LOAD_RET_STLB_MISS 2, LOAD_CAUSES_WALK 2, LOAD_WALK_DONE 2, LOAD_WALK_DONE_4K 2, "
			"LOAD_PDE_MISS 2, REF_MEM 4, REF_L1 2, TRUE_EARLY_LOOKUPS 2"},
		{PLANT(MERGING),
			"LOAD_RET 2, LOAD_RET_STLB_MISS 2, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 1, LOAD_WALK_DONE_4K 1, "
			"LOAD_PDE_MISS 1, REF_MEM 4, TRUE_MERGED 1"},
		{PLANT(TWIN) | PLANT(EARLY_PSC),
			"LOAD_RET 2, LOAD_RET_STLB_MISS 2, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 2, LOAD_WALK_DONE_4K 2, "
			"LOAD_PDE_MISS 2, REF_MEM 4, REF_L1 4, TRUE_TWINS 1, TRUE_EARLY_LOOKUPS 2"},
		{PLANT(STORM),
			"LOAD_RET 2, LOAD_RET_STLB_MISS 2, LOAD_CAUSES_WALK 8, LOAD_WALK_DONE 2, LOAD_WALK_DONE_4K 2, "
			"LOAD_PDE_MISS 1, REF_MEM 4, REF_L1 1, TRUE_STORMED 6"},
		{PLANT(MERGING) | PLANT(EARLY_PSC),
			"LOAD_RET 2, LOAD_RET_STLB_MISS 2, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 1, LOAD_WALK_DONE_4K 1, "
			"LOAD_PDE_MISS 2, REF_MEM 4, TRUE_MERGED 1, TRUE_EARLY_LOOKUPS 2"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct bed b;

		bed_init(&b, SIM_4K, row[i].plants);
		bed_begin(&b);
		bed_load(&b, 0, 0);
		bed_load(&b, 8, 0);
		test_label("row %zu", i);
		COUNTS(&b, row[i].want);
		bed_end(&b);
	}
}

/* Only the end of a walk shows the size of the page, so requests merge within 4 KB. */
static void
requests_of_a_large_page_merge_within_4_kb(void)
{
	struct bed b;

	bed_init(&b, SIM_2M, PLANT(MERGING));
	bed_begin(&b);
	bed_load(&b, 0, 0);
	bed_load(&b, 2 * PAGE, 0);
	bed_load(&b, 8, 0);
	COUNTS(&b,
		"LOAD_RET 3, LOAD_RET_STLB_MISS 3, LOAD_CAUSES_WALK 2, LOAD_WALK_DONE 2, LOAD_WALK_DONE_2M 2, "
		"LOAD_PDE_MISS 2, REF_MEM 3, REF_L1 1, TRUE_MERGED 1");
	bed_end(&b);
}

/* The first walk ends at 813. Earlier requests merge, although the STLB would answer after that; a request at 813
 * hits. */
static void
merging_is_decided_at_the_lookup(void)
{
	for (uint16_t at = 806; at <= 813; at++) {
		struct sim_uop u[2] = {
			{.at = BED_BASE, .kind = SIM_LOAD},
			{.at = BED_BASE + 8, .kind = SIM_LOAD, .other = (uint16_t)(at - 2)}
		};
		struct bed b;

		bed_init(&b, SIM_4K, PLANT(MERGING));
		b.machine.rob = 2048;
		bed_begin(&b);
		sim_core_run(b.core, u, 2);
		test_label("asked at %u", at);
		COUNTS(&b,
			at < 813 ? "LOAD_RET 2, LOAD_RET_STLB_MISS 2, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 1, "
				   "LOAD_WALK_DONE_4K 1, LOAD_PDE_MISS 1, REF_MEM 4, TRUE_MERGED 1"
				 : "LOAD_RET 2, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 1, "
				   "LOAD_WALK_DONE_4K 1, LOAD_PDE_MISS 1, REF_MEM 4");
		bed_end(&b);
	}
}

/* Four requests wait or walk. The fifth, for the page of the first one, asks again when the first has its
 * translation. */
static void
a_request_without_an_mshr_asks_again(void)
{
	for (unsigned mshrs = 4; mshrs <= 5; mshrs++) {
		struct bed b;

		bed_init(&b, SIM_4K, 0);
		b.machine.mshrs = mshrs;
		bed_begin(&b);
		bed_loads(&b, 0, (int64_t)(PAGE + LINE), 4);
		bed_load(&b, 8, 0);
		test_label("%u MSHRs", mshrs);
		COUNTS(&b,
			mshrs == 4 ? "LOAD_RET 5, LOAD_RET_STLB_MISS 4, LOAD_CAUSES_WALK 4, LOAD_WALK_DONE 4, "
				     "LOAD_WALK_DONE_4K 4, LOAD_PDE_MISS 1, REF_MEM 4, REF_L1 3"
				   : "LOAD_RET 5, LOAD_RET_STLB_MISS 5, LOAD_CAUSES_WALK 5, LOAD_WALK_DONE 5, "
				     "LOAD_WALK_DONE_4K 5, LOAD_PDE_MISS 1, REF_MEM 4, REF_L1 4");
		bed_end(&b);
	}
}

/* Two walks below different entries of the root table, which are in one line. One walker walks one after the other.
 * With two, the second walk waits for that line and reads the rest at the same time. */
static void
walkers_work_at_once(void)
{
	for (unsigned walkers = 1; walkers <= 2; walkers++) {
		struct bed b;

		bed_init(&b, SIM_4K, 0);
		b.machine.walkers = walkers;
		bed_begin(&b);
		bed_load(&b, 0, 0);
		bed_load(&b, 512 * GB, 0);
		test_label("%u walkers", walkers);
		/* 813 + 5 + 4 + 3 × 200, and the data's 200; or all at 813, and the second load retires a cycle after
		 * the first. */
		COUNTS(&b,
			walkers == 1 ? "LOAD_RET 2, LOAD_RET_STLB_MISS 2, LOAD_CAUSES_WALK 2, LOAD_WALK_DONE 2, "
				       "LOAD_WALK_DONE_4K 2, LOAD_PDE_MISS 2, REF_MEM 7, REF_L1 1, CYCLES 1622"
				     : "LOAD_RET 2, LOAD_RET_STLB_MISS 2, LOAD_CAUSES_WALK 2, LOAD_WALK_DONE 2, "
				       "LOAD_WALK_DONE_4K 2, LOAD_PDE_MISS 2, REF_MEM 7, REF_L1 1, CYCLES 1014");
		bed_end(&b);
	}
}

/* The branch after the first load is resolved at 1014; the first load's walk occupies the walker until 813. */
static void
a_wrong_path_walks_until_the_squash(void)
{
	static const struct { sim_plants plants; const char *want;
	} row[] = {
		{0,
			"LOAD_CAUSES_WALK 2, LOAD_WALK_DONE 1, LOAD_WALK_DONE_4K 1, LOAD_PDE_MISS 1, REF_L1 3, REF_MEM "
			"1, TRUE_ABORTED 1, TRUE_DROPPED 1, TRUE_WRONG_PATH 3"},
		/* Lookups are done early, before the first walk filled anything. Without AB_PSC a lookup that was done
		 * still leads to its walk. */
		{PLANT(EARLY_PSC),
			"LOAD_CAUSES_WALK 3, LOAD_WALK_DONE 1, LOAD_WALK_DONE_4K 1, LOAD_PDE_MISS 3, REF_L1 5, REF_MEM "
			"1, TRUE_ABORTED 2, TRUE_WRONG_PATH 3, TRUE_EARLY_LOOKUPS 3"},
		{PLANT(EARLY_PSC) | PLANT(AB_PSC),
			"LOAD_CAUSES_WALK 2, LOAD_WALK_DONE 1, LOAD_WALK_DONE_4K 1, LOAD_PDE_MISS 3, REF_L1 4, REF_MEM "
			"1, TRUE_ABORTED 1, TRUE_DROPPED 1, TRUE_WRONG_PATH 3, TRUE_EARLY_LOOKUPS 3"},
		{PLANT(AB_PSC),
			"LOAD_CAUSES_WALK 2, LOAD_WALK_DONE 1, LOAD_WALK_DONE_4K 1, LOAD_PDE_MISS 1, REF_L1 3, REF_MEM "
			"1, TRUE_ABORTED 1, TRUE_DROPPED 1, TRUE_WRONG_PATH 3"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct bed b;
		bool early = row[i].plants & PLANT(EARLY_PSC);

		bed_init(&b, SIM_4K, row[i].plants);
		bed_begin(&b);
		bed_load(&b, 0, SIM_MISPREDICT);
		test_label("row %zu", i);
		COUNTS(&b,
			early ? "LOAD_RET 1, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 1, "
				"LOAD_WALK_DONE_4K 1, LOAD_PDE_MISS 1, REF_MEM 4, BRANCH_MISSES 1, TRUE_EARLY_LOOKUPS 1"
			      : "LOAD_RET 1, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 1, "
				"LOAD_WALK_DONE_4K 1, LOAD_PDE_MISS 1, REF_MEM 4, BRANCH_MISSES 1");
		bed_load(&b, PAGE, SIM_WRONG);            /* from 813 to 822, and it counts as completed */
		/* root and PDPTE in L1, then a PDE until 1035; the squash ends it */
		bed_load(&b, GB, SIM_WRONG);
		bed_load(&b, 2 * GB, SIM_WRONG);          /* it would begin at 1035 */
		bed_load(&b, 3 * GB, SIM_WRONG | SIM_DEPENDS); /* its address never comes */
		COUNTS(&b, row[i].want);
		/* dispatched at 1014 + 10 + 1; the page that the wrong path loaded is in the TLB; the first load ended
		 * at 1013 */
		bed_load(&b, PAGE, 0);
		COUNTS(&b, "LOAD_RET 1, CYCLES 16");
		bed_end(&b);
	}
}

/* The load's data come after 12 cycles, and the branch is resolved a cycle later. At that cycle the walk of the next
 * load, begun 7 after it, would make its first reference. */
static void
a_walk_may_stop_before_its_first_reference(void)
{
	for (int on = 0; on < 2; on++) {
		struct bed b;

		bed_init(&b, SIM_4K, on ? PLANT(AB_WALK) : 0);
		b.machine.l1.latency = 12;
		bed_begin(&b);
		bed_load(&b, 0, 0);
		bed_drain(&b);
		COUNTS(&b,
			"LOAD_RET 1, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 1, LOAD_WALK_DONE_4K 1, "
			"LOAD_PDE_MISS 1, REF_MEM 4");
		bed_load(&b, 0, SIM_MISPREDICT);
		bed_load(&b, PAGE, SIM_WRONG);
		test_label("ab_walk %d", on);
		COUNTS(&b,
			on ? "LOAD_RET 1, BRANCH_MISSES 1, LOAD_CAUSES_WALK 1, TRUE_WRONG_PATH 1, TRUE_ABORTED_UNSEEN "
			     "1, LOAD_WALK_CYCLES 5"
			   : "LOAD_RET 1, BRANCH_MISSES 1, LOAD_CAUSES_WALK 1, TRUE_WRONG_PATH 1, TRUE_ABORTED 1, "
			     "REF_L1 1, LOAD_WALK_CYCLES 17");
		bed_end(&b);
	}
}

/* A pointer from memory, a store through it, then a load of a page that is in no TLB. */
static void
a_walk_after_an_unknown_store_is_bypassed(void)
{
	static const struct { sim_plants plants; bool second_store; const char *want;
	} row[] = {
		{PLANT(BYPASS), false,
			"LOAD_RET 2, STORE_RET 1, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 1, "
			"LOAD_WALK_DONE_4K 1, TRUE_BYPASSED 1"},
		{0, false,
			"LOAD_RET 2, STORE_RET 1, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 1, "
			"LOAD_WALK_DONE_4K 1, REF_L1 1"},
		/* A store's own walk is not bypassed. */
		{PLANT(BYPASS), true,
			"LOAD_RET 1, STORE_RET 2, STORE_RET_STLB_MISS 1, STORE_CAUSES_WALK 1, STORE_WALK_DONE 1, "
			"STORE_WALK_DONE_4K 1, REF_L1 1"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct bed b;

		bed_init(&b, SIM_4K, row[i].plants);
		bed_begin(&b);
		bed_warm(&b, 0);
		bed_load(&b, 20 * LINE, 0);
		bed_store(&b, 0, SIM_DEPENDS);
		if (row[i].second_store)
			bed_store(&b, PAGE, 0);
		else
			bed_load(&b, PAGE, 0);
		test_label("row %zu", i);
		COUNTS(&b, row[i].want);
		bed_drain(&b);
		bed_load(&b, PAGE + 8, 0); /* it filled the TLBs, as every walk does */
		COUNTS(&b, "LOAD_RET 1");
		bed_end(&b);
	}
}

/* A store's address that waits for nothing is known before any later walk begins. */
static void
known_stores_bypass_nothing(void)
{
	struct bed b;

	bed_init(&b, SIM_4K, PLANT(BYPASS));
	bed_begin(&b);
	bed_warm(&b, 0);
	bed_store(&b, 0, 0);
	bed_load(&b, PAGE, 0);
	COUNTS(&b,
		"LOAD_RET 1, STORE_RET 1, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 1, "
		"LOAD_WALK_DONE_4K 1, REF_L1 1");
	bed_end(&b);
}

/* A fresh page after a load of 200 cycles: walked once, and again when the load has retired. */
static void
a_walk_is_replayed_at_retirement(void)
{
	static const struct { sim_plants plants; bool waits; const char *want;
	} row[] = {
		{PLANT(REPLAY), true,
			"LOAD_RET 1, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 2, LOAD_WALK_DONE 1, LOAD_WALK_DONE_4K 1, "
			"REF_L1 1, TRUE_ACCESSED_SET 1, PAGE_FAULTS 1, TRUE_REPLAYED 1, "
			"CYCLES 204"}, /* the walk again, and the data from memory */
		{0, true,
			"LOAD_RET 1, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 1, LOAD_WALK_DONE_4K 1, "
			"REF_L1 1, TRUE_ACCESSED_SET 1, PAGE_FAULTS 1, CYCLES 17"},
		{PLANT(REPLAY), false,
			"LOAD_RET 1, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 1, LOAD_WALK_DONE_4K 1, "
			"REF_L1 1, TRUE_ACCESSED_SET 1, PAGE_FAULTS 1"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct bed b;

		bed_init(&b, SIM_4K, row[i].plants);
		b.memory.touched = false;
		bed_begin(&b);
		bed_warm(&b, 0);
		if (row[i].waits) {
			bed_load(&b, 20 * LINE, 0);
			COUNTS(&b, "LOAD_RET 1, CYCLES 201");
		}
		bed_load(&b, PAGE, 0);
		test_label("row %zu", i);
		COUNTS(&b, row[i].want);
		bed_end(&b);
	}
}

/* A µop that never retires does not replay its walk. */
static void
a_squashed_walk_is_not_replayed(void)
{
	struct bed b;

	bed_init(&b, SIM_4K, PLANT(REPLAY));
	b.memory.touched = false;
	bed_begin(&b);
	bed_warm(&b, 0);
	bed_load(&b, 20 * LINE, SIM_MISPREDICT);
	bed_load(&b, PAGE, SIM_WRONG);
	COUNTS(&b, "LOAD_RET 1, BRANCH_MISSES 1, LOAD_CAUSES_WALK 1, REF_L1 1, TRUE_ABORTED 1, TRUE_WRONG_PATH 1");
	bed_end(&b);
}

/* Table entries of pages 2^43 bytes and more apart must be different ones. */
static void
far_addresses_are_walked(void)
{
	struct bed b;

	bed_init(&b, SIM_4K, 0);
	bed_begin(&b);
	bed_load(&b, ((uint64_t)1 << 48) - PAGE - BED_BASE, 0);
	COUNTS(&b,
		"LOAD_RET 1, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 1, LOAD_WALK_DONE_4K 1, "
		"LOAD_PDE_MISS 1, REF_MEM 4, TRUE_ACCESSED_SET 1, PAGE_FAULTS 1");
	bed_end(&b);
}

TEST_MAIN(CASE(walks_of_4k_pages), CASE(walks_of_large_pages), CASE(the_second_level_keeps_evicted_entries),
	CASE(the_root_cache_saves_a_reference), CASE(the_second_request_merges_or_walks),
	CASE(requests_of_a_large_page_merge_within_4_kb), CASE(merging_is_decided_at_the_lookup),
	CASE(a_request_without_an_mshr_asks_again), CASE(walkers_work_at_once),
	CASE(a_wrong_path_walks_until_the_squash), CASE(a_walk_may_stop_before_its_first_reference),
	CASE(a_walk_after_an_unknown_store_is_bypassed), CASE(known_stores_bypass_nothing),
	CASE(a_walk_is_replayed_at_retirement), CASE(a_squashed_walk_is_not_replayed), CASE(far_addresses_are_walked))
