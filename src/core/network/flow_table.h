/* Where flows are kept: found by task, core and destination, of a bounded number. Private to core/network. */
#ifndef CORE_NETWORK_FLOW_TABLE_H
#define CORE_NETWORK_FLOW_TABLE_H

#include "core/network/flow.h"

struct flow_core {
	int32_t task;          /* that is on it; 0: nobody */
	bool mixed;            /* another one was on it since the last read */
	bool begun;            /* an event came */
	bool unknown;          /* who is on it */
	uint64_t at_ns;        /* of the last event */
	uint64_t read_ns;      /* of the last read */
	uint64_t *total;       /* n_counters, as read last */
	unsigned char *based;  /* … which there are */
};

/* Its arrays are a flow's own, behind the const ones that callers see. */
struct flow_kept {
	struct flow flow;
	uint64_t *count, *lost;
};

struct flows {
	struct flow_spec spec;
	struct flow_core *core;
	struct flow_kept *flow;
	size_t n;
	size_t *slot, slots;   /* number of a flow + 1; 0: free */
	size_t *hint;          /* `slots`, by task: a flow that may be its */
	size_t *order;         /* `most`: room to sort flows in */
	uint64_t next_number, next_life;
	uint64_t *rise, *part; /* n_counters: of the snapshot at hand; of one destination of it */
	unsigned char *known, *part_known;
	struct flow_trouble trouble;
};

/* A new flow at this place of the table. */
struct flow_kept *flow_table_begin(struct flows *, size_t at, int32_t task, size_t core, size_t destination);
/* NULL: there is none. */
struct flow_kept *flow_table_find(const struct flows *, int32_t task, size_t core, size_t destination);
/* … then it is made; where there is no room, others are folded into FLOW_OTHERS, or, if all are of tasks that run now,
 * this one is. */
struct flow_kept *flow_table_get(struct flows *, int32_t task, size_t core, size_t destination);
/* Those of tasks that ended are not found any more. */
void flow_table_find_slots_anew(struct flows *);
/* The flow was there in this time. */
void flow_see(struct flow *, uint64_t from_ns, uint64_t to_ns);

#endif
