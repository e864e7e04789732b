/* Turns of a source's hardware events when they need more counters than the PMU has. Either hecate rotates, in random
 * order and for random times (collect/rotation.h); or the kernel rotates, and a pinned count of instructions shows
 * whether the program's period keeps step with the turns (core/series/rhythm.h).
 *
 * To find the sets of events that fit, events are opened as a group, which the kernel refuses if the PMU can never hold
 * it (perf_event_open(2): EINVAL). They are not counted as a group: if another user takes a counter, the kernel rotates
 * the events of one set, while a group would not be counted at all. */
#ifndef COLLECT_PERF_TURNS_H
#define COLLECT_PERF_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/obs/obs.h"

struct event_code;
struct source;
struct turns;

/* Which events take turns, which of them fit together, and the count that shows the program's rhythm: from the PMU, or
 * from a test. */
struct turns_room {
	bool (*takes)(const struct event_code *);
	bool (*fits)(void *ctx, const struct event_code *const *, size_t n);
	void *ctx;
	const struct event_code *reference; /* the count that is pinned */
};

/* Can the PMUs hold these events at once, by the kernel's answer? turns_watchdog() returns whether the NMI watchdog
 * has a counter. */
bool turns_fit(const struct event_code *const *, size_t n);
bool turns_watchdog(void);

/* Do these events, as a group of this thread for each PMU, have counters now? It tries that for 0.3 ms, on a core that
 * the PMU counts. Other users of the PMU may have its counters; and some PMUs open events for which they have none. */
bool turns_run(const struct event_code *const *, size_t n);

/* What is asked about events of one PMU; from the kernel, or from a test. */
struct core_kinds_ops {
	bool (*group)(void *ctx, const struct event_code *const *, size_t n); /* does a group of these open? */
	/* `type`: of the PMU; 0: of the only one, or the one that the kernel chooses */
	bool (*holds)(void *ctx, const struct event_code *const *, size_t n, uint32_t type);
	void *ctx;
};

/* Returns whether each PMU holds those of the events that are its own. `any`: an event that every PMU has, and for
 * which the kernel chooses the PMU. In core_kinds.c. */
bool core_kinds_hold(const struct event_code *const *, size_t n, const struct event_code *any,
	const struct core_kinds_ops *);

/* With more CPUs or tasks than this, and for commands that other code starts, the kernel rotates unless the user chose
 * otherwise: each switch of an event interrupts the CPU that it counts on, for about 3 µs. */
#define TURNS_PLACES ((size_t)16)

/* Opens the descriptors that rotation needs in addition to the events. Call it after all events are open, before they
 * are enabled and before the command starts. Returns NULL if nothing takes turns or only totals are wanted. */
struct turns *turns_new(struct source *);
void turns_free(struct turns *); /* ends the turns */

/* call it after the events are enabled. This and the functions below do nothing for NULL */
void turns_start(struct turns *);
void turns_stop(struct turns *);  /* ends rotation; the current set stays enabled */

/* turns_hold() lets no turn end until turns_release(), so that a row can be read. */
void turns_hold(struct turns *);
void turns_release(struct turns *);

/* turns_clock() writes the total time for which a place was counted, or returns false if it is unknown. turns_take()
 * returns true if an event of struct source is scaled by that time, because hecate rotates the event and it is enabled
 * only during its turns. */
bool turns_clock(const struct turns *, size_t place, uint64_t *enabled_ns);
bool turns_take(const struct turns *, size_t event);

struct obs_rotation turns_so_far(struct turns *);

#endif
