/* What a state is made of, for the files that fill it (state.c) and read it (state_read.c). */
#ifndef CORE_NETWORK_STATE_PARTS_H
#define CORE_NETWORK_STATE_PARTS_H

#include <stddef.h>

#include "core/counters/scope.h"
#include "core/network/network.h"
#include "core/network/plan.h"
#include "core/network/state.h"

struct net_delays;
struct net_increments;
struct net_pairs;

struct net_state {
	const struct network *net;
	const struct net_shape *shape;
	const double **column; /* n_values, of the current scope */
	size_t most;           /* owners of a scope */
	double *same;          /* columns of the constants, of the length of the snapshot, and of NAN */
	double *room;          /* scratch of expressions */
	double *sums[SCOPES];  /* per scope: use.n_cells columns, sums of values of finer scopes */
	struct net_plan *plan;
	size_t owners;  /* number of owners of all modules together */
	double *counts; /* scratch for one scope: columns of counters */
	/* per module: kinds × NET_CELL_VALUES columns; always NAN if not reported */
	double *cell;
	size_t *first_place; /* module × kind: index of its first hit in `place` */
	double *place;
	double *clock, *ticks; /* per owner of each module */
	size_t *first_qos;     /* per module: index of its first value in `qos` */
	double *qos;           /* by owner, then sign */
	size_t *first_load;    /* per link: index of its first value in `load` */
	double *load;          /* per link: a column per kind */
	double *total, *left, *right;
	double seconds, tear;
	size_t below_zero;
	struct net_increments *increments;
	struct net_pairs *pairs;
	struct net_delays *delays;
};

/* Returns the column of a value of one module and kind: 0 is hits, 1 + f is a field. */
static inline double *
cell_column(const struct net_state *s, size_t module, size_t kind, size_t value)
{
	size_t first = s->plan->first[module], owners = s->plan->first[module + 1] - first;

	return s->cell + first * s->net->n_kinds * NET_CELL_VALUES + (kind * NET_CELL_VALUES + value) * owners;
}

static inline double *
places_of(const struct net_state *s, size_t module, size_t owner, size_t kind)
{
	return s->place + s->first_place[module * s->net->n_kinds + kind] +
		owner * s->net->module[module].cell[kind].n_hits;
}

static inline double *
load_column(const struct net_state *s, size_t link, size_t kind)
{
	return s->load + s->first_load[link] + kind * s->shape->n[s->net->module[s->net->link[link].from].per];
}

#endif
