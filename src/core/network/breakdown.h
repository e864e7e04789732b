/* What a snapshot says of each core, each kind of request or each destination: requests, queues, and the cycles of
 * stalls that stay where requests begin. */
#ifndef CORE_NETWORK_BREAKDOWN_H
#define CORE_NETWORK_BREAKDOWN_H

#include <stdbool.h>
#include <stddef.h>

#include "core/network/stalls.h"

struct net_state;
struct network;

enum net_by { NET_BY_CORE, NET_BY_KIND, NET_BY_DESTINATION };

/* A sum over what is known. */
struct net_known {
	double sum;
	size_t unknown; /* terms without a value; with no other terms, the sum is unknown as well */
	size_t known;
};

struct net_breakdown_row {
	size_t item;               /* owner of scope core, kind, or module */
	/* of a core: served in its modules, and sent to other modules; of a kind: served anywhere; of a destination:
	 * served there */
	struct net_known requests;
	struct net_known queue;    /* requests that wait on average: there, or of the kind */
	double stall;              /* over all columns */
	double *part;              /* n_columns: stalls of each destination; in a row of a destination, of each kind */
};

struct net_breakdown {
	struct net_breakdown_row *row; /* most stalls first, then longest queues, then most requests */
	size_t n;
	size_t *column;            /* modules, or kinds */
	size_t n_columns;
	double stall;              /* over all rows */
	double elsewhere;          /* stalls that belong to no row: they stay at modules that are no part of a core */
	bool in_ns;                /* stalls are in ns, because clocks differ; false: as the modules have them */
};

/* Returns whether the network has what the rows would stand for: modules of cores, and destinations. */
bool net_breakdown_has(const struct network *, enum net_by);
/* Free with net_breakdown_free(). */
struct net_breakdown *net_breakdown_new(const struct net_state *, enum net_weight, enum net_by);
void net_breakdown_free(struct net_breakdown *);

#endif
