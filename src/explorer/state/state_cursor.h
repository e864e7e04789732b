/* Moving the cursor: within the popup, start screen or pane that has the keys, and from pane to pane. */
#ifndef EXPLORER_STATE_STATE_CURSOR_H
#define EXPLORER_STATE_STATE_CURSOR_H

#include "explorer/state/state.h"

#define CURSOR_ALL (1 << 30) /* more rows than any list has: moves to the last row; negated, to the first */

void state_move(struct state *, int rows);
void state_scroll(struct state *, enum pane_id, int rows); /* the wheel: moves the cursor of any pane of the view */
void state_turn_page(struct state *, int pages);
/* left (-1): fold, or move to the parent, or scroll columns; right (1): the opposite */
void state_move_aside(struct state *, int to);
void state_next_pane(struct state *, int by);  /* the next pane (1) or the one before (-1) */
void state_unfold_all(struct state *);         /* unfold the whole list, or fold it again */

/* The user drags a separator, or no longer; the sizes that this gives panes; all panes of the view as at first. */
void state_drag(struct state *, struct drag);
void state_set_shares(struct state *, const struct pane_share *); /* one per pane */
void state_forget_shares(struct state *);

/* Carry out a click: the pane gets the focus; the row (of a pane, the start screen or a popup) gets the cursor. */
void state_focus(struct state *, enum pane_id);
void state_point(struct state *, enum pane_id, int row);
void state_point_start(struct state *, enum start_pane, int row);
void state_point_popup(struct state *, int row);

#endif
