/* What ends: a computation, a run, a popup, the program. Used by session_act.c. */
#ifndef APP_SESSION_SESSION_LEAVE_H
#define APP_SESSION_SESSION_LEAVE_H

struct session;

void session_stop(struct session *);         /* what goes on; when nothing does, back to the view that jumped here */
void session_close_popup(struct session *);
void session_go_to_start(struct session *);  /* the start screen; what is open stays so */
void session_quit(struct session *);         /* the popup, else the program */

#endif
