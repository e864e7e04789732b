/* The view of A and B: their comparison, its quantities, and requests to measure. */
#ifndef EXPLORER_STATE_STATE_DIFF_H
#define EXPLORER_STATE_STATE_DIFF_H

#include <stdbool.h>
#include <stddef.h>

struct contest;
struct state;

void state_set_contest(struct state *, struct contest *); /* takes it over, frees the one before; NULL: none */
void state_contest_came(struct state *);                  /* there is news of it */
bool state_measures(const struct state *);                /* are A and B measured, and not paused? */
bool state_reports_contest(const struct state *);         /* is it in the view, and judged? */
size_t state_unsaved_runs(const struct state *);          /* its runs that are in no file */

/* The quantity under the cursor; SIZE_MAX: none is listed. */
size_t state_quantity(const struct state *);
/* The quantities as shown; those that never differ from 0 are left out. A list as shown (shown.h). */
const size_t *state_quantities(const struct state *, size_t *n);
size_t state_count_quantities(const struct state *); /* without a filter */

void state_show_diff(struct state *);     /* shows the view; in view 3 compares the marked observations */
void state_show_pair(struct state *, struct contest *); /* takes over what compares them; Esc goes back to view 3 */
void state_contest_turn(struct state *);  /* asks to measure, to pause, or to go on */
void state_diff_outliers(struct state *); /* shows them on the axes, or not */
void state_ask_to_keep_contest(struct state *);

#endif
