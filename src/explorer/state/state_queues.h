/* The queues of view 7: the lines listed, the owners that a line stands for, and lengths over time. */
#ifndef EXPLORER_STATE_STATE_QUEUES_H
#define EXPLORER_STATE_STATE_QUEUES_H

#include <stddef.h>

#include "core/series/mean.h"

struct net_queue;
struct state;

/* Slices and channels share one line, which shows the longest queue. So do other owners if there are more than
 * QUEUES_APART. Key `u` of view 5 gives each owner a line. */
#define QUEUES_APART 4
#define QUEUES_ALWAYS 12   /* the longest queues, which are listed however short they are */
#define QUEUES_SHORT 0.5   /* requests; further queues that are shorter are left out unless a filter asks for them */

/* Indices of analysis->queues->queue, one per line, sorted and filtered. The caller frees. */
const size_t *state_queues(const struct state *, size_t *n);
const struct net_queue *state_queue(const struct state *); /* the queue under the cursor; NULL: none */

/* The number of owners that the queue's line stands for; *first: the first of them. */
size_t state_queue_owners(const struct state *, const struct net_queue *, size_t *first);

struct queue_counts {
	size_t lines;   /* pairs of component and kind whose length is known */
	size_t hidden;  /* lines among them that are too short to be listed */
	size_t unknown; /* queues whose length is not known */
};
struct queue_counts state_queue_counts(const struct state *);

/* Sets out[] to the line's length at each snapshot of answers.timeline.history: the longest queue of its owners. NAN:
 * unknown. */
void state_queue_series(const struct state *, const struct net_queue *, double *out);

/* In how many snapshots a line was the longest of all. */
struct queue_culprit {
	size_t module, kind, snapshots;
};
/* Lines that were the longest, the most frequent first; the caller frees the array. */
struct queue_culprit *state_queue_culprits(const struct state *, size_t *n);

void state_choose_queue(struct state *, int row); /* the cursor stays on this queue while the list changes */
void state_follow_queue(struct state *);          /* puts the cursor on that queue again after the list changed */

#endif
