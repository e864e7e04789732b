/* A probe on a simulated core: the time of a pass at each pressure. Addresses are translated at once, and instructions
 * always hit: what a probe with huge pages and a warm loop sees. */
#ifndef COLLECT_SIM_PROBE_RUN_H
#define COLLECT_SIM_PROBE_RUN_H

#include <stdbool.h>

#include "collect/sim/machine.h"

struct curve;
struct probe;

/* Appends a point for each x of the probe, in cycles for each pass, or for each load of a footprint. The same machine
 * gives the same curve. `hear` gets the curve after each new point, and ends the probe by false; it may be NULL. False:
 * it was stopped, and the curve has the points so far. The machine has a pipeline. */
bool sim_probe_run(const struct sim_machine *, sim_plants, const struct probe *,
	bool (*hear)(void *ctx, const struct curve *), void *ctx, struct curve *);

#endif
