/* Which owners' modules send requests to which. */
#ifndef CORE_NETWORK_MEET_H
#define CORE_NETWORK_MEET_H

#include <stdbool.h>

#include "core/network/state.h"

/* May requests of one owner's module get to that of the other? Where one scope is a part of the other, only within the same thing; a core's go to all
 * slices and channels of all sockets. */
static inline bool
net_may_meet(const struct net_state *s, size_t from, size_t a, size_t to, size_t b)
{
	const struct network *n = net_state_network(s);
	enum scope fine = n->module[from].per, coarse = n->module[to].per;

	if (scope_within(fine, coarse))
		return net_owner_within(net_state_shape(s), fine, a, coarse) == b;
	if (scope_within(coarse, fine))
		return net_owner_within(net_state_shape(s), coarse, b, fine) == a;
	return true;
}

#endif
