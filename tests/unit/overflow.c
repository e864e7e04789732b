/* Overflows of the virtual PMU: the measured skid is the planted one, programs stop at exact counts, and a count that
 * interrupts raise stops them at different places, though its total can be corrected. */
#include "collect/overflow.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "sim/overflow.h"
#include "sim_bed.h"
#include "test.h"

#define SEEDS 30
#define LENGTH 20000
#define RUNS 4

/* A machine with an interrupt every 10 000 cycles, which are some 1 000 instructions of the workload. */
static struct sim_machine
ticking(void)
{
	struct sim_machine m = bed_machine;

	m.timer_hz = 100000;
	return m;
}

static struct sim_overflow_spec
spec_of(const struct sim_machine *m, enum sim_event event, uint64_t seed)
{
	return (struct sim_overflow_spec){.machine = m, .workload = "random:footprint=64K", .length = LENGTH,
		.event = event, .skid_least = test_random(&seed) % 50, .skid_most = 50 + test_random(&seed) % 100,
		.seed = seed};
}

static struct sim_overflow *
made(const struct sim_overflow_spec *how)
{
	struct err e = {0};
	struct sim_overflow *o = sim_overflow_new(how, &e);

	if (!o) {
		test_check(false, __FILE__, __LINE__, "%s", e.what);
		exit(1);
	}
	return o;
}

static int
ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Overflows whose stop did not come before the end: 1 or 0. */
static uint64_t
unseen(const struct sim_overflow *o, const struct overflow_skid *k)
{
	size_t drawn;

	sim_overflow_skids(o, &drawn);
	return drawn - k->overflows;
}

/* What was drawn in the run is what was measured. */
static void
check_skid(const struct sim_overflow *o, const struct overflow_skid *k)
{
	size_t n;
	const uint64_t *drawn = sim_overflow_skids(o, &n);
	uint64_t *skid = mem_copy(drawn, n * sizeof *skid);

	CHECK(unseen(o, k) <= 1);
	n = (size_t)k->overflows;
	CHECK(n > 10);
	qsort(skid, n, sizeof *skid, ascending);
	CHECK_INT(k->least, skid[0]);
	CHECK_INT(k->most, skid[n - 1]);
	CHECK_NEAR(k->median, (double)(skid[(n - 1) / 2] + skid[n / 2]) / 2, 1e-9);
	CHECK_INT(k->longest, k->most);
	free(skid);
}

static void
skid_is_as_planted(void)
{
	static const enum sim_event events[] = {SIM_INSTRUCTIONS, SIM_LOAD_RET};
	const struct sim_machine m = ticking();

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct sim_overflow_spec how = spec_of(&m, events[seed % 2], seed);
		struct sim_overflow *o = made(&how);
		struct overflow_subject s = sim_overflow_subject(o);
		struct overflow_skid k;

		test_label("seed %d", (int)seed);
		CHECK(overflow_measure(&s, 503 + 2 * seed, 1000, &k, NULL));
		check_skid(o, &k);
		CHECK_INT(k.measured, k.overflows);
		CHECK_INT(k.missed, unseen(o, &k));
		CHECK(k.ended && !k.cut);
		CHECK_INT(k.total, sim_overflow_exact(o));
		sim_overflow_free(o);
	}
}

/* Overflows that stop nothing are reported, and are no skid. */
static void
missed_overflows_are_no_skid(void)
{
	const struct sim_machine m = ticking();

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct sim_overflow_spec how = spec_of(&m, SIM_INSTRUCTIONS, seed);
		struct overflow_subject s;
		struct overflow_skid k;
		struct sim_overflow *o;

		how.lose = 3;
		o = made(&how);
		s = sim_overflow_subject(o);
		test_label("seed %d", (int)seed);
		CHECK(overflow_measure(&s, 307, 1000, &k, NULL));
		CHECK_INT(k.missed, sim_overflow_lost(o) + unseen(o, &k));
		CHECK(k.missed > 0 && k.measured > 0 && k.measured < k.overflows);
		CHECK(k.least >= (int64_t)how.skid_least && k.most <= (int64_t)how.skid_most);
		CHECK(k.longest >= 307);
		sim_overflow_free(o);
	}
}

static void
measuring_ends_after_the_overflows_asked_for(void)
{
	const struct sim_machine m = ticking();
	struct sim_overflow_spec how = spec_of(&m, SIM_INSTRUCTIONS, 1);
	struct sim_overflow *o = made(&how);
	struct overflow_subject s = sim_overflow_subject(o);
	struct overflow_skid k;

	CHECK(overflow_measure(&s, 503, 7, &k, NULL));
	CHECK_INT(k.overflows, 7);
	CHECK(!k.ended && !k.cut);
	/* a period that is longer than the program: no overflow, and no skid */
	CHECK(overflow_measure(&s, LENGTH + 1, 7, &k, NULL));
	CHECK_INT(k.overflows, 0);
	CHECK_INT(k.missed, 0);
	CHECK(k.ended);
	sim_overflow_free(o);
}

/* Runs to the count n; *at: where they stopped, in true instructions. */
static void
run_to(struct sim_overflow *o, uint64_t n, uint64_t margin, struct overflow_arrival *a, uint64_t at[RUNS])
{
	struct overflow_subject s = sim_overflow_subject(o);

	for (int run = 0; run < RUNS; run++) {
		CHECK(overflow_stop_at(&s, n, margin, &a[run], NULL));
		CHECK_INT(a[run].outcome, OVERFLOW_EXACT);
		CHECK_INT(a[run].count, n);
		CHECK_INT(a[run].overflow, n - margin);
		CHECK(a[run].stop >= n - margin && a[run].stop < n);
		at[run] = sim_overflow_instructions(o);
		s.ops->end(s.ctx);
	}
}

/* The positions that steps alone find are the true ones. */
static void
check_positions(struct sim_overflow *o, const struct overflow_arrival *a, const uint64_t *at)
{
	struct overflow_subject s = sim_overflow_subject(o);
	struct overflow_position found[RUNS];

	CHECK(overflow_find(&s, a, RUNS, found, NULL));
	for (int run = 0; run < RUNS; run++) {
		CHECK(found[run].known && found[run].sure);
		CHECK_INT(found[run].instructions, at[run]);
	}
}

static void
an_exact_event_stops_at_one_place(void)
{
	static const enum sim_event events[] = {SIM_INSTRUCTIONS, SIM_LOAD_RET};
	const struct sim_machine m = ticking();

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct sim_overflow_spec how = spec_of(&m, events[seed % 2], seed);
		struct sim_overflow *o = made(&how);
		struct overflow_arrival a[RUNS];
		uint64_t at[RUNS];

		test_label("seed %d", (int)seed);
		run_to(o, 7000 + seed, how.skid_most + 1, a, at);
		for (int run = 1; run < RUNS; run++)
			CHECK_INT(at[run], at[0]);
		CHECK_INT(overflow_words(a, RUNS), 3);
		CHECK(how.event != SIM_INSTRUCTIONS || at[0] == 7000 + seed);
		check_positions(o, a, at);
		sim_overflow_free(o);
	}
}

/* With an interrupt's leak totals can be corrected exactly. Stops cannot: their places differ from run to run. */
static void
correcting_a_total_corrects_no_stop(void)
{
	const struct sim_lie leak = {.event = SIM_INSTRUCTIONS, .factor = 1, .per_interrupt = 1};
	const struct sim_machine m = ticking();
	int different = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct sim_overflow_spec how = spec_of(&m, SIM_INSTRUCTIONS, seed);
		struct overflow_arrival a[RUNS];
		struct overflow_subject s;
		struct overflow_stop end;
		struct sim_overflow *o;
		uint64_t at[RUNS], n = 7000 + 53 * seed, least = LENGTH, most = 0;

		how.lie = &leak;
		how.n_lies = 1;
		o = made(&how);
		s = sim_overflow_subject(o);
		test_label("seed %d", (int)seed);
		for (int run = 0; run < RUNS; run++) {
			CHECK(overflow_total(&s, &end, NULL));
			CHECK(sim_overflow_interrupts(o) > 0);
			CHECK_INT(end.count - sim_overflow_interrupts(o), LENGTH);
		}
		run_to(o, n, how.skid_most + 1, a, at);
		for (int run = 0; run < RUNS; run++) {
			CHECK(at[run] < n);
			least = at[run] < least ? at[run] : least;
			most = at[run] > most ? at[run] : most;
		}
		different += least < most;
		CHECK_INT(overflow_words(a, RUNS) != 0, least == most);
		check_positions(o, a, at);
		sim_overflow_free(o);
	}
	test_label("seeds");
	CHECK(different > SEEDS / 2);
}

static void
what_has_no_exact_stop(void)
{
	/* each load counts three times */
	const struct sim_lie triple = {.event = SIM_LOAD_RET, .factor = 3};
	const struct sim_machine m = ticking();
	struct sim_overflow_spec how = spec_of(&m, SIM_LOAD_RET, 1);
	struct overflow_arrival a;
	struct overflow_subject s;
	struct sim_overflow *o;

	how.workload = "random:footprint=64K,loads=1";
	how.lie = &triple;
	how.n_lies = 1;
	o = made(&how);
	s = sim_overflow_subject(o);
	for (uint64_t n = 3000; n < 3003; n++) {
		test_label("%d", (int)n);
		CHECK(overflow_stop_at(&s, n, 500, &a, NULL));
		CHECK_INT(a.outcome, n % 3 ? OVERFLOW_PASSED : OVERFLOW_EXACT);
		CHECK_INT(a.before, (n - 1) / 3 * 3);
		CHECK_INT(a.count, (n + 2) / 3 * 3);
		CHECK_INT(a.multiple, a.steps - a.silent);
	}
	test_label("the margin is smaller than the skid");
	CHECK(overflow_stop_at(&s, 3000, 1, &a, NULL));
	CHECK_INT(a.outcome, OVERFLOW_LATE);
	CHECK_INT(a.here.n, 0);
	test_label("past the end");
	CHECK(overflow_stop_at(&s, 3 * LENGTH + 1, 500, &a, NULL));
	CHECK_INT(a.outcome, OVERFLOW_SHORT);
	CHECK_INT(a.count, 3 * LENGTH);
	test_label("before the first overflow");
	CHECK(overflow_stop_at(&s, 30, 500, &a, NULL));
	CHECK_INT(a.outcome, OVERFLOW_EXACT);
	CHECK_INT(a.overflow, 0);
	CHECK_INT(a.steps, 10);
	sim_overflow_free(o);
}

static void
bad_machines_are_refused(void)
{
	struct sim_machine m = ticking();
	struct sim_overflow_spec how = spec_of(&m, SIM_LOAD_RET, 1);
	struct err e = {0};

	how.workload = "nothing";
	CHECK(!sim_overflow_new(&how, &e));
	CHECK(*e.what);
}

TEST_MAIN(CASE(skid_is_as_planted), CASE(missed_overflows_are_no_skid),
	CASE(measuring_ends_after_the_overflows_asked_for), CASE(an_exact_event_stops_at_one_place),
	CASE(correcting_a_total_corrects_no_stop), CASE(what_has_no_exact_stop), CASE(bad_machines_are_refused))
