/* Stalls by the owner and kind whose requests waited, and by the module where they arose: sums over net_stalls.
 *
 * A bar of view 6 is one row. Each cycle of a module's own stalls is counted exactly once: own = Σ stall + Σ hidden + Σ
 * stuck over the rows. */
#ifndef CORE_NETWORK_STALL_ROWS_H
#define CORE_NETWORK_STALL_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/counters/scope.h"
#include "text/aexpr.h"

struct net_stalls;
struct net_state;

/* Amounts are summed over all destinations, in the unit that the rows have. */
struct net_stall_row {
	enum scope per;       /* scope of the modules where the requests begin; SCOPES: all owners together */
	size_t owner, kind;
	double stall;         /* stalls kept where the requests begin */
	/* stalls that were not passed back that far but stayed at modules of this owner: above a limit; because a load
	 * is unknown */
	double hidden, stuck;
	const double *from;   /* n_modules: parts of `stall` */
};

struct net_stall_rows {
	struct net_stall_row *row; /* rows with something in them, by scope from coarse to fine, owner, kind */
	size_t n, n_modules;
	double own, stall, hidden, stuck; /* sums over the rows */
	double elsewhere; /* the modules' own stalls of requests that are served on the way, in no row */
	/* Cycles of several clocks do not add up, so amounts are in ns. False: they are as the stalls are; if clocks
	 * differ and one of them is not known, they are added up as they are. */
	bool in_ns;
	double *from;                     /* n × n_modules */
};

/* One row per owner and kind; if `together`, one per kind. Free with net_stall_rows_free(). */
struct net_stall_rows *net_stall_rows_new(
	const struct net_state *, struct net_stalls *const *, size_t n, bool together);
void net_stall_rows_free(struct net_stall_rows *);

/* Returns the row with the owner and kind of `like`; NULL if there is none. */
const struct net_stall_row *net_stall_rows_find(const struct net_stall_rows *, const struct net_stall_row *like);

#endif
