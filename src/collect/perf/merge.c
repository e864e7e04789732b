#include "collect/perf/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define ROOM_KEPT 2048 /* events that an empty queue has room for at most */

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
	for (size_t i = 0; i < m->n_lanes; i++) {
		ring_unmap(&m->lane[i].ring);
		free(m->lane[i].waiting.event);
	}
	free(m->lane);
	free(m->added.event);
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

/* The events of a lane come nearly in the order of time, so a new one is at its place after few steps. */
static void
queue_event(struct merge *merge, struct merge_queue *queue, const struct tasktime_event *event)
{
	struct merge_event new = {*event, merge->order++}, *all;
	size_t i;

	if (event->ns < merge->begin)
		return;
	merge->late += event->ns < merge->told_up_to;
	if (queue->first && queue->first + queue->n == queue->cap && queue->first >= queue->n) {
		memcpy(queue->event, queue->event + queue->first, queue->n * sizeof *queue->event);
		queue->first = 0;
	}
	mem_grow(&queue->event, &queue->cap, queue->first + queue->n + 1, sizeof *queue->event);
	all = queue->event + queue->first;
	for (i = queue->n++; i > 0 && is_before(&new, &all[i - 1]); i--)
		all[i] = all[i - 1];
	all[i] = new;
	if (++merge->n > merge->most)
		merge->most = merge->n;
}

void
merge_add(struct merge *merge, const struct tasktime_event *event)
{
	queue_event(merge, &merge->added, event);
}

static struct merge_queue *
queue_at(struct merge *merge, size_t i)
{
	return i < merge->n_lanes ? &merge->lane[i].waiting : &merge->added;
}

/* Finds the queue with the earliest event before `limit`, and lowers the limit to the earliest event of the others.
 * NULL: there is none. */
static struct merge_queue *
earliest(struct merge *merge, struct merge_event *limit)
{
	struct merge_queue *first = NULL;
	struct merge_event head = *limit;

	for (size_t i = 0; i <= merge->n_lanes; i++) {
		struct merge_queue *queue = queue_at(merge, i);
		const struct merge_event *event = queue->event + queue->first;

		if (!queue->n)
			continue;
		if (is_before(event, &head)) {
			*limit = head;
			head = *event;
			first = queue;
		} else if (is_before(event, limit)) {
			*limit = *event;
		}
	}
	return first;
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
			queue_event(merge, &lane->waiting, &e);
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
	for (;;) {
		struct merge_event limit = {.e.ns = ns};
		struct merge_queue *queue = m->n ? earliest(m, &limit) : NULL;

		if (!queue)
			break;
		do {
			take(to, &queue->event[queue->first++].e);
			m->n--;
		} while (--queue->n && is_before(&queue->event[queue->first], &limit));
		queue->first = queue->n ? queue->first : 0;
	}
	if (ns > m->told_up_to)
		m->told_up_to = ns;
}

/* Frees the room of an empty queue that a burst made long. */
static void
give_back(struct merge_queue *queue)
{
	if (queue->n || queue->cap <= ROOM_KEPT)
		return;
	free(queue->event);
	*queue = (struct merge_queue){0};
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
	for (size_t i = 0; i < merge->n_lanes; i++) {
		if (merge->lane[i].ring.base)
			ring_release(&merge->lane[i].ring);
		give_back(&merge->lane[i].waiting);
	}
	give_back(&merge->added);
	return merge->told_up_to;
}
