/* The parts that stay the same for all snapshots of one network on one machine: which owners' modules are linked, which
 * values the expressions of a scope use, and how a snapshot's values are laid out in memory. Private to core/network,
 * whose loops over all owners use these arrays.
 *
 * An owner is a thing that has a module of its own: core 3 is the owner of the fourth L1 cache. */
#ifndef CORE_NETWORK_PLAN_H
#define CORE_NETWORK_PLAN_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/network/state.h"

/* Indices of owners or links, in rising order. */
struct net_range {
	const size_t *at;
	size_t n;
};

/* The values that expressions of one scope's modules use, by number (network.h). */
struct net_scope_use {
	size_t *counter, n_counters;
	size_t *cell, n_cells;  /* values of modules of finer scopes */
	size_t *own, n_own;     /* values of modules of this scope, in the order of network.order */
	struct net_value *what; /* n_own: module, kind and field of each in `own` */
	size_t *module, n_modules;
	double *owners[SCOPES]; /* per owner of this scope: the number of owners of another; NULL: not used */
};

struct net_plan {
	struct net_scope_use use[SCOPES];
	const struct network *net;
	const struct net_shape *shape;
	/* n_modules + 1: index of each module's first owner among the owners of all modules */
	size_t *first;
	size_t *first_out, *out; /* links that leave module m begin at out[first_out[m]] */
	size_t *first_in, *in;
	bool *reported;  /* link × kind */
	bool *in_cycles; /* per module: its clock is in cycles */
	size_t *count;   /* 0, 1, 2 …: serves as the range of all owners */
	/* [fine][coarse]: the parts of each coarse owner */
	size_t *first_part[SCOPES][SCOPES], *part[SCOPES][SCOPES];
	size_t *whole[SCOPES][SCOPES]; /* [fine][coarse]: the coarse owner that each fine one is part of */
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

/* Returns the owners at scope `other` that requests of this owner can reach, or come from. If one scope is part of the
 * other, these are the owner's parts or the whole that contains it. Otherwise they are all owners of that scope: a
 * core's requests go to the slices and channels of all sockets. */
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

/* Returns true if all owners of one scope meet all of the other. */
static inline bool
net_meets_all(enum scope a, enum scope b)
{
	return !scope_within(a, b) && !scope_within(b, a);
}

/* net_load_given(), worked out once */
static inline bool
net_load_reported(const struct net_plan *p, size_t link, size_t kind)
{
	return p->reported[link * p->net->n_kinds + kind];
}

/* Returns the count, or 0 if it is unknown: shares are computed from the known counts alone. */
static inline double
net_known(double v)
{
	return isnan(v) ? 0 : v;
}

const struct net_plan *net_state_plan(const struct net_state *);

struct net_delays;
/* Returns the delays of the current snapshot (delays.h), which are worked out when they are first asked for. */
const struct net_delays *net_state_delays(const struct net_state *);

/* The values of one kind at a module: hits, then the fields. Each is a column: one number per owner. */
#define NET_CELL_VALUES (1 + NET_FIELDS)
const double *net_state_hits(const struct net_state *, size_t module, size_t kind);
const double *net_state_field(const struct net_state *, size_t module, size_t kind, enum net_field);
const double *net_state_clocks(const struct net_state *, size_t module);
/* Returns hits by owner, at each place of a kind. */
const double *net_state_places(const struct net_state *, size_t module, size_t kind);
/* Returns the loads of one link and kind by owner of the module that it leaves. */
const double *net_state_loads(const struct net_state *, size_t link, size_t kind);

#endif
