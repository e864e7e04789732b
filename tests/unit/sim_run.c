/* Runs of a simulated machine, with a fake core whose counts are known in advance. */
#include "sim/sampler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/source.h"
#include "core/obs/obs.h"
#include "fake_sim.h"
#include "test.h"

#define ACCESSES 10000
#define EVENTS 10

static const struct sim_machine machine = {
	.name = (char *)(uintptr_t) "tiny", .counters = 2, .fixed = 2, .timer_hz = 1000, .ghz = 1, .may = ~0u};
static const enum sim_event event[EVENTS] = {
	SIM_LOAD_RET,
	SIM_STORE_RET,
	SIM_LOAD_CAUSES_WALK,
	SIM_STORE_CAUSES_WALK,
	SIM_LOAD_WALK_DONE,
	SIM_STORE_WALK_DONE,
	SIM_REF_L2,
	SIM_CYCLES,
	SIM_INSTRUCTIONS,
	SIM_PAGE_FAULTS,
};

static struct sim_run_spec
spec_of(const char *workload)
{
	return (struct sim_run_spec){
		.machine = &machine, .workload = workload, .trace = -1, .seed = 1, .event = event, .n_events = EVENTS,
		.warm_up = 1000, .accesses = ACCESSES,
	};
}

static bool
is_row(struct sim_run *r, struct sim_row *row)
{
	struct err e = {0};

	return CHECK_INT(sim_run_row(r, row, &e), SIM_ROW);
}

/* Each row is complete: no µop and no walk is in flight at its border. */
static void
rows_are_complete(void)
{
	const struct sim_run_spec s = spec_of("fake:wrong=7,fetch=5");
	struct sim_run *r = sim_run_new(&s, NULL);
	uint64_t loads = 0, cycles = 0;
	double before = 0;
	struct sim_row row;

	for (int i = 0; i < 5 && is_row(r, &row); i++) {
		CHECK_INT(row.reading[0].count + row.reading[1].count, ACCESSES);
		CHECK_INT(row.reading[2].count, row.reading[4].count);
		CHECK_INT(row.reading[3].count, row.reading[5].count);
		CHECK_INT(row.reading[6].count, 2 * (row.reading[4].count + row.reading[5].count));
		for (size_t k = 0; k < EVENTS; k++) {
			CHECK(row.reading[k].counted);
			CHECK_NEAR(row.reading[k].running, 1, 0);
			CHECK_INT(row.reading[k].count, (int64_t)row.truth[event[k]]);
		}
		CHECK(row.truth[SIM_TRUE_WRONG_PATH] > 0);
		CHECK_NEAR(row.seconds - before, (double)row.truth[SIM_CYCLES] * 1e-9, 1e-12);
		before = row.seconds;
		loads += row.truth[SIM_LOAD_RET];
		cycles += row.truth[SIM_CYCLES];
	}
	CHECK_INT(sim_run_truth(r)[SIM_LOAD_RET], (int64_t)loads);
	CHECK_INT(sim_run_truth(r)[SIM_CYCLES], (int64_t)cycles);
	CHECK_INT(sim_run_accesses(r), 5 * ACCESSES);
	CHECK_STR(sim_run_workload(r), "fake:wrong=7,fetch=5");
	sim_run_free(r);
}

/* All bytes of some rows, as text. The caller frees. */
static char *
transcript(const struct sim_run_spec *s)
{
	struct sim_run *r = sim_run_new(s, NULL);
	struct str out = {0};
	struct sim_row row;

	for (int i = 0; i < 8 && is_row(r, &row); i++) {
		str_addf(&out, "%a:", row.seconds);
		for (size_t k = 0; k < s->n_events; k++)
			str_addf(&out, " %lld %a %d", (long long)row.reading[k].count, row.reading[k].running,
				row.reading[k].counted);
		for (size_t k = 0; k < SIM_N_COUNTS; k++)
			str_addf(&out, " %llu", (unsigned long long)row.truth[k]);
		str_addc(&out, '\n');
	}
	sim_run_free(r);
	return str_take(&out);
}

static void
a_seed_decides_all(void)
{
	struct sim_run_spec s = spec_of("fake:wrong=9,touch=5000");
	const struct sim_lie lie = {.event = SIM_LOAD_RET, .factor = 1.01, .per_fault = 0.5};
	char *one, *two, *other;

	s.multiplex = true;
	s.lie = &lie;
	s.n_lies = 1;
	one = transcript(&s);
	two = transcript(&s);
	s.seed = 2;
	other = transcript(&s);
	CHECK(strlen(one) > 1000);
	CHECK_STR(two, one);
	CHECK(!str_eq(other, one));
	free(one);
	free(two);
	free(other);
}

/* Eight hardware events besides cycles and instructions, with two counters: readings are estimates of the truth, with
 * the share of time in which they counted. */
static void
counters_take_turns(void)
{
	struct sim_run_spec s = spec_of("fake");
	double seen = 0, truth = 0;
	bool off = false;
	struct sim_run *r;
	struct sim_row row;

	s.multiplex = true;
	r = sim_run_new(&s, NULL);
	for (int i = 0; i < 20 && is_row(r, &row); i++) {
		for (size_t k = 0; k < 7; k++) {
			CHECK(row.reading[k].counted && row.reading[k].running > 0.1 && row.reading[k].running < 0.6);
			off |= row.reading[k].count != (int64_t)row.truth[event[k]];
		}
		for (size_t k = 7; k < EVENTS; k++)
			CHECK_INT(row.reading[k].count, (int64_t)row.truth[event[k]]);
		seen += (double)row.reading[0].count;
		truth += (double)row.truth[event[0]];
	}
	CHECK(off);
	CHECK_NEAR(seen / truth, 1, 0.02);
	sim_run_free(r);
}

/* Samples of a given length in time. */
static void
samples_by_time(void)
{
	struct sim_run_spec s = spec_of("fake");
	struct sim_run *r;
	struct sim_row row;

	s.accesses = 0;
	s.sample_ns = 50000;
	r = sim_run_new(&s, NULL);
	for (int i = 1; i <= 5 && is_row(r, &row); i++)
		CHECK_NEAR(row.seconds, 50e-6 * i, 1e-7);
	sim_run_free(r);
}

/* Leaks have the requested rates. */
static void
leaks_and_miscounts(void)
{
	struct sim_run_spec s = spec_of("fake:touch=20000");
	const struct sim_lie lie[] = {
		{.event = SIM_INSTRUCTIONS, .factor = 1, .per_fault = 3, .per_interrupt = 2},
		{.event = SIM_LOAD_RET, .factor = 1.25},
		{.event = SIM_REF_L2, .factor = 1, .dead = true},
	};
	uint64_t ticks = 0;
	struct sim_run *r;
	struct sim_row row;

	s.accesses = 1000000;
	s.lie = lie;
	s.n_lies = 3;
	r = sim_run_new(&s, NULL);
	if (is_row(r, &row)) {
		ticks = (row.truth[SIM_CYCLES] + 1000000) / 1000000; /* a thousand a second, 1 GHz */
		CHECK_INT(row.truth[SIM_PAGE_FAULTS], 19000);
		CHECK_NEAR((double)(row.reading[8].count - (int64_t)row.truth[SIM_INSTRUCTIONS]),
			3 * 19000 + 2 * (double)ticks, 2);
		CHECK_NEAR((double)row.reading[0].count, 1.25 * (double)row.truth[SIM_LOAD_RET], 1);
		CHECK_INT(row.reading[6].count, 0);
		CHECK(row.truth[SIM_REF_L2] > 0);
	}
	sim_run_free(r);
}

/* A trace gives all that it has; the last row may be short, and no row follows. An unreadable trace gives an error. */
static void
streams_end(void)
{
	struct sim_run_spec s = spec_of("fake:end=26000");
	struct err e = {0};
	struct sim_run *r = sim_run_new(&s, NULL);
	struct sim_row row;

	for (int i = 0; i < 3 && is_row(r, &row); i++)
		CHECK_INT(row.reading[0].count + row.reading[1].count, i < 2 ? ACCESSES : 5000);
	CHECK_INT(sim_run_row(r, &row, &e), SIM_NO_ROW);
	CHECK_INT(sim_run_row(r, &row, &e), SIM_NO_ROW);
	sim_run_free(r);
	s.workload = "fake:fail=12000";
	r = sim_run_new(&s, NULL);
	is_row(r, &row);
	CHECK_INT(sim_run_row(r, &row, &e), SIM_FAILED);
	CHECK(strstr(e.what, "record 1") != NULL);
	sim_run_free(r);
	s.workload = "fake:fail=10";
	r = sim_run_new(&s, NULL);
	CHECK_INT(sim_run_row(r, &row, &e), SIM_FAILED);
	sim_run_free(r);
}

/* A sample of a workload that never ends can be cancelled. */
static void
cancelled(void)
{
	struct sim_run_spec s = spec_of("fake");
	struct sim_run *r;
	struct err e = {0};
	struct sim_row row;

	s.warm_up = UINT64_MAX;
	r = sim_run_new(&s, NULL);
	sim_run_cancel(r);
	CHECK_INT(sim_run_row(r, &row, &e), SIM_NO_ROW);
	CHECK_INT(sim_run_accesses(r), 0);
	sim_run_free(r);
}

static void
what_can_never_run_is_refused(void)
{
	static const unsigned one[EVENTS] = {0};
	static const struct {
		const char *what, *workload, *says;
		uint64_t accesses;
		bool grouped;
	} row[] = {
		{"no length", "fake", "would never end", 0, false},
		{"unknown workload", "nothing", "no workload nothing", 1, false},
		{"unknown parameter", "fake:speed=1", "no parameter speed=1", 1, false},
		{"a group too large", "fake", "can never be counted", 1, true},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct sim_run_spec s = spec_of(row[i].workload);
		struct err e = {0};
		struct sim_run *r;

		test_label("%s", row[i].what);
		s.accesses = row[i].accesses;
		s.group = row[i].grouped ? one : NULL;
		s.multiplex = true;
		r = sim_run_new(&s, &e);
		CHECK(!r);
		CHECK(strstr(e.what, row[i].says) != NULL);
		sim_run_free(r);
	}
}

/* --- samplers ---------------------------------------------------------------------------------------------------- */

static const struct event_item loads = {.name = "mem_uops_retired.all_loads:u"},
				 both[] = {{.name = "mem_uops_retired.all_loads"},
					 {.name = "mem_uops_retired.all_stores"}},
				 strange = {.name = "uops_issued.any"},
				 filtered = {.name = "page-faults", .filter = "x == 1"},
				 gigantic = {.name = "dtlb_load_misses.walk_completed_1g"};
static const struct source_counter counters[] = {
	{.name = "loads", .event = &loads, .n_events = 1}, {.name = "accesses", .event = both, .n_events = 2},
		{.name = "issued", .event = &strange, .n_events = 1},
	{.name = "faults", .event = &filtered, .n_events = 1}, {.name = "nothing"}, {.name = "1g",
		.event = &gigantic, .n_events = 1},
};
#define COUNTERS (sizeof counters / sizeof *counters)

static struct obs_table *
new_table(void)
{
	const char *name[COUNTERS];

	for (size_t i = 0; i < COUNTERS; i++)
		name[i] = counters[i].name;
	return obs_table_new(name, COUNTERS);
}

static bool
observe(struct obs_table *t, const char *workload, size_t samples, bool multiplex, struct err *e)
{
	struct sim_run_spec s = spec_of(workload);
	struct sim_sampler *m;
	bool good;

	s.multiplex = multiplex;
	m = sim_sampler_new(&s, counters, COUNTERS, e);
	good = CHECK(m) && sim_sampler_observe(m, samples, workload, "sim:tiny", t, e);
	sim_sampler_free(m);
	return good;
}

static void
an_observation(void)
{
	struct obs_table *t = new_table();
	const struct sim_run_spec s = spec_of("fake");
	struct sim_sampler *m = sim_sampler_new(&s, counters, COUNTERS, NULL);
	const struct source_status *status = sim_sampler_status(m);
	const struct obs *o;

	CHECK_INT(status[0].health, OBS_LIVE);
	CHECK_INT(status[2].health, OBS_UNSUPPORTED);
	CHECK(strstr(status[2].why, "uops_issued.any"));
	CHECK_INT(status[3].health, OBS_UNSUPPORTED);
	CHECK(strstr(status[3].why, "filter"));
	CHECK_INT(status[4].health, OBS_UNSUPPORTED);
	sim_sampler_free(m);
	if (CHECK(observe(t, "fake", 30, false, NULL)) && CHECK(observe(t, "fake:wrong=3", 30, true, NULL))) {
		o = t->obs[0];
		CHECK(o->exact && o->since_start && o->n_rows == 30);
		for (size_t row = 0; row < o->n_rows; row++) {
			CHECK_INT(o->count[row * COUNTERS + 1], ACCESSES);
			CHECK_INT(o->counted[row * COUNTERS + 2], 0);
		}
		CHECK(!o->running);
		CHECK(o->time[29] > o->time[28]);
		CHECK(!t->obs[1]->exact && t->obs[1]->running);
		CHECK_INT(t->obs[1]->health[2], OBS_UNSUPPORTED);
		CHECK_INT(t->obs[1]->health[5], OBS_ZERO_SUSPECT);
	}
	obs_table_free(t);
}

/* A counter that never rises in many workloads is dead. If it rises in one, its zeros in others are real. In few
 * workloads they are real, too, unless the machine was asked to lie. */
static void
health_of_many(void)
{
	struct obs_table *t = new_table();

	for (size_t i = 0; i < SIM_CROWD - 1; i++)
		observe(t, "fake", 6, true, NULL);
	sim_judge_health(t, false);
	CHECK_INT(t->obs[0]->health[5], OBS_ZERO_SUSPECT);
	sim_judge_health(t, true);
	CHECK_INT(t->obs[0]->health[5], OBS_HONEST);
	for (size_t i = 0; i < t->n; i++)
		t->obs[i]->health[5] = OBS_ZERO_SUSPECT;
	observe(t, "fake", 6, true, NULL);
	sim_judge_health(t, true);
	for (size_t i = 0; i < t->n; i++) {
		CHECK_INT(t->obs[i]->health[5], OBS_DEAD);
		CHECK_INT(t->obs[i]->health[0], OBS_HONEST);
		CHECK_INT(t->obs[i]->health[2], OBS_UNSUPPORTED);
		t->obs[i]->health[5] = OBS_ZERO_SUSPECT;
	}
	t->obs[3]->count[5] = 1;
	sim_judge_health(t, false);
	CHECK_INT(t->obs[7]->health[5], OBS_LIVE);
	obs_table_free(t);
}

static void
nothing_to_observe(void)
{
	struct obs_table *t = new_table();
	const struct sim_run_spec s = spec_of("fake");
	struct err e = {0};

	CHECK(!sim_sampler_new(&s, counters + 2, 3, &e));
	CHECK(strstr(e.what, "none of the 3 counters") && strstr(e.what, "uops_issued.any"));
	CHECK(!sim_sampler_new(&s, counters, 0, &e));
	CHECK(strstr(e.what, "no counters were given"));
	CHECK(!observe(t, "fake:end=500", 5, true, &e));
	CHECK(strstr(e.what, "warm-up") && strstr(e.hint, "--warm-up"));
	CHECK(!observe(t, "fake:fail=500", 5, true, &e));
	CHECK_INT(t->n, 0);
	obs_table_free(t);
}

TEST_MAIN(CASE(rows_are_complete), CASE(a_seed_decides_all), CASE(counters_take_turns), CASE(samples_by_time),
	CASE(leaks_and_miscounts), CASE(streams_end), CASE(cancelled), CASE(what_can_never_run_is_refused),
	CASE(an_observation), CASE(health_of_many), CASE(nothing_to_observe))
