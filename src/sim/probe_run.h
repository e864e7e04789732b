/* A probe on a simulated core: the time of a pass at each pressure. Addresses are translated at once, and instructions
 * always hit: what a probe with huge pages and a warm loop sees. A footprint of code goes through the first instruction
 * cache, beyond which all hits, or with small pages through the TLB of instructions. */
#ifndef SIM_PROBE_RUN_H
#define SIM_PROBE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/event.h"
#include "sim/machine.h"

struct curve;
struct probe;

/* Appends a point for each x of the probe, in cycles for each pass, or for each line of a footprint. The same machine
 * gives the same curve. `hear` gets each new point, and ends the probe by false; NULL: nobody. The machine has a
 * pipeline. False: it took more than `most` cycles, of which those that are alike are one; the curve has the points
 * before. */
bool sim_probe_run(const struct sim_machine *, sim_plants, const struct probe *, uint64_t most,
	bool (*hear)(void *ctx, const struct curve *), void *ctx, struct curve *);

/* Appends to curve[i] what event[i] of n counts in a pass of the fill, or for each line of a footprint, at each x of
 * the curve `at`. `go_on` ends it by false; NULL: nobody. False as above. */
bool sim_probe_count(const struct sim_machine *, sim_plants, const struct probe *, uint64_t most,
	const struct curve *at, const enum sim_event *event, size_t n, bool (*go_on)(void *ctx), void *ctx,
	struct curve *curve);

#endif
