/* Turns of events that need more counters than there are. The kernel rotates groups at a fixed tick. A program whose
 * period is the time of a whole rotation, or a multiple of it, or nearly, then shows each group the same part of what
 * it does, and counts that are scaled up by enabled / running are wrong by as much as the parts differ, in every row
 * alike: no row shows it. Here the events make sets of which each fits the PMU, the sets take turns in an order that is
 * drawn anew for each round, and each turn has a length that is drawn. Then a set meets every part of a period equally
 * often, whatever the period is.
 *
 * Pure: nothing here knows a clock or a PMU. The simulated PMU and perf's rotator (collect/perf/rotator.h) both
 * follow it. docs/rotation.md has the measured effect. */
#ifndef COLLECT_ROTATION_H
#define COLLECT_ROTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/obs/rotation.h"

/* mean length of a turn: the kernel's tick (PERF_CPU_HRTIMER, perf_event_mux_interval_ms) */
#define ROTATION_TURN_NS 4000000

/* Units (events, or groups of them) in sets; a unit may be in several. */
struct rotation_sets {
	size_t n_units, n;
	unsigned char *has; /* n × n_units */
};

/* Can these units, by number, be on counters at once? */
struct rotation_room {
	bool (*fits)(void *ctx, const size_t *unit, size_t n);
	void *ctx;
};

/* In order: a set takes units until one does not fit, which begins the next set; what then still fits into a set
 * joins it, so that no counter idles. Each unit must fit alone. Free with rotation_sets_free(). */
struct rotation_sets rotation_sets_new(size_t n_units, const struct rotation_room *);
void rotation_sets_free(struct rotation_sets *);

struct rotation_turn {
	size_t set;
	uint64_t ns;
};

/* The schedule: each round has every set once, in an order that is drawn; a turn is uniformly distributed between
 * half of the mean and one and a half of it. The same seed gives the same turns. */
struct rotation;
struct rotation *rotation_new(size_t n_sets, uint64_t mean_ns, uint64_t seed);
void rotation_free(struct rotation *);
struct rotation_turn rotation_next(struct rotation *);

#endif
