/* Accessed bits of the pages that a program touches, and which it has touched at all. Sparse: 64 KB for each 2^18 pages
 * in which one was touched. */
#ifndef COLLECT_SIM_PAGES_H
#define COLLECT_SIM_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
