/* Stalls by who waits: what net_stalls passed back, by the owner and kind whose requests began it, and by the module
 * where it arose.
 *
 * A bar of view 6 is one row. Each cycle of a module's own stalls is in exactly one place: own = Σ stall + Σ hidden + Σ
 * stuck over the rows. */
#ifndef CORE_NETWORK_STALL_ROWS_H
#define CORE_NETWORK_STALL_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/lang/aexpr.h"
#include "core/lang/scope.h"

struct net_stalls;
struct net_state;

/* Amounts in the unit of the stalls, over all destinations. */
struct net_stall_row {
	enum scope per;       /* of the modules where the requests begin; SCOPES: all owners together */
	size_t owner, kind;
	double stall;         /* kept where the requests begin */
	double hidden, stuck; /* never came so far, at modules of this owner: over a limit; no load told */
	const double *from;   /* n_modules: what `stall` is made of */
};

struct net_stall_rows {
	struct net_stall_row *row; /* by scope from coarse to fine, owner, kind; only where there is something */
	size_t n, n_modules;
	double own, stall, hidden, stuck; /* sums */
	double *from;              /* n × n_modules */
};

/* One row for each owner and kind; `together`: one for each kind. */
struct net_stall_rows *net_stall_rows_new(
	const struct net_state *, struct net_stalls *const *, size_t n, bool together);
void net_stall_rows_free(struct net_stall_rows *);

/* The row of the same owner and kind; NULL when there is none. */
const struct net_stall_row *net_stall_rows_find(const struct net_stall_rows *, const struct net_stall_row *like);

#endif
