/* A probe on a simulated core: the time of a pass at each pressure. Addresses are translated at once, and instructions
 * always hit, as for a probe with huge pages and a warm loop. A footprint of code goes through the first instruction
 * cache, below which all accesses hit, or with small pages through the TLB of instructions. */
#ifndef SIM_PROBE_RUN_H
#define SIM_PROBE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/event.h"
#include "sim/machine.h"

struct curve;
struct probe;

/* Appends a point for each x of the probe, in cycles for each pass, or for each line of a footprint. The same machine
 * gives the same curve. `hear` (may be NULL) gets each new point, and ends the probe by false. The machine must have a
 * pipeline. False: the probe took more than `most` cycles, where a series of cycles that are alike counts as one; the
 * curve has the points before. */
bool sim_probe_run(const struct sim_machine *, sim_plants, const struct probe *, uint64_t most,
	bool (*hear)(void *ctx, const struct curve *), void *ctx, struct curve *);

/* Appends to curve[i], at each x of the curve `at`, the count of event[i] in a pass of the fill, or for each line of a
 * footprint. `go_on` (may be NULL) ends it by false. Returns false as above. */
bool sim_probe_count(const struct sim_machine *, sim_plants, const struct probe *, uint64_t most,
	const struct curve *at, const enum sim_event *event, size_t n, bool (*go_on)(void *ctx), void *ctx,
	struct curve *curve);

#endif
