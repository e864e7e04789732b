/* Loads, shares and queues for the boxes and lanes of a network's picture, in one snapshot (view 5). */
#ifndef WORK_TIMELINE_TRAFFIC_H
#define WORK_TIMELINE_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>

#include "core/network/layout.h"

struct net_queue;
struct timeline_analysis;

/* One kind of request at a module, over all owners of a box. Counts are summed; a sum with an unknown term is NAN. */
struct traffic_cell {
	enum net_cell_state state;
	double hits, misses;
	double field[NET_FIELDS];        /* counts; for delays the mean over the requests that were served */
	const struct net_queue *longest; /* NULL: none is known */
	double queue;                    /* length over all owners, in requests; NAN: unknown */
};

struct traffic {
	const struct network *net;
	const struct timeline_analysis *analysis; /* NULL: no data; then every value is NAN */
	const struct net_layout *layout;
	const struct net_queue **queue;  /* per owner of a module and kind; see module_first */
	size_t *module_first;
	size_t *boxes;                   /* per module: number of boxes that show it */
	double *load;                    /* per lane: requests; NAN: unknown */
	double *column_load;             /* per column: sum of the known loads of the lanes that leave it */
};

/* Computes loads, shares and queues. The arguments stay the caller's and must outlive the result. */
struct traffic *traffic_new(const struct network *, const struct timeline_analysis *, const struct net_layout *);
void traffic_free(struct traffic *);

struct traffic_cell traffic_cell(const struct traffic *, const struct net_layout_box *, size_t module, size_t kind);
/* Returns the lane's share of all requests that leave its column, 0 … 1; NAN: unknown. */
double traffic_share(const struct traffic *, size_t lane);
/* Returns the requests of one kind that a module receives or that begin there; NAN: unknown. They come from the
 * module's own counters, or else from the loads of the links that lead to it. */
double traffic_arrivals(const struct traffic *, const struct net_layout_box *, size_t module, size_t kind);
/* Returns the longest queue of any module and kind in a box; NULL when no length is known. */
const struct net_queue *traffic_longest(const struct traffic *, const struct net_layout_box *);
const struct net_queue *traffic_queue_of(const struct traffic *, size_t module, size_t owner, size_t kind);
/* Returns the sum of all queues of one owner of the box's modules, in requests; NAN: unknown. */
double traffic_owner_queue(const struct traffic *, const struct net_layout_box *, size_t owner);

/* Returns the count of one owner of a scope: the sum over the owner's parts, or over all owners of the counter, where
 * these are not parts of that owner. NAN: unknown. */
double traffic_counter(const struct timeline_analysis *, size_t counter, enum scope, size_t owner);
/* Returns the occupancies of the parts that a module counts one by one (the slices of a cache), one value per part. The
 * caller frees; NULL: the module has no such parts. */
double *traffic_parts(
	const struct traffic *, const struct net_layout_box *, size_t module, enum scope *scope, size_t *n);

/* Raises each entry of `share` to the share of its stage's requests that it carried in this snapshot, in thousandths,
 * if that is more than the entry. Entries are the owners of the modules, module by module, then the kinds (of all
 * requests of any stage). True when any request was counted. */
bool traffic_add_shares(const struct timeline_analysis *, unsigned short *share);

/* Sets used[] of each module that has requests, or of which no counter tells whether it has. */
void traffic_add_used(const struct timeline_analysis *, bool *used);

#endif
