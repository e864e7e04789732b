/* When the page walkers are busy, which requests are in flight (the MSHRs of the second-level TLB), and the accessed
 * bits in the page tables.
 *
 * µops are not simulated in the order of their times: the walk for a pointer may lie far in the future, and the next
 * µop's request may come earlier.
 *
 *     program order   load p        load *p                 load q
 *     time            request t=0   request t=300           request t=5, simulated last
 *     walker 0        [0 ── 30)     [300 ── 330)
 *                              [30 ── 60) free for q
 *
 * So a walker keeps a list of the intervals in which it is busy. A request in flight is an interval, too: only a
 * request inside the interval can merge with it. */
#ifndef SIM_MMU_WALKER_H
#define SIM_MMU_WALKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/mmu/ways.h"

#define SIM_MOST_WALKERS 16
#define SIM_MOST_MSHRS 64
#define SIM_BUSY 32 /* intervals that a walker keeps; adjacent ones are joined */

struct sim_walker {
	uint64_t from[SIM_BUSY], to[SIM_BUSY]; /* sorted by time, disjoint */
	unsigned n;
};

struct sim_walkers {
	struct sim_walker walker[SIM_MOST_WALKERS];
	unsigned n;
	uint64_t least; /* shorter gaps between walks are not used */
};

/* Returns the earliest time from `time` on at which a walker is free. `now`: no later call asks for an earlier time. */
uint64_t sim_walkers_free(struct sim_walkers *, uint64_t time, uint64_t now, struct sim_walker **which);
void sim_walker_take(struct sim_walker *, uint64_t from, uint64_t to);

struct sim_asked { uint64_t page, from, to; };

struct sim_mshrs {
	uint32_t tag[SIM_MOST_MSHRS] __attribute__((aligned(16))); /* lower half of each page number, + 1 */
	struct sim_asked request[SIM_MOST_MSHRS]; /* a ring: a new request replaces the oldest one */
	unsigned n, next, groups;
	uint64_t last;             /* the latest end of all requests */
};

void sim_mshrs_init(struct sim_mshrs *, unsigned n);

/* Returns the requests whose tag fits that 4 KB page, finished ones too, one bit each. */
static inline uint64_t
sim_mshrs_match(const struct sim_mshrs *m, uint64_t page)
{
	return sim_match(m->tag, m->groups, (uint32_t)page + 1);
}

/* Returns when the request in `match` that is in flight at `time` ends; 0: none is in flight. */
static inline uint64_t
sim_mshrs_end(const struct sim_mshrs *m, uint64_t match, uint64_t page, uint64_t time)
{
	uint64_t end = 0;

	do {
		/* Without a match the last entry is read; its page differs, so it does not count. There is no branch,
		 * because whether a recently walked page is still in flight is unpredictable. */
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

/* Returns when an MSHR is free. */
static inline uint64_t
sim_mshrs_room(const struct sim_mshrs *m)
{
	return m->request[m->next].to;
}

void sim_mshrs_take(struct sim_mshrs *, uint64_t page, uint64_t from, uint64_t to);

struct sim_memory;

#define SIM_CHUNK_SHIFT 18

struct sim_chunk {
	/* epoch of struct sim_pages when `accessed` was last set; if that has risen since, all bits count as clear */
	uint64_t epoch;
	uint64_t accessed[(1 << SIM_CHUNK_SHIFT) / 64], touched[(1 << SIM_CHUNK_SHIFT) / 64];
};

struct sim_pages {
	struct sim_chunk **chunk; /* chunks by page >> SIM_CHUNK_SHIFT */
	size_t n;
	uint64_t first, pages;    /* pages that count as touched from the beginning */
	uint64_t epoch;           /* how often all bits were cleared */
};

/* Pages have the size that maps the memory. Pages outside the memory have bits, too (48-bit addresses); these begin
 * clear. */
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

/* Sets the accessed bit of a page if it is clear. Returns true on the first touch of the page. */
bool sim_pages_access(struct sim_pages *, uint64_t page);
/* Clears all accessed bits; touched pages remain touched. */
void sim_pages_clear(struct sim_pages *);

#endif
