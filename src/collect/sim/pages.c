#include "collect/sim/pages.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "collect/sim/workload.h"

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
