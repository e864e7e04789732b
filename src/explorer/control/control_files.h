/* Opens a file while the explorer runs, as `hecate FILE` does. */
#ifndef EXPLORER_CONTROL_CONTROL_FILES_H
#define EXPLORER_CONTROL_CONTROL_FILES_H

#include <stdbool.h>

#include "explorer/state/requests.h"

struct control;

/* Opens a session file, a network, a stack or a model, by file or by name, instead of what is open. A table of runs is
 * opened in view 0, next to what is open; a table of expected counts completes the one that is there. Data
 * without a model ask for one. If it cannot be read, what was open stays, and the status line or a popup says why. */
void control_open_file(struct control *, const char *name, enum open_then);
/* Is it opened next to what is open, which stays? */
bool control_opens_beside(const char *name, enum open_then);

/* Opens a model, network or stack of the session file that is open, by its row there (session_texts_read()). */
void control_open_text(struct control *, size_t number);
/* Lists what the session file holds. */
void control_list_texts(struct control *);
/* Opens a model, network or stack by file or name, with the data that wait. */
void control_judge(struct control *, const char *model);

#endif
