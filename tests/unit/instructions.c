/* The time-proportional account of each instruction: its sums, and programs whose stacks are worked out by hand. */
#include "sim/account/instructions.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "pipe_bed.h"
#include "sim/program/program.h"
#include "test.h"

/* --- the table --------------------------------------------------------------------------------------------------- */

static struct sim_op
op_at(uint64_t pc)
{
	return (struct sim_op){.pc = pc, .length = 4};
}

static void
shares_sum_to_a_cycle(void)
{
	struct sim_instructions *t = sim_instructions_new();
	struct sim_op op[17];
	const struct sim_instruction *x;
	uint64_t sum = 0;
	size_t n;

	for (unsigned i = 0; i < 17; i++)
		op[i] = op_at(i + 1);
	sim_instructions_commit(t, op, 17); /* does not divide the units */
	x = sim_instructions_all(t, &n);
	CHECK_INT(n, 17);
	for (size_t i = 0; i < n; i++) {
		CHECK_INT(x[i].uops, 1);
		sum += x[i].units[SIM_PART_BASE];
	}
	CHECK_INT(sum, SIM_CYCLE_UNITS);
	CHECK(x[0].units[SIM_PART_BASE] > x[1].units[SIM_PART_BASE]);
	sim_instructions_free(t);
}

/* More instructions than the table begins with, in an order that is not theirs. */
static void
many_instructions(void)
{
	struct sim_instructions *t = sim_instructions_new();
	const struct sim_instruction *x;
	size_t n;

	for (uint64_t round = 1; round <= 2; round++)
		for (uint64_t i = 0; i < 5000; i++) {
			struct sim_op o = op_at(0x400000 + 4 * (i * 7919 % 5000));

			sim_instructions_charge(t, &o, SIM_PART_L2D, round * (i * 7919 % 5000));
		}
	x = sim_instructions_all(t, &n);
	CHECK_INT(n, 5000);
	for (size_t i = 0; i < n; i++)
		if (!CHECK_INT(x[i].units[SIM_PART_L2D], 3 * ((x[i].op.pc - 0x400000) / 4)))
			break;
	sim_instructions_free(t);
}

/* --- programs ---------------------------------------------------------------------------------------------------- */

/* Each part, summed over instructions, is what TEA counts, to the last unit; and nobody's counts change. */
static void
sums_are_the_programs(void)
{
	static const char *const program[] = {"gcc-like", "mcf-like", "art-like", "h264ref-like"};
	static const char *const changes[] = {NULL, "commit 7; width 7; issue 7; disambiguation blind"};

	for (size_t i = 0; i < 2 * sizeof program / sizeof *program; i++) {
		const char *name = program[i / 2];
		struct err e = {0};
		struct sim_stream *stream = sim_program_new(name, 1, &e);
		struct sim_instructions *t = sim_instructions_new();
		struct sim_op *op = calloc(40000, sizeof *op);
		struct pipe_bed b;
		struct sim_pipe *with, *without;
		const struct sim_instruction *x;
		uint64_t sum[SIM_N_PARTS] = {0}, uops = 0;
		size_t n;

		test_label("%s, %s", name, changes[i % 2] ? changes[i % 2] : "unchanged");
		pipe_bed_init_core(&b, changes[i % 2]);
		for (size_t done = 0; done < 40000;)
			done += sim_stream_fill(stream, op + done, 40000 - done, &e);
		with = sim_pipe_new(b.machine, b.plants, 0);
		without = sim_pipe_new(b.machine, b.plants, 0);
		sim_pipe_attribute(with, t);
		sim_pipe_run(with, op, 40000);
		sim_pipe_drain(with);
		sim_pipe_run(without, op, 40000);
		sim_pipe_drain(without);
		CHECK(memcmp(sim_pipe_counts(with), sim_pipe_counts(without), SIM_N_COUNTS * sizeof(uint64_t)) == 0);
		x = sim_instructions_all(t, &n);
		for (size_t k = 0; k < n; k++) {
			uops += x[k].uops;
			for (int part = 0; part < (int)SIM_N_PARTS; part++)
				sum[part] += x[k].units[part];
		}
		CHECK_INT(uops, 40000);
		for (int part = 0; part < (int)SIM_N_PARTS; part++)
			CHECK_INT(sum[part], SIM_CYCLE_UNITS * sim_pipe_counts(with)[SIM_TEA_BASE + part]);
		sim_pipe_free(with);
		sim_pipe_free(without);
		pipe_bed_free(&b);
		sim_instructions_free(t);
		sim_stream_free(stream);
		free(op);
	}
}

/* Runs the bed's µops, and returns the cycles of one instruction and part. */
static double
cycles_of(struct pipe_bed *b, uint64_t pc, enum sim_part part)
{
	struct sim_pipe *p = sim_pipe_new(b->machine, b->plants, b->perfect);
	struct sim_instructions *t = sim_instructions_new();
	const struct sim_instruction *x;
	double cycles = 0;
	size_t n;

	sim_pipe_attribute(p, t);
	sim_pipe_run(p, b->op, b->n);
	sim_pipe_drain(p);
	x = sim_instructions_all(t, &n);
	for (size_t i = 0; i < n; i++)
		if (x[i].op.pc == pc)
			cycles = (double)x[i].units[part] / SIM_CYCLE_UNITS;
	sim_instructions_free(t);
	sim_pipe_free(p);
	return cycles;
}

/* Program p1 of docs/cpi-stacks.md: of 261 cycles a round, 257 are the load's, and four µops share each of the rest. */
static void
a_miss_belongs_to_its_load(void)
{
	struct pipe_bed b;

	pipe_bed_init_core(&b, NULL);
	b.perfect &= ~(PERFECT(L1D) | PERFECT(L2D));
	for (unsigned i = 0; i < 400; i++) {
		b.pc = BED_CODE;
		bed_read(&b, ((uint64_t)1 << 32) + 64 * (uint64_t)i, 1, 1);
		bed_ops(&b, 14, SIM_OP_ALU);
		bed_branch(&b, SIM_JUMP, true, BED_CODE, BED_NONE);
	}
	CHECK_NEAR(cycles_of(&b, BED_CODE, SIM_PART_L2D), 400 * 257, 400);
	CHECK_NEAR(cycles_of(&b, BED_CODE, SIM_PART_BASE), 400 / 4, 10);
	CHECK_NEAR(cycles_of(&b, BED_CODE + 20, SIM_PART_BASE), 400 / 4, 10);
	CHECK_NEAR(cycles_of(&b, BED_CODE + 20, SIM_PART_L2D), 0, 0.5);
	pipe_bed_free(&b);
}

/* The cycles after a flush are the branch's, and those of a fetch miss are of the instruction that was not there. */
static void
flushes_and_drains_have_an_owner(void)
{
	struct pipe_bed b;
	uint64_t seed = 1;

	pipe_bed_init_core(&b, NULL);
	b.perfect &= ~PERFECT(BRANCH);
	for (unsigned i = 0; i < 1000; i++) {
		b.pc = BED_CODE;
		bed_ops(&b, 3, SIM_OP_ALU);
		bed_branch(&b, SIM_CONDITIONAL, test_random(&seed) >> 33 & 1, BED_CODE + 0x1000, BED_NONE);
		bed_ops(&b, 59, SIM_OP_ALU);
		bed_branch(&b, SIM_JUMP, true, BED_CODE, BED_NONE);
	}
	pipe_bed_run(&b);
	CHECK(b.count[SIM_PIPE_BRANCH_RETIRED] > 300);
	CHECK_NEAR(cycles_of(&b, BED_CODE + 12, SIM_PART_BRANCH), 4.0 * (double)b.count[SIM_PIPE_BRANCH_RETIRED], 20);
	CHECK_NEAR(cycles_of(&b, BED_CODE + 8, SIM_PART_BRANCH), 0, 0.5);
	pipe_bed_free(&b);

	pipe_bed_init_core(&b, NULL);
	b.perfect &= ~(PERFECT(L1I) | PERFECT(L2I));
	bed_ops(&b, 160, SIM_OP_ALU); /* ten lines from memory */
	CHECK_NEAR(cycles_of(&b, BED_CODE + 64, SIM_PART_L2I), 250, 25);
	CHECK_NEAR(cycles_of(&b, BED_CODE + 68, SIM_PART_L2I), 0, 0.5);
	pipe_bed_free(&b);
}

TEST_MAIN(CASE(shares_sum_to_a_cycle), CASE(many_instructions), CASE(sums_are_the_programs),
	CASE(a_miss_belongs_to_its_load), CASE(flushes_and_drains_have_an_owner))
