/* Overflows of the virtual PMU: a simulated core whose program stops late by a planted number of counts. It can be the
 * subject of collect/overflow.h, so that a measured skid can be compared with the planted one.
 *
 * Each µop of the workload that accesses memory is an instruction; wrong paths and other µops are left out. */
#ifndef SIM_OVERFLOW_H
#define SIM_OVERFLOW_H

#include <stddef.h>
#include <stdint.h>

#include "collect/overflow.h"
#include "sim/machine.h"
#include "sim/pmu.h"

struct err;

struct sim_overflow_spec {
	const struct sim_machine *machine;
	const char *workload;       /* "random:footprint=1M" */
	uint64_t length;            /* instructions until the program ends */
	enum sim_event event;
	const struct sim_lie *lie;  /* as in struct sim_pmu_spec */
	size_t n_lies;
	uint64_t skid_least, skid_most; /* every skid in between is equally likely, in counts */
	unsigned lose;              /* one in this many overflows stops nothing; 0: none */
	/* seed of the program, which is the same in each run, of the skids, and of what differs between runs: the time
	 * at which a run begins, and with it the interrupts */
	uint64_t seed;
};

struct sim_overflow;

/* Makes a core whose counter overflows. The machine and the lies of the spec must outlive it. Returns NULL and sets *e
 * on an unknown workload, or an event that can never be counted. */
struct sim_overflow *sim_overflow_new(const struct sim_overflow_spec *, struct err *e);
void sim_overflow_free(struct sim_overflow *);
struct overflow_subject sim_overflow_subject(struct sim_overflow *);

/* Skids that were drawn in the last run, in order. */
const uint64_t *sim_overflow_skids(const struct sim_overflow *, size_t *n);
uint64_t sim_overflow_lost(const struct sim_overflow *); /* overflows of the last run that stopped nothing */
/* Truth of the last run: instructions so far, the event's exact count, and timer interrupts. */
uint64_t sim_overflow_instructions(const struct sim_overflow *);
uint64_t sim_overflow_exact(const struct sim_overflow *);
uint64_t sim_overflow_interrupts(const struct sim_overflow *);

#endif
