/* A table of translations, found by key: TLBs and paging-structure caches. Sets of ways; each entry is ready at a time,
 * from which on it hits. */
#ifndef COLLECT_SIM_TAGS_H
#define COLLECT_SIM_TAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/sim/lanes.h"
#include "collect/sim/machine.h"

struct sim_entry {
	uint64_t key;   /* + 1; 0: empty */
	uint64_t ready;
};

struct sim_tags {
	uint32_t *tag;  /* the lower half of each key; what matches is compared again */
	struct sim_entry *entry;
	uint64_t *used; /* per set */
	uint64_t all, set_mask;
	unsigned groups;
	bool none;      /* there is no such table: nothing is ever found */
	void *whole[2];
};

void sim_tags_init(struct sim_tags *, struct sim_ways);
void sim_tags_free(struct sim_tags *);

SIM_INLINE struct sim_entry *
sim_tags_find(const struct sim_tags *s, uint64_t key, unsigned *way)
{
	size_t first = (size_t)(key & s->set_mask) * s->groups;
	uint64_t ways = sim_match(s->tag + first * 4, s->groups, (uint32_t)key + 1);

	for (; ways; ways &= ways - 1) {
		*way = (unsigned)__builtin_ctzll(ways);
		if (s->entry[first * 4 + *way].key == key + 1)
			return &s->entry[first * 4 + *way];
	}
	return NULL;
}

/* There, and ready at that time; a hit is remembered as a use. */
SIM_INLINE bool
sim_tags_hit(struct sim_tags *s, uint64_t key, uint64_t time)
{
	uint64_t *used = &s->used[key & s->set_mask];
	unsigned way;
	const struct sim_entry *e = sim_tags_find(s, key, &way);

	if (!e || e->ready > time)
		return false;
	*used = sim_use_way(*used, s->all, way);
	return true;
}

/* The same, and nothing is remembered. */
static inline bool
sim_tags_has(const struct sim_tags *s, uint64_t key, uint64_t time)
{
	unsigned way;
	const struct sim_entry *e = sim_tags_find(s, key, &way);

	return e && e->ready <= time;
}

/* An entry that is there already is ready at the earlier of both times: µops are not simulated in the order of their
 * times. */
void sim_tags_fill(struct sim_tags *, uint64_t key, uint64_t ready);

#endif
