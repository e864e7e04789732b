#include "sim/mmu/walker.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "sim/workload.h"

static inline void
drop_past(struct sim_walker *walker, uint64_t now)
{
	unsigned old = 0;

	while (old < walker->n && walker->to[old] <= now)
		old++;
	if (!old)
		return;
	walker->n -= old;
	for (unsigned i = 0; i < walker->n; i++) {
		walker->from[i] = walker->from[old + i];
		walker->to[i] = walker->to[old + i];
	}
}

static inline uint64_t
free_from(const struct sim_walker *w, uint64_t time, uint64_t least)
{
	for (unsigned i = 0; i < w->n && time + least > w->from[i]; i++)
		if (time < w->to[i])
			time = w->to[i];
	return time;
}

uint64_t
sim_walkers_free(struct sim_walkers *all, uint64_t time, uint64_t now, struct sim_walker **which)
{
	uint64_t best = UINT64_MAX;

	for (unsigned i = 0; i < all->n; i++) {
		uint64_t t;

		drop_past(&all->walker[i], now);
		t = free_from(&all->walker[i], time, all->least);
		if (t < best) {
			best = t;
			*which = &all->walker[i];
		}
	}
	return best;
}

/* Joins intervals i and i + 1. */
static void
walker_join(struct sim_walker *w, unsigned i)
{
	if (w->to[i + 1] > w->to[i])
		w->to[i] = w->to[i + 1];
	w->n--;
	for (i++; i < w->n; i++) {
		w->from[i] = w->from[i + 1];
		w->to[i] = w->to[i + 1];
	}
}

void
sim_walker_take(struct sim_walker *walker, uint64_t from, uint64_t to)
{
	unsigned i = walker->n;

	/* Most walks begin when the last one ends, or later. */
	if (i && from >= walker->from[i - 1] && from <= walker->to[i - 1]) {
		if (to > walker->to[i - 1])
			walker->to[i - 1] = to;
		return;
	}
	if (walker->n == SIM_BUSY) {
		walker_join(walker, 0);
		i = walker->n;
	}
	for (; i > 0 && walker->from[i - 1] > from; i--) {
		walker->from[i] = walker->from[i - 1];
		walker->to[i] = walker->to[i - 1];
	}
	walker->from[i] = from;
	walker->to[i] = to;
	walker->n++;
	while (i + 1 < walker->n && walker->from[i + 1] <= walker->to[i])
		walker_join(walker, i);
	if (i > 0 && walker->from[i] <= walker->to[i - 1])
		walker_join(walker, i - 1);
}

void
sim_mshrs_init(struct sim_mshrs *m, unsigned n)
{
	*m = (struct sim_mshrs){.n = n, .groups = sim_groups(n)};
}

void
sim_mshrs_take(struct sim_mshrs *m, uint64_t page, uint64_t from, uint64_t to)
{
	unsigned i = m->next;

	m->tag[i] = (uint32_t)page + 1;
	m->request[i].page = page;
	m->request[i].from = from;
	m->request[i].to = to;
	m->next = (i + 1) & (0 - (unsigned)(i + 1 != m->n));
	m->last = to > m->last ? to : m->last;
}

void
sim_pages_init(struct sim_pages *p, const struct sim_memory *m)
{
	unsigned shift = sim_page_shift(m->page);

	*p = (struct sim_pages){.n = (size_t)1 << (48 - shift > SIM_CHUNK_SHIFT ? 48 - shift - SIM_CHUNK_SHIFT : 0)};
	p->chunk = mem_new_array(p->n, sizeof *p->chunk);
	if (m->touched && m->bytes) {
		p->first = m->base >> shift;
		p->pages = ((m->base + m->bytes - 1) >> shift) - p->first + 1;
	}
}

void
sim_pages_free(struct sim_pages *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->chunk[i]);
	free(p->chunk);
}

bool
sim_pages_access(struct sim_pages *pages, uint64_t page)
{
	struct sim_chunk **c = &pages->chunk[page >> SIM_CHUNK_SHIFT];
	size_t i = (size_t)(page & ((1 << SIM_CHUNK_SHIFT) - 1));
	uint64_t bit = (uint64_t)1 << i % 64;
	bool first;

	if (!*c) {
		*c = mem_new(sizeof **c);
		(*c)->epoch = pages->epoch;
	}
	if ((*c)->epoch != pages->epoch) {
		memset((*c)->accessed, 0, sizeof (*c)->accessed);
		(*c)->epoch = pages->epoch;
	}
	first = !((*c)->touched[i / 64] & bit) && page - pages->first >= pages->pages;
	(*c)->accessed[i / 64] |= bit;
	(*c)->touched[i / 64] |= bit;
	return first;
}

void
sim_pages_clear(struct sim_pages *p)
{
	p->epoch++;
}
