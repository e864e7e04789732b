/* Flows: what one task does from one core to one destination, worked out from the cores' counters and task switches.
 *
 * PathFinder (Li et al., SIGCOMM 2025, section 4.2) defines a flow as a core and a memory that it reaches. A task gets
 * a new flow when it moves to another core or first reaches another destination. A snapshot of a flow closes at the end
 * of an interval and when the task is preempted.
 *
 * Some counters do not identify the destination: all hits inside the core are counted together (section 4.3). Their
 * counts belong to the flow without destination of that task on that core. So each count belongs to exactly one flow,
 * and the sum over all flows is the total count.
 *
 * The input is a stream of events, in order of time for each core. Nothing is guessed. Three special flows hold the
 * counts that belong to no task's flow:
 *
 *     FLOW_UNFOLLOWED   no followed task was running
 *     FLOW_MIXED        several tasks ran between two reads, or the running task is not known
 *     FLOW_OTHERS       flows beyond the number that is kept apart */
#ifndef CORE_NETWORK_FLOW_H
#define CORE_NETWORK_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

#define FLOW_NOWHERE ((size_t)-1) /* no destination, no core */

/* The special flows, which come before all others. */
enum flow_special {
	FLOW_UNFOLLOWED, /* no followed task was running */
	FLOW_MIXED,      /* several tasks ran between two reads, or the running task is not known */
	FLOW_OTHERS,     /* flows beyond the number that is kept apart */
	FLOW_SPECIALS
};

/* Why a snapshot was closed. */
enum flow_close { FLOW_AT_INTERVAL, FLOW_AT_SWITCH, FLOW_AT_MIGRATION, FLOW_AT_EXIT, FLOW_AT_LOSS };

struct flow {
	uint64_t number;          /* unique, never reused */
	/* equal for all flows of one task; a later task that reuses a task number, or a task whose flows were all
	 * folded, gets a new value */
	uint64_t life;
	int32_t task;                /* 0 for a special flow */
	size_t core, destination;    /* FLOW_NOWHERE as core: all cores; as destination: unknown */
	uint64_t since_ns, until_ns; /* time of the first and the last event of this flow */
	uint64_t ran_ns;             /* time on the core; counted in flows without destination only */
	uint64_t snapshots;          /* number of closed snapshots */
	/* left: number of times that the task left the core, for another one or because it ended; returned: number of
	 * times that it came back */
	uint64_t left, returned;
	bool ended;                  /* true after the task ended */
	const uint64_t *count;       /* n_counters: increments */
	/* n_counters: snapshots in which the counter's increment is unknown. While a destination has no flow yet,
	 * its losses are in the flow without destination. */
	const uint64_t *lost;
};

/* A closed snapshot: increments between two reads. */
struct flow_snapshot {
	const struct flow *flow;
	uint64_t from_ns, to_ns;
	enum flow_close why;
	const uint64_t *count;      /* n_counters; 0 for counters of other destinations */
	const unsigned char *known; /* n_counters */
};

struct flow_counter {
	unsigned width;     /* bits of the counter (core/obs/rise.h) */
	size_t destination; /* destination of all the requests that it counts; FLOW_NOWHERE: unknown */
	bool weighs;        /* counts requests that give the destinations their shares */
};

struct flow_spec {
	size_t n_cores, n_destinations;
	const struct flow_counter *counter; /* owned by the caller, must outlive the flows */
	size_t n_counters;
	/* number of flows that are kept apart, the special ones included; more than FLOW_SPECIALS */
	size_t most;
	/* number of flows of ended tasks from which on the oldest are folded; 0: none until there is no room */
	size_t ended_most;
	void (*closed)(void *ctx, const struct flow_snapshot *); /* may be NULL */
	void *ctx;
};

enum flow_kind {
	FLOW_IN,      /* `task` is switched in on `core`; 0: a task that is not followed */
	FLOW_MIGRATE, /* `task` leaves `core` for another core, where a later FLOW_IN puts it */
	FLOW_EXIT,    /* `task` ends on `core` */
	FLOW_READ,    /* the counters of `core` are read at the end of an interval */
	/* the task on `core` is unknown from now on: counts and time until the next event belong to FLOW_MIXED */
	FLOW_GAP,
	FLOW_OFFLINE, /* `core` went offline: its counts since the last read are lost */
};

struct flow_event {
	enum flow_kind kind;
	uint64_t ns;
	size_t core;
	int32_t task;                 /* 0 or above */
	const uint64_t *count;        /* n_counters running totals of the core; NULL: not read */
	const unsigned char *counted; /* n_counters, which of them were counted; NULL: all */
};

/* Records that contradict others, and counts of repairs. */
struct flow_trouble {
	uint64_t backwards; /* counters that went back */
	uint64_t wrapped;   /* counters that wrapped around; harmless if counters are read often enough */
	uint64_t broken;    /* a task was switched in on a core while it was on another one */
	uint64_t folded;    /* flows that were folded into FLOW_OTHERS */
};

struct flows;

struct flows *flows_new(const struct flow_spec *);
void flows_free(struct flows *);

/* Returns true if the task has left the flow's core, for another core or for good. */
bool flow_is_over(const struct flow *);

/* Makes a `struct flows` from given flows, such as those of an earlier time or of some period, for functions that read
 * one. `given` starts with the special flows, so n is at least FLOW_SPECIALS. Numbers, counts and all other fields are
 * copied. spec.most is raised to n + 1 if it is less. The caller frees the result with flows_free(). */
struct flows *flows_given(const struct flow_spec *, const struct flow *, size_t n, const struct flow_trouble *);

/* Take in one event. If the event is wrong, returns false, sets the error and changes nothing. Wrong events are: out of
 * order on its core, a core that does not exist, a task below 0, or a read without counts. The first counts of a core
 * are its baseline. */
bool flows_take(struct flows *, const struct flow_event *, struct err *);

size_t flows_n(const struct flows *);
const struct flow *flows_at(const struct flows *, size_t); /* the special ones first; valid until the next event */
const struct flow_spec *flows_spec(const struct flows *);
const struct flow_trouble *flows_trouble(const struct flows *);
/* Returns the flow of a living task from a core to a destination; NULL if it does not exist. */
const struct flow *flows_find(const struct flows *, int32_t task, size_t core, size_t destination);
/* Returns the part, 0 to 1, of the task's requests from this core that went to this flow's destination. Returns NAN if
 * there were no requests, some are unknown, or the flow has no destination. */
double flows_share(const struct flows *, const struct flow *);

#endif
