/* Protection against session files from strangers: mailed, downloaded, made to do harm.
 *
 *   - Before anything else is read, the tables are compared with those that hecate makes. A file with another table, a
 *     view, a trigger, an index or a virtual table is refused.
 *   - SQLite is configured to run no code that a file brings.
 *   - Texts and blobs have a maximum size.
 *   - A statement that takes longer than the file's size explains is stopped.
 *
 * Private to this folder. */
#ifndef COLLECT_STORE_SESSION_GUARD_H
#define COLLECT_STORE_SESSION_GUARD_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct session_file;

/* Limits of a file. hecate neither reads nor writes more. */
#define SESSION_COUNTERS_MAX ((size_t)1 << 16)
#define SESSION_OBSERVATIONS_MAX ((size_t)1 << 20)
#define SESSION_PLACES_MAX ((size_t)1 << 26) /* observations times counters */
#define SESSION_NOTES_MAX ((size_t)10000) /* most notes that are read */
#define SESSION_TEXTS_MAX ((size_t)1000) /* models, networks and stacks with different names */
#define SESSION_TABLE_ROWS_MAX ((size_t)1 << 22)
#define SESSION_TABLE_BYTES_MAX ((size_t)1 << 30)
#define SESSION_LENGTH_MAX ((size_t)4 << 20) /* bytes of a name, a note, the cells of a row */

/* Configures a new connection, before anything of the file has been read. */
void session_guard_connection(struct session_file *);

/* Checks that the tables are those of this version. Otherwise returns false and sets *e. */
bool session_guard_schema(struct session_file *, int version, struct err *e);

/* Resets the time limit, at the beginning of a statement or after a step of it. */
void session_guard_begin(struct session_file *);

/* Allows longer texts, for the files of a model, until it is turned off again. */
void session_guard_long_texts(struct session_file *, bool on);

/* Checks the numbers of observations and counters. Returns false and sets *e if a file may not have so many. */
bool session_guard_size(const struct session_file *, size_t observations, size_t counters, struct err *e);

/* Sets "FILE has more WHAT than one session file may hold: N". Always returns false. */
bool session_guard_too_many(const struct session_file *, const char *what, size_t most, struct err *e);

#endif
