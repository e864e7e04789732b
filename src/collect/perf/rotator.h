/* Who has a turn now, and when it ends: the part of user-space rotation that knows neither a clock nor perf. Units
 * are enabled and disabled by a function of the caller's, so that a test can count with its own. */
#ifndef COLLECT_PERF_ROTATOR_H
#define COLLECT_PERF_ROTATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/rotation.h"

/* Each so many turns every unit is switched to what it should be, not only those that change: others (execve(2),
 * whoever holds the command ready) enable events, too. */
#define ROTATOR_SETTLES 16

struct rotator_spec {
	struct rotation_sets sets; /* the rotator's from now on */
	uint64_t mean_ns, seed;
	void (*enable)(void *ctx, size_t unit, bool on);
	void *ctx;
};

struct rotator;
struct rotator *rotator_new(const struct rotator_spec *);
void rotator_free(struct rotator *);

/* If the turn has ended: those of the set before are disabled, then those of the next set enabled. The turn begins
 * when this is called, however late that is, so that no lateness of one turn is taken off the next. Returns when it
 * ends. */
uint64_t rotator_step(struct rotator *, uint64_t now_ns);

size_t rotator_sets(const struct rotator *);
double rotator_period_ns(const struct rotator *); /* of a round, on average */
uint64_t rotator_seed(const struct rotator *);

#endif
