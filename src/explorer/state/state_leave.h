/* Ending things: a computation, a run, a popup, the program. */
#ifndef EXPLORER_STATE_STATE_LEAVE_H
#define EXPLORER_STATE_STATE_LEAVE_H

#include <stdbool.h>

struct state;

void state_stop(struct state *);         /* ends what goes on, else goes back to the view that jumped here */
void state_go_to_start(struct state *);  /* shows the start screen; what is open stays open */
/* May `name` be opened in place of what is open? If this would discard what is in no file, the first call warns in the
 * status line and returns false; the same call again returns true. */
bool state_may_leave(struct state *, const char *name);
void state_quit(struct state *);         /* closes the popup, or, if there is none, ends the program */

#endif
