/* Changing views, and what all views have: a sort order and a filter. */
#ifndef EXPLORER_STATE_STATE_VIEWS_H
#define EXPLORER_STATE_STATE_VIEWS_H

#include "explorer/state/pane.h"
#include "explorer/state/state.h"

void state_show_view(struct state *, enum view);
/* Does the view say anything about what is open? If not, its tab is left out; its key opens it, and it says why. */
bool state_view_applies(const struct state *, enum view);
/* The tab's text for what is open: view 6 has CPI, time, or the stalls of a network. `brief`: on a narrow screen. */
const char *state_view_tab(const struct state *, enum view, bool brief);
bool state_go_back(struct state *); /* go back to the view that jumped here; false: none did */
/* Goes to the next observation (1) or the one before (-1). */
void state_step_observation(struct state *, int by);
/* Jumps to the observation under the cursor in the list of those that break the constraint. */
void state_jump_from_constraint(struct state *);
void state_sort(struct state *); /* sorts the current view's list by its next order */
/* Sorts that list by this order, a value of its enum. If the list has this order already, reverses it. */
void state_sort_by(struct state *, unsigned);
unsigned state_sort_now(const struct state *);
bool state_is_reversed(const struct state *);
const char *state_reversed_words(const struct state *); /* ", reversed", or nothing */
void state_set_filter(struct state *, const char *words);
/* The pane whose rows the view's filter narrows; how many rows there are (n), and how many the filter leaves (at). */
enum pane_id state_filtered_pane(const struct state *);
struct rows_found state_rows_left(const struct state *);

#endif
