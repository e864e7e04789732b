/* The virtual PMU with a fake core whose true counts are known. Estimates are compared with the truth, rotations with
 * perf's by hand. */
#include "sim/pmu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "test.h"

#define MANY 20
#define SLICE 1000

static const struct sim_machine machine = {
	.name = (char *)(uintptr_t) "tiny", .counters = 4, .fixed = 2, .timer_hz = 1000, .ghz = 1};

/* programmable events, in the order of the table */
static const enum sim_event many[MANY] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19};

struct rig {
	struct sim_pmu *pmu;
	uint64_t now, truth[SIM_N_COUNTS];
	uint64_t random;
};

static struct rig
start(const struct sim_pmu_spec *s)
{
	struct rig r = {.pmu = sim_pmu_new(s, NULL), .random = 1};

	for (size_t i = 0; i < SIM_N_COUNTS; i++)
		r.truth[i] = i * 1000; /* counted before the start: must not be read */
	sim_pmu_start(r.pmu, r.now, r.truth);
	return r;
}

/* Runs the core: each event i rises by about (i + 1) in 10 ns. `noisy`: in each step twice as much, or nothing. */
static void
run_step(struct rig *r, uint64_t until, bool noisy)
{
	uint64_t times = (until - r->now) * (noisy ? 2 * (test_random(&r->random) & 1) : 1);

	for (size_t i = 0; i < SIM_N_EVENTS; i++)
		r->truth[i] += times * (i + 1) / 10;
	r->now = until;
	sim_pmu_advance(r->pmu, r->now, r->truth);
}

static void
run_until(struct rig *r, uint64_t until, bool noisy)
{
	while (r->now < until) {
		uint64_t next = sim_pmu_until_ns(r->pmu);

		run_step(r, next < until ? next : until, noisy);
	}
}

static struct sim_pmu_spec
spec_of(const enum sim_event *event, size_t n)
{
	return (struct sim_pmu_spec){.machine = &machine, .event = event, .n_events = n, .multiplex = true,
		.slice_ns = SLICE, .rotation = ROTATION_KERNEL, .seed = 7};
}

/* No counter takes turns: every count equals the truth. */
static void
check_exact(const struct sim_pmu_spec *s)
{
	struct rig r = start(s);
	struct sim_reading got[MANY];
	uint64_t before[SIM_N_COUNTS];

	CHECK(sim_pmu_until_ns(r.pmu) == UINT64_MAX);
	for (int row = 0; row < 20; row++) {
		memcpy(before, r.truth, sizeof before);
		for (int step = 0; step < 7; step++)
			run_step(&r, r.now + 333, true);
		sim_pmu_read(r.pmu, got);
		for (size_t i = 0; i < s->n_events; i++) {
			CHECK(got[i].counted);
			CHECK_INT(got[i].count, r.truth[s->event[i]] - before[s->event[i]]);
			CHECK_NEAR(got[i].running, 1, 0);
		}
	}
	sim_pmu_free(r.pmu);
}

static void
exact_where_all_fit(void)
{
	const enum sim_event event[] = {
		SIM_REF_L1, SIM_INSTRUCTIONS, SIM_REF_L2, SIM_CYCLES, SIM_REF_L3, SIM_PAGE_FAULTS, SIM_REF_MEM
	};
	struct sim_pmu_spec few = spec_of(event, 7), all = spec_of(many, MANY);

	test_label("4 programmable, 2 fixed, 1 software");
	check_exact(&few);
	test_label("as many counters as are wanted");
	all.multiplex = false;
	check_exact(&all);
}

/* Each event has its share of the time, and scaled counts converge to the truth. */
static void
scaled_counts_converge(void)
{
	struct sim_pmu_spec s = spec_of(many, MANY);
	double off_short = 0, off_long = 0;

	for (int pass = 0; pass < 2; pass++) {
		uint64_t slices = pass ? 20000 : 200, rows = 20;
		struct rig r = start(&s);
		double sum[MANY] = {0}, running[MANY] = {0}, off = 0;

		for (uint64_t row = 0; row < rows; row++) {
			struct sim_reading got[MANY];

			run_until(&r, r.now + slices * SLICE / rows * 10, true);
			sim_pmu_read(r.pmu, got);
			for (size_t i = 0; i < MANY; i++) {
				CHECK(got[i].counted);
				sum[i] += (double)got[i].count;
				running[i] += got[i].running / (double)rows;
			}
		}
		for (size_t i = 0; i < MANY; i++) {
			double truth = (double)(r.truth[many[i]] - (uint64_t)many[i] * 1000);

			off += fabs(sum[i] / truth - 1) / MANY;
			CHECK_NEAR(running[i], 4.0 / MANY, pass ? 0.0005 : 0.02);
		}
		*(pass ? &off_long : &off_short) = off;
		sim_pmu_free(r.pmu);
	}
	test_check(off_long < 0.01, __FILE__, __LINE__, "200000 slices: off by %g", off_long);
	test_check(
		off_long < off_short / 3, __FILE__, __LINE__, "100 times the time: from %g to %g", off_short, off_long);
}

/* The events that count in each slice, as bits. */
static void
find_turns(const struct sim_pmu_spec *s, unsigned *on, size_t n)
{
	struct rig r = start(s);

	for (size_t i = 0; i < n; i++) {
		struct sim_reading got[MANY];

		run_until(&r, sim_pmu_turn_ends_ns(r.pmu), false);
		sim_pmu_read(r.pmu, got);
		on[i] = 0;
		for (size_t k = 0; k < s->n_events; k++)
			on[i] |= (unsigned)got[k].counted << k;
	}
	sim_pmu_free(r.pmu);
}

static void
takes_turns_as_perf_does(void)
{
	static const struct {
		const char *what;
		enum sim_event event[8];
		unsigned group[8];
		size_t n;
		unsigned on[6];
	} row[] = {
		{"one by one", {0, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 4, 5}, 6, {0x0f, 0x1e, 0x3c, 0x39, 0x33, 0x27}},
		{"an event waits after one that does not fit, though its own counter is free",
			{0, 1, 2, 3, 4, SIM_CYCLES}, {0, 1, 2, 3, 4, 5}, 6, {0x0f, 0x3e, 0x3d, 0x3b, 0x37, 0x2f}},
		{"page faults are always counted", {0, 1, 2, 3, 4, SIM_PAGE_FAULTS}, {0, 1, 2, 3, 4, 5}, 6,
			{0x2f, 0x3e, 0x3d, 0x3b, 0x37, 0x2f}},
		{"groups", {0, 1, 2, 3, 4, 5, 6}, {0, 0, 0, 1, 1, 2, 3}, 7, {0x07, 0x78, 0x60, 0x47, 0x07, 0x78}},
		{"a second cycles takes a programmable one", {SIM_CYCLES, SIM_CYCLES, 0, 1, 2, 3},
			{0, 1, 2, 3, 4, 5}, 6, {0x1f, 0x3e, 0x3d, 0x3b, 0x37, 0x2f}},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct sim_pmu_spec s = spec_of(row[i].event, row[i].n);
		unsigned on[6];

		s.group = row[i].group;
		test_label("%s", row[i].what);
		find_turns(&s, on, 6);
		for (size_t k = 0; k < 6; k++)
			CHECK_INT(on[k], row[i].on[k]);
	}
}

/* A tick within a step takes effect when the step ends, and no time is lost. */
static void
long_steps_keep_the_time(void)
{
	struct sim_pmu_spec s = spec_of(many, 5);
	struct rig r = start(&s);
	struct sim_reading got[5];
	double running = 0;

	for (int i = 0; i < 10; i++)
		run_step(&r, r.now + 3 * SLICE + 17, false);
	sim_pmu_read(r.pmu, got);
	for (size_t i = 0; i < 5; i++)
		running += got[i].running;
	CHECK_NEAR(running, 4, 1e-12);
	CHECK(sim_pmu_until_ns(r.pmu) > r.now);
	CHECK(sim_pmu_until_ns(r.pmu) <= r.now + SLICE);
	sim_pmu_read(r.pmu, got); /* no time has passed */
	for (size_t i = 0; i < 5; i++)
		CHECK(!got[i].counted && got[i].count == 0 && got[i].running == 0);
	sim_pmu_free(r.pmu);
}

static void
refuses_groups_that_never_fit(void)
{
	static const unsigned five[] = {3, 3, 3, 3, 3, 4}, own[] = {0, 1, 2, 3, 4, 5};
	const enum sim_event fixed[] = {SIM_CYCLES, SIM_INSTRUCTIONS, 0, 1, 2, 3};
	static const unsigned six[] = {1, 1, 1, 1, 1, 1};
	struct sim_machine none = machine;
	struct sim_pmu_spec s = spec_of(many, 6);
	struct err e = {0};

	s.group = own;
	CHECK(sim_pmu_can(&s, &e));
	s.group = five;
	CHECK(!sim_pmu_can(&s, &e));
	CHECK_STR(e.what,
		"a group of 5 events, which begins with dtlb_load_misses.miss_causes_a_walk, can never be counted: "
		"the PMU of tiny has 4 programmable counters and 2 fixed ones");
	CHECK(sim_pmu_new(&s, &e) == NULL);
	s.multiplex = false;
	CHECK(sim_pmu_can(&s, &e));
	s = spec_of(fixed, 6);
	s.group = six;
	CHECK(sim_pmu_can(&s, &e));
	none.counters = 0;
	s.machine = &none;
	s.group = NULL;
	CHECK(!sim_pmu_can(&s, &e));
	CHECK_STR(e.what,
		"dtlb_load_misses.miss_causes_a_walk can never be counted: the PMU of tiny has no programmable "
		"counter");
	s.n_events = 2;
	CHECK(sim_pmu_can(&s, &e));
}

static void
counts_wrongly_where_it_should(void)
{
	const enum sim_event event[] = {SIM_REF_L1, SIM_REF_L2, SIM_REF_L3};
	const struct sim_lie lie[] = {
		{.event = SIM_REF_L1, .dead = true, .factor = 1, .per_interrupt = 5}, {.event = SIM_REF_L2,
			.factor = 1.25}, {.event = SIM_REF_L3, .factor = 0.5},
	};
	struct sim_pmu_spec s = spec_of(event, 3);
	struct sim_reading got[3];
	int64_t sum[3] = {0};
	uint64_t l2, l3;
	struct rig r;

	s.lie = lie;
	s.n_lies = 3;
	r = start(&s);
	l2 = r.truth[SIM_REF_L2];
	l3 = r.truth[SIM_REF_L3];
	for (int row = 0; row < 30; row++) {
		run_step(&r, r.now + 1234567, false);
		sim_pmu_read(r.pmu, got);
		CHECK(got[0].counted && got[0].running == 1);
		for (int i = 0; i < 3; i++)
			sum[i] += got[i].count;
	}
	CHECK_INT(sum[0], 0);
	/* fractions of a count are carried over: none is lost between steps */
	CHECK_INT(sum[1], (r.truth[SIM_REF_L2] - l2) * 5 / 4);
	CHECK_INT(sum[2], (r.truth[SIM_REF_L3] - l3) / 2);
	sim_pmu_free(r.pmu);
}

static void
interrupts_and_faults_leak(void)
{
	const enum sim_event event[] = {SIM_INSTRUCTIONS, SIM_REF_L1, SIM_REF_L2, SIM_REF_L3};
	const struct sim_lie lie[] = {
		{.event = SIM_INSTRUCTIONS, .factor = 1, .per_interrupt = 3, .per_fault = 2},
		{.event = SIM_REF_L1, .factor = 1, .per_interrupt = 0.25},
		{.event = SIM_REF_L2, .factor = 1, .per_fault = 1},
	};
	struct sim_pmu_spec s = spec_of(event, 4);
	struct rig r;
	struct sim_reading got[4];
	double sd;

	s.lie = lie;
	s.n_lies = 3;
	r = start(&s);
	/* 4 s in which the program only has 1000 page faults */
	for (int i = 0; i < 1000; i++) {
		r.truth[SIM_PAGE_FAULTS]++;
		sim_pmu_advance(r.pmu, r.now += 4000000, r.truth);
	}
	sim_pmu_read(r.pmu, got);
	CHECK_INT(got[0].count, 4000 * 3 + 1000 * 2);
	sd = sqrt(4000 * 0.25 * 0.75);
	CHECK_NEAR((double)got[1].count, 1000, 5 * sd);
	CHECK(got[1].count != 1000); /* random, not evenly spread */
	CHECK_INT(got[2].count, 1000);
	CHECK_INT(got[3].count, 0);
	sim_pmu_free(r.pmu);
}

/* A leak while an event is not counted goes into another event. */
static void
leaks_only_into_what_counts(void)
{
	struct sim_lie lie[MANY];
	struct sim_pmu_spec s = spec_of(many, MANY);
	struct rig r;
	struct sim_reading got[MANY];
	double sum = 0;

	for (size_t i = 0; i < MANY; i++)
		lie[i] = (struct sim_lie){.event = many[i], .factor = 1, .per_fault = 1};
	s.lie = lie;
	s.n_lies = MANY;
	r = start(&s);
	for (int i = 0; i < 1000; i++) {
		r.truth[SIM_PAGE_FAULTS]++;
		sim_pmu_advance(r.pmu, r.now = sim_pmu_until_ns(r.pmu), r.truth);
	}
	sim_pmu_read(r.pmu, got);
	for (size_t i = 0; i < MANY; i++)
		sum += (double)got[i].count * got[i].running; /* not scaled */
	CHECK_NEAR(sum, 4 * 1000, MANY);
	sim_pmu_free(r.pmu);
}

static void
record(uint64_t seed, int64_t *out, size_t rows)
{
	const struct sim_lie lie = {.event = many[3], .factor = 1.1, .per_interrupt = 0.5};
	struct sim_pmu_spec s = spec_of(many, MANY);
	struct rig r;

	s.lie = &lie;
	s.n_lies = 1;
	s.seed = seed;
	r = start(&s);
	for (size_t row = 0; row < rows; row++) {
		struct sim_reading got[MANY];

		run_until(&r, r.now + 12345, true);
		sim_pmu_read(r.pmu, got);
		for (size_t i = 0; i < MANY; i++)
			out[row * MANY + i] = got[i].counted ? got[i].count : -1;
	}
	sim_pmu_free(r.pmu);
}

static void
same_seed_same_counts(void)
{
	static int64_t one[50 * MANY], two[50 * MANY], other[50 * MANY];

	record(1, one, 50);
	record(1, two, 50);
	record(2, other, 50);
	CHECK(memcmp(one, two, sizeof one) == 0);
	CHECK(memcmp(one, other, sizeof one) != 0);
}

/* After a second start, counts equal those of a new PMU, except for random ones. */
static void
a_second_start_counts_from_zero(void)
{
	struct sim_pmu_spec s = spec_of(many, 4);
	struct rig r = start(&s);
	struct sim_reading got[4];

	run_step(&r, 5000, false);
	sim_pmu_start(r.pmu, r.now, r.truth);
	sim_pmu_read(r.pmu, got);
	CHECK(!got[0].counted);
	run_step(&r, 6000, false);
	sim_pmu_read(r.pmu, got);
	CHECK_INT(got[1].count, 200);
	sim_pmu_free(r.pmu);
}

static void
reads_what_is_wrong(void)
{
	static const struct {
		const char *text, *what;
		int caret, span;
	} bad[] = {
		{"instructions=factr:2,dead", "a counter cannot be wrong in the way 'factr'", 13, 5},
		{"instructions=dead,", "a counter cannot be wrong in the way ''", 18, 1},
		{"instructions=dead,rep:1",
			"rep takes the length of the longest string and how many counts come to one string", 22, 1},
		{"instructions", "'instructions' does not say in which way the counter is wrong", 0, 0},
		{"nonsense=dead", "the simulated machine counts no event 'nonsense'", 0, 8},
		{"instructions=", "a counter cannot be wrong in the way ''", 13, 1},
		{"instructions=slow", "a counter cannot be wrong in the way 'slow'", 13, 4},
		{"instructions=factor", "a counter cannot be wrong in the way 'factor'", 13, 6},
		{"instructions=factor:x", "factor takes a number from 0 to 1000, not 'x'", 20, 1},
		{"instructions=factor:-1", "factor takes a number from 0 to 1000, not '-1'", 20, 2},
		{"instructions=factor:nan", "factor takes a number from 0 to 1000, not 'nan'", 20, 3},
		{"instructions=interrupt:1e7", "interrupt takes a number from 0 to 1e+06, not '1e7'", 23, 3},
	};
	struct sim_lie l;
	struct err e = {0};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		test_label("%s", bad[i].text);
		CHECK(!sim_lie_parse(bad[i].text, &l, &e));
		CHECK_STR(e.what, bad[i].what);
		CHECK_INT(e.caret, bad[i].caret);
		CHECK_INT(e.span, bad[i].span);
	}
	test_label("%s", "good");
	CHECK(sim_lie_parse("instructions=interrupt:1,fault:0.5", &l, &e));
	CHECK(l.event == SIM_INSTRUCTIONS && !l.dead && l.factor == 1 && l.per_interrupt == 1 && l.per_fault == 0.5);
	CHECK(sim_lie_parse("page_walker_loads.dtlb_l3=dead", &l, &e));
	CHECK(l.event == SIM_REF_L3 && l.dead);
	CHECK(sim_lie_parse("cycles:u=factor:1.02", &l, &e));
	CHECK(l.event == SIM_CYCLES && l.factor == 1.02);
}

TEST_MAIN(CASE(exact_where_all_fit), CASE(scaled_counts_converge), CASE(takes_turns_as_perf_does),
	CASE(long_steps_keep_the_time), CASE(refuses_groups_that_never_fit), CASE(counts_wrongly_where_it_should),
	CASE(interrupts_and_faults_leak), CASE(leaks_only_into_what_counts), CASE(same_seed_same_counts),
	CASE(a_second_start_counts_from_zero), CASE(reads_what_is_wrong))
