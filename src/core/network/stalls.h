/* The origin of stalls. Stalls at a destination are passed back, hop by hop, to the modules that sent it requests. A
 * module with a `stall` field adds its own stalls.
 *
 * PathFinder's algorithm 2 (Li et al., SIGCOMM 2025, section 4.4), for each destination and kind separately, so that
 * loads and stores are counted separately. A module's own stalls are divided among the destinations in proportion to
 * its requests there. Differences to the printed algorithm:
 *
 *     line 5    printed: reads the load of a root complex at an index that nothing set.
 *               here:    the index of the destination.
 *     line 18   printed: each root complex overwrites what the one before passed to an uncore.
 *               here:    added up.
 *     line 25   printed: shares of CHAs are handed out in a loop over uncores.
 *               here:    over the modules that sent the requests.
 *     line 28   printed: nothing for the hops from the CHA into the core.
 *               here:    the same rule. A core's module takes no more than the cycles that it is seen
 *                        to stall (`limit`), all destinations together; above that all shrink alike.
 *
 * Passed-back stalls are conserved. Modules where requests begin keep them; a prefetcher's module keeps the part of its
 * own requests. The rest is reported as hidden (above a limit: the core did other work) or stuck (the load of the
 * modules that could take it is unknown). */
#ifndef CORE_NETWORK_STALLS_H
#define CORE_NETWORK_STALLS_H

#include <stdbool.h>
#include <stddef.h>

struct net_state;

/* Arrays have one entry per module, owner and kind, in the order of net_stalls_at(). */
struct net_stalls {
	size_t destination;   /* the module */
	size_t n_modules, n_kinds, n_owners;
	size_t *first;        /* n_modules + 1: index of each module's first owner */
	double *part;         /* part of the requests here that end at the destination: 0 … 1; NAN: unknown */
	double *own;          /* the module's own stalls for the destination */
	double *stall;        /* own stalls and those passed back to the module, up to its limit */
	double *hidden;       /* stalls above the limit */
	double *kept;         /* stalls that stay here because requests begin here */
	/* stalls that stay here because the load of the modules that could take them is unknown */
	double *stuck;
	double *from;         /* owners × kinds × modules: parts of `stall` by the module where they arose */
	/* scratch memory of net_stalls_update(); in a set, the first element has it for the whole set */
	struct net_stalls_scratch *scratch;
};

/* Stalls of one destination, with limits applied to it alone. Free with net_stalls_free(). */
struct net_stalls *net_stalls_new(const struct net_state *, size_t destination);
/* Stalls of all *n destinations, in order of modules, with limits that they share. Destinations are modules with
 * incoming links but no outgoing ones. Free with net_stalls_all_free(). */
struct net_stalls **net_stalls_all(const struct net_state *, size_t *n);
/* Compute the stalls anew, for the state's current snapshot. Allocates nothing. The array is the whole set of
 * net_stalls_all(), or one element of net_stalls_new(), for the same state. */
void net_stalls_update(struct net_stalls **, size_t n, const struct net_state *);
void net_stalls_all_free(struct net_stalls **, size_t n);
void net_stalls_free(struct net_stalls *);

/* Returns true if a counter reports the module's own stalls for this kind at some owner. Otherwise an `own` of 0 is not
 * a measured zero. */
bool net_stalls_reported(const struct net_state *, size_t module, size_t kind);

static inline size_t
net_stalls_at(const struct net_stalls *s, size_t module, size_t owner, size_t kind)
{
	return (s->first[module] + owner) * s->n_kinds + kind;
}

#endif
