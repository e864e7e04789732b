/* Queues: by Little's law, how many requests of each kind wait on average at each module; and which queue is the
 * culprit.
 *
 * PathFinder's algorithm 1 (Li et al., SIGCOMM 2025, section 4.5):
 *
 *     model   L
 *     queue   λ_hit·W_hit
 *     cache   λ_hit·W_hit + λ_miss·W_tag
 *     home    λ_hit·W_hit + λ_miss·W_miss
 *
 * Rates λ are counts over the module's clock. W_hit is the delay of requests served here, seen from the first stage,
 * minus the delay of the previous hop. */
#ifndef CORE_NETWORK_QUEUES_H
#define CORE_NETWORK_QUEUES_H

#include <stdbool.h>
#include <stddef.h>

struct net_state;

/* Unknown values are NAN. Times are in the unit of the module's clock. */
struct net_queue {
	size_t module, owner, kind;
	bool background;       /* no program waits for requests of this kind */
	double length;         /* mean number of requests over the snapshot */
	/* λ_hit and W_hit; λ_hit is 0 for a module that only passes the kind on */
	double arrivals, wait;
	double missing, miss_wait; /* λ_miss and W_tag or W_miss; 0 for a plain queue */
	double before;             /* delay of the previous hop, which was subtracted to get W_hit; 0: no such hop */
	/* mean queue length by the module's own occupancy counter, as a check; NAN: no such counter */
	double occupied;
	/* the counters report a longer delay for the previous hop than for this one: W_hit is taken as 0 */
	bool faster;
};

/* Returns true if the two lengths of a queue, by rate × wait and by occupancy, differ by more than a factor of 2. Of
 * lengths that are both below 0.01 this says nothing. */
bool net_queue_differs(const struct net_queue *);

struct net_queues {
	/* Longest first. Queues of background kinds come after all others, and queues of unknown length at the end. */
	struct net_queue *queue;
	size_t n, known;
	/* number of queues of known length whose kind is not in the background; the first of them is the culprit */
	size_t awaited;
	/* ratio of the longest awaited queue to the second longest: 1.4 is 40 % longer; NAN if there are fewer than two
	 */
	double margin;
	struct net_queues_scratch *scratch;
};

/* One queue for each cell with a delay and each owner. Free with net_queues_free(). */
struct net_queues *net_queues_new(const struct net_state *);
/* Compute the queues anew, for the state's current snapshot. Allocates nothing. */
void net_queues_update(struct net_queues *, const struct net_state *);
/* Returns the queue of a known length there, or NULL. */
const struct net_queue *net_queues_find(const struct net_queues *, size_t module, size_t owner, size_t kind);
void net_queues_free(struct net_queues *);

#endif
