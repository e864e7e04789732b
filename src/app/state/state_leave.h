/* Ending things: a computation, a run, a popup, the program. */
#ifndef APP_STATE_STATE_LEAVE_H
#define APP_STATE_STATE_LEAVE_H

#include <stdbool.h>

struct state;

void state_stop(struct state *);         /* what goes on; when nothing does, back to the view that jumped here */
void state_go_to_start(struct state *);  /* the start screen; what is open stays so */
/* May `name` be opened in the place of what is? Not at first where that would throw away what no file holds: the status
 * line then says so, and the same wish once more is granted. */
bool state_may_leave(struct state *, const char *name);
void state_quit(struct state *);         /* the popup, else the program */

#endif
