/* Turns one CPU's switch records, with the totals of its counters, into events of flows (core/network/flow.h). It makes
 * no system calls: it reads memory.
 *
 * The leader of the group of counters is the software event context-switches, sampled at each switch (PERF_SAMPLE_READ,
 * PERF_FORMAT_GROUP). So each switch has three records:
 *
 *     SAMPLE  the outgoing task, and the group's running totals; the increments since the last sample are this task's
 *     OUT     the outgoing and the incoming task (PERF_RECORD_SWITCH_CPU_WIDE)
 *     IN      the incoming task
 *
 * The leader counts switches, so its total numbers them, and a gap in the numbers shows a missing record. Some kernels
 * lose the SAMPLE and OUT records of certain tasks, above all of the idle task. They never lose IN, which the next task
 * writes. The gap is then a single number between two IN records, and
 *
 *   after the idle task   Counters that cannot rise when idle (`quiet`) still have the totals from its beginning.
 *                         Counts of other counters cannot be divided between the idle task and the next one.
 *   after another task    Counts belong to both tasks together (FLOW_MIXED). Times are known for each.
 *
 * Any other gap means that records were lost: then neither counts nor times are known. */
#ifndef COLLECT_PERF_FLOW_LANE_H
#define COLLECT_PERF_FLOW_LANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/perf/ring.h"
#include "core/network/flow.h"

struct flow_tasks;

/* The group's members after the leader, and the counters that they add up to. */
struct flow_group {
	size_t n_members, n_counters;
	const size_t *counter;      /* per member: the counter to which it belongs */
	const unsigned char *quiet; /* per counter: it cannot rise while the CPU idles */
	/* per counter: it is the time with a task on the CPU, which the records give without a member */
	const unsigned char *clock;
};

enum flow_item_kind {
	FLOW_ITEM_SAMPLE, FLOW_ITEM_OUT, FLOW_ITEM_COME, FLOW_ITEM_FORK, FLOW_ITEM_EXIT, FLOW_ITEM_NAME, FLOW_ITEM_LOST
};

struct flow_item {
	enum flow_item_kind kind;
	uint64_t ns;
	int32_t tid, pid;
	int32_t other;     /* OUT: the incoming task; FORK: the parent */
	bool preempted;    /* OUT */
	uint64_t n;        /* SAMPLE: number of the switch; LOST: number of lost records */
	char name[16];
};

/* Shared by the lanes of one recording. */
struct flow_taker {
	void (*take)(void *ctx, const struct flow_event *);
	void *ctx;
	uint64_t *delivered_ns;  /* per core: time of its last reported event */
	struct flow_tasks *tasks;
	const struct flow_group *group;
	uint64_t begin_ns;
};

struct flow_lane_health {
	uint64_t switches;  /* switches recorded */
	uint64_t idle;      /* switches from idle that were not recorded */
	uint64_t lost;      /* other switches that were not recorded */
	uint64_t dropped;   /* records of all kinds for which the kernel had no room */
	uint64_t foreign;   /* unknown or malformed records */
};

struct flow_lane {
	struct ring ring;
	size_t core;
	const struct flow_taker *to;
	struct flow_item item;     /* the next record, if `has` */
	bool has;
	uint64_t *value;           /* 1 + n_members: that record's totals, if it is a sample */
	/* a read by the caller that waits to be sorted in */
	struct { bool due; uint64_t ns, n; uint64_t *value; } read;
	uint64_t *total;           /* n_counters: totals at the last sample or read */
	unsigned char *counted;    /* n_counters: room for events */
	uint64_t seen;             /* number of the last switch processed */
	/* the task on the CPU, and the task that flows have there (0: none that is followed); -2: unknown; -1: a task
	 * that no longer has a number */
	int32_t running, put;
	int32_t leaving;           /* the task of a sample whose OUT is still to come; -2: none */
	uint64_t leaving_ns;
	bool begun;                /* a record or a loss was seen */
	bool unrecorded, from_idle; /* the last switch was not recorded; it was from idle */
	uint64_t busy_ns, since_ns; /* time with a task up to `since_ns` */
	bool clock_lost;           /* part of that time is unknown */
	struct flow_lane_health health;
};

/* Makes a lane without a ring, which the caller maps. */
void flow_lane_begin(struct flow_lane *, size_t core, const struct flow_taker *);
void flow_lane_end(struct flow_lane *); /* everything except the ring */

/* Returns the time of the next record; UINT64_MAX: none is waiting. */
uint64_t flow_lane_next(struct flow_lane *);
/* Takes the next record and reports the resulting events. */
void flow_lane_take(struct flow_lane *);

/* Reports the end of all tasks that are exiting, after the last record of all lanes: otherwise a task's last switch
 * ends it, but that comes after the parent learns of the exit, and so may come after the recording or be lost. */
void flow_lanes_finish(struct flow_lane *lanes, uint64_t ns);

/* Takes a read of the group by the caller, made after `ns`: value[0] is the leader's value, followed by the members'
 * values. No switch may have happened during the read, which a second read with the same number of switches shows. The
 * ring must have been polled since. */
void flow_lane_read(struct flow_lane *, uint64_t ns, const uint64_t *value);

#endif
