/* The folder in which hecate keeps what outlives a session: $XDG_STATE_HOME/hecate, or else $HOME/.local/state/hecate.
 */
#ifndef WORK_FILES_KEEP_H
#define WORK_FILES_KEEP_H

#include <stdbool.h>

struct err;
struct str;

/* Returns the folder, or the one named `below` in it, and makes it if `make`. NULL: there is no place for it. The
 * caller frees it. */
char *keep_folder(const char *below, bool make);
/* Writes a file whole or not at all. Returns false and sets *e (or NULL) on failure. */
bool keep_write(const char *path, const struct str *, struct err *e);
bool keep_copy(const char *from, const char *to, struct err *e); /* a small file, in the same way */

#endif
