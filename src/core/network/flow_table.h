/* The table of flows, found by task, core and destination; at most spec.most of them. Private to core/network. */
#ifndef CORE_NETWORK_FLOW_TABLE_H
#define CORE_NETWORK_FLOW_TABLE_H

#include "core/network/flow.h"

struct flow_core {
	int32_t task;          /* the task on the core; 0: none that is followed */
	bool mixed;            /* another task ran since the last read */
	bool begun;            /* an event arrived */
	bool unknown;          /* the task on the core is unknown */
	uint64_t at_ns;        /* time of the last event */
	uint64_t read_ns;      /* time of the last read */
	uint64_t *total;       /* n_counters totals at the last read */
	unsigned char *based;  /* n_counters: the total was read */
};

/* A flow with writable arrays; callers see them const in `flow`. */
struct flow_kept {
	struct flow flow;
	uint64_t *count, *lost;
};

struct flows {
	struct flow_spec spec;
	struct flow_core *core;
	struct flow_kept *flow;
	size_t n;
	size_t *slot, slots;   /* index of a flow + 1; 0: free */
	size_t *hint;          /* `slots` entries, by task: index of a flow that may belong to the task */
	size_t *order;         /* `most` entries: scratch for sorting */
	uint64_t next_number, next_life;
	uint64_t *rise, *part; /* n_counters: increments of the current snapshot; those for one destination */
	unsigned char *known, *part_known;
	struct flow_trouble trouble;
};

/* Begin a new flow in the array at index `at`. Returns it. */
struct flow_kept *flow_table_begin(struct flows *, size_t at, int32_t task, size_t core, size_t destination);
/* Returns the flow; NULL if it does not exist. */
struct flow_kept *flow_table_find(const struct flows *, int32_t task, size_t core, size_t destination);
/* Returns the flow, and makes it if it does not exist. If the table is full, other flows are folded into FLOW_OTHERS.
 * If none can be folded, because each belongs to a task that runs now, the result is FLOW_OTHERS itself. */
struct flow_kept *flow_table_get(struct flows *, int32_t task, size_t core, size_t destination);
/* Rebuild the hash table. Flows of ended tasks are not found any more. */
void flow_table_rebuild_slots(struct flows *);
/* Extend the flow's time span to include from_ns … until_ns. */
void flow_see(struct flow *, uint64_t from_ns, uint64_t to_ns);

#endif
