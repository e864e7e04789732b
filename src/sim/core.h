/* A simulated core with its MMU and caches: it takes µops and keeps exact counts. It works in one pass in program
 * order, and computes times rather than stepping through cycles.
 *
 * Entries of all structures have a ready time; an entry that is not ready yet misses. Fills in flight, merged requests
 * and early lookups follow from that. The core knows no µDD: its counts rise from what the structures do. */
#ifndef SIM_CORE_H
#define SIM_CORE_H

#include <stddef.h>
#include <stdint.h>

#include "sim/event.h"
#include "sim/machine.h"
#include "sim/uop.h"

struct sim_memory;
struct sim_core;

/* Makes a core. The machine must outlive it, and be one that sim_machine_parse() accepts (cache levels or tables may be
 * missing). `memory` is copied. */
struct sim_core *sim_core_new(const struct sim_machine *, sim_plants, const struct sim_memory *);
void sim_core_free(struct sim_core *);

void sim_core_run(struct sim_core *, const struct sim_uop *, size_t n);
/* Lets all µops in flight finish, so that the counts of every begun µop are complete. */
void sim_core_drain(struct sim_core *);
/* Returns SIM_N_COUNTS running totals, valid as long as the core. SIM_CYCLES is current after each call of
 * sim_core_run(). */
const uint64_t *sim_core_counts(const struct sim_core *);
/* Changes the features while the core runs; caches and TLBs keep their contents. */
void sim_core_plant(struct sim_core *, sim_plants);

/* For tests: `observer` is called after each µop with what it counted; NULL: no reports. A prefetch is reported before
 * the µop that triggered it. */
struct sim_uop_counts {
	const struct sim_uop *uop; /* NULL: a prefetch */
	unsigned char count[SIM_N_EVENTS]; /* counts of all events except cycles */
};
void sim_core_observe(struct sim_core *, void (*observer)(void *ctx, const struct sim_uop_counts *), void *ctx);

#endif
