/* An open session file, and helpers that all source files of this folder share. Private to them. */
#ifndef COLLECT_STORE_SESSION_STORE_H
#define COLLECT_STORE_SESSION_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct err;
struct sqlite3;
struct sqlite3_stmt;

struct session_file {
	char *path;
	struct sqlite3 *db;
	int lock;      /* descriptor with the writer's lock; -1: none */
	bool holds;    /* dev and ino are held (base/held_file.h) */
	dev_t dev;
	ino_t ino;
	bool made;     /* session_file_open() made the file */
	uint64_t steps; /* steps of SQLite's virtual machine since the current statement began */
	int patience_ms; /* how long a lock of another process is waited for; 0: as long as is usual */
	int version;   /* version of its tables; files of older versions are read as they are */
};

/* Turns SQLite's last error into a message about the file. Always returns false. */
bool session_store_fail(const struct session_file *, struct err *e);

/* Sets the error for contents that hecate never writes. Always returns false. */
bool session_store_damaged(const struct session_file *, struct err *e, const char *what);

bool session_store_run(struct session_file *, const char *sql, struct err *e);

/* On failure returns NULL and sets *e; free with sqlite3_finalize(). */
struct sqlite3_stmt *session_store_prepare(struct session_file *, const char *sql, struct err *e);

/* Runs a statement that returns no rows, and resets it for the next time. */
bool session_store_step(struct session_file *, struct sqlite3_stmt *, struct err *e);

/* Returns a copy of a text in the current row; "" for NULL. */
char *session_store_text(struct sqlite3_stmt *, int column);

/* Writes the current time in UTC: "2026-01-31T12:00:00Z". */
#define SESSION_TIME_TEXT 32
void session_store_now(char out[SESSION_TIME_TEXT]);

#endif
