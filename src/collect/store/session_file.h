/* The session file: what was recorded, and the model that it was recorded for, in one SQLite database
 * (docs/session-file.md).
 *
 * One process writes at a time, others may read meanwhile. What a call has written is there after it returned true,
 * whatever becomes of the process. Every function that can fail fills *e: which file, what is wrong with it, what to
 * do. */
#ifndef COLLECT_STORE_SESSION_FILE_H
#define COLLECT_STORE_SESSION_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct obs_table;
struct session_file;
struct udd_file;

/* A text by its key, beside everything else: what an interrupted import must know. NULL: there is none, or it is taken
 * away. The text is the caller's. */
#define SESSION_IMPORT "import" /* the key */
bool session_file_value(struct session_file *, const char *key, char **text, struct err *e);
bool session_file_set_value(struct session_file *, const char *key, const char *text, struct err *e);

/* Does a session file of any version lie there? Looks at the first bytes of a regular file; anything else, and what
 * cannot be read, is none. */
bool session_file_is(const char *path);

/* To write: a session file that lies there is appended to; where there is nothing one is made; anything else is refused
 * and left alone. */
struct session_file *session_file_open(const char *path, struct err *e);

/* To read only. */
struct session_file *session_file_open_to_read(const char *path, struct err *e);

/* A file that session_file_open() made, and that holds nothing, is taken away again. */
void session_file_close(struct session_file *);

/* Writes between begin and commit are there together or not at all; close without commit forgets them. */
bool session_file_begin(struct session_file *, struct err *e);
bool session_file_commit(struct session_file *, struct err *e);
void session_file_rollback(struct session_file *); /* nothing, where nothing was begun */

/* Much comes at once: SQLite checks no references, which are ours, and moves pages from its journal into the file less
 * often. Not within a transaction. */
bool session_file_bulk(struct session_file *, bool begins, struct err *e);

/* As if the disk had room for so many more pages of the database and no more: for tests. */
void session_file_limit(struct session_file *, size_t pages);

/* Writes a table that grows: each call writes what is new since the last one, in one transaction. Every observation
 * that an earlier call saw may have grown, all of them side by side, or have become exact totals in the place of its
 * rows; the last ones may have gone. Rows that were written may have been taken together since (obs_fold()): the file
 * keeps them one by one. Rows that were seen may not have changed otherwise. Names that are taken get "#2", "#3". */
struct session_writer;
/* command: JSON array of texts, or NULL */
struct session_writer *session_writer_new(struct session_file *, const char *command);
bool session_writer_write(struct session_writer *, const struct obs_table *, struct err *e);
/* of observations that begin from now on */
void session_writer_set_command(struct session_writer *, const char *command);
/* Goes on with observations that an earlier writer began, by their numbers: they are the table's first ones, with all
 * that the file holds of them. */
bool session_writer_go_on(struct session_writer *, const int64_t *number, size_t n, struct err *e);
/* What is found out when rows are written already: their times do not count, or they go in the order of their times. */
enum session_order { SESSION_UNTIMED, SESSION_BY_TIME };
bool session_writer_order(struct session_writer *, size_t i, enum session_order, struct err *e);
size_t session_writer_rows(const struct session_writer *); /* so far */
/* numbers of the notes that it wrote; 0: none */
void session_writer_notes(const struct session_writer *, int64_t *first, int64_t *last);
/* Notes are forgotten that an earlier writer wrote of the same observations. */
bool session_writer_forget_notes(struct session_writer *, int64_t first, int64_t last, struct err *e);
/* in the file, of the table's i-th observation, which was written */
int64_t session_writer_number(const struct session_writer *, size_t i);
void session_writer_free(struct session_writer *);

/* What stands beside an observation of the table that session_file_read() gives. */
struct session_origin {
	char *command; /* JSON array of texts: what was run; NULL: nothing was */
	char *started; /* UTC, "2026-01-31T12:00:00Z"; NULL: not known */
};

/* All observations as one table, whose columns are all counters of the file, and the notes. *origin, on request, has
 * one entry for each observation; free it with session_origin_free(). The state of one moment, though another process
 * may write. NULL and *e. */
struct obs_table *session_file_read(struct session_file *, struct session_origin **origin, struct err *e);
void session_origin_free(struct session_origin *, size_t n);

/* The same, and takes the file over in any case. Of a file with more than SESSION_NEAR_CELLS cells these are left where
 * they are, and brought by need (core/obs/rows.h), as the file has them then; until obs_table_rest() all that is
 * brought is of the moment of this call. Between a rest and the next need the file is closed. Rows that are not what
 * they were when this was called are told as a failure. */
#define SESSION_NEAR_CELLS ((size_t)1 << 19) /* as many as live counting keeps in memory */
struct obs_table *session_file_read_far(
	struct session_file *, size_t near_cells, struct session_origin **origin, struct err *e);

/* A model as text: all its files, the folders that includes were looked for in, and what m4 was told. Or a network or
 * a stack, which are one file. */
enum session_text { SESSION_MODEL, SESSION_NETWORK, SESSION_STACK };
struct session_model {
	enum session_text kind;
	char *name;            /* as the model calls itself */
	char *path;            /* of its first file */
	struct udd_file *file; /* dev and ino tell only which are the same */
	size_t n;
	char **include_dir;
	size_t n_include_dirs;
	char **define;         /* NAME or NAME=VALUE */
	size_t n_defines;
};

/* Store a model, unless the last one stored is the same. */
bool session_file_add_model(struct session_file *, const struct session_model *, struct err *e);

/* The model stored last: true, and m->path NULL when there is none. The texts are the caller's: session_model_free().
 */
bool session_file_model(struct session_file *, struct session_model *, struct err *e);
/* the last one of this kind, likewise */
bool session_file_text(struct session_file *, enum session_text, struct session_model *, struct err *e);

/* All of this kind: of each name the one stored last, and of these the last one first; *m is NULL when there is none.
 * Free with session_models_free(). False and *e, and nothing to free. */
bool session_file_texts(struct session_file *, enum session_text, struct session_model **m, size_t *n, struct err *e);
void session_models_free(struct session_model *, size_t n);

/* Is the model stored last this one? By name, texts and definitions: the paths may have changed. *number: its row; 0:
 * it is another one, or there is none. */
bool session_file_same_model(struct session_file *, const struct session_model *, int64_t *number, struct err *e);
void session_model_free(struct session_model *);

#endif
