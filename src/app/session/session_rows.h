/* Rows of the session's lists: which are shown, folded, found. Used by session.c. */
#ifndef APP_SESSION_SESSION_ROWS_H
#define APP_SESSION_SESSION_ROWS_H

#include <stdbool.h>

struct session;

/* Rows of the list that has the keys: of the popup, the start screen or the pane. */
int session_list_length(const struct session *);

/* Fold what lies deepest until few enough rows are open. */
void session_fold_at_first(struct session *);
/* The row under the cursor: fold (-1; a folded one: to the row above), unfold (1), the other way (0). */
void session_fold(struct session *, int how);
void session_fold_all(struct session *);

/* To the next row of the list that holds what was searched last; says so when there is none. */
void session_find_next(struct session *);

#endif
