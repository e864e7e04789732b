/* Predictions a second of the simulated branch predictors: `make bench-predict`. Each branch of a made stream is
 * predicted, recovers at once if that was wrong, and commits 200 branches later. Processor time of the best of many
 * rounds. */
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/random.h"
#include "bench.h"
#include "sim/pipeline/predict.h"

#define BRANCHES 2000000
#define DELAY 200
#define ROUNDS 5

static const struct row {
	const char *what;
	struct sim_predictor_size size;
	double reach; /* million a second */
} rows[] = {
	{"bimodal", {SIM_PREDICT_BIMODAL, 4096, 0, 4096, 4, 1024, 32}, 10},
	{"gshare", {SIM_PREDICT_GSHARE, 4096, 12, 4096, 4, 1024, 32}, 10},
	{"hybrid", {SIM_PREDICT_HYBRID, 4096, 12, 4096, 4, 1024, 32}, 10},
	{"tage, 8 KiB", {SIM_PREDICT_TAGE, 8, 200, 4096, 4, 1024, 32}, 4},
	{"tage, 64 KiB", {SIM_PREDICT_TAGE, 64, 1500, 4096, 4, 1024, 32}, 4},
};

/* Functions of eight conditional branches each, called in an order that repeats. A quarter of the branches repeat an
 * earlier outcome, the others have a direction. One in 200 goes the other way. */
static struct sim_op *
new_stream(size_t n)
{
	struct sim_op *o = mem_new_array(n, sizeof *o);
	uint64_t random = 1, past = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t function = random_scatter(i / 10 % 37) % 24, pc = 0x10000 + 0x400 * function;
		unsigned step = (unsigned)(i % 10);
		uint64_t site = random_scatter(8 * function + step);
		bool conditional = step > 0 && step < 9, taken = site & 3 ? site >> 2 & 1 : past >> (function % 7) & 1;

		taken = !conditional || taken != (random_below(&random, 200) == 0);
		o[i] = (struct sim_op){
			.pc = step ? pc + 32 * step : 0x8000 + 16 * function, .length = 4, .kind = SIM_OP_BRANCH,
			.branch = step == 0 ? SIM_CALL : step == 9 ? SIM_RETURN : SIM_CONDITIONAL,
			.flags = (uint8_t)(SIM_OP_LAST | (taken ? SIM_OP_TAKEN : 0))};
		o[i].next = step == 0 ? pc : step == 9 ? 0x8004 + 16 * function : o[i].pc + (taken ? 20 : 4);
		if (conditional)
			past = past << 1 | taken;
	}
	return o;
}

/* Returns the seconds of one run, and in *wrong the share of mispredicted branches. */
static double
run(const struct sim_predictor_size *size, const struct sim_op *o, size_t n, double *wrong)
{
	struct sim_predictor *p = sim_predictor_new(size);
	double begin = bench_processor_seconds(), took;
	size_t bad = 0;

	for (size_t i = 0; i < n; i++) {
		struct sim_prediction a = sim_predictor_ask(p, &o[i]);

		if (a.target != o[i].next) {
			sim_predictor_recover(p, a.ticket, &o[i]);
			bad++;
		}
		if (i >= DELAY)
			sim_predictor_commit(p, i - DELAY, &o[i - DELAY]);
	}
	took = bench_processor_seconds() - begin;
	*wrong = (double)bad / (double)n;
	sim_predictor_free(p);
	return took;
}

int
main(void)
{
	struct sim_op *o = new_stream(BRANCHES);

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double best = 0, wrong = 0;
		char what[64];

		for (int round = 0; round < ROUNDS; round++) {
			double rate = BRANCHES / run(&rows[i].size, o, BRANCHES, &wrong);

			best = rate > best ? rate : best;
		}
		snprintf(what, sizeof what, "%s (%.1f %% wrong)", rows[i].what, 100 * wrong);
		bench_print_rate(what, best, "branches", rows[i].reach);
	}
	free(o);
	return 0;
}
