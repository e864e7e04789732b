/* µops a second that readers of traces make: `make bench-traces`. A simulation must not wait for them. Processor time
 * of the best of some rounds. Arguments are files with real traces, which are read too. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "bench.h"
#include "sim/trace/gzip.h"
#include "sim/trace/op_trace.h"

#define BATCH 8192
#define ROUNDS 5
#define INSTRUCTIONS 1000000

/* An ALU instruction, a load, and a branch that is taken each other time, again and again. */
static void
write_champsim(FILE *f, unsigned i)
{
	unsigned char r[64] = {0};

	r[0] = (unsigned char)(4 * (i % 3));
	r[2] = 0x40;
	r[10] = 10;
	r[12] = 8;
	if (i % 3 == 1)
		memcpy(r + 32, &(unsigned){0x5000 + i}, sizeof i);
	if (i % 3 == 2) {
		r[8] = 1;
		r[9] = i & 1;
		r[10] = r[12] = 26;
		r[13] = 25;
	}
	fwrite(r, sizeof r, 1, f);
}

static void
write_cbp(FILE *f, unsigned i)
{
	static const unsigned char alu[] = {0, 2, 1, 2, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0},
		load[] = {1, 0, 0x50, 0, 0, 0, 0, 0, 0, 8, 0, 1, 1, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0},
		taken[] = {3, 1, 0, 0, 0x40, 0, 0, 0, 0, 0, 1, 64, 0}, not_taken[] = {3, 0, 1, 64, 0};
	unsigned char pc[8] = {(unsigned char)(4 * (i % 3)), 0, 0x40};

	fwrite(pc, sizeof pc, 1, f);
	if (i % 3 == 0)
		fwrite(alu, sizeof alu, 1, f);
	else if (i % 3 == 1)
		fwrite(load, sizeof load, 1, f);
	else if (i & 1)
		fwrite(taken, sizeof taken, 1, f);
	else
		fwrite(not_taken, sizeof not_taken, 1, f);
}

static void
write_lackey(FILE *f, unsigned i)
{
	if (i % 3 == 2)
		fprintf(f, "I  %08x,2\n", 0x400008);
	else
		fprintf(f, i % 3 ? "I  %08x,4\n L %08x,8\n" : "I  %08x,4\n", 0x400000 + 4 * (i % 3), 0x5000 + i);
}

static int
make_trace(void (*write_one)(FILE *, unsigned))
{
	int fd = memfd_create("trace", MFD_CLOEXEC);
	FILE *f = fdopen(dup(fd), "w");

	for (unsigned i = 0; f && i < INSTRUCTIONS; i++)
		write_one(f, i);
	if (!f || fclose(f) != 0) {
		perror("bench/traces: a trace cannot be written");
		exit(1);
	}
	return fd;
}

/* Returns the compressed copy of a file. */
static int
compressed(int fd)
{
	int to = memfd_create("gzip", MFD_CLOEXEC);
	struct sim_gzip *z = sim_gzip_new(to);
	static char piece[65536];
	ssize_t n;

	lseek(fd, 0, SEEK_SET);
	while ((n = read(fd, piece, sizeof piece)) > 0)
		sim_gzip_add(z, piece, (size_t)n);
	sim_gzip_end(z);
	sim_gzip_free(z);
	return to;
}

static void
read_trace(const char *what, int fd, double reach)
{
	static struct sim_op op[BATCH];
	double best = 1e9, uops = 0;

	for (int round = 0; round < ROUNDS; round++) {
		struct err e = {0};
		struct sim_stream *s;
		double begin = bench_processor_seconds(), took;
		size_t got = SIZE_MAX;

		uops = 0;
		if (lseek(fd, 0, SEEK_SET) == 0 && (s = sim_op_trace_open(fd, &e))) {
			while ((got = sim_stream_fill(s, op, BATCH, &e)) != 0 && got != SIZE_MAX)
				uops += (double)got;
			sim_stream_free(s);
		}
		if (got == SIZE_MAX) {
			fprintf(stderr, "%s: %s\n", what, e.what);
			exit(1);
		}
		took = bench_processor_seconds() - begin;
		best = took < best ? took : best;
	}
	bench_print_rate(what, uops / best, "µops", reach);
}

int
main(int argc, char **argv)
{
	static const struct {
		const char *name, *gzip;
		void (*write_one)(FILE *, unsigned);
		double reach; /* million µops a second */
	} rows[] = {
		{"champsim", "champsim, gzip", write_champsim, 10},
		{"cbp", "cbp, gzip", write_cbp, 10},
		{"lackey", "lackey, gzip", write_lackey, 2},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int fd = make_trace(rows[i].write_one), small = compressed(fd);

		read_trace(rows[i].name, fd, rows[i].reach);
		read_trace(rows[i].gzip, small, 0);
		close(fd);
		close(small);
	}
	for (int i = 1; i < argc; i++)
		read_trace(argv[i], open(argv[i], O_RDONLY | O_CLOEXEC), 0);
	return 0;
}
