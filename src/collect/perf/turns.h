/* Turns of a source's hardware events, where these need more counters than the PMU has: hecate's own, in random order
 * and for random times (collect/rotation.h), or the kernel's, which are watched: a pinned count of instructions tells
 * whether the program keeps step with them (core/series/rhythm.h).
 *
 * The set of events that fits is found by opening them as a group, which the kernel refuses if the PMU could never
 * hold it (perf_event_open(2): EINVAL). They are not counted as a group: if somebody else takes a counter meanwhile,
 * the kernel lets those of one set take turns, and a group would not be counted at all. */
#ifndef COLLECT_PERF_TURNS_H
#define COLLECT_PERF_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/obs/obs.h"

struct event_code;
struct source;
struct turns;

/* Which events take turns, which of them fit at once, and what tells the program's rhythm: the PMU's own answers, or
 * a test's. */
struct turns_room {
	bool (*takes)(const struct event_code *);
	bool (*fits)(void *ctx, const struct event_code *const *, size_t n);
	void *ctx;
	const struct event_code *reference; /* pinned */
};

/* beyond so many CPUs or tasks the kernel rotates, unless asked otherwise, and so it does for commands that somebody
 * else starts: a switch of an event interrupts the CPU it counts on, about 3 µs each */
#define TURNS_PLACES ((size_t)16)

/* Once all events are open, before they are enabled and before the command runs: opens what is needed besides. NULL
 * where nothing takes turns, or only totals are wanted. */
struct turns *turns_new(struct source *);
void turns_free(struct turns *); /* ends them */

void turns_start(struct turns *); /* the events are enabled. NULL is nothing, here and below */
void turns_stop(struct turns *);  /* whoever has a turn keeps it */

/* Nobody's turn ends while a row is read. */
void turns_hold(struct turns *);
void turns_let_go(struct turns *);

/* How long a place was counted in all, and whether that is what an event (by its number in struct source) is scaled
 * by: it takes turns by hecate, and what it was enabled for is the time of its turns alone. False: it is not known. */
bool turns_clock(const struct turns *, size_t place, uint64_t *enabled_ns);
bool turns_take(const struct turns *, size_t event);

struct obs_rotation turns_so_far(struct turns *);

#endif
