/* How much a running total has risen between two reads. Counters of hardware have fewer bits than 64 and begin again at
 * 0: those of Intel's cores and of its uncore have 48, free-running ones in memory controllers 32 or 36 (Intel SDM
 * volume 3B, chapter 20; "Uncore Performance Monitoring Reference Manual"). */
#ifndef CORE_OBS_RISE_H
#define CORE_OBS_RISE_H

#include <stdint.h>

enum rise {
	RISE_PLAIN,
	RISE_WRAPPED,   /* it began again at 0, once */
	RISE_BACKWARDS, /* it went back, or has more bits than it can have: how much it rose is not known */
};

/* A counter of `width` bits, 1 to 64, that is read at least twice each time it wraps: a step of more than half its
 * range is one back. *by is 0 for RISE_BACKWARDS. One of 64 bits never wraps. */
enum rise rise_of(uint64_t before, uint64_t now, unsigned width, uint64_t *by);

#endif
