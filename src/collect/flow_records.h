/* Records what each task did on each CPU, exactly: the kernel reads every CPU's counters whenever it switches tasks,
 * and the records become events of flows (core/network/flow.h).
 *
 * Whole CPUs are recorded, which needs CAP_PERFMON, and tracefs for tracepoints. All counters of a CPU are in one
 * group, which the switch reads, so they must not be multiplexed. An interrupt while the CPU idles belongs to no task,
 * and tracepoints do not count there. An interrupt while a task runs counts for that task.
 *
 *     flow_records_open, flow_records_start,
 *     { poll flow_records_wait_fd → flow_records_drain; at each tick flow_records_read } …,
 *     flow_records_stop, flow_records_free */
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
	/* owned by the caller, needed only during flow_records_open(). The records themselves give task-clock and
	 * cpu-clock */
	const struct source_counter *counter;
	size_t n_counters;
	const pid_t *pid;  /* processes to follow, with all that they start from now on; none: all tasks */
	size_t n_pids;
	const int *cpu;    /* CPUs to record; none: all online */
	size_t n_cpus;
	size_t ring_kb;    /* size of each CPU's ring, KiB, a power of two; 0: FLOW_RECORDS_RING_KB */
	/* takes each event. Cores are numbered as for flow_records_cpu(), counters as for flow_records_counter() */
	void (*take)(void *ctx, const struct flow_event *);
	void *ctx;
};

struct flow_records_health {
	uint64_t switches;  /* switches recorded */
	/* switches from idle to a task that the kernel did not record: harmless, except for counters that rise while
	 * idle */
	uint64_t idle;
	/* other switches that the kernel did not record; counts around them are reported with FLOW_MIXED. Some kernels
	 * omit the switches of some tasks */
	uint64_t lost;
	/* records of all kinds that found no room in their ring. If only some tasks are followed, and the record of a
	 * task's start is lost, the task is missing */
	uint64_t dropped;
	uint64_t foreign;   /* records that could not be read */
	/* ends of intervals at which a CPU that kept switching was not read: its snapshots end at switches only */
	uint64_t unread;
	size_t cpus, offline; /* CPUs recorded; those of them that went offline */
	size_t ring_kb;     /* KiB of the smallest ring */
};

struct flow_records;

/* Opens everything, disabled. Returns NULL and sets *e, with a remedy, when switches cannot be recorded. */
struct flow_records *flow_records_open(const struct flow_records_spec *, struct err *e);
void flow_records_free(struct flow_records *);

/* Returns, for each requested counter, whether it was opened, and if not, why. */
const struct source_status *flow_records_status(const struct flow_records *);
/* flow_records_counters() returns how many counters are open; flow_records_counter() returns the number of open counter
 * i among the requested ones. */
size_t flow_records_counters(const struct flow_records *);
size_t flow_records_counter(const struct flow_records *, size_t i);
size_t flow_records_cpus(const struct flow_records *);
int flow_records_cpu(const struct flow_records *, size_t core);

void flow_records_start(struct flow_records *);
/* returns a descriptor that is readable when a ring is half full */
int flow_records_wait_fd(const struct flow_records *);
void flow_records_drain(struct flow_records *);        /* reports the records so far, except the most recent ones */
/* ends an interval: reports all records, and a FLOW_READ of each CPU */
void flow_records_read(struct flow_records *);
void flow_records_stop(struct flow_records *);         /* ends the last interval and the recording */

/* Writes the kernel's total of an open counter on one CPU, after the stop. Returns false if the CPU cannot be read or
 * the counter is a clock. */
bool flow_records_total(const struct flow_records *, size_t core, size_t counter, uint64_t *total);

/* Returns a task's name, "gcc-4711", also after the task has ended; valid until the next call. */
const char *flow_records_name(struct flow_records *, int32_t task);
void flow_records_health(const struct flow_records *, struct flow_records_health *);

#endif
