/* View 7, taken apart: the list (view_queues.c), and one of them closely (view_queue.c). */
#ifndef DRAW_VIEW_VIEW_QUEUES_H
#define DRAW_VIEW_VIEW_QUEUES_H

#include "core/network/queues.h"
#include "draw/view/view_page.h"

/* "CHA 0-7", "L2 3", "vda q sda": the module and whose it is; of a line for several, all of them. */
void add_queue_place(const struct state *, const struct net_queue *, struct str *out);
char *number_queue(char out[NUMBER_TEXT], double length); /* "38.5", "0.02", "?" */

/* All requests that arrive, those that miss too, and how long each waits on average: their product is the length. NAN:
 * not known. */
double queue_arrivals(const struct net_queue *);
double queue_wait(const struct net_queue *);

/* Does the module's clock count cycles? Else its delays are in ns; in one network all are told alike. */
bool queue_in_cycles(const struct state *, const struct net_queue *);
/* Arrivals in requests per cycle or ms, waits in cycles or a time that suits. */
char *number_arrivals(char out[NUMBER_TEXT], const struct state *, const struct net_queue *, double rate, bool unit);
char *number_wait(char out[NUMBER_TEXT], const struct state *, const struct net_queue *, double wait, bool unit);

/* Sets has[] of each counter that its formula needs. */
void queue_counters(const struct state *, const struct net_queue *, bool *has);

/* Panes. */
void title_lengths(const struct state *, struct str *title, struct str *info);
void draw_lengths(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);
void title_queue(const struct state *, struct str *title, struct str *info);
void draw_queue(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);

#endif
