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
sim_caches_init(struct sim_caches *caches, const struct sim_machine *machine, uint64_t unit)
{
	const struct sim_cache *size[3] = {&machine->l1, &machine->l2, &machine->l3};

	caches->walk = NULL;
	caches->line_bits = 64;
	for (int i = 0; i < 3; i++) {
		struct sim_level *level = &caches->level[i];

		level_init(level, size[i]);
		caches->latency[i] = size[i]->latency * unit;
		/* A tag has 32 bits. */
		if (level->groups && 32 + level->shift < caches->line_bits)
			caches->line_bits = 32 + level->shift;
	}
	caches->latency[SIM_BY_MEMORY] = machine->memory_latency * unit;
	caches->ready = mem_new_array(
		(size_t)caches->level[0].groups * 4 << caches->level[0].shift, sizeof *caches->ready);
	caches->buffers = machine->data_mlp;
	caches->next = 0;
	caches->buffer = mem_new_array(caches->buffers, sizeof *caches->buffer);
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
sim_tags_init(struct sim_tags *tags, struct sim_ways size)
{
	unsigned ways = size.entries ? size.ways : 1;
	size_t sets = size.entries ? size.entries / ways : 1;

	tags->none = size.entries == 0;
	tags->groups = sim_groups(ways);
	tags->set_mask = sets - 1;
	tags->all = ways == 64 ? UINT64_MAX : ((uint64_t)1 << ways) - 1;
	tags->tag = new_aligned(sets * tags->groups * 4, sizeof *tags->tag, &tags->whole[0]);
	tags->entry = new_aligned(sets * tags->groups * 4, sizeof *tags->entry, &tags->whole[1]);
	tags->used = mem_new_array(sets, sizeof *tags->used);
}

void
sim_tags_free(struct sim_tags *s)
{
	free(s->whole[0]);
	free(s->whole[1]);
	free(s->used);
}

void
sim_tags_fill(struct sim_tags *tags, uint64_t key, uint64_t ready)
{
	size_t set = (size_t)(key & tags->set_mask);
	unsigned way;
	struct sim_entry *entry = sim_tags_find(tags, key, &way);

	if (tags->none)
		return;
	if (!entry) {
		way = sim_way_of(0, tags->used[set], tags->all);
		tags->tag[set * tags->groups * 4 + way] = (uint32_t)key + 1;
		tags->entry[set * tags->groups * 4 + way] = (struct sim_entry){key + 1, ready};
	} else if (ready < entry->ready)
		entry->ready = ready;
	tags->used[set] = sim_use_way(tags->used[set], tags->all, way);
}
