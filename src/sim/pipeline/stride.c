#include "sim/pipeline/stride.h"

#include <stdlib.h>

#include "base/mem.h"

#define QUEUE 32   /* requests that wait for a port; a power of two */
#define PATIENCE 8 /* cycles after which a request is given up */
#define LINE_SHIFT 6
#define WAYS 16

enum state { INITIAL, TRANSIENT, STEADY, NO_PREDICTION };

struct stride_entry {
	uint64_t pc; /* 0: empty */
	uint64_t last;
	int64_t stride;
	enum state state;
};

struct pipe_stride {
	struct stride_entry *entry; /* sets of WAYS, the most recently used first */
	uint64_t sets;
	int64_t ahead;
	struct { uint64_t address, made; } queue[QUEUE];
	unsigned head, n;
};

struct pipe_stride *
pipe_stride_new(unsigned entries, unsigned ahead)
{
	struct pipe_stride *s = mem_new(sizeof *s);

	s->sets = entries / WAYS ? entries / WAYS : 1;
	s->entry = mem_new_array(s->sets * WAYS, sizeof *s->entry);
	s->ahead = ahead;
	return s;
}

void
pipe_stride_free(struct pipe_stride *s)
{
	if (!s)
		return;
	free(s->entry);
	free(s);
}

/* Returns the entry of a load, now the first of its set; *found is false for a new one. */
static struct stride_entry *
stride_entry_of(struct pipe_stride *stride, uint64_t pc, bool *found)
{
	struct stride_entry *set = stride->entry + (pc >> 2) % stride->sets * WAYS, e;
	unsigned i = 0;

	while (i < WAYS - 1 && set[i].pc != pc)
		i++;
	*found = set[i].pc == pc;
	e = set[i];
	for (; i > 0; i--)
		set[i] = set[i - 1];
	*set = e;
	return set;
}

static void
enqueue(struct pipe_stride *s, uint64_t address, uint64_t now)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->queue[(s->head + i) % QUEUE].address >> LINE_SHIFT == address >> LINE_SHIFT)
			return;
	if (s->n == QUEUE) {
		s->head = (s->head + 1) % QUEUE;
		s->n--;
	}
	s->queue[(s->head + s->n) % QUEUE].address = address;
	s->queue[(s->head + s->n++) % QUEUE].made = now;
}

void
pipe_stride_load(struct pipe_stride *pipe_stride, uint64_t pc, uint64_t address, uint64_t now)
{
	static const enum state next[2][4] = {
		/* the stride differs */ {TRANSIENT, NO_PREDICTION, INITIAL, NO_PREDICTION},
		/* it is the same */ {STEADY, STEADY, STEADY, TRANSIENT},
	};
	bool found, same;
	struct stride_entry *entry = stride_entry_of(pipe_stride, pc, &found);
	int64_t stride;

	if (!found) {
		*entry = (struct stride_entry){.pc = pc, .last = address};
		return;
	}
	if (entry->state == STEADY && entry->stride)
		enqueue(pipe_stride, entry->last + (uint64_t)(entry->stride * pipe_stride->ahead), now);
	stride = (int64_t)(address - entry->last);
	same = stride == entry->stride;
	if (!same && entry->state != STEADY) /* a steady stride survives one exception */
		entry->stride = stride;
	entry->state = next[same][entry->state];
	entry->last = address;
}

bool
pipe_stride_take(struct pipe_stride *stride, uint64_t now, uint64_t *address)
{
	while (stride->n && stride->queue[stride->head].made + PATIENCE < now) {
		stride->head = (stride->head + 1) % QUEUE;
		stride->n--;
	}
	if (!stride->n)
		return false;
	*address = stride->queue[stride->head].address;
	stride->head = (stride->head + 1) % QUEUE;
	stride->n--;
	return true;
}

bool
pipe_stride_waits(const struct pipe_stride *s)
{
	return s->n != 0;
}
