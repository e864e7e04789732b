/* Random orders and ranks from the numbers of base/random.h, the same on every machine. */
#ifndef SIM_ORDERS_H
#define SIM_ORDERS_H

#include <stdint.h>

#include "base/random.h"

/* A pseudo-random permutation of the numbers below n, determined by the seed. It needs no table and repeats no number.
 */
struct sim_order {
	uint64_t n, mask, add, times[2];
	unsigned shift;
};
struct sim_order sim_order_of(uint64_t n, uint64_t seed);

/* Returns the number at place i, below n. Multiplication by an odd number, and the exclusive or with higher bits, each
 * permute the numbers of a given width. A result of n or more goes through again; it must come back below n, because a
 * permutation consists of cycles. */
static inline uint64_t
sim_order_at(const struct sim_order *o, uint64_t i)
{
	do {
		i = (i * o->times[0] + o->add) & o->mask;
		i ^= i >> o->shift;
		i = i * o->times[1] & o->mask;
		i ^= i >> o->shift;
	} while (i >= o->n);
	return i;
}

#define SIM_ZIPF_EXACT 64   /* ranks with a bucket of their own; a power of two */
#define SIM_ZIPF_PARTS 16   /* buckets per doubling after them */
#define SIM_ZIPF_BUCKETS_MAX (SIM_ZIPF_EXACT + SIM_ZIPF_PARTS * 42)

/* Ranks by Zipf's law: rank k of n, from 0, has a probability proportional to 1 / (k + 1)^skew.
 *
 * Ranks are in buckets. Each of the first ranks has its own; then each doubling has sixteen. A bucket is drawn with its
 * exact share, and a rank within it evenly. So the probability of a rank is off by at most skew / 32 of it. Buckets are
 * drawn by the alias method (Vose, IEEE Transactions on Software Engineering 17(9), 1991). */
struct sim_zipf {
	uint64_t n;
	uint32_t buckets;
	struct sim_zipf_bucket {
		uint64_t first, width;
		uint32_t other, below; /* if 32 random bits are less than `below`, this bucket is drawn, else `other` */
	} bucket[SIM_ZIPF_BUCKETS_MAX];
};

/* Prepares the ranks. n is 1 to 2^48; skew is 0 (all equal) or more. */
void sim_zipf_init(struct sim_zipf *, uint64_t n, double skew);
uint64_t sim_zipf_draw(const struct sim_zipf *, uint64_t *random);

#endif
