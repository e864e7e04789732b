/* How much a running total rose between two reads. Hardware counters have fewer than 64 bits and wrap: they begin again
 * at 0. Intel's core and uncore counters have 48 bits; free-running counters in memory controllers have 32 or 36 (Intel
 * SDM volume 3B, chapter 20; "Uncore Performance Monitoring Reference Manual"). Some numbers in files of the kernel
 * have 32 bits (/proc/diskstats). */
#ifndef CORE_OBS_RISE_H
#define CORE_OBS_RISE_H

#include <stdint.h>

enum rise {
	RISE_PLAIN,
	RISE_WRAPPED,   /* the counter passed its end once; the rise is known */
	RISE_BACKWARDS, /* the counter was reset, went back, or shows more bits than it has; the rise is unknown */
};

/* Returns how a counter of `width` bits (1 to 64) moved from `before` to `now`. *by gets the rise, 0 for
 * RISE_BACKWARDS.
 *
 * The counter must be read at least twice per wrap. A smaller value then counts as a wrap if the step across the end is
 * shorter than half the range, and otherwise as a step back. A counter of 64 bits never wraps. */
static inline enum rise
rise_of(uint64_t before, uint64_t now, unsigned width, uint64_t *by)
{
	uint64_t most = width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX;

	*by = 0;
	if (before > most || now > most)
		return RISE_BACKWARDS;
	if (now >= before) {
		*by = now - before;
		return RISE_PLAIN;
	}
	if (width == 64 || ((now - before) & most) > most / 2)
		return RISE_BACKWARDS;
	*by = (now - before) & most;
	return RISE_WRAPPED;
}

#endif
