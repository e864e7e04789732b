/* The time of tasks as observations: amounts by name that add up whatever they are made of, rows and their bounds, and
 * two observers of one command. Live where this machine records; of times that a busy machine decides nothing is
 * asserted. */
#include "config.h"

#include "app/live/stall_run.h"

#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/live/live.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/perf/programs.h"
#include "core/lang/diag.h"
#include "core/obs/obs.h"
#include "core/spec/spec.h"
#include "core/udd/model.h"
#include "models.h"
#include "test.h"

static char *
program(void)
{
	const char *hecate = getenv("HECATE"), *slash = hecate ? strrchr(hecate, '/') : NULL;

	return str_format("%.*stests/programs/stall", slash ? (int)(slash - hecate) + 1 : 0, slash ? hecate : "");
}

/* --- amounts ----------------------------------------------------------------------------------------------------- */

static void
amounts_have_names(void)
{
	for (int i = 0; i < STALL_AMOUNTS; i++) {
		char *name = str_format("stall:%s", stall_amount_name(i));

		CHECK_INT(stall_amount_find(name), i);
		CHECK(*stall_amount_text(i));
		free(name);
	}
	CHECK_INT(stall_amount_find("stall:"), -1);
	CHECK_INT(stall_amount_find("on-cpu"), -1);
	CHECK_INT(stall_amount_find("stall:on-cpu "), -1);
}

static uint64_t
some(uint64_t *seed)
{
	return test_random(seed) % 3 ? test_random(seed) >> (test_random(seed) % 40 + 24) : 0;
}

/* Random rows, with and without the scheduler's books, and what remains of them without records. */
static void
amounts_add_up(void)
{
	uint64_t seed = 77;
	struct stall_amounts sum = {0};
	int64_t elapsed = 0;

	for (unsigned round = 0; round < test_rounds(20000, 500000); round++) {
		struct stall_row r = {.to_ns = 1};
		struct stall_costed costed;
		struct stall_coarse coarse;
		struct stall_amounts a, books;
		int64_t classes;

		for (int c = 0; c < STALL_CLASSES; c++) {
			r.ns[c] = some(&seed);
			r.entered[c] = some(&seed) % 9;
		}
		stall_cost(&r, some(&seed), some(&seed), &costed);
		stall_amounts_of_row(&r, test_random(&seed) % 2 ? &costed : NULL, &a);
		classes = a.ns[STALL_SWITCH_COST];
		for (int c = 0; c < STALL_CLASSES; c++)
			classes += a.ns[c];
		CHECK(stall_amounts_hold(&a) && a.ns[STALL_ELAPSED] == (int64_t)stall_row_elapsed(&r) &&
			classes == a.ns[STALL_ELAPSED]);
		stall_coarse((uint64_t)a.ns[STALL_ELAPSED], some(&seed), some(&seed),
			test_random(&seed) % 2 ? some(&seed) : UINT64_MAX, &coarse);
		stall_amounts_coarse((uint64_t)a.ns[STALL_ELAPSED], test_random(&seed) % 8 ? &coarse : NULL, &books);
		CHECK(stall_amounts_hold(&books) && books.ns[STALL_ELAPSED] == a.ns[STALL_ELAPSED] &&
			books.ns[STALL_ON_CPU] == 0);
		elapsed += 2 * a.ns[STALL_ELAPSED];
		stall_amounts_add(&sum, &a);
		stall_amounts_add(&sum, &books);
		if (test_random(&seed) % 2) {
			a.ns[STALL_RUN]++;
			CHECK(!stall_amounts_hold(&a));
		}
	}
	CHECK(stall_amounts_hold(&sum));
	CHECK_INT(sum.ns[STALL_ELAPSED], elapsed);
}

/* What each way of recording tells: nothing that it cannot know. */
static void
what_is_told(void)
{
	const struct stall_telling none = {.books = true}, delays = {.io = true, .books = true},
				   switches = {.classes = true, .faults = true, .books = true},
				   all = {.classes = true,
					   .faults = true,
					   .states = true,
					   .causes = true,
					   .wakeups = true,
					   .books = true};
	int n = 0;

	for (int i = 0; i < STALL_AMOUNTS; i++) {
		CHECK(stall_tells(&all, i));
		n += stall_tells(&none, i);
	}
	CHECK_INT(n, 7); /* elapsed, run, wait, off, unknown, sched-run, sched-wait */
	CHECK(stall_tells(&delays, STALL_IO) && !stall_tells(&delays, STALL_BLOCK_IO));
	CHECK(!stall_tells(&none, STALL_ON_CPU) && !stall_tells(&none, STALL_IO) &&
		!stall_tells(&none, STALL_SWITCH_COST));
	CHECK(stall_tells(&switches, STALL_PREEMPTED) && stall_tells(&switches, STALL_ASLEEP) &&
		stall_tells(&switches, STALL_FAULT_CPU));
	CHECK(!stall_tells(&switches, STALL_WOKEN) && !stall_tells(&switches, STALL_FUTEX) &&
		!stall_tells(&switches, STALL_BLOCKED_UNTOLD));
}

/* --- live -------------------------------------------------------------------------------------------------------- */

/* Runs to the end; false and a skip where it cannot be had. */
static bool
play(struct stall_run *r)
{
	struct err e = {0};

	if (!stall_run_start(r, &e)) {
		test_skip("%s", e.what);
		return false;
	}
	while (!stall_run_poll(r)) {
		struct pollfd p = {.fd = stall_run_wait_fd(r), .events = POLLIN};

		poll(&p, 1, (int)(fmin(stall_run_patience(r), 0.1) * 1000) + 1);
	}
	CHECK(!stall_run_running(r) && !stall_run_poll(r) && isinf(stall_run_patience(r)));
	CHECK(!stall_run_start(r, &e));
	return true;
}

static struct stall_run *
run_of(const char *kind, const char *ms, struct stall_run_options o)
{
	char *path = program(), *argv[] = {path, (char *)(uintptr_t)kind, (char *)(uintptr_t)ms, NULL};
	struct stall_run *r;

	o.argv = argv;
	o.out_fd = o.err_fd = -1;
	o.no_input = true;
	r = stall_run_new(&o);
	free(path); /* it has a copy */
	return r;
}

/* Every row holds, cells of what cannot be told are empty, and the rows of a task are its sum. */
static void
check_table(struct stall_run *r)
{
	const struct obs_table *t = stall_run_table(r);
	struct stall_run_state s;
	size_t n;
	const struct stall_run_task *task = stall_run_tasks(r, &n);

	stall_run_state(r, &s);
	CHECK_INT(t->n_columns, STALL_AMOUNTS);
	CHECK_STR(t->column[STALL_RUN], "stall:run");
	for (size_t k = 0; k < n; k++) {
		const struct obs *o = task[k].observation == STALL_RUN_NONE ? NULL : t->obs[task[k].observation];
		struct stall_amounts sum = {0};

		if (!CHECK(o != NULL))
			continue;
		for (size_t row = 0; row < o->n_rows; row++) {
			struct stall_amounts a;

			memcpy(a.ns, o->count + row * STALL_AMOUNTS, sizeof a.ns);
			CHECK(stall_amounts_hold(&a));
			CHECK(row == 0 || !o->time || o->time[row] > o->time[row - 1]);
			stall_amounts_add(&sum, &a);
			for (int i = 0; i < STALL_AMOUNTS; i++)
				CHECK(!o->counted[row * STALL_AMOUNTS + (size_t)i] || stall_tells(&s.tells, i));
		}
		for (int i = 0; i < STALL_SCHED_RUN; i++)
			CHECK_INT(sum.ns[i], stall_tells(&s.tells, i) ? task[k].sum.ns[i] : 0);
	}
}

static void
rows_of_windows(void)
{
	static const enum stalls_variant variant[] = {STALLS_RECORDS, STALLS_SWITCHES, STALLS_COUNTERS};

	for (size_t i = 0; i < 3; i++) {
		struct stall_run *r = run_of("lock", "200",
			(struct stall_run_options){.interval_ms = 20, .variant_given = true, .variant = variant[i]});
		size_t n;

		test_label("variant %d", (int)variant[i]);
		if (play(r)) {
			const struct stall_run_task *task = stall_run_tasks(r, &n);
			const struct obs_table *t = stall_run_table(r);

			check_table(r);
			CHECK_INT(t->n, n);
			CHECK(variant[i] == STALLS_COUNTERS ? n >= 1 : n == 5);
			for (size_t k = 0; k < n; k++) {
				char *name = str_format("stall-%d", task[k].tid);

				CHECK(t->obs[k]->n_rows >= 1 && !t->obs[k]->exact);
				CHECK(task[k].pid == task[0].pid && task[k].n_tasks == 1);
				CHECK_STR(t->obs[task[k].observation]->name, name);
				CHECK(task[k].ended == (variant[i] != STALLS_COUNTERS));
				free(name);
			}
		}
		stall_run_free(r);
	}
}

/* Without an interval each task has one row, which is exact; the others are one. */
static void
totals_and_others(void)
{
	struct stall_run *r = run_of("lock", "150",
		(struct stall_run_options){.tasks_max = 2, .variant_given = true, .variant = STALLS_RECORDS});
	struct str text = {0};
	size_t n;

	if (play(r)) {
		const struct stall_run_task *task = stall_run_tasks(r, &n);
		size_t others = stall_run_others(r);

		check_table(r);
		CHECK_INT(n, 3);
		if (CHECK(others != STALL_RUN_NONE)) {
			CHECK_INT(task[others].n_tasks, 3);
			CHECK_STR(stall_run_table(r)->obs[task[others].observation]->name, "others");
		}
		for (size_t i = 0; i < stall_run_table(r)->n; i++)
			CHECK(stall_run_table(r)->obs[i]->n_rows == 1 && stall_run_table(r)->obs[i]->exact);
		stall_run_explain(r, &text);
		CHECK(strstr(str_text(&text), "others: 3 tasks beyond the first 2") != NULL);
		CHECK(stall_run_table(r)->n_notes > 0);
	}
	str_free(&text);
	stall_run_free(r);
}

/* With no end: windows long ago are taken together, alike for all tasks, and what passed still adds up to the
 * nanosecond. */
static void
windows_fold(void)
{
	struct stall_run *r = run_of("lock", "1000",
		(struct stall_run_options){.interval_ms = 10,
			.folds = true,
			.cells_max = 100 * STALL_AMOUNTS,
			.variant_given = true,
			.variant = STALLS_COUNTERS});
	struct stall_run_state s;

	if (play(r)) {
		const struct obs_table *t = stall_run_table(r);
		size_t rows = 0, folded = 0;

		stall_run_state(r, &s);
		CHECK_INT(s.ending, LIVE_ENDED);
		check_table(r);
		for (size_t i = 0; i < t->n; i++) {
			rows += t->obs[i]->n_rows;
			folded += t->obs[i]->folded;
		}
		CHECK(rows < 100 + 2 * t->n); /* those of the last window may come on top */
		CHECK(folded > 0 || s.windows * t->n < 100); /* a busy machine may have made few windows */
	}
	stall_run_free(r);
}

static void
limits(void)
{
	struct stall_run *r = run_of("sleep", "60000",
		(struct stall_run_options){
			.interval_ms = 10, .samples = 3, .variant_given = true, .variant = STALLS_COUNTERS});
	struct stall_run_state s;

	if (play(r)) {
		stall_run_state(r, &s);
		CHECK_INT(s.ending, LIVE_SAMPLES);
		CHECK_INT(s.windows, 3);
		CHECK(WIFSIGNALED(s.status) && WTERMSIG(s.status) == 15);
		check_table(r);
	}
	stall_run_free(r);
	r = run_of("sleep", "60000",
		(struct stall_run_options){.interval_ms = 10,
			.cells_max = 5 * STALL_AMOUNTS,
			.variant_given = true,
			.variant = STALLS_COUNTERS});
	if (play(r)) {
		struct str text = {0};

		stall_run_state(r, &s);
		CHECK_INT(s.ending, LIVE_FULL);
		CHECK_INT(stall_run_table(r)->obs[0]->n_rows, 5);
		stall_run_explain(r, &text);
		CHECK(strstr(str_text(&text), "ended early") != NULL);
		str_free(&text);
	}
	stall_run_free(r);
	r = run_of("sleep", "60000",
		(struct stall_run_options){.duration = 0.02, .variant_given = true, .variant = STALLS_COUNTERS});
	if (play(r)) {
		stall_run_state(r, &s);
		CHECK_INT(s.ending, LIVE_DURATION);
	}
	stall_run_free(r);
}

/* Nobody reads a ring that is too small: windows with losses hold what the scheduler says, and it is told. */
static void
losses(void)
{
	struct stall_run *r = run_of("switch", "300",
		(struct stall_run_options){
			.interval_ms = 50, .ring_kb = 4, .variant_given = true, .variant = STALLS_RECORDS});
	struct stall_run_state s;
	struct str text = {0};

	if (play(r)) {
		check_table(r);
		stall_run_state(r, &s);
		CHECK(s.believed == (s.doubted == 0));
		stall_run_explain(r, &text);
		CHECK((strstr(str_text(&text), "not to be believed: ") != NULL) == !s.believed);
		if (s.figures.lost)
			CHECK(!s.believed);
	}
	str_free(&text);
	stall_run_free(r);
}

/* --- two observers of one command -------------------------------------------------------------------------------- */

struct second {
	struct stall_run *run;
	enum stalls_variant variant;
	int pid;
};

static bool
join(void *ctx, int pid, struct err *e)
{
	struct second *s = ctx;
	struct stall_run_options o = {
		.waiting = pid, .name = "the same", .interval_ms = 20, .variant_given = true, .variant = s->variant};

	s->pid = pid;
	s->run = stall_run_new(&o);
	return stall_run_start(s->run, e);
}

static void
two_observers(void)
{
	static const char text[] = "model m; counter f = \"page-faults:u\"; path p { count f; }";
	static const enum stalls_variant variant[] = {STALLS_RECORDS, STALLS_SWITCHES, STALLS_COUNTERS};
	char *path = program(), kind[] = "lock", ms[] = "150", *argv[] = {path, kind, ms, NULL};
	struct diags d = {0};
	struct udd_model *m = model_from_text(text, strlen(text), &d);

	for (size_t i = 0; i < 3; i++) {
		struct second s = {.variant = variant[i]};
		struct live_options o = {.ops = &source_perf,
			.argv = argv,
			.interval_ms = 50,
			.out_fd = -1,
			.err_fd = -1,
			.no_input = true,
			.waits = join,
			.ctx = &s};
		struct live *l = live_new(m, &o);
		struct err e = {0};
		bool ended = false, second_ended = false;
		size_t n;

		test_label("variant %d", (int)variant[i]);
		if (!live_start(l, &e)) {
			test_skip("%s", e.what);
		} else {
			while (!ended || !second_ended) {
				struct pollfd p[] = {{.fd = live_wait_fd(l), .events = POLLIN},
					{.fd = stall_run_wait_fd(s.run), .events = POLLIN}};

				poll(p, 2, 5);
				ended |= live_poll(l, &e);
				second_ended |= stall_run_poll(s.run);
			}
			check_table(s.run);
			if (CHECK(stall_run_tasks(s.run, &n) && n >= 1)) {
				const struct stall_run_task *t = stall_run_tasks(s.run, &n);
				size_t at = 0;

				while (at + 1 < n && t[at].tid != s.pid)
					at++;
				CHECK_INT(t[at].tid, s.pid);
				/* From its execve(2) on: the task had the program's name from its first row. */
				CHECK(strncmp(stall_run_table(s.run)->obs[t[at].observation]->name, "stall-", 6) == 0);
				CHECK_STR(stall_run_table(s.run)->obs[0]->source, "the same");
				CHECK(variant[i] == STALLS_COUNTERS || n == 5);
				CHECK(variant[i] == STALLS_COUNTERS || t[at].row.minor > 0);
			}
			CHECK(live_table(l)->n == 1 && live_table(l)->obs[0]->count[0] >= 0);
		}
		stall_run_free(s.run);
		live_free(l);
	}
	udd_free(m);
	diags_free(&d);
	free(path);
}

/* The command is not started when the second one refuses. */
static bool
refuse(void *ctx, int pid, struct err *e)
{
	*(int *)ctx = pid;
	return err_set(e, "not today");
}

static void
a_second_that_refuses(void)
{
	static const char text[] = "model m; counter f = \"page-faults:u\"; path p { count f; }";
	char path[] = "/bin/true", *argv[] = {path, NULL};
	struct diags d = {0};
	struct udd_model *m = model_from_text(text, strlen(text), &d);
	int pid = 0;
	struct live_options o = {
		.ops = &source_perf, .argv = argv, .out_fd = -1, .err_fd = -1, .waits = refuse, .ctx = &pid};
	struct live *l = live_new(m, &o);
	struct err e = {0};

	CHECK(!live_start(l, &e) && !live_running(l));
	if (pid == 0)
		test_skip("%s", e.what);
	else
		CHECK_STR(e.what, "not today");
	live_free(l);
	udd_free(m);
	diags_free(&d);
}

/* --- programs that are held ready -------------------------------------------------------------------------------- */

struct held {
	struct programs *programs;
	struct stall_run *run;
	bool exact;
};

static bool
let_go(void *ctx, size_t i, struct err *e)
{
	struct held *h = ctx;

	(void)e;
	stall_run_begins(h->run, programs_at(h->programs, i)->pid);
	return true;
}

/* Windows end where that is said, and who has not been let go is nobody. */
static void
play_held(struct held *h)
{
	struct stall_run_state s;
	struct err e = {0};
	size_t n, ticks = 0;

	stall_run_tick(h->run);
	for (int i = 0; i < 3; i++)
		stall_run_poll(h->run);
	stall_run_tasks(h->run, &n);
	CHECK_INT(n, 0);
	programs_on_begin(h->programs, let_go, h);
	if (!CHECK(programs_begin(h->programs, &e)))
		return;
	while (programs_left(h->programs)) {
		int wait = programs_wait_ms(h->programs);

		poll(NULL, 0, wait >= 0 && wait < 5 ? wait : 5);
		programs_tend(h->programs, &e);
		stall_run_tick(h->run);
		ticks++;
		stall_run_poll(h->run);
	}
	stall_run_finish(h->run);
	while (stall_run_running(h->run))
		stall_run_poll(h->run);
	stall_run_state(h->run, &s);
	CHECK(s.windows <= ticks + 2);
	CHECK(s.windows >= 2);
	check_table(h->run);
	for (size_t i = 0; i < programs_n(h->programs); i++) {
		const struct stall_run_task *t = stall_run_tasks(h->run, &n);
		size_t at = 0;
		int pid = programs_at(h->programs, i)->pid;

		while (at < n && t[at].tid != pid)
			at++;
		CHECK_STR(stall_run_held_name(h->run, pid), i ? "second" : "first");
		if (CHECK(at < n) && h->exact) { /* from its own beginning, by records, to its own end */
			uint64_t lived = programs_at(h->programs, i)->end.at_ns - programs_at(h->programs, i)->begun_ns;

			CHECK(t[at].sum.ns[STALL_ELAPSED] > 0 && (uint64_t)t[at].sum.ns[STALL_ELAPSED] <= lived);
		}
	}
	CHECK(stall_run_held_name(h->run, 1) == NULL);
}

static void
programs_held_ready(void)
{
	static const char text[] = "profile p; network n; program a { run \"sleep\" \"0.3\"; } program b { run "
				   "\"sleep\" \"0.2\"; begin after 50 ms; }";
	static const char *const name[] = {"first", "second"};
	static const enum stalls_variant variant[] = {STALLS_RECORDS, STALLS_COUNTERS};

	for (size_t i = 0; i < 2; i++) {
		struct diags d = {0};
		struct err e = {0};
		struct profile_spec *spec = spec_parse(mem_str("t"), mem_str(text), strlen(text), &d);
		struct held h = {.programs = spec ? programs_new(spec, -1, -1, &e) : NULL,
			.exact = variant[i] == STALLS_RECORDS};

		test_label("variant %d", (int)variant[i]);
		if (CHECK(h.programs)) {
			const int pid[] = {programs_at(h.programs, 0)->pid, programs_at(h.programs, 1)->pid};

			h.run = stall_run_new(&(struct stall_run_options){.held = pid,
				.n_held = 2,
				.held_name = name,
				.name = "p",
				.interval_ms = 1000000,
				.by_hand = true,
				.variant_given = true,
				.variant = variant[i],
				.out_fd = -1,
				.err_fd = -1});
			if (stall_run_start(h.run, &e))
				play_held(&h);
			else
				test_skip("%s", e.what);
			stall_run_free(h.run);
		}
		programs_free(h.programs);
		spec_free(spec);
		diags_free(&d);
	}
}

TEST_MAIN(CASE(amounts_have_names), CASE(amounts_add_up), CASE(what_is_told), CASE(rows_of_windows),
	CASE(totals_and_others), CASE(windows_fold), CASE(limits), CASE(losses), CASE(programs_held_ready),
	CASE(two_observers), CASE(a_second_that_refuses))
