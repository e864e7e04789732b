/* Planted errors of the virtual PMU: each run's counts are those that the plant says, computed here from the exact
 * counts, interrupts and faults. */
#include <math.h>

#include "base/err.h"
#include "sim/plant_runs.h"
#include "tests/lib/test.h"

#define RUNS 5

/* Weaver, Terpstra and Moore 2021, figure 1. */
static void
strings_count_in_blocks(void)
{
	CHECK_INT(sim_string_loads(0), 0);
	CHECK_INT(sim_string_loads(63), 63);
	CHECK_INT(sim_string_loads(64), 4);
	CHECK_INT(sim_string_loads(65), 5);
	CHECK_INT(sim_string_loads(127), 67);
	CHECK_INT(sim_string_loads(128), 8);
	CHECK_INT(sim_string_loads(1000), 100);
}

static int64_t
expected_of(const struct sim_plant_runs *r, enum sim_event e)
{
	for (size_t k = 0; k < SIM_PLANT_EVENTS; k++)
		if (sim_plant_event[k] == e)
			return r->expected[k];
	return 0;
}

static void
check_run(const struct sim_plant_runs *r, const struct sim_lie *l, size_t at, size_t run)
{
	int64_t count = r->count[run * SIM_PLANT_EVENTS + at], expected = r->expected[at];
	double sum = l->factor * (double)expected;

	if (l->event != sim_plant_event[at]) {
		CHECK_INT(count, expected);
		return;
	}
	for (size_t k = 0; k < l->n_also; k++)
		sum += l->also[k].times * (double)expected_of(r, l->also[k].event);
	sum = floor(sum) + l->per_interrupt * (double)r->interrupts[run] + l->per_fault * (double)r->faults[run];
	if (l->dead) {
		CHECK_INT(count, 0);
	} else if (l->strings) {
		int64_t n = expected / (int64_t)l->strings;

		/* between 1 and 63 + 4 blocks, where one counts 1 at least */
		CHECK(count >= expected && count <= expected + n * (int64_t)(l->longest / 64 * 4 + 63));
		CHECK(n < 100 || count > expected + 5 * n);
	} else {
		CHECK_INT(count, (int64_t)sum);
	}
}

static void
runs_are_wrong_as_planted(void)
{
	uint64_t seed = 3;
	size_t seen[SIM_PLANT_N_KINDS] = {0}, varies = 0;

	for (unsigned round = 0; round < test_rounds(200, 5000); round++) {
		enum sim_event e = sim_plant_event[test_random(&seed) % SIM_PLANT_EVENTS];
		struct sim_lie l;
		enum sim_plant_kind kind = sim_plant_draw(&seed, e, &l);
		struct sim_plant_runs *r = sim_plant_runs_new(&l, 1, RUNS, seed);

		test_label("round %u: %s", round, sim_plant_kind_name(kind));
		seen[kind]++;
		for (size_t run = 0; run < RUNS; run++) {
			for (size_t k = 0; k < SIM_PLANT_EVENTS; k++)
				check_run(r, &l, k, run);
			CHECK(r->interrupts[run] >= 199 && r->interrupts[run] <= 301 && r->faults[run] >= 10008);
			varies += run && r->interrupts[run] != r->interrupts[0];
		}
		sim_plant_runs_free(r);
	}
	test_label("all kinds");
	for (size_t k = 0; k < SIM_PLANT_N_KINDS; k++)
		CHECK(seen[k] > 5);
	CHECK(varies > 100);
}

static void
notation_is_read(void)
{
	static const char *const bad[][2] = {
		{"instructions=also:nonsense", "the simulated machine counts no event 'nonsense'"},
		{"instructions=also:cycles:x", "also takes a number from -1000 to 1000, not 'x'"},
		{"instructions=rep:64",
			"rep takes the length of the longest string and how many counts come to one string"},
		{"instructions=rep:0:5",
			"rep takes the length of the longest string and how many counts come to one string"},
	};
	struct sim_lie l;
	struct err e = {0};

	CHECK(sim_lie_parse("instructions=also:mem_uops_retired.all_stores:0.5,also:cycles,rep:200:50", &l, &e));
	CHECK_INT(l.n_also, 2);
	CHECK(l.also[0].event == SIM_STORE_RET && l.also[0].times == 0.5);
	CHECK(l.also[1].event == SIM_CYCLES && l.also[1].times == 1);
	CHECK(l.longest == 200 && l.strings == 50 && l.factor == 1);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		test_label("%s", bad[i][0]);
		CHECK(!sim_lie_parse(bad[i][0], &l, &e));
		CHECK_STR(e.what, bad[i][1]);
	}
}

TEST_MAIN(CASE(strings_count_in_blocks), CASE(runs_are_wrong_as_planted), CASE(notation_is_read))
