#include "sim/mmu/cache.h"

#include <stdlib.h>

#include "base/mem.h"

#define ALIGN 64 /* bytes of a line of the host's caches */

/* Returns zeroed memory aligned to a line of the host's caches. The caller frees *whole. */
static void *
new_aligned(size_t n, size_t size, void **whole)
{
	*whole = mem_new_array(n + ALIGN / size + 1, size);
	return (char *)*whole + (ALIGN - (uintptr_t)*whole % ALIGN) % ALIGN;
}

static void
level_init(struct sim_level *l, const struct sim_cache *size)
{
	*l = (struct sim_level){0};
	if (size->bytes) {
		l->groups = sim_groups(size->ways);
		l->shift = 63 - (unsigned)__builtin_clzll(size->bytes / SIM_LINE / size->ways);
		l->all = size->ways == 64 ? UINT64_MAX : ((uint64_t)1 << size->ways) - 1;
	}
	/* A missing level has room for one tag, which is written and never compared. */
	l->tag = new_aligned(((size_t)l->groups * 4 << l->shift) + 1, sizeof *l->tag, &l->whole);
	l->used = mem_new_array((size_t)1 << l->shift, sizeof *l->used);
}

void
sim_caches_init(struct sim_caches *c, const struct sim_machine *m, uint64_t unit)
{
	const struct sim_cache *size[3] = {&m->l1, &m->l2, &m->l3};

	c->walk = NULL;
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

/* Returns the level that has a line which the first level misses. Afterwards all levels above it have the line, too. */
SIM_INLINE enum sim_served
find_below_first(struct sim_caches *c, unsigned groups2, unsigned groups3, uint64_t line)
{
	struct sim_place p = sim_level_look(&c->level[1], groups2, line);

	sim_level_take(&c->level[1], &p);
	if (p.match)
		return SIM_BY_L2;
	p = sim_level_look(&c->level[2], groups3, line);
	sim_level_take(&c->level[2], &p);
	return (enum sim_served)((unsigned)SIM_BY_MEMORY - (p.match != 0));
}

static inline enum sim_served
deeper(struct sim_caches *c, uint64_t line)
{
	/* Most machines have caches with 8 and 16 ways; with these constants the compiler unrolls the loops. */
	if (c->level[1].groups == 2 && c->level[2].groups == 4)
		return find_below_first(c, 2, 4, line);
	return find_below_first(c, c->level[1].groups, c->level[2].groups, line);
}

struct sim_data
sim_caches_wait(struct sim_caches *c, size_t entry, uint64_t time)
{
	uint64_t *ready = &c->ready[entry], soonest = time + c->latency[SIM_BY_L1];

	/* A later µop in program order asks for the line earlier in time: this request is the first one. */
	if (*ready > time + c->latency[SIM_BY_MEMORY]) {
		*ready = time + c->latency[SIM_BY_MEMORY];
		return (struct sim_data){*ready, SIM_BY_MEMORY};
	}
	return (struct sim_data){*ready > soonest ? *ready : soonest, SIM_BY_FILL};
}

struct sim_data
sim_caches_walker_miss(struct sim_caches *c, size_t entry, uint64_t line, uint64_t time)
{
	struct sim_data d = {.by = deeper(c, line)};

	c->ready[entry] = d.ready = time + c->latency[d.by];
	return d;
}

struct sim_data
sim_caches_miss(struct sim_caches *c, size_t entry, uint64_t line, uint64_t time)
{
	uint64_t *buffer = &c->buffer[c->next];
	struct sim_data d;

	c->next = (c->next + 1) & (0 - (unsigned)(c->next + 1 != c->buffers));
	d = sim_caches_walker_miss(c, entry, line, *buffer > time ? *buffer : time);
	*buffer = d.ready;
	return d;
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
	s->tag = new_aligned(sets * s->groups * 4, sizeof *s->tag, &s->whole[0]);
	s->entry = new_aligned(sets * s->groups * 4, sizeof *s->entry, &s->whole[1]);
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
