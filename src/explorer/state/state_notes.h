/* The user's notes, and the popup that offers files to write. */
#ifndef EXPLORER_STATE_STATE_NOTES_H
#define EXPLORER_STATE_STATE_NOTES_H

#include "explorer/state/state.h"

void state_note(struct state *);         /* open the prompt for a note on the object under the cursor */
void state_note_on_all(struct state *);  /* open the prompt for a note on the whole session */
void state_note_finish(struct state *);  /* take the note from the prompt */
void state_list_notes(struct state *);   /* open the popup of all notes */
void state_edit_note(struct state *);    /* edit the note under the popup's cursor */
void state_delete_note(struct state *);

void state_write_item(struct state *, enum write_item); /* a line of the popup of `w` */

/* A name for a file of the session: MODEL-DATE.hct (or the network's or stack's name), with -2, -3 … if it is taken.
 * The caller frees it. */
char *state_file_name(const struct state *);

#endif
