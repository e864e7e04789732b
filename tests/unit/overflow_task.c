/* A command that a counter stops: its steps, string instructions, signals to hecate, and commands that cannot run. */
#include "collect/workload/overflow_task.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "collect/perf/overflow.h"
#include "collect/perf/world.h"
#include "collect/source.h"
#include "made_program.h"
#include "test.h"

static bool interrupt; /* a signal to hecate has arrived */

static bool
is_interrupted(void)
{
	return interrupt;
}

struct bed {
	char *folder, *program;
	char *argv[2];
	sigset_t during;
	struct perf_world world;
	struct overflow_task *task;
	struct overflow_subject subject;
};

/* Assembles a program and chooses page faults for it. False: the case is skipped. */
static bool
bed_begin(struct bed *b, const char *text)
{
	struct source_status why = {0};
	struct event_code code;
	struct err e = {0};

	*b = (struct bed){.folder = made_folder()};
	b->program = str_format("%s/program", b->folder);
	b->argv[0] = b->program;
	interrupt = false;
	sigemptyset(&b->during);
	perf_world_probe(&b->world);
	if (text && !made_program(b->folder, "program", text))
		return false;
	b->task = overflow_task_new(&(struct overflow_task_spec){
		.argv = b->argv, .during = &b->during, .interrupted = is_interrupted, .world = &b->world}, &e);
	if (!CHECK(b->task) || !CHECK(event_by_name("page-faults", &b->world, &code, &why)) ||
		!CHECK(perf_overflow_limit(&code, &why)))
		return false;
	overflow_task_choose(b->task, &code, 0, 60);
	b->subject = overflow_task_subject(b->task);
	return true;
}

static void
bed_end(struct bed *b)
{
	overflow_task_free(b->task);
	free(b->program);
	made_folder_remove(b->folder);
}

/* Starts it. False, and the case is skipped, if the kernel does not permit it. */
static bool
bed_start(struct bed *b)
{
	struct err e = {0};

	if (b->subject.ops->start(b->subject.ctx, &e))
		return true;
	printf("# %s\n", e.what);
	test_skip("no command can be stopped here");
	return false;
}

/* Steps to the end: instructions, and iterations of string instructions beyond them. */
static void
strings_are_one_instruction(void)
{
	static const unsigned bytes[] = {1, 777};

	for (size_t i = 0; i < 2; i++) {
		char *text = made_strings(100, bytes[i]);
		struct overflow_stop stop = {0};
		unsigned instructions = 0, iterations = 0;
		struct bed b;

		if (bed_begin(&b, text) && bed_start(&b)) {
			while (CHECK(b.subject.ops->step(b.subject.ctx, &stop, NULL)) && stop.why == OVERFLOW_STOPPED) {
				instructions += stop.retired && !stop.iteration;
				iterations += stop.iteration;
			}
			test_label("%u bytes", bytes[i]);
			CHECK_INT(stop.why, OVERFLOW_ENDED);
			CHECK_INT(instructions, 2 * 100 + 17 - 1); /* exit(2) does not return */
			CHECK_INT(iterations, bytes[i] - 1 + 9);
			CHECK_INT(overflow_task_status(b.task), 0);
		}
		bed_end(&b);
		free(text);
	}
}

static const char endless[] = "\t.globl _start\n_start:\tjmp _start\n";
static const char waiting[] = "\t.globl _start\n_start:\tmov $34, %eax\n\tsyscall\n\tjmp _start\n";

static bool
no_child_is_left(void)
{
	return waitpid(-1, NULL, WNOHANG | __WALL) == -1 && errno == ECHILD;
}

/* A signal to hecate ends a run in any state of the command, which is not left behind, stopped or not. */
static void
signals_to_hecate_end_the_command(void)
{
	static const struct { const char *what, *text; bool steps; } row[] = {
		{"runs", endless, false}, {"is stepped", endless, true}, {"waits", waiting, false},
		{"waits in a step", waiting, true},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct overflow_stop stop = {0};
		struct bed b;

		if (bed_begin(&b, row[i].text) && bed_start(&b)) {
			test_label("%s", row[i].what);
			CHECK(!no_child_is_left());
			if (row[i].steps)
				CHECK(b.subject.ops->step(b.subject.ctx, &stop, NULL));
			CHECK_INT(stop.why, OVERFLOW_STOPPED);
			interrupt = true;
			if (!row[i].steps)
				CHECK(b.subject.ops->run(b.subject.ctx, 0, &stop, NULL));
			if (row[i].steps)
				CHECK(b.subject.ops->step(b.subject.ctx, &stop, NULL));
			CHECK_INT(stop.why, OVERFLOW_CUT);
			b.subject.ops->end(b.subject.ctx);
			CHECK(no_child_is_left());
		}
		bed_end(&b);
	}
}

/* A stopped command is gone with its task. */
static void
nothing_is_left_of_a_stopped_command(void)
{
	struct bed b;

	if (bed_begin(&b, endless))
		bed_start(&b);
	bed_end(&b);
	CHECK(no_child_is_left());
}

static void
commands_that_cannot_run(void)
{
	struct err e = {0};
	struct bed b;

	if (bed_begin(&b, NULL)) {
		CHECK(!b.subject.ops->start(b.subject.ctx, &e));
		CHECK(strstr(e.what, "No such file or directory"));
		b.subject.ops->end(b.subject.ctx);
		CHECK(no_child_is_left());
	}
	bed_end(&b);
}

TEST_MAIN(CASE(strings_are_one_instruction), CASE(signals_to_hecate_end_the_command),
	CASE(nothing_is_left_of_a_stopped_command), CASE(commands_that_cannot_run))
