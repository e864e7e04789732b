/* The increase of a number in a file from one reading to the next. */
#ifndef COLLECT_PROC_RISE_H
#define COLLECT_PROC_RISE_H

#include <stdint.h>

enum proc_rise {
	RISE_PLAIN,
	RISE_WRAPPED, /* it wrapped around; the increase is known */
	RISE_FELL,    /* it was reset or went back; the increase is unknown */
};

/* Computes how much a number of `bits` bits rose from `last` to `now`; 0 where it fell. A smaller number has wrapped if
 * the way over the end, 2^bits − last + now, is below half the range; otherwise it fell. A 64-bit number never wraps,
 * because no machine counts so far. */
enum proc_rise proc_rise(uint64_t last, uint64_t now, unsigned bits, uint64_t *rise);

#endif
