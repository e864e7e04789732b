/* The events of several CPUs in the order of their times.
 *
 * Why nothing earlier can come. A CPU's ring is in the order in which room was taken in it, which is nearly that of
 * time: an interrupt may put its own record (with a later time) in front of the one that it interrupted. Only wake-ups,
 * signals and notices of loss are written by interrupts. All others are written by the running task itself, with
 * preemption off; nothing lies below them that could be half written. So when such a record (a *fence*) of time t has
 * been read, every record of that CPU with an earlier time was read before. What is told is what lies before the lowest
 * fence of all CPUs.
 *
 * A quiet CPU has no fence for a long time. For it the caller gives a time of which he knows the same: membarrier(2)
 * waits until every CPU has left whatever section it was in when that began, records are written inside such sections
 * (rcu_read_lock() in perf_event_output() and perf_iterate_sb()), so what has a time before the call is in the ring
 * after it. Or a time that lies far enough back; then an event may come late, which is counted. */
#ifndef COLLECT_PERF_MERGE_H
#define COLLECT_PERF_MERGE_H

#include <stddef.h>
#include <stdint.h>

#include "collect/perf/record_reader.h"
#include "collect/perf/ring.h"
#include "core/tasktime/partition.h"

struct merge_lane {
	struct ring ring;
	struct record_reader reader;
	uint64_t fence;  /* no record with an earlier time can come … */
	uint64_t level;  /* … or so the caller says, once what is in the ring was read */
	bool empty;
};

struct merge {
	struct merge_lane *lane;
	size_t n_lanes;
	struct merge_event *heap; /* the earliest first */
	size_t n, cap;
	uint64_t order, told_up_to, begin;
	uint64_t late;   /* events that came behind later ones */
	size_t most;     /* that waited at a time */
};

struct merge *merge_new(size_t n_lanes);
void merge_free(struct merge *); /* unmaps the rings */

/* Events with earlier times are dropped: from when the recording was being turned on. */
void merge_begin(struct merge *, uint64_t ns);

/* An event from elsewhere, to be told at its time. */
void merge_add(struct merge *, const struct tasktime_event *);

/* Look at the rings, read them, and tell all events with times up to the lowest fence. `quiet_ns`: of lanes that were
 * read to their end no record with an earlier time can come; 0: nothing is known of that. Returns the time up to which
 * everything was told. */
uint64_t merge_drain(
	struct merge *, uint64_t quiet_ns, void (*tell)(void *to, const struct tasktime_event *), void *to);

#endif
