/* µops a second of a simulated pipeline, with caches, MMU, wrong paths and all methods of accounting: `make
 * bench-pipe`. Processor time; each program for itself, after a warm-up; the least of some rounds, as others may use
 * the machine. */
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "bench.h"
#include "sim/pipeline/pipe.h"
#include "sim/program/program.h"
#include "work/files/simulation.h"

#define WARM_UP 500000u
#define UOPS 2000000u
#define BATCH 4096u
#define ROUNDS 3
#define PROGRAMS 12 /* those with the character of SPECint come first */

/* Runs n µops. */
static void
run(struct sim_pipe *p, struct sim_stream *s, size_t n)
{
	static struct sim_op op[BATCH];
	struct err e;

	for (size_t done = 0; done < n;) {
		size_t got = sim_stream_fill(s, op, BATCH, &e);

		sim_pipe_run(p, op, got);
		done += got;
	}
}

/* Returns the µops a second of a program; *megabytes becomes the most memory so far. */
static double
rate_of(const struct sim_machine *m, const char *name, double *megabytes)
{
	double best = 0;

	for (int i = 0; i < ROUNDS; i++) {
		struct err e = {0};
		struct sim_stream *s = sim_program_new(name, 1, &e);
		struct sim_pipe *p = sim_pipe_new(m, m->has, 0);
		double begin, rate;

		run(p, s, WARM_UP);
		begin = bench_processor_seconds();
		run(p, s, UOPS);
		rate = UOPS / (bench_processor_seconds() - begin);
		best = rate > best ? rate : best;
		*megabytes = bench_megabytes() > *megabytes ? bench_megabytes() : *megabytes;
		sim_pipe_free(p);
		sim_stream_free(s);
	}
	return best;
}

int
main(void)
{
	struct simulation how;
	struct err e = {0};
	double time = 0, megabytes = 0;

	if (!simulation_load("core", NULL, &how, &e)) {
		fprintf(stderr, "pipe: %s\n", e.what);
		return 2;
	}
	for (size_t i = 0; i < PROGRAMS; i++) {
		double rate = rate_of(how.machine, sim_program_name(i), &megabytes);

		time += 1 / rate;
		bench_print_rate(sim_program_name(i), rate, "uops", 5);
	}
	bench_print_rate("all of them", PROGRAMS / time, "uops", 5);
	printf("the evaluation, %d programs, 11 runs of 2 M uops each: %.0f s of processor time, reach 360\n", PROGRAMS,
		PROGRAMS * 11 * 2e6 / (PROGRAMS / time));
	printf("memory: %.1f MB\n", megabytes);
	simulation_free(&how);
	return 0;
}
