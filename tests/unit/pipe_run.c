/* A run with its reference runs: components of made programs whose truth is plain, and what the stream says. */
#include "sim/pipe_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "pipe_bed.h"
#include "test.h"

/* A stream of the bed's µops, which fails at its end if `fails`. */
struct made {
	struct sim_stream stream;
	const struct pipe_bed *bed;
	size_t at;
	bool fails;
};

static size_t
fill(struct sim_stream *s, struct sim_op *out, size_t n, struct err *e)
{
	struct made *m = (struct made *)s;
	size_t left = m->bed->n - m->at;

	n = n < left ? n : left;
	if (!n && m->fails) {
		err_set(e, "the record cannot be read");
		return SIZE_MAX;
	}
	memcpy(out, m->bed->op + m->at, n * sizeof *out);
	m->at += n;
	return n;
}

static void
free_made(struct sim_stream *s)
{
	free(s);
}

static struct sim_stream *
stream_of(const struct pipe_bed *b, bool fails)
{
	struct made *m = mem_new(sizeof *m);

	*m = (struct made){{fill, free_made}, b, 0, fails};
	return &m->stream;
}

/* Runs all of the bed's µops, `step` at a time, and returns the counts in *count. */
static void
run_on(const struct pipe_bed *b, sim_perfect perfect, bool references, size_t step, bool spread, uint64_t *count)
{
	struct sim_pipe_run *r = sim_pipe_run_new(b->machine, b->plants, perfect, stream_of(b, false), references);
	struct err e = {0};
	size_t got, sum = 0;

	if (spread)
		sim_pipe_run_spread(r);
	while ((got = sim_pipe_run_step(r, step, &e)) != 0 && CHECK(got != SIZE_MAX))
		sum += got;
	CHECK_INT(sum, b->n);
	sim_pipe_run_drain(r);
	memcpy(count, sim_pipe_run_counts(r), SIM_N_COUNTS * sizeof *count);
	CHECK(sim_pipe_run_pipe(r) != NULL);
	sim_pipe_run_free(r);
}

static void
run(const struct pipe_bed *b, sim_perfect perfect, bool references, size_t step, uint64_t *count)
{
	run_on(b, perfect, references, step, false, count);
}

static uint64_t
sum_of(const uint64_t *count, enum sim_event first)
{
	uint64_t sum = 0;

	for (int i = 0; i < (int)SIM_N_PARTS; i++)
		sum += count[(int)first + i];
	return sum;
}

/* Loads that wait for each other, each from memory and of another page. */
static void
chain_of_misses(struct pipe_bed *b)
{
	for (unsigned i = 0; i < 200; i++) {
		b->pc = BED_CODE;
		bed_read(b, 0x10000000 + 0x41040 * (uint64_t)i, 1, 1);
		bed_branch(b, SIM_JUMP, true, BED_CODE, BED_NONE);
	}
}

/* Nearly all cycles of such a chain are its misses: 10 cycles a load in L2, 30 beyond it, 160 beyond L3. */
static void
components_are_what_structures_cost(void)
{
	uint64_t c[SIM_N_COUNTS], sum;
	struct pipe_bed b;

	pipe_bed_init(&b, NULL);
	chain_of_misses(&b);
	run(&b, 0, true, 64, c);
	for (int k = 0; k < 2; k++) {
		enum sim_event first = k ? SIM_INVERSE_BASE : SIM_REFERENCE_BASE;
		/* In the first order the ITLB is real before L2. Its only walk makes four references, as data. */
		unsigned misses = k ? 200 : 204;

		test_label("%s", k ? "inverse" : "truth");
		CHECK_NEAR((double)c[(int)first + (int)SIM_PART_BASE], 200 * 5, 20);
		CHECK_NEAR((double)c[(int)first + (int)SIM_PART_L1D], 200 * 10, 20);
		CHECK_NEAR((double)c[(int)first + (int)SIM_PART_L2D], misses * 30, 20);
		CHECK_NEAR((double)c[(int)first + (int)SIM_PART_L3D], misses * 160, 20);
		CHECK(c[(int)first + (int)SIM_PART_DTLB] > 200 * 5);
		CHECK_INT(c[(int)first + (int)SIM_PART_BRANCH], 0);
		CHECK_INT(c[(int)first + (int)SIM_PART_UNIT], 0);
		sum = sum_of(c, first);
		CHECK(sum >= c[SIM_CYCLES] && sum - c[SIM_CYCLES] < c[SIM_CYCLES] / 100);
	}
	pipe_bed_free(&b);
}

/* What the run itself has perfect costs nothing in any order, and the rest stays. */
static void
perfect_structures_cost_nothing(void)
{
	uint64_t all[SIM_N_COUNTS], c[SIM_N_COUNTS];
	struct pipe_bed b;

	pipe_bed_init(&b, NULL);
	chain_of_misses(&b);
	run(&b, 0, true, 1000, all);
	run(&b, PERFECT(DTLB) | PERFECT(ITLB), true, 1000, c);
	CHECK_INT(c[SIM_REFERENCE_DTLB], 0);
	CHECK_INT(c[SIM_INVERSE_DTLB], 0);
	CHECK_INT(c[SIM_REFERENCE_BASE], all[SIM_REFERENCE_BASE]);
	CHECK_INT(c[SIM_REFERENCE_L1D], all[SIM_REFERENCE_L1D]);
	CHECK(c[SIM_CYCLES] < all[SIM_CYCLES]);
	pipe_bed_free(&b);
}

/* The µops are the same however they are asked for; without references nothing but the truth changes. */
static void
steps_and_references_change_no_count(void)
{
	uint64_t one[SIM_N_COUNTS], two[SIM_N_COUNTS], without[SIM_N_COUNTS];
	struct pipe_bed b;

	pipe_bed_init(&b, NULL);
	chain_of_misses(&b);
	run(&b, 0, true, 4096, one);
	run(&b, 0, true, 7, two);
	run(&b, 0, false, 4096, without);
	for (int i = 0; i < (int)SIM_N_COUNTS; i++) {
		test_label("%s", sim_event_name((enum sim_event)i));
		if (sim_event_is_reference((enum sim_event)i)) {
			CHECK_INT(without[i], 0);
		} else {
			CHECK_INT(two[i], one[i]);
			CHECK_INT(without[i], one[i]);
		}
	}
	pipe_bed_free(&b);
}

/* Neither do threads, of the truth either: also when each step starts as many as it may. */
static void
threads_change_no_count(void)
{
	static const char *const threads[] = {"1", "2", "16"};
	uint64_t one[SIM_N_COUNTS], many[SIM_N_COUNTS];
	struct pipe_bed b;

	pipe_bed_init(&b, NULL);
	for (int i = 0; i < 25; i++)
		chain_of_misses(&b);
	CHECK(b.n > 4 * 2048); /* several steps that are worth threads */
	run(&b, 0, true, 2048, one);
	CHECK(one[SIM_REFERENCE_L2D] > 0 && one[SIM_INVERSE_L2D] > 0);
	for (int t = 0; t < 3; t++) {
		setenv("HECATE_THREADS", threads[t], 1);
		run_on(&b, 0, true, 2048, true, many);
		for (int i = 0; i < (int)SIM_N_COUNTS; i++) {
			test_label("%s, %s threads", sim_event_name((enum sim_event)i), threads[t]);
			CHECK_INT(many[i], one[i]);
		}
	}
	unsetenv("HECATE_THREADS");
	pipe_bed_free(&b);
}

static void
a_stream_that_fails(void)
{
	struct sim_pipe_run *r;
	struct pipe_bed b;
	struct err e = {0};

	pipe_bed_init(&b, NULL);
	bed_ops(&b, 10, SIM_OP_ALU);
	r = sim_pipe_run_new(b.machine, b.plants, 0, stream_of(&b, true), true);
	CHECK_INT(sim_pipe_run_step(r, 100, &e), 10);
	CHECK(sim_pipe_run_step(r, 100, &e) == SIZE_MAX);
	CHECK_STR(e.what, "the record cannot be read");
	sim_pipe_run_drain(r);
	CHECK_INT(sim_pipe_run_counts(r)[SIM_PIPE_UOPS], 10);
	sim_pipe_run_free(r);
	pipe_bed_free(&b);
	sim_pipe_run_free(NULL);
}

TEST_MAIN(CASE(components_are_what_structures_cost), CASE(perfect_structures_cost_nothing),
	CASE(steps_and_references_change_no_count), CASE(threads_change_no_count), CASE(a_stream_that_fails))
