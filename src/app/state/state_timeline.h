/* What views 5 to 7 do with the session. */
#ifndef APP_STATE_STATE_TIMELINE_H
#define APP_STATE_STATE_TIMELINE_H

#include "app/state/state.h"

struct network;
struct stack;

/* Take a network, a stack, or both, and their texts (owned from here). Forgets model, data and answers of the one
 * before; opens on the view that fits. */
void state_set_profile(struct state *, struct network *, struct text *, struct stack *, struct text *);

/* A further stack and its text, likewise. */
void state_add_stack(struct state *, struct stack *, struct text *);

/* Tables have come or grown: the newest moment is to be shown, unless the user froze the view. True when there is
 * something new to draw. */
bool state_timeline_take(struct state *);
/* Make what the view at hand shows of it; before each drawing. What only other views show waits until they are looked
 * at. */
void state_timeline_show(struct state *);
void state_timeline_show_all(struct state *); /* … of all views */
bool state_timeline_follow(struct state *); /* both */

void state_timeline_forget(struct state *); /* frees */

/* Show a snapshot, and compare another one with it; TIMELINE_WHOLE: the newest, and none. */
void state_timeline_look(struct state *, size_t moment, size_t compared);
/* The cursor of view 5, and of view 7. */
void state_timeline_choose_node(struct state *, size_t module, size_t owner, size_t kind);
void state_timeline_choose_queue(struct state *, size_t module, size_t owner, size_t kind);

/* This method in the foreground. */
void state_timeline_choose_method(struct state *, size_t stack);

/* Keys. False: the action is not of these views. */
bool state_timeline_act(struct state *, enum action);


const char *queue_sort_name(enum queue_sort);
const char *bar_sort_name(enum bar_sort);

#endif
