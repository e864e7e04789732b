/* What the files of this folder share. Private to them. */
#ifndef COLLECT_STORE_SESSION_STORE_H
#define COLLECT_STORE_SESSION_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct sqlite3;
struct sqlite3_stmt;

struct session_file {
	char *path;
	struct sqlite3 *db;
	/* descriptor that holds the writer's lock; -1: none. Closing it drops SQLite's locks too, so it goes last */
	int lock;
	bool made;     /* by session_file_open() */
	uint64_t steps; /* of SQLite's machine since the statement at hand began */
	int version;   /* of its tables: an older one is read as it is */
};

/* What SQLite said last, as a sentence about the file. Returns false. */
bool session_store_fail(const struct session_file *, struct err *e);

/* Contents that no hecate wrote. Returns false. */
bool session_store_damaged(const struct session_file *, struct err *e, const char *what);

bool session_store_run(struct session_file *, const char *sql, struct err *e);

/* NULL and *e on failure; free with sqlite3_finalize(). */
struct sqlite3_stmt *session_store_prepare(struct session_file *, const char *sql, struct err *e);

/* Runs a statement that gives no rows, and makes it ready for the next time. */
bool session_store_step(struct session_file *, struct sqlite3_stmt *, struct err *e);

/* A text of the row at hand, copied; "" where there is none. */
char *session_store_text(struct sqlite3_stmt *, int column);

/* Now, UTC: "2026-01-31T12:00:00Z". */
#define SESSION_TIME_TEXT 32
void session_store_now(char out[SESSION_TIME_TEXT]);

#endif
