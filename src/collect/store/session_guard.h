/* Session files come from anywhere: mailed, downloaded, made to do harm. Before anything is asked of one, its tables
 * are compared with those that hecate makes; a file with another table, a view, a trigger, an index or a virtual table
 * is refused. Beside that SQLite is told to run nothing that a file brings, texts and blobs have a largest size, and a
 * statement that takes longer than the file's size explains is ended. Private to this folder. */
#ifndef COLLECT_STORE_SESSION_GUARD_H
#define COLLECT_STORE_SESSION_GUARD_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct session_file;

/* What a file may hold: what is beyond is neither read nor written. */
#define SESSION_COUNTERS_MAX ((size_t)1 << 16)
#define SESSION_OBSERVATIONS_MAX ((size_t)1 << 20)
#define SESSION_PLACES_MAX ((size_t)1 << 26) /* observations times counters */
#define SESSION_NOTES_MAX ((size_t)10000) /* that are read */
#define SESSION_TEXTS_MAX ((size_t)1000) /* models, networks and stacks of different names */
#define SESSION_SHEET_ROWS_MAX ((size_t)1 << 22)
#define SESSION_SHEET_BYTES_MAX ((size_t)1 << 30)
#define SESSION_LENGTH_MAX ((size_t)4 << 20) /* bytes of a name, a note, the cells of a row */

/* Right after a connection is made: nothing of the file has been looked at yet. */
void session_guard_connection(struct session_file *);

/* Are the tables those of this version? False and *e. */
bool session_guard_schema(struct session_file *, int version, struct err *e);

/* A statement begins, or has done a step: what it may take is counted anew. */
void session_guard_begin(struct session_file *);

/* The file of a model may be longer than other texts: from now on, or no longer. */
void session_guard_long_texts(struct session_file *, bool on);

/* May a file have so many observations and counters? False and *e. */
bool session_guard_size(const struct session_file *, size_t observations, size_t counters, struct err *e);

/* "FILE has more WHAT than one session file may hold: N". Returns false. */
bool session_guard_too_many(const struct session_file *, const char *what, size_t most, struct err *e);

#endif
