/* What goes into session files, be it by the explorer (keep.h) or by a subcommand (recording.h): texts, tables that are
 * there, tables that grow. */
#ifndef APP_FILES_STORED_H
#define APP_FILES_STORED_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/store/session_file.h"

struct bundle;
struct err;
struct obs_table;
struct text;
struct udd_file;
struct udd_model;

/* As the file takes them: views, nothing is owned. *file is the one of the text, and must live as long. */
struct session_model stored_model(const struct udd_model *, const struct bundle *);
struct session_model stored_text(enum session_text kind, const char *name, const struct text *, struct udd_file *file);

/* Tables that are complete; those of another file may have their cells there. Transactions are the caller's. */
bool stored_add(struct session_file *, struct obs_table *const *, size_t n, struct err *e);

/* Tables that grow, beside each other, and what has been written of each. */
struct stored_table {
	const struct obs_table *table;
	struct session_writer *writer;
};
struct stored_tables {
	struct stored_table *table;
	size_t n, cap;
	size_t left_rows, left_observations; /* of tables that have gone */
};
/* What is new in one of them: it is in the file when this returns true. `command`: of observations that begin from now
 * on, JSON array of texts; NULL: as before. */
bool stored_follow(
	struct stored_tables *, struct session_file *, const struct obs_table *, const char *command, struct err *e);
void stored_leave(struct stored_tables *, const struct obs_table *); /* it grows no more, and goes */
size_t stored_rows(const struct stored_tables *); /* so far */
size_t stored_observations(const struct stored_tables *);
void stored_free(struct stored_tables *);

#endif
