/* Random-looking numbers that are the same on every machine: splitmix64 (Steele, Lea and Flood, "Fast splittable
 * pseudorandom number generators", OOPSLA 2014). */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

#include "base/int128.h"

#define RANDOM_STEP UINT64_C(0x9e3779b97f4a7c15)

/* The generator's output function: a permutation of 64-bit numbers that spreads similar ones. Also a hash. */
static inline uint64_t
random_scatter(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/* The next number. The state may begin with any value. */
static inline uint64_t
random_next(uint64_t *state)
{
	return random_scatter(*state += RANDOM_STEP);
}

/* A number below n from the upper bits; n must be above 0. */
static inline uint64_t
random_below(uint64_t *state, uint64_t n)
{
	return (uint64_t)((u128)random_next(state) * n >> 64);
}

#endif
