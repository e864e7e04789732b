/* What flows can be told of one network: which of its counters cores have, and which of these tell a destination. */
#ifndef CORE_NETWORK_FLOW_LAYOUT_H
#define CORE_NETWORK_FLOW_LAYOUT_H

#include <stddef.h>

#include "core/network/flow.h"

struct network;

struct flow_layout {
	struct flow_counter *counter; /* for struct flow_spec */
	size_t *number;               /* per counter: which of the network's it is; for flow_path_map() */
	size_t n_counters;
	size_t *destination;          /* modules */
	size_t n_destinations;
};

/* Counters per task, per core and per hardware thread, those of a core's threads to be added up. Destinations are
 * modules beyond the cores where requests end: links lead there, and none from there. A counter tells one when it
 * stands in a sum that is all of a `hit` there, or once in all hits of all kinds there when what one kind takes from
 * another is cancelled out; where hits tell nothing of tasks, when it stands in a sum that is the load of a link to
 * there; and in none of another destination: then all that it counts ended there. `width`: bits of each counter. */
struct flow_layout *flow_layout_new(const struct network *, unsigned width);
void flow_layout_free(struct flow_layout *);

#endif
