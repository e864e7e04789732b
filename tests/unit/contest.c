/* Two ways A and B as the explorer has them: measured in a process of their own that can be paused, goes on when the
 * answer is known, and leaves nothing behind; runs that were written are read again; disturbed runs are found. */
#include "work/diff/contest.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "work/files/data.h"
#include "test.h"
#include "work/diff/diff_words.h"

#define LIMIT 60.0 /* seconds until a test gives up */

static char **
shell_line(const char *line)
{
	char **words = mem_new_array(4, sizeof *words);

	words[0] = mem_str("/bin/sh");
	words[1] = mem_str("-c");
	words[2] = mem_str(line);
	return words;
}

/* Without counters, which would take longer to open than these programs run. */
static struct contest *
contest_of(const char *a, const char *b, size_t blocks)
{
	struct contest_task *task = mem_new(sizeof *task);

	task->words[0] = shell_line(a);
	task->words[1] = shell_line(b);
	task->counter = mem_new_array(2, sizeof *task->counter);
	task->counter[0] = mem_str("page-faults");
	task->how = (struct measure_options){.argv = {task->words[0], task->words[1]},
		.counter = (const char *const *)task->counter,
		.n_counters = 1,
		.blocks = blocks,
		.judge = {.confidence = 0.99, .threshold = 0.01}};
	return contest_new(task, a, b);
}

/* Listens until it is so, or nothing is measured any more. */
static bool
until(struct contest *c, bool (*so)(const struct contest *))
{
	double end = clock_seconds() + LIMIT;

	while (!so(c) && c->measuring && clock_seconds() < end) {
		struct pollfd p = {.fd = contest_fd(c), .events = POLLIN};

		poll(&p, 1, 100);
		contest_poll(c);
	}
	return so(c);
}

static bool
has_a_block(const struct contest *c)
{
	return c->of.measured.report.n && c->of.measured.table.n_runs >= SHIFT_BLOCK;
}

static bool
is_used_up(const struct contest *c)
{
	return contest_waits(c) == CONTEST_USED_UP;
}

static bool
is_known(const struct contest *c)
{
	return contest_waits(c) == CONTEST_KNOWS;
}

static size_t wanted;

static bool
has_more(const struct contest *c)
{
	return c->of.measured.table.n_runs + c->block > wanted;
}

/* After the number of runs that was asked for it waits; told to go on, it makes as many again. */
static void
waits_after_the_runs_that_were_asked_for(void)
{
	struct contest *c = contest_of("exit 0", "exit 0", 2);
	struct err e = {0};
	bool whole;

	CHECK(contest_start(c, &e));
	CHECK(until(c, is_used_up));
	contest_poll(c);
	CHECK_INT(c->of.measured.table.n_runs + c->block, 8);
	wanted = 8;
	contest_pause(c, false);
	CHECK(until(c, has_more));
	CHECK(until(c, is_used_up));
	contest_stop(c);
	CHECK(!c->measuring && contest_fd(c) == -1);
	CHECK_INT(c->judged, 16);
	CHECK(c->unsaved);
	whole = CHECK_INT(c->of.measured.table.n_runs, 16);
	for (size_t i = 0; whole && i < 16; i += 4) /* each block has two of each */
		CHECK_INT(c->of.measured.table.is_b[i] + c->of.measured.table.is_b[i + 1] +
				c->of.measured.table.is_b[i + 2] + c->of.measured.table.is_b[i + 3],
			2);
	contest_free(c);
}

static void
pauses_between_runs(void)
{
	struct contest *c = contest_of("sleep 0.01", "sleep 0.01", (size_t)1 << 20);
	struct err e = {0};

	CHECK(contest_start(c, &e));
	CHECK(until(c, has_a_block));
	contest_pause(c, true);
	CHECK_INT(contest_waits(c), CONTEST_PAUSED);
	/* the run that goes on may still end; then none begins */
	for (int quiet = 0; quiet < 3;)
		quiet = poll(&(struct pollfd){.fd = contest_fd(c), .events = POLLIN}, 1, 100) > 0 && contest_poll(c)
			? 0 : quiet + 1;
	wanted = c->of.measured.table.n_runs + c->block;
	contest_pause(c, false);
	CHECK_INT(contest_waits(c), CONTEST_RUNS);
	CHECK(until(c, has_more));
	contest_free(c);
}

/* A difference of a factor of four is soon known; then it says where the difference went, and waits by itself. */
static void
waits_when_the_answer_is_known(void)
{
	struct contest *c = contest_of("sleep 0.01", "sleep 0.04", 0);
	const struct measured_why *why = &c->of.measured.why;
	struct str words = {0};
	struct err e = {0};

	CHECK(contest_start(c, &e));
	CHECK(until(c, is_known));
	contest_poll(c);
	if (CHECK(c->of.measured.report.n)) {
		CHECK_INT(c->of.measured.report.found[0].answer, DIFF_MORE);
		CHECK(c->of.measured.report.found[0].above);
	}
	CHECK_INT(why->table.n, MEASURE_PARTS);
	diff_add_why(&words, &c->of.measured, false, false);
	CHECK(strstr(str_text(&words), " waiting.\n"));
	if (why->failure)
		test_skip("%s", why->failure);
	else if (CHECK(why->table.n_runs >= 24 && why->report.n == MEASURE_PARTS)) {
		CHECK_INT(why->report.found[MEASURE_SLEEP].answer, DIFF_MORE);
		CHECK(strstr(str_text(&words), " longer asleep ("));
	}
	str_free(&words);
	contest_free(c);
}

/* The command that runs is ended with the process that measures it. */
static void
stop_ends_the_command(void)
{
	char *file = str_format("/tmp/hecate-contest-%d", (int)getpid());
	char *line = str_format("echo $$ >%s; test -e %s.on || exit 0; exec sleep 1000", file, file);
	char *on = str_format("%s.on", file);
	struct contest *c = contest_of(line, line, (size_t)1 << 20);
	struct err e = {0};
	double end = clock_seconds() + LIMIT;
	int pid = 0;
	FILE *f;

	CHECK(contest_start(c, &e));
	CHECK(until(c, has_a_block));
	f = fopen(on, "w"); /* from now on runs do not end */
	CHECK(f != NULL);
	if (f)
		fclose(f);
	for (int quiet = 0; quiet < 3;)
		quiet = poll(&(struct pollfd){.fd = contest_fd(c), .events = POLLIN}, 1, 100) > 0 && contest_poll(c)
			? 0 : quiet + 1;
	f = fopen(file, "r");
	CHECK(f && fscanf(f, "%d", &pid) == 1);
	if (f)
		fclose(f);
	CHECK(pid > 1 && kill(pid, 0) == 0);
	contest_stop(c);
	while (pid > 1 && kill(pid, 0) == 0 && clock_seconds() < end)
		poll(NULL, 0, 10);
	CHECK(kill(pid, 0) != 0 && errno == ESRCH);
	CHECK(c->of.measured.table.n_runs >= SHIFT_BLOCK && !c->failure);
	contest_free(c);
	unlink(file);
	unlink(on);
	free(file);
	free(line);
	free(on);
}

static void
says_why_nothing_runs(void)
{
	struct contest *c = contest_of("exit 3", "exit 0", 0);
	struct err e = {0};

	CHECK(contest_start(c, &e));
	until(c, has_a_block);
	CHECK(c->failure && strstr(c->failure, "A ended with status 3") && strstr(c->failure, "--any-status"));
	CHECK_INT(c->of.measured.table.n_runs, 0);
	contest_free(c);
}

/* One run of 40 waited for a CPU; its wait rose with its time, and nothing else did. */
static void
disturbed_runs_are_found(void)
{
	enum { RUNS = 40, BAD = 13, SEEDS = 50 };
	static const char *const name[] = {"wall time", "task:wait_ns", "page-faults"};

	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		double value[3][RUNS];
		unsigned char is_b[RUNS];
		struct diff_quantity q[3];
		struct diff_table t = {.n_runs = RUNS, .is_b = is_b, .quantity = q, .n = 3};
		struct diff_usual usual[3];
		uint64_t random = seed;

		for (size_t i = 0; i < RUNS; i++) {
			is_b[i] = i % 4 == 1 || i % 4 == 2;
			value[0][i] = 1 + 0.1 * is_b[i] + (double)random_below(&random, 1000) * 1e-5;
			value[1][i] = 1e6 + (double)random_below(&random, 100000);
			value[2][i] = 80;
		}
		value[0][BAD] += 0.2;
		value[1][BAD] += 2e8;
		for (size_t i = 0; i < 3; i++) {
			q[i] = (struct diff_quantity){.name = name[i], .unit = i == 0 ? "s" : "", .value = value[i]};
			diff_usual(&t, i, &usual[i]);
		}
		test_label("seed %d", (int)seed);
		for (size_t i = 0; i < RUNS; i++)
			CHECK((diff_distance(&t, 0, &usual[0], i) > DIFF_DISTURBED) == (i == BAD));
		CHECK_INT(diff_disturbed_by(&t, usual, BAD), 1);
		CHECK(diff_disturbed_by(&t, usual, 0) == SIZE_MAX);
		CHECK_NEAR(usual[0].middle[1] - usual[0].middle[0], 0.1, 0.005);
	}
}

/* Observations of a file: `a` and `b` with 40 rows, `alone` with one; b has 20 % more of x, and the same of y. */
static struct obs_table *
table_of_observations(void)
{
	char path[] = "/tmp/contest-XXXXXX.csv";
	int fd = mkstemps(path, 4);
	FILE *f = fdopen(fd, "w");
	struct obs_table *table;
	struct err e = {0};
	uint64_t seed = 3;

	fprintf(f, "observation,x,y\n");
	for (int i = 0; i < 80; i++)
		fprintf(f, "%s,%.0f,%.0f\n", i % 2 ? "b" : "a", (i % 2 ? 1200 : 1000) + 10 * test_normal(&seed),
			500 + 5 * test_normal(&seed));
	fprintf(f, "alone,1000,500\n");
	fclose(f);
	table = data_read(path, false, &e);
	unlink(path);
	return table;
}

static void
observations_are_compared(void)
{
	struct obs_table *table = table_of_observations();
	const struct obs_table *const both[2] = {table, table};
	const struct diff_rule rule = {.confidence = 0.99, .threshold = 0.01};
	struct err e = {0};
	struct contest *c;

	if (!CHECK(table && table->n == 3))
		return;
	c = contest_of_observations(both, (const struct obs *const[]){table->obs[0], table->obs[1]}, &rule, &e);
	if (CHECK(c != NULL)) {
		const struct diff_report *r = &c->of.measured.report;

		CHECK_STR(c->of.side[DIFF_A], "a");
		CHECK(c->recorded && !c->unsaved && !c->measuring);
		if (CHECK_INT(r->n, 2)) {
			CHECK_INT(r->found[0].answer, DIFF_MORE);
			CHECK(r->found[0].low > 0.15 && r->found[0].high < 0.25);
			CHECK(r->found[1].answer == DIFF_EQUAL || r->found[1].answer == DIFF_UNDECIDED);
		}
	}
	contest_free(c);
	CHECK(!contest_of_observations(both, (const struct obs *const[]){table->obs[0], table->obs[2]}, &rule, &e));
	CHECK_STR(e.what, "alone has one sample, which says nothing of its spread");
	CHECK(*e.hint);
	obs_table_free(table);
}

TEST_MAIN(CASE(observations_are_compared), CASE(waits_after_the_runs_that_were_asked_for), CASE(pauses_between_runs),
	CASE(waits_when_the_answer_is_known), CASE(stop_ends_the_command), CASE(says_why_nothing_runs),
	CASE(disturbed_runs_are_found))
