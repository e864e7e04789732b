/* The shared frontend miss event table. Rows count branch penalties only (branches.h); all fetch misses count in one
 * set of counters, and a µop that was the first to be fetched after a miss carries a bit through the reorder buffer:
 *
 *   a µop with its bit commits     the shared counters are added to the global ones and zeroed, and the bits of all
 *                                  µops in the reorder buffer are cleared: their misses were just added
 *   a mispredicted branch commits  its penalty is added to the global counter, then the shared counters and the bits
 *                                  are cleared, so that misses of its wrong path vanish
 *
 * A mispredicted branch with a bit does both, in this order.
 *
 * Known errors. (1) A miss, then a mispredicted branch, then a miss on the wrong path: when the first µop commits after
 * the second miss began, the cycles of both are added. (2) A miss of the right path that begins between the resolution
 * of a mispredicted branch and its commit is cleared up to the commit. The FMT has neither.
 *
 * A squash that no branch caused leaves the shared counters, since the right path goes on: the next µop with a bit adds
 * them. The FMT loses what the dropped rows had.
 *
 * The source clears "the entire" table when a mispredicted branch commits. The rows of its wrong path have gone before,
 * when the pointers moved at its resolution. The rows that are left are of the right path, and stay. */
#include "sim/account/methods.h"

#include "base/panic.h"

static void
zero_misses(struct sim_sfmt *t)
{
	for (unsigned i = 0; i < SIM_FETCH_PARTS; i++)
		t->miss[i] = 0;
	t->clear = t->in_rob;
}

void
sim_sfmt_init(struct sim_sfmt *t, unsigned rows, unsigned rob)
{
	*t = (struct sim_sfmt){0};
	sim_branches_init(&t->branches, rows, rob);
}

void
sim_sfmt_free(struct sim_sfmt *t)
{
	sim_branches_free(&t->branches);
}

/* Forgets all µops of the reorder buffer but the oldest. */
static void
keep_oldest(struct sim_sfmt *t, unsigned left)
{
	if (left > t->in_rob)
		panic("simulated counters: %u µops are left of %llu", left, (unsigned long long)t->in_rob);
	t->in_rob = left;
	if (t->clear > left)
		t->clear = left;
}

void
sim_sfmt_mispredict(struct sim_sfmt *t, unsigned rob_id, unsigned left)
{
	sim_branches_mispredict(&t->branches, rob_id);
	keep_oldest(t, left);
}

void
sim_sfmt_squash(struct sim_sfmt *t, unsigned left, unsigned branches)
{
	sim_branches_squash(&t->branches, branches);
	keep_oldest(t, left);
}

void
sim_sfmt_commit(struct sim_sfmt *sfmt, bool branch, bool mispredicted, unsigned missed)
{
	bool bit = missed && !sfmt->clear;

	if (!sfmt->in_rob)
		panic("simulated counters: a µop commits that was not dispatched");
	sfmt->in_rob--;
	sfmt->clear -= sfmt->clear > 0;
	if (bit) {
		for (unsigned i = 0; i < SIM_FETCH_PARTS; i++)
			sfmt->counts[SIM_PART_L1I + i] += sfmt->miss[i];
		zero_misses(sfmt);
	}
	if (!branch)
		return;
	sfmt->counts[SIM_PART_BRANCH] += sim_branches_commit(&sfmt->branches, mispredicted);
	if (mispredicted)
		zero_misses(sfmt);
}

void
sim_sfmt_cycle(struct sim_sfmt *t, const struct sim_signals *s)
{
	t->in_rob += s->dispatched;
	sim_count_back_end(t->counts, s);
	sim_branches_cycle(&t->branches, s, &t->counts[SIM_PART_BRANCH]);
	if (s->fetch_waits != SIM_PART_BASE && !s->rob_full)
		sim_local_add(&t->miss[s->fetch_waits - SIM_PART_L1I], s->cycles);
}

uint64_t
sim_sfmt_bits(const struct sim_sfmt *t)
{
	const struct sim_branches *b = &t->branches;

	/* the last bits: one for each entry of the reorder buffer, and that of the refilling */
	return (uint64_t)b->rows * sim_branches_row_bits(b) + sim_branches_pointer_bits(b->rows) +
		SIM_FETCH_PARTS * SIM_LOCAL_BITS + b->rob + 1;
}
