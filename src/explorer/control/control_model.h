/* The files of the open model on disk: whoever changes them, the explorer or another program, the model follows.
 *
 * A change is read once its files have been the same for SETTLE_SECONDS. A text with errors may be half written, so its
 * errors are shown after PATIENCE_SECONDS only; until it is right, the model stays as it was. inotify(7) reports
 * changes, so that an idle explorer sleeps; without it the files are looked at once a second. */
#ifndef EXPLORER_CONTROL_CONTROL_MODEL_H
#define EXPLORER_CONTROL_CONTROL_MODEL_H

#include <stdbool.h>

struct control;
struct model_watch;

struct model_watch *model_watch_new(void);
void model_watch_free(struct model_watch *);
void control_forget_model(struct control *); /* another model, or none, will be open */

/* Looks at the files, and reads them again if they have changed. True when there is something to show. */
bool control_follow_model(struct control *);
double control_model_patience(const struct control *); /* seconds until that has something to do; INFINITY: never */
int control_model_fd(const struct control *);          /* readable when files have changed; -1: none */

/* Notes the model whose counters the run that begins now counts, and whether the open one still has these. */
void control_note_counted(struct control *);
bool control_counts_model(const struct control *);

/* The file to edit and its line, from 1; 0: any. */
struct edit_place {
	char *path; /* owned by the caller; NULL: nothing can be edited, and the screen says why */
	int line;
};
/* Finds it: that of the first error, if there is one. A model that is installed, or comes from a session file whose
 * text is no longer on disk, is copied into the present folder first. */
struct edit_place control_edit_place(struct control *);
/* An editor has ended. Reads the files at once; `trouble` says what went wrong with the editor, NULL: nothing. */
void control_edited(struct control *, const char *trouble);

#endif
