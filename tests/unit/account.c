/* Counter architectures on sequences of cycles that are worked out by hand: what each method counts for a fetch miss, a
 * mispredicted branch, data misses, and for these together. account_random.c compares them with plain models. */
#include "sim/account/account.h"

#include <stdio.h>
#include <string.h>

#include "test.h"

/* A pipeline whose events a case gives one by one. It keeps the numbers that follow from them. */
struct bed {
	struct sim_account *a;
	unsigned in_rob, dispatched, committed; /* the last two: in this cycle */
	uint64_t cycles;
};

static struct bed
bed_new(void)
{
	return (struct bed){.a = sim_account_new(8, 128)};
}

static void
bed_free(struct bed *b)
{
	sim_account_free(b->a);
}

static void
enter(struct bed *b, unsigned uops)
{
	b->dispatched += uops;
	b->in_rob += uops;
}

static void
enter_branch(struct bed *b, unsigned rob_id)
{
	sim_account_dispatch(b->a, rob_id);
	enter(b, 1);
}

static void
fetch_branch(struct bed *b)
{
	sim_account_fetch(b->a);
}

static void
leave_uop(struct bed *b, bool branch, bool mispredicted, unsigned missed)
{
	sim_account_commit(b->a, branch, mispredicted, missed);
	b->committed++;
	b->in_rob--;
}

static void
leave(struct bed *b, unsigned uops)
{
	for (unsigned i = 0; i < uops; i++)
		leave_uop(b, false, false, 0);
}

static void
leave_missed(struct bed *b, unsigned missed)
{
	leave_uop(b, false, false, missed);
}

static void
leave_branch(struct bed *b, bool mispredicted)
{
	leave_uop(b, true, mispredicted, 0);
}

/* The branch is mispredicted; it is the last of the `left` µops that stay. */
static void
mispredict(struct bed *b, unsigned rob_id, unsigned left)
{
	sim_account_resolve(b->a, rob_id, true, left);
	b->in_rob = left;
}

/* n cycles end; the µops that moved did so in the first. */
static void
pass(struct bed *b, unsigned n, struct sim_signals s)
{
	for (unsigned i = 0; i < n; i++) {
		s.cycles = 1;
		s.dispatched = (uint16_t)b->dispatched;
		s.committed = (uint16_t)b->committed;
		s.rob_empty = b->in_rob == 0;
		sim_account_cycle(b->a, &s);
		b->dispatched = b->committed = 0;
		b->cycles++;
	}
}
#define PASS(n, ...) pass(&b, n, (struct sim_signals){__VA_ARGS__})
#define NOTHING .fetch_waits = SIM_PART_BASE
#define MISS(part) .fetch_waits = SIM_PART_##part
#define STARVED(part) .starved_by = SIM_PART_##part
#define HEAD(part) .head_waits = SIM_PART_##part
#define FULL .rob_full = true

/* Compares the parts that are not 0, in the order of enum sim_part. */
static void
counted(const struct bed *b, enum sim_method m, const char *want, const char *file, int line)
{
	static const char *const names[] = {
#define X(id, name, text) name,
		SIM_PARTS(X)
#undef X
	};
	const uint64_t *counts = sim_account_counts(b->a, m);
	char got[200] = "";
	size_t n = 0;

	for (unsigned i = 0; i < SIM_N_PARTS && n < sizeof got; i++)
		if (counts[i])
			n += (size_t)snprintf(got + n, sizeof got - n, "%s%s %llu", n ? ", " : "", names[i],
				(unsigned long long)counts[i]);
	test_str(got, want, file, line, "parts");
}
#define COUNTED(m, want) counted(&b, SIM_##m, want, __FILE__, __LINE__)

/* A branch that is predicted right passes: it takes the open row's misses with it. */
static void
end_with_branch(struct bed *b)
{
	fetch_branch(b);
	enter_branch(b, 127);
	pass(b, 1, (struct sim_signals){0});
	leave(b, b->in_rob - 1);
	leave_branch(b, false);
	pass(b, 1, (struct sim_signals){0});
}

/* The picture in power5.c: a miss of 10 cycles, 5 stages from fetch to dispatch. The reorder buffer has 3 µops. */
static void
a_fetch_miss_costs_its_delay(void)
{
	struct bed b = bed_new();

	enter(&b, 3);
	PASS(1, NOTHING);
	for (int i = 0; i < 5; i++) { /* 0 to 4: the front end still delivers */
		leave(&b, 1);
		enter(&b, 1);
		PASS(1, MISS(L1I));
	}
	for (int i = 0; i < 3; i++) { /* 5 to 7: the reorder buffer drains */
		leave(&b, 1);
		PASS(1, MISS(L1I));
	}
	PASS(2, MISS(L1I), STARVED(L1I)); /* 8 and 9 */
	fetch_branch(&b);
	PASS(5, STARVED(L1I)); /* 10 to 14: the next µops pass the front end */
	COUNTED(FMT, ""); /* local until the branch commits */
	COUNTED(SFMT, "");
	enter(&b, 1);
	enter_branch(&b, 4);
	PASS(1, NOTHING);
	leave_missed(&b, SIM_MISSED_L1I);
	COUNTED(SFMT, "l1i 10");
	leave_branch(&b, false);
	PASS(1, NOTHING);
	COUNTED(FMT, "l1i 10");
	COUNTED(SFMT, "l1i 10");
	COUNTED(POWER5, "l1i 7"); /* 8 to 14: 10 less the 3 of draining */
	COUNTED(TEA, "base 11, l1i 7");
	CHECK_INT(b.cycles, 18);
	bed_free(&b);
}

/* The same with 20 µops that commit one a cycle: some are left when the next ones enter. */
static void
draining_longer_than_the_miss_hides_it_from_power5(void)
{
	struct bed b = bed_new();

	enter(&b, 20);
	PASS(1, NOTHING);
	for (int i = 0; i < 10; i++) {
		leave(&b, 1);
		if (i < 5)
			enter(&b, 1);
		PASS(1, MISS(L2I));
	}
	fetch_branch(&b);
	for (int i = 0; i < 5; i++) {
		leave(&b, 1);
		PASS(1, NOTHING);
	}
	CHECK_INT(b.in_rob, 10);
	enter_branch(&b, 0);
	leave(&b, 10);
	PASS(1, NOTHING);
	leave_uop(&b, true, false, SIM_MISSED_L2I);
	PASS(1, NOTHING);
	COUNTED(POWER5, "");
	COUNTED(TEA, "base 18");
	COUNTED(FMT, "l2i 10");
	COUNTED(SFMT, "l2i 10");
	bed_free(&b);
}

/* A miss that is shorter than the front end: when the reorder buffer is empty, the fetch stage has long gone on. */
static void
power5_charges_the_miss_that_emptied_it(void)
{
	struct bed b = bed_new();

	enter(&b, 1);
	PASS(3, MISS(L1I));
	leave(&b, 1);
	PASS(1, NOTHING);
	PASS(3, STARVED(L1I));
	enter(&b, 1);
	PASS(1, NOTHING);
	leave_missed(&b, SIM_MISSED_L1I);
	PASS(1, NOTHING);
	PASS(4, NOTHING); /* empty for another reason */
	COUNTED(POWER5, "l1i 3");
	COUNTED(TEA, "base 10, l1i 3");
	bed_free(&b);
}

static void
each_miss_has_its_counter(void)
{
	struct bed b = bed_new();

	PASS(2, MISS(L1I), STARVED(L1I));
	PASS(3, MISS(L2I), STARVED(L2I));
	PASS(4, MISS(L3I), STARVED(L3I));
	PASS(5, MISS(ITLB), STARVED(ITLB));
	fetch_branch(&b);
	enter_branch(&b, 0);
	PASS(1, NOTHING);
	leave_uop(&b, true, false, SIM_MISSED_ITLB);
	COUNTED(FMT, "l1i 2, l2i 3, l3i 4, itlb 5");
	COUNTED(SFMT, "l1i 2, l2i 3, l3i 4, itlb 5");
	COUNTED(POWER5, "l1i 2, l2i 3, l3i 4, itlb 5");

	enter(&b, 1);
	PASS(1, NOTHING);
	PASS(2, HEAD(L1D), FULL);
	PASS(3, HEAD(L2D), FULL);
	PASS(4, HEAD(L3D), FULL);
	PASS(5, HEAD(DTLB), FULL);
	PASS(6, HEAD(UNIT), FULL);
	COUNTED(FMT, "l1i 2, l2i 3, l3i 4, itlb 5, l1d 2, l2d 3, l3d 4, dtlb 5, unit 6");
	COUNTED(SFMT, "l1i 2, l2i 3, l3i 4, itlb 5, l1d 2, l2d 3, l3d 4, dtlb 5, unit 6");
	COUNTED(POWER5, "l1i 2, l2i 3, l3i 4, itlb 5, l1d 2, l2d 3, l3d 4, dtlb 5, unit 6");
	bed_free(&b);
}

/* Dispatched in cycle 0, resolved in 12, right path dispatched in 17: 12 of resolution and 5 of refilling. */
static void
a_misprediction_costs_resolution_and_refilling(void)
{
	struct bed b = bed_new();

	fetch_branch(&b);
	PASS(5, NOTHING);
	enter(&b, 2);
	enter_branch(&b, 2);
	PASS(1, NOTHING); /* 0 */
	for (int i = 1; i < 12; i++) { /* 1 to 11: the wrong path enters; the older two commit in 4 and 5 */
		enter(&b, 1);
		leave(&b, i == 4 || i == 5);
		PASS(1, NOTHING);
	}
	mispredict(&b, 2, 1);
	PASS(1, NOTHING); /* 12 */
	COUNTED(FMT, "");
	leave_branch(&b, true);
	COUNTED(FMT, "branch 13");
	PASS(1, NOTHING); /* 13 */
	PASS(3, NOTHING); /* 14 to 16: the reorder buffer is empty */
	enter(&b, 1);
	PASS(1, NOTHING); /* 17 */
	COUNTED(FMT, "branch 17");
	COUNTED(SFMT, "branch 17");
	COUNTED(POWER5, "branch 3"); /* less than the refilling */
	COUNTED(TEA, "base 20, branch 3");
	leave(&b, 1);
	PASS(5, NOTHING); /* the reorder buffer is empty, but not because of the branch */
	COUNTED(FMT, "branch 17");
	COUNTED(POWER5, "branch 3");
	COUNTED(TEA, "base 25, branch 3");
	bed_free(&b);
}

static void
a_predicted_branch_costs_nothing(void)
{
	struct bed b = bed_new();

	fetch_branch(&b);
	enter_branch(&b, 0);
	PASS(20, NOTHING);
	sim_account_resolve(b.a, 0, false, 1);
	PASS(20, NOTHING);
	leave_branch(&b, false);
	PASS(20, NOTHING);
	COUNTED(FMT, "");
	COUNTED(SFMT, "");
	COUNTED(POWER5, "");
	COUNTED(TEA, "base 60");
	bed_free(&b);
}

/* A load waits for memory from cycle 0, a branch waits for its data; the reorder buffer is full from 10 to 29. */
static void
overlap_is_the_front_ends_unless_the_reorder_buffer_is_full(void)
{
	struct bed b = bed_new();

	fetch_branch(&b);
	enter(&b, 1);
	enter_branch(&b, 1);
	PASS(10, HEAD(L3D)); /* 0 to 9 */
	enter(&b, 126);
	PASS(20, HEAD(L3D), FULL);
	mispredict(&b, 1, 2); /* 30 */
	leave(&b, 1);
	PASS(1, NOTHING);
	leave_branch(&b, true);
	PASS(1, NOTHING);
	PASS(3, NOTHING); /* 32 to 34 */
	enter(&b, 1);
	PASS(1, NOTHING);
	COUNTED(FMT, "branch 15, l3d 20"); /* 0 to 9, 30 to 34 */
	COUNTED(SFMT, "branch 15, l3d 20");
	COUNTED(POWER5, "branch 3, l3d 30"); /* from the cycle in which the load is the oldest */
	bed_free(&b);
}

/* The same for a fetch miss: 10 cycles, the reorder buffer is full from the sixth on. */
static void
a_fetch_miss_under_a_full_reorder_buffer_is_hidden(void)
{
	struct bed b = bed_new();

	enter(&b, 5);
	PASS(5, MISS(L2I), HEAD(L3D));
	PASS(5, MISS(L2I), HEAD(L3D), FULL);
	PASS(5, HEAD(L3D), FULL);
	leave(&b, 4);
	end_with_branch(&b);
	COUNTED(FMT, "l2i 5, l3d 10");
	fetch_branch(&b);
	enter_branch(&b, 0);
	PASS(1, NOTHING);
	leave_uop(&b, true, false, SIM_MISSED_L2I);
	COUNTED(SFMT, "l2i 5, l3d 10");
	bed_free(&b);
}

/* Wrong-path misses before and after the wrong path's first branch, then the right path without a miss. */
static void
fetch_misses_of_the_wrong_path_vanish(void)
{
	struct bed b = bed_new();

	fetch_branch(&b);
	enter_branch(&b, 0);
	PASS(4, MISS(L2I));
	fetch_branch(&b);
	PASS(4, MISS(L1I));
	enter_branch(&b, 1);
	PASS(4, MISS(ITLB));
	mispredict(&b, 0, 1); /* 12 */
	leave_branch(&b, true);
	PASS(2, NOTHING);
	end_with_branch(&b);
	COUNTED(FMT, "branch 14");
	fetch_branch(&b);
	enter_branch(&b, 1);
	PASS(1, NOTHING);
	leave_uop(&b, true, false, SIM_MISSED_L1I); /* brings up whatever the shared counters have left */
	COUNTED(FMT, "branch 14");
	COUNTED(SFMT, "branch 14");
	COUNTED(POWER5, "branch 1");
	COUNTED(TEA, "base 16, branch 1"); /* of 12 + 2 + 2 + 1 cycles */
	bed_free(&b);
}

/* A miss of 6 cycles, a µop, a branch that is mispredicted, and if `again` a miss of 8 on its wrong path before the
 * first µop commits. */
static struct bed
miss_branch_miss(bool again)
{
	struct bed b = bed_new();

	PASS(6, MISS(L1I), STARVED(L1I));
	fetch_branch(&b);
	enter(&b, 1);
	enter_branch(&b, 1);
	PASS(8, .fetch_waits = again ? SIM_PART_L1I : SIM_PART_BASE);
	leave_missed(&b, SIM_MISSED_L1I);
	PASS(1, NOTHING);
	mispredict(&b, 1, 1);
	leave_branch(&b, true);
	PASS(1, NOTHING);
	enter(&b, 1);
	PASS(1, NOTHING);
	return b;
}

static void
a_fetch_miss_before_the_mispredicted_branch_counts(void)
{
	struct bed b = miss_branch_miss(false);

	COUNTED(FMT, "branch 10, l1i 6");
	COUNTED(SFMT, "branch 10, l1i 6");
	bed_free(&b);
}

static void
the_shared_table_counts_a_wrong_path_miss_after_another_miss(void)
{
	struct bed b = miss_branch_miss(true);

	COUNTED(FMT, "branch 10, l1i 6");
	COUNTED(SFMT, "branch 10, l1i 14"); /* the 8 are counted for the branch, too */
	CHECK_INT(b.cycles, 17);             /* fewer than the sum */
	COUNTED(POWER5, "l1i 6");
	COUNTED(TEA, "base 11, l1i 6");
	bed_free(&b);
}

/* Misses A of 5 cycles and B of 7. The first µop after A commits when that after B is in the reorder buffer or not. */
static void
a_commit_clears_the_miss_bits_in_the_reorder_buffer(void)
{
	for (int inside = 0; inside < 2; inside++) {
		struct bed b = bed_new();

		test_label("inside %d", inside);
		PASS(5, MISS(L1I), STARVED(L1I));
		enter(&b, 2);
		PASS(7, MISS(L1I));
		enter(&b, inside ? 1 : 0);
		PASS(1, NOTHING);
		leave_missed(&b, SIM_MISSED_L1I);
		COUNTED(SFMT, "l1i 12");
		PASS(4, MISS(L1I)); /* miss C begins */
		leave(&b, 1);
		enter(&b, inside ? 0 : 1);
		PASS(1, NOTHING);
		leave_missed(&b, SIM_MISSED_L1I); /* that after B */
		COUNTED(SFMT, inside ? "l1i 12" : "l1i 16");
		PASS(2, MISS(L1I));
		enter(&b, 1);
		PASS(1, NOTHING);
		leave_missed(&b, SIM_MISSED_L1I); /* that after C */
		COUNTED(SFMT, "l1i 18");
		bed_free(&b);
	}
}

/* A µop commits with its bit when 5 others are in the reorder buffer; 4 of them are squashed. The second µop that
 * enters then has a bit of its own. */
static void
cleared_bits_end_with_the_squashed_uops(void)
{
	struct bed b = bed_new();

	PASS(3, MISS(L2I), STARVED(L2I));
	enter(&b, 6);
	PASS(1, NOTHING);
	leave_missed(&b, SIM_MISSED_L2I);
	PASS(1, NOTHING);
	sim_account_squash(b.a, 1, 0);
	b.in_rob = 1;
	PASS(4, MISS(L2I));
	enter(&b, 2);
	PASS(1, NOTHING);
	leave(&b, 2);
	leave_missed(&b, SIM_MISSED_L2I);
	COUNTED(SFMT, "l2i 7");
	bed_free(&b);
}

/* Resolved in cycle 10. A right-path miss from 10 to 15; the branch commits in 14; 5 stages more until cycle 21. */
static void
a_miss_after_the_misprediction_is_not_the_branchs(void)
{
	struct bed b = bed_new();

	fetch_branch(&b);
	enter_branch(&b, 0);
	PASS(10, NOTHING);
	mispredict(&b, 0, 1);
	PASS(4, MISS(L1I)); /* 10 to 13 */
	leave_branch(&b, true);
	PASS(1, MISS(L1I));
	PASS(1, MISS(L1I), STARVED(L1I));
	PASS(5, STARVED(L1I)); /* 16 to 20 */
	fetch_branch(&b);
	enter_branch(&b, 1);
	PASS(1, NOTHING);
	leave_uop(&b, true, false, SIM_MISSED_L1I);
	PASS(1, NOTHING);
	COUNTED(FMT, "branch 15, l1i 6");
	COUNTED(SFMT, "branch 15, l1i 2"); /* cleared at the commit in cycle 14 */
	COUNTED(POWER5, "branch 6"); /* 15 to 20: the flush came first */
	COUNTED(TEA, "base 17, branch 6");
	bed_free(&b);
}

/* Branches of cycles 0 and 10 are resolved after 4 cycles, and the right path enters 5 later. Both commit in 40. */
static void
a_penalty_ends_when_the_right_path_enters(void)
{
	struct bed b = bed_new();

	fetch_branch(&b);
	enter(&b, 1);
	enter_branch(&b, 1);
	PASS(4, HEAD(L3D));
	mispredict(&b, 1, 2);
	PASS(5, HEAD(L3D));
	fetch_branch(&b);
	enter(&b, 1); /* 9 */
	PASS(1, HEAD(L3D));
	enter_branch(&b, 3); /* 10 */
	PASS(4, HEAD(L3D));
	mispredict(&b, 3, 4);
	PASS(5, HEAD(L3D));
	enter(&b, 1); /* 19 */
	PASS(21, HEAD(L3D));
	CHECK_INT(b.cycles, 40);
	leave(&b, 1);
	leave_branch(&b, true);
	COUNTED(FMT, "branch 9");
	leave(&b, 1);
	leave_branch(&b, true);
	PASS(10, NOTHING);
	COUNTED(FMT, "branch 18");
	COUNTED(SFMT, "branch 18");
	bed_free(&b);
}

/* The younger branch is resolved first, on the wrong path of the older. */
static void
a_wrong_path_branch_has_no_penalty(void)
{
	struct bed b = bed_new();

	fetch_branch(&b);
	fetch_branch(&b);
	enter_branch(&b, 0);
	PASS(3, NOTHING);
	enter_branch(&b, 1);
	PASS(3, NOTHING);
	mispredict(&b, 1, 2);
	PASS(4, MISS(L1I)); /* of the wrong path as well: no cycle less for the older */
	mispredict(&b, 0, 1);
	PASS(1, NOTHING); /* 10 */
	leave_branch(&b, true);
	PASS(4, NOTHING);
	end_with_branch(&b); /* enters in 15 */
	COUNTED(FMT, "branch 15");
	COUNTED(SFMT, "branch 15");
	bed_free(&b);
}

/* Two loads miss in memory. The reorder buffer is full from cycle 10, the data come in 100 and 103. */
static void
overlapping_long_misses_cost_one(void)
{
	struct bed b = bed_new();

	enter(&b, 2);
	PASS(10, HEAD(L3D));
	enter(&b, 126);
	PASS(90, HEAD(L3D), FULL); /* 10 to 99 */
	leave(&b, 1); /* 100: the next µop takes the entry */
	enter(&b, 1);
	PASS(3, HEAD(L3D), FULL); /* 100 to 102: the second */
	leave(&b, 4);
	PASS(1, NOTHING);
	COUNTED(FMT, "l3d 93");
	COUNTED(SFMT, "l3d 93");
	COUNTED(POWER5, "l3d 102"); /* with the 10 of filling, without the commit */
	COUNTED(TEA, "base 2, l3d 102");
	bed_free(&b);
}

static void
a_short_miss_costs_only_at_the_head_of_a_full_reorder_buffer(void)
{
	struct bed b = bed_new();

	enter(&b, 1);
	PASS(10, HEAD(L1D));
	PASS(7, HEAD(UNIT));
	COUNTED(FMT, "");
	COUNTED(SFMT, "");
	COUNTED(POWER5, "l1d 10, unit 7");
	COUNTED(TEA, "l1d 10, unit 7");
	enter(&b, 127);
	PASS(4, NOTHING, FULL); /* the oldest waits for operands */
	COUNTED(FMT, "");
	PASS(5, HEAD(L1D), FULL);
	PASS(3, HEAD(UNIT), FULL);
	COUNTED(FMT, "l1d 5, unit 3");
	COUNTED(SFMT, "l1d 5, unit 3");
	COUNTED(POWER5, "l1d 15, unit 10");
	bed_free(&b);
}

static void
tea_charges_each_cycle_once(void)
{
	struct bed b = bed_new();

	PASS(2, NOTHING); /* empty, without a reason */
	enter(&b, 2);
	PASS(3, NOTHING); /* stalled, without a reason */
	PASS(4, HEAD(DTLB));
	PASS(5, HEAD(L2D));
	PASS(1, NOTHING); /* the data are there, the load is not complete: POWER5 counts nothing */
	leave(&b, 1);
	PASS(1, HEAD(UNIT)); /* computing */
	PASS(6, HEAD(UNIT));
	leave(&b, 1);
	PASS(1, NOTHING);
	PASS(7, STARVED(ITLB));
	enter(&b, 1);
	PASS(2, NOTHING); /* the last event was another µop's */
	COUNTED(TEA, "base 9, itlb 7, l2d 6, dtlb 4, unit 6");
	COUNTED(POWER5, "itlb 7, l2d 5, dtlb 4, unit 6");
	CHECK_INT(b.cycles, 32);
	bed_free(&b);
}

/* A load has read before an older store wrote. It and all younger µops are fetched again, without a misprediction. */
static void
a_squash_is_no_misprediction(void)
{
	struct bed b = bed_new();

	fetch_branch(&b);
	enter_branch(&b, 0);
	PASS(3, MISS(L1I));
	fetch_branch(&b);
	PASS(3, MISS(L1I));
	enter(&b, 1);
	enter_branch(&b, 2);
	PASS(2, NOTHING);
	mispredict(&b, 2, 3);
	PASS(1, NOTHING);
	sim_account_squash(b.a, 1, 1); /* the second branch and its misprediction are gone */
	b.in_rob = 1;
	leave_branch(&b, false);
	PASS(6, NOTHING);
	end_with_branch(&b);
	COUNTED(FMT, "");
	COUNTED(SFMT, "");
	COUNTED(POWER5, "");
	COUNTED(TEA, "base 17");
	bed_free(&b);
}

static void
misses_after_the_last_branch_stay_local(void)
{
	struct bed b = bed_new();

	end_with_branch(&b);
	PASS(5, MISS(L1I), STARVED(L1I));
	enter(&b, 1);
	PASS(1, NOTHING);
	leave_missed(&b, SIM_MISSED_L1I);
	PASS(1, NOTHING);
	COUNTED(FMT, "");
	COUNTED(SFMT, "l1i 5");
	end_with_branch(&b);
	COUNTED(FMT, "l1i 5");
	bed_free(&b);
}

/* More branches than rows pass, always 8 in flight, each with a miss of as many cycles as its number has units. */
static void
the_rows_run_around_the_table(void)
{
	struct bed b = bed_new();
	unsigned sum = 0;

	for (unsigned i = 0; i < 100; i++) {
		if (i >= 8) {
			leave_branch(&b, false);
			sum += (i - 8) % 10;
			CHECK_INT(sim_account_counts(b.a, SIM_FMT)[SIM_PART_L1I], sum);
		}
		PASS(i % 10, MISS(L1I));
		fetch_branch(&b);
		enter_branch(&b, i % 128);
		PASS(1, NOTHING);
	}
	bed_free(&b);
}

/* Local counters have 16 bits, global ones 64. */
static void
local_counters_saturate(void)
{
	struct sim_signals miss = {.cycles = 70000, .fetch_waits = SIM_PART_L1I}, idle = {.cycles = 70000};
	struct sim_signals full = {.cycles = 1ull << 40, .rob_full = true, .head_waits = SIM_PART_L3D};
	struct bed b = bed_new();

	sim_account_cycle(b.a, &miss);
	fetch_branch(&b);
	enter_branch(&b, 0);
	PASS(1, NOTHING);
	sim_account_cycle(b.a, &idle);
	mispredict(&b, 0, 1);
	PASS(1, NOTHING);
	leave_uop(&b, true, true, SIM_MISSED_L1I);
	COUNTED(FMT, "branch 65535, l1i 65535");
	COUNTED(SFMT, "branch 65535, l1i 65535");
	sim_account_cycle(b.a, &idle); /* counted by the global counter */
	COUNTED(FMT, "branch 135535, l1i 65535");
	sim_account_cycle(b.a, &full);
	CHECK(sim_account_counts(b.a, SIM_FMT)[SIM_PART_L3D] == 1ull << 40);
	bed_free(&b);
}

static void
the_shared_table_is_a_fraction_in_bits(void)
{
	static const struct {
		unsigned rows, rob;
		uint64_t fmt, sfmt;
	} machines[] = {
		/* FMT: rows + 1 of id, 1, 16 and 4 × 16 bits, 3 pointers, 1. sFMT: rows of id, 1 and 16, 3 pointers,
		 * 4 × 16, a bit per entry, 1. A pointer has one bit more than the rows need. */
		{64, 128, 65 * (7 + 81) + 3 * 8 + 1, 64 * (7 + 17) + 3 * 7 + 64 + 128 + 1},
		{16, 128, 17 * (7 + 81) + 3 * 6 + 1, 16 * (7 + 17) + 3 * 5 + 64 + 128 + 1},
		{128, 512, 129 * (9 + 81) + 3 * 9 + 1, 128 * (9 + 17) + 3 * 8 + 64 + 512 + 1},
		{1, 1, 2 * 81 + 3 * 2 + 1, 17 + 3 + 64 + 1 + 1},
	};

	for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
		struct sim_account *a = sim_account_new(machines[i].rows, machines[i].rob);
		unsigned long long fmt = sim_account_bits(a, SIM_FMT), sfmt = sim_account_bits(a, SIM_SFMT);

		test_label("%u rows, %u entries", machines[i].rows, machines[i].rob);
		CHECK_INT(fmt, machines[i].fmt);
		CHECK_INT(sfmt, machines[i].sfmt);
		CHECK_INT(sim_account_bits(a, SIM_POWER5), 1);
		CHECK_INT(sim_account_bits(a, SIM_TEA), 4);
		printf("# %3u branches, %3u entries: fmt %5llu bits, sfmt %4llu (%.0f %%), power5 1, tea 4\n",
			machines[i].rows, machines[i].rob, fmt, sfmt, 100.0 * (double)sfmt / (double)fmt);
		if (machines[i].rows >= 64)
			CHECK(5 * sfmt < 2 * fmt);
		sim_account_free(a);
	}
}

TEST_MAIN(CASE(a_fetch_miss_costs_its_delay), CASE(draining_longer_than_the_miss_hides_it_from_power5),
	CASE(power5_charges_the_miss_that_emptied_it), CASE(each_miss_has_its_counter),
	CASE(a_misprediction_costs_resolution_and_refilling), CASE(a_predicted_branch_costs_nothing),
	CASE(overlap_is_the_front_ends_unless_the_reorder_buffer_is_full),
	CASE(a_fetch_miss_under_a_full_reorder_buffer_is_hidden), CASE(fetch_misses_of_the_wrong_path_vanish),
	CASE(a_fetch_miss_before_the_mispredicted_branch_counts),
	CASE(the_shared_table_counts_a_wrong_path_miss_after_another_miss),
	CASE(a_commit_clears_the_miss_bits_in_the_reorder_buffer), CASE(cleared_bits_end_with_the_squashed_uops),
	CASE(a_miss_after_the_misprediction_is_not_the_branchs), CASE(a_penalty_ends_when_the_right_path_enters),
	CASE(a_wrong_path_branch_has_no_penalty), CASE(overlapping_long_misses_cost_one),
	CASE(a_short_miss_costs_only_at_the_head_of_a_full_reorder_buffer), CASE(tea_charges_each_cycle_once),
	CASE(a_squash_is_no_misprediction), CASE(misses_after_the_last_branch_stay_local),
	CASE(the_rows_run_around_the_table), CASE(local_counters_saturate),
	CASE(the_shared_table_is_a_fraction_in_bits))
