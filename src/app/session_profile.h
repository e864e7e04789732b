/* What views 5 to 7 do with the session. */
#ifndef APP_SESSION_PROFILE_H
#define APP_SESSION_PROFILE_H

#include "app/session.h"

struct network;
struct stack;

/* Take a network, a stack, or both, and their texts (owned from here). Forgets model, data and answers of the one before; opens on the view that fits. */
void session_set_profile(struct session *, struct network *, struct text *, struct stack *, struct text *);

/* A further stack and its text, likewise. */
void session_add_stack(struct session *, struct stack *, struct text *);

/* Tables have come or grown: the newest moment is shown, unless the user froze the view. True when there is something new to draw. */
bool session_profile_follow(struct session *);

void session_profile_forget(struct session *); /* frees */

/* Keys. False: the action is not of these views. */
bool session_profile_act(struct session *, enum action);

/* Rows of a list of these views, for the cursor; 0 for other panes. */
int session_profile_rows(const struct session *);
void session_profile_choose(struct session *, enum pane_id, int row);

const char *queue_sort_name(enum queue_sort);
const char *bar_sort_name(enum bar_sort);

#endif
