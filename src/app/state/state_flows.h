/* Flows in view 5: which there are in the snapshot, and the network with what one of them alone sends. */
#ifndef APP_STATE_STATE_FLOWS_H
#define APP_STATE_STATE_FLOWS_H

#include <stdbool.h>
#include <stddef.h>

#include "app/state/state.h"

#define FLOWS_ALL ((size_t)-1)

/* The list of the snapshot at hand, and looks of the chosen flow; whenever looks have changed. */
void state_flows_make(struct state *);
void state_flows_forget(struct state *); /* frees; all are shown then */

/* Rows of PANE_FLOWS: all together, then a line each. 0: the run has no flows. */
int state_flows_rows(const struct state *);
/* Which line of the list is shown alone; FLOWS_ALL: none of these. */
size_t state_flows_line(const struct state *);

void state_flows_choose(struct state *, size_t line); /* FLOWS_ALL: all */
/* as flow_name.h has it, also of one that did nothing in the snapshot; false: it is no flow's, or the run has none */
bool state_flows_choose_name(struct state *, const char *);
/* the row under the cursor; what is shown already: all again */
void state_flows_take_row(struct state *);
void state_flows_next(struct state *);                /* behind the last one all */
void state_flows_to_list(struct state *);             /* or back from there */
bool state_flows_leave(struct state *);               /* to all; false: all are shown */

/* The session as view 5 draws it: its looks are of the flow that is shown alone. Owns nothing, and is valid as long as
 * the session is not changed. */
struct state state_flows_shown(const struct state *);

/* "gcc-4711 CPU 3 → disks"; NULL: all. The caller frees. */
char *state_flows_name(const struct state *);

#endif
