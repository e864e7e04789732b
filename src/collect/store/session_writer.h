/* A writer of a session file: what it knows about the file, and what it has written there. Private to this folder. */
#ifndef COLLECT_STORE_SESSION_WRITER_H
#define COLLECT_STORE_SESSION_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/names.h"
#include "core/obs/obs.h"

struct err;
struct session_file;
struct sqlite3_stmt;

#define SESSION_UNWRITTEN ((enum obs_health)-1) /* a value that no health has */

/* What the file contains of one observation of the table. */
struct session_written {
	int64_t id;
	size_t renamed;        /* how often the observation had been renamed (struct obs) */
	size_t rows;
	size_t added;          /* rows that the observation had so far when it was last written (n_rows + folded) */
	bool exact;            /* rows are exact totals */
	int decimals;
	double tasks, runs;
	struct obs_rotation rotation;
	size_t columns;        /* number of columns of its rows */
	enum obs_health *health; /* per column, as written; NULL: not written yet */
};

struct session_writer {
	struct session_file *file;
	char *command;
	/* prepared by session_writer_begin_table() */
	struct sqlite3_stmt *sample, *observation, *update, *health, *machine;
	size_t observations;   /* in the file */
	struct names repeated; /* names that were wanted and taken; for each the last number that was appended */
	unsigned *last;
	size_t last_cap;
	char *name;                /* of session_writer_free_name() */
	int64_t *counter;          /* ids of the table's columns; NULL before the first write */
	size_t file_counters;      /* number of counters in the file */
	struct session_written *written; /* per observation of the table that was written */
	size_t n_counters;
	int64_t first_note, last_note;
	size_t n, cap, all_rows, notes;
};

bool session_bind_text(struct sqlite3_stmt *, int at, const char *text);

/* Prepares the statements and gives each column the id of its counter in the file. Call it
 * before the first observation of a table, and whenever the table's columns have changed. On failure returns false and
 * sets *e. */
bool session_writer_begin_table(struct session_writer *, const struct obs_table *, struct err *e);

/* Returns a name for a new observation, `wanted` or a similar one, that neither this writer nor another one of the same
 * file has used. It is valid until the next call. On failure returns NULL and sets *e. */
const char *session_writer_free_name(struct session_writer *, const char *wanted, struct err *e);

#endif
