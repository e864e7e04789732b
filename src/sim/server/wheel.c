#include "sim/server/wheel.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct wheel *
wheel_new(size_t n_nodes)
{
	struct wheel *w = mem_new(sizeof *w);

	memset(w->last, 0xff, sizeof w->last);
	wheel_grow(w, n_nodes);
	return w;
}

void
wheel_free(struct wheel *w)
{
	if (!w)
		return;
	free(w->next);
	free(w->far);
	free(w);
}

void
wheel_grow(struct wheel *w, size_t n_nodes)
{
	w->next = mem_resize(w->next, n_nodes, sizeof *w->next);
	w->n_nodes = n_nodes;
}

static bool
comes_before(const struct wheel_far *a, const struct wheel_far *b)
{
	return a->time < b->time || (a->time == b->time && a->order < b->order);
}

static void
far_push(struct wheel *w, struct wheel_far f)
{
	size_t i = w->n_far;

	mem_grow(&w->far, &w->cap, w->n_far + 1, sizeof *w->far);
	w->n_far++;
	for (; i && comes_before(&f, &w->far[(i - 1) / 2]); i = (i - 1) / 2)
		w->far[i] = w->far[(i - 1) / 2];
	w->far[i] = f;
}

static struct wheel_far
far_pop(struct wheel *w)
{
	struct wheel_far first = w->far[0], f = w->far[--w->n_far];
	size_t i = 0;

	for (size_t child; (child = 2 * i + 1) < w->n_far; i = child) {
		if (child + 1 < w->n_far && comes_before(&w->far[child + 1], &w->far[child]))
			child++;
		if (!comes_before(&w->far[child], &f))
			break;
		w->far[i] = w->far[child];
	}
	w->far[i] = f;
	return first;
}

static void
put_in_slot(struct wheel *w, uint64_t time, uint32_t node)
{
	size_t slot = time % WHEEL_SLOTS;
	uint32_t last = w->last[slot];

	if (last == WHEEL_NONE) {
		w->next[node] = node;
		w->busy[slot / 64] |= UINT64_C(1) << slot % 64;
	} else {
		w->next[node] = w->next[last];
		w->next[last] = node;
	}
	w->last[slot] = node;
}

void
wheel_add(struct wheel *w, uint64_t time, uint32_t node)
{
	if (time - w->now < WHEEL_SLOTS)
		put_in_slot(w, time, node);
	else
		far_push(w, (struct wheel_far){time, w->order++, node});
}

/* The time of the first busy slot from the wheel's time on; UINT64_MAX: all slots are empty. */
static uint64_t
next_busy(const struct wheel *w)
{
	size_t slot = w->now % WHEEL_SLOTS, word = slot / 64;
	uint64_t bits = w->busy[word] & ~UINT64_C(0) << slot % 64;

	for (size_t i = 0; i <= WHEEL_SLOTS / 64; i++) {
		if (bits) {
			size_t found = word * 64 + (size_t)__builtin_ctzll(bits);

			return w->now + (found + WHEEL_SLOTS - slot) % WHEEL_SLOTS;
		}
		word = (word + 1) % (WHEEL_SLOTS / 64);
		bits = w->busy[word];
	}
	return UINT64_MAX;
}

/* Moves far events into the wheel that fit when its time is `time`. */
static void
draw_near(struct wheel *w, uint64_t time)
{
	w->now = time;
	while (w->n_far && w->far[0].time - time < WHEEL_SLOTS) {
		struct wheel_far f = far_pop(w);

		put_in_slot(w, f.time, f.node);
	}
}

uint32_t
wheel_take(struct wheel *w, uint64_t end)
{
	uint64_t time = next_busy(w);
	size_t slot;
	uint32_t last, first;

	if (time == UINT64_MAX && w->n_far)
		time = w->far[0].time;
	if (time > end) {
		draw_near(w, end);
		return WHEEL_NONE;
	}
	draw_near(w, time);
	slot = time % WHEEL_SLOTS;
	last = w->last[slot];
	first = w->next[last];
	if (first == last) {
		w->last[slot] = WHEEL_NONE;
		w->busy[slot / 64] &= ~(UINT64_C(1) << slot % 64);
	} else {
		w->next[last] = w->next[first];
	}
	return first;
}
