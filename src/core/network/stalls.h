/* The origin of stalls. Stalls at a destination are passed back, hop by hop, to the modules that sent it requests. A
 * module with a `stall` field adds its own stalls.
 *
 * PathFinder's algorithm 2 (Li et al., SIGCOMM 2025, section 4.4), for each destination and kind separately, so that
 * loads and stores are counted separately. Differences to the printed algorithm:
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
 * A module's own stalls are divided among destinations by number of requests and delay; the paper's rule, by number
 * alone, is the other choice (stall_parts.h). What goes to requests that are served on the way belongs to no
 * destination.
 *
 * Cycles of two modules are cycles of two clocks. Each hop converts them by the ratio of the clocks' cycles in the
 * snapshot. A module without stalls and without a clock counts in the cycles of the module after it. Where a clock is
 * not known, the number stays as it is, and net_stalls_unconverted() is true of the link.
 *
 * The load of a link tells how much each sender sent, to all owners at the other end together. Where a snapshot has
 * loads of pairs, an owner's stalls go back to those that sent to it. Otherwise all senders are taken to use all owners
 * alike, and net_stalls_spread() is true of the link.
 *
 * Passed-back stalls are conserved, as times. Modules where requests begin keep them; a prefetcher's module keeps the
 * part of its own requests. The rest is reported as hidden (above a limit: the core did other work) or stuck (the load
 * of the modules that could take it is unknown). */
#ifndef CORE_NETWORK_STALLS_H
#define CORE_NETWORK_STALLS_H

#include <stdbool.h>
#include <stddef.h>

struct net_state;

/* How own stalls are divided among destinations. */
enum net_weight { NET_BY_DELAY, NET_BY_REQUESTS };

/* Arrays have one entry per module, owner and kind, in the order of net_stalls_at(). Amounts are in cycles of the
 * module's clock, or in ns if its stalls are. */
struct net_stalls {
	size_t destination;   /* the module */
	size_t n_modules, n_kinds, n_owners;
	size_t *first;        /* n_modules + 1: index of each module's first owner */
	double *own;          /* the module's own stalls for the destination */
	double *stall;        /* own stalls and those passed back to the module, up to its limit */
	double *hidden;       /* stalls above the limit */
	double *kept;         /* stalls that stay here because requests begin here */
	/* stalls that stay here because the load of the modules that could take them is unknown */
	double *stuck;
	/* Parts of `stall` by the module where they arose: net_stalls_from(). Columns of owners, one for each module
	 * that a module and kind can have stalls from. The set's. */
	const double *from;
	const size_t *first_from;            /* modules × kinds: where the first column begins */
	const size_t *first_origin, *origin; /* modules × kinds: where its list of modules begins; the lists */
	/* the module's own stalls of requests that are served on the way; the same in the whole set */
	const double *elsewhere;
	/* what `stall` counts in the length of the snapshot: cycles, or ns. NAN: not known. The same in the whole
	 * set */
	const double *ticks;
	double elapsed_ns; /* NAN: not known */
	/* scratch memory of net_stalls_update(); the first element of a set has it for the whole set */
	struct net_stalls_scratch *scratch;
};

/* Stalls of all *n destinations, in order of modules, with limits that they share. Destinations are modules with
 * incoming links but no outgoing ones. Free with net_stalls_all_free(). */
struct net_stalls **net_stalls_all(const struct net_state *, enum net_weight, size_t *n);
/* Compute the stalls anew, for the state's current snapshot. Allocates nothing. The array is the whole set of
 * net_stalls_all(), for the same state. */
void net_stalls_update(struct net_stalls **, size_t n, const struct net_state *);
void net_stalls_all_free(struct net_stalls **, size_t n);

/* Returns true if stalls went over the link without a conversion, because a clock at one of its ends is not known. */
bool net_stalls_unconverted(struct net_stalls *const *, size_t n, size_t link);
/* Returns true if stalls of several owners went over the link to several senders that may have used any of them, with
 * no loads of pairs. */
bool net_stalls_spread(struct net_stalls *const *, size_t n, size_t link);

/* Returns true if a counter reports the module's own stalls for this kind at some owner. Otherwise an `own` of 0 is not
 * a measured zero. */
bool net_stalls_reported(const struct net_state *, size_t module, size_t kind);

/* For each module and kind, a column of owners. */
static inline size_t
net_stalls_at(const struct net_stalls *s, size_t module, size_t owner, size_t kind)
{
	size_t first = s->first[module], owners = s->first[module + 1] - first;

	return first * s->n_kinds + kind * owners + owner;
}

/* Returns the part of a cell's stalls that arose at the module `origin`. */
double net_stalls_from(const struct net_stalls *, size_t module, size_t owner, size_t kind, size_t origin);

/* Returns an amount of a cell in ns; NAN if the clock or the length of the snapshot is not known. */
static inline double
net_stalls_ns(const struct net_stalls *s, size_t at, double amount)
{
	return amount / s->ticks[at] * s->elapsed_ns;
}

#endif
