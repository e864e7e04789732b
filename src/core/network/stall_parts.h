/* What the back-propagation of stalls is made of. Private to core/network. */
#ifndef CORE_NETWORK_STALL_PARTS_H
#define CORE_NETWORK_STALL_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/network/plan.h"
#include "core/network/stalls.h"

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
	double *requests;    /* in the order of net_stalls_at(): requests served here or sent on */
	bool *reached;       /* module × kind × destination: its requests can get there */
	/* Per module and kind, n + 2 columns of owners: the parts of its requests that end at each destination, that
	 * are served in between, and here; and the same parts times the delay there, NAN if it is not known. */
	double *part, *late;
	/* Scratch, per owner of one module: 1 / requests, loads of one link per request, and weights and their sums; a
	 * row for each owner, and the places that the rows have. */
	bool *listed;
	double *inverse, *rate, *times, *sum, *row;
};

/* The array of destinations belongs to the caller and must outlive the shares. */
struct stall_shares *stall_shares_new(const struct net_plan *, enum net_weight, const size_t *end, size_t n);
void stall_shares_free(struct stall_shares *);
void stall_shares_find(struct stall_shares *, const struct net_state *); /* for the state's current snapshot */

/* Divides the stalls of a module's owners: out[d] for each destination that their requests can get to, and what goes to
 * none of them. */
void stall_shares_divide(const struct stall_shares *, size_t module, size_t kind, const double *stall,
	double *const *out, double *elsewhere);

/* --- stalls.c and stall_hops.c ----------------------------------------------------------------------------------- */

/* Stalls of a cell by destination and by the module where they arose: each is a column of owners. */
struct stall_columns {
	size_t at; /* where the first begins in scratch.from */
	size_t n;
	bool in_ns, told; /* its stalls are in ns; the module says in what they are */
};

struct net_stalls_scratch {
	const struct net_plan *plan;
	const struct network *net;
	struct net_stalls **s;
	size_t n;
	size_t *end; /* destinations: modules */
	struct stall_shares *shares;
	struct stall_sets *sets;
	struct stall_columns *columns; /* module × kind: by destination, then origin */
	double *from;                  /* all of them */
	size_t n_from;
	size_t *first_from;        /* destination × module × kind: net_stalls.first_from */
	size_t *to, *first_to;     /* link × kind: the sender's column of each of the receiver's */
	double **own;              /* n: own stalls of one module and kind by destination */
	double *elsewhere, *ticks; /* per cell */
	/* Per owner of one module: stalls for all destinations; requests of its senders; 1 / requests, 0 if there are
	 * none; scratch */
	double *sum, *all, *inverse, *times;
	double *price;              /* per receiver: what its stalls are multiplied by for one request */
	/* (receivers + 1) × whole vectors (mix.h): its stalls for one request; at last, what one sender gets */
	double *priced;
	bool *stalling;             /* per kind: some module reports stalls */
	bool *unconverted, *spread; /* per link */
};

static inline size_t
stalls_cell(const struct net_stalls_scratch *w, size_t module, size_t owner, size_t kind)
{
	return net_stalls_at(w->s[0], module, owner, kind);
}

static inline size_t
stalls_owners(const struct net_stalls_scratch *w, size_t module)
{
	return w->plan->first[module + 1] - w->plan->first[module];
}

/* Keeps the stalls of a module and kind that begin there, and passes the others back to all its senders. */
void stalls_pass_back(struct net_stalls_scratch *, const struct net_state *, size_t module, size_t kind);

#endif
