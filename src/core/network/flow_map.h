/* The counts of one flow, and the path map that follows from them. */
#ifndef CORE_NETWORK_FLOW_MAP_H
#define CORE_NETWORK_FLOW_MAP_H

#include <stddef.h>

#include "core/network/flow.h"

struct net_path_map;
struct net_state;

/* Makes the path map of the flow's task on its core: applies the network's formulas to all that the task did there.
 * `state` has a shape of one owner of each scope, and is overwritten. counter[i] is the network's number of the flows'
 * i-th counter (flow_layout.h). `others` has one value per counter of the network: for counters that flows do not have,
 * the count of the whole machine in the same time (NAN: unknown). Formulas use these as bounds. Returns NULL for a
 * special flow, which has no core. Free with net_path_map_free(). */
struct net_path_map *flow_task_map(const struct flows *, const struct flow *, const size_t *counter,
	const double *others, struct net_state *state);

/* Returns the counts of one task's flow, per counter of the flows; NAN: unknown. The caller frees them.
 *
 * A flow without destination gives all that the task did on the core, wherever requests went. A flow with destination
 * gives its own counters, and its share (flows_share()) of the counts inside the core, which do not identify the
 * destination. That part is an estimate: it assumes that requests to each destination hit inside the core equally
 * often. */
double *flow_counts(const struct flows *, const struct flow *);

#endif
