/* A test bed for a simulated core: a machine whose times are easy to work out, µops one by one, and their counts. */
#ifndef TESTS_LIB_SIM_BED_H
#define TESTS_LIB_SIM_BED_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/core.h"
#include "sim/workload.h"

/* One µop takes a cycle. A walk of four references, none of them cached, takes 5 + 4 × 200 cycles. Before
 * bed_begin() tests may change the copy in their bed. */
extern const struct sim_machine bed_machine;

#define BED_BASE ((uint64_t)1 << 40)

struct bed {
	struct sim_machine machine;
	struct sim_memory memory; /* 1 TB of touched 4 KB pages at BED_BASE, unless a test changes it */
	sim_plants plants;
	struct sim_core *core;
	uint64_t seen[SIM_N_COUNTS];
};

#define PLANT(p) ((sim_plants)1 << SIM_PLANT_##p)

void bed_init(struct bed *, enum sim_page, sim_plants);
void bed_begin(struct bed *); /* called again it begins with an empty core */
void bed_end(struct bed *);

/* Runs one µop. `at` counts from BED_BASE. */
void bed_load(struct bed *, uint64_t at, int flags);
void bed_store(struct bed *, uint64_t at, int flags);
void bed_drain(struct bed *);
void bed_warm(struct bed *, uint64_t at); /* one load, whose counts are not compared */
/* The same for n loads, each `stride` bytes after the last. */
void bed_loads(struct bed *, uint64_t at, int64_t stride, size_t n);

/* Compares what was counted since the last comparison with "LOAD_RET 2, REF_MEM 4, TRUE_MERGED 1": names of enum
 * sim_event without SIM_. A count that is not named must be 0. Cycles, instructions and data are compared only where
 * they are named. */
bool bed_counts(struct bed *, const char *want, const char *file, int line);
#define COUNTS(bed, want) bed_counts((bed), (want), __FILE__, __LINE__)

const char *bed_event(int event); /* its name in bed_counts() */

#endif
