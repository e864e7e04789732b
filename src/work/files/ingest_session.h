/* Imports one session file into another: everything that was recorded or typed, not only the samples. */
#ifndef WORK_FILES_INGEST_SESSION_H
#define WORK_FILES_INGEST_SESSION_H

#include <stdbool.h>

struct err;
struct obs_table;
struct session_file;

/* Adds what the session file `path` holds to another one: `table`, read from it, with the truth about simulated
 * machines; its models, networks and stacks; notes of the user, and curves. Settings and search of the text that it
 * opens with come along. The other file goes on to open with the text that it had; without one, with that of `path`.
 * Call it inside a transaction. On failure returns false and sets *e. */
bool ingest_session(struct session_file *, const char *path, const struct obs_table *table, struct err *e);

#endif
