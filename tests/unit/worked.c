/* Programs on the machine `core` whose CPI stacks are worked out by hand: docs/cpi-stacks.md has two of them, with
 * how they come about. */
#include <stdlib.h>
#include <string.h>

#include "pipe_bed.h"
#include "sim/event.h"
#include "test.h"

/* A program of rounds that are alike. `add` appends so many of them; `how` is its own. */
struct program {
	void (*add)(struct pipe_bed *, unsigned rounds, double how);
	double how;
	unsigned rounds;
};

/* Counts of its rounds, after others that fill caches and tables. */
struct worked {
	uint64_t count[SIM_N_COUNTS];
	unsigned rounds;
};

#define WARM_UP 300u

/* Runs a program twice, to its end and to that of the warm-up, on the machine `core` on which only some structures are
 * real. */
static struct worked
work(const char *changes, sim_perfect real, const struct program *program)
{
	struct worked w = {.rounds = program->rounds};
	struct pipe_bed b;

	pipe_bed_init_core(&b, changes);
	b.perfect &= ~real;
	program->add(&b, WARM_UP + w.rounds, program->how);
	pipe_bed_run(&b);
	memcpy(w.count, b.count, sizeof w.count);
	b.n = b.n / (WARM_UP + w.rounds) * WARM_UP;
	pipe_bed_run(&b);
	for (int i = 0; i < (int)SIM_N_COUNTS; i++)
		w.count[i] -= b.count[i];
	pipe_bed_free(&b);
	return w;
}

/* Returns cycles per round: of the run, and a component of a method. */
static double
cycles(const struct worked *w)
{
	return (double)w->count[SIM_CYCLES] / w->rounds;
}

static double
part(const struct worked *w, enum sim_event method, enum sim_part p)
{
	return (double)w->count[(int)method + (int)p] / w->rounds;
}

/* Within 5 % of what was worked out, and 0 within 0.05 cycles. */
#define CHECK_WORKED(value, want) CHECK_NEAR(value, want, 0.05 * ((want) > 1 ? (want) : 1))

/* A line of data that no access has touched before. */
static uint64_t
fresh_line(unsigned i)
{
	return ((uint64_t)1 << 32) + 64 * (uint64_t)i;
}

/* Ends a round: a jump back to its beginning. */
static void
jump_back(struct pipe_bed *b)
{
	bed_branch(b, SIM_JUMP, true, BED_CODE, BED_NONE);
}

/* --- p1: dependent misses ---------------------------------------------------------------------------------------- */

/* 16 instructions: a load whose address is the result of the load before, 14 additions, a jump. */
static void
add_dependent_misses(struct pipe_bed *b, unsigned rounds, double how)
{
	(void)how;
	for (unsigned i = 0; i < rounds; i++) {
		b->pc = BED_CODE;
		bed_read(b, fresh_line(i), 1, 1);
		bed_ops(b, 14, SIM_OP_ALU);
		jump_back(b);
	}
}

static void
dependent_misses(void)
{
	static const struct program p = {add_dependent_misses, 0, 400};
	sim_perfect l1d = PERFECT(L1D), all = l1d | PERFECT(L2D);
	struct worked none = work(NULL, 0, &p), near = work(NULL, l1d, &p), w = work(NULL, all, &p);

	CHECK_WORKED(cycles(&w), 261);
	/* truth */
	CHECK_WORKED(cycles(&none), 4);
	CHECK_WORKED(cycles(&near) - cycles(&none), 7);
	CHECK_WORKED(cycles(&w) - cycles(&near), 250);
	CHECK_WORKED(part(&w, SIM_FMT_BASE, SIM_PART_L2D), 257);
	CHECK_WORKED(part(&w, SIM_FMT_BASE, SIM_PART_L1D), 0);
	CHECK_WORKED(part(&w, SIM_SFMT_BASE, SIM_PART_L2D), 257);
	CHECK_WORKED(part(&w, SIM_POWER5_BASE, SIM_PART_L2D), 257);
	CHECK_WORKED(part(&w, SIM_TEA_BASE, SIM_PART_L2D), 257);
	CHECK_WORKED(part(&w, SIM_TEA_BASE, SIM_PART_BASE), 4);
}

/* --- p2: independent misses -------------------------------------------------------------------------------------- */

/* 256 instructions: eight loads that wait for nothing, 247 additions, a jump. The reorder buffer is full 128 / 4 = 32
 * cycles after the first load was dispatched. Its data come 1 + 1 + 260 = 262 cycles after dispatch, and those of the
 * other seven no later than µops commit. So 262 - 32 = 230 cycles are lost, to eight misses together. */
static void
add_independent_misses(struct pipe_bed *b, unsigned rounds, double how)
{
	(void)how;
	for (unsigned i = 0; i < rounds; i++) {
		b->pc = BED_CODE;
		for (unsigned k = 0; k < 8; k++)
			bed_read(b, fresh_line(8 * i + k), 1, BED_NONE);
		bed_ops(b, 247, SIM_OP_ALU);
		jump_back(b);
	}
}

static void
independent_misses(void)
{
	static const struct program p = {add_independent_misses, 0, 100};
	sim_perfect l1d = PERFECT(L1D), all = l1d | PERFECT(L2D);
	struct worked none = work(NULL, 0, &p), near = work(NULL, l1d, &p), w = work(NULL, all, &p);

	CHECK_INT(w.count[SIM_PIPE_L2D_RETIRED], 8 * w.rounds);
	CHECK_WORKED(cycles(&w), 294);
	CHECK_WORKED(cycles(&none), 64);
	CHECK_WORKED(cycles(&near) - cycles(&none), 0);
	CHECK_WORKED(cycles(&w) - cycles(&near), 230);
	CHECK_WORKED(part(&w, SIM_FMT_BASE, SIM_PART_L2D), 230);
	CHECK_WORKED(part(&w, SIM_SFMT_BASE, SIM_PART_L2D), 230);
	CHECK_WORKED(part(&w, SIM_POWER5_BASE, SIM_PART_L2D), 230);
	CHECK_WORKED(part(&w, SIM_TEA_BASE, SIM_PART_L2D), 230);
	CHECK_WORKED(part(&w, SIM_TEA_BASE, SIM_PART_BASE), 64);
}

/* --- p3: mispredictions ------------------------------------------------------------------------------------------ */

/* 64 instructions: three additions, a branch that waits for nothing and goes both ways at random, 59 additions, a jump.
 * All groups of four that are fetched begin with the first instruction of a path or of the round.
 *
 * Dispatched in cycle 0, the branch begins in 1 and is resolved in 2; the right path is fetched in 2 and dispatched in
 * 7. FMT counts the 7 cycles from dispatch to dispatch. The branch is the last of its four, so only the cycles 1 to 6
 * are lost. It commits in 2, which leaves 3 to 6 with an empty buffer for POWER5. */
static void
add_mispredictions(struct pipe_bed *b, unsigned rounds, double how)
{
	uint64_t seed = 1;

	(void)how;
	for (unsigned i = 0; i < rounds; i++) {
		b->pc = BED_CODE;
		bed_ops(b, 3, SIM_OP_ALU);
		bed_branch(b, SIM_CONDITIONAL, test_random(&seed) >> 33 & 1, BED_CODE + 0x1000, BED_NONE);
		bed_ops(b, 59, SIM_OP_ALU);
		jump_back(b);
	}
}

static void
mispredictions(void)
{
	static const struct program p = {add_mispredictions, 0, 3000};
	struct worked none = work(NULL, 0, &p), w = work(NULL, PERFECT(BRANCH), &p);
	double missed = (double)w.count[SIM_PIPE_BRANCH_RETIRED] / w.rounds;

	CHECK(missed > 0.4 && missed < 0.6);
	CHECK_WORKED(cycles(&none), 16);
	CHECK_WORKED((cycles(&w) - cycles(&none)) / missed, 6);
	CHECK_WORKED(part(&w, SIM_FMT_BASE, SIM_PART_BRANCH) / missed, 7);
	CHECK_WORKED(part(&w, SIM_SFMT_BASE, SIM_PART_BRANCH) / missed, 7);
	CHECK_WORKED(part(&w, SIM_POWER5_BASE, SIM_PART_BRANCH) / missed, 4);
	CHECK_WORKED(part(&w, SIM_TEA_BASE, SIM_PART_BRANCH) / missed, 4);
}

/* --- p4: a loop beyond L1I --------------------------------------------------------------------------------------- */

/* 4096 instructions in 256 lines, twice as many as L1I has: 4095 additions and a jump. Both halves of the loop have the
 * same sets, so each line misses and costs the delay from L1I to L2, 9 cycles: 256 x 9 = 2304. */
static void
add_long_loop(struct pipe_bed *b, unsigned rounds, double how)
{
	(void)how;
	for (unsigned i = 0; i < rounds; i++) {
		b->pc = BED_CODE;
		bed_ops(b, 4095, SIM_OP_ALU);
		jump_back(b);
	}
}

static void
loop_beyond_l1i(void)
{
	static const struct program p = {add_long_loop, 0, 20};
	struct worked none = work(NULL, 0, &p), w = work(NULL, PERFECT(L1I) | PERFECT(L2I), &p);

	CHECK_INT(w.count[SIM_PIPE_L1I_RETIRED], 256 * w.rounds);
	CHECK_WORKED(cycles(&none), 1024);
	CHECK_WORKED(cycles(&w) - cycles(&none), 2304);
	CHECK_WORKED(part(&w, SIM_FMT_BASE, SIM_PART_L1I), 2304);
	CHECK_WORKED(part(&w, SIM_SFMT_BASE, SIM_PART_L1I), 2304);
	CHECK_WORKED(part(&w, SIM_FMT_BASE, SIM_PART_L2I), 0);
}

/* --- p5: pages beyond the DTLB ----------------------------------------------------------------------------------- */

#define PAGES 160u

/* 8 instructions: a load whose address is the result of the load before, in the next of 160 pages, 6 additions, a jump.
 * The lines of data and of the page table fit into L1D. Five pages share a set of four ways, one after the other. With
 * the replacement of `core`, one bit for each way, two of three accesses miss. A walk takes 5 cycles and one reference
 * that hits L1D, 6 in all. FMT and POWER5 do not count the cycle in which the head of the full buffer waits for L1D;
 * TEA charges it to what the load waited for before. */
static void
add_many_pages(struct pipe_bed *b, unsigned rounds, double how)
{
	(void)how;
	for (unsigned i = 0; i < rounds; i++) {
		uint64_t page = i % PAGES;

		b->pc = BED_CODE;
		bed_read(b, ((uint64_t)1 << 32) + 4096 * page + 64 * (page % 64), 1, 1);
		bed_ops(b, 6, SIM_OP_ALU);
		jump_back(b);
	}
}

static void
pages_beyond_the_dtlb(void)
{
	static const struct program p = {add_many_pages, 0, 2000};
	sim_perfect data = PERFECT(L1D) | PERFECT(L2D);
	struct worked none = work(NULL, data, &p), w = work(NULL, data | PERFECT(DTLB), &p);

	double missed = (double)w.count[SIM_PIPE_DTLB_RETIRED] / w.rounds;

	CHECK_WORKED(cycles(&none), 2);
	CHECK_WORKED(missed, 2.0 / 3);
	CHECK_WORKED((cycles(&w) - cycles(&none)) / missed, 6);
	CHECK_WORKED(part(&w, SIM_FMT_BASE, SIM_PART_DTLB) / missed, 5);
	CHECK_WORKED(part(&w, SIM_SFMT_BASE, SIM_PART_DTLB) / missed, 5);
	CHECK_WORKED(part(&w, SIM_POWER5_BASE, SIM_PART_DTLB) / missed, 5);
	CHECK_WORKED(part(&w, SIM_TEA_BASE, SIM_PART_DTLB) / missed, 6);
	CHECK_WORKED(part(&w, SIM_FMT_BASE, SIM_PART_L1D), 0);
}

/* --- p6: a branch that waits for a miss -------------------------------------------------------------------------- */

/* 200 instructions: a load that misses L2, a branch on its value, which is taken with probability `taken`, 197
 * additions that wait for nothing, and a jump. */
static void
add_waiting_branches(struct pipe_bed *b, unsigned rounds, double taken)
{
	uint64_t seed = 1;

	for (unsigned i = 0; i < rounds; i++) {
		b->pc = BED_CODE;
		bed_read(b, fresh_line(i), 1, BED_NONE);
		bed_branch(b, SIM_CONDITIONAL, (double)(test_random(&seed) % 1000) < 1000 * taken, BED_CODE + 0x1000,
			1);
		bed_ops(b, 197, SIM_OP_ALU);
		jump_back(b);
	}
}

/* The same in both directions, and with a table of targets: fetch goes on after a branch that was predicted as taken,
 * as it does after one that was not. */
static void
a_branch_that_waits_for_a_miss(void)
{
	static const char *const changes[] = {NULL, "btb 4096 entries, 4 ways"};
	static const double taken[] = {0.1, 0.5, 0.9};

	for (size_t c = 0; c < sizeof changes / sizeof *changes; c++)
		for (size_t t = 0; t < sizeof taken / sizeof *taken; t++) {
			const struct program p = {add_waiting_branches, taken[t], 1000};
			struct worked w = work(changes[c], PERFECT(BRANCH) | PERFECT(L1D) | PERFECT(L2D), &p);
			double missed = (double)w.count[SIM_PIPE_BRANCH_RETIRED] / w.rounds;

			test_label("taken with probability %g, %s", taken[t], changes[c] ? changes[c] : "no btb");
			CHECK(missed > 0.08);
			CHECK_WORKED(part(&w, SIM_FMT_BASE, SIM_PART_BRANCH) / missed, 36.5);
			CHECK_WORKED(part(&w, SIM_SFMT_BASE, SIM_PART_BRANCH) / missed, 36.5);
			CHECK_WORKED(part(&w, SIM_FMT_BASE, SIM_PART_L2D), 230);
		}
}

TEST_MAIN(CASE(dependent_misses), CASE(independent_misses), CASE(mispredictions), CASE(loop_beyond_l1i),
	CASE(pages_beyond_the_dtlb), CASE(a_branch_that_waits_for_a_miss))
