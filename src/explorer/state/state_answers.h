/* Taking a new result: what stays of the previous one, and what views 2 and 3 need of the new one. */
#ifndef EXPLORER_STATE_STATE_ANSWERS_H
#define EXPLORER_STATE_STATE_ANSWERS_H

#include <stdbool.h>

#include "explorer/state/pane_ids.h"

struct state;

void state_forget_answers(struct state *);     /* frees the result and everything about it */
void state_remake_constraints(struct state *); /* makes view 2's table again after marks have changed */

/* Is what the pane answers old: of other features, or of data that have changed? Then all of it is drawn dim. */
bool state_pane_is_old(const struct state *, enum pane_id);

#endif
