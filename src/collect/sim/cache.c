#include "collect/sim/cache.h"

#include <stdlib.h>

#include "base/mem.h"

static void
level_init(struct sim_level *l, const struct sim_cache *size)
{
	*l = (struct sim_level){0};
	if (!size->bytes)
		return;
	l->groups = sim_groups(size->ways);
	l->shift = 63 - (unsigned)__builtin_clzll(size->bytes / SIM_LINE / size->ways);
	l->all = size->ways == 64 ? UINT64_MAX : ((uint64_t)1 << size->ways) - 1;
	l->tag = sim_aligned((size_t)l->groups * 4 << l->shift, sizeof *l->tag, &l->whole);
	l->used = mem_new_array((size_t)1 << l->shift, sizeof *l->used);
}

void
sim_caches_init(struct sim_caches *c, const struct sim_machine *m, uint64_t unit)
{
	const struct sim_cache *size[3] = {&m->l1, &m->l2, &m->l3};

	c->line_bits = 64;
	for (int i = 0; i < 3; i++) {
		struct sim_level *l = &c->level[i];

		level_init(l, size[i]);
		c->latency[i] = size[i]->latency * unit;
		/* A tag has 32 bits. */
		if (l->groups && 32 + l->shift < c->line_bits)
			c->line_bits = 32 + l->shift;
	}
	c->latency[SIM_BY_MEMORY] = m->memory_latency * unit;
	c->ready = mem_new_array((size_t)c->level[0].groups * 4 << c->level[0].shift, sizeof *c->ready);
	c->buffers = m->data_mlp;
	c->next = 0;
	c->buffer = mem_new_array(c->buffers, sizeof *c->buffer);
}

void
sim_caches_free(struct sim_caches *c)
{
	for (int i = 0; i < 3; i++) {
		free(c->level[i].whole);
		free(c->level[i].used);
	}
	free(c->ready);
	free(c->buffer);
}

/* The way that has it, or the one that it gets: nobody can predict which, so it is no branch. */
static inline unsigned
way_of(uint64_t match, uint64_t used, uint64_t all)
{
	uint64_t empty = ~used & all, ways = match ? match : empty ? empty : 1;

	return (unsigned)__builtin_ctzll(ways);
}

/* Whether the level had it; now it has it. */
static inline bool
had(struct sim_level *l, uint64_t line)
{
	size_t set = (size_t)(line & (((uint64_t)1 << l->shift) - 1));
	uint32_t want = (uint32_t)(line >> l->shift) + 1, *tag = l->tag + set * l->groups * 4;
	uint64_t match, used;
	unsigned way;

	if (!l->groups)
		return false;
	match = sim_match(tag, l->groups, want);
	used = l->used[set];
	way = way_of(match, used, l->all);
	tag[way] = want;
	l->used[set] = sim_use_way(used, l->all, way);
	return match != 0;
}

/* In the first level, but perhaps not yet. */
static struct sim_data
in_flight(struct sim_caches *c, uint64_t *ready, uint64_t time)
{
	uint64_t soonest = time + c->latency[SIM_BY_L1];

	/* A µop before this one in program order, but later in time, asked for the line: this one is the first, then. */
	if (*ready > time + c->latency[SIM_BY_MEMORY]) {
		*ready = time + c->latency[SIM_BY_MEMORY];
		return (struct sim_data){*ready, SIM_BY_MEMORY};
	}
	return (struct sim_data){*ready > soonest ? *ready : soonest, SIM_BY_FILL};
}

struct sim_data
sim_caches_ask(struct sim_caches *c, uint64_t line, uint64_t time, bool walker)
{
	struct sim_level *l = &c->level[0];
	size_t set = (size_t)(line & (((uint64_t)1 << l->shift) - 1)), first = set * l->groups * 4;
	uint32_t want = (uint32_t)(line >> l->shift) + 1;
	uint64_t match = sim_match(l->tag + first, l->groups, want), used = l->used[set];
	unsigned way = way_of(match, used, l->all);
	struct sim_data d = {.by = SIM_BY_MEMORY};

	l->used[set] = sim_use_way(used, l->all, way);
	if (match) {
		if (c->ready[first + way] > time)
			return in_flight(c, &c->ready[first + way], time);
		return (struct sim_data){time + c->latency[SIM_BY_L1], SIM_BY_L1};
	}
	l->tag[first + way] = want;
	if (had(&c->level[1], line))
		d.by = SIM_BY_L2;
	else if (had(&c->level[2], line))
		d.by = SIM_BY_L3;
	if (!walker) {
		if (c->buffer[c->next] > time)
			time = c->buffer[c->next];
		c->buffer[c->next] = time + c->latency[d.by];
		c->next = c->next + 1 == c->buffers ? 0 : c->next + 1;
	}
	c->ready[first + way] = d.ready = time + c->latency[d.by];
	return d;
}
