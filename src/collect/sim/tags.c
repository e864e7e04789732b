#include "collect/sim/tags.h"

#include <stdlib.h>

#include "base/mem.h"

void *
sim_aligned(size_t n, size_t size, void **whole)
{
	*whole = mem_new_array(n + SIM_ALIGN / size + 1, size);
	return (char *)*whole + (SIM_ALIGN - (uintptr_t)*whole % SIM_ALIGN) % SIM_ALIGN;
}

void
sim_tags_init(struct sim_tags *s, struct sim_ways size)
{
	unsigned ways = size.entries ? size.ways : 1;
	size_t sets = size.entries ? size.entries / ways : 1;

	s->none = size.entries == 0;
	s->groups = sim_groups(ways);
	s->set_mask = sets - 1;
	s->all = ways == 64 ? UINT64_MAX : ((uint64_t)1 << ways) - 1;
	s->tag = sim_aligned(sets * s->groups * 4, sizeof *s->tag, &s->whole[0]);
	s->entry = sim_aligned(sets * s->groups * 4, sizeof *s->entry, &s->whole[1]);
	s->used = mem_new_array(sets, sizeof *s->used);
}

void
sim_tags_free(struct sim_tags *s)
{
	free(s->whole[0]);
	free(s->whole[1]);
	free(s->used);
}

void
sim_tags_fill(struct sim_tags *s, uint64_t key, uint64_t ready)
{
	size_t set = (size_t)(key & s->set_mask);
	unsigned way;
	struct sim_entry *e = sim_tags_find(s, key, &way);

	if (s->none)
		return;
	if (!e) {
		way = sim_way_of(0, s->used[set], s->all);
		s->tag[set * s->groups * 4 + way] = (uint32_t)key + 1;
		s->entry[set * s->groups * 4 + way] = (struct sim_entry){key + 1, ready};
	} else if (ready < e->ready)
		e->ready = ready;
	s->used[set] = sim_use_way(s->used[set], s->all, way);
}
