/* Accesses a second of the simulated Haswell: `make bench-sim`. Only the core is timed: µops are made before. Processor
 * time of the best of many short rounds, on an idle machine, because other users slow it down. `bench/sim TEXT` runs
 * the workloads with TEXT in their names; a second argument is the number of batches in a round. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "bench.h"
#include "sim/core.h"
#include "sim/suite.h"
#include "sim/workload.h"
#include "test.h"
#include "text/diag.h"

#define BATCH 8192
#define ROUNDS 40
#define SUITE_ROUNDS 4
#define SUITE_REACH 15

static const struct row {
	const char *workload;
	double reach; /* million a second; 0: none of its own */
} rows[] = {
	{"linear:footprint=1G", 30},
	{"linear:footprint=1G,stride=8", 30},
	{"linear:footprint=1G,stride=-64,loads=0.75", 30},
	{"linear:footprint=64G,touched=0", 30},
	{"linear:footprint=16G,stride=4K", 0},
	{"linear:footprint=4G,page=2m", 30},
	{"stream:footprint=4G", 0},
	{"zipf:footprint=1G", 15},
	{"zipf:footprint=64G,page=2m", 15},
	{"random:footprint=4G", 8},
	{"random:footprint=600G", 8},
	{"random:footprint=64G,touched=0", 0},
	{"random:footprint=64G,page=2m", 0},
	{"random:footprint=600G,page=1g", 0},
	{"gups:footprint=4G", 0},
	{"chase:footprint=4G", 0},
	{"graph:footprint=4G", 0},
	{"branchy", 0},
	{"code", 0},
};

static double
round_of(struct sim_workload *w, struct sim_core *c, struct sim_uop *batch, size_t batches, double *accesses)
{
	double took = 0, begin;
	struct err e;

	*accesses = 0;
	for (size_t b = 0; b < batches; b++) {
		size_t n = sim_workload_fill(w, batch, BATCH, &e);

		begin = bench_processor_seconds();
		sim_core_run(c, batch, n);
		took += bench_processor_seconds() - begin;
		*accesses += (double)n;
	}
	return took;
}

/* Accesses of the workload a second. */
static double
measure(const struct sim_machine *m, const char *text, int rounds, size_t batches, struct sim_uop *batch)
{
	struct err e;
	struct sim_workload *w = sim_workload_new(text, 1, &e);
	struct sim_core *c;
	double best = 0;

	if (!w) {
		fprintf(stderr, "%s: %s\n", text, e.what);
		exit(1);
	}
	c = sim_core_new(m, m->has, sim_workload_memory(w));
	for (int round = 0; round < rounds; round++) {
		double accesses, took = round_of(w, c, batch, batches, &accesses);

		if (round && accesses / took > best) /* the first warms up */
			best = accesses / took;
	}
	sim_core_free(c);
	sim_workload_free(w);
	return best;
}

/* As many accesses of each workload of the suite. */
static void
suite(const struct sim_machine *m, struct sim_uop *batch)
{
	unsigned long n;
	char *text = test_read("../models/suites/mmu.suite", &n), what[64];
	struct sim_suite s = {0};
	struct err e = {0};
	double each = 0;

	if (!text || !sim_suite_parse(&s, "mmu.suite", text, n, &e)) {
		fprintf(stderr, "mmu.suite: %s\n", e.what);
		exit(1);
	}
	for (size_t i = 0; i < s.n; i++)
		each += 1 / measure(m, s.workload[i], SUITE_ROUNDS, 16, batch);
	snprintf(what, sizeof what, "suite mmu, %zu workloads", s.n);
	bench_print_rate(what, (double)s.n / each, "accesses", SUITE_REACH);
	sim_suite_free(&s);
	free(text);
}

int
main(int argc, char **argv)
{
	unsigned long n;
	char *text = test_read("../models/machines/haswell.machine", &n);
	struct diags d = {0};
	struct sim_machine *m = text ? sim_machine_parse("haswell.machine", text, n, NULL, &d) : NULL;
	struct sim_uop *batch = mem_new_array(BATCH, sizeof *batch);

	if (!m)
		return 1;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double rate;

		if (argc > 1 && !strstr(rows[i].workload, argv[1]))
			continue;
		rate = measure(m, rows[i].workload, ROUNDS, argc > 2 ? (size_t)atoi(argv[2]) : 16, batch);
		bench_print_rate(rows[i].workload, rate, "accesses", rows[i].reach);
	}
	if (argc == 1 || strstr("suite", argv[1]))
		suite(m, batch);
	free(batch);
	sim_machine_free(m);
	diags_free(&d);
	free(text);
	return 0;
}
