/* Rows of the session's lists: which are shown, folded, found. Used by session.c. */
#ifndef APP_STATE_STATE_ROWS_H
#define APP_STATE_STATE_ROWS_H

#include <stdbool.h>

struct state;

/* Rows of the list that has the keys: of the popup, the start screen or the pane. */
int state_list_length(const struct state *);

/* To the next row of the list that holds what was searched last; says so when there is none. */
void state_find_next(struct state *);

#endif
