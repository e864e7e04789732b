/* Accesses a second of the simulated Haswell: `make bench-sim`. The core's time only: µops are made before it. Time of the processor, of the best of a few rounds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/str.h"
#include "collect/sim/core.h"
#include "collect/sim/workload.h"
#include "core/lang/diag.h"
#include "test.h"

#define BATCH 8192
#ifndef BATCHES
#define BATCHES 128
#endif
#ifndef ROUNDS
#define ROUNDS 5
#endif

enum shape { LINEAR, RANDOM, ZIPF, CHASE, BRANCHY, PAIRS };

static const struct row {
	const char *name;
	enum shape shape;
	enum sim_page page;
	bool touched;
	uint64_t bytes;
	int stride;
	unsigned stores;  /* of 8 accesses */
	double reach;     /* million a second; 0: none */
} rows[] = {
	{"linear, stride 64, 4 KB pages, 1 GB", LINEAR, SIM_4K, true, 1ull << 30, 64, 0, 30},
	{"linear, stride 8, 4 KB pages, 1 GB", LINEAR, SIM_4K, true, 1ull << 30, 8, 0, 30},
	{"linear, stride -64, stores, 4 KB pages, 1 GB", LINEAR, SIM_4K, true, 1ull << 30, -64, 2, 30},
	{"linear, stride 64, fresh 4 KB pages, 64 GB", LINEAR, SIM_4K, false, 64ull << 30, 64, 0, 30},
	{"linear, stride 4096, 4 KB pages, 16 GB", LINEAR, SIM_4K, true, 16ull << 30, 4096, 0, 0},
	{"zipf, 4 KB pages, 4 GB", ZIPF, SIM_4K, true, 4ull << 30, 0, 1, 15},
	{"zipf, 2 MB pages, 64 GB", ZIPF, SIM_2M, true, 64ull << 30, 0, 1, 15},
	{"random, 4 KB pages, 4 GB", RANDOM, SIM_4K, true, 4ull << 30, 0, 0, 8},
	{"random, 4 KB pages, 600 GB", RANDOM, SIM_4K, true, 600ull << 30, 0, 2, 8},
	{"random, fresh 4 KB pages, 600 GB", RANDOM, SIM_4K, false, 600ull << 30, 0, 2, 0},
	{"random, 2 MB pages, 64 GB", RANDOM, SIM_2M, true, 64ull << 30, 0, 0, 8},
	{"random, 1 GB pages, 600 GB", RANDOM, SIM_1G, true, 600ull << 30, 0, 0, 8},
	{"pointer chase, 4 KB pages, 4 GB", CHASE, SIM_4K, true, 4ull << 30, 0, 0, 8},
	{"index and data, 4 KB pages, 16 GB", PAIRS, SIM_4K, true, 16ull << 30, 0, 0, 8},
	{"branchy, 4 KB pages, 4 GB", BRANCHY, SIM_4K, true, 4ull << 30, 0, 1, 8},
};

struct maker {
	const struct row *row;
	struct sim_memory memory;
	uint64_t seed, i;
	double zeta, eta; /* of Gray et al., "Quickly generating billion-record synthetic databases", SIGMOD 1994 */
};

#define THETA 0.99
#define VALUE 1024 /* bytes of a key's value */

static void
maker_init(struct maker *k, const struct row *r)
{
	double n = (double)r->bytes / VALUE;

	*k = (struct maker){.row = r, .seed = 1, .memory = {.base = 1ull << 40, .bytes = r->bytes, .page = r->page, .touched = r->touched}};
	/* The sum of 1/i^θ: exact to 1000, then the integral. */
	for (int i = 1; i <= 1000; i++)
		k->zeta += pow(i, -THETA);
	k->zeta += (pow(n, 1 - THETA) - pow(1000.5, 1 - THETA)) / (1 - THETA);
	k->eta = (1 - pow(2 / n, 1 - THETA)) / (1 - (1 + pow(2, -THETA)) / k->zeta);
}

static uint64_t
zipf(struct maker *k)
{
	double n = (double)k->row->bytes / VALUE, u = test_uniform(&k->seed), uz = u * k->zeta;
	uint64_t key = uz < 1 ? 0 : uz < 1 + pow(0.5, THETA) ? 1 : (uint64_t)(n * pow(k->eta * u - k->eta + 1, 1 / (1 - THETA)));

	return key * 0x9e3779b97f4a7c15 % (k->row->bytes / VALUE) * VALUE + test_random(&k->seed) % VALUE;
}

static struct sim_uop
make(struct maker *k)
{
	const struct row *r = k->row;
	uint64_t i = k->i++, offset = 0;
	struct sim_uop u = {.other = 2, .size = 8, .kind = i % 8 < r->stores ? SIM_STORE : SIM_LOAD};

	switch (r->shape) {
	case LINEAR:
		offset = r->stride > 0 ? i * (uint64_t)r->stride % r->bytes : (r->bytes - 64 - i * (uint64_t)-r->stride % r->bytes) % r->bytes;
		break;
	case RANDOM:
		offset = test_random(&k->seed) % r->bytes & ~7ull;
		break;
	case ZIPF:
		offset = zipf(k);
		break;
	case CHASE:
		offset = test_random(&k->seed) % r->bytes & ~63ull;
		u.flags = SIM_DEPENDS;
		break;
	case PAIRS: /* an index from an array, and what it points to */
		offset = i % 2 ? r->bytes / 16 + test_random(&k->seed) % (r->bytes / 16 * 15) : i * 4 % (r->bytes / 16);
		u.flags = i % 2 ? SIM_DEPENDS : 0;
		break;
	case BRANCHY: /* of 16, one mispredicts, and four of a wrong path follow */
		offset = test_random(&k->seed) % r->bytes & ~7ull;
		u.flags = i % 16 == 3 ? SIM_MISPREDICT : i % 16 > 3 && i % 16 < 8 ? SIM_WRONG : 0;
		break;
	}
	u.at = k->memory.base + offset;
	return u;
}

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double
measure(const struct sim_machine *m, sim_plants plants, const struct row *r, struct sim_uop *batch)
{
	struct maker k;
	struct sim_core *c;
	double best = 0;

	maker_init(&k, r);
	c = sim_core_new(m, plants, &k.memory);
	for (int round = 0; round < ROUNDS; round++) {
		double took = 0, begin;

		for (int b = 0; b < BATCHES; b++) {
			for (int i = 0; i < BATCH; i++)
				batch[i] = make(&k);
			begin = seconds();
			sim_core_run(c, batch, BATCH);
			took += seconds() - begin;
		}
		if (round && (best == 0 || took < best)) /* the first warms up */
			best = took;
	}
	sim_core_free(c);
	return best;
}

int
main(int argc, char **argv)
{
	unsigned long n;
	char *text = test_read("../models/machines/haswell.machine", &n);
	struct diags d = {0};
	struct sim_machine *m = text ? sim_machine_parse("haswell.machine", text, n, &d) : NULL;
	struct sim_uop *batch = mem_new_array(BATCH, sizeof *batch);
	double total = 0;
	size_t done = 0;

	if (!m)
		return 1;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double took, rate;

		if (argc > 1 && !strstr(rows[i].name, argv[1]))
			continue;
		took = measure(m, m->has, &rows[i], batch);
		rate = BATCH * BATCHES / took / 1e6;
		printf("%-48s %6.1f million/s", rows[i].name, rate);
		if (rows[i].reach > 0)
			printf("   reach %2.0f   %s", rows[i].reach, rate >= rows[i].reach ? "yes" : "NO");
		printf("\n");
		total += took;
		done++;
	}
	if (done > 1) {
		double rate = (double)done * BATCH * BATCHES / total / 1e6;

		printf("%-48s %6.1f million/s   reach 15   %s\n", "all of them, the same number of accesses each", rate, rate >= 15 ? "yes" : "NO");
	}
	free(batch);
	sim_machine_free(m);
	diags_free(&d);
	free(text);
	return 0;
}
