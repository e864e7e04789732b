/* Counter architectures on random pipelines, compared with plain models. A model knows which path is wrong, keeps the
 * history of all cycles, and counts at the end. The model of the shared table goes along with the cycles, because of
 * its known errors, with a bit in each entry of the reorder buffer. */
#include "sim/account/account.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "test.h"

#define ROWS 6
#define ROB 16
#define QUEUE 12
#define FRONT_END 3 /* cycles from fetch to dispatch */
#define CYCLES 3000

struct uop {
	uint64_t fetched, dispatched, done;
	unsigned rob_id, missed;
	uint8_t waits;              /* what it waits for at the head, enum sim_part */
	bool branch, mispredicted;  /* the second: it will turn out so */
	bool wrong;                 /* on a wrong path */
	bool resolved, bit;         /* bit: the model's miss bit */
};

/* A cycle of the history. */
struct cycle {
	struct sim_signals s;
	bool wrong, flushed; /* fetch is on a wrong path; a mispredicted branch was resolved in this cycle */
};

/* A branch that was mispredicted on the right path, and committed. */
struct penalty {
	uint64_t dispatched, resolved;
};

struct rig {
	uint64_t seed, now;
	struct sim_account *a, *lumped; /* the second: cycles that are alike in one call */
	struct uop rob[ROB], queue[QUEUE];
	unsigned in_rob, in_queue, entry; /* entry: the next one of the reorder buffer */
	unsigned stall, missed;           /* cycles of a fetch miss; misses since the last µop was fetched */
	uint8_t stalled_by;
	bool wrong;                       /* fetch is on a wrong path */
	struct sim_signals s, lump;
	struct cycle past[CYCLES];
	struct penalty penalty[CYCLES];
	unsigned penalties;
	uint64_t last_branch;             /* cycle in which the last branch that committed was fetched */
	uint64_t shared[SIM_N_PARTS], sfmt[SIM_N_PARTS]; /* the model of the shared table */
};

static unsigned
pick(struct rig *r, unsigned n)
{
	return (unsigned)(test_random(&r->seed) % n);
}

/* Reports what was lumped together, before another event or a cycle that differs. */
static void
end_lump(struct rig *r)
{
	if (r->lump.cycles)
		sim_account_cycle(r->lumped, &r->lump);
	r->lump.cycles = 0;
}

static unsigned
branches_in_flight(const struct rig *r)
{
	unsigned n = 0;

	for (unsigned i = 0; i < r->in_rob; i++)
		n += r->rob[i].branch;
	for (unsigned i = 0; i < r->in_queue; i++)
		n += r->queue[i].branch;
	return n;
}

/* Keeps the oldest µops of the reorder buffer, and fetches from another place. */
static void
cut(struct rig *r, unsigned left, bool wrong)
{
	r->entry = (r->entry + ROB - (r->in_rob - left)) % ROB;
	r->in_rob = left;
	r->in_queue = 0;
	r->stall = r->missed = 0;
	r->wrong = wrong;
}

static void
resolve(struct rig *r)
{
	unsigned first = pick(r, ROB);

	/* in any order */
	for (unsigned k = 0; k < ROB; k++) {
		unsigned i = (first + k) % ROB;
		struct uop *u = &r->rob[i];

		if (i >= r->in_rob || !u->branch || u->resolved || u->done > r->now)
			continue;
		u->resolved = true;
		end_lump(r);
		sim_account_resolve(r->a, u->rob_id, u->mispredicted, i + 1);
		sim_account_resolve(r->lumped, u->rob_id, u->mispredicted, i + 1);
		if (!u->mispredicted)
			continue;
		cut(r, i + 1, u->wrong);
		r->past[r->now].flushed = true;
		if (!u->wrong)
			r->penalty[r->penalties++] = (struct penalty){u->dispatched, r->now};
	}
}

/* A µop is found to have done wrong, and is fetched again with all younger ones. */
static void
squash(struct rig *r)
{
	unsigned left = pick(r, r->in_rob + 1), branches = 0;
	bool wrong = false;

	for (unsigned i = 0; i < left; i++) {
		branches += r->rob[i].branch;
		wrong |= r->rob[i].branch && r->rob[i].mispredicted && !r->rob[i].resolved;
	}
	end_lump(r);
	sim_account_squash(r->a, left, branches);
	sim_account_squash(r->lumped, left, branches);
	cut(r, left, wrong);
}

static void
model_commit(struct rig *r, const struct uop *u)
{
	if (u->bit) {
		for (unsigned p = 0; p < SIM_N_PARTS; p++)
			r->sfmt[p] += r->shared[p];
		memset(r->shared, 0, sizeof r->shared);
	}
	if (u->mispredicted)
		memset(r->shared, 0, sizeof r->shared);
	for (unsigned i = 0; (u->bit || u->mispredicted) && i < r->in_rob; i++)
		r->rob[i].bit = false;
}

static void
commit(struct rig *r)
{
	for (unsigned k = 0; k < 2 && r->in_rob && r->rob[0].done <= r->now; k++) {
		struct uop u = r->rob[0];

		memmove(r->rob, r->rob + 1, --r->in_rob * sizeof r->rob[0]);
		end_lump(r);
		sim_account_commit(r->a, u.branch, u.mispredicted, u.missed);
		sim_account_commit(r->lumped, u.branch, u.mispredicted, u.missed);
		model_commit(r, &u);
		r->s.committed++;
		if (u.branch)
			r->last_branch = u.fetched;
	}
}

static void
dispatch(struct rig *r)
{
	unsigned slots = pick(r, 3);

	while (r->s.dispatched < slots && r->in_queue && r->in_rob < ROB && r->queue[0].fetched + FRONT_END <= r->now) {
		struct uop *u = &r->rob[r->in_rob++];

		*u = r->queue[0];
		memmove(r->queue, r->queue + 1, --r->in_queue * sizeof r->queue[0]);
		u->dispatched = r->now;
		u->done = r->now + 1 + (pick(r, 8) ? pick(r, 4) : 10 + pick(r, 30));
		u->waits = u->done > r->now + 4 ? (uint8_t)(SIM_PART_L1D + pick(r, 5)) : SIM_PART_BASE;
		u->bit = u->missed != 0;
		u->rob_id = r->entry;
		r->entry = (r->entry + 1) % ROB;
		end_lump(r);
		if (u->branch) {
			sim_account_dispatch(r->a, u->rob_id);
			sim_account_dispatch(r->lumped, u->rob_id);
		}
		r->s.dispatched++;
	}
	r->s.rob_full = r->in_rob == ROB && r->in_queue && r->queue[0].fetched + FRONT_END <= r->now;
}

static void
fetch(struct rig *r)
{
	if (!r->stall && !pick(r, 12)) {
		r->stalled_by = (uint8_t)(SIM_PART_L1I + pick(r, 4));
		r->stall = 1 + pick(r, r->stalled_by == SIM_PART_L2I ? 25 : 8);
		r->missed |= 1u << (r->stalled_by - SIM_PART_L1I);
	}
	if (r->stall) {
		r->stall--;
		r->s.fetch_waits = r->stalled_by;
		return;
	}
	for (unsigned n = pick(r, 4); n && r->in_queue < QUEUE; n--) {
		struct uop u = {.fetched = r->now, .missed = r->missed, .wrong = r->wrong};

		u.branch = branches_in_flight(r) < ROWS && !pick(r, 4);
		u.mispredicted = u.branch && !pick(r, 4);
		r->wrong |= u.mispredicted;
		r->missed = 0;
		r->queue[r->in_queue++] = u;
		end_lump(r);
		if (u.branch) {
			sim_account_fetch(r->a);
			sim_account_fetch(r->lumped);
		}
	}
}

static uint8_t
starved_by(const struct rig *r)
{
	if (!r->in_queue)
		return r->s.fetch_waits;
	for (unsigned i = 0; i < 4; i++)
		if (r->queue[0].missed & 1u << i)
			return (uint8_t)(SIM_PART_L1I + i);
	return SIM_PART_BASE;
}

static void
end_cycle(struct rig *r)
{
	r->s.cycles = 1;
	r->s.rob_empty = !r->in_rob;
	r->s.starved_by = starved_by(r);
	r->s.head_waits = r->in_rob && r->rob[0].done > r->now ? r->rob[0].waits : SIM_PART_BASE;
	sim_account_cycle(r->a, &r->s);
	if (r->s.dispatched || r->s.committed) {
		sim_account_cycle(r->lumped, &r->s);
	} else {
		struct sim_signals alike = r->lump;

		alike.cycles = 1;
		if (memcmp(&alike, &r->s, sizeof alike) != 0) {
			end_lump(r);
			r->lump = r->s;
		} else {
			r->lump.cycles++;
		}
	}
	if (r->s.fetch_waits && !r->s.rob_full)
		r->shared[r->s.fetch_waits]++;
	r->past[r->now].s = r->s;
	r->past[r->now].wrong = r->wrong;
}

/* Runs a pipeline, from time to time with squashes that no branch causes. The caller frees. */
static struct rig *
run(uint64_t seed, bool squashes)
{
	struct rig *r = mem_new(sizeof *r);

	r->seed = seed;
	r->a = sim_account_new(ROWS, ROB);
	r->lumped = sim_account_new(ROWS, ROB);
	for (; r->now < CYCLES; r->now++) {
		memset(&r->s, 0, sizeof r->s);
		resolve(r);
		if (squashes && !pick(r, 30))
			squash(r);
		commit(r);
		dispatch(r);
		fetch(r);
		end_cycle(r);
	}
	end_lump(r);
	return r;
}

static void
rig_free(struct rig *r)
{
	sim_account_free(r->a);
	sim_account_free(r->lumped);
	free(r);
}

static uint64_t
sum(const uint64_t *counts)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < SIM_N_PARTS; i++)
		n += counts[i];
	return n;
}

/* Counts what the rules of the FMT say, from the history. */
static void
model_fmt(const struct rig *r, uint64_t want[SIM_N_PARTS])
{
	for (uint64_t t = 0; t < CYCLES; t++) {
		const struct sim_signals *s = &r->past[t].s;

		if (s->rob_full && s->head_waits)
			want[s->head_waits]++;
		if (!s->rob_full && s->fetch_waits && !r->past[t].wrong && t < r->last_branch)
			want[s->fetch_waits]++;
	}
	for (unsigned i = 0; i < r->penalties; i++) {
		const struct penalty *p = &r->penalty[i];

		for (uint64_t t = p->dispatched; t < p->resolved; t++)
			want[SIM_PART_BRANCH] += !r->past[t].s.rob_full;
		for (uint64_t t = p->resolved; t < CYCLES && !r->past[t].s.dispatched; t++)
			want[SIM_PART_BRANCH] += !r->past[t].s.fetch_waits && !r->past[t].s.rob_full;
	}
}

static void
model_power5(const struct rig *r, uint64_t want[SIM_N_PARTS])
{
	bool flushed = false;

	for (uint64_t t = 0; t < CYCLES; t++) {
		const struct sim_signals *s = &r->past[t].s;
		unsigned why = !s->rob_empty ? s->head_waits : s->starved_by;

		flushed |= r->past[t].flushed;
		if (s->rob_empty && flushed)
			why = SIM_PART_BRANCH;
		if (!s->committed && why != SIM_PART_BASE)
			want[why]++;
		flushed &= !s->dispatched;
	}
}

static void
same(const struct sim_account *a, enum sim_method m, const uint64_t want[SIM_N_PARTS])
{
	const uint64_t *got = sim_account_counts(a, m);

	for (unsigned p = 0; p < SIM_N_PARTS; p++) {
		test_label("method %d, part %u", (int)m, p);
		CHECK_INT(got[p], want[p]);
	}
}

/* False if a misprediction is resolved and has not committed: it counts later. */
static bool
settled(const struct rig *r)
{
	for (unsigned i = 0; i < r->in_rob; i++)
		if (r->rob[i].branch && r->rob[i].mispredicted && r->rob[i].resolved)
			return false;
	return true;
}

static void
methods_count_what_the_models_do(void)
{
	unsigned compared = 0, more = 0, less = 0;

	for (uint64_t seed = 1; seed <= test_rounds(60, 2000); seed++) {
		struct rig *r = run(seed, false);
		uint64_t fmt[SIM_N_PARTS] = {0}, power5[SIM_N_PARTS] = {0}, all = 0, shared = 0;

		model_fmt(r, fmt);
		model_power5(r, power5);
		same(r->a, SIM_POWER5, power5);
		if (!settled(r)) {
			rig_free(r);
			continue;
		}
		same(r->a, SIM_FMT, fmt);
		for (unsigned p = SIM_PART_L1I; p <= SIM_PART_ITLB; p++) {
			all += fmt[p];
			shared += r->sfmt[p];
			fmt[p] = r->sfmt[p]; /* all else is the same */
		}
		same(r->a, SIM_SFMT, fmt);
		more += shared > all;
		less += shared < all;
		compared++;
		rig_free(r);
	}
	/* the shared table's known errors occur, in both directions */
	CHECK(more > 0 && less > 0 && compared > 20);
}

static void
no_cycle_counts_twice(void)
{
	bool beyond = false;

	for (uint64_t seed = 1; seed <= test_rounds(100, 2000); seed++) {
		struct rig *r = run(seed, seed % 2);
		uint64_t wrong = 0, sfmt = sum(sim_account_counts(r->a, SIM_SFMT));

		test_label("seed %u", (unsigned)seed);
		for (uint64_t t = 0; t < CYCLES; t++)
			wrong += r->past[t].wrong && r->past[t].s.fetch_waits;
		CHECK(sum(sim_account_counts(r->a, SIM_FMT)) <= CYCLES);
		CHECK(sum(sim_account_counts(r->a, SIM_POWER5)) <= CYCLES);
		CHECK_INT(sum(sim_account_counts(r->a, SIM_TEA)), CYCLES);
		CHECK(sfmt <= CYCLES + wrong);
		beyond |= sfmt > sum(sim_account_counts(r->a, SIM_FMT));
		rig_free(r);
	}
	CHECK(beyond);
}

static void
cycles_that_are_alike_may_be_one_call(void)
{
	for (uint64_t seed = 1; seed <= test_rounds(40, 1000); seed++) {
		struct rig *r = run(seed, seed % 2);

		for (unsigned m = 0; m < SIM_N_METHODS; m++)
			same(r->lumped, (enum sim_method)m, sim_account_counts(r->a, (enum sim_method)m));
		rig_free(r);
	}
}

TEST_MAIN(CASE(methods_count_what_the_models_do), CASE(no_cycle_counts_twice),
	CASE(cycles_that_are_alike_may_be_one_call))
