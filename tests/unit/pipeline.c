/* Sequences of µops on a small made pipeline whose cycles are worked out by hand: what each size, width and latency
 * costs. tests/lib/pipe_bed.c has the machine. */
#include "sim/pipeline/pipe.h"

#include <stdio.h>
#include <stdlib.h>

#include "pipe_bed.h"
#include "test.h"
#include "text/diag.h"

/* Cycles of the first and the last stages: a µop of latency 1 that is fetched in cycle 1 commits in cycle 8, and of n
 * µops the last one commits n / width − 1 cycles later. */
#define ENDS 7

/* Returns the cycles of n independent µops on the bed with changes. */
static uint64_t
cycles_of(const char *changes, size_t n, enum sim_op_kind kind)
{
	struct pipe_bed b;
	uint64_t cycles;

	pipe_bed_init(&b, changes);
	bed_ops(&b, n, kind);
	cycles = pipe_bed_run(&b);
	CHECK_INT(b.count[SIM_INSTRUCTIONS], n);
	CHECK_INT(b.count[SIM_PIPE_UOPS], n);
	pipe_bed_free(&b);
	return cycles;
}

/* Returns the cycles of a chain of n µops, each of which reads what the one before it made. */
static uint64_t
cycles_of_chain(const char *changes, size_t n, enum sim_op_kind kind, sim_plants plants)
{
	struct pipe_bed b;
	uint64_t cycles;

	pipe_bed_init(&b, changes);
	b.plants = plants;
	for (size_t i = 0; i < n; i++)
		bed_op(&b, kind, 1, 1);
	cycles = pipe_bed_run(&b);
	pipe_bed_free(&b);
	return cycles;
}

/* --- widths, latencies, ports ------------------------------------------------------------------------------------ */

static void
each_width_limits(void)
{
	static const struct {
		const char *changes;
		unsigned per_cycle;
	} row[] = {
		{NULL, 4}, {"width 1", 1}, {"width 2", 2}, {"width 8", 8}, {"fetch 2", 2}, {"fetch 1; width 8", 1},
		{"issue 1", 1}, {"issue 3; width 3; commit 3", 3}, {"commit 1", 1}, {"commit 2; width 8", 2},
		{"front_end 5 cycles; width 6; issue 6", 6},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		test_label("%s", row[i].changes ? row[i].changes : "unchanged");
		CHECK_INT(cycles_of(row[i].changes, 1200, SIM_OP_ALU), 1200 / row[i].per_cycle + ENDS);
	}
	test_label("the front end");
	CHECK_INT(cycles_of("front_end 1 cycles", 4, SIM_OP_ALU), 4);
	CHECK_INT(cycles_of("front_end 200 cycles", 4, SIM_OP_ALU), 203);
}

static void
chains_cost_their_latency(void)
{
	CHECK_INT(cycles_of_chain(NULL, 300, SIM_OP_ALU, 0), 300 + ENDS);
	CHECK_INT(cycles_of_chain(NULL, 300, SIM_OP_MUL, 0), 3 * 300 + ENDS);
	CHECK_INT(cycles_of_chain("latency mul 7 cycles", 300, SIM_OP_MUL, 0), 7 * 300 + ENDS);
	CHECK_INT(cycles_of_chain(NULL, 300, SIM_OP_FMUL, 0), 4 * 300 + ENDS);
	CHECK_INT(cycles_of_chain(NULL, 30, SIM_OP_DIV, 0), 20 * 30 + ENDS);
	CHECK_INT(cycles_of_chain("latency alu 2 cycles", 300, SIM_OP_ALU, 0), 2 * 300 + ENDS);
}

/* Loads that lead to the next one: the address takes a cycle, then L1 4. */
static void
a_chain_of_loads(void)
{
	struct pipe_bed b;

	pipe_bed_init(&b, NULL);
	for (int i = 0; i < 100; i++)
		bed_read(&b, 0x10000 + 8 * (uint64_t)i, 1, 1);
	CHECK_INT(pipe_bed_run(&b), 100 * 5 + ENDS);
	CHECK_INT(b.count[SIM_LOAD_RET], 100);
	pipe_bed_free(&b);
	pipe_bed_init(&b, "latency load 3 cycles");
	for (int i = 0; i < 100; i++)
		bed_read(&b, 0x10000 + 8 * (uint64_t)i, 1, 1);
	CHECK_INT(pipe_bed_run(&b), 100 * 7 + ENDS);
	pipe_bed_free(&b);
}

static void
ports_and_blocking_units(void)
{
	static const char few[] = "ports 8 alu, branch, move, nop; ports 1 mul; ports 2 div, fdiv; ports 1 fadd, fmul, "
		"fma; ports 1 load, store, atomic";
	struct pipe_bed b;

	/* One multiplication begins in each cycle; a division keeps its port for 20 cycles, or 15. */
	CHECK_INT(cycles_of(few, 60, SIM_OP_MUL), 60 + 2 + ENDS);
	CHECK_INT(cycles_of(few, 60, SIM_OP_DIV), 30 * 20 + ENDS);
	CHECK_INT(cycles_of(few, 60, SIM_OP_FDIV), 30 * 15 + ENDS);
	CHECK_INT(cycles_of(few, 61, SIM_OP_DIV), 31 * 20 + ENDS);
	/* Without `blocking` one begins in each cycle on each port. */
	CHECK_INT(cycles_of("ports 1 alu, mul, div, fadd, fmul, fdiv, fma, branch, move, nop, load, store, atomic; "
		"latency div 20 cycles", 60, SIM_OP_DIV), 60 + 19 + ENDS);
	/* A blocking µop keeps others from the port, too. */
	pipe_bed_init(&b, "ports 1 alu, mul, div, fadd, fmul, fdiv, fma, branch, move, nop, load, store, atomic");
	bed_ops(&b, 1, SIM_OP_DIV);
	bed_ops(&b, 1, SIM_OP_ALU);
	CHECK_INT(pipe_bed_run(&b), 20 + 1 + ENDS);
	CHECK_INT(b.count[SIM_PIPE_DIV_BUSY], 20);
	pipe_bed_free(&b);
	/* The oldest µop comes first, whatever its place in its group. */
	pipe_bed_init(&b, few);
	bed_op(&b, SIM_OP_MUL, 1, BED_NONE);
	bed_op(&b, SIM_OP_MUL, 2, BED_NONE);
	bed_op(&b, SIM_OP_MUL, 3, 1);
	CHECK_INT(pipe_bed_run(&b), 6 + ENDS);
	pipe_bed_free(&b);
}

/* --- sizes ------------------------------------------------------------------------------------------------------- */

/* Two loads that miss all caches, with `between` other µops between them, of which each takes an entry of what limits.
 * Returns the cycles. A miss has its data 204 cycles after the address. */
static uint64_t
two_misses(const char *changes, sim_plants plants, size_t between, enum sim_op_kind kind, uint8_t dst)
{
	struct pipe_bed b;
	uint64_t cycles;

	pipe_bed_init(&b, changes);
	b.perfect &= ~(PERFECT(L1D) | PERFECT(L2D) | PERFECT(L3D));
	b.plants = plants;
	bed_read(&b, 0x100000, 1, BED_NONE);
	for (size_t i = 0; i < between; i++)
		if (kind == SIM_OP_LOAD)
			bed_read(&b, 0x100000, 2, BED_NONE); /* waits for the same line */
		else if (kind == SIM_OP_BRANCH)
			bed_branch(&b, SIM_CONDITIONAL, false, 0, BED_NONE);
		else
			bed_op(&b, kind, dst, BED_NONE);
	bed_read(&b, 0x200000, 3, BED_NONE);
	cycles = pipe_bed_run(&b);
	pipe_bed_free(&b);
	return cycles;
}

/* When µop i is dispatched in time, its miss costs little more than the first; otherwise it waits for its commit. */
static uint64_t
overlapped(size_t i)
{
	return ENDS + 205 + i / 4;
}

#define ALONE (ENDS + 205)
#define TWICE (ALONE + 206) /* dispatched when the first commits, begins in the next cycle */

static void
the_reorder_buffer_limits_overlap(void)
{
	static const unsigned rob[] = {8, 16, 64, 200};

	CHECK_INT(two_misses(NULL, 0, 0, SIM_OP_ALU, BED_NONE), ALONE);
	for (size_t i = 0; i < sizeof rob / sizeof *rob; i++) {
		char changes[64];

		test_label("rob %u", rob[i]);
		snprintf(changes, sizeof changes, "rob %u", rob[i]);
		CHECK_INT(two_misses(changes, 0, rob[i] - 2, SIM_OP_ALU, BED_NONE), overlapped(rob[i] - 1));
		CHECK_INT(two_misses(changes, 0, rob[i] - 1, SIM_OP_ALU, BED_NONE), TWICE);
	}
}

static void
queues_registers_and_branches_limit_overlap(void)
{
	static const struct {
		const char *changes;
		enum sim_op_kind kind;
		uint8_t dst;
		size_t most; /* µops between the loads that do not keep the second one out */
	} row[] = {
		{"load_queue 12", SIM_OP_LOAD, BED_NONE, 10},
		{"load_queue 12", SIM_OP_ALU, BED_NONE, 62}, /* needs none: the reorder buffer's 64 limit */
		{"branches 10", SIM_OP_BRANCH, BED_NONE, 9},
		{"int_registers 12", SIM_OP_ALU, 5, 10},
		{"int_registers 12", SIM_OP_FADD, BED_FP, 62},
		{"int_registers 12", SIM_OP_ALU, BED_NONE, 62},
		{"window 40", SIM_OP_ALU, BED_NONE, 38},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		test_label("%s, row %zu", row[i].changes, i);
		CHECK(two_misses(row[i].changes, 0, row[i].most, row[i].kind, row[i].dst) < ALONE + 40);
		CHECK(two_misses(row[i].changes, 0, row[i].most + 1, row[i].kind, row[i].dst) >= TWICE);
	}
	/* The registers of floating point are others. */
	CHECK(two_misses("fp_registers 12", 0, 12, SIM_OP_FADD, BED_FP) < ALONE + 40);
	CHECK(two_misses("fp_registers 12", 0, 13, SIM_OP_FADD, BED_FP) >= TWICE);
}

/* Stores that committed keep their entries until their line is there. */
static void
the_store_queue_fills(void)
{
	struct pipe_bed b;

	pipe_bed_init(&b, "store_queue 4");
	b.perfect &= ~(PERFECT(L1D) | PERFECT(L2D) | PERFECT(L3D));
	for (unsigned i = 0; i < 8; i++)
		bed_write(&b, 0x100000 + 4096 * i, BED_NONE, BED_NONE);
	/* The first four know their addresses in cycle 8 and have their lines in 212. Then the others are dispatched,
	 * and commit as soon as their address is known. */
	CHECK_INT(pipe_bed_run(&b), 212 + 2);
	CHECK_INT(b.count[SIM_STORE_RET], 8);
	CHECK_INT(b.count[SIM_PIPE_STORE_FULL], 212 - 7);
	b.perfect = BED_PERFECT;
	CHECK(pipe_bed_run(&b) < 30);
	pipe_bed_free(&b);
}

/* µops that wait for a missing load stay in the scheduler; a load that comes after them is not seen. */
static void
the_scheduler_limits_overlap(void)
{
	for (unsigned waiting = 7; waiting <= 8; waiting++) {
		struct pipe_bed b;

		test_label("%u wait", waiting);
		pipe_bed_init(&b, "scheduler 8; width 1");
		b.perfect &= ~(PERFECT(L1D) | PERFECT(L2D) | PERFECT(L3D));
		bed_read(&b, 0x100000, 1, BED_NONE);
		for (unsigned i = 0; i < waiting; i++)
			bed_op(&b, SIM_OP_ALU, BED_NONE, 1);
		bed_read(&b, 0x200000, 3, BED_NONE);
		if (waiting < 8)
			CHECK_INT(pipe_bed_run(&b), ALONE + 8);
		else
			CHECK(pipe_bed_run(&b) >= TWICE);
		pipe_bed_free(&b);
	}
}

static void
fill_buffers_limit_overlap(void)
{
	for (unsigned n = 1; n <= 6; n++) {
		struct pipe_bed b;

		test_label("%u misses, 2 buffers", n);
		pipe_bed_init(&b, "fill_buffers 2; width 8");
		b.perfect &= ~(PERFECT(L1D) | PERFECT(L2D) | PERFECT(L3D));
		for (unsigned i = 0; i < n; i++)
			bed_read(&b, 0x100000 + 8192 * i, BED_NONE, BED_NONE);
		CHECK_INT(pipe_bed_run(&b), 8 + 204 * ((n + 1) / 2));
		CHECK_INT(b.count[SIM_PIPE_L1D_MISS], n);
		pipe_bed_free(&b);
	}
}

/* --- memory ------------------------------------------------------------------------------------------------------ */

static void
latencies_of_data(void)
{
	static const struct {
		sim_perfect real;
		unsigned latency;
	} row[] = {
		{0, 4}, {PERFECT(L1D), 14}, {PERFECT(L1D) | PERFECT(L2D), 44},
			{PERFECT(L1D) | PERFECT(L2D) | PERFECT(L3D), 204},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct pipe_bed b;

		test_label("%u cycles", row[i].latency);
		pipe_bed_init(&b, NULL);
		b.perfect &= ~row[i].real;
		for (unsigned k = 0; k < 20; k++)
			bed_read(&b, 0x100000 + 0x10000 * k, 1, 1);
		CHECK_INT(pipe_bed_run(&b), 20 * (1 + row[i].latency) + ENDS);
		pipe_bed_free(&b);
	}
}

/* The same without perfect levels: lines are brought, and conflict in the levels above. */
static void
levels_that_hold_a_line(void)
{
	struct pipe_bed b;
	uint64_t before;

	pipe_bed_init(&b, NULL);
	b.perfect &= ~(PERFECT(L1D) | PERFECT(L2D) | PERFECT(L3D));
	bed_read(&b, 0x100000, 1, 1);
	before = pipe_bed_run(&b);
	CHECK_INT(before, ENDS + 1 + 204);
	bed_read(&b, 0x100008, 1, 1); /* L1 */
	CHECK_INT(pipe_bed_run(&b) - before, 1 + 4);
	bed_read(&b, 0x101000, 1, 1); /* from memory, into the same set of L1 */
	before = pipe_bed_run(&b);
	bed_read(&b, 0x100000, 1, 1); /* L2 */
	CHECK_INT(pipe_bed_run(&b) - before, 1 + 14);
	for (unsigned i = 1; i <= 4; i++) /* the same set of L1 and of L2, which has 4 ways */
		bed_read(&b, 0x100000 + 0x4000 * i, 1, 1);
	before = pipe_bed_run(&b);
	bed_read(&b, 0x100000, 1, 1); /* L3 */
	CHECK_INT(pipe_bed_run(&b) - before, 1 + 44);
	CHECK_INT(b.count[SIM_PIPE_L1D_ACCESS], 9);
	CHECK_INT(b.count[SIM_PIPE_L1D_MISS], 8);
	CHECK_INT(b.count[SIM_PIPE_L2_MISS], 7);
	CHECK_INT(b.count[SIM_PIPE_L3_ACCESS], 7);
	CHECK_INT(b.count[SIM_PIPE_L3_MISS], 6);
	pipe_bed_free(&b);
}

/* A line in flight: the second load waits for it, and is no miss. */
static void
a_line_in_flight(void)
{
	struct pipe_bed b;

	pipe_bed_init(&b, NULL);
	b.perfect &= ~(PERFECT(L1D) | PERFECT(L2D) | PERFECT(L3D));
	bed_read(&b, 0x100000, BED_NONE, BED_NONE);
	bed_ops(&b, 40, SIM_OP_ALU);
	bed_read(&b, 0x100020, BED_NONE, BED_NONE);
	CHECK_INT(pipe_bed_run(&b), ALONE + 42 / 8); /* 8 commit in a cycle */
	CHECK_INT(b.count[SIM_PIPE_L1D_MISS], 1);
	CHECK_INT(b.count[SIM_PIPE_L1D], 1);
	pipe_bed_free(&b);
}

/* L3 with lines of 128 bytes: the neighbour of a line that was brought is there. */
static void
long_lines(void)
{
	for (unsigned line = 64; line <= 256; line *= 2) {
		struct pipe_bed b;
		char changes[80];

		test_label("%u bytes", line);
		snprintf(changes, sizeof changes, "l3 1 MiB, 8 ways, 44 cycles, %u bytes", line);
		pipe_bed_init(&b, changes);
		b.perfect &= ~(PERFECT(L1D) | PERFECT(L2D) | PERFECT(L3D));
		for (unsigned i = 0; i < 16; i++)
			bed_read(&b, 0x100000 + 64 * i, 1, 1);
		CHECK_INT(pipe_bed_run(&b), ENDS + 16 + 1024 / line * 204 + (16 - 1024 / line) * 44);
		CHECK_INT(b.count[SIM_PIPE_L1D_MISS], 16);
		CHECK_INT(b.count[SIM_PIPE_L2_MISS], 16);
		CHECK_INT(b.count[SIM_PIPE_L3_MISS], 1024 / line);
		pipe_bed_free(&b);
	}
}

/* A machine without L3 goes from L2 to memory. */
static void
without_a_third_level(void)
{
	static const char text[] =
		"machine two; clock 1 GHz; fetch 4; front_end 5 cycles; width 4; rob 32; load_queue 32; store_queue 32;"
		"ports 4 alu, mul, div, fadd, fmul, fdiv, fma, branch, move, nop, load, store, atomic;"
		"predictor perfect; l1i 4 KiB, 1 ways, 1 cycles; l1 4 KiB, 1 ways, 4 cycles; l2 64 KiB, 4 ways, 14 "
		"cycles;"
		"memory 204 cycles; fill_buffers 4; counters 4; fixed 3;";
	struct pipe_bed b;
	struct diags d = {0};

	pipe_bed_init(&b, NULL);
	sim_machine_free(b.machine);
	b.machine = sim_machine_parse("two", text, sizeof text - 1, NULL, &d);
	if (CHECK(b.machine)) {
		CHECK(!b.machine->pipe.translates);
		b.perfect &= ~(PERFECT(L1D) | PERFECT(L2D) | PERFECT(L3D));
		bed_read(&b, 0x100000, 1, 1);
		bed_read(&b, 0x100008, 1, 1);
		CHECK_INT(pipe_bed_run(&b), ENDS + 1 + 204 + 1 + 4);
		CHECK_INT(b.count[SIM_PIPE_L2_MISS], 1);
		CHECK_INT(b.count[SIM_PIPE_L3_ACCESS], 0);
		CHECK_INT(b.count[SIM_PIPE_L2D], 1);
		CHECK_INT(b.count[SIM_PIPE_L3D], 0);
		CHECK_INT(b.count[SIM_PIPE_DTLB], 0);
	}
	pipe_bed_free(&b);
}

/* A walk of four references, none of them cached, from the request on: 5 cycles, and 204 for each. */
static void
translation_costs_a_walk(void)
{
	struct pipe_bed b;
	uint64_t cycles;

	pipe_bed_init(&b, NULL);
	b.perfect &= ~PERFECT(DTLB);
	bed_read(&b, 0x100000, 1, 1);
	bed_read(&b, 0x100008, 1, 1);
	/* L1D is perfect for walkers, too: each reference takes 4 cycles. */
	CHECK_INT(pipe_bed_run(&b), ENDS + 2 * 5 + 5 + 4 * 4);
	CHECK_INT(b.count[SIM_PIPE_DTLB], 1);
	CHECK_INT(b.count[SIM_PIPE_DTLB_RETIRED], 1);
	cycles = pipe_bed_run_with(&b, b.perfect & ~(PERFECT(L1D) | PERFECT(L2D) | PERFECT(L3D)));
	CHECK_INT(cycles, ENDS + 5 + 4 * 204 + 1 + 204 + 1 + 4);
	/* The next page is in the same tables: one reference, whose line L1 has. */
	bed_read(&b, 0x101040, 1, 1);
	CHECK_INT(pipe_bed_run_with(&b, b.perfect & ~(PERFECT(L1D) | PERFECT(L2D) | PERFECT(L3D))) - cycles,
		1 + 5 + 4 + 204);
	CHECK_INT(b.count[SIM_PIPE_DTLB], 2);
	b.perfect = BED_PERFECT & ~PERFECT(ITLB);
	cycles = pipe_bed_run(&b);
	CHECK_INT(cycles, ENDS + 3 * 5 + 5 + 4 * 4);
	CHECK_INT(b.count[SIM_PIPE_ITLB], 1);
	CHECK_INT(b.count[SIM_PIPE_ITLB_RETIRED], 1);
	pipe_bed_free(&b);
}

/* --- stores, and loads that read them ---------------------------------------------------------------------------- */

static void
a_load_reads_its_store(void)
{
	struct pipe_bed b;

	/* Both know their addresses in cycle 8; the load's data come from the store queue 5 cycles later. */
	pipe_bed_init(&b, NULL);
	bed_write(&b, 0x1000, BED_NONE, BED_NONE);
	bed_read(&b, 0x1000, 1, BED_NONE);
	CHECK_INT(pipe_bed_run(&b), 8 + 5);
	CHECK_INT(b.count[SIM_PIPE_FORWARDED], 1);
	/* Another word: L1's 4 cycles. */
	b.op[1].at = 0x1008;
	CHECK_INT(pipe_bed_run(&b), 8 + 4);
	CHECK_INT(b.count[SIM_PIPE_FORWARDED], 0);
	pipe_bed_free(&b);
}

/* The store's data come from 10 multiplications, 3 cycles each: they are there in cycle 37. */
static void
a_load_waits_for_the_data_of_its_store(void)
{
	struct pipe_bed b;

	pipe_bed_init(&b, NULL);
	for (int i = 0; i < 10; i++)
		bed_op(&b, SIM_OP_MUL, 1, 1);
	bed_write(&b, 0x1000, BED_NONE, 1);
	bed_read(&b, 0x1000, 2, BED_NONE);
	bed_op(&b, SIM_OP_MUL, BED_NONE, 2);
	/* The store begins with its data, and is done after 1 cycle; the load was only waiting for it. */
	CHECK_INT(pipe_bed_run(&b), 37 + 1 + 3);
	/* Where the address goes ahead, the store is done when its data come. */
	b.plants |= PLANT(STA_STD);
	CHECK_INT(pipe_bed_run(&b), 37 + 3);
	/* A load of another word does not wait. */
	b.op[11].at = 0x1010;
	CHECK_INT(pipe_bed_run(&b), 37);
	b.plants = 0;
	CHECK_INT(pipe_bed_run(&b), 38);
	pipe_bed_free(&b);
}

/* A store whose address misses the DTLB begins its walk before its data are there. */
static void
addresses_of_stores_go_ahead(void)
{
	struct pipe_bed b;

	pipe_bed_init(&b, NULL);
	b.perfect &= ~PERFECT(DTLB);
	for (int i = 0; i < 10; i++)
		bed_op(&b, SIM_OP_MUL, 1, 1);
	bed_write(&b, 0x1000, BED_NONE, 1);
	CHECK_INT(pipe_bed_run(&b), 37 + 1 + 5 + 4 * 4);
	b.plants |= PLANT(STA_STD);
	CHECK_INT(pipe_bed_run(&b), 37);
	pipe_bed_free(&b);
}

/* --- features ---------------------------------------------------------------------------------------------------- */

static void
moves_are_eliminated(void)
{
	struct pipe_bed b;

	CHECK_INT(cycles_of_chain(NULL, 400, SIM_OP_MOVE, 0), 400 + ENDS);
	/* They need dispatch only, and commit in the cycle after it. */
	CHECK_INT(cycles_of_chain(NULL, 400, SIM_OP_MOVE, PLANT(MOVE_ELIMINATION)), 100 + ENDS - 1);
	/* What reads the copy waits for the producer of the original. */
	pipe_bed_init(&b, NULL);
	bed_op(&b, SIM_OP_DIV, 1, BED_NONE);
	bed_op(&b, SIM_OP_MOVE, 2, 1);
	bed_op(&b, SIM_OP_MOVE, 3, 2);
	bed_op(&b, SIM_OP_ALU, BED_NONE, 3);
	CHECK_INT(pipe_bed_run(&b), 20 + 1 + 1 + 1 + ENDS);
	b.plants = PLANT(MOVE_ELIMINATION);
	CHECK_INT(pipe_bed_run(&b), 20 + 1 + ENDS);
	pipe_bed_free(&b);
	/* One that copies no register ends the dependence, too. */
	pipe_bed_init(&b, NULL);
	bed_op(&b, SIM_OP_DIV, 1, BED_NONE);
	bed_op(&b, SIM_OP_MOVE, 1, BED_NONE);
	bed_op(&b, SIM_OP_DIV, BED_NONE, 1);
	CHECK_INT(pipe_bed_run(&b), 20 + 1 + ENDS);
	b.plants = PLANT(MOVE_ELIMINATION);
	CHECK_INT(pipe_bed_run(&b), 20 + ENDS);
	pipe_bed_free(&b);
}

/* Four simple µops of a cycle share an entry: 16 entries hold a load, 3 µops, 13 times 4, and a load. */
static void
entries_of_the_reorder_buffer_are_shared(void)
{
	CHECK_INT(two_misses("rob 16", 0, 14, SIM_OP_ALU, BED_NONE), overlapped(15));
	CHECK_INT(two_misses("rob 16", 0, 15, SIM_OP_ALU, BED_NONE), TWICE);
	CHECK_INT(two_misses("rob 16", PLANT(ROB_COMPRESSION), 55, SIM_OP_ALU, BED_NONE), overlapped(56));
	CHECK_INT(two_misses("rob 16", PLANT(ROB_COMPRESSION), 59, SIM_OP_ALU, BED_NONE), TWICE);
	CHECK_INT(two_misses("rob 16; rob_pack 2", PLANT(ROB_COMPRESSION), 27, SIM_OP_ALU, BED_NONE), overlapped(28));
	/* Branches and accesses take an entry each. */
	CHECK_INT(two_misses("rob 16", PLANT(ROB_COMPRESSION), 15, SIM_OP_BRANCH, BED_NONE), TWICE);
	CHECK_INT(two_misses("rob 16", PLANT(ROB_COMPRESSION), 15, SIM_OP_LOAD, BED_NONE), TWICE);
}

static void
fused_multiply_adds_are_split(void)
{
	CHECK_INT(cycles_of_chain(NULL, 100, SIM_OP_FMA, 0), 4 * 100 + ENDS);
	CHECK_INT(cycles_of_chain(NULL, 100, SIM_OP_FMA, PLANT(FMA_SPLIT)), (4 + 3) * 100 + ENDS);
}

/* --- branches and fetch ------------------------------------------------------------------------------------------ */

/* A new branch is predicted as not taken. One that is taken is resolved in cycle 8, or when what it waits for is there;
 * then fetch and the front end begin anew. */
static void
a_misprediction_costs_resolution_and_front_end(void)
{
	static const unsigned front_end[] = {1, 5, 14};

	for (size_t i = 0; i < sizeof front_end / sizeof *front_end; i++) {
		struct pipe_bed b;
		char changes[40];

		test_label("front end of %u cycles", front_end[i]);
		snprintf(changes, sizeof changes, "front_end %u cycles", front_end[i]);
		pipe_bed_init(&b, changes);
		b.perfect &= ~PERFECT(BRANCH);
		bed_op(&b, SIM_OP_DIV, 1, BED_NONE);
		bed_branch(&b, SIM_CONDITIONAL, true, BED_CODE + 0x1000, BED_NONE);
		bed_ops(&b, 4, SIM_OP_ALU);
		/* resolved in front_end + 3, dispatched front_end later; the division is longer unless that is long */
		CHECK_INT(pipe_bed_run(&b),
			2 * front_end[i] + 5 > front_end[i] + 22 ? 2 * front_end[i] + 5 : front_end[i] + 22);
		CHECK_INT(b.count[SIM_PIPE_BRANCH], 1);
		CHECK_INT(b.count[SIM_PIPE_BRANCH_RETIRED], 1);
		b.op[1].src[0] = 1; /* the branch waits for the division */
		CHECK_INT(pipe_bed_run(&b), (front_end[i] + 2) + 20 + 1 + front_end[i] + 2);
		b.op[1].flags &= (uint8_t)~SIM_OP_TAKEN; /* well predicted */
		b.op[1].next = b.op[1].pc + 4;
		CHECK_INT(pipe_bed_run(&b), (front_end[i] + 2) + 20 + 1);
		CHECK_INT(b.count[SIM_PIPE_BRANCH], 0);
		pipe_bed_free(&b);
	}
}

static void
taken_branches_end_fetch(void)
{
	static const struct {
		const char *changes;
		bool taken;
		unsigned per_cycle;
	} row[] = {
		{NULL, true, 1}, {"fetch_taken 2", true, 2}, {"fetch_taken 4", true, 4}, {NULL, false, 4},
		{"fetch_branches 1", false, 1}, {"fetch_branches 2", false, 2},
			{"fetch_branches 2; fetch_taken 4", true, 2},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct pipe_bed b;

		test_label("row %zu", i);
		pipe_bed_init(&b, row[i].changes);
		for (unsigned k = 0; k < 400; k++)
			bed_branch(&b, row[i].taken ? SIM_JUMP : SIM_CONDITIONAL, row[i].taken, b.pc + 64, BED_NONE);
		CHECK_INT(pipe_bed_run(&b), 400 / row[i].per_cycle + ENDS);
		CHECK_INT(b.count[SIM_PIPE_BRANCHES], 400);
		CHECK_INT(b.count[SIM_PIPE_CONDITIONALS], row[i].taken ? 0 : 400);
		pipe_bed_free(&b);
	}
}

/* A jump that the table of targets does not know: fetch waits `redirect` cycles until it is decoded. */
static void
unknown_targets_redirect_fetch(void)
{
	struct pipe_bed b;
	uint64_t known;

	pipe_bed_init(&b, "btb 64 entries, 4 ways; redirect 7 cycles; fetch 1");
	b.perfect &= ~PERFECT(BRANCH);
	bed_branch(&b, SIM_JUMP, true, BED_CODE + 0x100, BED_NONE);
	bed_ops(&b, 1, SIM_OP_ALU);
	CHECK_INT(pipe_bed_run(&b), 1 + 7 + ENDS);
	CHECK_INT(b.count[SIM_PIPE_BRANCH], 0);
	/* Once more, when the first jump has trained the table: no redirect. */
	bed_ops(&b, 100, SIM_OP_ALU);
	b.pc = BED_CODE;
	b.op[b.n - 1].next = BED_CODE; /* made: a step back without a jump */
	bed_branch(&b, SIM_JUMP, true, BED_CODE + 0x100, BED_NONE);
	bed_ops(&b, 1, SIM_OP_ALU);
	known = pipe_bed_run(&b);
	b.op[b.n - 2].pc += 0x40000; /* another jump */
	CHECK_INT(pipe_bed_run(&b) - known, 7 - 1);
	pipe_bed_free(&b);
}

/* The latencies of instructions count from L1I's miss: those of data without L1's 4 cycles. 16 instructions a line. */
static void
latencies_of_instructions(void)
{
	static const struct {
		sim_perfect real;
		unsigned wait;
	} row[] = {
		{0, 0}, {PERFECT(L1I), 10}, {PERFECT(L1I) | PERFECT(L2I), 40},
			{PERFECT(L1I) | PERFECT(L2I) | PERFECT(L3I), 200},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct pipe_bed b;

		test_label("%u cycles", row[i].wait);
		pipe_bed_init(&b, NULL);
		b.perfect &= ~row[i].real;
		bed_ops(&b, 160, SIM_OP_ALU);
		/* A line is fetched in one cycle. The last one is dispatched over 4. */
		CHECK_INT(pipe_bed_run(&b), i ? 10 * (row[i].wait + 1) + 3 + ENDS : 40 + ENDS);
		CHECK_INT(b.count[SIM_PIPE_L1I], i ? 10 : 0);
		CHECK_INT(b.count[SIM_PIPE_L1I_RETIRED], i ? 10 : 0);
		CHECK_INT(b.count[SIM_PIPE_L2I], i > 1 ? 10 : 0);
		CHECK_INT(b.count[SIM_PIPE_L3I], i > 2 ? 10 : 0);
		CHECK_INT(b.count[SIM_PIPE_L1I_WAIT], i ? 10 * row[i].wait : 0);
		pipe_bed_free(&b);
	}
}

/* Instructions and data share the second level. */
static void
code_and_data_share_a_level(void)
{
	struct pipe_bed b;

	pipe_bed_init(&b, NULL);
	b.perfect &= ~(PERFECT(L1I) | PERFECT(L2I) | PERFECT(L3I) | PERFECT(L1D) | PERFECT(L2D) | PERFECT(L3D));
	bed_read(&b, BED_CODE, 1, BED_NONE); /* the line that it comes from */
	CHECK_INT(pipe_bed_run(&b), 200 + ENDS + 1 + 14);
	CHECK_INT(b.count[SIM_PIPE_L2_ACCESS], 2);
	CHECK_INT(b.count[SIM_PIPE_L2_MISS], 1);
	pipe_bed_free(&b);
}

/* --- wrong paths ------------------------------------------------------------------------------------------------- */

/* A loop of 4 µops in which a branch goes one way 5 times and then the other way, again and again. */
static void
write_loop(struct pipe_bed *b, unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++) {
		bool turns = i % 6 == 5;

		b->pc = BED_CODE;
		bed_op(b, SIM_OP_DIV, 1, BED_NONE);
		bed_branch(b, SIM_CONDITIONAL, turns, BED_CODE + 0x200, 1);
		if (!turns) {
			bed_read(b, 0x100000 + 64 * (uint64_t)i, 2, BED_NONE);
			bed_ops(b, 2, SIM_OP_ALU);
		} else {
			bed_write(b, 0x200000, BED_NONE, BED_NONE);
		}
		bed_branch(b, SIM_JUMP, true, BED_CODE, BED_NONE);
	}
}

static void
wrong_paths_execute_what_was_seen(void)
{
	struct pipe_bed b;
	uint64_t retired;

	/* The first misprediction leads to code that was never seen: nothing is fetched there. */
	pipe_bed_init(&b, NULL);
	b.perfect &= ~PERFECT(BRANCH);
	b.plants = PLANT(WRONG_PATH);
	bed_branch(&b, SIM_CONDITIONAL, true, BED_CODE + 0x200, BED_NONE);
	bed_ops(&b, 3, SIM_OP_ALU);
	pipe_bed_run(&b);
	CHECK_INT(b.count[SIM_PIPE_BRANCH], 1);
	CHECK_INT(b.count[SIM_PIPE_WRONG_FETCH], 0);
	pipe_bed_free(&b);

	pipe_bed_init(&b, NULL);
	b.perfect &= ~(PERFECT(BRANCH) | PERFECT(L1D));
	write_loop(&b, 600);
	retired = b.n;
	pipe_bed_run(&b);
	CHECK_INT(b.count[SIM_PIPE_BRANCH], 100);
	CHECK_INT(b.count[SIM_PIPE_WRONG_FETCH], 0);
	CHECK_INT(b.count[SIM_PIPE_FETCHED], retired);
	CHECK_INT(b.count[SIM_PIPE_L1D_ACCESS], 600);
	b.plants = PLANT(WRONG_PATH);
	pipe_bed_run(&b);
	CHECK_INT(b.count[SIM_PIPE_BRANCH_RETIRED], 100);
	CHECK(b.count[SIM_PIPE_WRONG_FETCH] > 300);
	CHECK_INT(b.count[SIM_PIPE_FETCHED], retired + b.count[SIM_PIPE_WRONG_FETCH]);
	CHECK(b.count[SIM_PIPE_L1D_ACCESS] > 600); /* its loads are executed */
	CHECK_INT(b.count[SIM_PIPE_UOPS], retired); /* and none retires */
	CHECK_INT(b.count[SIM_LOAD_RET], 500);
	CHECK_INT(b.count[SIM_STORE_RET], 100);
	CHECK(b.count[SIM_PIPE_L1D_RETIRED] <= 500);
	pipe_bed_free(&b);
}

/* A branch that was taken many times, and now is not: what was fetched after it is of the wrong path. Returns how many
 * µops that is. The branch waits for a division. */
static uint64_t
fetched_after_taken(const char *changes, unsigned times)
{
	struct pipe_bed b;
	uint64_t wrong;

	pipe_bed_init(&b, changes);
	b.perfect &= ~PERFECT(BRANCH);
	b.plants = PLANT(WRONG_PATH);
	for (unsigned i = 0; i <= times; i++) {
		b.pc = BED_CODE;
		bed_op(&b, SIM_OP_DIV, 1, BED_NONE);
		bed_branch(&b, SIM_CONDITIONAL, i < times, BED_CODE + 0x200, 1);
		bed_ops(&b, 40, SIM_OP_ALU);
		if (i < times)
			bed_branch(&b, SIM_JUMP, true, BED_CODE, BED_NONE);
	}
	pipe_bed_run(&b);
	wrong = b.count[SIM_PIPE_WRONG_FETCH];
	b.n -= 41; /* without the branch that is not taken */
	pipe_bed_run(&b);
	wrong -= b.count[SIM_PIPE_WRONG_FETCH];
	pipe_bed_free(&b);
	return wrong;
}

/* After a branch that is predicted as taken wrongly, fetch goes on at the target that was seen, as it does after one
 * that is predicted as not taken. Without a table of targets it does so at once, and so it does if the table has the
 * target. If it has not, fetch waits until the branch is decoded. */
static void
wrong_paths_begin_at_the_target_that_was_seen(void)
{
	uint64_t known = fetched_after_taken("fetch 1", 20);

	/* The division is fetched in cycle 0, begins in 6, and ends in 26; the branch is fetched in 1 and resolved in
	 * 27. From 2 to 26, one µop of the wrong path is fetched in each cycle. */
	CHECK_INT(known, 25);
	CHECK_INT(fetched_after_taken("fetch 1; btb 64 entries, 4 ways; redirect 7 cycles", 20), known);
	/* In a table of one entry the jump has taken the branch's place. */
	CHECK_INT(fetched_after_taken("fetch 1; btb 1 entries, 1 ways; redirect 7 cycles", 20), known - 6);
}

/* --- lookups in program order, prefetches ------------------------------------------------------------------------ */

/* A and B share the only way of a set. A's load waits for a division, so B is executed first, and A replaces it. */
static void
lookups_at_fetch_are_in_program_order(void)
{
	static const char *const changes[] = {NULL, "lookup at fetch"};

	for (int i = 0; i < 2; i++) {
		struct pipe_bed b;

		test_label("%s", i ? changes[i] : "at execution");
		pipe_bed_init(&b, changes[i]);
		b.perfect &= ~(PERFECT(L1D) | PERFECT(L2D) | PERFECT(L3D));
		bed_op(&b, SIM_OP_DIV, 1, BED_NONE);
		bed_read(&b, 0x100000, 2, 1);
		bed_read(&b, 0x101000, BED_NONE, BED_NONE);
		bed_read(&b, 0x101000, BED_NONE, 2);
		pipe_bed_run(&b);
		CHECK_INT(b.count[SIM_PIPE_L1D_ACCESS], 3);
		CHECK_INT(b.count[SIM_PIPE_L1D_MISS], i ? 2 : 3);
		pipe_bed_free(&b);
	}
}

/* Loads of one instruction, one a line: strided, or anywhere. */
static void
write_stream(struct pipe_bed *b, bool strided)
{
	uint64_t seed = 1;

	for (unsigned i = 0; i < 500; i++) {
		b->pc = BED_CODE;
		bed_read(b, strided ? 0x1000000 + 64 * (uint64_t)i : 0x1000000 + test_random(&seed) % 0x1000000, 1, 1);
		bed_branch(b, SIM_JUMP, true, BED_CODE, BED_NONE);
	}
}

static void
strides_are_prefetched(void)
{
	for (int at_fetch = 0; at_fetch < 2; at_fetch++)
		for (int strided = 0; strided < 2; strided++) {
			struct pipe_bed b;
			uint64_t with, without;

			test_label("%s, %s", at_fetch ? "lookup at fetch" : "at execution",
				strided ? "strided" : "random");
			pipe_bed_init(&b, at_fetch ? "l1 32 KiB, 8 ways, 4 cycles; lookup at fetch" : NULL);
			b.perfect &= ~(PERFECT(L1D) | PERFECT(L2D) | PERFECT(L3D));
			write_stream(&b, strided);
			without = pipe_bed_run(&b);
			CHECK(b.count[SIM_PIPE_L1D_MISS] > 490);
			CHECK_INT(b.count[SIM_PIPE_PREFETCH], 0);
			pipe_bed_free(&b);

			pipe_bed_init(&b,
				at_fetch ? "l1 32 KiB, 8 ways, 4 cycles; stride_prefetch 64 entries, ahead 8; "
					   "lookup at fetch"
					 : "stride_prefetch 64 entries, ahead 8");
			b.perfect &= ~(PERFECT(L1D) | PERFECT(L2D) | PERFECT(L3D));
			write_stream(&b, strided);
			with = pipe_bed_run(&b);
			if (strided) {
				CHECK(b.count[SIM_PIPE_L1D_MISS] < 20);
				CHECK(b.count[SIM_PIPE_PREFETCH_MISS] > 480);
				CHECK(with < without / 4);
			} else {
				CHECK(b.count[SIM_PIPE_L1D_MISS] > 490);
				CHECK(b.count[SIM_PIPE_PREFETCH] < 10);
				CHECK(with > without * 9 / 10);
			}
			pipe_bed_free(&b);
		}
}

/* Returns the prefetches of a strided load in a loop with seven loads of one line, on so many load ports. */
static uint64_t
prefetches_of_busy_loop(const char *lookup, unsigned ports)
{
	char changes[256];
	struct pipe_bed b;
	uint64_t sent;

	snprintf(changes, sizeof changes,
		"fetch_taken 2; stride_prefetch 64 entries, ahead 4; l1 32 KiB, 8 ways, 4 cycles; %s; "
		"ports 8 alu, mul, div, fadd, fmul, fdiv, fma, branch, move, nop; ports %u load, store, atomic",
		lookup, ports);
	pipe_bed_init(&b, changes);
	b.perfect &= ~(PERFECT(L1D) | PERFECT(L2D) | PERFECT(L3D));
	for (unsigned i = 0; i < 1000; i++) {
		b.pc = BED_CODE;
		bed_read(&b, 0x1000000 + 8 * (uint64_t)i, BED_NONE, BED_NONE);
		for (int k = 0; k < 7; k++)
			bed_read(&b, 0x2000000, BED_NONE, BED_NONE);
		bed_branch(&b, SIM_JUMP, true, BED_CODE, BED_NONE);
	}
	pipe_bed_run(&b);
	sent = b.count[SIM_PIPE_PREFETCH];
	pipe_bed_free(&b);
	return sent;
}

/* A prefetch needs a load port that no load takes in its cycle; one that finds none for 8 cycles is given up. Without a
 * limit, loads come at 3.6 a cycle. */
static void
prefetches_need_a_free_port(void)
{
	static const char *const lookup[] = {"lookup at fetch", "lookup at execution"};

	for (int i = 0; i < 2; i++) {
		test_label("%s", lookup[i]);
		CHECK(prefetches_of_busy_loop(lookup[i], 8) > 900);
		CHECK(prefetches_of_busy_loop(lookup[i], 4) > 700);
		CHECK(prefetches_of_busy_loop(lookup[i], 1) < 100);
	}
}

static void
count_cycles(void *ctx, const struct sim_pipe_cycle *c)
{
	*(uint64_t *)ctx += c->signals.cycles;
}

/* Many loads on one port leave prefetches in the queue, which are sent in the cycles of the miss that follows. Watching
 * changes nothing, though it sees each of these cycles. */
static void
prefetches_are_sent_while_nothing_happens(void)
{
	struct pipe_bed b;
	struct sim_pipe *p;
	uint64_t watched = 0;

	pipe_bed_init(&b,
		"stride_prefetch 64 entries, ahead 4; l1 32 KiB, 8 ways, 4 cycles; ports 8 alu, mul, div, fadd, "
		"fmul, fdiv, fma, branch, move, nop; ports 1 load; ports 1 store, atomic; width 1");
	b.perfect &= ~(PERFECT(L1D) | PERFECT(L2D) | PERFECT(L3D));
	for (unsigned i = 0; i < 40; i++) {
		b.pc = BED_CODE;
		for (unsigned k = 0; k < 12; k++)
			bed_read(&b, 0x1000000 + 0x100000 * k + 64 * (i * 16 + k), k ? BED_NONE : 1, k ? BED_NONE : 1);
		bed_op(&b, SIM_OP_DIV, 1, 1);
		bed_branch(&b, SIM_JUMP, true, BED_CODE, BED_NONE);
	}
	pipe_bed_run(&b);
	CHECK(b.count[SIM_PIPE_PREFETCH] > 400);
	p = sim_pipe_new(b.machine, b.plants, b.perfect);
	sim_pipe_watch(p, count_cycles, &watched);
	sim_pipe_run(p, b.op, b.n);
	sim_pipe_drain(p);
	CHECK_INT(b.count[SIM_CYCLES], watched);
	CHECK_INT(b.count[SIM_PIPE_PREFETCH], sim_pipe_counts(p)[SIM_PIPE_PREFETCH]);
	sim_pipe_free(p);
	pipe_bed_free(&b);
}

TEST_MAIN(CASE(each_width_limits), CASE(chains_cost_their_latency), CASE(a_chain_of_loads),
	CASE(ports_and_blocking_units), CASE(the_reorder_buffer_limits_overlap),
	CASE(queues_registers_and_branches_limit_overlap), CASE(the_store_queue_fills),
	CASE(the_scheduler_limits_overlap), CASE(fill_buffers_limit_overlap), CASE(latencies_of_data),
	CASE(levels_that_hold_a_line), CASE(a_line_in_flight), CASE(long_lines), CASE(without_a_third_level),
	CASE(translation_costs_a_walk), CASE(a_load_reads_its_store), CASE(a_load_waits_for_the_data_of_its_store),
	CASE(addresses_of_stores_go_ahead), CASE(moves_are_eliminated), CASE(entries_of_the_reorder_buffer_are_shared),
	CASE(fused_multiply_adds_are_split), CASE(a_misprediction_costs_resolution_and_front_end),
	CASE(taken_branches_end_fetch), CASE(unknown_targets_redirect_fetch), CASE(latencies_of_instructions),
	CASE(code_and_data_share_a_level), CASE(wrong_paths_execute_what_was_seen),
	CASE(wrong_paths_begin_at_the_target_that_was_seen),
	CASE(lookups_at_fetch_are_in_program_order), CASE(strides_are_prefetched), CASE(prefetches_need_a_free_port),
	CASE(prefetches_are_sent_while_nothing_happens))
