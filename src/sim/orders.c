#include "sim/orders.h"

#include <math.h>

struct sim_order
sim_order_of(uint64_t n, uint64_t seed)
{
	struct sim_order o = {.n = n};
	unsigned bits = 1;

	while (bits < 63 && (uint64_t)1 << bits < n)
		bits++;
	o.mask = ((uint64_t)1 << bits) - 1;
	o.shift = (bits + 1) / 2;
	o.add = random_next(&seed);
	for (int i = 0; i < 2; i++)
		o.times[i] = random_next(&seed) | 1;
	return o;
}

/* Returns the sum of (x + 1)^-skew over `width` ranks from `first` on: exact for one rank, by the midpoint rule for
 * more. */
static double
weight(uint64_t first, uint64_t width, double skew)
{
	double a = (double)first + 0.5, ratio = log1p((double)width / a), e = 1 - skew;

	if (width == 1)
		return pow((double)first + 1, -skew);
	return fabs(e) < 1e-9 ? ratio : pow(a, e) * expm1(e * ratio) / e;
}

static void
orders_cut(struct sim_zipf *zipf)
{
	for (uint64_t at = 0, width; at < zipf->n; at += width) {
		uint64_t doubling = SIM_ZIPF_EXACT;

		while (doubling * 2 <= at)
			doubling *= 2;
		width = at < SIM_ZIPF_EXACT ? 1 : doubling / SIM_ZIPF_PARTS;
		if (width > zipf->n - at)
			width = zipf->n - at;
		zipf->bucket[zipf->buckets++] = (struct sim_zipf_bucket){at, width, 0, 0};
	}
}

/* Fills the alias table. Each bucket keeps as much of its slot as it needs; a bucket that needs less than its slot is
 * topped up by one that needs more. */
static void
pair(struct sim_zipf *zipf, double *share)
{
	uint32_t small[SIM_ZIPF_BUCKETS_MAX], large[SIM_ZIPF_BUCKETS_MAX];
	uint32_t n_small = 0, n_large = 0;

	for (uint32_t i = 0; i < zipf->buckets; i++) {
		zipf->bucket[i].below = UINT32_MAX;
		zipf->bucket[i].other = i;
		if (share[i] < 1)
			small[n_small++] = i;
		else
			large[n_large++] = i;
	}
	while (n_small && n_large) {
		uint32_t little = small[--n_small], much = large[n_large - 1];

		zipf->bucket[little].below = (uint32_t)(share[little] * 0x1p32);
		zipf->bucket[little].other = much;
		share[much] -= 1 - share[little];
		if (share[much] < 1) {
			n_large--;
			small[n_small++] = much;
		}
	}
}

void
sim_zipf_init(struct sim_zipf *zipf, uint64_t n, double skew)
{
	double share[SIM_ZIPF_BUCKETS_MAX], sum = 0;

	zipf->n = n;
	zipf->buckets = 0;
	orders_cut(zipf);
	for (uint32_t i = 0; i < zipf->buckets; i++)
		sum += share[i] = weight(zipf->bucket[i].first, zipf->bucket[i].width, skew);
	for (uint32_t i = 0; i < zipf->buckets; i++)
		share[i] *= zipf->buckets / sum;
	pair(zipf, share);
}

uint64_t
sim_zipf_draw(const struct sim_zipf *z, uint64_t *random)
{
	uint64_t r = random_next(random);
	const struct sim_zipf_bucket *b = &z->bucket[(r >> 32) * z->buckets >> 32];

	if ((uint32_t)r >= b->below)
		b = &z->bucket[b->other];
	return b->width == 1 ? b->first : b->first + random_below(random, b->width);
}
