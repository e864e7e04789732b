/* The life of a run that counts, without perf: rows, limits, ends, and what is left in the table. The source follows
 * a script (fake_source.h). */
#include "work/run/counters_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "fake_source.h"
#include "lone_run.h"
#include "parsed.h"
#include "test.h"
#include "work/run/counter_list.h"
#include "work/run/counter_rows.h"

static char thing[] = "/usr/bin/thing", dash_x[] = "-x", other_thing[] = "other";
static char *const command[] = {thing, dash_x, NULL};
static const int pid[] = {4711};
static const struct source_target target = {SOURCE_THREADS, pid, 1};

static struct udd_model *
small_model(void)
{
	return parsed_model("model m; counter a; counter b; counter c; path p { count a; choose { case X: count b; "
			    "case Y: count c; } }");
}

static struct counters_run *
begin(struct udd_model *m, const struct fake_script *s, struct counters_run_options o)
{
	struct err e = {0};
	struct counters_run *l;

	o.ops = &source_fake;
	if (!o.target)
		o.argv = command;
	fake_play(s);
	l = counters_run_new(counter_list_of_model(m, NULL), &o);
	CHECK(lone_run_start(counters_as_run(l), &e));
	return l;
}

/* Polls until the run has ended. A script that never ends it is a failed check. */
static bool
play(struct counters_run *l, struct err *e)
{
	for (long i = 0; i < 100000000; i++)
		if (lone_run_poll(counters_as_run(l), e))
			return true;
	return test_check(false, __FILE__, __LINE__, "the run never ended");
}

static const struct fake_row five = {.count = {5, 3, 2}, .tasks = 2}, two = {.count = {2, 1, 1}, .tasks = 1};

static void
rows_grow_one_by_one(void)
{
	struct udd_model *m = small_model();
	struct fake_script s = {.row = &five, .n_rows = 1, .repeat = 3, .goes_on = true};
	struct counters_run *l = begin(m, &s, (struct counters_run_options){.interval_ms = 100, .peeked = true});
	struct err e;

	CHECK_INT(fake_seen()->interval_ms, 100);
	CHECK(!run_facts(counters_as_run(l)).growing);
	for (size_t i = 1; i <= 3; i++) {
		const struct obs *o;

		CHECK(!lone_run_poll(counters_as_run(l), &e));
		o = run_facts(counters_as_run(l)).growing;
		if (!CHECK(o))
			break;
		CHECK_INT(o->n_rows, i);
		CHECK_INT(run_facts(counters_as_run(l)).rows, i);
		CHECK_INT(run_table(counters_as_run(l))->n, 1);
		CHECK_STR(o->name, "thing");
		CHECK_STR(o->source, "/usr/bin/thing -x");
		CHECK(!o->exact);
		CHECK(o->peeked);
		CHECK_INT(o->count[(i - 1) * 3 + 1], 3);
		CHECK_NEAR(o->time[i - 1], 0.1 * (double)i, 1e-9);
		CHECK_NEAR(o->tasks, 2, 0);
	}
	counters_run_stop(l); /* a run that was stopped leaves no observation */
	CHECK_INT(run_table(counters_as_run(l))->n, 0);
	CHECK_INT(fake_seen()->closed, 1);
	run_free(counters_as_run(l));
	udd_free(m);
}

static void
the_rows_and_the_exact_totals(void)
{
	static const struct { size_t rows; bool totals; size_t n; const char *name[2]; } row[] = {
		{COUNTERS_RUN_ROWS_WORTH, true, 2, {"thing", "thing total"}},
		/* the last row makes one less than is worth an observation */
		{COUNTERS_RUN_ROWS_WORTH - 2, true, 1, {"thing"}},
		{COUNTERS_RUN_ROWS_WORTH - 2, false, 1, {"thing"}},
		{1, false, 1, {"thing"}},
	};

	for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
		struct udd_model *m = small_model();
		struct fake_script s = {.row = &five,
			.n_rows = 1,
			.repeat = row[k].rows,
			.last = &two,
			.end = {.exited = true, .code = 3}};
		struct counters_run *l =
			begin(m, &s, (struct counters_run_options){.interval_ms = 100, .totals = row[k].totals});
		const struct obs_table *t = run_table(counters_as_run(l));
		struct err e = {0};

		test_label("%zu rows, %s totals", row[k].rows, row[k].totals ? "with" : "without");
		if (play(l, &e)) {
			CHECK_STR(e.what, "");
			CHECK_INT(t->n, row[k].n);
			CHECK_INT(run_facts(counters_as_run(l)).end.code, 3);
			CHECK_INT(run_facts(counters_as_run(l)).ending, RUN_END_ITSELF);
			CHECK(!run_running(counters_as_run(l)) && !run_facts(counters_as_run(l)).growing);
			for (size_t i = 0; i < t->n; i++)
				CHECK_STR(t->obs[i]->name, row[k].name[i]);
			if (row[k].totals) {
				CHECK(t->obs[t->n - 1]->exact);
				CHECK_INT(t->obs[t->n - 1]->n_rows, 1);
				CHECK_INT(t->obs[t->n - 1]->count[0], 5 * (int64_t)row[k].rows + 2);
			} else {
				CHECK_INT(t->obs[0]->n_rows, row[k].rows + 1);
				CHECK_INT(t->obs[0]->count[row[k].rows * 3], 2);
			}
		}
		run_free(counters_as_run(l));
		udd_free(m);
	}
}

static void
without_an_interval_there_are_no_rows(void)
{
	struct udd_model *m = small_model();
	struct fake_script s = {.row = &five, .n_rows = 0};
	struct counters_run *l = begin(m, &s, (struct counters_run_options){.interval_ms = 0});
	struct err e = {0};

	CHECK(play(l, &e));
	CHECK_INT(run_facts(counters_as_run(l)).rows, 0);
	CHECK_INT(run_table(counters_as_run(l))->n, 1);
	CHECK(run_table(counters_as_run(l))->obs[0]->exact);
	run_free(counters_as_run(l));
	udd_free(m);
}

static void
limits_end_a_run(void)
{
	static const struct {
		const char *name;
		struct counters_run_options o;
		enum run_ending why;
		size_t rows; /* 0: not checked */
	} row[] = {
		{"samples", {.interval_ms = 10, .samples = 4}, RUN_END_SAMPLES, 4},
		{"duration", {.interval_ms = 10, .duration = 1e-9}, RUN_END_DURATION, 0},
		{"memory", {.interval_ms = 10, .cells_max = 3 * 7}, RUN_END_FULL, 7},
		{"samples of a target", {.interval_ms = 10, .samples = 4, .target = &target}, RUN_END_SAMPLES, 4},
	};

	for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
		struct udd_model *m = small_model();
		struct fake_script s = {.row = &five, .n_rows = 1, .repeat = 1000000, .goes_on = true};
		struct counters_run *l = begin(m, &s, row[k].o);
		struct err e = {0};

		test_label("%s", row[k].name);
		if (play(l, &e)) {
			CHECK_STR(e.what, "");
			CHECK_INT(run_facts(counters_as_run(l)).ending, row[k].why);
			CHECK_INT(fake_seen()->stopped, 1);
			CHECK_INT(run_table(counters_as_run(l))->n, 1);
			if (row[k].rows)
				CHECK_INT(run_table(counters_as_run(l))->obs[0]->n_rows, row[k].rows);
			CHECK_STR(run_table(counters_as_run(l))->obs[0]->name,
				row[k].o.target ? "thread-4711" : "thing");
		}
		run_free(counters_as_run(l));
		udd_free(m);
	}
}

static void
an_ignored_stop_is_repeated(void)
{
	struct udd_model *m = small_model();
	struct fake_script s = {.row = &five, .n_rows = 1, .repeat = 100, .goes_on = true, .ignored_stops = 1};
	struct counters_run *l = begin(m, &s, (struct counters_run_options){.interval_ms = 10});
	struct err e = {0};

	CHECK(!lone_run_poll(counters_as_run(l), &e));
	CHECK(isinf(run_patience(counters_as_run(l))));
	run_finish(counters_as_run(l));
	run_finish(counters_as_run(l)); /* finishing twice asks once */
	CHECK_INT(fake_seen()->stopped, 1);
	CHECK(run_patience(counters_as_run(l)) <= RUN_GRACE_SECONDS);
	if (play(l, &e)) {
		CHECK_INT(fake_seen()->stopped, 2);
		CHECK_INT(run_facts(counters_as_run(l)).ending, RUN_END_ASKED);
		CHECK_STR(e.what, "");
		CHECK(run_table(counters_as_run(l))->n == 1 && run_table(counters_as_run(l))->obs[0]->n_rows >= 2);
	}
	run_free(counters_as_run(l));
	udd_free(m);
}

static void
what_did_not_run_is_empty_and_what_ran_partly_says_so(void)
{
	static const struct fake_row row[] = {
		{.count = {5, 3, 2}}, {.count = {5, 3, 2}, .blind = {false, true}}, {.count = {5, 3, 2},
			.running = {1, 0.25, 0.5}, .missed = 2},
	};
	struct udd_model *m = small_model();
	struct fake_script s = {.row = row, .n_rows = 3, .end = {.exited = true}};
	struct counters_run *l = begin(m, &s, (struct counters_run_options){.interval_ms = 10});
	struct str text = {0};
	struct err e = {0};

	if (play(l, &e)) {
		const struct obs *o = run_table(counters_as_run(l))->obs[0];

		CHECK_INT(o->counted[0 * 3 + 1], 1);
		CHECK_INT(o->counted[1 * 3 + 1], 0);
		CHECK_INT(o->count[1 * 3 + 1], 0);
		CHECK_INT(o->counted[1 * 3 + 0], 1);
		if (CHECK(o->running)) {
			CHECK_NEAR(o->running[0], 1, 0);
			CHECK_NEAR(o->running[2 * 3 + 1], 0.25, 0);
			CHECK_NEAR(o->running[2 * 3 + 2], 0.5, 0);
			CHECK_NEAR(o->running[3 * 3 + 1], 1, 0);
		}
		CHECK_NEAR(run_facts(counters_as_run(l)).status[1].running, 0.25, 0);
		CHECK_INT(run_facts(counters_as_run(l)).missed, 2);
		counters_run_ops.explain(counters_as_run(l), &text);
		CHECK(strstr(str_text(&text), "multiplexed") && strstr(str_text(&text), "b (25 %)") &&
			strstr(str_text(&text), "c (50 %)"));
		CHECK(strstr(str_text(&text), "late: 2 of 6 ticks") != NULL);
		CHECK_STR(counters_run_explain_code("late: 2"), "late");
	}
	str_free(&text);
	run_free(counters_as_run(l));
	udd_free(m);
}

static void
health_is_judged_from_the_first_rows_on(void)
{
	static const struct fake_row quiet = {.count = {5, 0, 0}}, loud = {.count = {5, 0, 1}};
	struct fake_row row[8];
	struct udd_model *m = small_model();
	struct fake_script s = {.row = row,
		.n_rows = 8,
		.goes_on = true,
		.status = {{.zero = SOURCE_ZERO_HONEST}, {.health = OBS_UNSUPPORTED, .why = "no"},
			{.zero = SOURCE_ZERO_SUSPECT}}};
	struct counters_run *l;
	struct err e;

	for (int i = 0; i < 8; i++)
		row[i] = i < 7 ? quiet : loud;
	l = begin(m, &s, (struct counters_run_options){.interval_ms = 10});
	for (size_t i = 1; i <= 8; i++) {
		const struct obs *o;

		CHECK(!lone_run_poll(counters_as_run(l), &e));
		o = run_facts(counters_as_run(l)).growing;
		if (!CHECK(o))
			break;
		CHECK_INT(o->health[0], OBS_HONEST);
		CHECK_INT(o->health[1], OBS_UNSUPPORTED);
		CHECK_INT(o->counted[(i - 1) * 3 + 1], 0);
		CHECK_INT(o->health[2], i >= 5 && i < 8 ? OBS_ZERO_SUSPECT : OBS_LIVE);
		CHECK_INT(run_facts(counters_as_run(l)).status[2].health, o->health[2]);
	}
	run_free(counters_as_run(l));
	udd_free(m);
}

static void
a_counter_that_cannot_be_read_ends_the_rows(void)
{
	struct udd_model *m = small_model();
	struct fake_script s = {.row = &five, .n_rows = 1, .repeat = 100, .goes_on = true, .row_error = 5};
	struct counters_run *l = begin(m, &s, (struct counters_run_options){.interval_ms = 10, .target = &target});
	struct str text = {0};
	struct err e = {0};

	if (play(l, &e)) {
		CHECK_STR(e.what, ""); /* four rows are worth keeping */
		CHECK_INT(run_table(counters_as_run(l))->obs[0]->n_rows, 4);
		counters_run_ops.explain(counters_as_run(l), &text);
		CHECK(strstr(str_text(&text), "ended early: a counter cannot be read") != NULL);
	}
	s.row_error = 1;
	fake_play(&s);
	CHECK(lone_run_start(counters_as_run(l), &e));
	if (play(l, &e))
		CHECK_STR(e.what, "a counter cannot be read");
	CHECK_INT(run_table(counters_as_run(l))->n, 1);
	str_free(&text);
	run_free(counters_as_run(l));
	udd_free(m);
}

/* After a set-user-ID program's execve(2) the kernel stops counting, so that rows from then on would be wrong. */
static void
a_run_that_was_cut_short_leaves_no_rows(void)
{
	struct udd_model *m = small_model();
	struct fake_script s = {.row = &five, .n_rows = 1, .repeat = 20, .read_error = "the kernel stopped counting"};
	struct counters_run *l = begin(m, &s, (struct counters_run_options){.interval_ms = 10, .totals = true});
	struct err e = {0};

	if (play(l, &e))
		CHECK_STR(e.what, "the kernel stopped counting");
	CHECK_INT(run_table(counters_as_run(l))->n, 0);
	run_free(counters_as_run(l));
	udd_free(m);
}

static void
runs_follow_each_other_in_one_table(void)
{
	static char *const other[] = {other_thing, NULL};
	struct udd_model *m = small_model();
	struct fake_script s = {.row = &five, .n_rows = 1, .repeat = 12, .end = {.exited = true}};
	struct counters_run_options next = {.ops = &source_fake, .argv = other, .interval_ms = 10, .totals = true};
	struct counters_run *l = begin(m, &s, (struct counters_run_options){.interval_ms = 10, .totals = true});
	struct err e = {0};

	CHECK(play(l, &e));
	CHECK(lone_run_start(counters_as_run(l), &e) && play(l, &e));
	counters_run_set_command(l, &next);
	CHECK_STR(run_facts(counters_as_run(l)).label, "other");
	CHECK(lone_run_start(counters_as_run(l), &e) && play(l, &e));
	if (CHECK_INT(run_table(counters_as_run(l))->n, 6)) {
		static const char *const want[] = {
			"thing", "thing total", "thing#2", "thing total#2", "other", "other total"
		};

		for (size_t i = 0; i < 6; i++)
			CHECK_STR(run_table(counters_as_run(l))->obs[i]->name, want[i]);
	}
	s.open_error = "nothing can be counted";
	CHECK(!lone_run_start(counters_as_run(l), &e));
	CHECK_STR(e.what, "nothing can be counted");
	CHECK_INT(run_table(counters_as_run(l))->n, 6);
	run_free(counters_as_run(l));
	udd_free(m);
}

/* An event that is added between two runs is counted in the second one, and left out again in the third. */
static void
events_are_added_between_runs(void)
{
	static const bool asked[] = {true, false, true, true};
	struct udd_model *m = small_model();
	struct fake_script s = {.row = &five, .n_rows = 1, .repeat = 12, .end = {.exited = true}};
	struct counters_run *l = begin(m, &s, (struct counters_run_options){.interval_ms = 10});
	struct counter_list *list = counter_list_of_model(m, NULL);
	const struct obs_table *t;
	struct err e = {0};

	CHECK(play(l, &e));
	counter_list_add(list, "more", "page-faults");
	counters_run_set_list(l, list, asked);
	CHECK(lone_run_start(counters_as_run(l), &e) && play(l, &e));
	CHECK_INT(fake_seen()->n_counters, 3);
	CHECK_STR(fake_seen()->counter[2], "more=page-faults");
	t = run_table(counters_as_run(l));
	if (CHECK(t->n == 2 && t->n_columns == 4)) {
		CHECK_STR(t->column[3], "more");
		CHECK(t->obs[0]->counted[1]);
		CHECK(!t->obs[0]->counted[3]);
		CHECK(!t->obs[1]->counted[1]);
		CHECK(t->obs[1]->counted[3]);
	}
	counters_run_set_list(l, counter_list_of_model(m, NULL), NULL);
	CHECK(lone_run_start(counters_as_run(l), &e) && play(l, &e));
	CHECK_INT(fake_seen()->n_counters, 3);
	CHECK_INT(run_table(counters_as_run(l))->n, 3);
	run_free(counters_as_run(l));
	udd_free(m);
}

static void
what_may_be_missing_is_reported(void)
{
	struct udd_model *m = small_model();
	struct fake_script s = {.row = &five, .n_rows = 1, .repeat = 3, .end = {.vanished = true, .strangers = 7}};
	struct counters_run *l = begin(m, &s, (struct counters_run_options){.interval_ms = 10, .target = &target});
	struct str text = {0};
	struct err e = {0};

	CHECK(play(l, &e));
	counters_run_ops.explain(counters_as_run(l), &text);
	CHECK(strstr(str_text(&text), "not whole: thread-4711 started 7 threads") != NULL);
	CHECK_STR(counters_run_explain_code(str_text(&text)), "not-whole");
	str_free(&text);
	run_free(counters_as_run(l));
	udd_free(m);
}

/* Where the kernel side is not permitted, the column says what was counted. Runs with other rights have columns of
 * their own in the same table. */
static void
the_name_of_a_column_says_the_mode(void)
{
	struct udd_model *m = small_model();
	struct fake_script less = {.row = &five, .n_rows = 1, .status = {{.user_only = true}, {.user_only = false},
		{.user_only = true, .health = OBS_UNSUPPORTED}}, .end = {.exited = true}};
	struct fake_script more = {.row = &two, .n_rows = 1, .end = {.exited = true}};
	struct counters_run *l = begin(m, &less, (struct counters_run_options){.interval_ms = 100});
	const struct obs_table *t;
	struct err e = {0};

	CHECK(play(l, &e));
	t = run_table(counters_as_run(l));
	if (CHECK_INT(t->n_columns, 3) && CHECK_INT(t->n, 1)) {
		CHECK_STR(t->column[0], "a:u");
		CHECK_STR(t->column[1], "b");
		CHECK_STR(t->column[2], "c");
		CHECK_INT(t->obs[0]->count[0], 5);
	}
	fake_play(&more);
	CHECK(lone_run_start(counters_as_run(l), &e) && play(l, &e));
	t = run_table(counters_as_run(l));
	if (CHECK_INT(t->n_columns, 4) && CHECK_INT(t->n, 2)) {
		CHECK_STR(t->column[0], "a:u");
		CHECK_STR(t->column[3], "a");
		CHECK(t->obs[0]->counted[0] && !t->obs[0]->counted[3]);
		CHECK_INT(t->obs[0]->count[0], 5);
		CHECK(!t->obs[1]->counted[0] && t->obs[1]->counted[3]);
		CHECK_INT(t->obs[1]->count[3], 2);
		CHECK_INT(t->obs[1]->count[2], 1);
	}
	run_free(counters_as_run(l));
	udd_free(m);
}

static void
a_source_that_refuses_everything(void)
{
	struct udd_model *m = small_model();
	struct counters_run *l = counters_run_new(counter_list_of_model(m, NULL),
		&(struct counters_run_options){.ops = &source_none, .target = &target, .interval_ms = 10});
	struct err e = {0};

	CHECK(!lone_run_start(counters_as_run(l), &e));
	CHECK(strstr(e.what, "not supported") != NULL);
	CHECK(!lone_run_poll(counters_as_run(l), &e));
	run_free(counters_as_run(l));
	udd_free(m);
}

/* A long run does not end and does not grow: its old rows are folded into sums, and every count is still there. */
static void
old_rows_fold(void)
{
	struct udd_model *m = small_model();
	struct fake_script s = {.row = &five, .n_rows = 1, .repeat = 20000, .goes_on = true};
	struct counters_run *l = begin(m, &s,
		(struct counters_run_options){.interval_ms = 100, .folds = true, .cells_max = 100, .samples = 20000});
	struct err e;
	int64_t sum = 0;

	CHECK_INT(counter_rows_most(100), 4096);
	CHECK_INT(counter_rows_most(232), 2048);
	CHECK_INT(counter_rows_most(1000000), COUNTER_ROWS_FOLD_LEAST);
	if (CHECK(play(l, &e))) {
		const struct obs *o = run_table(counters_as_run(l))->obs[0];

		CHECK_INT(run_facts(counters_as_run(l)).ending, RUN_END_SAMPLES);
		CHECK_INT(run_facts(counters_as_run(l)).rows, 20000);
		CHECK(o->n_rows < COUNTER_ROWS_FOLD_ROWS);
		CHECK_INT(o->n_rows + o->folded, 20000);
		for (size_t row = 0; row < o->n_rows; row++)
			sum += o->count[row * o->n_columns];
		CHECK_INT(sum, 20000 * 5);
	}
	run_free(counters_as_run(l));
	udd_free(m);
}

TEST_MAIN(CASE(old_rows_fold), CASE(rows_grow_one_by_one), CASE(the_rows_and_the_exact_totals),
	CASE(without_an_interval_there_are_no_rows), CASE(limits_end_a_run), CASE(an_ignored_stop_is_repeated),
	CASE(what_did_not_run_is_empty_and_what_ran_partly_says_so), CASE(health_is_judged_from_the_first_rows_on),
	CASE(a_counter_that_cannot_be_read_ends_the_rows), CASE(a_run_that_was_cut_short_leaves_no_rows),
	CASE(runs_follow_each_other_in_one_table),
	CASE(events_are_added_between_runs), CASE(what_may_be_missing_is_reported),
	CASE(the_name_of_a_column_says_the_mode), CASE(a_source_that_refuses_everything))
