/* How views 5 to 7 write kinds of request, owners, and numbers of queues. */
#ifndef DRAW_VIEW_VIEW_NETWORK_H
#define DRAW_VIEW_VIEW_NETWORK_H

#include "core/counters/scope.h"
#include "core/network/queues.h"
#include "draw/view/view_page.h"

/* Role and attributes of a path kind: four roles, then underlined. */
enum role path_kind_role(size_t kind);
unsigned char path_kind_attr(size_t kind);

/* "snapshot 12", or "in 12": the snapshot of the comparison. */
void timeline_add_compared(const struct state *, bool brief, struct str *out);

/* "core 3", or with several sockets "S1-C3"; "" without a name. `brief`: only the number. */
void timeline_add_owner(const struct state *, enum scope, size_t owner, bool brief, struct str *out);

char *queue_length_text(char out[NUMBER_TEXT], double length); /* "38.5", "0.02", "?" */


/* Does the module's clock count cycles? Else its delays are in ns. All modules of a network have the same unit. */
bool queue_in_cycles(const struct state *, const struct net_queue *);
/* Write arrivals in requests per cycle or per ms, waits in cycles or a suitable unit of time. */
char *number_arrivals(char out[NUMBER_TEXT], const struct state *, const struct net_queue *, double rate, bool unit);
char *number_wait(char out[NUMBER_TEXT], const struct state *, const struct net_queue *, double wait, bool unit);

/* What amounts are divided by: the length of what is shown in seconds while rates are shown, else 1. */
double timeline_per(const struct state *);

#endif
