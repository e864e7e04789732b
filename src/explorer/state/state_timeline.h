/* Views 5 to 7: opening networks and stacks, following snapshots, and their keys. */
#ifndef EXPLORER_STATE_STATE_TIMELINE_H
#define EXPLORER_STATE_STATE_TIMELINE_H

#include "explorer/state/state.h"

struct network;
struct stack;

/* Opens a network, a stack, or both, in the view that fits, in place of what was open. Takes them and their texts over.
 */
void state_open_timeline(struct state *, struct network *, struct text *, struct stack *, struct text *);

/* Adds a stack; takes it and its text over. */
void state_add_stack(struct state *, struct stack *, struct text *);

/* After tables have come or grown: shows the newest snapshot, unless the user froze the view. True if there is
 * something new to draw. */
bool state_timeline_take(struct state *);
/* Makes the analyses that the current view shows, before each drawing. Those of other views wait until needed. */
void state_timeline_show(struct state *);
void state_timeline_show_all(struct state *); /* makes the analyses of all views */
bool state_timeline_follow(struct state *);   /* state_timeline_take(), then state_timeline_show() */

/* A live run begins; one has ended: the whole of it is shown, unless the user froze the view. */
void state_timeline_began(struct state *);
void state_timeline_ended(struct state *);
/* After recorded data have come: shows all of them, unless a command is to run. */
void state_timeline_recorded(struct state *);

void state_timeline_forget(struct state *); /* closes network and stacks; frees what was made of them */

/* Shows a snapshot and the one compared with it. TIMELINE_NONE shows the newest, or compares with none. */
void state_timeline_show_snapshots(struct state *, size_t snapshot, size_t compared);
/* Put the cursor of view 5 or of view 7 on a node or queue. */
void state_timeline_choose_node(struct state *, size_t module, size_t owner, size_t kind);
void state_timeline_choose_queue(struct state *, size_t module, size_t owner, size_t kind);

/* Brings this method of accounting to the foreground. */
void state_timeline_choose_method(struct state *, size_t stack);

/* Carries out an action of views 5 to 7. False: it is not one of theirs. */
bool state_timeline_act(struct state *, enum action);

#endif
