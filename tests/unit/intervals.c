/* Interval diagrams against the theory of Eyerman et al. (ASPLOS 2006), section 3, on core.machine and changes of it.
 */
#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/str.h"
#include "sim/intervals.h"
#include "test.h"
#include "text/diag.h"

static struct sim_machine *
machine_with(const char *changes)
{
	unsigned long len;
	char *text = test_read("../models/machines/core.machine", &len);
	struct diags d = {0};
	struct sim_machine *m = text ? sim_machine_parse("core.machine", text, len, changes, &d) : NULL;

	CHECK(m != NULL);
	diags_free(&d);
	free(text);
	return m;
}

/* Simulates few events: the pipeline is deterministic. */
static struct sim_interval *
interval_of(const struct sim_machine *m, const char *lesson)
{
	struct err e = {0};
	struct sim_interval *v = sim_interval_new(m, m->has, lesson, 6, 1, &e);

	CHECK(v != NULL);
	return v;
}

static double
sum(const double *v, size_t n)
{
	double s = 0;

	for (size_t i = 0; i < n; i++)
		s += v[i];
	return s;
}

/* What holds for all diagrams: the area of lost slots is what a run without the event is faster by; the cycles marked
 * as counted are those that the method's counters rise by. */
static void
check_areas(const struct sim_interval *v)
{
	CHECK(v->events >= 5);
	CHECK_NEAR(v->lost, v->truth, 1);
	CHECK_NEAR(sum(v->fmt, v->n), v->method[SIM_FMT], 1);
	CHECK_NEAR(sum(v->power5, v->n), v->method[SIM_POWER5], 1);
	CHECK_NEAR(v->method[SIM_SFMT], v->method[SIM_FMT], 0.1);
	for (size_t i = 0; i < v->n; i++)
		if (!CHECK(v->dispatched[i] <= v->width && v->rob[i] <= v->entries && v->wrong[i] <= v->rob[i]))
			break;
}

/* Section 3.1: the penalty of an instruction-cache miss is its delay, whatever the front end's length. POWER5 does not
 * count the cycles in which the reorder buffer drains. */
static void
an_icache_miss_costs_its_delay(void)
{
	static const struct { const char *changes; double delay; } row[] = {
		{"", 9}, {"front_end 10 cycles", 9}, {"front_end 20 cycles", 9}, {"rob 64", 9},
		{"l2 1 MiB, 8 ways, 21 cycles", 20}, {"l2 1 MiB, 8 ways, 41 cycles; front_end 12 cycles", 40},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct sim_machine *m = machine_with(row[i].changes);
		struct sim_interval *v = interval_of(m, "one-icache-miss");

		test_label("%s", row[i].changes);
		check_areas(v);
		CHECK_NEAR(v->mark[SIM_MARK_RETURNS], row[i].delay, 0.01);
		CHECK_NEAR(v->mark[SIM_MARK_REFILLED], row[i].delay + v->front_end, 0.51);
		CHECK_NEAR(v->truth, row[i].delay, 0.51);
		CHECK_NEAR(v->method[SIM_FMT], row[i].delay, 0.01);
		CHECK_NEAR(v->naive, row[i].delay, 0.01);
		CHECK(v->method[SIM_POWER5] < row[i].delay - 1);
		sim_interval_free(v);
		sim_machine_free(m);
	}
}

/* Section 2: the more µops the reorder buffer holds, the longer it drains, and the less POWER5 counts of a miss. */
static void
draining_hides_misses_from_power5(void)
{
	static const char *const changes[] = {"", "latency alu 3 cycles", "latency alu 5 cycles"};
	double before = 9;

	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		struct sim_machine *m = machine_with(changes[i]);
		struct sim_interval *v = interval_of(m, "one-icache-miss");

		test_label("%s", changes[i]);
		check_areas(v);
		CHECK_NEAR(v->truth, 9, 0.51);
		CHECK_NEAR(v->method[SIM_FMT], 9, 0.01);
		CHECK(v->method[SIM_POWER5] < before - 1);
		before = v->method[SIM_POWER5];
		sim_interval_free(v);
		sim_machine_free(m);
	}
}

/* Where fetch is faster than dispatch, a buffer fills, and hides as many cycles as it holds µops for. */
static void
a_fetch_buffer_hides_misses(void)
{
	static const struct { const char *changes; double hidden; } row[] = {
		{"fetch 8; fetch_buffer 12", 3}, {"fetch 8; fetch_buffer 20", 5}, {"fetch 8; fetch_buffer 100", 9},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct sim_machine *m = machine_with(row[i].changes);
		struct sim_interval *v = interval_of(m, "one-icache-miss");

		test_label("%s", row[i].changes);
		CHECK_NEAR(v->truth, 9 - row[i].hidden, 0.51);
		CHECK_NEAR(v->lost, v->truth, 1);
		CHECK_NEAR(v->method[SIM_FMT], 9, 0.01);
		sim_interval_free(v);
		sim_machine_free(m);
	}
}

/* Section 3.1: the penalty of a mispredicted branch is its resolution and the front end's length. */
static void
a_branch_costs_its_resolution_and_the_front_end(void)
{
	static const char *const changes[] = {
		"", "front_end 10 cycles", "front_end 20 cycles", "latency branch 8 cycles",
		"latency branch 30 cycles; front_end 7 cycles",
	};

	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		struct sim_machine *m = machine_with(changes[i]);
		struct sim_interval *v = interval_of(m, "one-mispredict");
		double penalty = v->mark[SIM_MARK_RESOLVED] + v->front_end;

		test_label("%s", changes[i]);
		check_areas(v);
		/* dispatched in cycle 0 with the µop that it waits for, which is issued in cycle 1 and takes a cycle */
		CHECK_NEAR(v->mark[SIM_MARK_RESOLVED], 2 + m->pipe.latency[SIM_OP_BRANCH], 0.51);
		CHECK_NEAR(v->mark[SIM_MARK_REFILLED], penalty, 0.01);
		/* in cycle 0, µops of the right path are dispatched, too */
		CHECK_NEAR(v->truth, penalty, 1.01);
		CHECK_NEAR(v->method[SIM_FMT], penalty, 0.3);
		CHECK_NEAR(v->naive, v->front_end, 0.3);
		CHECK(v->method[SIM_POWER5] <= v->front_end);
		CHECK(sum(v->wrong, v->n) > 0);
		sim_interval_free(v);
		sim_machine_free(m);
	}
}

/* Section 3.2: the penalty of a long miss is the time from the full reorder buffer to the data. */
static void
a_long_miss_costs_its_latency_less_the_filling(void)
{
	static const char *const changes[] = {
		"", "memory 150 cycles", "memory 500 cycles", "rob 64", "rob 256; load_queue 256",
		"front_end 10 cycles",
	};

	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		struct sim_machine *m = machine_with(changes[i]);
		struct sim_interval *v = interval_of(m, "one-long-miss");
		double latency = v->mark[SIM_MARK_RETURNS], fill = v->mark[SIM_MARK_FULL];

		test_label("%s", changes[i]);
		check_areas(v);
		CHECK_NEAR(latency, m->memory_latency + 1.0, 0.01);
		CHECK_NEAR(fill, m->rob / (double)m->width, 2);
		CHECK_NEAR(v->truth, latency - fill, 1);
		CHECK_NEAR(v->method[SIM_FMT], latency - fill, 1);
		/* from the head on, that is, nearly from the beginning */
		CHECK_NEAR(v->method[SIM_POWER5], latency, 4);
		CHECK_NEAR(v->naive, m->memory_latency - 1.0, 0.01);
		CHECK(isnan(v->mark[SIM_MARK_SECOND]));
		sim_interval_free(v);
		sim_machine_free(m);
	}
}

/* Section 3.2: two independent misses within a reorder buffer cost one, two dependent ones cost two. */
static void
independent_misses_cost_one_dependent_ones_two(void)
{
	static const char *const changes[] = {"", "memory 500 cycles", "rob 96"};

	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		struct sim_machine *m = machine_with(changes[i]);
		struct sim_interval *one = interval_of(m, "one-long-miss"), *two = interval_of(m, "two-long-misses"),
			*chain = interval_of(m, "two-dependent-misses");
		double latency = one->mark[SIM_MARK_RETURNS];

		test_label("%s", changes[i]);
		check_areas(two);
		check_areas(chain);
		CHECK_NEAR(two->mark[SIM_MARK_SECOND], 16.0 / m->width, 0.51);
		CHECK_NEAR(two->truth, one->truth, 1);
		CHECK_NEAR(two->method[SIM_FMT], one->method[SIM_FMT], 1);
		CHECK_NEAR(two->naive, 2 * one->naive, 0.01);
		CHECK_NEAR(chain->mark[SIM_MARK_SECOND], latency, 0.01);
		CHECK_NEAR(chain->mark[SIM_MARK_SECOND_RETURNS], 2 * latency, 0.01);
		/* after the first data, as many µops enter as lie between the two loads */
		CHECK_NEAR(chain->truth, one->truth + latency - 16.0 / m->width, 1.01);
		sim_interval_free(one);
		sim_interval_free(two);
		sim_interval_free(chain);
		sim_machine_free(m);
	}
}

/* A second miss beyond the reach of the reorder buffer cannot overlap. */
static void
a_small_reorder_buffer_separates_misses(void)
{
	struct sim_machine *m = machine_with("rob 16");
	struct sim_interval *one = interval_of(m, "one-long-miss"), *two = interval_of(m, "two-long-misses:gap=40");

	CHECK_NEAR(two->truth, 2 * one->truth, 8);
	sim_interval_free(one);
	sim_interval_free(two);
	sim_machine_free(m);
}

static void
other_programs_have_no_diagram(void)
{
	struct sim_machine *m = machine_with("");
	struct err e = {0};

	CHECK(!sim_interval_new(m, m->has, "mcf-like", 4, 1, &e));
	CHECK(str_starts(e.what, "mcf-like has many kinds of events"));
	CHECK(!sim_interval_new(m, m->has, "one-long-mis", 4, 1, &e));
	sim_machine_free(m);
	m = machine_with("l1i 64 KiB, 16 ways, 1 cycles");
	CHECK(!sim_interval_new(m, m->has, "one-icache-miss", 4, 1, &e));
	CHECK(str_starts(e.what, "on core the event of one-icache-miss"));
	for (size_t i = 0; sim_interval_lesson(i); i++)
		CHECK(i < 5);
	sim_machine_free(m);
}

TEST_MAIN(CASE(an_icache_miss_costs_its_delay), CASE(draining_hides_misses_from_power5),
	CASE(a_fetch_buffer_hides_misses),
	CASE(a_branch_costs_its_resolution_and_the_front_end), CASE(a_long_miss_costs_its_latency_less_the_filling),
	CASE(independent_misses_cost_one_dependent_ones_two), CASE(a_small_reorder_buffer_separates_misses),
	CASE(other_programs_have_no_diagram))
