/* Rows of the session's lists: which are shown, folded, found. Used by session.c. */
#ifndef APP_STATE_STATE_ROWS_H
#define APP_STATE_STATE_ROWS_H

#include <stdbool.h>

struct state;

/* Rows of the list that has the keys: of the popup, the start screen or the pane. */
int state_list_length(const struct state *);

/* Fold what lies deepest until few enough rows are open. */
void state_fold_at_first(struct state *);
/* The row under the cursor: fold (-1; a folded one: to the row above), unfold (1), the other way (0). */
void state_fold(struct state *, int how);
void state_fold_all(struct state *);

/* To the next row of the list that holds what was searched last; says so when there is none. */
void state_find_next(struct state *);

#endif
