/* What each task did on each CPU, exactly: the counters of every CPU, read by the kernel whenever it switches from one
 * task to another, as events of flows (core/network/flow.h).
 *
 * Recorded are whole CPUs, for which CAP_PERFMON is needed, and tracefs for tracepoints. All counters of a CPU are in
 * one group, which the switch itself reads, so that a counter must not multiplex with others. Interrupts that come
 * while a CPU idles are of no task: tracepoints do not count there. Those that come while a task runs count for it.
 *
 *     flow_records_open, flow_records_start, { poll flow_records_wait_fd → flow_records_drain; at each tick
 * flow_records_read } …, flow_records_stop, flow_records_free */
#ifndef COLLECT_FLOW_RECORDS_H
#define COLLECT_FLOW_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/source.h"

struct err;
struct flow_event;

#define FLOW_RECORDS_RING_KB 8192

struct flow_records_spec {
	/* the caller's, until it is open; task-clock and cpu-clock are told by the records themselves */
	const struct source_counter *counter;
	size_t n_counters;
	const pid_t *pid;  /* processes that are followed, with all that they start from now on; none: all tasks */
	size_t n_pids;
	const int *cpu;    /* that are recorded; none: all that are online */
	size_t n_cpus;
	size_t ring_kb;    /* of each CPU, a power of two; 0: FLOW_RECORDS_RING_KB */
	/* cores are numbered as flow_records_cpu(), counters as flow_records_counter() */
	void (*tell)(void *ctx, const struct flow_event *);
	void *ctx;
};

struct flow_records_health {
	uint64_t switches;  /* recorded */
	/* from idling to a task, which some kernels do not record: no harm, but to counters that idling raises */
	uint64_t idle;
	/* others that are not recorded: counts of those moments are FLOW_MIXED's. Some kernels do not record some
	 * tasks' */
	uint64_t lost;
	/* records of all kinds that found no room in their ring; a task whose beginning was among them may be missing
	 * where not all are followed */
	uint64_t dropped;
	uint64_t foreign;   /* records that could not be read */
	/* ends of intervals at which a CPU that switched all the time was not read: its snapshots end at switches only
	 */
	uint64_t unread;
	size_t cpus, offline; /* recorded; and gone since */
	size_t ring_kb;     /* the smallest ring */
};

struct flow_records;

/* Opens everything disabled. NULL and *e when switches cannot be recorded, with what to do. */
struct flow_records *flow_records_open(const struct flow_records_spec *, struct err *e);
void flow_records_free(struct flow_records *);

/* Per counter that was asked for: how opening it went. */
const struct source_status *flow_records_status(const struct flow_records *);
/* Those that are open, and which of the asked ones each is. */
size_t flow_records_counters(const struct flow_records *);
size_t flow_records_counter(const struct flow_records *, size_t i);
size_t flow_records_cpus(const struct flow_records *);
int flow_records_cpu(const struct flow_records *, size_t core);

void flow_records_start(struct flow_records *);
int flow_records_wait_fd(const struct flow_records *); /* readable when a ring is half full */
void flow_records_drain(struct flow_records *);        /* tell what there is, but for the last moment */
void flow_records_read(struct flow_records *);         /* an interval ends: tell all, and a FLOW_READ of each CPU */
void flow_records_stop(struct flow_records *);         /* the last one ends; nothing is recorded any more */

/* After the stop, of one CPU: what the kernel says that an open counter came to; false where the CPU cannot be read, or
 * the counter is a clock. */
bool flow_records_total(const struct flow_records *, size_t core, size_t counter, uint64_t *total);

/* "gcc-4711", also of a task that has ended; valid until the next call. */
const char *flow_records_name(struct flow_records *, int32_t task);
void flow_records_health(const struct flow_records *, struct flow_records_health *);

#endif
