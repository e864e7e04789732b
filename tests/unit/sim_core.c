/* The simulated core: times worked out by hand, and laws that hold for every µop of any stream with any set of planted
 * features. */
#include "sim/core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "sim_bed.h"
#include "test.h"

#define PAGE ((uint64_t)1 << 12)
#define LINE ((uint64_t)64)
#define GB ((uint64_t)1 << 30)

/* A bed whose page 0 is in the TLB, with lines 0 to 3 in L1, and nothing in flight. */
static void
warm_bed(struct bed *b)
{
	bed_begin(b);
	bed_loads(b, 0, (int64_t)LINE, 4);
	bed_drain(b);
	memcpy(b->seen, sim_core_counts(b->core), sizeof b->seen);
}

static void
one_uop_a_slot(void)
{
	struct sim_uop u[16];
	struct bed b;

	bed_init(&b, SIM_4K, 0);
	warm_bed(&b);
	for (int i = 0; i < 16; i++)
		u[i] = (struct sim_uop){.at = BED_BASE, .kind = SIM_LOAD, .other = 3};
	sim_core_run(b.core, u, 16);
	/* 64 dispatched, the last one's data 4 later */
	COUNTS(&b, "LOAD_RET 16, INSTRUCTIONS 64, CYCLES 68, DATA_L1_HIT 16");
	bed_end(&b);

	bed_init(&b, SIM_4K, 0);
	b.machine.width = 4;
	warm_bed(&b);
	sim_core_run(b.core, u, 16);
	COUNTS(&b, "LOAD_RET 16, INSTRUCTIONS 64, CYCLES 20, DATA_L1_HIT 16");
	bed_end(&b);
}

static void
pointers_wait_for_each_other(void)
{
	for (int flags = 0; flags <= SIM_DEPENDS; flags += SIM_DEPENDS) {
		struct bed b;

		bed_init(&b, SIM_4K, 0);
		warm_bed(&b);
		for (int i = 0; i < 10; i++)
			bed_load(&b, (uint64_t)(i % 4) * LINE, flags);
		test_label("flags %d", flags);
		COUNTS(&b, flags ? "LOAD_RET 10, CYCLES 41" : "LOAD_RET 10, CYCLES 14"); /* 1 + 10 × 4; 10 + 4 */
		bed_end(&b);
	}
}

/* Each row fills its structure with loads or stores of 200 cycles, one at a time; the next one must wait for the
 * first. */
static void
queues_are_full_at_their_size(void)
{
	static const struct { const char *what; unsigned rob, loads, stores; bool store; const char *want; } row[] = {
		{"reorder buffer", 4, 32, 16, false, "LOAD_RET 5, CYCLES 401"},
		{"load queue", 64, 4, 16, false, "LOAD_RET 5, CYCLES 401"},
		{"store queue, until it is written", 64, 32, 4, true, "STORE_RET 5, CYCLES 201"},
		{"nothing", 64, 32, 16, false, "LOAD_RET 5, CYCLES 205"},
		{"nothing", 64, 32, 16, true, "STORE_RET 5, CYCLES 5"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct bed b;

		bed_init(&b, SIM_4K, 0);
		b.machine.rob = row[i].rob;
		b.machine.load_queue = row[i].loads;
		b.machine.store_queue = row[i].stores;
		b.machine.data_mlp = 8;
		warm_bed(&b);
		for (uint64_t k = 0; k < 5; k++)
			if (row[i].store)
				bed_store(&b, (10 + k) * LINE, 0);
			else
				bed_load(&b, (10 + k) * LINE, 0);
		test_label("%s", row[i].what);
		COUNTS(&b, row[i].want);
		bed_end(&b);
	}
}

static void
other_uops_take_room(void)
{
	struct sim_uop u[2] = {
		{.at = BED_BASE + 10 * LINE, .kind = SIM_LOAD}, {.at = BED_BASE, .kind = SIM_LOAD, .other = 3}
	};
	struct bed b;

	bed_init(&b, SIM_4K, 0);
	b.machine.rob = 4;
	warm_bed(&b);
	sim_core_run(b.core, u, 2);
	/* the first retires at 201; until then the buffer had 4 of 5 */
	COUNTS(&b, "LOAD_RET 2, INSTRUCTIONS 5, CYCLES 205");
	bed_end(&b);
}

static void
a_mispredicted_branch_costs_its_penalty(void)
{
	struct bed b;

	bed_init(&b, SIM_4K, 0);
	warm_bed(&b);
	bed_load(&b, 0, SIM_MISPREDICT); /* data at 5, resolved at 6 */
	bed_load(&b, 0, 0);              /* dispatched at 6 + 10 + 1, data 4 later */
	COUNTS(&b, "LOAD_RET 2, BRANCH_MISSES 1, CYCLES 21");
	bed_drain(&b);
	bed_store(&b, 0, SIM_MISPREDICT); /* its address is there at once: dispatched at 22, resolved a cycle later */
	bed_store(&b, 0, 0);
	COUNTS(&b, "STORE_RET 2, BRANCH_MISSES 1, CYCLES 13");
	bed_end(&b);
}

/* What follows the clear is executed again: the workload has both, as wrong µops and as right ones. */
static void
a_machine_clear_squashes_later_uops(void)
{
	struct bed b;

	bed_init(&b, SIM_4K, 0);
	warm_bed(&b);
	bed_load(&b, 10 * LINE, SIM_CLEAR); /* retires at 201 */
	for (int i = 0; i < 3; i++)
		bed_load(&b, PAGE + (uint64_t)i * 8, SIM_WRONG);
	bed_load(&b, 3 * PAGE, SIM_WRONG | SIM_DEPENDS); /* its address would come at 201: not executed */
	/* Three requests for one page, at 9, 18 and 27. Each walks, because nothing merges. */
	COUNTS(&b,
		"LOAD_RET 1, CLEARS 1, LOAD_CAUSES_WALK 3, LOAD_WALK_DONE 3, LOAD_WALK_DONE_4K 3, REF_L1 3, "
		"TRUE_WRONG_PATH 3");
	bed_load(&b, PAGE, 0);
	/* dispatched at 201 + 10 + 1; the line was requested at 18 and comes at 218 */
	COUNTS(&b, "LOAD_RET 1, DATA_L1_HIT 0, DATA_L3_MISS 0, CYCLES 17");
	bed_end(&b);
}

/* After a squash the queues hold what they held before the wrong path, however long that was. So the fourth load after
 * it must wait for the first; each takes 200 cycles. */
static void
a_squash_frees_the_queues(void)
{
	for (int wrong = 0; wrong <= 300; wrong += 50) {
		struct bed b;

		bed_init(&b, SIM_4K, 0);
		b.machine.load_queue = 4;
		b.machine.rob = 16;
		warm_bed(&b);
		bed_load(&b, 10 * LINE, 0);
		bed_store(&b, 0, SIM_MISPREDICT); /* resolved at 3 */
		for (int i = 0; i < wrong; i++)
			if (i % 2)
				bed_load(&b, 0, SIM_WRONG);
			else
				bed_store(&b, 0, SIM_WRONG);
		bed_loads(&b, 0, (int64_t)LINE, 3);
		bed_load(&b, 11 * LINE, 0);
		test_label("%d wrong µops", wrong);
		CHECK_INT(sim_core_counts(b.core)[SIM_CYCLES] - b.seen[SIM_CYCLES], 401);
		CHECK_INT(sim_core_counts(b.core)[SIM_LOAD_RET] - b.seen[SIM_LOAD_RET], 5);
		CHECK_INT(sim_core_counts(b.core)[SIM_TRUE_WRONG_PATH], 0); /* none of them executed before 3 */
		bed_end(&b);
	}
}

/* A wrong path ends when the reorder buffer is full, or when the branch is resolved. */
static void
a_wrong_path_is_as_long_as_there_is_room(void)
{
	static const struct {
		unsigned rob, queue;
		uint64_t began;
	} row[] = {{8, 32, 8}, {64, 5, 5}, {1024, 1024, 200}};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct bed b;

		bed_init(&b, SIM_4K, 0);
		b.machine.rob = row[i].rob;
		b.machine.load_queue = row[i].queue;
		warm_bed(&b);
		/* it retires at 201 and makes room for one more; resolved at 202; wrong µops from 2 on */
		bed_load(&b, 10 * LINE, SIM_MISPREDICT);
		for (int k = 0; k < 500; k++)
			bed_load(&b, 0, SIM_WRONG);
		test_label("%u entries, %u loads", row[i].rob, row[i].queue);
		CHECK_INT(sim_core_counts(b.core)[SIM_TRUE_WRONG_PATH], row[i].began);
		bed_end(&b);
	}
}

static void
wrong_uops_without_a_branch_are_nothing(void)
{
	struct bed b;

	bed_init(&b, SIM_4K, 0);
	warm_bed(&b);
	bed_load(&b, PAGE, SIM_WRONG);
	COUNTS(&b, "CYCLES 0");
	bed_end(&b);
}

static void
instructions_are_no_accesses(void)
{
	struct sim_uop u = {.at = 0x400000, .kind = SIM_FETCH, .other = 2, .size = 4};
	struct bed b;

	bed_init(&b, SIM_4K, ((sim_plants)1 << SIM_N_PLANTS) - 1);
	warm_bed(&b);
	sim_core_run(b.core, &u, 1);
	COUNTS(&b, "INSTRUCTIONS 3, CYCLES 3");
	u.flags = SIM_WRONG;
	bed_load(&b, 0, SIM_MISPREDICT);
	sim_core_run(b.core, &u, 1);
	COUNTS(&b, "LOAD_RET 1, BRANCH_MISSES 1, INSTRUCTIONS 1");
	bed_end(&b);
}

static void
a_page_fault_takes_the_kernels_time(void)
{
	uint64_t cycles[2];

	for (unsigned i = 0; i < 2; i++) {
		struct bed b;

		bed_init(&b, SIM_4K, 0);
		b.machine.fault_cycles = 1000 * i;
		b.memory.touched = false;
		bed_begin(&b);
		bed_loads(&b, 0, (int64_t)PAGE, 3);
		COUNTS(&b,
			"LOAD_RET 3, LOAD_RET_STLB_MISS 3, LOAD_CAUSES_WALK 3, LOAD_WALK_DONE 3, LOAD_WALK_DONE_4K 3, "
			"LOAD_PDE_MISS 1, REF_MEM 4, REF_L1 2, TRUE_ACCESSED_SET 3, PAGE_FAULTS 3");
		cycles[i] = sim_core_counts(b.core)[SIM_CYCLES];
		bed_end(&b);
	}
	CHECK_INT(cycles[1] - cycles[0], 3000);
}

/* A stream of everything: runs of lines in both directions, jumps, pointers, stores, wrong paths, clears, few pages and
 * many. */
static void
make(struct sim_uop *u, size_t n, enum sim_page page, uint64_t seed)
{
	uint64_t at = BED_BASE, span = (uint64_t)1 << (sim_page_shift(page) + 8), left = 0;
	int64_t step = 0;
	int wrong = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t r = test_random(&seed);

		if (!left--) {
			static const int64_t stride[] = {8, 64, -64, 64, -64, 192, 4096, -4096};

			left = r % 300;
			step = r >> 10 & 1 ? stride[r >> 11 & 7] : 0;
			at = BED_BASE + 8 * GB + test_random(&seed) % (r >> 20 & 3 ? span : 512 * GB);
		}
		at = step ? at + (uint64_t)step : BED_BASE + 8 * GB + (r >> 12) % span;
		u[i] = (struct sim_uop){.at = at & ~(uint64_t)7,
			.size = 8,
			.other = (uint16_t)(r >> 40 & 3),
			.kind = (r >> 50 & 7) < 2 ? SIM_STORE : SIM_LOAD};
		if ((r >> 54 & 7) == 0)
			u[i].flags |= SIM_DEPENDS;
		if (wrong > 0) {
			u[i].flags |= SIM_WRONG;
			wrong--;
		} else if ((r >> 57 & 31) == 0) {
			u[i].flags |= r >> 63 ? SIM_MISPREDICT : SIM_CLEAR;
			wrong = (int)(r >> 30 & 15);
		}
	}
}

struct law {
	sim_plants plants;
	enum sim_page page;
	uint64_t sum[SIM_N_EVENTS];
	unsigned bad, prefetches, uops;
	bool quiet; /* unlawful µops are expected */
};

static bool
has_plant(const struct law *l, sim_plants p)
{
	return (l->plants & p) != 0;
}

/* The possible numbers of entries that a walk reads, as a set of bits: all entries down to the page's, or those that no
 * paging-structure cache has. */
static unsigned
lengths(const struct law *l, bool pde_miss)
{
	unsigned all = 4 - (unsigned)l->page, set;

	if (!pde_miss)
		return l->page == SIM_4K ? 1u << 1 : 0;
	set = 1u << all;
	if (l->page < SIM_1G)
		set |= 1u << (all - 2); /* PDPTE */
	if (has_plant(l, PLANT(PML4E)))
		set |= 1u << (all - 1);
	return set;
}

/* True if one µop can have counted that. This restates the paper's prose (CounterPoint, section 7 and appendix C) step
 * by step, independently of mmu.c, which works by state. */
static bool
lawful(const struct law *l, const struct sim_uop_counts *t)
{
	const unsigned char *n = t->count;
	unsigned refs = (unsigned)(n[SIM_REF_L1] + n[SIM_REF_L2] + n[SIM_REF_L3] + n[SIM_REF_MEM]), may, most;
	int other = t->uop && t->uop->kind == SIM_STORE ? 0 : SIM_STORE_EVENTS, own = SIM_STORE_EVENTS - other;
	bool ret, ret_missed, causes, replayed, done, pde_miss, hit, retires;

	for (int e = SIM_LOAD_CAUSES_WALK; e <= SIM_LOAD_RET_STLB_MISS; e++)
		if (n[e + other] || n[e + own] > (e == (int)SIM_LOAD_CAUSES_WALK && has_plant(l, PLANT(REPLAY)) ? 2 : 1)
			|| (!t->uop && n[e + own]))
			return false;
	if (!t->uop)
		return has_plant(l, PLANT(TLB_PF)) && refs >= 1 && refs <= 4 - (unsigned)l->page;
	n += own;
	ret = n[SIM_LOAD_RET];
	ret_missed = n[SIM_LOAD_RET_STLB_MISS];
	causes = n[SIM_LOAD_CAUSES_WALK];
	replayed = n[SIM_LOAD_CAUSES_WALK] == 2;
	done = n[SIM_LOAD_WALK_DONE];
	pde_miss = n[SIM_LOAD_PDE_MISS];
	hit = n[SIM_LOAD_STLB_HIT];
	retires = !(t->uop->flags & SIM_WRONG);
	if (ret != retires || (ret_missed && !ret))
		return false;
	if (n[SIM_LOAD_WALK_DONE_4K] + n[SIM_LOAD_WALK_DONE_2M] + n[SIM_LOAD_WALK_DONE_1G] != done ||
		(done && !n[(int)SIM_LOAD_WALK_DONE_4K + (int)l->page]))
		return false;
	if (n[SIM_LOAD_STLB_HIT_4K] + n[SIM_LOAD_STLB_HIT_2M] != hit ||
		(hit && !n[(int)SIM_LOAD_STLB_HIT_4K + (int)l->page]))
		return false;
	if (hit)
		return !ret_missed && !causes && !done && !pde_miss && !refs;
	if (!causes) { /* a DTLB hit, merged, or dropped */
		if (done || refs)
			return false;
		if (ret_missed)
			return has_plant(l, PLANT(MERGING)) && (!pde_miss || has_plant(l, PLANT(EARLY_PSC)));
		return !pde_miss ||
			(!retires && has_plant(l, PLANT(EARLY_PSC)) && has_plant(l, PLANT(MERGING) | PLANT(AB_PSC)));
	}
	may = lengths(l, pde_miss);
	most = may ? 31 - (unsigned)__builtin_clz(may) : 0;
	if (!done)
		return !retires && !replayed && refs <= most && (refs >= 1 || has_plant(l, PLANT(AB_WALK)));
	if (ret_missed != ret)
		return false;
	if (replayed) /* the first walk read all entries, and found a clear accessed bit in the last one */
		return retires && (may >> refs & 1);
	if (refs == 0)
		return has_plant(l, PLANT(BYPASS)) && may && t->uop->kind == SIM_LOAD;
	return may >> refs & 1;
}

static void
check_uop(void *ctx, const struct sim_uop_counts *t)
{
	struct law *l = ctx;

	for (int e = 0; e < (int)SIM_N_EVENTS; e++)
		l->sum[e] += t->count[e];
	l->prefetches += !t->uop;
	l->uops += t->uop != NULL;
	if (lawful(l, t))
		return;
	if (l->bad++ == 0 && !l->quiet) {
		fprintf(stderr, "# plants %x, pages %d, %s flags %x:", l->plants, (int)l->page,
			!t->uop                             ? "prefetch"
				: t->uop->kind == SIM_STORE ? "store"
							    : "load",
			t->uop ? t->uop->flags : 0);
		for (int e = 0; e < (int)SIM_N_EVENTS; e++)
			if (t->count[e])
				fprintf(stderr, " %s %d", bed_event(e), t->count[e]);
		fprintf(stderr, "\n");
	}
}

/* Features of the models' family come first. Those beyond it break the law of single µops, not the sums. */
#define N_FAMILY ((unsigned)SIM_PLANT_PF_DONE)
#define FAMILY ((sim_plants)(1u << N_FAMILY) - 1)

static void
sums(const struct bed *b, const struct law *l)
{
	const uint64_t *n = sim_core_counts(b->core);

	for (int e = 0; e < (int)SIM_N_EVENTS; e++)
		if (e != (int)SIM_CYCLES && e != (int)SIM_LOAD_WALK_CYCLES && e != (int)SIM_STORE_WALK_CYCLES)
			CHECK_INT(l->sum[e], n[e]);
	for (int kind = 0; kind < 2; kind++) {
		const uint64_t *k = n + kind * SIM_STORE_EVENTS;

		CHECK_INT(k[SIM_LOAD_WALK_DONE_4K] + k[SIM_LOAD_WALK_DONE_2M] + k[SIM_LOAD_WALK_DONE_1G],
			k[SIM_LOAD_WALK_DONE]);
		CHECK_INT(k[SIM_LOAD_STLB_HIT_4K] + k[SIM_LOAD_STLB_HIT_2M], k[SIM_LOAD_STLB_HIT]);
		CHECK(k[SIM_LOAD_WALK_DONE] <= k[SIM_LOAD_CAUSES_WALK] || l->plants & ~FAMILY);
		CHECK(k[SIM_LOAD_RET_STLB_MISS] <= k[SIM_LOAD_RET]);
	}
	CHECK_INT(l->prefetches, n[SIM_TRUE_PREFETCHES]);
	CHECK_INT(n[SIM_TRUE_PREFETCHES], n[SIM_TRUE_PREFETCH_ABORTS] + n[SIM_TRUE_PREFETCH_FILLS]);
	CHECK_INT(n[SIM_LOAD_CAUSES_WALK] + n[SIM_STORE_CAUSES_WALK] + n[SIM_TRUE_TWINS] + n[SIM_TRUE_PREFETCHES_DONE],
		n[SIM_LOAD_WALK_DONE] + n[SIM_STORE_WALK_DONE] + n[SIM_TRUE_ABORTED] + n[SIM_TRUE_ABORTED_UNSEEN] +
			n[SIM_TRUE_REPLAYED] + n[SIM_TRUE_STORMED]);
	CHECK(n[SIM_DATA_L1_HIT] + n[SIM_DATA_L2_HIT] + n[SIM_DATA_L3_HIT] + n[SIM_DATA_L3_MISS] <= n[SIM_LOAD_RET]);
}

#define STREAM 20000

/* Sets of features: none, each, all, and some at random. A feature that is not planted never acts; each feature acts in
 * some set. */
static void
every_uop_is_lawful(void)
{
	struct sim_uop *u = mem_new_array(STREAM, sizeof *u);
	uint64_t seed = 11, acted[SIM_N_COUNTS] = {0};
	unsigned sets = test_rounds(40, 1000);

	for (unsigned i = 0; i < sets; i++) {
		struct law l = {.page = (enum sim_page)(i % 3)};
		const uint64_t *n;
		struct bed b;

		l.plants = i / 3 < N_FAMILY ? 1u << i / 3 : (sim_plants)test_random(&seed) & FAMILY;
		if (i < 3)
			l.plants = 0;
		if (sets - i <= 3)
			l.plants = FAMILY;
		make(u, STREAM, l.page, seed + i);
		bed_init(&b, l.page, l.plants);
		b.machine.width = 1 + i % 4;
		b.machine.walkers = 1 + i / 3 % 2;
		b.machine.mshrs = 4 + i % 5;
		b.memory.touched = i & 1;
		b.memory.refresh = i & 4 ? 700 : 0;
		bed_begin(&b);
		sim_core_observe(b.core, check_uop, &l);
		sim_core_run(b.core, u, STREAM);
		test_label("plants %x, %d", l.plants, (int)l.page);
		CHECK_INT(l.bad, 0);
		CHECK_INT(l.uops, STREAM);
		sums(&b, &l);
		n = sim_core_counts(b.core);
		for (int e = SIM_FIRST_TRUTH; e < (int)SIM_N_COUNTS; e++)
			acted[e] += n[e];
		CHECK(n[SIM_TRUE_PREFETCHES] == 0 || l.plants & PLANT(TLB_PF));
		CHECK(n[SIM_TRUE_EARLY_LOOKUPS] == 0 || l.plants & PLANT(EARLY_PSC));
		CHECK(n[SIM_TRUE_MERGED] == 0 || l.plants & PLANT(MERGING));
		CHECK(n[SIM_TRUE_ROOT_HITS] == 0 || l.plants & PLANT(PML4E));
		CHECK(n[SIM_TRUE_BYPASSED] == 0 || l.plants & PLANT(BYPASS));
		CHECK(n[SIM_TRUE_REPLAYED] == 0 || l.plants & PLANT(REPLAY));
		CHECK(n[SIM_TRUE_ABORTED_UNSEEN] == 0 || l.plants & PLANT(AB_WALK));
		bed_end(&b);
	}
	for (int e = SIM_FIRST_TRUTH; e < (int)SIM_N_COUNTS; e++) {
		test_label("%s", bed_event(e));
		CHECK(acted[e] > 0 || e == SIM_TRUE_PREFETCHES_DONE || e == SIM_TRUE_TWINS || e == SIM_TRUE_STORMED);
	}
	free(u);
}

static void
machines_outside_the_family_break_the_law(void)
{
	static const struct { sim_plants plants; int truth; } row[] = {
		{PLANT(PF_DONE), SIM_TRUE_PREFETCHES_DONE}, {PLANT(TWIN), SIM_TRUE_TWINS}, {PLANT(STORM),
			SIM_TRUE_STORMED},
	};
	struct sim_uop *u = mem_new_array(STREAM, sizeof *u);

	for (unsigned i = 0; i < 2 * sizeof row / sizeof *row; i++) {
		struct law l = {.page = SIM_4K,
			.plants = row[i / 2].plants |
				(i % 2 ? PLANT(TLB_PF) | PLANT(EARLY_PSC) | PLANT(MERGING) : PLANT(TLB_PF)),
			.quiet = true};
		struct bed b;

		make(u, STREAM, l.page, 5 + i);
		bed_init(&b, l.page, l.plants);
		bed_begin(&b);
		sim_core_observe(b.core, check_uop, &l);
		sim_core_run(b.core, u, STREAM);
		test_label("plants %x", l.plants);
		CHECK(l.bad > 0);
		CHECK(sim_core_counts(b.core)[row[i / 2].truth] > 0);
		sums(&b, &l);
		bed_end(&b);
	}
	free(u);
}

/* From the smallest to the largest machine that a file can describe (except for sizes of caches), and some in between;
 * with all features and with none. */
static void
machines_of_any_size_are_lawful(void)
{
	static const struct {
		const char *what;
		unsigned width, rob, queues, walkers, mshrs, mlp;
		struct sim_ways dtlb, stlb, psc;
		struct sim_cache cache[3];
	} row[] = {
		{"one of each, and nothing else", 1, 1, 1, 1, 1, 1, {1, 1}, {0, 0}, {0, 0},
			{{64, 1, 1, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}},
		{"no second-level TLB", 2, 8, 4, 1, 2, 2, {4, 2}, {0, 0}, {2, 1},
			{{128, 1, 1, 0}, {256, 2, 2, 0}, {512, 4, 3, 0}}},
		{"odd ways", 3, 50, 20, 3, 5, 3, {12, 3}, {40, 5}, {3, 3},
			{{64 * 12, 3, 2, 0}, {64 * 28, 7, 9, 0}, {64 * 160, 20, 30, 0}}},
		{"64 ways", 4, 100, 30, 2, 64, 10, {64, 64}, {1024, 64}, {64, 64},
			{{1 << 15, 64, 4, 0}, {1 << 18, 32, 12, 0}, {1 << 20, 64, 40, 0}}},
		{"large", 64, 4096, 4096, 16, 64, 256, {1 << 12, 4}, {1 << 16, 16}, {1 << 10, 8},
			{{1 << 18, 16, 4, 0}, {1 << 20, 8, 12, 0}, {1 << 23, 16, 40, 0}}},
	};
	struct sim_uop *u = mem_new_array(STREAM, sizeof *u);

	for (unsigned i = 0; i < 6 * sizeof row / sizeof *row; i++) {
		struct law l = {.page = (enum sim_page)(i % 3), .plants = i / 3 % 2 ? FAMILY : 0};
		struct bed b;

		make(u, STREAM, l.page, 77 + i);
		bed_init(&b, l.page, l.plants);
		b.machine.width = row[i / 6].width;
		b.machine.rob = row[i / 6].rob;
		b.machine.load_queue = b.machine.store_queue = row[i / 6].queues;
		b.machine.walkers = row[i / 6].walkers;
		b.machine.mshrs = row[i / 6].mshrs;
		b.machine.data_mlp = row[i / 6].mlp;
		b.machine.dtlb[l.page] = row[i / 6].dtlb;
		b.machine.stlb = row[i / 6].stlb;
		b.machine.pde = b.machine.pdpte = b.machine.pml4e = row[i / 6].psc;
		b.machine.l1 = row[i / 6].cache[0];
		b.machine.l2 = row[i / 6].cache[1];
		b.machine.l3 = row[i / 6].cache[2];
		b.memory.touched = false;
		bed_begin(&b);
		sim_core_observe(b.core, check_uop, &l);
		sim_core_run(b.core, u, STREAM);
		test_label("%s, plants %x, %d", row[i / 6].what, l.plants, (int)l.page);
		CHECK_INT(l.bad, 0);
		sums(&b, &l);
		bed_end(&b);
	}
	free(u);
}

/* Given in one array or in many, observed or not, a stream gives the same counts. */
static void
the_same_stream_counts_the_same(void)
{
	struct sim_uop *u = mem_new_array(STREAM, sizeof *u);
	uint64_t first[SIM_N_COUNTS];
	struct bed b;

	make(u, STREAM, SIM_4K, 5);
	for (int way = 0; way < 3; way++) {
		struct law l = {.plants = (1u << SIM_N_PLANTS) - 1};

		bed_init(&b, SIM_4K, l.plants);
		b.memory.touched = false;
		bed_begin(&b);
		if (way == 2)
			sim_core_observe(b.core, check_uop, &l);
		for (size_t i = 0, n; i < STREAM; i += n) {
			n = way == 1 ? 1 + i % 97 : STREAM;
			if (n > STREAM - i)
				n = STREAM - i;
			sim_core_run(b.core, u + i, n);
		}
		sim_core_drain(b.core);
		if (!way)
			memcpy(first, sim_core_counts(b.core), sizeof first);
		for (int e = 0; e < (int)SIM_N_COUNTS; e++) {
			test_label("way %d, %s", way, bed_event(e));
			CHECK_INT(sim_core_counts(b.core)[e], first[e]);
		}
		bed_end(&b);
	}
	free(u);
}

/* A feature planted during the run acts from then on, also on existing entries. */
static void
features_change_while_it_runs(void)
{
	struct bed b;

	bed_init(&b, SIM_1G, 0);
	bed_begin(&b);
	bed_load(&b, 0, 0);
	bed_drain(&b);
	bed_load(&b, GB, 0);
	bed_drain(&b);
	COUNTS(&b,
		"LOAD_RET 2, LOAD_RET_STLB_MISS 2, LOAD_CAUSES_WALK 2, LOAD_WALK_DONE 2, LOAD_WALK_DONE_1G 2, "
		"LOAD_PDE_MISS 2, REF_MEM 2, REF_L1 2");
	sim_core_plant(b.core, PLANT(PML4E));
	bed_load(&b, 0, 0);
	COUNTS(&b,
		"LOAD_RET 1, LOAD_RET_STLB_MISS 1, LOAD_CAUSES_WALK 1, LOAD_WALK_DONE 1, LOAD_WALK_DONE_1G 1, "
		"LOAD_PDE_MISS 1, REF_L1 1, TRUE_ROOT_HITS 1");
	bed_end(&b);
}

/* After a drain nothing is in flight: counts do not change, and the next µop waits for nothing. */
static void
a_drain_ends_what_is_in_flight(void)
{
	uint64_t before[SIM_N_COUNTS];
	struct bed b;

	bed_init(&b, SIM_4K, PLANT(MERGING));
	bed_begin(&b);
	bed_store(&b, 0, 0);
	memcpy(before, sim_core_counts(b.core), sizeof before);
	bed_drain(&b);
	for (int e = 0; e < (int)SIM_N_COUNTS; e++)
		if (e != (int)SIM_CYCLES)
			CHECK_INT(sim_core_counts(b.core)[e], before[e]);
	CHECK_INT(sim_core_counts(b.core)[SIM_CYCLES], 1013); /* the store is written */
	bed_load(&b, 0, 0);
	CHECK_INT(sim_core_counts(b.core)[SIM_CYCLES], 1018);
	bed_load(&b, 0, SIM_MISPREDICT);
	bed_drain(&b);
	bed_load(&b, PAGE, SIM_WRONG); /* its branch is resolved */
	CHECK_INT(sim_core_counts(b.core)[SIM_TRUE_WRONG_PATH], 0);
	bed_end(&b);
}

TEST_MAIN(CASE(one_uop_a_slot), CASE(pointers_wait_for_each_other), CASE(queues_are_full_at_their_size),
	CASE(other_uops_take_room), CASE(a_mispredicted_branch_costs_its_penalty),
	CASE(a_machine_clear_squashes_later_uops), CASE(a_squash_frees_the_queues),
	CASE(a_wrong_path_is_as_long_as_there_is_room), CASE(wrong_uops_without_a_branch_are_nothing),
	CASE(instructions_are_no_accesses), CASE(a_page_fault_takes_the_kernels_time), CASE(every_uop_is_lawful),
	CASE(machines_outside_the_family_break_the_law), CASE(machines_of_any_size_are_lawful),
	CASE(the_same_stream_counts_the_same), CASE(features_change_while_it_runs),
	CASE(a_drain_ends_what_is_in_flight))
