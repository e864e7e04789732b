/* A simulated machine as a source: a thread simulates; rows appear at the pace of the interval. */
#ifndef SIM_SOURCE_SIM_H
#define SIM_SOURCE_SIM_H

#include <stddef.h>

#include "collect/source.h"
#include "sim/row_maker.h"
#include "sim/run.h"

/* Its open() always fails, because it has no machine: use source_sim_open(). */
extern const struct source_ops source_sim;

/* Opens a source for the run `how`. With an interval: a row every interval_ms of the clock, or as fast as rows can be
 * simulated; the source ends after `samples` rows (0: never). Without an interval: the sum of these rows is the total,
 * and all counters count all of the time. Machine and workload must stay until close(). NULL and *e as
 * sim_sampler_new(). */
struct source *
source_sim_open(const struct source_spec *, const struct sim_run_spec *how, size_t samples, struct err *e);

/* The same for another machine. Takes over the maker, also on failure. */
struct source *source_sim_open_maker(const struct source_spec *, struct sim_row_maker, size_t samples, struct err *e);

#endif
