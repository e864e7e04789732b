/* Decides which set has its turn, and when the turn ends: the part of user-space rotation that needs neither a clock
 * nor perf. It enables and disables units through a function of the caller, so that a test can use its own. */
#ifndef COLLECT_PERF_ROTATOR_H
#define COLLECT_PERF_ROTATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/rotation.h"

/* After this many turns every unit is switched again, not only those that change, because other code enables events,
 * too (execve(2), the holder of the command). */
#define ROTATOR_SETTLES 16

struct rotator_spec {
	struct rotation_sets sets; /* owned by the rotator */
	uint64_t mean_ns, seed;
	void (*enable)(void *ctx, size_t unit, bool on);
	void *ctx;
};

struct rotator;
struct rotator *rotator_new(const struct rotator_spec *);
void rotator_free(struct rotator *);

/* Ends the turn if its time is over: disables the units of its set, then enables those of the next one. The new turn
 * begins with this call, however late, so that a late turn does not shorten the next one. Returns the time when it
 * ends. */
uint64_t rotator_step(struct rotator *, uint64_t now_ns);

double rotator_period_ns(const struct rotator *); /* returns the mean length of a round */
uint64_t rotator_seed(const struct rotator *);

#endif
