#include "collect/sim/cache.h"

#include <stdlib.h>

#include "base/mem.h"
#include "collect/sim/tags.h"

static size_t
entries(const struct sim_level *l)
{
	return l->ways ? (size_t)l->ways << l->shift : 0;
}

static void
level_init(struct sim_level *l, const struct sim_cache *size)
{
	*l = (struct sim_level){0};
	if (!size->bytes)
		return;
	l->ways = size->ways;
	l->shift = 63 - (unsigned)__builtin_clzll(size->bytes / SIM_LINE / size->ways);
	l->all = l->ways == 64 ? UINT64_MAX : ((uint64_t)1 << l->ways) - 1;
	l->tag = mem_new_array(entries(l), sizeof *l->tag);
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
		if (l->ways && 32 + l->shift < c->line_bits)
			c->line_bits = 32 + l->shift;
	}
	c->latency[SIM_BY_MEMORY] = m->memory_latency * unit;
	c->ready = mem_new_array(entries(&c->level[0]), sizeof *c->ready);
	c->buffers = m->data_mlp;
	c->next = 0;
	c->buffer = mem_new_array(c->buffers, sizeof *c->buffer);
}

void
sim_caches_free(struct sim_caches *c)
{
	for (int i = 0; i < 3; i++) {
		free(c->level[i].tag);
		free(c->level[i].used);
	}
	free(c->ready);
	free(c->buffer);
}

struct place {
	size_t set, first; /* index of the first way */
	uint32_t tag;
};

static inline struct place
place_of(const struct sim_level *l, uint64_t line)
{
	size_t set = (size_t)(line & (((uint64_t)1 << l->shift) - 1));

	return (struct place){.set = set, .first = set * l->ways, .tag = (uint32_t)(line >> l->shift) + 1};
}

/* The way that has it; l->ways: none. */
static inline unsigned
way_of(const struct sim_level *l, const struct place *p)
{
	const uint32_t *tag = l->tag + p->first;
	unsigned w;

	for (w = 0; w < l->ways; w++)
		if (tag[w] == p->tag)
			break;
	return w;
}

static inline void
use(struct sim_level *l, const struct place *p, unsigned way)
{
	l->used[p->set] = sim_use_way(l->used[p->set], l->all, way);
}

/* Whether the level had it; now it has it. */
static inline bool
had(struct sim_level *l, uint64_t line)
{
	struct place p = place_of(l, line);
	unsigned w = way_of(l, &p);
	bool hit = w < l->ways;

	if (!hit) {
		w = sim_free_way(l->used[p.set], l->all);
		l->tag[p.first + w] = p.tag;
	}
	use(l, &p, w);
	return hit;
}

/* In the first level, but perhaps not yet. */
static enum sim_served
found(struct sim_caches *c, size_t i, uint64_t time, uint64_t *ready)
{
	if (c->ready[i] <= time) {
		*ready = time + c->latency[SIM_BY_L1];
		return SIM_BY_L1;
	}
	/* A µop before this one in program order, but later in time, asked for the line: this one is the first, then. */
	if (c->ready[i] > time + c->latency[SIM_BY_MEMORY]) {
		c->ready[i] = *ready = time + c->latency[SIM_BY_MEMORY];
		return SIM_BY_MEMORY;
	}
	*ready = time + c->latency[SIM_BY_L1];
	if (*ready < c->ready[i])
		*ready = c->ready[i];
	return SIM_BY_FILL;
}

enum sim_served
sim_caches_ask(struct sim_caches *c, uint64_t line, uint64_t time, bool walker, uint64_t *ready)
{
	struct sim_level *l1 = &c->level[0];
	struct place p = place_of(l1, line);
	unsigned w = way_of(l1, &p);
	enum sim_served by = SIM_BY_MEMORY;

	if (w < l1->ways) {
		use(l1, &p, w);
		return found(c, p.first + w, time, ready);
	}
	if (c->level[1].ways && had(&c->level[1], line))
		by = SIM_BY_L2;
	else if (c->level[2].ways && had(&c->level[2], line))
		by = SIM_BY_L3;
	if (!walker && c->buffer[c->next] > time)
		time = c->buffer[c->next];
	*ready = time + c->latency[by];
	if (!walker) {
		c->buffer[c->next] = *ready;
		c->next = c->next + 1 == c->buffers ? 0 : c->next + 1;
	}
	w = sim_free_way(l1->used[p.set], l1->all);
	l1->tag[p.first + w] = p.tag;
	c->ready[p.first + w] = *ready;
	use(l1, &p, w);
	return by;
}
