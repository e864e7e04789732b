/* Flows in the order in which people read them. */
#ifndef CORE_NETWORK_FLOW_ORDER_H
#define CORE_NETWORK_FLOW_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/network/flow.h"

struct flow_line {
	const struct flow *flow;
	uint64_t ran_ns;   /* of its task on its core, whichever of their flows has the time */
	uint64_t requests; /* of counters that tell its destination */
	bool known;        /* … and none of them was lost */
};

/* Flows of tasks, without the special ones: who ran longest on a core first; those of one task on one core together,
 * the one without destination before the others, these by requests. The caller frees; the flows stay in `flows`. */
struct flow_line *flow_lines(const struct flows *, size_t *n);

/* Of counters that tell a destination, whatever flow it is; a special one too. */
uint64_t flow_requests(const struct flows *, const struct flow *, bool *known);

#endif
