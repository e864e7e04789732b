/* The user's editor, which has the terminal while it runs. */
#ifndef UI_EDITOR_H
#define UI_EDITOR_H

#include <stdbool.h>
#include <sys/types.h>

struct err;

struct editor {
	pid_t pid;
	char *command; /* $VISUAL, $EDITOR or the first of sensible-editor, vi, nano that exists; owned */
};

/* Starts the editor on a file, if it is one that takes +LINE at that line; 0: any. A shell splits the command, as git
 * does. The editor gets a process group of its own and the terminal. False and *e: there is none. */
bool editor_start(struct editor *, const char *path, int line, struct err *e);

/* True while it runs. One that has stopped itself goes on, because no shell would wake it. At its end *status is that
 * of waitpid(2), and the terminal belongs to this process again. */
bool editor_runs(const struct editor *, int *status);
void editor_end(const struct editor *); /* hecate ends: so must the editor; returns when it has */

/* What went wrong, as a sentence that the caller frees; NULL: nothing. */
char *editor_trouble(const struct editor *, int status);
void editor_free(struct editor *);

#endif
