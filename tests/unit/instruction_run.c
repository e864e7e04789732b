/* Stacks of instructions for the explorer: a process of its own gives what the same simulation gives here, reports how
 * far it is, and can be ended. What has no instructions is refused before a process is started. */
#include "work/files/instruction_run.h"

#include <poll.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "test.h"

#define LIMIT 60.0 /* seconds until a test gives up */
#define SMALL "sim:core:mcf-like:samples=2,accesses=20000,warm-up=20000"

/* Polls until the end. *progress: µops that were reported on the way. */
static enum instruction_step
wait_for(struct instruction_run *r, uint64_t *progress, struct err *e)
{
	double until = clock_seconds() + LIMIT;

	*progress = 0;
	while (clock_seconds() < until) {
		struct pollfd fd = {.fd = instruction_run_fd(r), .events = POLLIN};
		enum instruction_step step;

		poll(&fd, 1, 100);
		step = instruction_run_poll(r, e);
		*progress = instruction_run_uops(r) > *progress ? instruction_run_uops(r) : *progress;
		if (step == INSTRUCTION_ENDED || step == INSTRUCTION_FAILED)
			return step;
		CHECK(instruction_run_stacks(r) == NULL);
	}
	test_check(false, __FILE__, __LINE__, "no end after %g s", LIMIT);
	return INSTRUCTION_FAILED;
}

static void
check_same(const struct instruction_stacks *got, const struct instruction_stacks *want)
{
	size_t bytes = want->n_parts * sizeof *want->part;

	CHECK_STR(got->title, want->title);
	CHECK_STR(got->machine, want->machine);
	CHECK_STR(got->program, want->program);
	CHECK_INT(got->cycles, want->cycles);
	CHECK_INT(got->uops, want->uops);
	CHECK(memcmp(got->part, want->part, bytes) == 0);
	CHECK_INT(got->n, want->n);
	for (size_t i = 0; i < got->n && i < want->n; i++) {
		const struct instruction_stack *a = &got->item[i], *b = &want->item[i];

		CHECK_INT(a->address, b->address);
		CHECK_STR(a->text, b->text);
		CHECK_INT(a->uops, b->uops);
		CHECK(memcmp(&a->cycles, &b->cycles, sizeof a->cycles) == 0);
		CHECK(memcmp(a->part, b->part, bytes) == 0);
	}
}

static void
another_process_gives_the_same(void)
{
	struct err e = {0};
	uint64_t progress;
	struct instruction_stacks *here = instruction_stacks_new(SMALL, NULL, NULL, NULL, &e);
	struct instruction_run *r = instruction_run_start(SMALL, &e);

	if (test_check(here && r, __FILE__, __LINE__, "%s", e.what)) {
		CHECK_STR(instruction_run_of(r), SMALL);
		CHECK_INT(wait_for(r, &progress, &e), INSTRUCTION_ENDED);
		CHECK(here->n > 100);
		if (CHECK(instruction_run_stacks(r) != NULL))
			check_same(instruction_run_stacks(r), here);
		CHECK_INT(instruction_run_fd(r), -1);
		CHECK_INT(instruction_run_poll(r, &e), INSTRUCTION_GOES_ON); /* it stays as it is */
		CHECK(instruction_run_stacks(r) != NULL);
	}
	instruction_run_free(r);
	instruction_stacks_free(here);
}

/* A program that is watched without an end is simulated as far as any program. */
static void
endless_programs_end(void)
{
	struct err e = {0};
	uint64_t progress;
	struct instruction_run *r = instruction_run_start("sim:core:mcf-like:accesses=5000,endless", &e);

	if (test_check(r != NULL, __FILE__, __LINE__, "%s", e.what)) {
		CHECK_INT(wait_for(r, &progress, &e), INSTRUCTION_ENDED);
		test_check(progress > 500000, __FILE__, __LINE__, "%llu µops reported", (unsigned long long)progress);
		if (CHECK(instruction_run_stacks(r) != NULL))
			CHECK_NEAR((double)instruction_run_stacks(r)->uops, 5000 * 60, 200);
	}
	instruction_run_free(r);
}

/* Ended on the way: nothing waits for its end, which would come after many hours. */
static void
it_can_be_ended(void)
{
	struct err e = {0};
	struct instruction_run *r = instruction_run_start("sim:core:mcf-like:accesses=4000000000", &e);
	enum instruction_step step = INSTRUCTION_GOES_ON;
	double until = clock_seconds() + LIMIT;

	if (!test_check(r != NULL, __FILE__, __LINE__, "%s", e.what))
		return;
	while (step == INSTRUCTION_GOES_ON && clock_seconds() < until) { /* a message may come in two parts */
		struct pollfd fd = {.fd = instruction_run_fd(r), .events = POLLIN};

		poll(&fd, 1, 100);
		step = instruction_run_poll(r, &e);
	}
	CHECK_INT(step, INSTRUCTION_NEWS);
	CHECK(instruction_run_uops(r) > 0);
	CHECK(instruction_run_stacks(r) == NULL);
	instruction_run_free(r);
}

static void
refusals(void)
{
	static const struct {
		const char *of, *what, *hint;
	} no[] = {
		{"sim:haswell", "haswell has no pipeline", "sim:core:mcf-like"},
		{"sim:core:wrong_path:trace:samples=2,accesses=5000,warm-up=0", "names no file",
			"hecate stack --by instruction sim:core --trace FILE"},
		{"sim:haswell:trace,file=x:samples=2", "haswell has no pipeline", "sim:core:mcf-like"},
		{"sim:core:trace,file=none:samples=2", "cannot open none", "FORMAT:FILE"},
		{"sim:core:nothing-like", "nothing-like", ""},
		{"sim:none", "none", ""},
	};

	for (size_t i = 0; i < sizeof no / sizeof *no; i++) {
		struct err e = {0};
		struct instruction_run *r = instruction_run_start(no[i].of, &e);

		CHECK(r == NULL);
		test_check(strstr(e.what, no[i].what) && strstr(e.hint, no[i].hint), __FILE__, __LINE__, "%s: %s; %s",
			no[i].of, e.what, e.hint);
		instruction_run_free(r);
	}
}

TEST_MAIN(CASE(another_process_gives_the_same), CASE(endless_programs_end), CASE(it_can_be_ended), CASE(refusals))
