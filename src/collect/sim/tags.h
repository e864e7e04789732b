/* A table of translations, found by key: TLBs and paging-structure caches. Sets of ways; each entry is ready at a time, from which on it hits. */
#ifndef COLLECT_SIM_TAGS_H
#define COLLECT_SIM_TAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/sim/machine.h"

/* Which way goes: each has a bit that is set when it is used; when the last is set all others are cleared, and the first without a bit is replaced. As good as LRU to a few percent, and
 * one word a set: SIM_WAYS_MAX. */
static inline uint64_t
sim_use_way(uint64_t used, uint64_t all, unsigned way)
{
	uint64_t now = used | (uint64_t)1 << way;

	return now == all ? (uint64_t)1 << way : now;
}

static inline unsigned
sim_free_way(uint64_t used, uint64_t all)
{
	uint64_t free = ~used & all;

	return free ? (unsigned)__builtin_ctzll(free) : 0; /* one way only */
}

struct sim_tags {
	uint64_t *key;   /* + 1; 0: empty */
	uint64_t *ready;
	uint64_t *used;  /* per set */
	uint64_t all, set_mask;
	unsigned ways;   /* 0: there is no such table, nothing is ever found */
};

void sim_tags_init(struct sim_tags *, struct sim_ways);
void sim_tags_free(struct sim_tags *);

#define SIM_NOT_FOUND SIZE_MAX

static inline size_t
sim_tags_find(const struct sim_tags *s, uint64_t key)
{
	size_t first = (size_t)(key & s->set_mask) * s->ways;
	const uint64_t *at = s->key + first;

	for (unsigned w = 0; w < s->ways; w++)
		if (at[w] == key + 1)
			return first + w;
	return SIM_NOT_FOUND;
}

/* There, and ready at that time; a hit is remembered as a use. */
static inline bool
sim_tags_hit(struct sim_tags *s, uint64_t key, uint64_t time)
{
	size_t i = sim_tags_find(s, key), set = (size_t)(key & s->set_mask);

	if (i == SIM_NOT_FOUND || s->ready[i] > time)
		return false;
	s->used[set] = sim_use_way(s->used[set], s->all, (unsigned)(i - set * s->ways));
	return true;
}

/* The same, and nothing is remembered. */
static inline bool
sim_tags_has(const struct sim_tags *s, uint64_t key, uint64_t time)
{
	size_t i = sim_tags_find(s, key);

	return i != SIM_NOT_FOUND && s->ready[i] <= time;
}

/* An entry that is there already is ready at the earlier of both times: µops are not simulated in the order of their times. */
void sim_tags_fill(struct sim_tags *, uint64_t key, uint64_t ready);

#endif
