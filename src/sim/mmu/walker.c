#include "sim/mmu/walker.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "sim/workload.h"

static inline void
drop_past(struct sim_walker *w, uint64_t now)
{
	unsigned old = 0;

	while (old < w->n && w->to[old] <= now)
		old++;
	if (!old)
		return;
	w->n -= old;
	for (unsigned i = 0; i < w->n; i++) {
		w->from[i] = w->from[old + i];
		w->to[i] = w->to[old + i];
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
sim_walker_take(struct sim_walker *w, uint64_t from, uint64_t to)
{
	unsigned i = w->n;

	/* Most walks begin when the last one ends, or later. */
	if (i && from >= w->from[i - 1] && from <= w->to[i - 1]) {
		if (to > w->to[i - 1])
			w->to[i - 1] = to;
		return;
	}
	if (w->n == SIM_BUSY) {
		walker_join(w, 0);
		i = w->n;
	}
	for (; i > 0 && w->from[i - 1] > from; i--) {
		w->from[i] = w->from[i - 1];
		w->to[i] = w->to[i - 1];
	}
	w->from[i] = from;
	w->to[i] = to;
	w->n++;
	while (i + 1 < w->n && w->from[i + 1] <= w->to[i])
		walker_join(w, i);
	if (i > 0 && w->from[i] <= w->to[i - 1])
		walker_join(w, i - 1);
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
sim_pages_access(struct sim_pages *p, uint64_t page)
{
	struct sim_chunk **c = &p->chunk[page >> SIM_CHUNK_SHIFT];
	size_t i = (size_t)(page & ((1 << SIM_CHUNK_SHIFT) - 1));
	uint64_t bit = (uint64_t)1 << i % 64;
	bool first;

	if (!*c) {
		*c = mem_new(sizeof **c);
		(*c)->epoch = p->epoch;
	}
	if ((*c)->epoch != p->epoch) {
		memset((*c)->accessed, 0, sizeof (*c)->accessed);
		(*c)->epoch = p->epoch;
	}
	first = !((*c)->touched[i / 64] & bit) && page - p->first >= p->pages;
	(*c)->accessed[i / 64] |= bit;
	(*c)->touched[i / 64] |= bit;
	return first;
}

void
sim_pages_clear(struct sim_pages *p)
{
	p->epoch++;
}
