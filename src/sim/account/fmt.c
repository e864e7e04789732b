/* The frontend miss event table. On top of branches.h, each row counts the cycles in which the fetch stage waits for a
 * miss, by kind. The cycles go to the row that the fetch pointer points to.
 *
 * This is the open row, that of the next branch to be fetched. The source says that a fetched branch advances the
 * pointer, that the row is then zeroed, and that no miss after a mispredicted branch counts. Together this means that
 * misses after branch i and before branch i + 1 are in the row of i + 1. If i is mispredicted they are of the wrong
 * path and vanish with that row; misses before i are in the row of i, and count when i commits. So after a
 * misprediction the pointer goes to the row after the branch's.
 *
 * The open row makes the table one row larger than the number of branches in flight. Misses after the last branch that
 * commits stay in it.
 *
 * Cycles with a full reorder buffer belong to the back end, if to anything: the source lets this end a branch's
 * penalty, and here it holds for fetch misses, too, or they would count twice. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "sim/account/methods.h"

static void
open_row(struct sim_fmt *t)
{
	memset(t->miss[t->branches.fetch & t->branches.mask], 0, sizeof *t->miss);
}

void
sim_fmt_init(struct sim_fmt *t, unsigned rows, unsigned rob)
{
	*t = (struct sim_fmt){0};
	sim_branches_init(&t->branches, rows, rob);
	t->miss = mem_new_array(t->branches.mask + 1, sizeof *t->miss);
}

void
sim_fmt_free(struct sim_fmt *t)
{
	sim_branches_free(&t->branches);
	free(t->miss);
}

void
sim_fmt_fetch(struct sim_fmt *t)
{
	sim_branches_fetch(&t->branches);
	open_row(t);
}

void
sim_fmt_mispredict(struct sim_fmt *t, unsigned rob_id)
{
	sim_branches_mispredict(&t->branches, rob_id);
	open_row(t);
}

void
sim_fmt_squash(struct sim_fmt *t, unsigned branches)
{
	sim_branches_squash(&t->branches, branches);
	open_row(t);
}

void
sim_fmt_commit(struct sim_fmt *t, bool mispredicted)
{
	const uint16_t *miss = t->miss[t->branches.head & t->branches.mask];

	for (unsigned i = 0; i < SIM_FETCH_PARTS; i++)
		t->counts[SIM_PART_L1I + i] += miss[i];
	t->counts[SIM_PART_BRANCH] += sim_branches_commit(&t->branches, mispredicted);
}

void
sim_fmt_cycle(struct sim_fmt *t, const struct sim_signals *s)
{
	sim_count_back_end(t->counts, s);
	sim_branches_cycle(&t->branches, s, &t->counts[SIM_PART_BRANCH]);
	if (s->fetch_waits != SIM_PART_BASE && !s->rob_full)
		sim_local_add(&t->miss[t->branches.fetch & t->branches.mask][s->fetch_waits - SIM_PART_L1I], s->cycles);
}

uint64_t
sim_fmt_bits(const struct sim_fmt *t)
{
	unsigned rows = t->branches.rows + 1;
	unsigned row = sim_branches_row_bits(&t->branches) + SIM_FETCH_PARTS * SIM_LOCAL_BITS;

	/* the last bit: the front end is being refilled after a misprediction */
	return (uint64_t)rows * row + sim_branches_pointer_bits(rows) + 1;
}
