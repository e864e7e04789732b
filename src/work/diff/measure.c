#include "work/diff/measure.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/random.h"
#include "collect/process/programs.h"
#include "collect/source.h"
#include "work/diff/bench.h"

#define BLOCKS_AT_LEAST 4
#define EXPLAIN_SECONDS 5.0 /* an explanation may take so long, or as long as the comparison */

/* --- blocks ------------------------------------------------------------------------------------------------------- */

void
bench_draw_order(struct bench *b, enum diff_side side[SHIFT_BLOCK])
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
run_block(struct bench *b, struct bench_result *result, struct err *e)
{
	enum diff_side side[SHIFT_BLOCK];
	bool whole = true;

	bench_draw_order(b, side);
	bench_grow(b);
	for (size_t i = 0; i < SHIFT_BLOCK; i++) {
		enum bench_end end;

		wait_for_turn(b);
		if (!bench_prepare(b, e))
			return false;
		end = bench_run(b, side[i], false, result, e);
		if (end == BENCH_CUT || end == BENCH_IMPOSSIBLE)
			return false;
		if (end == BENCH_BAD_STATUS) {
			b->out->failed[side[i]]++;
			b->out->status[side[i]] = result->status;
			whole = false;
			continue;
		}
		bench_take(b, b->out->table.n_runs + i, side[i], result);
		if (b->options->ran)
			b->options->ran(b->options->ctx, &b->out->table, b->out->table.n_runs + i);
	}
	if (whole)
		b->out->table.n_runs += SHIFT_BLOCK;
	return true;
}

/* The runs before the first block. */
static bool
warm_up(struct bench *b, struct bench_result *result, struct err *e)
{
	size_t n = b->options->warm_up ? b->options->warm_up : 1;

	for (size_t i = 0; i < 2 * n; i++) {
		enum diff_side side = i % 2 ? DIFF_B : DIFF_A;
		struct dirent **before = NULL;
		size_t n_before = 0;
		enum bench_end end;

		if (!bench_prepare(b, e))
			return false;
		if (i < 2)
			before = bench_files(b, side, &n_before);
		end = bench_run(b, side, i < 2, result, e);
		if (i < 2 && end != BENCH_IMPOSSIBLE)
			bench_note_files(b, side, before, n_before);
		bench_files_free(before, n_before);
		if (end == BENCH_BAD_STATUS) {
			err_set(e, "%s ended with status %d in its first run: %s", side == DIFF_A ? "A" : "B",
				result->status, b->options->argv[side][0]);
			return bench_hint_failure(b, e);
		}
		if (end != BENCH_GOOD)
			return false;
		if (i < 2)
			b->out->run_seconds[side] = result->time[MEASURE_WALL];
	}
	return true;
}

void
measured_diff_find_moved(struct measured_diff *m, const struct diff_rule *rule)
{
	free(m->moved);
	m->moved = mem_new_array(m->table.n, sizeof *m->moved);
	diff_find_moved(&m->table, &m->report, rule, MEASURE_TIMES, m->moved);
}

/* Where a difference comes from. */
static void
explain_difference(struct bench *b)
{
	struct measured_diff *m = b->out;
	enum diff_answer answer = m->report.found[0].answer;

	measured_diff_find_moved(m, &b->options->judge);
	if ((answer == DIFF_MORE || answer == DIFF_LESS) && !m->interrupted)
		bench_explain(b, fmin(fmax(EXPLAIN_SECONDS, m->seconds), b->deadline - clock_seconds()));
}

/* Runs blocks until the end that the options name. */
static bool
run_blocks(struct bench *b, struct bench_result *result, struct err *e)
{
	double begin = clock_seconds();
	size_t judged = 0;
	bool decided;

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
			return bench_hint_failure(b, e);
		}
		/* Judging takes longer with more blocks; it is done when there is a tenth more. */
		if (b->out->table.n_runs / SHIFT_BLOCK < judged + judged / 10 + 1)
			continue;
		judged = b->out->table.n_runs / SHIFT_BLOCK;
		diff_report_clear(&b->out->report);
		diff_judge(&b->out->table, &b->options->judge, &b->out->report);
		if (b->options->progress)
			b->options->progress(b->options->ctx, &b->out->table, &b->out->report);
		decided = diff_is_decided(&b->out->report.found[0], &b->options->judge, b->options->until);
		if (decided && b->options->explained && !b->out->moved) {
			explain_difference(b);
			b->options->explained(b->options->ctx, b->out);
		}
		if (decided && !b->options->blocks)
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
	double all = b->wall * (double)b->cpus;

	if (all <= 0)
		return;
	b->out->steal = b->sum[BENCH_STEAL] / all;
	b->out->others =
		fmax(0, all - b->busy - b->sum[BENCH_STEAL] - b->sum[BENCH_IDLE] - b->sum[BENCH_IO_IDLE]) / all;
}

/* The first runs took so long that no block was begun. False. */
static bool
say_too_short(const struct measured_diff *m, struct err *e)
{
	/* an answer needs so many blocks at least, at the default confidence */
	double pair = m->run_seconds[DIFF_A] + m->run_seconds[DIFF_B], needed = pair * (1 + 2 * BLOCKS_AT_LEAST);

	err_set(e, "the first run of A took %.2g s, that of B %.2g s: no time was left for a block of four runs",
		m->run_seconds[DIFF_A], m->run_seconds[DIFF_B]);
	if (needed < 60)
		return err_hint(e, "an answer needs %zu runs at least: --budget %.0fs", BLOCKS_AT_LEAST * SHIFT_BLOCK,
			ceil(needed));
	return err_hint(e, "an answer needs %zu runs at least: --budget %.0fm", BLOCKS_AT_LEAST * SHIFT_BLOCK,
		ceil(needed / 60));
}

static bool
cpus_fit(const struct measure_options *options, struct err *e)
{
	struct spec_program program = {.name = "A", .cores = options->cpus, .times = 1};

	return !options->cpus.n || programs_fit(&(struct profile_spec){.program = &program, .n_programs = 1}, e);
}

bool
measure_diff(const struct measure_options *options, struct measured_diff *out, struct err *e)
{
	struct bench b = {.options = options,
		.out = out,
		.null = open("/dev/null", O_WRONLY | O_CLOEXEC),
		.keep = source_keep_new(),
		.random = clock_ns() | 1,
		.cpus = sysconf(_SC_NPROCESSORS_ONLN),
		.deadline = options->seconds > 0 ? clock_seconds() + options->seconds : INFINITY};
	struct bench_result result = {0};
	bool good;

	*out = (struct measured_diff){.random_layout = !options->same_environment};
	bench_find_folders(&b);
	(void)!getrandom(&b.random, sizeof b.random, 0);
	good = b.null >= 0 || err_set(e, "cannot open /dev/null: %s", strerror(errno));
	good = good && cpus_fit(options, e) && bench_choose(&b, e);
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
		if (good && out->table.n_runs && !out->moved)
			explain_difference(&b);
	}
	if (good && !out->table.n_runs) {
		good = say_too_short(out, e);
	}
	free(result.count);
	free(result.counted);
	free(b.pwd[DIFF_A]);
	free(b.pwd[DIFF_B]);
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
diff_quantity_clear(struct diff_quantity *q)
{
	free(q->value);
	free(q->stated);
	free(q->exact_by);
}

static void
table_clear(struct diff_table *t)
{
	for (size_t i = 0; i < t->n; i++)
		diff_quantity_clear(&t->quantity[i]);
	free(t->quantity);
	free(t->is_b);
}

void
measured_why_clear(struct measured_why *why)
{
	table_clear(&why->table);
	diff_report_clear(&why->report);
	free(why->failure);
	*why = (struct measured_why){0};
}

void
measured_diff_clear(struct measured_diff *m)
{
	table_clear(&m->table);
	measured_why_clear(&m->why);
	measured_why_clear(&m->stack);
	free(m->moved);
	for (size_t i = 0; i < MEASURE_AROUND; i++)
		free(m->around[i]);
	free(m->left_behind[DIFF_A]);
	free(m->left_behind[DIFF_B]);
	for (size_t i = 0; i < m->n_left_out; i++)
		free(m->left_out[i]);
	free(m->left_out);
	diff_report_clear(&m->report);
	*m = (struct measured_diff){0};
}
