/* Flows in view 5: the list of the snapshot's flows, and the network with the requests of one flow alone. */
#ifndef EXPLORER_STATE_STATE_FLOWS_H
#define EXPLORER_STATE_STATE_FLOWS_H

#include <stdbool.h>
#include <stddef.h>

#include "explorer/state/state.h"

#define FLOWS_ALL ((size_t)-1)

/* Makes the list of flows and the analyses of the chosen flow, after the snapshot's analyses have changed. */
void state_flows_make(struct state *);
void state_flows_forget(struct state *); /* frees list and analyses, and shows all flows */

/* Rows of PANE_FLOWS: one for all flows together, then one per flow. 0: the run has no flows. */
int state_flows_rows(const struct state *);
uint64_t state_flow_thing(const struct state *, enum pane_id, size_t row); /* see struct pane_ops */
/* The line of the only flow shown; FLOWS_ALL: all are shown, or the flow is not in the list. */
size_t state_flows_line(const struct state *);

/* Chooses a flow by a name as in flow_name.h, even if it sent nothing in this snapshot. False: this is not the name of
 * a flow, or the run has none. */
bool state_flows_choose_name(struct state *, const char *);
/* Chooses the row under the cursor, or all flows if that row is already chosen. */
void state_flows_take_row(struct state *);
void state_flows_next(struct state *);                /* goes to the next flow; after the last: all */
void state_flows_to_list(struct state *);             /* goes to the list of flows, or back */
bool state_flows_leave(struct state *);               /* shows all again; false: all were shown */

/* The analyses that the view shows: in view 5 those of the only flow shown, without a history. It owns nothing. */
struct timeline_shown {
	const struct timeline_analysis *analysis, *before, *other; /* as in struct timeline_answers */
	const struct timeline_history *history;
};
struct timeline_shown state_timeline_shown(const struct state *);

/* The chosen flow's name, "gcc-4711 CPU 3 → disks"; NULL: all. The caller frees. */
char *state_flows_name(const struct state *);

#endif
