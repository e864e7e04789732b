/* Flows in view 5: which there are in the snapshot, and the network with what one of them alone sends. */
#ifndef APP_SESSION_SESSION_FLOWS_H
#define APP_SESSION_SESSION_FLOWS_H

#include <stdbool.h>
#include <stddef.h>

#include "app/session/session.h"

#define FLOWS_ALL ((size_t)-1)

/* The list of the snapshot at hand, and looks of the chosen flow; whenever looks have changed. */
void session_flows_make(struct session *);
void session_flows_forget(struct profile_screen *); /* frees; all are shown then */

/* Rows of PANE_FLOWS: all together, then a line each. 0: the run has no flows. */
int session_flows_rows(const struct session *);
/* Which line of the list is shown alone; FLOWS_ALL: none of these. */
size_t session_flows_line(const struct session *);

void session_flows_choose(struct session *, size_t line); /* FLOWS_ALL: all */
/* as flow_name.h has it, also of one that did nothing in the snapshot; false: it is no flow's, or the run has none */
bool session_flows_choose_name(struct session *, const char *);
/* the row under the cursor; what is shown already: all again */
void session_flows_take_row(struct session *);
void session_flows_next(struct session *);                /* behind the last one all */
void session_flows_to_list(struct session *);             /* or back from there */
bool session_flows_leave(struct session *);               /* to all; false: all are shown */

/* The session as view 5 draws it: its looks are of the flow that is shown alone. Owns nothing, and is valid as long as
 * the session is not changed. */
struct session session_flows_shown(const struct session *);

/* "gcc-4711 CPU 3 → disks"; NULL: all. The caller frees. */
char *session_flows_name(const struct session *);

#endif
