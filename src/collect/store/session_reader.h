/* Reads the observations of a session file into a table. Private to this folder. */
#ifndef COLLECT_STORE_SESSION_READER_H
#define COLLECT_STORE_SESSION_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/obs/gather.h"
#include "core/obs/obs.h"

struct err;
struct session_file;
struct sqlite3_stmt;

/* The columns of one observation: the place of each in the table, and its health. */
struct session_columns {
	size_t *at;
	enum obs_health *health;
	size_t n, cap, health_cap;
	bool in_place; /* equal to the table's columns, in the same order */
};
void session_columns_free(struct session_columns *);

/* Copies rows of fewer or differently ordered columns into the columns of the table. */
void session_columns_spread(struct obs *, const struct obs *own, const struct session_columns *);

struct session_reader {
	struct session_file *file;
	bool far;                       /* cells stay in the file */
	struct obs_table *table;
	int64_t *counter;               /* id of each column, ascending */
	int64_t *id;                    /* id of each observation */
	size_t id_cap;
	struct session_columns *own;    /* columns of each observation; NULL unless `far` */
	size_t n_own;
	struct obs_room room;
	struct sqlite3_stmt *columns, *samples;
	struct err *e;
};

/* Reads everything into `table`, which the caller continues to own in any case. The caller also begins and ends the
 * transaction. */
bool session_reader_read(struct session_reader *);
void session_reader_free(struct session_reader *); /* frees everything except the table */

#endif
