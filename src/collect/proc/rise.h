/* From what a file says now to how much it rose. */
#ifndef COLLECT_PROC_RISE_H
#define COLLECT_PROC_RISE_H

#include <stdint.h>

enum proc_rise {
	RISE_PLAIN,
	RISE_WRAPPED, /* it went over its end and began again: the rise is known all the same */
	RISE_FELL,    /* it began anew or went back: what happened meanwhile is not known */
};

/* How much a number of `bits` bits rose from `last` to `now`; 0 where it fell. A fall is taken for a wrap where the way
 * over the end is the shorter one, from the upper half of the range to the lower: a 64-bit number, which no machine
 * counts full, falls. */
enum proc_rise proc_rise(uint64_t last, uint64_t now, unsigned bits, uint64_t *rise);

#endif
