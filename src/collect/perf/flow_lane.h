/* One CPU's records of switches, with what its counters had come to, as events of flows (core/network/flow.h). No
 * system calls: what is read is memory.
 *
 * The leader of a group of counters is the software event context-switches, which is sampled at each (PERF_SAMPLE_READ,
 * PERF_FORMAT_GROUP). So there are three records of one:
 *
 *     SAMPLE  who leaves, and the running totals of the group: what rose since the one before is his
 *     OUT     who leaves, and who comes (PERF_RECORD_SWITCH_CPU_WIDE)
 *     IN      who has come
 *
 * The leader counts switches, so its total numbers them, and a record that is missing shows. On some kernels what would
 * be recorded while certain tasks run is lost, the idle task above all: SAMPLE and OUT of the switch from it, though
 * never the IN, which is the next task's own. Then one number is missing between two records of who came, and that is
 * all. Behind the idle task, counters that it cannot raise (`quiet`) have the totals that they had when it began; of
 * others it is not known what is its and what the task's. Behind another task, counts are of both together
 * (FLOW_MIXED), while the time is each one's own. Any other missing number is of records that were lost, and neither is
 * known. */
#ifndef COLLECT_PERF_FLOW_LANE_H
#define COLLECT_PERF_FLOW_LANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/perf/ring.h"
#include "core/network/flow.h"

struct flow_tasks;

/* The group's members behind the leader, and what they add up to. */
struct flow_group {
	size_t n_members, n_counters;
	const size_t *counter;      /* n_members: which of the counters each is a part of */
	const unsigned char *quiet; /* n_counters: it does not rise while the CPU idles */
	/* n_counters: time with a task on the CPU, which the records tell; it has no member */
	const unsigned char *clock;
};

enum flow_item_kind {
	FLOW_ITEM_SAMPLE, FLOW_ITEM_OUT, FLOW_ITEM_COME, FLOW_ITEM_FORK, FLOW_ITEM_EXIT, FLOW_ITEM_NAME, FLOW_ITEM_LOST
};

struct flow_item {
	enum flow_item_kind kind;
	uint64_t ns;
	int32_t tid, pid;
	int32_t other;     /* OUT: who comes; FORK: the parent */
	bool preempted;    /* OUT */
	uint64_t n;        /* SAMPLE: its number; LOST: how many */
	char name[16];
};

/* What the lanes of one recording share. */
struct flow_teller {
	void (*tell)(void *ctx, const struct flow_event *);
	void *ctx;
	uint64_t *told_ns;  /* per core: of the last event that was told of it */
	struct flow_tasks *tasks;
	const struct flow_group *group;
	uint64_t begin_ns;
};

struct flow_lane_health {
	uint64_t switches;  /* that were recorded */
	uint64_t idle;      /* … and from idling, that were not */
	uint64_t lost;      /* … and others, that were not */
	uint64_t dropped;   /* records of all kinds that the kernel says it had no room for */
	uint64_t foreign;   /* … that are none of these, or malformed */
};

struct flow_lane {
	struct ring ring;
	size_t core;
	const struct flow_teller *to;
	struct flow_item item;     /* the next record, if `has` */
	bool has;
	uint64_t *value;           /* 1 + n_members: of that item, if it is a sample */
	struct { bool due; uint64_t ns, n; uint64_t *value; } read; /* a read from outside, to be put in its place */
	uint64_t *total;           /* n_counters, at the last sample or read */
	unsigned char *counted;    /* n_counters: room for events */
	uint64_t seen;             /* number of the last switch that is accounted for */
	/* who is on the CPU; whom flows have there (0: nobody that is followed); -2: not known (-1: a task that has no
	 * number any more) */
	int32_t running, put;
	int32_t leaving;           /* of a sample whose OUT is to come; -2: none */
	uint64_t leaving_ns;
	bool begun;                /* something is known of who runs, or was lost */
	bool unrecorded, from_idle; /* the switch that brought who is running; it was from idling */
	uint64_t busy_ns, since_ns; /* time with a task up to `since_ns` */
	bool clock_lost;           /* some of it is not known */
	struct flow_lane_health health;
};

/* The ring is mapped by the caller. */
void flow_lane_begin(struct flow_lane *, size_t core, const struct flow_teller *);
void flow_lane_end(struct flow_lane *); /* frees all but the ring */

/* When the next thing happened; UINT64_MAX: nothing is there. */
uint64_t flow_lane_next(struct flow_lane *);
/* Take that, and tell what comes of it. */
void flow_lane_take(struct flow_lane *);

/* The group was read after `ns`: value[0] of the leader, then of the members, which no switch may have come between
 * (two reads with equal numbers of switches, of which this is the first). What is in the ring must have been looked at
 * since. */
void flow_lane_read(struct flow_lane *, uint64_t ns, const uint64_t *value);

#endif
