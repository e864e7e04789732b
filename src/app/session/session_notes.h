/* The user's notes, and the popup of what can be written. Used by session_act.c and session_prompt.c. */
#ifndef APP_SESSION_SESSION_NOTES_H
#define APP_SESSION_SESSION_NOTES_H

#include "app/session/session.h"

void session_note(struct session *);         /* the prompt for a note on what the cursor is on */
void session_note_on_all(struct session *);  /* … on the session as a whole */
void session_note_finish(struct session *);  /* … whose text stands in s->input */
void session_list_notes(struct session *);   /* the popup of all notes */
void session_edit_note(struct session *);    /* the one under the popup's cursor */
void session_delete_note(struct session *);

void session_write_item(struct session *, enum write_item); /* a line of the popup of `w` */

/* A name for a file of the session: MODEL-DATE.hct, or of the network or stack, with -2, -3 … where it is taken. The
 * caller frees. */
char *session_file_name(const struct session *);

#endif
