/* What hecate diff costs: `make bench-diff-cost` prints bench/printed/diff-cost.txt.
 *
 *   diff_cost [RUNS [DRAWN]]    runs that are watched for memory: of a program (10000); drawn, in steps (100000)
 *
 * Before each run that hecate measures, this program runs the same command by posix_spawn(3) and wait4(2), so that what
 * others do to the machine meets both. */
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/str.h"
#include "bench.h"
#include "made_runs.h"
#include "test.h"
#include "work/diff/bench.h"

extern char **environ;

static const struct diff_rule rule = {.confidence = 0.99, .threshold = 0.01};

static bool
never(void)
{
	return false;
}

static void
measure(struct measure_options *o, struct measured_diff *out)
{
	sigset_t mask;
	struct err e = {0};

	sigprocmask(SIG_SETMASK, NULL, &mask);
	o->during = &mask;
	o->interrupted = never;
	o->judge = rule;
	if (measure_diff(o, out, &e))
		return;
	fprintf(stderr, "diff_cost: %s\n", e.what);
	exit(1);
}

/* --- a run -------------------------------------------------------------------------------------------------------- */

enum { BARE, BARE_CPU, WHOLE, OWN, SAID, SAID_CPU, ADDED, COLUMNS };

struct beside {
	char *const *argv;
	posix_spawn_file_actions_t quiet;
	double *v[COLUMNS]; /* by run, seconds */
	double wall, cpu;   /* of the last bare run */
	double began, own;  /* of this run: clock_seconds(), processor time of this process */
	size_t n;
};

static double
seconds_of(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static void
run_bare(void *ctx)
{
	struct beside *b = ctx;
	double from = clock_seconds();
	struct rusage used;
	int status;
	pid_t pid;

	if (posix_spawn(&pid, b->argv[0], &b->quiet, NULL, b->argv, environ) != 0 ||
		wait4(pid, &status, 0, &used) != pid)
		exit(1);
	b->wall = clock_seconds() - from;
	b->cpu = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
	b->own = clock_process_seconds();
	b->began = clock_seconds();
}

static void
take_run(void *ctx, const struct diff_table *table, size_t row)
{
	struct beside *b = ctx;
	double v[COLUMNS] = {[BARE] = b->wall,
		[BARE_CPU] = b->cpu,
		[WHOLE] = clock_seconds() - b->began,
		[OWN] = clock_process_seconds() - b->own,
		[SAID] = table->quantity[MEASURE_WALL].value[row],
		[SAID_CPU] = table->quantity[MEASURE_CPU].value[row]};

	v[ADDED] = v[WHOLE] - v[BARE];
	for (int i = 0; i < COLUMNS; i++)
		b->v[i][b->n] = v[i];
	b->n++;
}

static void
overhead(char *kind, long amount, size_t blocks)
{
	char *program = test_program("work"), *n = str_format("%ld", amount);
	char *argv[] = {program, kind, n, NULL};
	struct beside b = {.argv = argv};
	struct measure_options o = {
		.argv = {argv, argv}, .blocks = blocks, .before = run_bare, .ran = take_run, .ctx = &b};
	struct measured_diff m;
	double median[COLUMNS];

	posix_spawn_file_actions_init(&b.quiet);
	for (int fd = 0; fd < 3; fd++)
		posix_spawn_file_actions_addopen(&b.quiet, fd, "/dev/null", O_RDWR, 0);
	for (int i = 0; i < COLUMNS; i++)
		b.v[i] = mem_new_array(blocks * SHIFT_BLOCK, sizeof(double));
	measure(&o, &m);
	for (int i = 0; i < COLUMNS; i++)
		median[i] = bench_median(b.v[i], b.n);
	printf("| %s %ld | %zu | %.2f ms | %.2f ms | %.2f ms | %.2f ms | %.3f | %.2f ms | %.3f |\n", kind, amount, b.n,
		1e3 * median[BARE], 1e3 * median[WHOLE], 1e3 * median[ADDED], 1e3 * median[OWN],
		median[SAID] / median[BARE], 1e3 * median[BARE_CPU], median[SAID_CPU] / median[BARE_CPU]);
	fflush(stdout);
	for (int i = 0; i < COLUMNS; i++)
		free(b.v[i]);
	posix_spawn_file_actions_destroy(&b.quiet);
	measured_diff_clear(&m);
	free(program);
	free(n);
}

static void
overheads(void)
{
	printf("A run, in the median: by posix_spawn and wait4; by hecate, from one run's end to the next one's; the "
	       "median difference of neighbours;\nprocessor time of hecate itself; the wall time that hecate states "
	       "over that of the bare run; and the same for processor time.\n\n"
	       "| work | runs | bare | hecate | longer | hecate's own | wall, ratio | processor, bare | ratio |\n"
	       "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
	overhead((char[]){"instructions"}, 0, 100);
	overhead((char[]){"instructions"}, 4000000, 50);
	overhead((char[]){"instructions"}, 50000000, 12);
	overhead((char[]){"faults"}, 5000, 50);
	overhead((char[]){"sleep"}, 20000, 25);
}

/* --- the first answer --------------------------------------------------------------------------------------------- */

struct first {
	double began, answered;
	size_t pairs;
};

static void
watch_first(void *ctx, const struct diff_table *table, const struct diff_report *report)
{
	struct first *f = ctx;

	if (report->found[0].answer != DIFF_MORE || f->pairs)
		return;
	f->answered = clock_seconds() - f->began;
	f->pairs = table->n_runs / 2;
}

static void
first_answer(char *kind, long amount)
{
	char *program = test_program("work");
	char *n[2] = {str_format("%ld", amount), str_format("%ld", amount + amount / 10)};
	char *argv[2][4] = {{program, kind, n[0], NULL}, {program, kind, n[1], NULL}};
	struct first f = {.began = clock_seconds()};
	struct measure_options o = {.argv = {argv[0], argv[1]}, .seconds = 60, .progress = watch_first, .ctx = &f};
	struct measured_diff m;

	measure(&o, &m);
	printf("\n10 %% more %s in a program of %.2f s: the first answer after %.1f s, %zu pairs.\n", kind,
		m.run_seconds[0], f.answered, f.pairs);
	fflush(stdout);
	measured_diff_clear(&m);
	free(program);
	free(n[0]);
	free(n[1]);
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

struct grown {
	size_t next;
	double began;
};

static size_t
descriptors(void)
{
	size_t n = 0;

	for (int fd = 0; fd < 1024; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

static void
watch_memory(void *ctx, const struct diff_table *table, size_t row)
{
	struct grown *g = ctx;

	if (row + 1 < g->next)
		return;
	g->next *= 2;
	printf("| %zu | %zu | %.1f | %zu | %.2f ms |\n", row + 1, table->n, bench_megabytes(), descriptors(),
		1e3 * (clock_seconds() - g->began) / (double)(row + 1));
	fflush(stdout);
}

static void
memory(size_t runs)
{
	char *program = test_program("work"), kind[] = "instructions", none[] = "0";
	char *argv[] = {program, kind, none, NULL};
	struct grown g = {.next = 500, .began = clock_seconds()};
	struct measure_options o = {.argv = {argv, argv}, .blocks = runs / SHIFT_BLOCK, .ran = watch_memory, .ctx = &g};
	struct measured_diff m;

	printf("\nMemory while a program that does nothing is compared with itself:\n\n"
	       "| runs | quantities | MB | descriptors | a run, with its judgement |\n"
	       "| --- | --- | --- | --- | --- |\n");
	measure(&o, &m);
	measured_diff_clear(&m);
	free(program);
}

static double
most_megabytes(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return (double)used.ru_maxrss / 1024;
}

/* The table of a comparison filled with drawn values, and judged when it has doubled. Before anything that takes more
 * memory. */
static void
memory_drawn(size_t runs)
{
	enum { QUANTITIES = MEASURE_TIMES + 12, COUNTERS = QUANTITIES - MEASURE_TIMES };
	struct measured_diff m = {0};
	struct bench b = {.out = &m, .n_counters = COUNTERS};
	struct made_noise_state noise[QUANTITIES] = {0};
	struct bench_result run = {.count = mem_new_array(COUNTERS, sizeof *run.count),
		.counted = mem_new_array(COUNTERS, 1)};
	double before = bench_megabytes(), most_before = most_megabytes();
	size_t next = runs / 8;
	uint64_t seed = 3;

	m.table.quantity = mem_new_array(QUANTITIES, sizeof *m.table.quantity);
	m.table.n = QUANTITIES;
	b.quantity = mem_new_array(COUNTERS, sizeof *b.quantity);
	for (size_t i = 0; i < QUANTITIES; i++)
		m.table.quantity[i] = (struct diff_quantity){.name = "drawn", .unit = ""};
	for (size_t i = 0; i < COUNTERS; i++) {
		b.quantity[i] = MEASURE_TIMES + i;
		run.counted[i] = 1;
	}
	printf("Memory with runs whose values are drawn, judged at each line:\n\n"
	       "| runs | quantities | MB kept | MB while they are judged |\n| --- | --- | --- | --- |\n");
	while (m.table.n_runs < runs) {
		unsigned char order[SHIFT_BLOCK];

		made_order(order, &seed);
		bench_grow(&b);
		for (size_t i = 0; i < SHIFT_BLOCK; i++) {
			for (size_t q = 0; q < QUANTITIES; q++) {
				double v = exp(0.01 * made_noise(&noise[q], q % 2 ? MADE_SKEWED : MADE_SLOW, &seed));

				if (q < MEASURE_TIMES)
					run.time[q] = v;
				else
					run.count[q - MEASURE_TIMES] = llround(1e6 * v);
			}
			bench_take(&b, m.table.n_runs + i, order[i] ? DIFF_B : DIFF_A, &run);
		}
		m.table.n_runs += SHIFT_BLOCK;
		if (m.table.n_runs < next && m.table.n_runs < runs)
			continue;
		next *= 2;
		diff_report_clear(&m.report);
		diff_judge(&m.table, &rule, &m.report);
		printf("| %zu | %d | %.1f | %.1f |\n", m.table.n_runs, QUANTITIES, bench_megabytes(),
			before + most_megabytes() - most_before);
		fflush(stdout);
	}
	measured_diff_clear(&m);
	free(b.quantity);
	free(run.count);
	free(run.counted);
}

/* --- judging ------------------------------------------------------------------------------------------------------ */

/* The least of three, since others use the machine. */
static double
judge_seconds(const struct diff_table *table,
	void judge(const struct diff_table *, const struct diff_rule *, struct diff_report *))
{
	double best = INFINITY;

	for (int i = 0; i < 3; i++) {
		double from = clock_process_seconds();
		struct diff_report report;

		judge(table, &rule, &report);
		best = fmin(best, clock_process_seconds() - from);
		diff_report_clear(&report);
	}
	return best;
}

static void
judged(size_t runs, size_t n)
{
	struct diff_quantity *quantity = mem_new_array(n, sizeof *quantity);
	struct diff_table table = {.n_runs = runs, .is_b = mem_new_array(runs, 1), .quantity = quantity, .n = n};
	double drawn, recorded, before = bench_megabytes();
	uint64_t seed = 3;

	for (size_t i = 0; i < runs; i += SHIFT_BLOCK)
		made_order(table.is_b + i, &seed);
	for (size_t q = 0; q < n; q++) {
		struct made_noise_state state = {0};

		quantity[q] = (struct diff_quantity){
			.name = "time", .unit = "s", .is_time = true, .value = mem_new_array(runs, sizeof(double))};
		for (size_t i = 0; i < runs; i++)
			quantity[q].value[i] = exp(0.01 * made_noise(&state, q % 2 ? MADE_SKEWED : MADE_SLOW, &seed));
	}
	drawn = judge_seconds(&table, diff_judge);
	recorded = judge_seconds(&table, diff_judge_recorded);
	printf("| %zu | %zu | %.0f ms | %.0f ms | %.1f |\n", runs, n, 1e3 * drawn, 1e3 * recorded,
		bench_megabytes() - before);
	fflush(stdout);
	for (size_t q = 0; q < n; q++)
		free(quantity[q].value);
	free(quantity);
	free(table.is_b);
}

int
main(int argc, char **argv)
{
	int64_t runs = 10000, drawn = 100000;

	if ((argc > 1 && (!str_to_i64(argv[1], &runs) || runs < 4)) ||
		(argc > 2 && (!str_to_i64(argv[2], &drawn) || drawn < 32))) {
		fprintf(stderr, "usage: diff_cost [RUNS [DRAWN]]\n");
		return 2;
	}
	printf("make bench-diff-cost: what hecate diff costs (docs/diff.md).\n\n");
	memory_drawn((size_t)drawn);
	printf("\nRuns judged, processor time: as drawn "
	       "by hecate; as recorded by others; and the memory that the runs take.\n\n"
	       "| runs | quantities | drawn | recorded | MB |\n| --- | --- | --- | --- | --- |\n");
	judged(10000, 1);
	judged(10000, 10);
	judged(100000, 1);
	printf("\n");
	overheads();
	memory((size_t)runs);
	first_answer((char[]){"sleep"}, 1000000);
	return 0;
}
