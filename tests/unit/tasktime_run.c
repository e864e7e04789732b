/* The time of tasks as observations: amounts by name that add up for any kind of row, rows and their limits, and two
 * observers of one command. Live if this machine records. Nothing is asserted of times that a busy machine decides. */

#include "work/run/tasktime_run.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/process/programs.h"
#include "collect/source.h"
#include "core/obs/obs.h"
#include "core/spec/spec.h"
#include "core/udd/model.h"
#include "lone_run.h"
#include "parsed.h"
#include "stub_run.h"
#include "test.h"
#include "text/diag.h"
#include "work/run/counter_list.h"
#include "work/run/counters_run.h"
#include "work/run/tasktime_rows.h"

/* --- amounts ----------------------------------------------------------------------------------------------------- */

static void
amounts_have_names(void)
{
	for (int i = 0; i < TASKTIME_AMOUNTS; i++) {
		char *name = str_format("stall:%s", tasktime_amount_name(i));

		CHECK_INT(tasktime_amount_find(name), i);
		free(name);
	}
	CHECK_INT(tasktime_amount_find("stall:"), -1);
	CHECK_INT(tasktime_amount_find("on-cpu"), -1);
	CHECK_INT(tasktime_amount_find("stall:on-cpu "), -1);
}

static uint64_t
some(uint64_t *seed)
{
	return test_random(seed) % 3 ? test_random(seed) >> (test_random(seed) % 40 + 24) : 0;
}

/* Random rows, with the scheduler's times and without, and what remains of them without records. */
static void
amounts_add_up(void)
{
	uint64_t seed = 77;
	struct tasktime_amounts sum = {0};
	int64_t elapsed = 0;

	for (unsigned round = 0; round < test_rounds(20000, 500000); round++) {
		struct tasktime_row r = {.to_ns = 1};
		struct tasktime_costed costed;
		struct tasktime_coarse coarse;
		struct tasktime_amounts a, books;
		int64_t classes;

		for (int c = 0; c < TASKTIME_CLASSES; c++) {
			r.ns[c] = some(&seed);
			r.entered[c] = some(&seed) % 9;
		}
		tasktime_cost(&r, some(&seed), some(&seed), &costed);
		tasktime_amounts_of_row(&r, test_random(&seed) % 2 ? &costed : NULL,
			test_random(&seed) % 2 ? (double)some(&seed) : 0, &a);
		classes = a.ns[TASKTIME_EXCEPTION] + a.ns[TASKTIME_SWITCH_COST] + a.ns[TASKTIME_WAY] +
			a.ns[TASKTIME_TAKEN];
		for (int c = 0; c < TASKTIME_CLASSES; c++)
			classes += a.ns[c];
		CHECK(tasktime_amounts_hold(&a) && a.ns[TASKTIME_ELAPSED] == (int64_t)tasktime_row_elapsed(&r) &&
			classes == a.ns[TASKTIME_ELAPSED]);
		tasktime_coarse((uint64_t)a.ns[TASKTIME_ELAPSED], some(&seed), some(&seed),
			test_random(&seed) % 2 ? some(&seed) : UINT64_MAX, &coarse);
		tasktime_amounts_coarse(
			(uint64_t)a.ns[TASKTIME_ELAPSED], test_random(&seed) % 8 ? &coarse : NULL, &books);
		CHECK(tasktime_amounts_hold(&books) && books.ns[TASKTIME_ELAPSED] == a.ns[TASKTIME_ELAPSED] &&
			books.ns[TASKTIME_ON_CPU] == 0);
		elapsed += 2 * a.ns[TASKTIME_ELAPSED];
		tasktime_amounts_add(&sum, &a);
		tasktime_amounts_add(&sum, &books);
		if (test_random(&seed) % 2) {
			a.ns[TASKTIME_RUN]++;
			CHECK(!tasktime_amounts_hold(&a));
		}
	}
	CHECK(tasktime_amounts_hold(&sum));
	CHECK_INT(sum.ns[TASKTIME_ELAPSED], elapsed);
}

/* What each way of recording reports: nothing that it cannot know. */
static void
what_is_reported(void)
{
	const struct tasktime_coverage none = {.books = true}, delays = {.io = true, .books = true},
				   switches = {.classes = true, .faults = true, .books = true},
				   all = {.classes = true,
					   .faults = true,
					   .states = true,
					   .causes = true,
					   .wakeups = true,
					   .exceptions = true,
					   .books = true};
	int n = 0;

	for (int i = 0; i < TASKTIME_AMOUNTS; i++) {
		CHECK(tasktime_covers(&all, i));
		n += tasktime_covers(&none, i);
	}
	CHECK_INT(n, 7); /* elapsed, run, wait, off, unknown, sched-run, sched-wait */
	CHECK(tasktime_covers(&delays, TASKTIME_IO) && !tasktime_covers(&delays, TASKTIME_BLOCK_IO));
	CHECK(!tasktime_covers(&none, TASKTIME_ON_CPU) && !tasktime_covers(&none, TASKTIME_IO) &&
		!tasktime_covers(&none, TASKTIME_SWITCH_COST));
	CHECK(tasktime_covers(&switches, TASKTIME_PREEMPTED) && tasktime_covers(&switches, TASKTIME_ASLEEP) &&
		tasktime_covers(&switches, TASKTIME_FAULT_CPU));
	CHECK(!tasktime_covers(&switches, TASKTIME_WOKEN) && !tasktime_covers(&switches, TASKTIME_FUTEX) &&
		!tasktime_covers(&switches, TASKTIME_BLOCKED_UNKNOWN));
}

/* A note of what a page fault costs is read back, whatever stands before it; a damaged one is not. */
static void
the_cost_of_a_fault_is_a_note(void)
{
	const struct fault_cost cost = {.touch_ns = 13500, .spread_ns = 250, .service_ns = 1800, .unrecorded_ns = 11700,
		.exception_ns = 11650, .pages = 1};
	struct fault_cost read;
	struct str text = {0};

	str_add(&text, "stall-sources of touch: ");
	fault_cost_write(&cost, &text);
	CHECK(fault_cost_read(str_text(&text), &read));
	CHECK(read.touch_ns == cost.touch_ns && read.spread_ns == cost.spread_ns && read.service_ns == cost.service_ns);
	CHECK(read.unrecorded_ns == cost.unrecorded_ns && read.exception_ns == cost.exception_ns && read.pages);
	for (size_t n = text.n - strlen("11650"); n-- > 0;) { /* cut anywhere before its last number */
		char *part = mem_strn(str_text(&text), n);

		CHECK(!fault_cost_read(part, &read));
		free(part);
	}
	CHECK(fault_cost_read(
		      "measured once since the machine's start: a page fault takes 9 ns, give or take 1; its handler "
		      "2; not recorded 3; the exception, if counted, 4",
		      &read) &&
		read.touch_ns == 9);
	CHECK(fault_cost_holds(&cost, 13500 * 1.09) && fault_cost_holds(&cost, 13500 * 0.91));
	CHECK(!fault_cost_holds(&cost, 13500 * 1.11) && !fault_cost_holds(&cost, 13500 * 0.89) &&
		!fault_cost_holds(&cost, NAN));
	str_clear(&text);
	fault_cost_write(&(struct fault_cost){.touch_ns = 1e9, .service_ns = 1}, &text);
	CHECK(!fault_cost_read(str_text(&text), &read)); /* a second for a fault */
	str_clear(&text);
	fault_cost_write_missing(true, &text);
	CHECK(!fault_cost_read(str_text(&text), &read));
	str_free(&text);
}

/* --- rows -------------------------------------------------------------------------------------------------------- */

/* A window in which two tasks slept for 10 ms: `second` is what the second one is called by now. If it executed that
 * program in the window, `ran_ns` is the part of its time that it ran. */
static void
take_window_of_two(struct tasktime_rows *rows, uint64_t from_ns, const char *second, bool executed, uint64_t ran_ns)
{
	struct tasktime_source_row row[2] = {{.row = {.tid = 10, .pid = 10, .name = "sh"}},
		{.row = {.tid = 11, .pid = 11}}};
	struct tasktime_source_window window = {.from_ns = from_ns, .to_ns = from_ns + 10000000, .row = row, .n = 2,
		.believed = true, .clean = true};

	snprintf(row[1].row.name, sizeof row[1].row.name, "%s", second);
	for (size_t i = 0; i < 2; i++) {
		row[i].row.from_ns = window.from_ns;
		row[i].row.to_ns = window.to_ns;
		row[i].row.ns[TASKTIME_SLEEP] = 10000000 - i * ran_ns;
	}
	row[1].row.ns[TASKTIME_ON_CPU] = ran_ns;
	row[1].row.executed = executed;
	tasktime_rows_take(rows, &window, true);
}

/* A child that executes its program after its first window has the program's name, and no other one. */
static void
a_child_is_called_by_its_program(void)
{
	static const struct obs_origin none;
	struct tasktime_rows_how how = {.asked = "sh", .origin = &none, .sampled = true, .tasks_max = 8,
		.cells_max = 100000, .coverage = {.classes = true}};
	struct tasktime_rows *rows = tasktime_rows_new();
	const struct obs_table *table = tasktime_rows_table(rows);

	tasktime_rows_begin(rows, &how);
	take_window_of_two(rows, 0, "sh", false, 0);
	CHECK_STR(table->obs[1]->name, "sh-11");
	take_window_of_two(rows, 10000000, "sh", false, 0);
	CHECK_INT(table->obs[1]->renamed, 0);
	take_window_of_two(rows, 20000000, "cc1", true, 5000000);
	CHECK_INT(table->n, 2);
	CHECK_STR(table->obs[0]->name, "sh-10");
	CHECK_STR(table->obs[1]->name, "cc1-11");
	CHECK_INT(table->obs[1]->n_rows, 3);
	CHECK_INT(table->obs[1]->renamed, 1);
	tasktime_rows_free(rows);
}

static const struct obs *
obs_named(const struct obs_table *table, const char *name)
{
	for (size_t i = 0; i < table->n; i++)
		if (str_eq(table->obs[i]->name, name))
			return table->obs[i];
	return NULL;
}

static int64_t
sum_of(const struct obs *obs, size_t amount)
{
	int64_t sum = 0;

	for (size_t row = 0; obs && row < obs->n_rows; row++)
		sum += obs->count[row * obs->n_columns + amount];
	return sum;
}

/* A shell that computes and then executes another program: each has its own time. A mere name takes all with it. */
static void
a_program_keeps_what_it_ran(void)
{
	static const struct obs_origin none;

	for (int sampled = 0; sampled < 2; sampled++) {
		struct tasktime_rows_how how = {.asked = "sh", .origin = &none, .sampled = sampled, .tasks_max = 8,
			.cells_max = 100000, .coverage = {.classes = true}};
		struct tasktime_rows *rows = tasktime_rows_new();
		const struct obs_table *table = tasktime_rows_table(rows);
		size_t n;

		test_label(sampled ? "sampled" : "totals");
		tasktime_rows_begin(rows, &how);
		for (uint64_t i = 0; i < 3; i++)
			take_window_of_two(rows, i * 10000000, i < 2 ? "sh" : "worker", false, 10000000);
		take_window_of_two(rows, 30000000, "sleep", true, 0);
		take_window_of_two(rows, 40000000, "sleep", false, 0);
		tasktime_rows_take_end(rows);
		tasktime_rows_tasks(rows, &n);
		CHECK_INT(n, 3);
		if (CHECK_INT(table->n, 3)) {
			const struct obs *ran = obs_named(table, "worker-11"), *slept = obs_named(table, "sleep-11");

			CHECK(ran && slept && obs_named(table, "sh-10"));
			CHECK_INT(ran ? ran->n_rows : 0, sampled ? 3 : 1);
			CHECK_INT(slept ? slept->n_rows : 0, sampled ? 2 : 1);
			CHECK_INT(sum_of(ran, TASKTIME_ON_CPU), 30000000);
			CHECK_INT(sum_of(slept, TASKTIME_ON_CPU), 0);
			CHECK_INT(sum_of(slept, TASKTIME_ELAPSED), 20000000);
		}
		tasktime_rows_free(rows);
	}
}

/* --- live -------------------------------------------------------------------------------------------------------- */

/* Runs to the end; false, and the case skipped, if this machine does not permit it. */
static bool
play(struct tasktime_run *r)
{
	struct err e = {0};

	if (!lone_run_start(tasktime_as_run(r), &e)) {
		test_skip("%s", e.what);
		return false;
	}
	while (!lone_run_poll(tasktime_as_run(r), &e))
		lone_run_wait(tasktime_as_run(r), 0.1);
	CHECK(!run_running(tasktime_as_run(r)) && !lone_run_poll(tasktime_as_run(r), &e) &&
		isinf(run_patience(tasktime_as_run(r))));
	CHECK(!lone_run_start(tasktime_as_run(r), &e));
	return true;
}

static struct tasktime_run *
run_of(const char *kind, const char *ms, struct tasktime_run_options o)
{
	char *path = test_program("stall"), *argv[] = {path, (char *)(uintptr_t)kind, (char *)(uintptr_t)ms, NULL};
	struct tasktime_run *r;

	o.argv = argv;
	o.out_fd = o.err_fd = -1;
	o.no_input = true;
	r = tasktime_run_new(&o);
	free(path); /* the run has a copy */
	return r;
}

/* Every row adds up, cells of unknown amounts are empty, and the rows of a task are its sum. */
static void
check_table(struct tasktime_run *r)
{
	const struct obs_table *t = run_table(tasktime_as_run(r));
	struct tasktime_run_state s;
	size_t n;
	const struct tasktime_run_task *task = tasktime_run_tasks(r, &n);

	tasktime_run_state(r, &s);
	CHECK_INT(t->n_columns, TASKTIME_AMOUNTS);
	CHECK_STR(t->column[TASKTIME_RUN], "stall:run");
	for (size_t k = 0; k < n; k++) {
		const struct obs *o = task[k].observation == TASKTIME_RUN_NONE ? NULL : t->obs[task[k].observation];
		struct tasktime_amounts sum = {0};

		if (!CHECK(o != NULL))
			continue;
		for (size_t row = 0; row < o->n_rows; row++) {
			struct tasktime_amounts a;

			memcpy(a.ns, o->count + row * TASKTIME_AMOUNTS, sizeof a.ns);
			CHECK(tasktime_amounts_hold(&a));
			CHECK(row == 0 || !o->time || o->time[row] > o->time[row - 1]);
			tasktime_amounts_add(&sum, &a);
			for (int i = 0; i < TASKTIME_AMOUNTS; i++)
				CHECK(!o->counted[row * TASKTIME_AMOUNTS + (size_t)i] ||
					tasktime_covers(&s.coverage, i));
		}
		for (int i = 0; i < TASKTIME_SCHED_RUN; i++)
			CHECK_INT(sum.ns[i], tasktime_covers(&s.coverage, i) ? task[k].sum.ns[i] : 0);
	}
}

static void
rows_of_windows(void)
{
	static const enum tasktime_source_variant variant[] = {
		TASKTIME_SOURCE_RECORDS, TASKTIME_SOURCE_SWITCHES, TASKTIME_SOURCE_COUNTERS
	};

	for (size_t i = 0; i < 3; i++) {
		struct tasktime_run *r = run_of("lock", "200",
			(struct tasktime_run_options){.interval_ms = 20, .variant_given = true, .variant = variant[i]});
		size_t n;

		test_label("variant %d", (int)variant[i]);
		if (play(r)) {
			const struct tasktime_run_task *task = tasktime_run_tasks(r, &n);
			const struct obs_table *t = run_table(tasktime_as_run(r));

			check_table(r);
			CHECK_INT(t->n, n);
			CHECK(variant[i] == TASKTIME_SOURCE_COUNTERS ? n >= 1 : n == 5);
			for (size_t k = 0; k < n; k++) {
				char *name = str_format("stall-%d", task[k].tid);

				CHECK(t->obs[k]->n_rows >= 1 && !t->obs[k]->exact);
				CHECK(task[k].pid == task[0].pid && task[k].n_tasks == 1);
				CHECK_STR(t->obs[task[k].observation]->name, name);
				CHECK(task[k].ended == (variant[i] != TASKTIME_SOURCE_COUNTERS));
				free(name);
			}
		}
		run_free(tasktime_as_run(r));
	}
}

/* Without an interval each task has one exact row; tasks beyond the limit share one. */
static void
totals_and_others(void)
{
	struct tasktime_run *r = run_of("lock", "150",
		(struct tasktime_run_options){
			.tasks_max = 2, .variant_given = true, .variant = TASKTIME_SOURCE_RECORDS});
	struct str text = {0};
	size_t n;

	if (play(r)) {
		const struct tasktime_run_task *task = tasktime_run_tasks(r, &n);
		size_t others = tasktime_run_others(r);

		check_table(r);
		CHECK_INT(n, 3);
		if (CHECK(others != TASKTIME_RUN_NONE)) {
			CHECK_INT(task[others].n_tasks, 3);
			CHECK_STR(run_table(tasktime_as_run(r))->obs[task[others].observation]->name, "others");
		}
		for (size_t i = 0; i < run_table(tasktime_as_run(r))->n; i++)
			CHECK(run_table(tasktime_as_run(r))->obs[i]->n_rows == 1 &&
				run_table(tasktime_as_run(r))->obs[i]->exact);
		tasktime_run_ops.explain(tasktime_as_run(r), &text);
		CHECK(strstr(str_text(&text), "others: 3 tasks beyond the first 2") != NULL);
		CHECK(run_table(tasktime_as_run(r))->n_notes > 0);
	}
	str_free(&text);
	run_free(tasktime_as_run(r));
}

/* Without end: old windows are folded, for all tasks alike, and the sum still equals the time to the nanosecond. */
static void
windows_fold(void)
{
	struct tasktime_run *r = run_of("lock", "1000",
		(struct tasktime_run_options){.interval_ms = 10,
			.folds = true,
			.cells_max = 100 * TASKTIME_AMOUNTS,
			.variant_given = true,
			.variant = TASKTIME_SOURCE_COUNTERS});
	struct tasktime_run_state s;

	if (play(r)) {
		const struct obs_table *t = run_table(tasktime_as_run(r));
		size_t rows = 0, folded = 0;

		tasktime_run_state(r, &s);
		CHECK_INT(s.ending, RUN_END_ITSELF);
		check_table(r);
		for (size_t i = 0; i < t->n; i++) {
			rows += t->obs[i]->n_rows;
			folded += t->obs[i]->folded;
		}
		CHECK(rows < 100 + 2 * t->n); /* the last window may add two rows to each table */
		CHECK(folded > 0 || s.windows * t->n < 100); /* a busy machine may have made few windows */
	}
	run_free(tasktime_as_run(r));
}

static void
limits(void)
{
	struct tasktime_run *r = run_of("sleep", "60000",
		(struct tasktime_run_options){
			.interval_ms = 10, .samples = 3, .variant_given = true, .variant = TASKTIME_SOURCE_COUNTERS});
	struct tasktime_run_state s;

	if (play(r)) {
		tasktime_run_state(r, &s);
		CHECK_INT(s.ending, RUN_END_SAMPLES);
		CHECK_INT(s.windows, 3);
		CHECK(WIFSIGNALED(s.status) && WTERMSIG(s.status) == 15);
		check_table(r);
	}
	run_free(tasktime_as_run(r));
	r = run_of("sleep", "60000",
		(struct tasktime_run_options){.interval_ms = 10,
			.cells_max = 5 * TASKTIME_AMOUNTS,
			.variant_given = true,
			.variant = TASKTIME_SOURCE_COUNTERS});
	if (play(r)) {
		struct str text = {0};

		tasktime_run_state(r, &s);
		CHECK_INT(s.ending, RUN_END_FULL);
		CHECK_INT(run_table(tasktime_as_run(r))->obs[0]->n_rows, 5);
		tasktime_run_ops.explain(tasktime_as_run(r), &text);
		CHECK(strstr(str_text(&text), "ended early") != NULL);
		str_free(&text);
	}
	run_free(tasktime_as_run(r));
	r = run_of("sleep", "60000",
		(struct tasktime_run_options){
			.duration = 0.02, .variant_given = true, .variant = TASKTIME_SOURCE_COUNTERS});
	if (play(r)) {
		tasktime_run_state(r, &s);
		CHECK_INT(s.ending, RUN_END_DURATION);
	}
	run_free(tasktime_as_run(r));
}

/* A ring that is too small and not read in time: windows with losses hold the scheduler's times, and the loss is
 * reported. */
static void
losses(void)
{
	struct tasktime_run *r = run_of("switch", "300",
		(struct tasktime_run_options){
			.interval_ms = 50, .ring_kb = 4, .variant_given = true, .variant = TASKTIME_SOURCE_RECORDS});
	struct tasktime_run_state s;
	struct str text = {0};

	if (play(r)) {
		check_table(r);
		tasktime_run_state(r, &s);
		CHECK(s.believed == (s.doubted == 0));
		tasktime_run_ops.explain(tasktime_as_run(r), &text);
		CHECK((strstr(str_text(&text), "not to be believed: ") != NULL) == !s.believed);
		if (s.figures.lost)
			CHECK(!s.believed);
	}
	str_free(&text);
	run_free(tasktime_as_run(r));
}

/* --- two observers of one command -------------------------------------------------------------------------------- */

static void
two_observers(void)
{
	static const char text[] = "model m; counter f = \"page-faults:u\"; path p { count f; }";
	static const enum tasktime_source_variant variant[] = {
		TASKTIME_SOURCE_RECORDS, TASKTIME_SOURCE_SWITCHES, TASKTIME_SOURCE_COUNTERS
	};
	char *path = test_program("stall"), kind[] = "lock", ms[] = "150", *argv[] = {path, kind, ms, NULL};
	struct udd_model *m = parsed_model(text);

	for (size_t i = 0; i < 3; i++) {
		struct tasktime_run *second = tasktime_run_new(&(struct tasktime_run_options){
			.name = "the same", .interval_ms = 20, .variant_given = true, .variant = variant[i]});
		struct stub_run noting = {0};
		struct runs *runs = runs_new();
		struct counters_run_options o = {.ops = &source_perf,
			.argv = argv,
			.interval_ms = 50,
			.out_fd = -1,
			.err_fd = -1,
			.no_input = true};
		struct counters_run *l = counters_run_new(counter_list_of_model(m, NULL), &o);
		struct err e = {0};
		size_t n;

		test_label("variant %d", (int)variant[i]);
		runs_add(runs, counters_as_run(l), false);
		stub_run_begin(&noting);
		runs_add(runs, tasktime_as_run(second), false);
		runs_add(runs, &noting.run, false);
		if (!runs_begin(runs, &e)) {
			test_skip("%s", e.what);
		} else {
			const int pid = noting.pid[0];

			while (runs_poll(runs, NULL, NULL))
				runs_wait(runs, 0.005, NULL);
			check_table(second);
			if (CHECK(tasktime_run_tasks(second, &n) && n >= 1)) {
				const struct tasktime_run_task *t = tasktime_run_tasks(second, &n);
				const struct obs_table *table;
				size_t at = 0;

				while (at + 1 < n && t[at].tid != pid)
					at++;
				CHECK_INT(t[at].tid, pid);
				/* From its execve(2) on: the task has the program's name from its first row. */
				table = run_table(tasktime_as_run(second));
				CHECK(str_starts(table->obs[t[at].observation]->name, "stall-"));
				CHECK_STR(table->obs[0]->source, "the same");
				CHECK(variant[i] == TASKTIME_SOURCE_COUNTERS || n == 5);
				CHECK(variant[i] == TASKTIME_SOURCE_COUNTERS || t[at].row.minor > 0);
			}
			CHECK(run_table(counters_as_run(l))->n == 1 &&
				run_table(counters_as_run(l))->obs[0]->count[0] >= 0);
		}
		run_free(tasktime_as_run(second));
		run_free(counters_as_run(l));
		runs_free(runs);
	}
	udd_free(m);
	free(path);
}

/* If the second run refuses, the command is not started. */
static void
a_second_run_refuses(void)
{
	static const char text[] = "model m; counter f = \"page-faults:u\"; path p { count f; }";
	char path[] = "/bin/true", *argv[] = {path, NULL};
	struct udd_model *m = parsed_model(text);
	struct counters_run_options o = {.ops = &source_perf, .argv = argv, .out_fd = -1, .err_fd = -1};
	struct stub_run second = {.refuses = true};
	struct counters_run *l = counters_run_new(counter_list_of_model(m, NULL), &o);
	struct runs *runs = runs_new();
	struct err e = {0};

	stub_run_begin(&second);
	runs_add(runs, counters_as_run(l), false);
	runs_add(runs, &second.run, false);
	CHECK(!runs_begin(runs, &e) && !run_running(counters_as_run(l)));
	if (!second.held)
		test_skip("%s", e.what);
	else
		CHECK_STR(e.what, "it is refused");
	run_free(counters_as_run(l));
	runs_free(runs);
	udd_free(m);
}

/* --- programs that are held ready -------------------------------------------------------------------------------- */

struct held {
	struct programs *programs;
	struct tasktime_run *run;
	bool exact;
};

static bool
let_go(void *ctx, size_t i, struct err *e)
{
	struct held *h = ctx;

	(void)e;
	tasktime_run_ops.sign(tasktime_as_run(h->run),
		&(struct run_sign){.kind = RUN_STARTS, .pid = programs_at(h->programs, i)->pid});
	return true;
}

static void
end_window(struct tasktime_run *r)
{
	tasktime_run_ops.sign(tasktime_as_run(r), &(struct run_sign){.kind = RUN_INTERVAL});
}

/* Windows end when the caller asks, and programs that are still held are not in them. */
static void
play_held(struct held *h)
{
	struct tasktime_run_state s;
	struct err e = {0};
	size_t n, ticks = 0;

	end_window(h->run);
	for (int i = 0; i < 3; i++)
		lone_run_poll(tasktime_as_run(h->run), &e);
	tasktime_run_tasks(h->run, &n);
	CHECK_INT(n, 0);
	programs_on_begin(h->programs, let_go, h);
	if (!CHECK(programs_begin(h->programs, &e)))
		return;
	while (programs_left(h->programs)) {
		int wait = programs_wait_ms(h->programs);

		poll(NULL, 0, wait >= 0 && wait < 5 ? wait : 5);
		programs_tend(h->programs, &e);
		end_window(h->run);
		ticks++;
		lone_run_poll(tasktime_as_run(h->run), &e);
	}
	run_finish(tasktime_as_run(h->run));
	while (run_running(tasktime_as_run(h->run)))
		lone_run_poll(tasktime_as_run(h->run), &e);
	tasktime_run_state(h->run, &s);
	CHECK(s.windows <= ticks + 2);
	CHECK(s.windows >= 2);
	check_table(h->run);
	for (size_t i = 0; i < programs_n(h->programs); i++) {
		const struct tasktime_run_task *t = tasktime_run_tasks(h->run, &n);
		size_t at = 0;
		int pid = programs_at(h->programs, i)->pid;

		while (at < n && t[at].tid != pid)
			at++;
		CHECK_STR(tasktime_run_held_name(h->run, pid), i ? "second" : "first");
		if (CHECK(at < n) && h->exact) { /* from its own beginning, by records, to its own end */
			uint64_t lived = programs_at(h->programs, i)->end.at_ns - programs_at(h->programs, i)->begun_ns;

			CHECK(t[at].sum.ns[TASKTIME_ELAPSED] > 0 && (uint64_t)t[at].sum.ns[TASKTIME_ELAPSED] <= lived);
		}
	}
	CHECK(tasktime_run_held_name(h->run, 1) == NULL);
}

static void
programs_held_ready(void)
{
	static const char text[] = "profile p; network n; program a { run \"sleep\" \"0.3\"; } program b { run "
				   "\"sleep\" \"0.2\"; begin after 50 ms; }";
	static const char *const name[] = {"first", "second"};
	static const enum tasktime_source_variant variant[] = {TASKTIME_SOURCE_RECORDS, TASKTIME_SOURCE_COUNTERS};

	for (size_t i = 0; i < 2; i++) {
		struct diags d = {0};
		struct err e = {0};
		struct profile_spec *spec = spec_parse(mem_str("t"), mem_str(text), strlen(text), &d);
		struct held h = {.programs = spec ? programs_new(spec, -1, -1, &e) : NULL,
			.exact = variant[i] == TASKTIME_SOURCE_RECORDS};

		test_label("variant %d", (int)variant[i]);
		if (CHECK(h.programs)) {
			const int pid[] = {programs_at(h.programs, 0)->pid, programs_at(h.programs, 1)->pid};

			h.run = tasktime_run_new(&(struct tasktime_run_options){.name = "p",
				.interval_ms = 1000000,
				.by_hand = true,
				.variant_given = true,
				.variant = variant[i],
				.out_fd = -1,
				.err_fd = -1});
			if (run_join(tasktime_as_run(h.run),
				    &(struct run_held){.pid = pid, .name = name, .n = 2, .one_by_one = true}, &e))
				play_held(&h);
			else
				test_skip("%s", e.what);
			run_free(tasktime_as_run(h.run));
		}
		programs_free(h.programs);
		spec_free(spec);
		diags_free(&d);
	}
}

/* Bars are shown if all is believed, or if records contradict each other in at most a tenth of the windows. */
static void
few_doubts_leave_bars(void)
{
	static const struct { bool believed; unsigned broken, lost, late; size_t doubted, windows; bool shows; }
	row[] = {
		{true, 0, 0, 0, 0, 1, true}, {false, 17, 0, 0, 3, 240, true}, {false, 1, 0, 0, 24, 240, true},
		{false, 1, 0, 0, 25, 240, false}, {false, 1, 0, 0, 1, 1, false}, {false, 1, 2, 0, 1, 240, false},
		{false, 1, 0, 1, 1, 240, false}, {false, 0, 0, 0, 0, 240, false},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		const struct tasktime_run_state state = {.believed = row[i].believed, .doubted = row[i].doubted,
			.windows = row[i].windows,
			.trouble = {.broken = row[i].broken, .lost = row[i].lost, .late = row[i].late}};

		test_label("row %zu", i);
		CHECK(tasktime_run_shows(&state) == row[i].shows);
	}
}

TEST_MAIN(CASE(few_doubts_leave_bars), CASE(amounts_have_names), CASE(the_cost_of_a_fault_is_a_note),
	CASE(a_child_is_called_by_its_program),
	CASE(a_program_keeps_what_it_ran), CASE(amounts_add_up), CASE(what_is_reported), CASE(rows_of_windows),
	CASE(totals_and_others), CASE(windows_fold), CASE(limits), CASE(losses), CASE(programs_held_ready),
	CASE(two_observers), CASE(a_second_run_refuses))
