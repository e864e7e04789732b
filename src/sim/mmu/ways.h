/* Sets of ways, four tags at a time: which way holds a tag, and which way is replaced. */
#ifndef SIM_MMU_WAYS_H
#define SIM_MMU_WAYS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* These run for every µop. Left to themselves, compilers turn them into calls, which costs several percent of the
 * speed. */
#define SIM_INLINE static inline __attribute__((always_inline))

/* Ways are stored in groups of four: one, two, or a multiple of four groups. Places after the last way are never
 * filled. */
static inline unsigned
sim_groups(unsigned ways)
{
	return ways <= 4 ? 1 : ways <= 8 ? 2 : (ways + 15) / 16 * 4;
}

/* Returns a set of ways: bit w means that way w holds the tag. `tag` is aligned for four tags. Most simulation time is
 * spent here, so it uses the processor's vector comparison where there is one. */
SIM_INLINE uint64_t
sim_match(const uint32_t *tag, unsigned groups, uint32_t want)
{
	uint64_t ways = 0;
#ifdef __SSE2__
	const __m128i *four = (const __m128i *)(const void *)tag, all = _mm_set1_epi32((int)want);

	if (groups == 1)
		return (uint64_t)_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(four[0], all)));
	if (groups == 2) {
		__m128i both = _mm_packs_epi32(_mm_cmpeq_epi32(four[0], all), _mm_cmpeq_epi32(four[1], all));

		return (uint64_t)_mm_movemask_epi8(_mm_packs_epi16(both, both)) & 0xff;
	}
	for (unsigned w = 0; w < 4 * groups; w += 16, four += 4) {
		__m128i low = _mm_packs_epi32(_mm_cmpeq_epi32(four[0], all), _mm_cmpeq_epi32(four[1], all));
		__m128i high = _mm_packs_epi32(_mm_cmpeq_epi32(four[2], all), _mm_cmpeq_epi32(four[3], all));

		ways |= (uint64_t)_mm_movemask_epi8(_mm_packs_epi16(low, high)) << w;
	}
#else
	for (unsigned w = 0; w < 4 * groups; w++)
		ways |= (uint64_t)(tag[w] == want) << w;
#endif
	return ways;
}

/* Replacement: each way has a bit that is set on use. When the last bit gets set, all others are cleared. The first way
 * without a bit is replaced. This comes within a few percent of LRU and needs one word per set, hence SIM_WAYS_MAX.
 * Masks replace branches that would be unpredictable. */
SIM_INLINE uint64_t
sim_use_way(uint64_t used, uint64_t all, unsigned way)
{
	uint64_t bit = (uint64_t)1 << way, now = used | bit;

	return (now & ((uint64_t)(now == all) - 1)) | bit;
}

/* Returns the way that holds the tag (`match`: from sim_match()), or the way to replace. */
SIM_INLINE unsigned
sim_way_of(uint64_t match, uint64_t used, uint64_t all)
{
	uint64_t free = ~used & all;

	free |= free == 0; /* a set with one way */
	return (unsigned)__builtin_ctzll(match | (free & ((uint64_t)(match != 0) - 1)));
}

#endif
