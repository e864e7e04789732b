/* What is the same for every snapshot of one network on one machine: who is linked to whom, owner by owner; and the
 * values of a snapshot as they lie in memory. Private to core/network: the loops over all owners run on these. */
#ifndef CORE_NETWORK_PLAN_H
#define CORE_NETWORK_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "core/network/state.h"

/* Some numbers of owners or links, in rising order. */
struct net_range {
	const size_t *at;
	size_t n;
};

/* What the expressions of one scope use. */
struct net_scope_use {
	size_t *counter, n_counters;
	size_t *cell, n_cells;     /* values of finer scopes */
	size_t *own, n_own;        /* values of its modules, in the network's order */
	struct net_value *what;    /* … what each is */
	size_t *module, n_modules;
};

struct net_plan {
	struct net_scope_use use[SCOPES];
	const struct network *net;
	const struct net_shape *shape;
	size_t *first;                   /* per module: its first owner among all; n_modules + 1 */
	size_t *first_out, *out;         /* links from a module: out[first_out[m]] … */
	size_t *first_in, *in;
	size_t *count;                   /* 0, 1, 2 …: ranges of all */
	/* of each owner at a coarse scope, those of a fine one that are part of it */
	size_t *first_part[SCOPES][SCOPES], *part[SCOPES][SCOPES];
	size_t *whole[SCOPES][SCOPES];   /* of each owner at a fine scope, the one at the coarse that it is part of */
};

struct net_plan *net_plan_new(const struct network *, const struct net_shape *);
void net_plan_free(struct net_plan *);

static inline struct net_range
net_links_from(const struct net_plan *p, size_t module)
{
	return (struct net_range){p->out + p->first_out[module], p->first_out[module + 1] - p->first_out[module]};
}

static inline struct net_range
net_links_to(const struct net_plan *p, size_t module)
{
	return (struct net_range){p->in + p->first_in[module], p->first_in[module + 1] - p->first_in[module]};
}

/* The owners at scope `other` that requests of this owner may get to, or come from. Where one scope is a part of the
 * other, only within the same thing; a core's go to all slices and channels of all sockets. */
static inline struct net_range
net_meets(const struct net_plan *p, enum scope per, size_t owner, enum scope other)
{
	if (p->whole[per][other])
		return (struct net_range){&p->whole[per][other][owner], 1};
	if (p->part[other][per])
		return (struct net_range){p->part[other][per] + p->first_part[other][per][owner],
			p->first_part[other][per][owner + 1] - p->first_part[other][per][owner]};
	return (struct net_range){p->count, p->shape->n[other]};
}

/* Do all owners of one meet all of the other? */
static inline bool
net_meets_all(enum scope a, enum scope b)
{
	return !scope_within(a, b) && !scope_within(b, a);
}

/* Is a load of the kind told for the link: by its own expression, or since all that the module misses takes it? */
bool net_load_reported(const struct net_plan *, size_t link, size_t kind);

const struct net_plan *net_state_plan(const struct net_state *);

/* Of one module, per owner and kind (in this order): hits, then the fields. And per owner, its hits at each place of a
 * kind. */
#define NET_CELL_VALUES (1 + NET_FIELDS)
const double *net_state_cells(const struct net_state *, size_t module);
const double *net_state_places(const struct net_state *, size_t module, size_t kind);
/* Of one link, per owner of the module that it comes from and kind. */
const double *net_state_loads(const struct net_state *, size_t link);

#endif
