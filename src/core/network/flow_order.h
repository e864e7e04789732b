/* Flows in the order in which they are listed. */
#ifndef CORE_NETWORK_FLOW_ORDER_H
#define CORE_NETWORK_FLOW_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/network/flow.h"

struct flow_line {
	const struct flow *flow;
	uint64_t ran_ns;   /* time of the flow's task on its core */
	uint64_t requests; /* counts of counters that identify its destination */
	bool known;        /* none of these counts was lost */
};

/* Returns all flows of tasks, without the special flows (flow.h). Tasks with the longest time on a core come first.
 * Flows of one task on one core are adjacent: the one without destination first, then by requests. The caller frees the
 * lines; the flows stay in `flows`. */
struct flow_line *flow_lines(const struct flows *, size_t *n);

/* Returns the sum of the flow's counters that identify a destination. The flow may be a special one. */
uint64_t flow_requests(const struct flows *, const struct flow *, bool *known);

#endif
