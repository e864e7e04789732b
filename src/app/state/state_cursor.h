/* Where the cursor goes: within what has the keys (a popup, the start screen, a pane), and from pane to pane. Used by
 * state_act.c. */
#ifndef APP_STATE_STATE_CURSOR_H
#define APP_STATE_STATE_CURSOR_H

#include "app/state/state.h"

#define CURSOR_ALL (1 << 30) /* more rows than anything has: to the last; negative: to the first */

void state_move(struct state *, int rows);
void state_turn_page(struct state *, int pages);
/* left (-1): fold, to the row or model above, to the columns before; right (1): the other way */
void state_move_aside(struct state *, int to);
void state_next_pane(struct state *, int by);  /* the next pane (1) or the one before (-1) */
void state_unfold_all(struct state *);         /* the list in front: all of it, or fold all again */

/* What a click does. The pane gets the keys; its row, or the row of the start screen or of a popup, gets the cursor. */
void state_focus(struct state *, enum pane_id);
void state_point(struct state *, enum pane_id, int row);
void state_point_start(struct state *, enum start_pane, int row);
void state_point_popup(struct state *, int row);

#endif
