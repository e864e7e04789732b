/* The path map: how many requests of each kind were served at each place.
 *
 * Source: PathFinder (Li et al., SIGCOMM 2025), section 4.3 and table 7. Rows are places in the network's order:
 * each module's places, in the order in which its kinds name them. A cell distinguishes four cases: measured (zero
 * included), not counted in this snapshot, not reported by this machine, and counted together with another kind. */
#ifndef CORE_NETWORK_PATH_MAP_H
#define CORE_NETWORK_PATH_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include "core/network/network.h"

struct net_state;

struct net_map_cell {
	enum net_cell_state state; /* NET_CELL_ABSENT: this module never serves the kind */
	size_t with;               /* if NET_CELL_WITH: the kind together with which it is counted */
	double hits;               /* if NET_CELL_REPORTED: sum over the owners with a known count; else 0 */
	size_t unknown;            /* if NET_CELL_REPORTED: number of owners whose count is unknown */
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
};

/* Sum of the requests served in some rows. */
struct net_sum {
	double hits;
	size_t unknown;    /* cells with an unknown part: the true sum is larger */
	size_t unreported; /* cells that this machine does not report */
};

/* Make the map of the whole machine. Free with net_path_map_free(). */
struct net_path_map *net_path_map_new(const struct net_state *);
/* Compute the map anew, for the state's current snapshot. Allocates nothing. */
void net_path_map_update(struct net_path_map *, const struct net_state *);
void net_path_map_free(struct net_path_map *);

/* Returns the first row of a stage after `stage`; n_rows if there is none. */
size_t net_path_map_beyond(const struct net_path_map *, size_t stage);
/* Returns the sum of rows first … end - 1 for one kind, or for all kinds if `kind` is n_kinds. */
struct net_sum net_path_map_sum(const struct net_path_map *, size_t first, size_t end, size_t kind);
/* Returns a / b; NAN if a counted part of a or b is unknown, or if b is 0. */
double net_share(struct net_sum a, struct net_sum b);
/* Returns a / b from the known parts; NAN if nothing is known, or if b is 0. */
double net_share_known(struct net_sum a, struct net_sum b);

#endif
