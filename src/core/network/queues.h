/* Who waits where: the mean queue at each module for each kind, by Little's law, and the culprit.
 *
 * PathFinder's algorithm 1 (Li et al., SIGCOMM 2025, section 4.5): L = λ_hit·W_hit, for caches + λ_miss·W_tag, for
 * homes + λ_miss·W_miss. W_hit is the delay of what is served here, seen from the first stage, less that of the hop
 * before. Rates are counts over the module's clock. */
#ifndef CORE_NETWORK_QUEUES_H
#define CORE_NETWORK_QUEUES_H

#include <stdbool.h>
#include <stddef.h>

struct net_state;

/* A value that is not known is NAN. Times in the unit of the module's clock. */
struct net_queue {
	size_t module, owner, kind;
	bool background;       /* nobody waits for its kind */
	double length;         /* requests, on average over the snapshot */
	/* λ_hit, W_hit; a module that serves nothing of the kind and only passes it on has λ_hit 0 */
	double arrivals, wait;
	double missing, miss_wait; /* λ_miss and W_tag or W_miss; 0 for a plain queue */
	double before;         /* the delay of the hop before, which W_hit is without; 0: there is none */
	double occupied;       /* the mean queue by the module's own occupancy counter, as a check; NAN: it has none */
	bool faster;           /* the hop before takes longer than this one, as told: W_hit is taken as 0 */
};

struct net_queues {
	/* longest first, but those of background kinds behind all others; those whose length is not known at the end */
	struct net_queue *queue;
	size_t n, known;
	/* of the known, those of kinds that are not in the background: the first of them is the culprit */
	size_t awaited;
	double margin;           /* of the first over the second of them: 1.4 is 40 % longer; NAN without two */
	struct net_queues_work *work;
};

/* One for each told cell of each owner. */
struct net_queues *net_queues_new(const struct net_state *);
/* The same of the snapshot that the state took in since; nothing is allocated. */
void net_queues_update(struct net_queues *, const struct net_state *);
void net_queues_free(struct net_queues *);

#endif
