/* When page-table walkers are busy, and which requests wait for them or are served: the MSHRs of the second-level TLB.
 *
 * µops are not simulated in the order of their times: a pointer's walk may be booked far in the future, and the next
 * µop's request is earlier. So a walker has a list of times at which it is busy, and a request in flight an interval:
 * only who asks within it meets it. */
#ifndef COLLECT_SIM_MMU_WALKER_H
#define COLLECT_SIM_MMU_WALKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/sim/mmu/lanes.h"

#define SIM_MOST_WALKERS 16
#define SIM_MOST_MSHRS 64
#define SIM_BUSY 32 /* intervals that a walker remembers; those that touch are one */

struct sim_walker {
	uint64_t from[SIM_BUSY], to[SIM_BUSY]; /* in order of time, apart from each other */
	unsigned n;
};

struct sim_walkers {
	struct sim_walker walker[SIM_MOST_WALKERS];
	unsigned n;
	uint64_t least; /* a gap between walks that is shorter is not used */
};

/* The earliest time, not before `time`, at which a walker is free. Nobody will ask for a time before `now` any more. */
uint64_t sim_walkers_free(struct sim_walkers *, uint64_t time, uint64_t now, struct sim_walker **which);
void sim_walker_take(struct sim_walker *, uint64_t from, uint64_t to);

struct sim_asked { uint64_t page, from, to; };

struct sim_mshrs {
	uint32_t tag[SIM_MOST_MSHRS] __attribute__((aligned(16))); /* the lower half of each page's number, + 1 */
	struct sim_asked request[SIM_MOST_MSHRS]; /* a ring: a new one takes the place of the first */
	unsigned n, next, groups;
	uint64_t last;             /* the latest end of all */
};

void sim_mshrs_init(struct sim_mshrs *, unsigned n);

/* Requests for that 4 KB page, in flight or not: a bit each. */
static inline uint64_t
sim_mshrs_match(const struct sim_mshrs *m, uint64_t page)
{
	return sim_match(m->tag, m->groups, (uint32_t)page + 1);
}

/* When the one among them that is in flight at `time` ends; 0: there is none. */
static inline uint64_t
sim_mshrs_end(const struct sim_mshrs *m, uint64_t match, uint64_t page, uint64_t time)
{
	uint64_t end = 0;

	do {
		/* The last one is asked where none matches: its page does not, either. No branch, for nobody can
		 * foresee whether a page that was walked lately still is. */
		const struct sim_asked *r = &m->request[__builtin_ctzll(match | (uint64_t)1 << 63)];
		bool met = (r->page == page) & (r->from <= time) & (time < r->to);

		end |= r->to & (0 - (uint64_t)met);
		match &= match - 1;
	} while (match && !end);
	return end;
}

static inline uint64_t
sim_mshrs_find(const struct sim_mshrs *m, uint64_t page, uint64_t time)
{
	return sim_mshrs_end(m, sim_mshrs_match(m, page), page, time);
}

/* From when on there is room for one more. */
static inline uint64_t
sim_mshrs_room(const struct sim_mshrs *m)
{
	return m->request[m->next].to;
}

void sim_mshrs_take(struct sim_mshrs *, uint64_t page, uint64_t from, uint64_t to);

struct sim_memory;

#define SIM_CHUNK_SHIFT 18

struct sim_chunk {
	uint64_t epoch; /* of the bits in accessed; older ones are clear */
	uint64_t accessed[(1 << SIM_CHUNK_SHIFT) / 64], touched[(1 << SIM_CHUNK_SHIFT) / 64];
};

struct sim_pages {
	struct sim_chunk **chunk; /* by page >> SIM_CHUNK_SHIFT */
	size_t n;
	uint64_t first, pages;    /* that count as touched when it begins */
	uint64_t epoch;           /* how often all bits were cleared */
};

/* Pages have the size that maps the memory; all others of 2^48 bytes have bits, too, which begin clear. */
void sim_pages_init(struct sim_pages *, const struct sim_memory *);
void sim_pages_free(struct sim_pages *);

static inline bool
sim_pages_accessed(const struct sim_pages *p, uint64_t page)
{
	const struct sim_chunk *c;
	size_t i = (size_t)(page & ((1 << SIM_CHUNK_SHIFT) - 1));

	if (p->epoch == 0 && page - p->first < p->pages)
		return true;
	c = p->chunk[page >> SIM_CHUNK_SHIFT];
	return c && c->epoch == p->epoch && (c->accessed[i / 64] >> i % 64 & 1);
}

/* Sets the bit of a page where it is clear. True when nobody had touched the page before. */
bool sim_pages_access(struct sim_pages *, uint64_t page);
/* Clears all accessed bits; what was touched remains touched. */
void sim_pages_clear(struct sim_pages *);

#endif
