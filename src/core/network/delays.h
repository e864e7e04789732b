/* Cumulative delays of a snapshot: for each owner and kind, the delay that its module reports, and that of the modules
 * before it. Private to core/network. */
#ifndef CORE_NETWORK_DELAYS_H
#define CORE_NETWORK_DELAYS_H

#include <stdbool.h>

#include "core/network/plan.h"

struct net_state;

/* Sums over the modules before one owner's module: delays times loads, loads, delays, and how many delays. */
struct net_delays_before {
	double sum, weight, plain, found;
};

/* Arrays of net_delays_at(), in the unit of the kind's delays. A module that reports no delay gets the delay of the
 * modules before it, so that the next hop can be compared with it. */
struct net_delays {
	bool found;     /* for the state's current snapshot */
	double *before; /* mean over the modules before, weighted by the loads that come from them; 0: there are none */
	double *here;
	struct net_delays_before *sum; /* scratch: per owner of one module */
};

/* For each module and kind, a column of owners. */
static inline size_t
net_delays_at(const struct net_plan *plan, size_t module, size_t owner, size_t kind)
{
	size_t first = plan->first[module], owners = plan->first[module + 1] - first;

	return first * plan->net->n_kinds + kind * owners + owner;
}

struct net_delays *net_delays_new(const struct net_plan *);
void net_delays_find(struct net_delays *, const struct net_state *);
void net_delays_free(struct net_delays *);

#endif
