/* The start screen's part of the session. */
#ifndef APP_STATE_STATE_START_H
#define APP_STATE_STATE_START_H

#include "app/state/state.h"

void state_list_models(struct state *); /* what is installed, and what each says of itself */
void state_start_open(struct state *);  /* do what the line under the cursor says */
void state_start_item(struct state *, enum start_item); /* a line of the menu by its letter */

/* The prompt for a command, with the last one in it; run it again, or ask for one. */
void state_ask_for_command(struct state *);
void state_run_command(struct state *);

#endif
