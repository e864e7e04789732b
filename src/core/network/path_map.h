/* The path map: how many requests of each kind were served at each place.
 *
 * Source: PathFinder (Li et al., SIGCOMM 2025), section 4.3 and table 7. Rows are places in the network's order: each
 * module's places, in the order in which its kinds name them. What was measured as zero, was not counted, is not told
 * by this machine, or is told with another kind are kept apart. */
#ifndef CORE_NETWORK_PATH_MAP_H
#define CORE_NETWORK_PATH_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include "core/network/network.h"

struct net_state;

struct net_map_cell {
	enum net_cell_state state; /* NET_CELL_ABSENT: requests of the kind are never served here */
	size_t with;               /* NET_CELL_WITH: the kind that they are counted with */
	double hits;               /* NET_CELL_REPORTED: of those owners whose counts are known; else 0 */
	size_t unknown;            /* NET_CELL_REPORTED: owners whose count is not known */
};

struct net_map_row {
	size_t module;
	const char *place;
	struct net_map_cell *cell; /* n_kinds */
};

struct net_path_map {
	struct net_map_row *row;
	size_t n_rows, n_kinds;
	const struct network *net;
	bool all;                  /* whose requests these are: everybody's, or those of one owner of a scope */
	enum scope scope;
	size_t owner;
};

/* What was served in some rows. */
struct net_sum {
	double hits;
	size_t unknown; /* cells that lack something: the true sum is larger */
	size_t unreported;  /* cells of which this machine tells nothing */
};

/* Of all owners; or of those that are part of one owner of a scope: what others share with it is left out. */
struct net_path_map *net_path_map_new(const struct net_state *);
struct net_path_map *net_path_map_of(const struct net_state *, enum scope, size_t owner);
/* The same of the snapshot that the state took in since; nothing is allocated. */
void net_path_map_update(struct net_path_map *, const struct net_state *);
void net_path_map_free(struct net_path_map *);

/* The first row of a later stage; n_rows when there is none. */
size_t net_path_map_beyond(const struct net_path_map *, size_t stage);
/* Rows first … end - 1; `kind` n_kinds: of all kinds. */
struct net_sum net_path_map_sum(const struct net_path_map *, size_t first, size_t end, size_t kind);
/* a of b; NAN where something that is counted in either is not known, or b is 0. */
double net_share(struct net_sum a, struct net_sum b);
/* a of b, of what is known of them; NAN where nothing is, or b is 0. */
double net_share_known(struct net_sum a, struct net_sum b);

#endif
