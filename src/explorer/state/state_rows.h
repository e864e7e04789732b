/* Rows of the list that has the keys: their number, and find. */
#ifndef EXPLORER_STATE_STATE_ROWS_H
#define EXPLORER_STATE_STATE_ROWS_H

#include <stdbool.h>

struct state;

/* The number of rows of the list that has the keys: popup, start screen or pane. */
int state_list_length(const struct state *);

/* Moves the cursor to the next row that contains the text searched last, or says that there is none. */
void state_find_next(struct state *);

#endif
