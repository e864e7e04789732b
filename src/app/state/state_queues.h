/* The queues of view 7: which are listed, what a line stands for, how they went over time. */
#ifndef APP_STATE_STATE_QUEUES_H
#define APP_STATE_STATE_QUEUES_H

#include <stddef.h>

#include "core/series/level.h"

struct net_queue;
struct state;

/* Slices and channels share one line, which shows the longest; so do other owners where there are more than
 * QUEUES_APART. view 5's `u` takes them apart. */
#define QUEUES_APART 4
#define QUEUES_ALWAYS 12   /* so many lines are listed however short the queues are; behind them … */
#define QUEUES_SHORT 0.5   /* … those below are left out, unless a filter asks for them */

/* Numbers of look->queues->queue, one for each line, sorted and filtered. The caller frees. */
size_t *state_queues(const struct state *, size_t *n);
const struct net_queue *state_queue(const struct state *); /* under the cursor; NULL */

/* How many owners the line of a queue stands for; *first: the first of them. */
size_t state_queue_owners(const struct state *, const struct net_queue *, size_t *first);

struct queue_counts {
	size_t lines;   /* pairs of component and kind whose length is known */
	size_t hidden;  /* … that are too short to be listed */
	size_t unknown; /* queues whose length is not known */
};
struct queue_counts state_queue_counts(const struct state *);

/* The line's length at the moments of run.history: of the longest of its owners. `out` has room for all; NAN where it
 * is not known. */
void state_queue_series(const struct state *, const struct net_queue *, double *out);
struct trend state_queue_trend(const struct state *, const struct net_queue *);

/* How often each line was the longest of all. */
struct queue_culprit {
	size_t module, kind, moments;
};
/* Most often first; the caller frees. */
struct queue_culprit *state_queue_culprits(const struct state *, size_t *n);

void state_choose_queue(struct state *, int row); /* the cursor keeps to this queue while the list changes */
void state_follow_queue(struct state *);          /* the list has changed: put the cursor on it again */

#endif
