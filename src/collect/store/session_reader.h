/* What stands in a session file of observations, on its way into a table. Private to this folder. */
#ifndef COLLECT_STORE_SESSION_READER_H
#define COLLECT_STORE_SESSION_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/obs/gather.h"
#include "core/obs/obs.h"

struct err;
struct session_file;
struct session_origin;
struct sqlite3_stmt;

/* An observation's own columns: where each stands in the table, and its health. */
struct session_columns {
	size_t *at;
	enum obs_health *health;
	size_t n, cap, health_cap;
	bool in_place; /* they are the table's, in its order */
};
void session_columns_free(struct session_columns *);

/* Rows of fewer or other columns than the table has, into their places. */
void session_columns_spread(struct obs *, const struct obs *own, const struct session_columns *);

struct session_reader {
	struct session_file *file;
	bool far;                       /* cells are left where they are */
	struct obs_table *table;
	int64_t *counter;               /* id of each column, ascending */
	struct session_origin *origin;
	size_t origin_cap, n_origins;
	int64_t *id;                    /* of each observation */
	size_t id_cap;
	struct session_columns *own;    /* … its columns; NULL where cells are not far */
	size_t n_own;
	struct obs_room room;
	struct sqlite3_stmt *columns, *samples;
	struct err *e;
};

/* Into `table`, which stays the caller's in any case. Transactions are the caller's too. */
bool session_reader_read(struct session_reader *);
/* they are the caller's; NULL: he does not want them */
void session_reader_give_origin(struct session_reader *, struct session_origin **);
void session_reader_free(struct session_reader *); /* what it holds, but for the table */

#endif
