/* Where the time of two commands goes: further runs, in blocks of random order, whose tasks are recorded. They are no
 * part of the comparison, because recording costs time. */
#include "work/diff/bench.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/tasktime_source.h"

#define BLOCKS_MOST ((size_t)12)
#define BLOCKS_FEWEST ((size_t)6) /* so that intervals can have bounds */

static const char *const part_name[MEASURE_PARTS] = {[MEASURE_RUNNING] = "running",
	[MEASURE_FAULTS] = "handling page faults",
	[MEASURE_READY] = "waiting for a CPU",
	[MEASURE_STORAGE] = "waiting for storage",
	[MEASURE_LOCKS] = "waiting at locks (futex)",
	[MEASURE_KERNEL] = "blocked in the kernel",
	[MEASURE_SLEEP] = "asleep (timers, input, children)"};

static const int part_of[TASKTIME_CLASSES] = {[TASKTIME_ON_CPU] = MEASURE_RUNNING,
	[TASKTIME_FAULT_CPU] = MEASURE_FAULTS,
	[TASKTIME_FAULT_IO] = MEASURE_STORAGE,
	[TASKTIME_BLOCK_IO] = MEASURE_STORAGE,
	[TASKTIME_BLOCKED] = MEASURE_KERNEL,
	[TASKTIME_FAULT_UNKNOWN] = MEASURE_KERNEL,
	[TASKTIME_BLOCKED_UNKNOWN] = MEASURE_KERNEL,
	[TASKTIME_FUTEX] = MEASURE_LOCKS,
	[TASKTIME_SLEEP] = MEASURE_SLEEP,
	[TASKTIME_SLEEP_UNKNOWN] = MEASURE_SLEEP,
	[TASKTIME_ASLEEP] = MEASURE_SLEEP,
	[TASKTIME_STOPPED] = MEASURE_SLEEP,
	[TASKTIME_PREEMPTED] = MEASURE_READY,
	[TASKTIME_WOKEN] = MEASURE_READY,
	[TASKTIME_UNKNOWN] = -1};

/* Adds the tasks of a window. NAN: parts that this kind of recording does not distinguish. */
static void
parts_take(const struct tasktime_source_window *w, enum tasktime_source_variant variant, double part[MEASURE_PARTS])
{
	const struct tasktime_row *first = NULL;
	size_t tasks = 0;

	for (size_t i = 0; i < MEASURE_PARTS; i++)
		part[i] = 0;
	for (size_t r = 0; r < w->n; r++) {
		const struct tasktime_row *row = &w->row[r].row;
		const struct tasktime_coarse *c = &w->row[r].coarse;

		if (row->kernel)
			continue;
		tasks++;
		if (!first || row->from_ns < first->from_ns)
			first = row;
		if (variant == TASKTIME_SOURCE_COUNTERS) {
			part[MEASURE_RUNNING] += (double)c->run_ns;
			part[MEASURE_READY] += (double)c->wait_ns;
			part[MEASURE_STORAGE] += (double)c->io_ns;
			part[MEASURE_SLEEP] += (double)c->sleep_ns;
		} else {
			for (int k = 0; k < TASKTIME_CLASSES; k++)
				if (part_of[k] >= 0)
					part[part_of[k]] += (double)row->ns[k];
		}
	}
	for (int k = 0; k < TASKTIME_CLASSES; k++)
		if (part_of[k] >= 0 && variant != TASKTIME_SOURCE_COUNTERS)
			part[part_of[k]] += (double)w->rest.ns[k];
	for (int k = 0; k < TASKTIME_CLASSES; k++)
		if (part_of[k] == MEASURE_SLEEP && tasks > 1 && variant != TASKTIME_SOURCE_COUNTERS)
			part[MEASURE_SLEEP] -= (double)first->ns[k];
	for (size_t i = 0; i < MEASURE_PARTS; i++)
		part[i] /= 1e9;
	if (variant == TASKTIME_SOURCE_COUNTERS)
		part[MEASURE_FAULTS] = part[MEASURE_LOCKS] = part[MEASURE_KERNEL] = NAN;
}

/* A source that records nothing. While it is open, others open and close fast. NULL: there is none. */
static struct tasktime_source *
open_idle(void)
{
	pid_t own = getpid();
	struct err ignored = {0};
	const struct tasktime_source_spec spec = {.pid = &own, .n_pids = 1, .only_threads = true, .ring_kb = 64};

	return tasktime_source_open(&spec, &ignored);
}

static bool
explain_run(struct bench *b, enum diff_side side, const struct tasktime_source *like, double part[MEASURE_PARTS],
	struct err *e)
{
	struct bench_setup setup;
	struct tasktime_source_spec spec = {.argv = b->options->argv[side],
		.out_fd = b->null,
		.err_fd = b->null,
		.setup = &setup.program,
		.no_input = true,
		.own_group = true,
		.like = like};
	struct tasktime_source *source;
	struct tasktime_source_window window;
	int status;
	bool good;

	bench_set_up(b, side, &setup, NULL);
	source = tasktime_source_open(&spec, e);
	good = source && tasktime_source_start(source, e);
	while (good && !tasktime_source_ended(source, &status)) {
		good = bench_goes_on(b, tasktime_source_wait_fd(source));
		tasktime_source_pump(source);
	}
	if (good) {
		tasktime_source_window(source, true, &window);
		good = window.believed || err_set(e, "%s", window.why);
	}
	if (good)
		parts_take(&window, tasktime_source_variant(source), part);
	tasktime_source_free(source);
	return good;
}

/* Records a block. False: it was cut, or *e. */
static bool
explain_block(struct bench *b, const struct tasktime_source *like, struct diff_table *t, struct err *e)
{
	enum diff_side side[SHIFT_BLOCK];

	bench_draw_order(b, side);
	for (size_t i = 0; i < SHIFT_BLOCK; i++) {
		double part[MEASURE_PARTS];

		if (!bench_prepare(b, e) || !explain_run(b, side[i], like, part, e))
			return false;
		t->is_b[t->n_runs + i] = side[i] == DIFF_B;
		for (size_t k = 0; k < MEASURE_PARTS; k++)
			t->quantity[k].value[t->n_runs + i] = part[k];
	}
	t->n_runs += SHIFT_BLOCK;
	return true;
}

void
measured_why_begin(struct measured_why *why, size_t runs)
{
	struct diff_table *t = &why->table;

	t->is_b = mem_new_array(runs, 1);
	t->quantity = mem_new_array(MEASURE_PARTS, sizeof *t->quantity);
	for (; t->n < MEASURE_PARTS; t->n++)
		t->quantity[t->n] = (struct diff_quantity){.name = part_name[t->n],
			.unit = "s",
			.is_time = true,
			.value = mem_new_array(runs, sizeof(double))};
}

void
bench_explain(struct bench *b, double seconds)
{
	struct measured_why *why = &b->out->why;
	struct diff_table *t = &why->table;
	struct tasktime_source *like = open_idle();
	struct err e = {0};
	double begin = clock_seconds(), block = 2 * (b->out->run_seconds[DIFF_A] + b->out->run_seconds[DIFF_B]);

	if (block * (double)BLOCKS_FEWEST > seconds) {
		tasktime_source_free(like);
		return;
	}
	measured_why_begin(why, BLOCKS_MOST * SHIFT_BLOCK);
	for (size_t n = 0; n < BLOCKS_MOST && clock_seconds() - begin + block < seconds; n++) {
		double then = clock_seconds();

		if (!explain_block(b, like, t, &e))
			break;
		block = clock_seconds() - then;
	}
	tasktime_source_free(like);
	if (*e.what)
		why->failure = mem_str(e.what);
	diff_judge(t, &b->options->judge, &why->report);
}
