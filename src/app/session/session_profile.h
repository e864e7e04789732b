/* What views 5 to 7 do with the session. */
#ifndef APP_SESSION_SESSION_PROFILE_H
#define APP_SESSION_SESSION_PROFILE_H

#include "app/session/session.h"

struct network;
struct stack;

/* Take a network, a stack, or both, and their texts (owned from here). Forgets model, data and answers of the one
 * before; opens on the view that fits. */
void session_set_profile(struct session *, struct network *, struct text *, struct stack *, struct text *);

/* A further stack and its text, likewise. */
void session_add_stack(struct session *, struct stack *, struct text *);

/* Tables have come or grown: the newest moment is to be shown, unless the user froze the view. True when there is
 * something new to draw. */
bool session_profile_take(struct session *);
/* Make what the view at hand shows of it; before each drawing. What only other views show waits until they are looked
 * at. */
void session_profile_show(struct session *);
void session_profile_show_all(struct session *); /* … of all views */
bool session_profile_follow(struct session *); /* both */

void session_profile_forget(struct session *); /* frees */

/* Show a snapshot, and compare another one with it; PROFILE_WHOLE: the newest, and none. */
void session_profile_look(struct session *, size_t moment, size_t compared);
/* The cursor of view 5, and of view 7. */
void session_profile_choose_node(struct session *, size_t module, size_t owner, size_t kind);
void session_profile_choose_queue(struct session *, size_t module, size_t owner, size_t kind);

/* This method in the foreground. */
void session_profile_choose_method(struct session *, size_t stack);

/* Keys. False: the action is not of these views. */
bool session_profile_act(struct session *, enum action);

/* Rows of a list of these views, for the cursor; 0 for other panes. */
int session_profile_rows(const struct session *);
void session_profile_choose(struct session *, enum pane_id, int row);

const char *queue_sort_name(enum queue_sort);
const char *bar_sort_name(enum bar_sort);

#endif
