#include "sim/account/methods.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/panic.h"

void
sim_branches_init(struct sim_branches *b, unsigned rows, unsigned rob)
{
	uint64_t size = 1;

	while (size < (uint64_t)rows + 1) /* one more for the open row */
		size *= 2;
	*b = (struct sim_branches){.rows = rows, .rob = rob, .mask = size - 1};
	b->row = mem_new_array(size, sizeof *b->row);
	b->of_entry = mem_new_array(rob, sizeof *b->of_entry);
}

void
sim_branches_free(struct sim_branches *b)
{
	free(b->row);
	free(b->of_entry);
}

void
sim_branches_fetch(struct sim_branches *b)
{
	if (b->fetch - b->head >= b->rows)
		panic("simulated counters: more than %u branches in flight", b->rows);
	b->fetch++;
}

void
sim_branches_dispatch(struct sim_branches *b, unsigned rob_id)
{
	if (b->tail >= b->fetch)
		panic("simulated counters: a branch is dispatched that was not fetched");
	if (rob_id >= b->rob)
		panic("simulated counters: entry %u of a reorder buffer of %u", rob_id, b->rob);
	b->row[b->tail & b->mask] = (struct sim_branch_row){.since = b->running};
	b->of_entry[rob_id] = b->tail++;
	b->refill = false;
}

void
sim_branches_mispredict(struct sim_branches *branches, unsigned rob_id)
{
	uint64_t n = rob_id < branches->rob ? branches->of_entry[rob_id] : UINT64_MAX;
	struct sim_branch_row *row;

	if (n < branches->head || n >= branches->tail)
		panic("simulated counters: entry %u of the reorder buffer has no branch", rob_id);
	row = &branches->row[n & branches->mask];
	if (row->mispredicted)
		panic("simulated counters: the branch of entry %u is resolved twice", rob_id);
	row->mispredicted = true;
	sim_local_add(&row->penalty, branches->running - row->since);
	branches->tail = branches->fetch = n + 1;
	branches->refill = true;
}

void
sim_branches_squash(struct sim_branches *b, unsigned n)
{
	if (n > b->tail - b->head)
		panic("simulated counters: %u branches are left of fewer", n);
	b->tail = b->fetch = b->head + n;
	b->refill = false;
}

unsigned
sim_branches_commit(struct sim_branches *b, bool mispredicted)
{
	const struct sim_branch_row *r = &b->row[b->head & b->mask];

	if (b->head == b->tail)
		panic("simulated counters: a branch commits that was not dispatched");
	if (r->mispredicted != mispredicted)
		panic("simulated counters: a branch commits as %s, but was not resolved so",
			mispredicted ? "mispredicted" : "predicted");
	b->head++;
	return r->penalty; /* 0 unless mispredicted */
}

void
sim_branches_cycle(struct sim_branches *branches, const struct sim_signals *signals, uint64_t *global)
{
	if (signals->dispatched)
		branches->refill = false;
	if (signals->rob_full)
		return;
	branches->running += signals->cycles;
	if (!branches->refill || signals->fetch_waits != SIM_PART_BASE)
		return;
	if (branches->tail > branches->head)
		sim_local_add(&branches->row[(branches->tail - 1) & branches->mask].penalty, signals->cycles);
	else
		*global += signals->cycles;
}

/* Returns the bits that tell n values apart. */
static unsigned
bits_for(unsigned n)
{
	unsigned bits = 0;

	while (bits < 32 && n > (uint64_t)1 << bits)
		bits++;
	return bits;
}

unsigned
sim_branches_row_bits(const struct sim_branches *b)
{
	return bits_for(b->rob) + 1 + SIM_LOCAL_BITS;
}

unsigned
sim_branches_pointer_bits(unsigned rows)
{
	/* one bit more in each, which tells a full table from an empty one */
	return 3 * (bits_for(rows) + 1);
}
