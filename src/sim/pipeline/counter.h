/* Saturating counters of branch predictors, and the hash that finds their places. */
#ifndef SIM_PIPELINE_COUNTER_H
#define SIM_PIPELINE_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"

/* Moves a signed counter of that many bits by one; a value of at least 0 means yes. */
static inline int8_t
sim_counter_move(int8_t counter, bool up, unsigned bits)
{
	int top = (1 << (bits - 1)) - 1;

	if (up)
		return (int8_t)(counter + (counter < top));
	return (int8_t)(counter - (counter > -top - 1));
}

/* Spreads x over 64 bits; the upper bits are the best ones. */
static inline uint64_t
sim_spread(uint64_t x)
{
	x *= RANDOM_STEP;
	return (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
}

/* Returns the largest power of two up to n, as its logarithm. n must be above 0. */
static inline unsigned
sim_log2(uint64_t n)
{
	return 63 - (unsigned)__builtin_clzll(n);
}

/* Returns the logarithm of a table's number of entries in a predictor of `kib` KiB, at least `least`. In a predictor of
 * 64 KiB the table has 1 << log entries. */
static inline unsigned
sim_table_log(unsigned log, unsigned kib, unsigned least)
{
	unsigned scaled = log + (kib ? sim_log2(kib) : 0);

	return scaled > least + 6 ? scaled - 6 : least;
}

#endif
