/* The user's notes, and the popup of what can be written. Used by state_act.c and session_prompt.c. */
#ifndef APP_STATE_STATE_NOTES_H
#define APP_STATE_STATE_NOTES_H

#include "app/state/state.h"

void state_note(struct state *);         /* the prompt for a note on what the cursor is on */
void state_note_on_all(struct state *);  /* … on the session as a whole */
void state_note_finish(struct state *);  /* … whose text stands in s->input */
void state_list_notes(struct state *);   /* the popup of all notes */
void state_edit_note(struct state *);    /* the one under the popup's cursor */
void state_delete_note(struct state *);

void state_write_item(struct state *, enum write_item); /* a line of the popup of `w` */

/* A name for a file of the session: MODEL-DATE.hct, or of the network or stack, with -2, -3 … where it is taken. The
 * caller frees. */
char *state_file_name(const struct state *);

#endif
