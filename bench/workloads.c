/* µops a second that workloads of the simulated machine make, and records a second read from a memory trace: `make
 * bench-workloads`. A simulation must not wait for them. Processor time of the best of many short rounds. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "bench.h"
#include "sim/workload.h"

#define BATCH 8192
#define BATCHES 64
#define ROUNDS 30
#define RECORDS 2000000

static const struct row {
	const char *workload;
	double reach; /* million a second; 0: none of its own */
} rows[] = {
	{"linear", 100}, {"linear:stride=-64,loads=0.9", 0}, {"linear:wrong=0.01,clears=0.01", 0}, {"lines", 0},
		{"random", 0}, {"random:loads=0.5,store_depends=0.5", 0}, {"chase", 0},
	{"chase:footprint=600G", 0}, {"stream", 0}, {"gups", 0}, {"zipf", 0}, {"zipf:footprint=600G", 0},
		{"graph", 0}, {"branchy", 0}, {"code", 0}, {"linear+random", 0},
};

static void
write_uops(const struct row *r, struct sim_uop *batch)
{
	struct err e;
	struct sim_workload *w = sim_workload_new(r->workload, 1, &e);
	double best = 1e9;

	if (!w) {
		fprintf(stderr, "%s: %s\n", r->workload, e.what);
		exit(1);
	}
	for (int round = 0; round < ROUNDS; round++) {
		double begin = bench_processor_seconds(), took;

		for (int b = 0; b < BATCHES; b++)
			sim_workload_fill(w, batch, BATCH, &e);
		took = bench_processor_seconds() - begin;
		best = took < best ? took : best;
	}
	bench_print_rate(r->workload, (double)BATCH * BATCHES / best, "µops", r->reach);
	sim_workload_free(w);
}

/* Two instructions and an access, again and again. */
static int
trace(void)
{
	int fd = memfd_create("trace", MFD_CLOEXEC);
	FILE *f = fdopen(dup(fd), "w");

	for (int i = 0; f && i < RECORDS; i++)
		fprintf(f, i % 3 < 2 ? "I  %08x,3\n" : " L %08x,8\n", 0x401000 + 8 * i);
	if (!f || fclose(f) != 0) {
		perror("bench/workloads: a trace cannot be written");
		exit(1);
	}
	return fd;
}

static void
read_records(struct sim_uop *batch)
{
	int fd = trace();
	double best = 1e9;

	for (int round = 0; round < 5; round++) {
		struct err e = {0};
		struct sim_workload *w;
		double begin = bench_processor_seconds(), took;
		size_t got;

		if (lseek(fd, 0, SEEK_SET) != 0)
			exit(1);
		w = sim_workload_trace(fd, NULL, &e);
		do
			got = sim_workload_fill(w, batch, BATCH, &e);
		while (got != 0 && got != SIZE_MAX);
		took = bench_processor_seconds() - begin;
		best = took < best ? took : best;
		sim_workload_free(w);
	}
	bench_print_rate("a trace", RECORDS / best, "records", 0);
	close(fd);
}

int
main(void)
{
	struct sim_uop *batch = mem_new_array(BATCH, sizeof *batch);

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		write_uops(&rows[i], batch);
	read_records(batch);
	free(batch);
	return 0;
}
