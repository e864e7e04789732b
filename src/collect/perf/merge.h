/* Merges the events of several CPUs in the order of their times.
 *
 * An event may be reported once no earlier one can arrive. The records of a CPU's ring are in the order in which room
 * was reserved, which is nearly the order of time: an interrupt may place its record, with a later time, before the
 * record that it interrupted. But interrupts write only wake-ups, signals and notices of loss. The running task writes
 * all other records, with preemption off, so that no record below them can be half written. Such a record is a *fence*:
 * once it has been read, every earlier record of that CPU has been read. Events before the lowest fence of all CPUs are
 * reported.
 *
 * A quiet CPU may have no fence for a long time. For such CPUs the caller gives a time with the same guarantee:
 * membarrier(2) waits until every CPU has left the section that it was in. Records are written inside such sections
 * (rcu_read_lock() in perf_event_output() and perf_iterate_sb()). So after the call, the ring holds every record with a
 * time before the call. The caller may also give a time that lies far enough back; an event may then arrive late, and
 * is counted as late. */
#ifndef COLLECT_PERF_MERGE_H
#define COLLECT_PERF_MERGE_H

#include <stddef.h>
#include <stdint.h>

#include "collect/perf/record_reader.h"
#include "collect/perf/ring.h"
#include "core/tasktime/partition.h"

/* Events that wait, earliest first. */
struct merge_queue {
	struct merge_event *event;
	size_t first, n, cap;
};

struct merge_lane {
	struct ring ring;
	struct merge_queue waiting;
	struct record_reader reader;
	uint64_t fence;  /* time before which no record can arrive any more, according to a fence */
	uint64_t level;  /* the same, according to the caller, once the ring has been read */
	bool empty;
};

struct merge {
	struct merge_lane *lane;
	size_t n_lanes;
	struct merge_queue added; /* events of the caller */
	size_t n;        /* events that wait, in all queues */
	uint64_t order, told_up_to, begin;
	uint64_t hold_ns; /* events from this time on are kept until it changes; 0: none */
	uint64_t late;   /* events that arrived after later ones had been reported */
	size_t most;     /* most events waiting at a time */
};

struct merge *merge_new(size_t n_lanes);
void merge_free(struct merge *); /* unmaps the rings */

/* Drops events before this time, at which recording was still being turned on. */
void merge_begin(struct merge *, uint64_t ns);

/* Keeps events from this time on, so that a window can end there; 0: none. */
void merge_hold(struct merge *, uint64_t ns);

/* Adds an event of the caller, which is reported in the order of time. */
void merge_add(struct merge *, const struct tasktime_event *);

/* Reads the rings and reports all events up to the lowest fence. `quiet_ns`: time before which no record will arrive in
 * lanes that were read to their end; 0: no such guarantee. Returns the time up to which everything was reported. */
uint64_t merge_drain(
	struct merge *, uint64_t quiet_ns, void (*take)(void *to, const struct tasktime_event *), void *to);

#endif
