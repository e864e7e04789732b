#include "collect/sim/zipf.h"

#include <math.h>

#include "collect/sim/random.h"

/* Of all numbers from a to b the sum of x^-skew; exact for single ranks, by the midpoint rule for buckets of many. */
static double
weight(uint64_t first, uint64_t width, double skew)
{
	double a = (double)first + 0.5, ratio = log1p((double)width / a), e = 1 - skew;

	if (width == 1)
		return pow((double)first + 1, -skew);
	return fabs(e) < 1e-9 ? ratio : pow(a, e) * expm1(e * ratio) / e;
}

static void
cut(struct zipf *z)
{
	for (uint64_t at = 0, width; at < z->n; at += width) {
		uint64_t doubling = ZIPF_EXACT;

		while (doubling * 2 <= at)
			doubling *= 2;
		width = at < ZIPF_EXACT ? 1 : doubling / ZIPF_PARTS;
		if (width > z->n - at)
			width = z->n - at;
		z->bucket[z->buckets++] = (struct zipf_bucket){at, width, 0, 0};
	}
}

/* Each bucket keeps the part of its slot that it fills; who has too little is filled up by one that has too much. */
static void
pair(struct zipf *z, double *share)
{
	uint32_t small[ZIPF_BUCKETS_MAX], large[ZIPF_BUCKETS_MAX];
	uint32_t n_small = 0, n_large = 0;

	for (uint32_t i = 0; i < z->buckets; i++) {
		z->bucket[i].below = UINT32_MAX;
		z->bucket[i].other = i;
		if (share[i] < 1)
			small[n_small++] = i;
		else
			large[n_large++] = i;
	}
	while (n_small && n_large) {
		uint32_t little = small[--n_small], much = large[n_large - 1];

		z->bucket[little].below = (uint32_t)(share[little] * 0x1p32);
		z->bucket[little].other = much;
		share[much] -= 1 - share[little];
		if (share[much] < 1) {
			n_large--;
			small[n_small++] = much;
		}
	}
}

void
zipf_init(struct zipf *z, uint64_t n, double skew)
{
	double share[ZIPF_BUCKETS_MAX], sum = 0;

	z->n = n;
	z->buckets = 0;
	cut(z);
	for (uint32_t i = 0; i < z->buckets; i++)
		sum += share[i] = weight(z->bucket[i].first, z->bucket[i].width, skew);
	for (uint32_t i = 0; i < z->buckets; i++)
		share[i] *= z->buckets / sum;
	pair(z, share);
}

uint64_t
zipf_draw(const struct zipf *z, uint64_t *random)
{
	uint64_t r = sim_random(random);
	const struct zipf_bucket *b = &z->bucket[(r >> 32) * z->buckets >> 32];

	if ((uint32_t)r >= b->below)
		b = &z->bucket[b->other];
	return b->width == 1 ? b->first : b->first + sim_random_below(random, b->width);
}
