/* The session file: recorded samples, and the model that they were recorded for, in one SQLite database
 * (docs/session-file.md).
 *
 * One process writes at a time; others may read meanwhile. After a call returned true, its data is in the file, even if
 * the process is killed. Every function that can fail fills in *e: which file, what is wrong with it, what to do. */
#ifndef COLLECT_STORE_SESSION_FILE_H
#define COLLECT_STORE_SESSION_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/counters/text_kind.h"

struct err;
struct obs_table;
struct session_file;
struct udd_file;

/* Get and set a text with a key, separate from all other data, such as what an interrupted import needs to continue.
 * *text is NULL if there is none; setting NULL removes it. The caller frees *text. */
#define SESSION_IMPORT "import" /* key of an interrupted import */
#define SESSION_END "end" /* how the run that was recorded last ended */
bool session_file_value(struct session_file *, const char *key, char **text, struct err *e);
bool session_file_set_value(struct session_file *, const char *key, const char *text, struct err *e);

/* Returns true for a session file of any version. Reads the first bytes of regular files only; false for anything else,
 * and for files that cannot be read. */
bool session_file_is(const char *path);

/* Opens a file for writing. An existing session file is appended to, a missing one is made, anything else is refused
 * and left alone. On failure returns NULL and sets *e. */
struct session_file *session_file_open(const char *path, struct err *e);
/* The same; gives up on a file that another program keeps locked for so long, also in later writes. */
struct session_file *session_file_open_to_keep(const char *path, int patience_ms, struct err *e);

/* Is the file that is open for writing still where its name says? Else what is written would be found nowhere, or
 * elsewhere. */
bool session_file_is_in_place(const struct session_file *, struct err *e);

/* Opens a file only for reading; a missing file is an error. */
struct session_file *session_file_open_to_read(const char *path, struct err *e);
/* The same; gives up on a file that a writer keeps locked for so long. */
struct session_file *session_file_open_to_look(const char *path, int patience_ms, struct err *e);

/* Closes the file. If session_file_open() made it and it is still empty, it is removed. */
void session_file_close(struct session_file *);

/* Writes between begin and commit take effect together or not at all; close without commit discards them. */
bool session_file_begin(struct session_file *, struct err *e);
bool session_file_commit(struct session_file *, struct err *e);
void session_file_rollback(struct session_file *); /* does nothing outside of a transaction */

/* Prepares for a large import: turns off SQLite's check of references (only hecate writes them), and moves pages from
 * the journal to the file less often. Must not be called inside a transaction. */
bool session_file_bulk(struct session_file *, bool begins, struct err *e);

/* For tests: makes the file behave as if the disk had room for only `pages` more pages. */
void session_file_limit(struct session_file *, size_t pages);

/* A writer of a table that grows. Each call of session_writer_write() writes what is new since the last one, in one
 * transaction. Since then
 *
 *   - every observation may have grown, or its rows may have been replaced by exact totals;
 *   - the last observations may have been removed;
 *   - rows that were written may have been folded (obs_fold()): the file keeps them one by one.
 *
 * Rows that were written must not have changed otherwise. A name that the file has already gets "#2", "#3" and so on.
 */
struct session_writer;
/* Makes a writer. `command`: a JSON array of texts, or NULL: of observations whose origin names none. */
struct session_writer *session_writer_new(struct session_file *, const char *command);
bool session_writer_write(struct session_writer *, const struct obs_table *, struct err *e);
/* Sets the command of observations that begin from now on. */
void session_writer_set_command(struct session_writer *, const char *command);
/* Continues observations of an earlier writer, by their numbers in the file. They must be the first ones of the table.
 */
bool session_writer_go_on(struct session_writer *, const int64_t *number, size_t n, struct err *e);
/* Corrects rows in the file: drops an observation's times, or sorts its rows by time. */
enum session_order { SESSION_UNTIMED, SESSION_BY_TIME };
bool session_writer_order(struct session_writer *, size_t i, enum session_order, struct err *e);
size_t session_writer_rows(const struct session_writer *); /* number of rows written so far */
/* Writes the ids of the first and last note that the writer wrote; 0: none. */
void session_writer_notes(const struct session_writer *, int64_t *first, int64_t *last);
/* Removes the notes that an earlier writer wrote about the same observations. */
bool session_writer_forget_notes(struct session_writer *, int64_t first, int64_t last, struct err *e);
/* Returns the number in the file of the table's i-th observation, which must have been written. */
int64_t session_writer_number(const struct session_writer *, size_t i);
/* Returns how many rows of that observation are in the file; the table's last row is the last of them. */
size_t session_writer_observation_rows(const struct session_writer *, size_t i);
void session_writer_free(struct session_writer *);

/* Reads all observations into one table whose columns are all counters of the file, and the notes. The result is the
 * state at one moment, even if another process writes. On failure returns NULL and sets *e. */
struct obs_table *session_file_read(struct session_file *, struct err *e);

/* The same, and takes over the file in any case. When a file has more than SESSION_NEAR_CELLS cells, these stay in it
 * and are read as needed (core/obs/rows.h). All that is read before obs_table_rest() is of the moment of this call.
 * Later blocks are read from the file as it is then; in between it is closed. A row that is no longer what it was at
 * this call is reported as a failure. */
#define SESSION_NEAR_CELLS ((size_t)1 << 19) /* as many as a live run keeps in memory */
struct obs_table *session_file_read_far(struct session_file *, size_t near_cells, struct err *e);

/* A model as text: all its files, the folders that includes were searched in, and the definitions for m4. Or a network
 * or a stack, which is one file. */
struct session_model {
	enum text_kind kind;
	const char *name;      /* the model's own name */
	char *own_name;        /* the same, of a model that was read; NULL */
	char *path;            /* path of its first file */
	struct udd_file *file; /* files; dev and ino serve only to recognise equal ones */
	size_t n;
	char **include_dir;
	size_t n_include_dirs;
	char **define;         /* NAME or NAME=VALUE */
	size_t n_defines;
};

/* Stores a model, unless it equals the one stored last. */
bool session_file_add_model(struct session_file *, const struct session_model *, struct err *e);

/* Reads the model that the file opens with, by default the one stored last (session_file_turn() in session_table.h);
 * m->path is NULL when the file has none. Free it with session_model_free(). On failure
 * returns false and sets *e. */
bool session_file_model(struct session_file *, struct session_model *, struct err *e);
/* The same for the one with this number; m->path is NULL if the file does not have it. */
bool session_file_model_at(struct session_file *, int64_t number, struct session_model *, struct err *e);
/* The same for the last one of a kind. */
bool session_file_text(struct session_file *, enum text_kind, struct session_model *, struct err *e);

/* Reads all of a kind: of each name the one stored last, the newest first. *m is NULL when there is none. Free them
 * with session_models_free(). On failure returns false and sets *e; then nothing is to be freed. */
bool session_file_texts(struct session_file *, enum text_kind, struct session_model **m, size_t *n, struct err *e);
void session_models_free(struct session_model *, size_t n);

/* Compares a model with the one that the file opens with, by name, texts and definitions; paths may differ. *number is
 * its row if they are equal, else 0. */
bool session_file_same_model(struct session_file *, const struct session_model *, int64_t *number, struct err *e);
/* The same comparison with every model of the file. */
bool session_file_find_model(struct session_file *, const struct session_model *, int64_t *number, struct err *e);
void session_model_free(struct session_model *);

#endif
