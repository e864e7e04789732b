/* Sets of ways, four tags at a time: which way holds a tag, and which is replaced. */
#ifndef COLLECT_SIM_LANES_H
#define COLLECT_SIM_LANES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Ways are kept in groups of four; those behind the last are never filled. */
static inline unsigned
sim_groups(unsigned ways)
{
	return (ways + 3) / 4;
}

/* Bit w: way w has the tag. `tag` is aligned for four. This is where the time goes: half of all instructions before it was written with the processor's own comparison of four. */
static inline uint64_t
sim_match(const uint32_t *tag, unsigned groups, uint32_t want)
{
	uint64_t ways = 0;
#ifdef __SSE2__
	const __m128i *four = (const __m128i *)(const void *)tag, all = _mm_set1_epi32((int)want);

	if (groups == 1)
		return (uint64_t)_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(four[0], all)));
	for (unsigned g = 0; g < groups; g += 2) {
		__m128i low = _mm_cmpeq_epi32(four[g], all), high = g + 1 < groups ? _mm_cmpeq_epi32(four[g + 1], all) : _mm_setzero_si128();

		ways |= (uint64_t)_mm_movemask_epi8(_mm_packs_epi16(_mm_packs_epi32(low, high), _mm_setzero_si128())) << 4 * g;
	}
#else
	for (unsigned w = 0; w < 4 * groups; w++)
		ways |= (uint64_t)(tag[w] == want) << w;
#endif
	return ways;
}

/* Which way goes: each has a bit that is set when it is used; when the last is set all others are cleared, and the first without a bit is replaced. As good as LRU to a few percent, and
 * one word a set: SIM_WAYS_MAX. */
static inline uint64_t
sim_use_way(uint64_t used, uint64_t all, unsigned way)
{
	uint64_t bit = (uint64_t)1 << way, now = used | bit;

	return now == all ? bit : now;
}

static inline unsigned
sim_free_way(uint64_t used, uint64_t all)
{
	uint64_t free = ~used & all;

	return free ? (unsigned)__builtin_ctzll(free) : 0; /* one way only */
}

#define SIM_ALIGN 64

/* Zeroed, on a line of the host's caches; *whole is what is to be freed. */
void *sim_aligned(size_t n, size_t size, void **whole);

#endif
