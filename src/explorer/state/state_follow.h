/* The cursor follows the thing that it is on (a task, a bar, a queue, an event), not the row, while rows come, go and
 * are sorted again. A thing is a number made of its names; state_thing() gives that of a row.
 *
 * A pane's cursor is on what the user put it on (struct things, wanted). While the list is without that thing the
 * cursor stays at its place, and returns to the thing when that is back. Until the user moves the cursor it stays at
 * the top. A key or a click acts on what was under the cursor, or the pointer, when the screen was drawn (seen). */
#ifndef EXPLORER_STATE_STATE_FOLLOW_H
#define EXPLORER_STATE_STATE_FOLLOW_H

#include "explorer/state/state.h"

/* The thing of a row of a pane; 0: no such row, or the pane's rows never change places. */
uint64_t state_thing(const struct state *, enum pane_id, int row);
/* The row of a thing, the nearest to `near` if several are alike; -1: the pane has none. */
int state_row_of(const struct state *, enum pane_id, uint64_t thing, int near);

/* Puts the cursors of the view on what the user put them on; to be called before drawing. */
void state_follow(struct state *);
/* Puts the cursor of the pane that has the keys on what was drawn there. False: that is gone. */
bool state_follow_seen(struct state *);

/* The screen was drawn, or an action is over: this is what the user sees under the cursors. */
void state_seen(struct state *);
/* The user put a pane's cursor where it is now. */
void state_want(struct state *, enum pane_id);

/* The pane whose rows the open prompt of / or \ searches. */
enum pane_id state_searched_pane(const struct state *);

/* Remembers cursors before an action; afterwards, what has moved was put there by the user. */
struct cursors {
	enum view view;
	enum popup popup;
	int at[PANE_COUNT];
};
struct cursors state_cursors(const struct state *);
void state_want_moved(struct state *, const struct cursors *before);

#endif
