/* Writes what the explorer (autosave.h) and the subcommands (recording.h) both put into session files: texts, complete
 * tables, growing tables. */
#ifndef WORK_FILES_STORED_H
#define WORK_FILES_STORED_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/store/session_file.h"

struct bundle;
struct err;
struct obs_table;
struct text;
struct udd_file;
struct udd_model;

/* Returns a model or text in the form of session_file.h. It is a view and owns nothing; *file is the text's only file
 * and must live as long. */
struct session_model stored_model(const struct udd_model *, const struct bundle *);
struct session_model stored_text(enum text_kind kind, const char *name, const struct text *, struct udd_file *file);

/* Adds complete tables. The cells of a table that comes from another session file may still be in that file. The caller
 * begins and ends the transaction. */
bool stored_add(struct session_file *, struct obs_table *const *, size_t n, struct err *e);

/* Tables that grow at the same time, and what has been written of each. */
struct stored_table {
	const struct obs_table *table;
	struct session_writer *writer;
};
struct stored_tables {
	struct stored_table *table;
	size_t n, cap;
	size_t left_rows, left_observations; /* rows and observations of tables that are no longer followed */
};
/* Writes what is new in a table. True means that it is in the file. `command`: the command of observations that begin
 * from now on, a JSON array of texts; NULL: as before. */
bool stored_follow(
	struct stored_tables *, struct session_file *, const struct obs_table *, const char *command, struct err *e);
/* Returns the writer of a table; NULL if it was not written yet. */
const struct session_writer *stored_writer(const struct stored_tables *, const struct obs_table *);
/* forgets a table, which may then be freed */
void stored_leave(struct stored_tables *, const struct obs_table *);
size_t stored_rows(const struct stored_tables *); /* rows written so far */
size_t stored_observations(const struct stored_tables *);
void stored_free(struct stored_tables *);

#endif
