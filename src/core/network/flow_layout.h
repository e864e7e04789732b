/* Which counters of a network are used for flows: those that cores have; and which of these identify a destination. */
#ifndef CORE_NETWORK_FLOW_LAYOUT_H
#define CORE_NETWORK_FLOW_LAYOUT_H

#include <stddef.h>

#include "core/network/flow.h"

struct network;

struct flow_layout {
	struct flow_counter *counter; /* for struct flow_spec */
	size_t *number;               /* per counter: its number in the network; for flow_task_map() */
	size_t n_counters;
	size_t *destination;          /* modules */
	size_t n_destinations;
};

/* The layout has the counters per task, per core and per hardware thread; counts of a core's threads are added up.
 *
 * Destinations are the modules outside the cores at which requests end: links lead to them, but none leads away. A
 * counter identifies a destination in one of three ways, and only if it identifies no other one:
 *
 *     a `hit` of the module is the counter, or a sum of counters that includes it
 *     after parts cancel out, the module's hits of all kinds together contain the counter once (flow_layout.c)
 *     hits have no counters of tasks, and the load of a link to the module is a sum of counters that includes it
 *
 * Then all requests that the counter counts ended at that destination. `width`: bits of each counter. Free with
 * flow_layout_free(). */
struct flow_layout *flow_layout_new(const struct network *, unsigned width);
void flow_layout_free(struct flow_layout *);

#endif
