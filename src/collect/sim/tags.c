#include "collect/sim/tags.h"

#include <stdlib.h>

#include "base/mem.h"

void
sim_tags_init(struct sim_tags *s, struct sim_ways size)
{
	size_t sets = size.entries ? size.entries / size.ways : 1;

	s->ways = size.entries ? size.ways : 0;
	s->set_mask = sets - 1;
	s->all = s->ways == 64 ? UINT64_MAX : ((uint64_t)1 << s->ways) - 1;
	s->key = mem_new_array(size.entries, sizeof *s->key);
	s->ready = mem_new_array(size.entries, sizeof *s->ready);
	s->used = mem_new_array(sets, sizeof *s->used);
}

void
sim_tags_free(struct sim_tags *s)
{
	free(s->key);
	free(s->ready);
	free(s->used);
}

void
sim_tags_fill(struct sim_tags *s, uint64_t key, uint64_t ready)
{
	size_t i = sim_tags_find(s, key), set = (size_t)(key & s->set_mask);

	if (!s->ways)
		return;
	if (i == SIM_NOT_FOUND) {
		i = set * s->ways + sim_free_way(s->used[set], s->all);
		s->key[i] = key + 1;
		s->ready[i] = ready;
	} else if (ready < s->ready[i])
		s->ready[i] = ready;
	s->used[set] = sim_use_way(s->used[set], s->all, (unsigned)(i - set * s->ways));
}
