/* A model whose text has changed takes the place of the one that is open. What the user chose and what was recorded
 * stays, by name; answers that belong to the old text go. */
#ifndef EXPLORER_STATE_STATE_RELOAD_H
#define EXPLORER_STATE_STATE_RELOAD_H

#include <stdbool.h>

struct bundle;
struct state;
struct str;
struct udd_model;

/* The observation and the constraint under the cursors, which can be found again in the next result. */
struct reload_cursors {
	bool wait;
	char *observation, *constraint; /* NULL: none */
};

/* Takes over the bundle, and the model unless it means the same as the one that is open: then only its files are new.
 * Adds to `gone` what could not be kept: "feature merging is gone, 2 notes kept". The engine must have been stopped.
 * Undo ends here, unless the model means the same. */
void state_reload_model(
	struct state *, struct bundle *, struct udd_model *, struct reload_cursors *, struct str *gone);
/* Puts the cursors back once there is a result of the new text. True: they were. */
bool state_reload_cursors(struct state *, struct reload_cursors *);
void reload_cursors_free(struct reload_cursors *);

#endif
