/* Data caches: which level has a line, and when it is there. Tags only; what is in a line nobody asks.
 *
 * A miss fills all levels. Lines in flight are known by the first level's entries, which are ready at a time. Write-backs and the hardware's data prefetchers are not simulated. */
#ifndef COLLECT_SIM_CACHE_H
#define COLLECT_SIM_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/sim/lanes.h"
#include "collect/sim/machine.h"

#define SIM_LINE_SHIFT 6

enum sim_served {
	SIM_BY_L1,
	SIM_BY_L2,
	SIM_BY_L3,
	SIM_BY_MEMORY,
	SIM_BY_FILL, /* in flight already: it waits for that */
};

struct sim_level {
	uint32_t *tag;   /* + 1; 0: empty. Of the line's number, what the set does not say */
	uint64_t *used;  /* per set */
	uint64_t all;
	unsigned shift;  /* there are 1 << shift sets */
	unsigned groups; /* of ways; 0: there is no such level */
	void *whole;
};

struct sim_caches {
	struct sim_level level[3];
	uint64_t *ready;        /* of the first level's entries */
	uint64_t *buffer;       /* when each fill buffer is free again */
	uint64_t latency[4];    /* by enum sim_served; in the unit of times */
	unsigned buffers, next;
	unsigned line_bits;     /* lines have numbers below 1 << line_bits */
};

/* A cycle has `unit` of the times that are given and told. */
void sim_caches_init(struct sim_caches *, const struct sim_machine *, uint64_t unit);
void sim_caches_free(struct sim_caches *);

struct sim_data {
	uint64_t ready;
	enum sim_served by;
};

/* A line is asked for at a time. What misses the first level takes a fill buffer, and waits for one; not so the walker's. */
struct sim_data sim_caches_ask(struct sim_caches *, uint64_t line, uint64_t time);
struct sim_data sim_caches_walk(struct sim_caches *, uint64_t line, uint64_t time);

/* Somebody is going to ask for that line: the host fetches what its third level, the only large table, knows of it. */
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

#endif
