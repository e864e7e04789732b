/* The seed's baselines beside a probe (its section 3, figure 2 and table 1): an ordinary microbenchmark of independent
 * loads, and time-proportional attribution, on cores with 1, 2 and 3 load pipes and reorder buffers of three sizes. The
 * tables that docs/probes.md sums up are printed.
 *
 * The microbenchmark is a loop as that of M-I (Desikan et al. 2001; Nowatzki 2018): loads of an array that do not wait
 * for each other, whose index a linear feedback shift register makes, and a counter. The register's four dependent
 * operations, not the loads, are its critical path. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/str.h"
#include "probe_bed.h"
#include "sim/account/account.h"
#include "sim/pipeline/pipe.h"
#include "test.h"

#define ITERATIONS 12000u
#define WARM_UP 6000u
#define PER_ITERATION 10u
#define CODE UINT64_C(0x400000)
#define DATA ((uint64_t)1 << 40)
#define PIPES 3
#define ROBS 3

static const char *const part_name[SIM_N_PARTS] = {
#define X(id, name, text) name,
	SIM_PARTS(X)
#undef X
};

static const unsigned rob_size[ROBS] = {48, 96, 192};

/* Writes an iteration of the loop: µops of the shift register, the load, the sum, the counter and the branch. */
static void
write_iteration(struct sim_op *op, uint32_t *state, uint64_t bytes)
{
	enum { STATE = 1, SUM, COUNT, BIT, TAPS, SHIFTED, INDEX, VALUE };
	static const struct { uint8_t kind, dst, src[2]; } loop[PER_ITERATION] = {
		{SIM_OP_ALU, BIT, {STATE, SIM_NO_REGISTER}}, {SIM_OP_ALU, TAPS, {BIT, SIM_NO_REGISTER}},
		{SIM_OP_ALU, TAPS, {TAPS, SIM_NO_REGISTER}}, {SIM_OP_ALU, SHIFTED, {STATE, SIM_NO_REGISTER}},
		{SIM_OP_ALU, STATE, {SHIFTED, TAPS}}, {SIM_OP_ALU, INDEX, {STATE, SIM_NO_REGISTER}},
		{SIM_OP_LOAD, VALUE, {INDEX, SIM_NO_REGISTER}}, {SIM_OP_ALU, SUM, {SUM, VALUE}},
		{SIM_OP_ALU, COUNT, {COUNT, SIM_NO_REGISTER}},
		{SIM_OP_BRANCH, SIM_NO_REGISTER, {COUNT, SIM_NO_REGISTER}},
	};

	*state = *state >> 1 ^ (*state & 1 ? UINT32_C(0xd0000001) : 0);
	for (unsigned i = 0; i < PER_ITERATION; i++)
		op[i] = (struct sim_op){.pc = CODE + 4 * i, .next = CODE + 4 * (i + 1), .length = 4,
			.kind = loop[i].kind, .flags = SIM_OP_LAST, .dst = loop[i].dst,
			.src = {loop[i].src[0], loop[i].src[1], SIM_NO_REGISTER}};
	op[6].at = DATA + *state % (bytes / 8) * 8;
	op[6].size = 8;
	op[PER_ITERATION - 1].branch = SIM_CONDITIONAL;
	op[PER_ITERATION - 1].flags |= SIM_OP_TAKEN;
	op[PER_ITERATION - 1].next = CODE;
}

struct measured {
	double ipc;
	double part[SIM_N_PARTS]; /* share of the cycles that time-proportional attribution gives each part */
};

static void
run(struct sim_pipe *p, uint32_t *state, uint64_t bytes, unsigned n)
{
	struct sim_op op[PER_ITERATION];

	for (unsigned i = 0; i < n; i++) {
		write_iteration(op, state, bytes);
		sim_pipe_run(p, op, PER_ITERATION);
	}
	sim_pipe_drain(p);
}

static char *
core_text(unsigned pipes, unsigned rob)
{
	return str_format("fetch 6; width 6; issue 8; commit 6; rob %u; load_queue 64; ports 4 alu, branch, move, nop; "
		"ports 2 mul, div; ports 2 fadd, fmul, fdiv, fma; ports %u load; ports 2 store, atomic", rob, pipes);
}

static struct measured
microbenchmark(unsigned pipes, unsigned rob, uint64_t bytes)
{
	char *text = core_text(pipes, rob);
	struct sim_machine *m = bed_core(text);
	struct measured r = {0};

	if (m) {
		struct sim_pipe *p = sim_pipe_new(m, m->has, 0);
		uint32_t state = 0xace1;
		uint64_t cycles, tea[SIM_N_PARTS];

		run(p, &state, bytes, WARM_UP);
		cycles = sim_pipe_counts(p)[SIM_CYCLES];
		for (int i = 0; i < (int)SIM_N_PARTS; i++)
			tea[i] = sim_pipe_counts(p)[SIM_TEA_BASE + i];
		run(p, &state, bytes, ITERATIONS);
		cycles = sim_pipe_counts(p)[SIM_CYCLES] - cycles;
		r.ipc = (double)PER_ITERATION * ITERATIONS / (double)cycles;
		for (int i = 0; i < (int)SIM_N_PARTS; i++)
			r.part[i] = (double)(sim_pipe_counts(p)[SIM_TEA_BASE + i] - tea[i]) / (double)cycles;
		sim_pipe_free(p);
	}
	sim_machine_free(m);
	free(text);
	return r;
}

/* The largest over the smallest, less 1. */
static double
spread(double a, double b, double c)
{
	return fmax(a, fmax(b, c)) / fmin(a, fmin(b, c)) - 1;
}

/* Figure 2: IPC of the microbenchmark over pipes and reorder buffer. The probe gives 1, 2 and 3 on all of them. */
static void
probe_tells_pipes_apart_where_a_microbenchmark_does_not(void)
{
	static const uint64_t array[] = {8 << 10, 64 << 10, 4 << 20};
	double by_rob = 0;

	for (unsigned a = 0; a < sizeof array / sizeof *array; a++) {
		double ipc[PIPES][ROBS], by_pipes = 0;

		for (unsigned p = 0; p < PIPES; p++)
			for (unsigned r = 0; r < ROBS; r++)
				ipc[p][r] = microbenchmark(p + 1, rob_size[r], array[a]).ipc;
		for (unsigned p = 0; p < PIPES; p++)
			printf("# array of %4llu KiB, %u load pipes: IPC %.3f %.3f %.3f with rob %u %u %u\n",
				(unsigned long long)array[a] >> 10, p + 1, ipc[p][0], ipc[p][1], ipc[p][2], rob_size[0],
				rob_size[1], rob_size[2]);
		for (unsigned r = 0; r < ROBS; r++)
			by_pipes = fmax(by_pipes, spread(ipc[0][r], ipc[1][r], ipc[2][r]));
		for (unsigned p = 0; p < PIPES; p++)
			by_rob = fmax(by_rob, spread(ipc[p][0], ipc[p][1], ipc[p][2]));
		printf("#   pipes move it by up to %.2f %%\n", 100 * by_pipes);
		test_label("array of %llu KiB", (unsigned long long)array[a] >> 10);
		CHECK(by_pipes < 0.01);
	}
	printf("#   the reorder buffer moves it by up to %.2f %%\n", 100 * by_rob);
	CHECK(by_rob > 0.1);
	for (unsigned p = 0; p < PIPES; p++)
		for (unsigned r = 0; r < ROBS; r++) {
			char *text = core_text(p + 1, rob_size[r]);
			struct probe_answer answer = bed_answer("load_pipes", text, 0);

			printf("# probe load_pipes, %u pipes, rob %u: %.3f\n", p + 1, rob_size[r], answer.value);
			CHECK_NEAR(answer.value, p + 1, 0.01 * (p + 1));
			free(text);
		}
}

/* Table 1: what the cycles are charged to is the same with 1 and with 3 pipes, and tells no number of pipes. */
static void
attribution_of_time_names_no_pipes(void)
{
	static const uint64_t array = 64 << 10;

	for (unsigned r = 0; r < ROBS; r++) {
		struct measured one = microbenchmark(1, rob_size[r], array);
		struct measured three = microbenchmark(3, rob_size[r], array);

		for (int i = 0; i < (int)SIM_N_PARTS; i++)
			if (one.part[i] > 0.001 || three.part[i] > 0.001)
				printf("# rob %u, %s: %.2f %% of the cycles with 1 pipe, %.2f %% with 3\n", rob_size[r],
					part_name[i], 100 * one.part[i], 100 * three.part[i]);
		for (int i = 0; i < (int)SIM_N_PARTS; i++)
			CHECK_NEAR(three.part[i], one.part[i], 0.01);
	}
}

TEST_MAIN(CASE(probe_tells_pipes_apart_where_a_microbenchmark_does_not), CASE(attribution_of_time_names_no_pipes))
