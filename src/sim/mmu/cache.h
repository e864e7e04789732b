/* Set-associative tables of the simulated MMU: data caches, and tables of translations (TLBs, paging-structure caches).
 * They hold tags only, not data.
 *
 * A request that misses fills all levels. A line in flight is an entry of the first level whose ready time is in the
 * future. Write-backs and the hardware's data prefetchers are not simulated. */
#ifndef SIM_MMU_CACHE_H
#define SIM_MMU_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/machine.h"
#include "sim/mmu/ways.h"

#define SIM_LINE_SHIFT 6

enum sim_served {
	SIM_BY_L1,
	SIM_BY_L2,
	SIM_BY_L3,
	SIM_BY_MEMORY,
	SIM_BY_FILL, /* already in flight: the request waits for it */
};

struct sim_level {
	uint32_t *tag;   /* line number without the bits of its set, + 1; 0: empty */
	uint64_t *used;  /* per set */
	uint64_t all;
	unsigned shift;  /* number of sets is 1 << shift */
	unsigned groups; /* groups of ways; 0: no such level */
	void *whole;
};

struct sim_data {
	uint64_t ready;
	enum sim_served by;
};

struct sim_caches {
	struct sim_level level[3];
	uint64_t *ready;        /* time at which each entry of the first level is ready */
	uint64_t *buffer;       /* time at which each fill buffer is free again */
	uint64_t latency[4];    /* latency by enum sim_served, in units of time */
	unsigned buffers, next;
	unsigned line_bits;     /* line numbers are below 1 << line_bits */
	/* Handles a walker's references instead of these caches, for those of a pipeline (sim/pipeline/); or NULL. */
	struct sim_data (*walk)(void *ctx, uint64_t line, uint64_t time);
	void *walk_ctx;
};

/* Makes the caches. `unit`: units of time per cycle, for all times here. */
void sim_caches_init(struct sim_caches *, const struct sim_machine *, uint64_t unit);
void sim_caches_free(struct sim_caches *);

/* A line's place in a level's set, and the ways that hold it. */
struct sim_place {
	uint32_t *tag, want;
	uint64_t *used, match;
};

SIM_INLINE struct sim_place
sim_level_look(const struct sim_level *l, unsigned groups, uint64_t line)
{
	size_t set = (size_t)(line & (((uint64_t)1 << l->shift) - 1));
	struct sim_place p = {
		.tag = l->tag + set * groups * 4, .used = l->used + set, .want = (uint32_t)(line >> l->shift) + 1};

	p.match = sim_match(p.tag, groups, p.want);
	return p;
}

/* Puts the line into the set if it is missing, and marks it as used. */
SIM_INLINE unsigned
sim_level_take(const struct sim_level *l, const struct sim_place *p)
{
	uint64_t used = *p->used;
	unsigned way = sim_way_of(p->match, used, l->all);

	p->tag[way] = p->want;
	*p->used = sim_use_way(used, l->all, way);
	return way;
}

/* Return when and from where a line's data come. The first level has the line at `entry`, perhaps not ready yet, or
 * gets it there now. */
struct sim_data sim_caches_wait(struct sim_caches *, size_t entry, uint64_t time);
struct sim_data sim_caches_miss(struct sim_caches *, size_t entry, uint64_t line, uint64_t time);
struct sim_data sim_caches_walker_miss(struct sim_caches *, size_t entry, uint64_t line, uint64_t time);

/* Asks for a line at `time`. A miss of the first level waits for a free fill buffer and occupies it; requests of a
 * walker need none. */
SIM_INLINE struct sim_data
sim_caches_ask(struct sim_caches *c, uint64_t line, uint64_t time, bool walker)
{
	const struct sim_level *l = &c->level[0];
	struct sim_place p = sim_level_look(l, l->groups, line);
	size_t entry = (size_t)(p.tag - l->tag) + sim_level_take(l, &p);

	if (!p.match)
		return walker ? sim_caches_walker_miss(c, entry, line, time) : sim_caches_miss(c, entry, line, time);
	if (c->ready[entry] > time)
		return sim_caches_wait(c, entry, time);
	return (struct sim_data){time + c->latency[SIM_BY_L1], SIM_BY_L1};
}

/* Announces a request for that line: the host prefetches its set in the third level, the only large table. */
static inline void
sim_caches_expect(const struct sim_caches *c, uint64_t line)
{
	const struct sim_level *l = &c->level[2];
	size_t set = (size_t)(line & (((uint64_t)1 << l->shift) - 1));

	if (l->groups) {
		__builtin_prefetch(l->tag + set * l->groups * 4, 1);
		__builtin_prefetch(l->used + set, 1);
	}
}

struct sim_entry {
	uint64_t key;   /* key + 1; 0: empty */
	uint64_t ready;
};

struct sim_tags {
	uint32_t *tag;  /* lower half of each key; a match is compared with the full key again */
	struct sim_entry *entry;
	uint64_t *used; /* per set */
	uint64_t all, set_mask;
	unsigned groups;
	bool none;      /* no such table: lookups always miss */
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

/* True when the key is there and ready at `time`. A hit marks the entry as used. */
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

/* The same without marking the entry as used. */
static inline bool
sim_tags_has(const struct sim_tags *s, uint64_t key, uint64_t time)
{
	unsigned way;
	const struct sim_entry *e = sim_tags_find(s, key, &way);

	return e && e->ready <= time;
}

/* Adds a key. If the key is there already, the earlier ready time counts, because µops are not simulated in the order
 * of their times. */
void sim_tags_fill(struct sim_tags *, uint64_t key, uint64_t ready);

#endif
