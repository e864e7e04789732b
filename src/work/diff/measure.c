#include "work/diff/measure.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/str.h"
#include "collect/source.h"
#include "core/spec/spec.h"

/* Counted unless the user names counters. What cannot be counted here is left out without a word. */
static const char *const usual[] = {"page-faults", "major-faults", "context-switches", "cpu-migrations", "task:wait_ns",
	"io:read_bytes", "io:write_bytes", "instructions:u", "cycles:u", "branch-misses:u", "cache-misses:u"};
#define USUAL (sizeof usual / sizeof *usual)

/* Counted in addition: what the host takes, and how long CPUs are idle. */
static const char *const around[] = {"stat:steal_ns", "stat:idle_ns"};
enum { AROUND_STEAL, AROUND_IDLE, AROUND };

static const char *const time_name[MEASURE_TIMES] = {"wall time", "processor time", "user time", "system time"};

#define PADDING_MOST 4096 /* bytes of environment that are added */

struct bench {
	const struct measure_options *options;
	struct measured_diff *out;
	struct event_item *event;
	struct source_counter *counter; /* wanted, then `around` */
	size_t n_counters;
	size_t *quantity; /* n_counters: its quantity; SIZE_MAX: none */
	struct source_keep *keep;
	int null;
	uint64_t random;
	double deadline; /* clock_seconds(); INFINITY: none */
	double waited;   /* seconds that options->before() has taken */
	uint64_t steal_ns, idle_ns;
	double busy, wall; /* seconds: of the runs' processors, of their time */
	size_t cap;
};

/* --- one run ------------------------------------------------------------------------------------------------------ */

enum run_end { RUN_GOOD, RUN_BAD_STATUS, RUN_CUT, RUN_IMPOSSIBLE };

struct run_result {
	double time[MEASURE_TIMES];
	int64_t *count;
	unsigned char *counted;
	int status; /* as a shell shows it */
};

static bool
measure_wait(const struct bench *b, struct source *source, struct source_end *end)
{
	while (!source_all.poll(source, end)) {
		struct pollfd fd = {.fd = source_all.wait_fd(source), .events = POLLIN};

		if (b->options->interrupted()) {
			b->out->interrupted = true;
			return false;
		}
		if (clock_seconds() > b->deadline) {
			b->out->out_of_time = true;
			return false;
		}
		ppoll(&fd, 1, &(struct timespec){.tv_nsec = 100000000}, b->options->during);
	}
	return true;
}

static struct spec_program
setup_of(struct bench *b, enum diff_side side, struct spec_setting *padding, char *text, int *cpu)
{
	size_t n = (size_t)random_below(&b->random, PADDING_MOST);
	struct spec_program setup = {.name = side == DIFF_A ? "A" : "B", .folder = b->options->folder[side]};

	memset(text, 'x', n);
	text[n] = '\0';
	*padding = (struct spec_setting){.name = "HECATE_PADDING", .value = text};
	setup.set = padding;
	setup.n_set = 1;
	if (b->options->cpu >= 0) {
		*cpu = b->options->cpu;
		setup.cores = (struct spec_numbers){.at = cpu, .n = 1};
	}
	return setup;
}

static enum run_end
run_once(struct bench *b, enum diff_side side, bool loud, struct run_result *result, struct err *e)
{
	char text[PADDING_MOST];
	struct spec_setting padding;
	int cpu;
	struct spec_program setup = setup_of(b, side, &padding, text, &cpu);
	struct source_spec spec = {.counter = b->counter,
		.n_counters = b->n_counters,
		.argv = b->options->argv[side],
		.out_fd = b->null,
		.err_fd = loud ? -1 : b->null,
		.no_input = true,
		.own_group = true,
		.setup = &setup,
		.may_count_nothing = true,
		.keep = b->keep};
	struct source *source = source_all.open(&spec, e);
	struct source_end end = {0};
	enum run_end how = RUN_IMPOSSIBLE;

	if (!source)
		return RUN_IMPOSSIBLE;
	if (source_all.start(source, e)) {
		how = measure_wait(b, source, &end) ? RUN_GOOD : RUN_CUT;
		if (how == RUN_GOOD && !source_all.read(source, result->count, result->counted, e))
			how = RUN_IMPOSSIBLE;
	}
	result->time[MEASURE_WALL] = end.seconds;
	result->time[MEASURE_CPU] = end.user + end.system;
	result->time[MEASURE_USER] = end.user;
	result->time[MEASURE_SYSTEM] = end.system;
	result->status = end.signalled ? 128 + end.code : end.code;
	if (how == RUN_GOOD && result->status != 0 && !b->options->any_status)
		how = RUN_BAD_STATUS;
	source_all.close(source);
	return how;
}

/* False and *e: it cannot be run, or fails. */
static bool
measure_prepare(const struct bench *b, struct err *e)
{
	struct source_spec spec = {.argv = b->options->prepare,
		.out_fd = b->null,
		.err_fd = -1,
		.no_input = true,
		.own_group = true,
		.may_count_nothing = true,
		.keep = b->keep};
	struct source *source;
	struct source_end end = {0};
	bool good;

	if (!b->options->prepare)
		return true;
	source = source_all.open(&spec, e);
	good = source && source_all.start(source, e) && measure_wait(b, source, &end);
	if (source)
		source_all.close(source);
	if (good && (end.signalled || end.code)) {
		err_set(e, "--prepare: the command ended %s %d", end.signalled ? "by signal" : "with status", end.code);
		return false;
	}
	return good;
}

/* --- the table ---------------------------------------------------------------------------------------------------- */

static void
table_grow(struct bench *b)
{
	struct diff_table *t = &b->out->table;

	if (t->n_runs + SHIFT_BLOCK <= b->cap)
		return;
	b->cap = b->cap ? 2 * b->cap : 64;
	t->is_b = mem_resize(t->is_b, b->cap, 1);
	for (size_t i = 0; i < t->n; i++)
		t->quantity[i].value = mem_resize(t->quantity[i].value, b->cap, sizeof(double));
}

/* Puts a run into row `at`. */
static void
table_take(struct bench *b, size_t at, enum diff_side side, const struct run_result *r)
{
	struct diff_table *t = &b->out->table;

	t->is_b[at] = side == DIFF_B;
	for (size_t i = 0; i < MEASURE_TIMES; i++)
		t->quantity[i].value[at] = r->time[i];
	for (size_t i = 0; i < b->n_counters; i++)
		if (b->quantity[i] != SIZE_MAX)
			t->quantity[b->quantity[i]].value[at] = r->counted[i] ? (double)r->count[i] : NAN;
	for (size_t i = b->n_counters - AROUND; i < b->n_counters; i++) {
		uint64_t *sum = i - (b->n_counters - AROUND) == AROUND_STEAL ? &b->steal_ns : &b->idle_ns;

		*sum += r->counted[i] && r->count[i] > 0 ? (uint64_t)r->count[i] : 0;
	}
	b->busy += r->time[MEASURE_USER] + r->time[MEASURE_SYSTEM];
	b->wall += r->time[MEASURE_WALL];
}

static void
add_quantity(struct diff_table *t, const char *name, const char *unit, bool is_time)
{
	t->quantity[t->n++] = (struct diff_quantity){.name = name, .unit = unit, .is_time = is_time};
}

/* Opens all counters once, to see which can be counted here. */
static bool
choose_counters(struct bench *b, struct err *e)
{
	const struct measure_options *o = b->options;
	const char *const *want = o->counter ? o->counter : usual;
	size_t n = o->counter ? o->n_counters : USUAL;
	struct source_spec spec = {.argv = o->argv[DIFF_A],
		.out_fd = b->null,
		.err_fd = b->null,
		.no_input = true,
		.own_group = true,
		.may_count_nothing = true,
		.keep = b->keep};
	const struct source_status *status;
	struct source *source;

	b->event = mem_new_array(n + AROUND, sizeof *b->event);
	b->counter = mem_new_array(n + AROUND, sizeof *b->counter);
	b->quantity = mem_new_array(n + AROUND, sizeof *b->quantity);
	for (size_t i = 0; i < n + AROUND; i++) {
		b->event[i].name = i < n ? want[i] : around[i - n];
		b->counter[i] = (struct source_counter){.name = b->event[i].name, .event = &b->event[i], .n_events = 1};
	}
	spec.counter = b->counter;
	spec.n_counters = b->n_counters = n + AROUND;
	source = source_all.open(&spec, e);
	if (!source)
		return false;
	status = source_all.status(source);
	b->out->table.quantity = mem_new_array(MEASURE_TIMES + n, sizeof *b->out->table.quantity);
	for (size_t i = 0; i < MEASURE_TIMES; i++)
		add_quantity(&b->out->table, time_name[i], "s", true);
	b->out->left_out = mem_new_array(n + 1, sizeof *b->out->left_out);
	for (size_t i = 0; i < n + AROUND; i++) {
		b->quantity[i] = SIZE_MAX;
		if (i >= n)
			continue;
		if (status[i].health == OBS_UNSUPPORTED) {
			if (o->counter)
				b->out->left_out[b->out->n_left_out++] = str_format("%s: %s", want[i], status[i].why);
			continue;
		}
		b->quantity[i] = b->out->table.n;
		add_quantity(&b->out->table, want[i], str_ends(want[i], "_ns") ? "ns" : "", str_ends(want[i], "_ns"));
	}
	source_all.close(source);
	return true;
}

/* --- blocks ------------------------------------------------------------------------------------------------------- */

/* One of the six orders, each as likely. */
static void
draw_order(struct bench *b, enum diff_side side[SHIFT_BLOCK])
{
	for (size_t i = 0; i < SHIFT_BLOCK; i++)
		side[i] = i % 2 ? DIFF_B : DIFF_A;
	for (size_t i = SHIFT_BLOCK - 1; i > 0; i--) {
		size_t j = (size_t)random_below(&b->random, i + 1);
		enum diff_side t = side[i];

		side[i] = side[j];
		side[j] = t;
	}
}

/* Waits until the next run may begin. */
static void
wait_for_turn(struct bench *b)
{
	double begin = clock_seconds(), took;

	if (!b->options->before)
		return;
	b->options->before(b->options->ctx);
	took = clock_seconds() - begin;
	b->waited += took;
	b->deadline += took;
}

/* Runs a block. If a run fails, the block is left out. False: it was cut, or cannot be run (*e). */
static bool
run_block(struct bench *b, struct run_result *result, struct err *e)
{
	enum diff_side side[SHIFT_BLOCK];
	bool whole = true;

	draw_order(b, side);
	table_grow(b);
	for (size_t i = 0; i < SHIFT_BLOCK; i++) {
		enum run_end end;

		wait_for_turn(b);
		if (!measure_prepare(b, e))
			return false;
		end = run_once(b, side[i], false, result, e);
		if (end == RUN_CUT || end == RUN_IMPOSSIBLE)
			return false;
		if (end == RUN_BAD_STATUS) {
			b->out->failed[side[i]]++;
			b->out->status[side[i]] = result->status;
			whole = false;
			continue;
		}
		table_take(b, b->out->table.n_runs + i, side[i], result);
		if (b->options->ran)
			b->options->ran(b->options->ctx, &b->out->table, b->out->table.n_runs + i);
	}
	if (whole)
		b->out->table.n_runs += SHIFT_BLOCK;
	return true;
}

/* The runs before the first block. */
static bool
warm_up(struct bench *b, struct run_result *result, struct err *e)
{
	size_t n = b->options->warm_up ? b->options->warm_up : 1;

	for (size_t i = 0; i < 2 * n; i++) {
		enum diff_side side = i % 2 ? DIFF_B : DIFF_A;
		enum run_end end;

		if (!measure_prepare(b, e))
			return false;
		end = run_once(b, side, i < 2, result, e);
		if (end == RUN_BAD_STATUS) {
			err_set(e, "%s ended with status %d in its first run: %s", side == DIFF_A ? "A" : "B",
				result->status, b->options->argv[side][0]);
			return err_hint(e, "--any-status compares runs whatever their status");
		}
		if (end != RUN_GOOD)
			return false;
		if (i < 2)
			b->out->run_seconds[side] = result->time[MEASURE_WALL];
	}
	return true;
}

/* Runs blocks until the end that the options name. */
static bool
run_blocks(struct bench *b, struct run_result *result, struct err *e)
{
	double begin = clock_seconds();
	size_t judged = 0;

	for (size_t n = 0; !b->options->blocks || n < b->options->blocks; n++) {
		double run = b->out->run_seconds[0] + b->out->run_seconds[1];

		if (b->options->interrupted()) {
			b->out->interrupted = true;
			break;
		}
		/* A block that would not end in time is not begun. */
		if (clock_seconds() + 2 * run > b->deadline) {
			b->out->out_of_time = true;
			break;
		}
		if (!run_block(b, result, e)) {
			if (b->out->interrupted || b->out->out_of_time)
				break;
			return false;
		}
		if (n >= 4 && !b->out->table.n_runs) {
			err_set(e, "no block of runs ended well: A failed %zu times, B %zu times", b->out->failed[0],
				b->out->failed[1]);
			return err_hint(e, "--any-status compares runs whatever their status");
		}
		/* Judging takes longer with more blocks; it is done when there is a tenth more. */
		if (b->out->table.n_runs / SHIFT_BLOCK < judged + judged / 10 + 1)
			continue;
		judged = b->out->table.n_runs / SHIFT_BLOCK;
		diff_report_clear(&b->out->report);
		diff_judge(&b->out->table, &b->options->judge, &b->out->report);
		if (b->options->progress)
			b->options->progress(b->options->ctx, &b->out->table, &b->out->report);
		if (!b->options->blocks &&
			diff_is_decided(&b->out->report.found[0], &b->options->judge, b->options->until))
			break;
	}
	b->out->seconds = clock_seconds() - begin - b->waited;
	diff_report_clear(&b->out->report);
	diff_judge(&b->out->table, &b->options->judge, &b->out->report);
	return true;
}

static void
describe_surroundings(struct bench *b)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	double all = b->wall * (double)(cpus > 0 ? cpus : 1);

	if (all <= 0)
		return;
	b->out->steal = (double)b->steal_ns / 1e9 / all;
	b->out->others = fmax(0, all - b->busy - (double)(b->steal_ns + b->idle_ns) / 1e9) / all;
}

bool
measure_diff(const struct measure_options *options, struct measured_diff *out, struct err *e)
{
	struct bench b = {.options = options,
		.out = out,
		.null = open("/dev/null", O_WRONLY | O_CLOEXEC),
		.keep = source_keep_new(),
		.random = clock_ns() | 1,
		.deadline = options->seconds > 0 ? clock_seconds() + options->seconds : INFINITY};
	struct run_result result = {0};
	bool good;

	*out = (struct measured_diff){0};
	(void)!getrandom(&b.random, sizeof b.random, 0);
	good = b.null >= 0 || err_set(e, "cannot open /dev/null: %s", strerror(errno));
	good = good && choose_counters(&b, e);
	if (good) {
		result.count = mem_new_array(b.n_counters, sizeof *result.count);
		result.counted = mem_new_array(b.n_counters, 1);
		good = warm_up(&b, &result, e);
		if (!good && (out->interrupted || out->out_of_time)) {
			err_set(e, "%s before the first runs had ended",
				out->interrupted ? "interrupted" : "the time was over");
			err_hint(e, "%s",
				out->interrupted ? "a run of each command is needed at least"
						 : "--budget 1h allows more time");
		}
		good = good && run_blocks(&b, &result, e);
		describe_surroundings(&b);
	}
	if (good && !out->table.n_runs) {
		good = err_set(e, "no block of four runs was measured");
		err_hint(e, "--budget 1h allows more time");
	}
	free(result.count);
	free(result.counted);
	free(b.event);
	free(b.counter);
	free(b.quantity);
	source_keep_free(b.keep);
	if (b.null >= 0)
		close(b.null);
	if (!good)
		measured_diff_clear(out);
	return good;
}

void
measured_diff_clear(struct measured_diff *m)
{
	for (size_t i = 0; i < m->table.n; i++)
		free(m->table.quantity[i].value);
	free(m->table.quantity);
	free(m->table.is_b);
	for (size_t i = 0; i < m->n_left_out; i++)
		free(m->left_out[i]);
	free(m->left_out);
	diff_report_clear(&m->report);
	*m = (struct measured_diff){0};
}
