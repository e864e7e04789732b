/* The simulated TLB prefetcher, µop by µop: which pairs of accesses cause a prefetch, when, and what its walk counts.
 * All counts are worked out by hand. Times are those of tests/lib/sim_bed.h. */
#include "sim/mmu/mmu.h"

#include "sim_bed.h"
#include "test.h"

#define PAGE ((uint64_t)1 << 12)
#define LINE ((uint64_t)64)

/* Every pair of neighbouring lines in a page, upwards and downwards. */
static void
only_two_pairs_of_lines_prefetch(void)
{
	for (int step = -1; step <= 1; step += 2)
		for (int line = 0; line < 64; line++) {
			uint64_t page = 20 * PAGE;
			bool asks = (step > 0 && line == 51) || (step < 0 && line == 8);
			struct bed b;

			if (line + step < 0 || line + step > 63)
				continue;
			bed_init(&b, SIM_4K, PLANT(TLB_PF));
			bed_begin(&b);
			bed_warm(&b, page);
			bed_load(&b, page + (uint64_t)line * LINE, 0);
			bed_load(&b, page + (uint64_t)line * LINE + 8, 0);
			bed_load(&b, page + (uint64_t)(line + step) * LINE, 0);
			bed_drain(&b);
			test_label("%d to %d", line, line + step);
			COUNTS(&b,
				asks ? "LOAD_RET 3, REF_L1 1, TRUE_PREFETCHES 1, TRUE_PREFETCH_FILLS 1" : "LOAD_RET 3");
			bed_load(&b, page + PAGE, 0);
			bed_drain(&b);
			COUNTS(&b,
				asks && step > 0 ? "LOAD_RET 1"
						 : "LOAD_RET 1, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 1, "
						   "LOAD_WALK_DONE 1, LOAD_WALK_DONE_4K 1, REF_L1 1");
			/* its entry is in another line than those of the other pages: the line before */
			bed_load(&b, page - PAGE, 0);
			COUNTS(&b,
				asks && step < 0 ? "LOAD_RET 1"
						 : "LOAD_RET 1, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 1, "
						   "LOAD_WALK_DONE 1, LOAD_WALK_DONE_4K 1, REF_L1 1");
			bed_end(&b);
		}
}

static void
other_pairs_do_not_prefetch(void)
{
	static const struct {
		const char *what;
		sim_plants plants;
		uint64_t from, to;
		bool store[2];
		bool asks;
	} row[] = {
		{"planted", PLANT(TLB_PF), 51, 52, {false, false}, true},
		{"not planted", 0, 51, 52, {false, false}, false},
		{"of another page", PLANT(TLB_PF), 51, 64 + 52, {false, false}, false},
		{"stores", PLANT(TLB_PF), 51, 52, {true, true}, false},
		{"stores that may", PLANT(TLB_PF) | PLANT(PF_STORES), 51, 52, {true, true}, true},
		{"a store, then a load", PLANT(TLB_PF) | PLANT(PF_STORES), 51, 52, {true, false}, false},
		{"a load, then a store", PLANT(TLB_PF) | PLANT(PF_STORES), 51, 52, {false, true}, false},
		{"not at a DTLB hit", PLANT(TLB_PF) | PLANT(PF_DTLB_MISS), 51, 52, {false, false}, false},
		{"not at an STLB hit", PLANT(TLB_PF) | PLANT(PF_STLB_MISS), 51, 52, {false, false}, false},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		const uint64_t line[2] = {row[i].from, row[i].to};
		struct bed b;

		bed_init(&b, SIM_4K, row[i].plants);
		bed_begin(&b);
		bed_warm(&b, 0);
		bed_warm(&b, PAGE);
		for (int k = 0; k < 2; k++)
			if (row[i].store[k])
				bed_store(&b, line[k] * LINE, 0);
			else
				bed_load(&b, line[k] * LINE, 0);
		bed_drain(&b);
		test_label("%s", row[i].what);
		/* The next page of page 0 is in the TLB, that of page 1 is not. */
		COUNTS(&b,
			row[i].store[0] && row[i].store[1]           ? "STORE_RET 2"
				: row[i].store[0] || row[i].store[1] ? "LOAD_RET 1, STORE_RET 1"
								     : "LOAD_RET 2");
		for (int k = 0; k < 2; k++)
			if (row[i].store[k])
				bed_store(&b, (64 + line[k]) * LINE, 0);
			else if (line[k] < 64) /* page 2 would need a walk */
				bed_load(&b, (64 + line[k]) * LINE, 0);
		if (row[i].asks)
			COUNTS(&b,
				row[i].store[0] ? "STORE_RET 2, REF_L1 1, TRUE_PREFETCHES 1, TRUE_PREFETCH_FILLS 1"
						: "LOAD_RET 2, REF_L1 1, TRUE_PREFETCHES 1, TRUE_PREFETCH_FILLS 1");
		else if (line[1] < 64)
			COUNTS(&b,
				row[i].store[0] && row[i].store[1]           ? "STORE_RET 2"
					: row[i].store[0] || row[i].store[1] ? "LOAD_RET 1, STORE_RET 1"
									     : "LOAD_RET 2");
		bed_end(&b);
	}
}

/* The translation for the second access comes from the STLB, or from a walk that is under way. */
static void
prefetches_at_a_miss(void)
{
	static const struct { sim_plants plants; bool in_stlb, asks; } row[] = {
		{PLANT(PF_DTLB_MISS), true, true},
		{PLANT(PF_STLB_MISS), true, false},
		{PLANT(PF_DTLB_MISS), false, true},
		{PLANT(PF_STLB_MISS), false, true},
		{PLANT(PF_DTLB_MISS) | PLANT(PF_STLB_MISS), true, false},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		uint64_t page = row[i].in_stlb ? 0 : 7 * PAGE;
		struct bed b;

		bed_init(&b, SIM_4K, row[i].plants | PLANT(TLB_PF) | PLANT(MERGING));
		bed_begin(&b);
		bed_warm(&b, 0);
		for (uint64_t k = 2; k < 6; k++)
			bed_warm(&b, k * PAGE);
		bed_load(&b, page + 51 * LINE, 0);
		bed_load(&b, page + 52 * LINE, 0);
		bed_drain(&b);
		test_label("row %zu", i);
		if (row[i].in_stlb)
			COUNTS(&b,
				row[i].asks ? "LOAD_RET 2, LOAD_STLB_HIT 2, LOAD_STLB_HIT_4K 2, REF_L1 1, "
					      "TRUE_PREFETCHES 1, TRUE_PREFETCH_FILLS 1"
					    : "LOAD_RET 2, LOAD_STLB_HIT 2, LOAD_STLB_HIT_4K 2");
		else /* page 8's entry is in another line */
			COUNTS(&b,
				"LOAD_RET 2, LOAD_RET_STLB_MISS 2, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 1, "
				"LOAD_WALK_DONE_4K 1, REF_L1 1, REF_MEM 1, TRUE_MERGED 1, TRUE_PREFETCHES 1, "
				"TRUE_PREFETCH_FILLS 1");
		bed_end(&b);
	}
}

static void
a_request_meets_a_prefetch(void)
{
	static const struct { sim_plants plants; const char *want;
	} row[] = {
		{PLANT(TLB_PF) | PLANT(MERGING),
			"LOAD_RET 3, LOAD_RET_STLB_MISS 1, REF_L1 1, TRUE_PREFETCHES 1, TRUE_PREFETCH_FILLS 1, "
			"TRUE_MERGED 1"},
		{PLANT(TLB_PF),
			"LOAD_RET 3, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 1, LOAD_WALK_DONE_4K 1, "
			"REF_L1 2, TRUE_PREFETCHES 1, TRUE_PREFETCH_FILLS 1"},
	};

	for (size_t i = 0; i < 2; i++) {
		struct bed b;

		bed_init(&b, SIM_4K, row[i].plants);
		bed_begin(&b);
		bed_warm(&b, 0);
		bed_loads(&b, 51 * LINE, (int64_t)LINE, 2);
		bed_load(&b, PAGE, 0);
		test_label("row %zu", i);
		COUNTS(&b, row[i].want);
		bed_end(&b);
	}
}

/* Pages are fresh. A µop's walk sets the accessed bit; a prefetch stops at a clear one, and then no request can wait
 * for its result. */
static void
a_prefetch_stops_at_a_clear_accessed_bit(void)
{
	for (int sets = 0; sets < 2; sets++) {
		struct bed b;

		bed_init(&b, SIM_4K, PLANT(TLB_PF) | PLANT(MERGING) | (sets ? PLANT(PF_SETS) : 0));
		b.memory.touched = false;
		bed_begin(&b);
		bed_load(&b, 0, 0);
		bed_drain(&b);
		COUNTS(&b,
			"LOAD_RET 1, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 1, LOAD_WALK_DONE_4K 1, "
			"LOAD_PDE_MISS 1, REF_MEM 4, TRUE_ACCESSED_SET 1, PAGE_FAULTS 1");
		bed_loads(&b, 51 * LINE, (int64_t)LINE, 2);
		bed_load(&b, PAGE, 0);
		test_label("pf_sets %d", sets);
		COUNTS(&b,
			sets ? "LOAD_RET 3, LOAD_RET_STLB_MISS 1, REF_L1 1, TRUE_PREFETCHES 1, TRUE_PREFETCH_FILLS 1, "
			       "TRUE_ACCESSED_SET 1, TRUE_MERGED 1"
			     : "LOAD_RET 3, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 1, "
			       "LOAD_WALK_DONE_4K 1, REF_L1 2, TRUE_PREFETCHES 1, TRUE_PREFETCH_ABORTS 1, "
			       "TRUE_ACCESSED_SET 1, PAGE_FAULTS 1");
		bed_end(&b);
	}
}

/* Linux clears accessed bits to find idle pages; the TLBs keep their entries. */
static void
accessed_bits_are_cleared_again(void)
{
	struct bed b;

	bed_init(&b, SIM_4K, PLANT(TLB_PF));
	b.memory.refresh = 4;
	bed_begin(&b);
	bed_warm(&b, 0);
	bed_loads(&b, 50 * LINE, (int64_t)LINE, 2); /* the third access is among these */
	COUNTS(&b, "LOAD_RET 2");
	bed_load(&b, 51 * LINE + 8, 0); /* the bits are cleared after this one */
	bed_drain(&b);
	bed_load(&b, 52 * LINE, 0);
	COUNTS(&b, "LOAD_RET 2, REF_L1 1, TRUE_PREFETCHES 1, TRUE_PREFETCH_ABORTS 1");
	bed_drain(&b);
	bed_load(&b, PAGE, 0); /* the page was touched from the start: no fault */
	COUNTS(&b,
		"LOAD_RET 1, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 1, LOAD_WALK_DONE_4K 1, REF_L1 "
		"1, TRUE_ACCESSED_SET 1");
	bed_end(&b);
}

/* Loads of a wrong path cause prefetches; the right path goes on with its own pairs. */
static void
a_wrong_path_prefetches(void)
{
	struct bed b;

	bed_init(&b, SIM_4K, PLANT(TLB_PF));
	bed_begin(&b);
	bed_warm(&b, 0);
	bed_load(&b, 5 * LINE, SIM_MISPREDICT);
	bed_load(&b, 51 * LINE, SIM_WRONG);
	COUNTS(&b, "LOAD_RET 1, BRANCH_MISSES 1, TRUE_WRONG_PATH 1");
	bed_load(&b, 52 * LINE, 0);
	bed_drain(&b);
	COUNTS(&b, "LOAD_RET 1");
	bed_load(&b, 6 * LINE, SIM_MISPREDICT);
	bed_load(&b, 51 * LINE, SIM_WRONG);
	bed_load(&b, 52 * LINE, SIM_WRONG);
	COUNTS(&b,
		"LOAD_RET 1, BRANCH_MISSES 1, TRUE_WRONG_PATH 2, REF_L1 1, TRUE_PREFETCHES 1, TRUE_PREFETCH_FILLS 1");
	bed_end(&b);
}

/* A machine outside the family of Haswell's models: its counter of completed walks includes prefetches, its counter of
 * causes does not. */
static void
a_prefetch_may_count_as_a_completed_walk(void)
{
	struct bed b;

	bed_init(&b, SIM_4K, PLANT(TLB_PF) | PLANT(PF_DONE));
	bed_begin(&b);
	bed_warm(&b, 20 * PAGE);
	bed_load(&b, 20 * PAGE + 51 * LINE, 0);
	bed_load(&b, 20 * PAGE + 52 * LINE, 0);
	bed_drain(&b);
	COUNTS(&b,
		"LOAD_RET 2, LOAD_WALK_DONE 1, LOAD_WALK_DONE_4K 1, REF_L1 1, TRUE_PREFETCHES 1, TRUE_PREFETCH_FILLS "
		"1, TRUE_PREFETCHES_DONE 1");
	bed_end(&b);
}

TEST_MAIN(CASE(only_two_pairs_of_lines_prefetch), CASE(other_pairs_do_not_prefetch),
	CASE(prefetches_at_a_miss), CASE(a_request_meets_a_prefetch), CASE(a_prefetch_stops_at_a_clear_accessed_bit),
	CASE(accessed_bits_are_cleared_again), CASE(a_wrong_path_prefetches),
	CASE(a_prefetch_may_count_as_a_completed_walk))
