/* What a snapshot holds: which of its increments are counts at all, and the loads of pairs. Private to core/network.
 *
 * An increment below zero or without end is wrong: the counter went back. One above what any clock allows is
 * impossible: most often a total that wrapped, and whose writer took the difference as unsigned. The limits are
 * generous, because counts of several owners or sockets may have been added up. They are, for each cycle of 10 GHz in
 * the length of the snapshot:
 *
 *     unit                  an owner's own count    a socket's, a device's, or a sum over owners
 *     cycles                8                       1024
 *     requests, pages …     64                      8192
 *     products, bytes       64 · 4096               8192 · 4096
 *
 * If the length is not known, 2^16 per cycle of the longest count of cycles in the snapshot (products, bytes: 2^28). */
#ifndef CORE_NETWORK_INCREMENTS_H
#define CORE_NETWORK_INCREMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/network/state.h"

struct net_plan;

#define NET_FREQUENCY_MAX 10.0 /* cycles/ns: no clock is faster */

struct net_increments {
	const struct network *net;
	const struct net_shape *shape;
	double *most;               /* per counter: the largest possible increment */
	double *per_cycle, *per_counted; /* per counter: `most` per cycle of the length, and per counted cycle */
	size_t *wrong, *impossible; /* per counter: number of owners */
	bool *seen[SCOPES];         /* per owner: something was counted */
	bool some[SCOPES];          /* per scope: something was counted at some owner */
};

struct net_increments *net_increments_new(const struct network *, const struct net_shape *);
void net_increments_free(struct net_increments *);
void net_increments_check(struct net_increments *, const struct net_snapshot *);

/* Returns the count, or NAN if it is none. */
double net_increments_count(const struct net_increments *, size_t counter, double increment);
/* Returns true if all counts of the counter are counts. */
bool net_increments_whole(const struct net_increments *, size_t counter);

/* Loads of pairs: for a link and a kind, how many requests went from each owner of one end to each of the other
 * (pairs.c). */
struct net_pairs {
	const struct net_plan *plan;
	size_t *first; /* link × kind: index of its matrix in `value` */
	bool *known;   /* link × kind: every pair was counted in this snapshot */
	size_t n;      /* links that have pairs */
	double *value; /* matrices: owners of `from` × owners of `to` */
};

struct net_pairs *net_pairs_new(const struct net_plan *);
void net_pairs_free(struct net_pairs *);
/* Takes the counts of a snapshot, after the state has the loads of links. A sender whose load is unknown counts as one
 * that sent nothing, as everywhere. */
void net_pairs_take(
	struct net_pairs *, const struct net_state *, const struct net_snapshot *, const struct net_increments *);
/* Forgets the pairs of a link and kind in this snapshot. */
void net_pairs_drop(struct net_pairs *, size_t link, size_t kind);
/* The requests of pairs, [from × owners of `to` + to]; NULL if the link has none of the kind, or some are unknown. */
const double *net_pairs_at(const struct net_pairs *, size_t link, size_t kind);

#endif
