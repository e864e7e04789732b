/* The explorer's state in a session file: tables whose cells are texts (docs/session-file.md, "What the explorer
 * keeps"). explorer/autosave/autosave.h knows their meaning; this room stores rows and returns them unchanged. */
#ifndef COLLECT_STORE_SESSION_TABLE_H
#define COLLECT_STORE_SESSION_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct session_file;
struct session_writer;

enum session_table_kind {
	SESSION_TABLE_SETTING,      /* key, value */
	/* model, features, observation, confidence, region, verdict, family_wise, distance2, threshold2, p, worst,
	   reason */
	SESSION_TABLE_VERDICT,
	SESSION_TABLE_GRAPH,        /* key, value */
	/* id, features, step, usable, survives, infeasible, refuted_by, cone, minimal, worst, worst_by */
	SESSION_TABLE_GRAPH_MODEL,
	SESSION_TABLE_GRAPH_EDGE,   /* from_model, to_model, changed, step */
	SESSION_TABLE_GRAPH_ALIKE,  /* id, one, other, why */
	SESSION_TABLE_GRAPH_REPAIR, /* id, feature, frees */
	SESSION_TABLE_REMARK,       /* id, subject, what, text, written */
	/* observation (its number in the file), key, value: the truth about a simulated machine (work/files/reveal.h).
	 * No analysis may read it */
	SESSION_TABLE_TRUTH,
	SESSION_TABLE_CURVE,        /* name, machine, probe, whole, x_name, y_name, notes */
	SESSION_TABLE_CURVE_POINT,  /* curve (its name), x, min, mean, max */
	SESSION_TABLES
};

/* Rows of cells; a cell may be NULL. */
struct session_table {
	size_t n_columns, n_rows, cap;
	char **cell; /* n_rows × n_columns, owned */
};

size_t session_table_columns(enum session_table_kind);

/* Appends a row of n_columns texts, which are copied. Set n_columns before. */
void session_table_add(struct session_table *, const char *const *cell);
const char *session_table_cell(const struct session_table *, size_t row, size_t column); /* "" if the cell is NULL */
void session_table_clear(struct session_table *);

/* Reads all rows, sorted by key. A file of an older version without this table has no rows. On failure returns false
 * and sets *e; then *out is empty. */
bool session_table_read(struct session_file *, enum session_table_kind, struct session_table *out, struct err *e);

/* Writes rows; each replaces the row with the same key. If `replace` is true, they replace the whole table. Call this
 * between session_file_begin() and session_file_commit(). */
bool session_table_write(
	struct session_file *, enum session_table_kind, const struct session_table *, bool replace, struct err *e);
/* Removes the row with this first column. */
bool session_table_drop(struct session_file *, enum session_table_kind, const char *key, struct err *e);

/* Copies the truth about the first n observations of `from`, which the writer wrote into `to` in their order. */
bool session_file_copy_truth(struct session_file *to, struct session_file *from, const struct session_writer *,
	size_t n, struct err *e);

/* Reads the number of the text that the file opens with; 0 if the file has none. */
bool session_file_model_number(struct session_file *, int64_t *number, struct err *e);

/* Settings and graph belong to the text that the file opens with. Those of its other texts are kept apart. */

/* Reads a table as it is kept for a text. Without kept rows *out is empty. */
bool session_table_read_kept(
	struct session_file *, int64_t model, enum session_table_kind, struct session_table *out, struct err *e);
/* Makes the file open with the text `to`. Settings and graph are kept for the text `from` (0: for none), and what is
 * kept for the text `own` takes their place. In one transaction; begins one if there is none. */
bool session_file_turn(struct session_file *, int64_t from, int64_t own, int64_t to, struct err *e);

#endif
