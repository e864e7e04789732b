/* Rows of the list that has the keys: their number, and find. */
#ifndef EXPLORER_STATE_STATE_ROWS_H
#define EXPLORER_STATE_STATE_ROWS_H

#include <stdbool.h>

#include "explorer/state/pane.h"

struct state;

/* The number of rows of the list that has the keys: popup, start screen or pane. */
int state_list_length(const struct state *);
int state_pane_length(const struct state *, enum pane_id); /* of the current view */

/* Moves the cursor to the next row that contains the text searched last, or says that there is none. */
void state_find_next(struct state *);
/* Moves the cursor to the first row that contains the words, beginning with its own; it stays if there is none. */
void state_find_first(struct state *, const char *words);
/* Rows of the pane that has the keys which contain the words, and which of them the cursor is on. */
struct rows_found state_rows_found(const struct state *, const char *words);

#endif
