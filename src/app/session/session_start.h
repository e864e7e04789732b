/* The start screen's part of the session. */
#ifndef APP_SESSION_SESSION_START_H
#define APP_SESSION_SESSION_START_H

#include "app/session/session.h"

void session_list_models(struct session *); /* what is installed, and what each says of itself */
void session_start_open(struct session *);  /* do what the line under the cursor says */
void session_start_item(struct session *, enum start_item); /* a line of the menu by its letter */

/* The prompt for a command, with the last one in it; run it again, or ask for one. */
void session_ask_for_command(struct session *);
void session_run_command(struct session *);

#endif
