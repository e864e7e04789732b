/* Programs on the machine `core` whose CPI stacks are worked out by hand: docs/cpi-stacks.md has the same numbers, with
 * how they come about. */
#include <stdlib.h>
#include <string.h>

#include "collect/sim/event.h"
#include "pipe_bed.h"
#include "test.h"

/* Counts of a steady program: of `rounds` rounds, which follow others that filled caches and tables. */
struct worked {
	uint64_t count[SIM_N_COUNTS];
	unsigned rounds;
};

#define WARM_UP 300u

/* Runs a program twice: up to the end of the warm-up, and to its own end. `add` appends that many rounds. */
static struct worked
work(const char *changes, sim_perfect real, void (*add)(struct pipe_bed *, unsigned rounds, double), double how,
	unsigned rounds)
{
	struct worked w = {.rounds = rounds};
	struct pipe_bed b;

	pipe_bed_init_core(&b, changes);
	b.perfect &= ~real;
	add(&b, WARM_UP + rounds, how);
	pipe_bed_run(&b);
	memcpy(w.count, b.count, sizeof w.count);
	b.n = b.n / (WARM_UP + rounds) * WARM_UP;
	pipe_bed_run(&b);
	for (int i = 0; i < (int)SIM_N_COUNTS; i++)
		w.count[i] -= b.count[i];
	pipe_bed_free(&b);
	return w;
}

/* Returns a component of a method in cycles per event. */
static double
cost(const struct worked *w, enum sim_event method, enum sim_part part, enum sim_event event)
{
	return (double)w->count[method + part] / (double)w->count[event];
}

/* A line of data that no access has touched before. */
static uint64_t
fresh_line(unsigned i)
{
	return ((uint64_t)1 << 32) + 64 * (uint64_t)i;
}

/* --- a branch that waits for a miss ------------------------------------------------------------------------------ */

/* Rounds of 200 instructions: a load that misses L2, a branch on its value, which is taken with this probability, 197
 * additions that wait for nothing, and a jump back. */
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
		bed_branch(b, SIM_JUMP, true, BED_CODE, BED_NONE);
	}
}

/* The branch counts from its dispatch until the reorder buffer is full, 126 µops later, and then the refill of the front
 * end: 126 / 4 + 5 = 36.5 cycles. It is the same in both directions, and with a table of targets: fetch goes on after a
 * branch that was predicted as taken, as it does after one that was not. */
static void
a_branch_that_waits_for_a_miss(void)
{
	static const char *const changes[] = {NULL, "btb 4096 entries, 4 ways"};
	static const double taken[] = {0.1, 0.5, 0.9};

	for (size_t c = 0; c < sizeof changes / sizeof *changes; c++)
		for (size_t t = 0; t < sizeof taken / sizeof *taken; t++) {
			struct worked w = work(changes[c], PERFECT(BRANCH) | PERFECT(L1D) | PERFECT(L2D),
				add_waiting_branches, taken[t], 1000);

			test_label("taken with probability %g, %s", taken[t], changes[c] ? changes[c] : "no btb");
			CHECK(w.count[SIM_PIPE_BRANCH_RETIRED] > 80);
			CHECK_NEAR(cost(&w, SIM_FMT_BASE, SIM_PART_BRANCH, SIM_PIPE_BRANCH_RETIRED), 36.5, 1.8);
			CHECK_NEAR(cost(&w, SIM_SFMT_BASE, SIM_PART_BRANCH, SIM_PIPE_BRANCH_RETIRED), 36.5, 1.8);
		}
}

TEST_MAIN(CASE(a_branch_that_waits_for_a_miss))
