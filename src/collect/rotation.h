/* A random schedule for events that need more counters than the PMU has.
 *
 * The kernel rotates groups at a fixed tick. If a program's period is close to the time of a whole rotation, or to a
 * multiple of it, each group always sees the same part of the period. Counts scaled by enabled / running are then wrong
 * by as much as the parts differ. The error is the same in every row, so no row shows it.
 *
 * Here the events form sets that each fit the PMU. The sets take turns, in an order drawn anew for each round, and each
 * turn has a random length. So a set sees every part of a period equally often, whatever the period is.
 *
 * This code knows neither a clock nor a PMU. The simulated PMU and perf's rotator (collect/perf/rotator.h) both follow
 * the schedule. docs/rotation.md reports the measured effect. */
#ifndef COLLECT_ROTATION_H
#define COLLECT_ROTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/fit/sets.h"
#include "core/obs/source_data.h"

/* mean length of a turn: the kernel's tick (PERF_CPU_HRTIMER, perf_event_mux_interval_ms) */
#define ROTATION_TURN_NS 4000000

struct rotation_turn {
	size_t set;
	uint64_t ns;
};

/* The schedule. Each round contains every set once, in random order. The length of a turn is uniform between 0.5 and
 * 1.5 times the mean. The same seed gives the same turns. */
struct rotation;
struct rotation *rotation_new(size_t n_sets, uint64_t mean_ns, uint64_t seed);
void rotation_free(struct rotation *);
struct rotation_turn rotation_next(struct rotation *);

#endif
