/* Recorded data into a session file, as they are read, in bounded memory. What was read is in the file from second to
 * second, with where it ended; so whatever ends the import (Ctrl-C, kill -9, a full disk, a pipe that stops), the same
 * command goes on there: the data are read again from their beginning, compared by their checksum, and rows that the
 * file holds are passed over. What takes less than a second is in the file as a whole, or not at all. */
#ifndef APP_FILES_INGEST_H
#define APP_FILES_INGEST_H

#include <stdbool.h>
#include <stddef.h>

struct data_progress;
struct err;
struct session_file;

struct ingest_how {
	const char *const *path; /* "-": standard input */
	size_t n;
	bool exact;
	/* asked now and then; false ends it, and what came is kept. NULL */
	bool (*go_on)(void *ctx, const struct data_progress *);
	void (*say)(void *ctx, const char *sentence);           /* for people. NULL */
	void *ctx;
	/* for tests: bytes that are read at once, and are in the file before the next; 0: as usual */
	size_t window;
};

struct ingest_result {
	size_t observations, rows; /* that were added */
	bool stopped;              /* by go_on */
	bool cut;                  /* some ended in the middle of a row */
	const char *path;          /* … while this was read */
};

/* False and *e: what was in the file before the last second is there all the same. */
bool ingest_all(struct session_file *, const struct ingest_how *, struct ingest_result *, struct err *e);

#endif
