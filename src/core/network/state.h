/* One snapshot of a network: it takes counter values and gives the values of each module and kind.
 *
 * Unknown values are NAN: a counter was not counted, or a divisor was 0. A difference of two counters that were not
 * read at the same time may be below zero. Such a value becomes 0 and is counted in net_state_below_zero(). */
#ifndef CORE_NETWORK_STATE_H
#define CORE_NETWORK_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/network/network.h"

/* Numbers of threads, cores, …, and which is part of which: part_of[SCOPE_THREAD][i] is the core of thread i;
 * part_of[SCOPE_CORE], [SCOPE_SLICE] and [SCOPE_CHANNEL] hold the socket of each core, slice and channel.
 * n[SCOPE_SYSTEM] is 1. The caller owns the arrays. */
struct net_shape {
	size_t n[SCOPES];
	bool unknown[SCOPES]; /* nothing says how many there are; n is 1, which stands for all of them */
	const size_t *part_of[SCOPES];
};

/* Returns true if each part belongs to a whole that exists. */
bool net_shape_is_sound(const struct net_shape *);

/* Number of counts of a counter in a snapshot: one per owner of its scope, or per pair of owners. */
static inline size_t
net_counter_places(const struct net_shape *s, const struct counter_item *c)
{
	return s->n[c->scope] * (c->of_pairs ? s->n[c->to] : 1);
}

/* Increments of an interval. count[c][i] is counter c of the i-th task, thread, … of its scope; of pairs,
 * count[c][i * n + j] of its i-th and j-th owner, with n owners of the second scope. NAN: not counted there; count[c]
 * NULL: counter c was not counted at all. A negative increment (the counter went back), an infinite one, and one that
 * no clock allows (increments.h) count as unknown. */
struct net_snapshot {
	double seconds;
	/* Number of tasks that may have been in the middle of a request at the read: a law about requests may be off by
	 * 1 for each task. 0: exact. */
	double tear;
	const double *const *count;
};

/* The values of one module, owner and kind. */
struct net_cell_values {
	double hits, misses;
	double field[NET_FIELDS]; /* in the units of the expressions; [NET_MISS] equals misses */
	const double *place;      /* hits at each of the cell's places */
};

struct net_state;

/* network and shape belong to the caller and must outlive the state */
struct net_state *net_state_new(const struct network *, const struct net_shape *);
void net_state_free(struct net_state *);

/* Set the constants that are calibrated by this name; they then have this value in all snapshots. */
void net_state_calibrate(struct net_state *, const char *name, double value);

/* Take in a snapshot, which replaces the previous one. */
void net_state_take(struct net_state *, const struct net_snapshot *);

/* Remove from the current snapshot all values that `without`, a state of the same network and shape, explains at least
 * in part. Where hits, misses, other sums or link loads of `without` are above 0, those of this state become unknown
 * (NAN). Delays stay. The remaining values have causes that `without` does not include. */
void net_state_leave_out(struct net_state *, const struct net_state *without);

const struct network *net_state_network(const struct net_state *);
const struct net_shape *net_state_shape(const struct net_state *);
double net_state_seconds(const struct net_state *);

size_t net_state_owners(const struct net_state *, size_t module);
struct net_cell_values net_state_cell(const struct net_state *, size_t module, size_t owner, size_t kind);
/* cycles or ns, like the module's delays; NAN: unknown */
double net_state_clock(const struct net_state *, size_t module, size_t owner);
/* Cycles that the module's clock takes in the length of the snapshot: by its `frequency`, or else its `clock`. NAN: not
 * known, or the clock is in ns, or counts of several owners were added up: it is faster than any clock, or that cannot
 * be told because nothing names the owners and the length is not known. */
double net_state_ticks(const struct net_state *, size_t module, size_t owner);
/* Requests of the kind on the link from one owner's module; NAN if not reported. */
double net_state_load(const struct net_state *, size_t link, size_t owner, size_t kind);
/* Requests of the kind from one owner to another over the link, as pairs count them: [from × owners of the module that
 * the link goes to + to]. NULL: they are not counted, or not all of them. */
const double *net_state_pairs(const struct net_state *, size_t link, size_t kind);
/* Returns true unless the pairs of this sender add up to something else than its load. `*sum`: what they add up to, NAN
 * without pairs or without a load. A sum may be off by the snapshot's tear. */
bool net_state_pairs_fit(const struct net_state *, size_t link, size_t owner, size_t kind, double *sum);
double net_state_total(const struct net_state *, size_t total);
void net_state_law(const struct net_state *, size_t law, double *left, double *right);
/* Returns the value of one sign of the module's load. */
double net_state_qos(const struct net_state *, size_t module, size_t owner, size_t qos);
/* Returns true if the law holds. A law that compares requests may be off by the snapshot's tear. Counts above 2^53 and
 * scaled counts are not exact, so values that agree to 1e-9, or to the law's `within`, count as equal. Returns false if
 * a side is unknown. */
bool net_state_law_holds(const struct net_state *, size_t law);
size_t net_state_below_zero(const struct net_state *); /* values of this snapshot that were set to 0 */

/* Number of owners for which the counter's increment was below zero or infinite in this snapshot. */
size_t net_state_wrong(const struct net_state *, size_t counter);
/* Number of owners for which it was more than any clock allows. */
size_t net_state_impossible(const struct net_state *, size_t counter);
/* Returns true if nothing was counted for this owner in this snapshot, but something was for another owner of its
 * scope: a CPU went offline, or a device is gone. */
bool net_state_gone(const struct net_state *, enum scope, size_t owner);

/* Returns the owner at the coarser scope that contains the i-th owner at the finer scope. */
size_t net_owner_within(const struct net_shape *, enum scope fine, size_t i, enum scope coarse);

/* Returns `owners(counted)` as an expression of this owner uses it: the number of owners in the smallest scope that has
 * this owner and them. For a socket, its own slices; for a core, the slices of its socket, and 1 socket. Returns NAN
 * where the number is not known. */
double net_owners_number(const struct net_shape *, enum scope per, size_t owner, enum scope counted);

#endif
