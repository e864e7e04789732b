/* The sentence that a run ends with, on made tables. Recorded runs: tests/cli/run_sentence.sh. */
#include "work/timeline/run_answer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "core/obs/obs.h"
#include "core/tasktime/amounts.h"
#include "test.h"

/* A task's milliseconds; all that it neither ran nor waited is `off`. */
struct task {
	const char *name;
	int elapsed, run, wait, futex, block_io, fault_io, blocked;
};

static struct obs_table *
table_of(const struct task *task, size_t n)
{
	static const char *const column[] = {"stall:elapsed", "stall:run", "stall:wait", "stall:off", "stall:futex",
		"stall:block-io", "stall:fault-io", "stall:io", "stall:blocked"};
	struct obs_table *table = obs_table_new(column, 9);

	for (size_t i = 0; i < n; i++) {
		struct obs *obs = obs_table_add(table, task[i].name, "a run");
		const struct task *t = &task[i];
		int64_t count[] = {t->elapsed, t->run, t->wait, t->elapsed - t->run - t->wait, t->futex, t->block_io,
			t->fault_io, t->block_io + t->fault_io, t->blocked};

		for (size_t k = 0; k < 9; k++)
			count[k] *= 1000000;
		obs_add_row(obs, count, NULL, t->elapsed / 1e3);
	}
	return table;
}

static void
says(const struct task *task, size_t n, struct run_end end, const char *want)
{
	struct obs_table *table = table_of(task, n);
	struct run_answer *answer = run_answer_new(table, -INFINITY, INFINITY, &end, "make");
	struct str out = {0};

	CHECK(answer != NULL);
	if (answer)
		run_answer_sentence(answer, false, &out);
	CHECK_STR(str_text(&out), want);
	str_free(&out);
	run_answer_free(answer);
	obs_table_free(table);
}

static void
sentences(void)
{
	const struct run_end good = {RUN_EXITED, 0, 4, 2};
	const struct task waits[] = {{"cc1-1", 4000, 1000, 3000, 0, 0, 0, 0}, {"cc1-2", 4000, 1000, 3000, 0, 0, 0, 0},
		{"make-3", 4000, 20, 0, 0, 0, 0, 0}};
	const struct task pool[] = {{"srv-1", 4000, 2000, 0, 0, 0, 0, 0}, {"srv-2", 4000, 0, 0, 4000, 0, 0, 0},
		{"srv-3", 4000, 1, 0, 3999, 0, 0, 0}};
	const struct task convoy[] = {{"lock-1", 4000, 900, 0, 3100, 0, 0, 0}, {"lock-2", 4000, 900, 0, 3100, 0, 0, 0}};
	const struct task disk[] = {{"cp-1", 4000, 400, 0, 0, 3000, 0, 0}};
	const struct task pages[] = {{"hog-1", 4000, 400, 0, 0, 100, 3000, 0}};
	const struct task kernel[] = {{"tar-1", 4000, 400, 0, 0, 0, 0, 3000}};
	const struct task idle[] = {{"srv-1", 4000, 3, 1, 0, 0, 0, 0}, {"srv-2", 4000, 0, 0, 4000, 0, 0, 0}};
	const struct task pair[] = {{"ping-1", 4000, 2000, 0, 0, 0, 0, 0}, {"pong-2", 4000, 1800, 0, 0, 0, 0, 0}};

	says(waits, 3, good,
		"make ended, status 0, 4.0 s: cc1 (2 of them) waited 75.0 % of the time for a CPU and ran 25.0 %; "
		"2 CPUs, 2 ready");
	says(pool, 3, good,
		"make ended, status 0, 4.0 s: srv (3 of them) ran 100.0 % of the time; 0.5 of 2 CPUs used");
	says(convoy, 2, good,
		"make ended, status 0, 4.0 s: lock (2 of them) waited 77.5 % of the time for locks and ran 22.5 %; "
		"0.45 of 2 CPUs used");
	says(disk, 1, good,
		"make ended, status 0, 4.0 s: cp waited 88.2 % of the time for the disk and ran 11.8 %; "
		"0.1 of 2 CPUs used");
	says(pages, 1, good,
		"make ended, status 0, 4.0 s: hog waited 85.7 % of the time for pages from disk or swap and ran "
		"11.4 %; 0.1 of 2 CPUs used");
	says(kernel, 1, (struct run_end){RUN_EXITED, 3, 4, 0},
		"make ended, status 3, 4.0 s: tar waited 88.2 % of the time in the kernel and ran 11.8 %");
	says(idle, 2, (struct run_end){RUN_WATCHED, 0, 4, 2},
		"make was watched for 4.0 s: idle, busy for 4.0 ms in all");
	says(pair, 2, (struct run_end){RUN_STOPPED, 0, 4, 2},
		"make was stopped after 4.0 s: ping and pong ran 100.0 % of the time; 0.95 of 2 CPUs used");
	says(disk, 1, (struct run_end){RUN_KILLED, 11, 0, 0},
		"make was killed by signal 11 (Segmentation fault) after 4.0 s: cp waited 88.2 % of the time for the "
		"disk and ran 11.8 %");
}

static int
some(uint64_t *seed)
{
	return (int)(test_random(seed) % 3000) >> test_random(seed) % 12;
}

/* Whatever ran or waited, no sentence names sleep; and only runs with hardly any busy time are idle. */
static void
sleep_is_never_named(void)
{
	uint64_t seed = 25;

	for (unsigned round = 0; round < test_rounds(2000, 100000); round++) {
		struct task task[4];
		size_t n = 1 + test_random(&seed) % 4;
		struct run_end end = {RUN_EXITED, 0, 10, 2};
		struct obs_table *table;
		struct run_answer *answer;
		struct str out = {0};
		int busy = 0;

		for (size_t i = 0; i < n; i++) {
			static const char *const name[] = {"a-1", "b-2", "a-3", "c-4"};

			task[i] = (struct task){name[i], 10000, some(&seed), some(&seed), 0, some(&seed), 0, 0};
			busy += task[i].run + task[i].wait + task[i].block_io;
		}
		table = table_of(task, n);
		answer = run_answer_new(table, -INFINITY, INFINITY, &end, "x");
		run_answer_sentence(answer, false, &out);
		run_answer_brief(answer, &out);
		CHECK(!strstr(str_text(&out), "sle"));
		CHECK((answer->what == RUN_ASLEEP) == (busy < 100));
		CHECK(answer->share >= 0 && answer->share <= 1);
		str_free(&out);
		run_answer_free(answer);
		obs_table_free(table);
	}
}

static void
ends_are_kept(void)
{
	static const struct run_end end[] = {{RUN_EXITED, 3, 4.25, 2}, {RUN_KILLED, 9, 0.5, 64}, {RUN_STOPPED, 0, 1, 1},
		{RUN_WATCHED, 0, 2, 8}};
	static const char *const wrong[] = {"", "exited", "exited 0", "gone 0 1 2", "part 0 1.0 2", "exited 0 -1 2"};
	struct str text = {0};
	struct run_end got;

	for (size_t i = 0; i < 4; i++) {
		str_clear(&text);
		run_end_write(&end[i], &text);
		CHECK(run_end_read(str_text(&text), &got) && got.kind == end[i].kind && got.code == end[i].code &&
			got.cpus == end[i].cpus);
		CHECK_NEAR(got.seconds, end[i].seconds, 1e-6);
	}
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		CHECK(!run_end_read(wrong[i], &got));
	str_free(&text);
}

/* A network's counters have no names of tasks and no sleep. */
static void
of_a_network(void)
{
	static const char *const column[] = {"ran", "waited"}, *const other[] = {"cycles", "instructions"};
	struct obs_table *table = obs_table_new(column, 2), *none = obs_table_new(other, 2);
	struct run_end end = {RUN_EXITED, 0, 1, 2};
	struct run_answer *answer;

	obs_add_row(obs_table_add(table, "sh", "sh"), (const int64_t[]){400000000, 600000000}, NULL, 1);
	CHECK(run_answer_serves(table) && !run_answer_tells_tasks(table) && !run_answer_serves(none));
	answer = run_answer_new(table, -INFINITY, INFINITY, &end, "sh");
	CHECK(answer && answer->what == RUN_FOR_CPU);
	CHECK_NEAR(answer ? answer->share : 0, 0.6, 1e-9);
	CHECK(!run_answer_new(none, -INFINITY, INFINITY, &end, "sh"));
	CHECK(!run_answer_new(table, 2, 3, &end, "sh")); /* no row ended then */
	run_answer_free(answer);
	obs_table_free(table);
	obs_table_free(none);
}

/* A session file has the time of tasks, and the whole command's run and wait under its own name: the same time is not
 * counted twice, and "make" is not the command but the program. */
static void
of_tasks_and_a_network(void)
{
	static const char *const column[] = {"ran", "waited", "stall:elapsed", "stall:run", "stall:wait", "stall:off"};
	static const unsigned char network[] = {1, 1, 0, 0, 0, 0}, tasks[] = {0, 0, 1, 1, 1, 1};
	struct obs_table *table = obs_table_new(column, 6);
	struct run_end end = {RUN_EXITED, 0, 4, 2};
	struct run_answer *answer;
	struct str out = {0};

	obs_add_row(obs_table_add(table, "make", "make"), (const int64_t[]){1000000000, 3000000000}, network, 4);
	obs_add_row(obs_table_add(table, "make-1", "make"),
		(const int64_t[]){0, 0, 4000000000, 1000000, 1000000, 3998000000}, tasks, 4);
	obs_add_row(obs_table_add(table, "cc1-2", "make"),
		(const int64_t[]){0, 0, 4000000000, 1000000000, 3000000000, 0}, tasks, 4);
	answer = run_answer_new(table, -INFINITY, INFINITY, &end, "make");
	CHECK(answer && answer->by_task);
	CHECK_INT(answer ? answer->n_tasks : 0, 2);
	if (answer)
		run_answer_sentence(answer, false, &out);
	CHECK_STR(str_text(&out),
		"make ended, status 0, 4.0 s: cc1 waited 75.0 % of the time for a CPU and ran 25.0 %; "
		"2 CPUs, 1 ready");
	str_free(&out);
	run_answer_free(answer);
	obs_table_free(table);
}

TEST_MAIN(CASE(of_tasks_and_a_network), CASE(sentences), CASE(sleep_is_never_named), CASE(ends_are_kept),
	CASE(of_a_network))
