/* Where the cursor goes: within what has the keys (a popup, the start screen, a pane), and from pane to pane. Used by
 * session_act.c. */
#ifndef APP_SESSION_SESSION_CURSOR_H
#define APP_SESSION_SESSION_CURSOR_H

#include "app/session/session.h"

#define CURSOR_ALL (1 << 30) /* more rows than anything has: to the last; negative: to the first */

void session_move(struct session *, int rows);
void session_turn_page(struct session *, int pages);
/* left (-1): fold, to the row or model above, to the columns before; right (1): the other way */
void session_move_aside(struct session *, int to);
void session_next_pane(struct session *, int by);  /* the next pane (1) or the one before (-1) */
void session_unfold_all(struct session *);         /* the list in front: all of it, or fold all again */

#endif
