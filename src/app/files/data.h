/* Recorded data by path. */
#ifndef APP_FILES_DATA_H
#define APP_FILES_DATA_H

#include <stdbool.h>

#include <stddef.h>
#include <stdint.h>

struct err;
struct feed;
struct obs_table;

/* How far reading is. */
struct data_progress {
	const char *name;     /* "stdin" for standard input */
	uint64_t bytes, size; /* so far, of all; size 0: not known */
	size_t rows;          /* so far; 0: not told */
	double waiting;       /* seconds for which nothing has come */
};
struct data_watch {
	/* asked now and then; false: what came is all there is */
	bool (*go_on)(void *ctx, const struct data_progress *);
	void *ctx;
};

/* Read and parse one file ("-": standard input), told apart by content. `exact`: rows are exact totals. NULL and *e. */
struct obs_table *data_read(const char *path, bool exact, struct err *e);

/* The same, watched; several files may be read at once on threads of their own. Of what somebody ended the table's
 * notes tell. */
struct obs_table *data_read_watched(const char *path, bool exact, const struct data_watch *, struct err *e);

/* The same for who gets at cells by core/obs/rows.h: those of a long session file stay in it, unless it is to be exact.
 */
struct obs_table *data_open(const char *path, bool exact, struct err *e);

/* For who reads by other ways: how far a feed is. */
struct data_progress data_progress(const struct feed *, size_t rows);

/* A copy of the whole table. */
struct obs_table *data_copy(const struct obs_table *);

/* Is an observation of this name asked for by a shell pattern (NULL: all are)? With `phases`, "NAME" asks for "NAME@2"
 * too. */
bool data_wanted(const char *pattern, const char *name, bool phases);

#endif
