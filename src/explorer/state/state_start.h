/* Keys of the start screen. */
#ifndef EXPLORER_STATE_STATE_START_H
#define EXPLORER_STATE_STATE_START_H

#include "explorer/state/state.h"

/* Home lists recordings, models, networks, stacks, machines, probes. Listing reads folders; then state_read_home()
 * reads some lines at a time, and returns true if there was one. */
void state_list_home(struct state *);
bool state_read_home(struct state *);
bool state_home_is_read(const struct state *);
size_t state_home_rows(const struct state *);
void state_open_listed(struct state *, const struct openable *);
void state_start_open(struct state *);                  /* carry out the line under the cursor */
void state_start_item(struct state *, enum start_item); /* carry out a line of the menu */

/* Open the prompt for a command, filled with the last one; run the last command again, or ask for one. */
void state_ask_for_command(struct state *);
void state_run_command(struct state *);

#endif
