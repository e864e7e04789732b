/* Opens a file while the explorer runs, as `hecate FILE` does. */
#ifndef EXPLORER_CONTROL_CONTROL_FILES_H
#define EXPLORER_CONTROL_CONTROL_FILES_H

#include <stdbool.h>

#include "explorer/state/requests.h"

struct control;

/* Opens a session file, a network, a stack or a model, by file or by name, instead of what is open. A table of runs is
 * opened in view 0, next to what is open; a table of expected counts completes the one that is there. If it cannot be
 * read, what was open stays, and the status line or a popup says why. */
void control_open_file(struct control *, const char *name, enum open_then);
/* Is it opened next to what is open, which stays? */
bool control_opens_beside(const char *name, enum open_then);

#endif
