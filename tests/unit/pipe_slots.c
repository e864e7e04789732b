/* Dispatch slots on sequences whose cycles are worked out by hand, on the bed of pipe_bed.c: 4 slots a cycle, a reorder
 * buffer of 64, and 5 cycles of front end. A µop without misses is dispatched in cycle 6, begins in 7, and commits in 7
 * and its latency. Before cycle 6 the front end is filling: 20 slots. pipeline_laws.c checks that all causes sum to the
 * slots on drawn machines. */
#include "sim/pipeline/pipe.h"

#include <stdio.h>
#include <string.h>

#include "pipe_bed.h"
#include "test.h"

#define WIDTH 4
#define FILLING 20
#define REAL_DATA (BED_PERFECT & ~(PERFECT(L1D) | PERFECT(L2D) | PERFECT(L3D)))
#define ALL_SLOTS(b) (WIDTH * (b).count[SIM_CYCLES])

/* Checks that the run has these slots, which are the back end's, and the others in FetchBandwidth: before the first µop
 * and after the last. Top-down's events are counted apart, and must say the same. */
static void
check_cause(const struct pipe_bed *b, size_t uops, enum sim_event cause, uint64_t slots)
{
	CHECK_INT(b->count[SIM_SLOT_RETIRING], uops);
	test_check(b->count[cause] == slots, __FILE__, __LINE__, "%s: %llu, not %llu", sim_event_name(cause),
		(unsigned long long)b->count[cause], (unsigned long long)slots);
	CHECK_INT(b->count[SIM_SLOT_FETCH], ALL_SLOTS(*b) - uops - slots);
	CHECK_INT(b->count[SIM_PIPE_UNDELIVERED], b->count[SIM_SLOT_FETCH]);
}

static void
independent_uops_fill_all_slots(void)
{
	struct pipe_bed b;

	pipe_bed_init(&b, NULL);
	bed_ops(&b, 1200, SIM_OP_ALU);
	CHECK_INT(pipe_bed_run(&b), 300 + 7);
	check_cause(&b, 1200, SIM_SLOT_NOT_READY, 0);
	CHECK_INT(b.count[SIM_SLOT_FETCH], FILLING + 2 * WIDTH); /* the last cycles execute and commit */
	pipe_bed_free(&b);
}

/* 300 µops of latency L, begun one after the other, D cycles apart. µop i begins in 7 + D·i and commits in 7 + D·i +
 * L, so that the last one finds one of 64 entries when µop 235 has committed, in 7 + D·235 + L. It is alone in that
 * cycle, and the program ends in 7 + D·299 + L: after it, 3 slots and D·64 cycles have no µop. */
static void
check_queue(const char *changes, enum sim_op_kind kind, bool chained, unsigned apart, unsigned latency,
	enum sim_event cause)
{
	struct pipe_bed b;
	uint64_t cycles = 7 + 299 * apart + latency, after = 3 + (uint64_t)WIDTH * 64 * apart;

	test_label("%s, %s", sim_event_name(cause), changes ? changes : "unchanged");
	pipe_bed_init(&b, changes);
	for (size_t i = 0; i < 300; i++) {
		if (kind == SIM_OP_LOAD)
			bed_read(&b, 0x1000, BED_NONE, BED_NONE);
		else if (chained)
			bed_op(&b, kind, 1, 1);
		else
			bed_op(&b, kind, BED_NONE, BED_NONE);
	}
	CHECK_INT(pipe_bed_run(&b), cycles);
	check_cause(&b, 300, cause, WIDTH * cycles - 300 - FILLING - after);
	pipe_bed_free(&b);
}

static void
chains_are_latency(void)
{
	check_queue(NULL, SIM_OP_ALU, true, 1, 1, SIM_SLOT_NOT_READY);
	check_queue(NULL, SIM_OP_MUL, true, 3, 3, SIM_SLOT_SCALAR_EXECUTE);
	check_queue("latency mul 9 cycles", SIM_OP_MUL, true, 9, 9, SIM_SLOT_SCALAR_EXECUTE);
	check_queue(NULL, SIM_OP_FMUL, true, 4, 4, SIM_SLOT_FV_EXECUTE);
	check_queue(NULL, SIM_OP_FADD, true, 3, 3, SIM_SLOT_FV_EXECUTE);
}

static void
independent_uops_without_slots_of_issue_are_bandwidth(void)
{
	check_queue("issue 1", SIM_OP_ALU, false, 1, 1, SIM_SLOT_INT_BANDWIDTH);
	check_queue("issue 1", SIM_OP_MUL, false, 1, 3, SIM_SLOT_INT_BANDWIDTH);
	check_queue("issue 1", SIM_OP_FADD, false, 1, 3, SIM_SLOT_FV_BANDWIDTH);
	check_queue("issue 1", SIM_OP_LOAD, false, 1, 5, SIM_SLOT_MEM_BANDWIDTH);
}

/* 2 of 4 slots in each cycle from 6 to 155, in the last of which no more µops come. */
static void
a_limit_of_dispatch_is_bandwidth(void)
{
	struct pipe_bed b;

	pipe_bed_init(&b, "fp_dispatch 2");
	bed_ops(&b, 300, SIM_OP_FADD);
	CHECK_INT(pipe_bed_run(&b), 155 + 4);
	check_cause(&b, 300, SIM_SLOT_FV_BANDWIDTH, 2 * 149);
	pipe_bed_free(&b);
}

/* fadd, fadd, alu, alu, and again, with one fadd a cycle: a cycle takes the first fadd alone, the next one the second
 * and both alu. Before the next fadd they leave 3 slots and 1; after the last alu no µop is left. */
static void
others_wait_behind_a_limit_of_dispatch(void)
{
	struct pipe_bed b;

	pipe_bed_init(&b, "fp_dispatch 1");
	for (unsigned i = 0; i < 100; i++) {
		bed_ops(&b, 2, SIM_OP_FADD);
		bed_ops(&b, 2, SIM_OP_ALU);
	}
	CHECK_INT(pipe_bed_run(&b), 205 + 4);
	check_cause(&b, 400, SIM_SLOT_FV_BANDWIDTH, 100 * 3 + 99 * 1);
	CHECK_INT(b.count[SIM_PIPE_NONE_DELIVERED], FILLING / WIDTH + 4);
	pipe_bed_free(&b);
}

/* A core that holds 16 µops from fetch to commit: they wait for the load behind which 15 have been fetched, and the
 * front end brings no more. The next 16 are fetched in the cycle after, and dispatched 5 cycles later. */
static void
a_full_window_is_no_loss_of_the_front_end(void)
{
	struct pipe_bed b;

	pipe_bed_init(&b, "window 16");
	b.perfect = REAL_DATA;
	bed_read(&b, 0x1000, 1, BED_NONE);
	bed_ops(&b, 15, SIM_OP_ALU);
	bed_ops(&b, 16, SIM_OP_ALU);
	pipe_bed_run(&b);
	CHECK_INT(b.count[SIM_SLOT_RETIRING], 32);
	CHECK(b.count[SIM_SLOT_LOAD_MEM] >= (uint64_t)WIDTH * (204 - 5));
	CHECK_INT(b.count[SIM_PIPE_UNDELIVERED], b.count[SIM_SLOT_FETCH]);
	pipe_bed_free(&b);
}

static void
commit_can_be_the_limit(void)
{
	check_queue("commit 1", SIM_OP_ALU, false, 1, 1, SIM_SLOT_COMMIT);
}

/* A load from memory begins in cycle 7, knows its address in 8, and has its data 204 cycles later. The buffer is full
 * after cycle 21, its 64th entry being taken; from 22 on dispatch waits. */
static void
a_long_miss_blocks_a_full_buffer(void)
{
	struct pipe_bed b;

	pipe_bed_init(&b, NULL);
	b.perfect = REAL_DATA;
	bed_read(&b, 0x1000, 1, BED_NONE);
	bed_ops(&b, 299, SIM_OP_ALU);
	pipe_bed_run(&b);
	check_cause(&b, 300, SIM_SLOT_LOAD_MEM, WIDTH * (8 + 204 - 22));
	pipe_bed_free(&b);
}

/* A walk begins 5 cycles after the address is known, and reads four levels of the page table, one after the other: from
 * a perfect L1 in 4 cycles each, or from memory in 204. Then come the data. */
static void
a_walk_is_charged_before_the_data(void)
{
	struct pipe_bed b;

	pipe_bed_init(&b, NULL);
	b.perfect = BED_PERFECT & ~PERFECT(DTLB);
	bed_read(&b, 0x1000, 1, BED_NONE);
	bed_ops(&b, 299, SIM_OP_ALU);
	pipe_bed_run(&b);
	CHECK_INT(b.count[SIM_SLOT_DTLB], WIDTH * (8 + 5 + 4 * 4 - 22));
	CHECK_INT(b.count[SIM_SLOT_LOAD_MEM], 0);
	b.perfect = REAL_DATA & ~PERFECT(DTLB);
	pipe_bed_run(&b);
	CHECK_INT(b.count[SIM_SLOT_DTLB], WIDTH * (8 + 5 + 4 * 204 - 22));
	CHECK_INT(b.count[SIM_SLOT_LOAD_MEM], WIDTH * 204);
	pipe_bed_free(&b);
}

/* A direct-mapped L1 of 4 KiB holds one of two lines 4 KiB apart. The third load, after the first two, finds its
 * line in L2. The core has one slot a cycle and one entry: a load that is dispatched in t begins in t + 1, knows its
 * address in t + 2, and its data come from memory after 204 cycles, from L2 after 14, from L1 after 4. Then the next
 * one enters. */
static void
levels_of_loads(void)
{
	struct pipe_bed b;

	pipe_bed_init(&b, "width 1; rob 1");
	b.perfect = REAL_DATA;
	bed_read(&b, 0x10000, BED_NONE, BED_NONE);
	bed_read(&b, 0x11000, BED_NONE, BED_NONE);
	bed_read(&b, 0x10000, BED_NONE, BED_NONE);
	bed_read(&b, 0x10000, BED_NONE, BED_NONE);
	bed_ops(&b, 1, SIM_OP_ALU);
	pipe_bed_run(&b);
	CHECK_INT(b.count[SIM_SLOT_LOAD_MEM], 2 * (204 + 1));
	CHECK_INT(b.count[SIM_SLOT_LOAD_L2], 14 + 1);
	CHECK_INT(b.count[SIM_SLOT_LOAD_L1], 4 + 1);
	CHECK_INT(b.count[SIM_SLOT_MEM_BANDWIDTH], 0);
	pipe_bed_free(&b);
}

/* Stores leave their queue when their lines are there, in order. */
static void
a_full_store_queue_waits_for_its_oldest_line(void)
{
	struct pipe_bed b;

	pipe_bed_init(&b, "store_queue 4");
	b.perfect = REAL_DATA;
	for (uint64_t i = 0; i < 8; i++)
		bed_write(&b, 0x1000 + 64 * i, BED_NONE, BED_NONE);
	pipe_bed_run(&b);
	CHECK_INT(b.count[SIM_SLOT_RETIRING], 8);
	CHECK(b.count[SIM_SLOT_STORE_MEM] >= WIDTH * 150);
	CHECK_INT(b.count[SIM_SLOT_STORE_L2] + b.count[SIM_SLOT_STORE_L3] + b.count[SIM_SLOT_LOAD_MEM], 0);
	pipe_bed_free(&b);
}

/* The branch is dispatched with three others in cycle 6 and resolved in 8. In 7 nothing can come: the path is wrong. In
 * 8 fetch begins again, and the next µops are dispatched in 13. */
static void
a_misprediction_is_wrong_path_and_recovery(void)
{
	struct pipe_bed b;

	pipe_bed_init(&b, NULL);
	b.perfect &= ~PERFECT(BRANCH);
	bed_ops(&b, 3, SIM_OP_ALU);
	bed_branch(&b, SIM_CONDITIONAL, true, BED_CODE + 0x100, BED_NONE);
	bed_ops(&b, 4, SIM_OP_ALU);
	CHECK_INT(pipe_bed_run(&b), 15);
	CHECK_INT(b.count[SIM_SLOT_WRONG_PATH], WIDTH);
	CHECK_INT(b.count[SIM_SLOT_RECOVERY], 5 * WIDTH);
	CHECK_INT(b.count[SIM_SLOT_RETIRING], 8);
	pipe_bed_free(&b);
}

/* As in pipe_order.c: the load went ahead of its store. It and the µop after it are fetched again in cycle 27 and
 * dispatched in 32. */
static void
a_clear_is_charged_for_what_comes_again(void)
{
	struct pipe_bed b;

	pipe_bed_init(&b, "disambiguation blind");
	bed_op(&b, SIM_OP_DIV, 1, BED_NONE);
	bed_write(&b, 0x2000, 1, BED_NONE);
	bed_read(&b, 0x2000, 2, BED_NONE);
	bed_op(&b, SIM_OP_ALU, BED_NONE, 2);
	CHECK_INT(pipe_bed_run(&b), 33 + 5 + 1);
	CHECK_INT(b.count[SIM_SLOT_CLEARED], 5 * WIDTH + 2);
	CHECK_INT(b.count[SIM_SLOT_RETIRING], 4);
	pipe_bed_free(&b);
}

/* One line of 16 instructions from memory: until the first is dispatched, all slots wait for it. Then four cycles of
 * dispatch and two until the last commits. */
static void
a_miss_of_fetch_is_charged_until_dispatch(void)
{
	struct pipe_bed b;
	uint64_t cycles;

	pipe_bed_init(&b, NULL);
	b.perfect = BED_PERFECT & ~(PERFECT(L1I) | PERFECT(L2I) | PERFECT(L3I));
	bed_ops(&b, 16, SIM_OP_ALU);
	cycles = pipe_bed_run(&b);
	CHECK(cycles > 204);
	CHECK_INT(b.count[SIM_SLOT_ICACHE_MEM], WIDTH * (cycles - 6));
	CHECK_INT(b.count[SIM_SLOT_FETCH], WIDTH * 2);
	pipe_bed_free(&b);
}

static void
taken_branches_leave_slots(void)
{
	struct pipe_bed b;

	pipe_bed_init(&b, NULL);
	for (uint64_t i = 0; i < 100; i++)
		bed_branch(&b, SIM_JUMP, true, BED_CODE + 64 * (i + 1), BED_NONE);
	CHECK_INT(pipe_bed_run(&b), 100 + 7);
	CHECK_INT(b.count[SIM_SLOT_RETIRING], 100);
	CHECK_INT(b.count[SIM_SLOT_FETCH], FILLING);
	CHECK_INT(b.count[SIM_SLOT_TAKEN], 3 * 100 + 2 * WIDTH);
	pipe_bed_free(&b);
}

TEST_MAIN(CASE(independent_uops_fill_all_slots), CASE(chains_are_latency),
	CASE(independent_uops_without_slots_of_issue_are_bandwidth), CASE(a_limit_of_dispatch_is_bandwidth),
	CASE(others_wait_behind_a_limit_of_dispatch), CASE(a_full_window_is_no_loss_of_the_front_end),
	CASE(commit_can_be_the_limit),
	CASE(a_long_miss_blocks_a_full_buffer), CASE(a_walk_is_charged_before_the_data), CASE(levels_of_loads),
	CASE(a_full_store_queue_waits_for_its_oldest_line), CASE(a_misprediction_is_wrong_path_and_recovery),
	CASE(a_clear_is_charged_for_what_comes_again), CASE(a_miss_of_fetch_is_charged_until_dispatch),
	CASE(taken_branches_leave_slots))
