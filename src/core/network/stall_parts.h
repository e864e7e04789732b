/* What the back-propagation of stalls is made of. Private to core/network. */
#ifndef CORE_NETWORK_STALL_PARTS_H
#define CORE_NETWORK_STALL_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/network/stalls.h"

struct net_plan;
struct net_state;

/* --- where stalls can arise and get to, as known from the network alone: two sets of modules for each cell ------- */

/* Sets of modules as bits, `words` for each. */
struct stall_sets {
	size_t modules, kinds, words;
	uint64_t *arising; /* module × kind: modules that report stalls and get requests from it */
	uint64_t *leading; /* destination × kind: modules whose requests get there */
	size_t *first;     /* destination × module × kind: where its origins begin in `origin`, and one more entry */
	size_t *origin;
};

/* The destinations are modules. */
struct stall_sets *stall_sets_new(const struct net_plan *, const size_t *destination, size_t n);
void stall_sets_free(struct stall_sets *);

/* The modules where a cell's stalls for the d-th destination may have arisen: those in both sets, in rising order. */
struct stall_origins {
	const size_t *at;
	size_t n;
};
static inline struct stall_origins
stall_origins(const struct stall_sets *sets, size_t d, size_t module, size_t kind)
{
	const size_t *first = &sets->first[(d * sets->modules + module) * sets->kinds + kind];

	return (struct stall_origins){sets->origin + first[0], first[1] - first[0]};
}

/* How a module's own stalls are divided among the destinations of its requests.
 *
 * For each module, owner and kind, requests end at a destination, or are served on the way: here, or at a module in
 * between. By requests, each gets stalls in proportion to its number. By delay, in proportion to
 *
 *     requests × (delay where they are served − delay here)
 *
 * so that a request that is served here gets none, and one of a slow memory more than one of a fast memory. A place
 * whose delay is not known keeps its part by requests, and so do requests that no next module received; the others
 * divide the rest. If no delay is longer than here, all is divided by requests. */
struct stall_shares {
	const struct net_plan *plan;
	enum net_weight weight;
	const size_t *end; /* the destinations: modules */
	size_t n;
	const double *here;  /* delays (delays.h); by delay only */
	bool *divided, some; /* module × kind: the parts of its requests matter; any does */
	double *requests;    /* per cell: requests served here or sent on */
	/* Per cell, n + 2 numbers: the parts of its requests that end at each destination, that are served in between,
	 * and here; and the same parts times the delay there, NAN if it is not known. */
	double *part, *late;
	struct stall_beyond *beyond; /* scratch: per link of one module */
	size_t n_beyond;
};

/* The array of destinations belongs to the caller and must outlive the shares. */
struct stall_shares *stall_shares_new(const struct net_plan *, enum net_weight, const size_t *end, size_t n);
void stall_shares_free(struct stall_shares *);
void stall_shares_find(struct stall_shares *, const struct net_state *); /* for the state's current snapshot */

/* Divides stalls of a cell: out[d] for each destination, and returns what goes to none of them. */
double
stall_shares_divide(const struct stall_shares *, size_t module, size_t owner, size_t kind, double stall, double *out);

#endif
