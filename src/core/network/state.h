/* One snapshot of a network: counters in, what each module tells of each kind out.
 *
 * A value that is not known (its counter was not counted, a divisor was 0) is NAN. A count that came out below zero,
 * which a difference of two counters that were not read at once may do, is 0 and told in `below_zero`. */
#ifndef CORE_NETWORK_STATE_H
#define CORE_NETWORK_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/network/network.h"

/* How many threads, cores … there are, and what is part of what: part_of[SCOPE_THREAD] has the core of each thread,
 * [SCOPE_CORE], [SCOPE_SLICE] and [SCOPE_CHANNEL] the socket of each. n[SCOPE_SYSTEM] is 1. The arrays are the
 * caller's. */
struct net_shape {
	size_t n[SCOPES];
	const size_t *part_of[SCOPES];
};

/* Is every part a part of something that is there? */
bool net_shape_is_sound(const struct net_shape *);

/* Increments of an interval. count[c][i]: counter c of the i-th task, thread, … (its scope); NAN: not counted. NULL:
 * counter c was not counted at all. An increment below zero or without end is none: the counter went back, and what it
 * counted is not known. */
struct net_snapshot {
	double seconds;
	/* tasks that may have been in the middle of something when it was read: laws are off by 1 for each at most; 0:
	 * exact */
	double tear;
	const double *const *count;
};

/* Everything of one module of one owner and one kind. */
struct net_cell_values {
	double hits, misses;
	double field[NET_FIELDS]; /* in the units of the expressions; [NET_MISS] is misses */
	const double *place;      /* hits at each of the cell's places */
};

struct net_state;

/* both stay the caller's and must outlive it */
struct net_state *net_state_new(const struct network *, const struct net_shape *);
void net_state_free(struct net_state *);

/* Take in a snapshot; what the one before gave is gone. */
void net_state_take(struct net_state *, const struct net_snapshot *);

/* Of the snapshot that was taken in last, forget the counts that are there in `without` too, a state of the same
 * network and shape: where that has hits, misses, any other field that is a sum, or requests on a link, they are not
 * known (NAN). Delays stay. What remains is the doing of what `without` lacks. */
void net_state_leave_out(struct net_state *, const struct net_state *without);

const struct network *net_state_network(const struct net_state *);
const struct net_shape *net_state_shape(const struct net_state *);
double net_state_seconds(const struct net_state *);

size_t net_state_owners(const struct net_state *, size_t module);
struct net_cell_values net_state_cell(const struct net_state *, size_t module, size_t owner, size_t kind);
double net_state_clock(const struct net_state *, size_t module, size_t owner); /* cycles or ns, as its delays; NAN */
/* Requests of the kind on the link from one owner's module; NAN: not told. */
double net_state_load(const struct net_state *, size_t link, size_t owner, size_t kind);
double net_state_total(const struct net_state *, size_t total);
void net_state_law(const struct net_state *, size_t law, double *left, double *right);
/* what the module's load is told by */
double net_state_qos(const struct net_state *, size_t module, size_t owner, size_t qos);
/* … and whether it holds, but for tears where it compares requests. Counts beyond 2^53 and what is scaled up are not
 * exact: equal is equal to 1e-9. False where a side is not known. */
bool net_state_law_holds(const struct net_state *, size_t law);
size_t net_state_below_zero(const struct net_state *); /* values of this snapshot that were set to 0 */

/* Of this snapshot: at how many owners the counter's increment was none. */
size_t net_state_wrong(const struct net_state *, size_t counter);
/* Of this snapshot: was nothing at all counted of this owner, though something was of another of its scope? A CPU that
 * was taken offline, a device that is gone. */
bool net_state_gone(const struct net_state *, enum scope, size_t owner);

/* The owner at the coarser scope that the i-th at the finer one is part of. */
size_t net_owner_within(const struct net_shape *, enum scope fine, size_t i, enum scope coarse);

#endif
