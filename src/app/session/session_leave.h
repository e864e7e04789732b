/* What ends: a computation, a run, a popup, the program. Used by session_act.c. */
#ifndef APP_SESSION_SESSION_LEAVE_H
#define APP_SESSION_SESSION_LEAVE_H

#include <stdbool.h>

struct session;

void session_stop(struct session *);         /* what goes on; when nothing does, back to the view that jumped here */
void session_close_popup(struct session *);
void session_go_to_start(struct session *);  /* the start screen; what is open stays so */
/* May `name` be opened in the place of what is? Not at first where that would throw away what no file holds: the status
 * line then says so, and the same wish once more is granted. */
bool session_may_leave(struct session *, const char *name);
/* The command, what is watched, what it printed and what was said of it: with another model, network or stack they mean
 * nothing. */
void session_forget_subject(struct session *);
void session_quit(struct session *);         /* the popup, else the program */

#endif
