/* What views 5 to 7 do with the session. */
#ifndef APP_SESSION_PROFILE_H
#define APP_SESSION_PROFILE_H

#include "app/session.h"

struct net_queue;
struct network;
struct stack;

/* Take a network, a stack, or both (owned from here). Forgets model, data and answers of the one before; opens on the view that fits. */
void session_set_profile(struct session *, struct network *, struct stack *);

/* Tables have come or grown: the newest moment is shown, unless the user froze the view. True when there is something new to draw. */
bool session_profile_follow(struct session *);

void session_profile_forget(struct session *); /* frees */

/* Keys. False: the action is not of these views. */
bool session_profile_act(struct session *, enum action);

/* Rows of a list of these views, for the cursor; 0 for other panes. */
int session_profile_rows(const struct session *);
void session_profile_choose(struct session *, enum pane_id, int row);

/* Queues as view 7 lists them: numbers of look->queues->queue, sorted and filtered. The caller frees. */
size_t *session_queues(const struct session *, size_t *n);
const struct net_queue *session_queue(const struct session *); /* under the cursor; NULL */
/* How many times as long it is in the last third of the moments that are looked back at as in the first; NAN: not known. */
double session_queue_trend(const struct session *, const struct net_queue *);
/* Bars as view 6 lists them: numbers of run.bars->bar, sorted and filtered. The caller frees. */
size_t *session_bars(const struct session *, size_t *n);
const char *queue_sort_name(enum queue_sort);
const char *bar_sort_name(enum bar_sort);

#endif
