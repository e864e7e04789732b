/* A simulated machine as a source: a thread simulates, rows come out at the pace of the interval. */
#ifndef COLLECT_SIM_SOURCE_SIM_H
#define COLLECT_SIM_SOURCE_SIM_H

#include <stddef.h>

#include "collect/sim/run.h"
#include "collect/source.h"

/* Its open() knows no machine and refuses: source_sim_open() is told one. */
extern const struct source_ops source_sim;

/* With an interval: a row of `how` each interval_ms of the clock, or as fast as it can be simulated; after `samples`
 * rows it ends by itself (0: it does not). Without: these rows together are the totals, and all counters count all of
 * the time. Machine and workload must stay until close(). NULL and *e as sim_sampler_new(). */
struct source *source_sim_open(
	const struct source_spec *, const struct sim_run_spec *how, size_t samples, struct err *e);

#endif
