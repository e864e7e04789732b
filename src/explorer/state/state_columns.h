/* The columns of lists: the user hides, shows and moves them, and sorts by one. The columns themselves are rows of a
 * table in the folder of each view (draw/view/view_list.h), which the state reads by a function that it is given. */
#ifndef EXPLORER_STATE_STATE_COLUMNS_H
#define EXPLORER_STATE_STATE_COLUMNS_H

#include "explorer/state/state.h"

struct column_facts {
	const char *name; /* name in session files; NULL: the user cannot change this column */
	const char *head; /* NULL: none */
	bool stays;       /* the user cannot hide it */
	unsigned order;   /* sort order of the list that belongs to it: a value of its enum, plus 1; 0: none */
};

/* Opens the popup that lists the columns of the focused pane, or of the view's first pane that has any. */
void state_open_columns(struct state *);
/* Numbers of the columns that the popup lists, in the user's order. Returns how many. */
size_t state_listed_columns(const struct state *, unsigned char out[COLUMNS_MOST]);
bool state_column_is_hidden(const struct state *, enum pane_id, size_t number);

/* Act on the column under the popup's cursor. */
void state_hide_column(struct state *);          /* hides it, or shows it again */
void state_move_column(struct state *, int by);  /* -1: to the left */
void state_sort_by_column(struct state *);
void state_reset_columns(struct state *);        /* all columns of the list */

/* A click on the title of a column: focuses the list, and sorts it if it has an order for the column. */
void state_click_title(struct state *, enum pane_id, size_t number);

/* Returns "PANE name -name": the list and its columns from left to right, with "-" before a hidden one. NULL: nothing
 * was changed. The caller frees the text. */
char *state_columns_text(const struct state *, enum pane_id);
/* Arranges the columns of a list as such a text says. Columns that it does not name keep their place after their
 * neighbour. Calls `lost` for each column or list that no longer exists. */
void state_columns_read(struct state *, const char *text, void (*lost)(void *, const char *name), void *);
void state_forget_columns(struct state *); /* undoes all changes to columns */

bool state_columns_hold(const struct state *); /* for state_check() */

#endif
