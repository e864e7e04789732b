/* The lists of views 2 and 3: constraints, observations and samples. */
#ifndef EXPLORER_STATE_STATE_LISTS_H
#define EXPLORER_STATE_STATE_LISTS_H

#include <stdbool.h>

#include "explorer/state/pane_ids.h"
#include "work/remarks.h"

struct state;

void state_sync_cursors(struct state *); /* cursors of lists follow what is selected */
void state_mark(struct state *);
void state_unmark(struct state *);
void state_compare(struct state *);
void state_unfold_phases(struct state *); /* makes each phase an observation of its own, or no longer */
bool state_shows_samples(const struct state *);
void state_next_column(struct state *);
/* The note of panes that show the selected observation; see struct pane_ops. */
bool state_note_on_observation(const struct state *, enum pane_id, enum remark_on *, char **what);

#endif
