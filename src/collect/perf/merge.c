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
merge_add(struct merge *m, const struct tasktime_event *e)
{
	struct merge_event new = {*e, m->order++};
	size_t i = m->n;

	if (e->ns < m->begin)
		return;
	if (e->ns < m->told_up_to)
		m->late++;
	mem_grow(&m->heap, &m->cap, m->n + 1, sizeof *m->heap);
	m->n++;
	for (; i > 0 && is_before(&new, &m->heap[(i - 1) / 2]); i = (i - 1) / 2)
		m->heap[i] = m->heap[(i - 1) / 2];
	m->heap[i] = new;
	if (m->n > m->most)
		m->most = m->n;
}

static void
drop_first(struct merge *m)
{
	struct merge_event last = m->heap[--m->n];
	size_t i = 0;

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= m->n)
			break;
		if (child + 1 < m->n && is_before(&m->heap[child + 1], &m->heap[child]))
			child++;
		if (!is_before(&m->heap[child], &last))
			break;
		m->heap[i] = m->heap[child];
		i = child;
	}
	if (m->n)
		m->heap[i] = last;
}

/* Reads a lane up to its next fence, or to its end. */
static void
advance(struct merge *m, struct merge_lane *l, uint64_t quiet_ns)
{
	struct tasktime_event e;
	const void *record;
	size_t size;
	bool fence;

	while ((record = ring_next(&l->ring, &size)) != NULL) {
		bool is_event = record_read(&l->reader, record, size, &e, &fence);

		if (is_event)
			merge_add(m, &e);
		if (fence && e.ns > l->fence) {
			l->level = l->fence = e.ns;
			return;
		}
	}
	l->empty = true;
	l->level = l->fence > quiet_ns ? l->fence : quiet_ns;
	ring_release(&l->ring);
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

static void
hand_over_up_to(struct merge *m, uint64_t ns, void (*take)(void *to, const struct tasktime_event *), void *to)
{
	while (m->n && m->heap[0].e.ns < ns) {
		take(to, &m->heap[0].e);
		drop_first(m);
	}
	if (ns > m->told_up_to)
		m->told_up_to = ns;
}

uint64_t
merge_drain(struct merge *m, uint64_t quiet_ns, void (*take)(void *to, const struct tasktime_event *), void *to)
{
	struct merge_lane *low;
	size_t turns = 0;

	for (size_t i = 0; i < m->n_lanes; i++) {
		if (!m->lane[i].ring.base)
			continue;
		ring_poll(&m->lane[i].ring);
		m->lane[i].empty = false;
		m->lane[i].level = m->lane[i].fence;
	}
	for (low = lowest(m); low && !low->empty;) {
		advance(m, low, quiet_ns);
		if (++turns % 4096 == 0)
			ring_release(&low->ring); /* makes room for a faster writer */
		low = lowest(m);
		if (low)
			hand_over_up_to(m, low->level, take, to);
	}
	for (size_t i = 0; i < m->n_lanes; i++)
		if (m->lane[i].ring.base)
			ring_release(&m->lane[i].ring);
	return m->told_up_to;
}
