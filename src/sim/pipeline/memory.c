#include "sim/pipeline/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/random.h"
#include "sim/event.h"

#define BY_BITS 2 /* of `arrives`: the level that sent the line */

static void
cache_init(struct pipe_cache *cache, const struct sim_cache *size, enum sim_replacement replacement)
{
	unsigned line = size->line ? size->line : SIM_LINE;
	uint64_t sets;

	*cache = (struct pipe_cache){.shift = (unsigned)__builtin_ctz(line), .ways = size->ways,
		.replacement = replacement, .random = size->bytes};
	if (!size->bytes)
		return;
	sets = size->bytes / line / size->ways;
	cache->mask = sets - 1;
	cache->line = mem_new_array((size_t)sets * size->ways, sizeof *cache->line);
}

void
pipe_memory_init(struct pipe_memory *memory, const struct sim_machine *machine, uint32_t perfect, uint64_t *count)
{
	enum sim_replacement how = machine->pipe.replacement;

	*memory = (struct pipe_memory){.perfect = perfect, .count = count, .buffers = machine->data_mlp,
		.has_l3 = machine->l3.bytes != 0};
	cache_init(&memory->l1i, &machine->pipe.l1i, how);
	cache_init(&memory->l1d, &machine->l1, how);
	cache_init(&memory->l2, &machine->l2, how);
	cache_init(&memory->l3, &machine->l3, how);
	memory->latency[PIPE_L1] = machine->l1.latency;
	memory->latency[PIPE_L2] = machine->l2.latency;
	memory->latency[PIPE_L3] = machine->l3.latency;
	memory->latency[PIPE_MEMORY] = machine->memory_latency;
	memory->buffer = mem_new_array(memory->buffers, sizeof *memory->buffer);
}

void
pipe_memory_free(struct pipe_memory *m)
{
	free(m->l1i.line);
	free(m->l1d.line);
	free(m->l2.line);
	free(m->l3.line);
	free(m->buffer);
}

/* Takes in a line that the set does not have, at random among those that may go; free places are at its end. */
static struct pipe_line *
replace_any(struct pipe_cache *cache, struct pipe_line *set, uint64_t tag)
{
	unsigned i = cache->ways - 1;

	if (set[i].tag) {
		i = (unsigned)random_below(&cache->random, cache->ways);
	} else {
		while (i > 0 && !set[i - 1].tag)
			i--;
	}
	set[i] = (struct pipe_line){.tag = tag};
	return &set[i];
}

/* A line that is not the first of its set, where hits move none: with SIM_FIFO the lines of a set are in the order in
 * which they came, the last one first; with SIM_RANDOM in no order. */
static struct pipe_line *
touch_unordered(struct pipe_cache *cache, struct pipe_line *set, uint64_t tag, bool *hit)
{
	unsigned i = 1;

	while (i < cache->ways && set[i].tag != tag)
		i++;
	*hit = i < cache->ways;
	if (*hit)
		return &set[i];
	if (cache->replacement == SIM_RANDOM)
		return replace_any(cache, set, tag);
	memmove(set + 1, set, (cache->ways - 1) * sizeof *set);
	*set = (struct pipe_line){.tag = tag};
	return set;
}

/* Returns the line, now the first of its set with LRU. If the cache did not have it, it replaces another one, and *hit
 * is false. */
static inline struct pipe_line *
cache_touch(struct pipe_cache *cache, uint64_t address, bool *hit)
{
	uint64_t tag = (address >> cache->shift) + 1;
	struct pipe_line *set = cache->line + (((address >> cache->shift) & cache->mask) * cache->ways), above = *set;

	*hit = above.tag == tag;
	if (!*hit && cache->replacement != SIM_LRU)
		return touch_unordered(cache, set, tag, hit);
	/* each line moves down, until the place of the one that is asked for is taken */
	for (unsigned i = 1; i < cache->ways && !*hit; i++) {
		struct pipe_line l = set[i];

		set[i] = above;
		*hit = l.tag == tag;
		above = l;
	}
	*set = *hit ? above : (struct pipe_line){.tag = tag};
	return set;
}

static inline uint64_t
pack(uint64_t time, enum pipe_level by)
{
	return time << BY_BITS | (uint64_t)by;
}

static inline enum pipe_level
sender(const struct pipe_line *l)
{
	return (enum pipe_level)(l->arrives & ((1 << BY_BITS) - 1));
}

/* An access of one of the first levels: which perfect structures and counters apply. */
struct side {
	enum sim_part l2, l3;   /* bits of perfect structures */
	uint64_t direct;        /* cycles that a request saves because it does not look into L1D first */
};

static const struct side data_side = {SIM_PART_L2D, SIM_PART_L3D, 0};

/* Looks for a line that the first level misses, from the second level on.
 *
 * A perfect level answers as if it had the line, and counts nothing. It still takes the line in, as the levels beyond
 * it do: code and data share them, and each takes as much room from the other as it does when no level is perfect. */
static struct pipe_answer
ask_below(struct pipe_memory *memory, const struct side *side, uint64_t address, uint64_t time, bool counted)
{
	bool perfect_l2 = memory->perfect >> side->l2 & 1, perfect_l3 = perfect_l2 || memory->perfect >> side->l3 & 1;
	bool in_l2, in_l3 = false;
	struct pipe_answer a = {.missed = true};
	struct pipe_line *l2 = cache_touch(&memory->l2, address, &in_l2), *l3 = NULL;
	const struct pipe_line *sent = in_l2 && !perfect_l2 ? l2 : NULL; /* a line that may be in flight */

	memory->count[SIM_PIPE_L2_ACCESS] += counted;
	memory->count[SIM_PIPE_L2_MISS] += counted && !in_l2 && !perfect_l2;
	if (!in_l2 && memory->has_l3) {
		l3 = cache_touch(&memory->l3, address, &in_l3);
		memory->count[SIM_PIPE_L3_ACCESS] += counted && !perfect_l2;
		memory->count[SIM_PIPE_L3_MISS] += counted && !in_l3 && !perfect_l3;
		sent = in_l3 && !perfect_l3 ? l3 : NULL;
	}
	a.by = in_l2 || perfect_l2 ? PIPE_L2 : memory->has_l3 && (in_l3 || perfect_l3) ? PIPE_L3 : PIPE_MEMORY;
	a.found = a.by;
	a.ready = time + memory->latency[a.by] - side->direct;
	if (sent && sent->arrives >> BY_BITS > a.ready) {
		a.ready = sent->arrives >> BY_BITS;
		a.by = sender(sent);
	}
	l2->arrives = pack(a.ready, a.by);
	if (l3)
		l3->arrives = pack(a.ready, a.by);
	return a;
}

static inline struct pipe_answer
ask_data(struct pipe_memory *memory, uint64_t address, uint64_t time, bool demand, bool counted)
{
	struct pipe_answer a;
	struct pipe_line *line;
	bool hit;

	line = cache_touch(&memory->l1d, address, &hit);
	if (hit) {
		uint64_t arrives = line->arrives >> BY_BITS, soonest = time + memory->latency[PIPE_L1];

		if (arrives <= soonest)
			return (struct pipe_answer){soonest, PIPE_L1, PIPE_L1, false};
		return (struct pipe_answer){arrives, sender(line), PIPE_L1, false};
	}
	if (demand) {
		uint64_t *buffer = &memory->buffer[memory->next];

		memory->next = memory->next + 1 == memory->buffers ? 0 : memory->next + 1;
		a = ask_below(memory, &data_side, address, *buffer > time ? *buffer : time, counted);
		*buffer = a.ready;
	} else {
		a = ask_below(memory, &data_side, address, time, counted);
	}
	line->arrives = pack(a.ready, a.by);
	return a;
}

struct pipe_answer
pipe_memory_data(struct pipe_memory *m, uint64_t address, uint64_t time, bool demand)
{
	if (m->perfect >> SIM_PART_L1D & 1)
		return (struct pipe_answer){time + m->latency[PIPE_L1], PIPE_L1, PIPE_L1, false};
	return ask_data(m, address, time, demand, demand);
}

#define LATER ((UINT64_MAX >> BY_BITS) - 1) /* arrival of a line whose access has been looked up and not executed */

struct pipe_answer
pipe_memory_look(struct pipe_memory *memory, uint64_t address, uint64_t now)
{
	struct pipe_answer a;
	struct pipe_line *line;
	bool hit;

	if (memory->perfect >> SIM_PART_L1D & 1)
		return (struct pipe_answer){0, PIPE_L1, PIPE_L1, false};
	line = cache_touch(&memory->l1d, address, &hit);
	if (hit)
		return (struct pipe_answer){0, sender(line), PIPE_L1, false};
	a = ask_below(memory, &data_side, address, now, true);
	a.by = a.found; /* when it is executed, a line in flight below will have arrived */
	line->arrives = pack(LATER, a.by);
	return a;
}

struct pipe_answer
pipe_memory_use(struct pipe_memory *memory, uint64_t address, enum pipe_level by, uint64_t time)
{
	uint64_t tag = (address >> memory->l1d.shift) + 1, soonest = time + memory->latency[PIPE_L1];
	struct pipe_line *set = memory->l1d.line +
		(((address >> memory->l1d.shift) & memory->l1d.mask) * memory->l1d.ways);

	if (memory->perfect >> SIM_PART_L1D & 1)
		return (struct pipe_answer){soonest, PIPE_L1, PIPE_L1, false};
	for (unsigned i = 0; i < memory->l1d.ways; i++) {
		uint64_t arrives = set[i].arrives >> BY_BITS;

		if (set[i].tag != tag)
			continue;
		if (arrives == LATER) {
			arrives = time + memory->latency[by];
			set[i].arrives = pack(arrives, by);
		}
		if (arrives <= soonest)
			return (struct pipe_answer){soonest, PIPE_L1, PIPE_L1, false};
		return (struct pipe_answer){arrives, sender(&set[i]), PIPE_L1, false};
	}
	return (struct pipe_answer){time + memory->latency[by], by, by, false}; /* replaced meanwhile */
}

struct pipe_answer
pipe_memory_prefetch(struct pipe_memory *m, uint64_t address, uint64_t time)
{
	struct pipe_answer a;

	m->count[SIM_PIPE_PREFETCH]++;
	if (m->perfect >> SIM_PART_L1D & 1)
		return (struct pipe_answer){time, PIPE_L1, PIPE_L1, false};
	a = ask_data(m, address, time, false, false);
	m->count[SIM_PIPE_PREFETCH_MISS] += a.missed;
	return a;
}

struct pipe_answer
pipe_memory_fetch(struct pipe_memory *memory, uint64_t address, uint64_t time)
{
	const struct side code_side = {SIM_PART_L2I, SIM_PART_L3I, memory->latency[PIPE_L1]};
	struct pipe_answer a;
	struct pipe_line *line;
	bool hit;

	if (memory->perfect >> SIM_PART_L1I & 1)
		return (struct pipe_answer){time, PIPE_L1, PIPE_L1, false};
	line = cache_touch(&memory->l1i, address, &hit);
	if (hit && line->arrives >> BY_BITS <= time)
		return (struct pipe_answer){time, PIPE_L1, PIPE_L1, false};
	if (hit)
		return (struct pipe_answer){line->arrives >> BY_BITS, sender(line), PIPE_L1, false};
	a = ask_below(memory, &code_side, address, time, true);
	line->arrives = pack(a.ready, a.by);
	return a;
}

enum sim_part
pipe_memory_part(const struct pipe_memory *m, enum pipe_level by, bool data)
{
	static const enum sim_part part[2][4] = {
		{SIM_PART_BASE, SIM_PART_L1I, SIM_PART_L2I, SIM_PART_L3I},
		{SIM_PART_BASE, SIM_PART_L1D, SIM_PART_L2D, SIM_PART_L3D},
	};

	return part[data][by == PIPE_MEMORY && !m->has_l3 ? (int)PIPE_L3 : (int)by];
}
