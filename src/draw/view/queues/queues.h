/* Shared by the files of view 7: the list (queues.c), and one queue in detail (queue.c). */
#ifndef DRAW_VIEW_QUEUES_QUEUES_H
#define DRAW_VIEW_QUEUES_QUEUES_H

#include "core/network/queues.h"
#include "draw/view/view_network.h"

/* Adds module and owner: "CHA 0-7", "L2 3", "vda q sda". A line of several owners names all of them. */
void add_queue_place(const struct state *, const struct net_queue *, struct str *out);
/* Return all arrivals, including those that miss, and their mean wait. Their product is the length. NAN: unknown. */
double queue_arrivals(const struct net_queue *);
double queue_wait(const struct net_queue *);

/* Sets has[] for each counter in the formula of the queue's length. */
void queue_counters(const struct state *, const struct net_queue *, bool *has);

/* Panes. */
void title_lengths(const struct state *, struct str *title, struct str *info);
void draw_lengths(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);
void title_queue(const struct state *, struct str *title, struct str *info);
void draw_queue(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);

#endif
