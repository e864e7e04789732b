#include "overflow.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "collect/perf/overflow.h"
#include "collect/workload/overflow_task.h"
#include "machine.h"
#include "test.h"

#define OVERFLOWS_MOST 400
#define PATIENCE_S 60

struct overflow_bed {
	char *argv[2];
	const char *event;
	sigset_t during;
	struct overflow_task *task;
};

static bool
never(void)
{
	return false;
}

void
overflow_bed_free(struct overflow_bed *b)
{
	if (!b)
		return;
	overflow_task_free(b->task);
	free(b->argv[0]);
	free(b);
}

struct overflow_bed *
overflow_bed_new(const char *program, const char *event)
{
	struct overflow_bed *b = mem_new(sizeof *b);
	struct source_status why = {0};
	struct event_code code;
	struct err e = {0};
	bool good;

	b->argv[0] = mem_str(program);
	b->event = event;
	sigemptyset(&b->during);
	b->task = overflow_task_new(&(struct overflow_task_spec){.argv = b->argv, .during = &b->during,
		.interrupted = never, .world = machine_world()}, &e);
	good = b->task && event_by_name(event, machine_world(), &code, &why) && perf_overflow_limit(&code, &why);
	if (good) {
		overflow_task_choose(b->task, &code, 0, PATIENCE_S);
		return b;
	}
	test_check(false, __FILE__, __LINE__, "%s: %s%s", event, e.what, why.why);
	overflow_bed_free(b);
	return NULL;
}

struct overflow_subject
overflow_bed_subject(struct overflow_bed *b)
{
	return overflow_task_subject(b->task);
}

bool
overflow_bed_measure(struct overflow_bed *b, uint64_t period, struct overflow_skid *k)
{
	struct overflow_subject s = overflow_task_subject(b->task);
	struct err e = {0};

	if (!overflow_measure(&s, period, OVERFLOWS_MOST, k, &e))
		return test_check(false, __FILE__, __LINE__, "%s of %s: %s", b->event, b->argv[0], e.what);
	printf("# overflows: %s of %s, period %llu: %llu stops, skid %lld, %.1f, %lld of %llu; %llu periods without a "
		"stop; total %llu\n", b->event, b->argv[0], (unsigned long long)period,
		(unsigned long long)k->overflows, (long long)k->least, k->median, (long long)k->most,
		(unsigned long long)k->measured, (unsigned long long)k->missed, (unsigned long long)k->total);
	return true;
}
