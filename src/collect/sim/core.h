/* A simulated core with its MMU and caches: µops in, true counts out. One pass in program order: what happens when is
 * computed as times, not cycle by cycle.
 *
 * Structures hold entries that are ready at a time; an entry that is not ready yet is a miss. So fills in flight,
 * merged requests and early lookups come about by themselves. Nothing in here knows a µDD: counts rise from what
 * structures do. */
#ifndef COLLECT_SIM_CORE_H
#define COLLECT_SIM_CORE_H

#include <stddef.h>
#include <stdint.h>

#include "collect/sim/event.h"
#include "collect/sim/machine.h"
#include "collect/sim/uop.h"

struct sim_memory;
struct sim_core;

/* The machine must outlive it, and be one that sim_machine_parse() lets through (a level of cache or a table may be
 * missing). The memory is copied. */
struct sim_core *sim_core_new(const struct sim_machine *, sim_plants, const struct sim_memory *);
void sim_core_free(struct sim_core *);

void sim_core_run(struct sim_core *, const struct sim_uop *, size_t n);
/* All µops in flight end: counts of µops that have begun are whole. */
void sim_core_drain(struct sim_core *);
/* SIM_N_COUNTS running totals; valid while the core lives. SIM_CYCLES is up to date after each run. */
const uint64_t *sim_core_counts(const struct sim_core *);
/* Features may change while it runs: contents of structures stay. */
void sim_core_plant(struct sim_core *, sim_plants);

/* Where each µop went, for tests: called for each µop when it is over, with what it counted; NULL: nobody. A prefetch
 * is counts before the µop that asked for it. */
struct sim_uop_counts {
	const struct sim_uop *uop; /* NULL: a prefetch */
	unsigned char count[SIM_N_EVENTS]; /* not of cycles */
};
void sim_core_observe(struct sim_core *, void (*report)(void *ctx, const struct sim_uop_counts *), void *ctx);

#endif
