/* Imports recorded data into a session file while they are read, in bounded memory.
 *
 * Every second, the rows read so far are committed together with the position in the data. So an import can be
 * interrupted in any way: Ctrl-C, kill -9, a full disk, a pipe that stops. The same command then continues it:
 *
 *     data          |── committed ──|── lost ──|── not read ──
 *     first import   read, committed   read      ✗ killed
 *     second         compared by checksum, skipped │ read, committed …
 *
 * Data that take less than a second are in the file as a whole or not at all. */
#ifndef WORK_FILES_INGEST_H
#define WORK_FILES_INGEST_H

#include <stdbool.h>
#include <stddef.h>

struct data_progress;
struct err;
struct names;
struct session_file;

struct ingest_how {
	const char *const *path; /* "-": standard input */
	size_t n;
	bool exact;
	bool totals; /* rows are running totals: their differences are stored */
	const struct names *counts; /* columns that hold counts although they look like derived metrics; NULL: none */
	/* called regularly; false ends the import and keeps what has arrived. May be NULL */
	bool (*go_on)(void *ctx, const struct data_progress *);
	void (*say)(void *ctx, const char *sentence);           /* messages for the user. May be NULL */
	/* what was left out or put right in the data, with its code (notes.def). May be NULL */
	void (*note)(void *ctx, const char *code, const char *sentence);
	void *ctx;
	/* for tests: bytes that are read and committed together; 0: the default */
	size_t window;
};

struct ingest_result {
	size_t observations, rows; /* added by this import */
	bool stopped;              /* go_on() ended the import */
	bool cut;                  /* some file ended in the middle of a row */
	const char *path;          /* file that was being read then */
};

/* Imports all files. False and *e on failure; everything up to the last second is in the file all the same. */
bool ingest_all(struct session_file *, const struct ingest_how *, struct ingest_result *, struct err *e);

#endif
