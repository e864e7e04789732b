#include "collect/perf/merge.h"

#include <stdlib.h>

#include "base/mem.h"

struct merge_event {
	struct tasktime_event e;
	uint64_t order; /* place among events of one time, in the order of reading */
};

struct merge *
merge_new(size_t n_lanes)
{
	struct merge *m = mem_new(sizeof *m);

	m->lane = mem_new_array(n_lanes, sizeof *m->lane);
	m->n_lanes = n_lanes;
	return m;
}

void
merge_free(struct merge *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->n_lanes; i++)
		ring_unmap(&m->lane[i].ring);
	free(m->lane);
	free(m->heap);
	free(m);
}

void
merge_begin(struct merge *m, uint64_t ns)
{
	m->begin = ns;
}

static bool
is_before(const struct merge_event *a, const struct merge_event *b)
{
	return a->e.ns < b->e.ns || (a->e.ns == b->e.ns && a->order < b->order);
}

void
merge_add(struct merge *merge, const struct tasktime_event *event)
{
	struct merge_event new = {*event, merge->order++};
	size_t i = merge->n;

	if (event->ns < merge->begin)
		return;
	if (event->ns < merge->told_up_to)
		merge->late++;
	mem_grow(&merge->heap, &merge->cap, merge->n + 1, sizeof *merge->heap);
	merge->n++;
	for (; i > 0 && is_before(&new, &merge->heap[(i - 1) / 2]); i = (i - 1) / 2)
		merge->heap[i] = merge->heap[(i - 1) / 2];
	merge->heap[i] = new;
	if (merge->n > merge->most)
		merge->most = merge->n;
}

static void
drop_first(struct merge *merge)
{
	struct merge_event last = merge->heap[--merge->n];
	size_t i = 0;

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= merge->n)
			break;
		if (child + 1 < merge->n && is_before(&merge->heap[child + 1], &merge->heap[child]))
			child++;
		if (!is_before(&merge->heap[child], &last))
			break;
		merge->heap[i] = merge->heap[child];
		i = child;
	}
	if (merge->n)
		merge->heap[i] = last;
}

/* Reads a lane up to its next fence, or to its end. */
static void
advance(struct merge *merge, struct merge_lane *lane, uint64_t quiet_ns)
{
	struct tasktime_event e;
	const void *record;
	size_t size;
	bool fence;

	while ((record = ring_next(&lane->ring, &size)) != NULL) {
		bool is_event = record_read(&lane->reader, record, size, &e, &fence);

		if (is_event)
			merge_add(merge, &e);
		if (fence && e.ns > lane->fence) {
			lane->level = lane->fence = e.ns;
			return;
		}
	}
	lane->empty = true;
	lane->level = lane->fence > quiet_ns ? lane->fence : quiet_ns;
	ring_release(&lane->ring);
}

static struct merge_lane *
lowest(const struct merge *m)
{
	struct merge_lane *low = NULL;

	for (size_t i = 0; i < m->n_lanes; i++)
		if (m->lane[i].ring.base && (!low || m->lane[i].level < low->level))
			low = &m->lane[i];
	return low;
}

void
merge_hold(struct merge *m, uint64_t ns)
{
	m->hold_ns = ns;
}

static void
hand_over_up_to(struct merge *m, uint64_t ns, void (*take)(void *to, const struct tasktime_event *), void *to)
{
	if (m->hold_ns && ns > m->hold_ns)
		ns = m->hold_ns;
	while (m->n && m->heap[0].e.ns < ns) {
		take(to, &m->heap[0].e);
		drop_first(m);
	}
	if (ns > m->told_up_to)
		m->told_up_to = ns;
}

uint64_t
merge_drain(struct merge *merge, uint64_t quiet_ns, void (*take)(void *to, const struct tasktime_event *), void *to)
{
	struct merge_lane *low;
	size_t turns = 0;

	for (size_t i = 0; i < merge->n_lanes; i++) {
		if (!merge->lane[i].ring.base)
			continue;
		ring_poll(&merge->lane[i].ring);
		merge->lane[i].empty = false;
		merge->lane[i].level = merge->lane[i].fence;
	}
	for (low = lowest(merge); low && !low->empty;) {
		advance(merge, low, quiet_ns);
		if (++turns % 4096 == 0)
			ring_release(&low->ring); /* makes room for a faster writer */
		low = lowest(merge);
		if (low)
			hand_over_up_to(merge, low->level, take, to);
	}
	for (size_t i = 0; i < merge->n_lanes; i++)
		if (merge->lane[i].ring.base)
			ring_release(&merge->lane[i].ring);
	return merge->told_up_to;
}
