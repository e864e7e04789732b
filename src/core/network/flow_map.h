/* The path map of one flow. */
#ifndef CORE_NETWORK_FLOW_MAP_H
#define CORE_NETWORK_FLOW_MAP_H

#include <stddef.h>

#include "core/network/flow.h"

struct net_path_map;
struct net_state;

/* What the flow's counts say of its core's modules. A flow without destination: all that the task did on the core,
 * wherever it went. One with a destination: what its own counters say, and of all that is mingled in the core the
 * flow's share (flows_share()) – an estimate, as if requests to each destination hit inside the core as often. What is
 * not known stays so. counter[i]: which of the network's counters the flows' i-th is (flow_layout.h); cores are
 * numbered as in the state's shape. The state is filled anew. NULL for a special flow, which is of no core. Free with
 * net_path_map_free(). */
struct net_path_map *flow_path_map(
	const struct flows *, const struct flow *, const size_t *counter, struct net_state *);

/* Where the requests of the flow's task were served on its core, by the network's formulas on all that it did there.
 * `state` has a shape of one owner of each scope, and is filled anew. `others`, per counter of the network: what those
 * that flows do not tell came to in the same time for the whole machine (NAN: not known), which formulas have as
 * bounds. NULL for a special flow. */
struct net_path_map *flow_task_map(const struct flows *, const struct flow *, const size_t *counter,
	const double *others, struct net_state *state);

/* What is known of one flow of a task, per counter of the flows: as flow_path_map() takes it; NAN: not known. The
 * caller frees. */
double *flow_counts(const struct flows *, const struct flow *);

#endif
