/* Ranks by Zipf's law: rank k of n, from 0, is drawn in proportion to 1 / (k + 1)^skew. */
#ifndef COLLECT_SIM_ZIPF_H
#define COLLECT_SIM_ZIPF_H

#include <stdint.h>

#define ZIPF_EXACT 64   /* ranks that are drawn each by itself; a power of two */
#define ZIPF_PARTS 16   /* pieces of each doubling behind them */
#define ZIPF_BUCKETS_MAX (ZIPF_EXACT + ZIPF_PARTS * 42)

/* Ranks come in buckets, those behind the first in sixteenths of a doubling. A bucket is drawn by its exact share and a
 * rank within it evenly: no rank's chance is off by more than skew / 32 of it. Buckets are drawn by the alias method
 * (Vose, IEEE Transactions on Software Engineering 17(9), 1991). */
struct zipf {
	uint64_t n;
	uint32_t buckets;
	struct zipf_bucket {
		uint64_t first, width;
		uint32_t other, below; /* this bucket where 32 random bits are below, else the other */
	} bucket[ZIPF_BUCKETS_MAX];
};

/* n from 1 to 2^48, skew from 0 (all alike) on. */
void zipf_init(struct zipf *, uint64_t n, double skew);
uint64_t zipf_draw(const struct zipf *, uint64_t *random);

#endif
