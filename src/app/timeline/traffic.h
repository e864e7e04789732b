/* What the boxes and lanes of a network's picture carry in one snapshot: loads, shares, queues (view 5). */
#ifndef APP_TIMELINE_TRAFFIC_H
#define APP_TIMELINE_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>

#include "core/network/layout.h"

struct net_queue;
struct timeline_analysis;

/* Of one kind at a module of all owners of a box. What adds up is added up; a value that some owner does not tell is
 * NAN. */
struct traffic_cell {
	enum net_cell_state state;
	double hits, misses;
	double field[NET_FIELDS];        /* delays: the mean over requests that were served */
	const struct net_queue *longest; /* NULL: none is known */
	double queue;                    /* of all owners together; NAN */
};

struct traffic {
	const struct network *net;
	const struct timeline_analysis *analysis; /* NULL: there is nothing to tell, and all is NAN */
	const struct net_layout *layout;
	const struct net_queue **queue;  /* owners of modules × kinds: module_first */
	size_t *module_first;
	size_t *boxes;                   /* per module: those that it stands in */
	double *load;                    /* per lane: requests; NAN: not told */
	double *column_load;             /* per column: of the lanes that leave it, as far as they are told */
};

/* Both stay the caller's and must outlive it. */
struct traffic *traffic_new(const struct network *, const struct timeline_analysis *, const struct net_layout *);
void traffic_free(struct traffic *);

struct traffic_cell traffic_cell(const struct traffic *, const struct net_layout_box *, size_t module, size_t kind);
/* Of all the requests that leave its column, those that take the lane: 0 … 1; NAN. */
double traffic_share(const struct traffic *, size_t lane);
/* Requests that a module takes in, or that begin there, of one kind: by its own counters, else by the loads of the
 * links to it; NAN. */
double traffic_arrivals(const struct traffic *, const struct net_layout_box *, size_t module, size_t kind);
/* The longest queue in a box, of any of its modules and kinds; NULL when none is known. */
const struct net_queue *traffic_longest(const struct traffic *, const struct net_layout_box *);
const struct net_queue *traffic_queue_of(const struct traffic *, size_t module, size_t owner, size_t kind);
/* All queues of one owner of the box's modules together; NAN. */
double traffic_owner_queue(const struct traffic *, const struct net_layout_box *, size_t owner);

/* What a counter counted of one owner of a scope: of its parts together; of all, where the counter's owners are no
 * parts of it. NAN: not known. */
double traffic_counter(const struct timeline_analysis *, size_t counter, enum scope, size_t owner);
/* How busy the parts are that a module counts by itself (the slices of a cache): the occupancies of each together. The
 * caller frees; NULL: it has no such parts. */
double *traffic_parts(
	const struct traffic *, const struct net_layout_box *, size_t module, enum scope *scope, size_t *n);

/* Owners of modules, module by module, then kinds: of the requests of their stage (of all requests of any stage) those
 * that they carried, in thousandths, where that is more than what stands there. True when anything is known. */
bool traffic_add_shares(const struct timeline_analysis *, unsigned short *share);

#endif
