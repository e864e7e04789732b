/* Recorded data by path. */
#ifndef WORK_FILES_DATA_H
#define WORK_FILES_DATA_H

#include <stdbool.h>

#include <stddef.h>
#include <stdint.h>

struct err;
struct feed;
struct obs_table;

/* How far the reading of a file is. */
struct data_progress {
	const char *name;     /* "stdin" for standard input */
	uint64_t bytes, size; /* bytes read so far; size of the whole file, or 0 if unknown */
	size_t rows;          /* rows read so far; 0: unknown */
	double waiting;       /* seconds since anything arrived */
};
struct data_watch {
	/* called regularly, may be NULL; false: reading stops, and what has arrived is used */
	bool (*go_on)(void *ctx, const struct data_progress *);
	void *ctx;
	bool totals; /* rows are running totals: take their differences */
};

#define DATA_OBSERVATIONS_MAX ((size_t)1 << 16) /* each that is judged takes about 3 KB */

/* Reads one file ("-": standard input), whose format is recognised by content. `exact`: rows are exact totals. Returns
 * NULL and sets *e on failure, or beyond DATA_OBSERVATIONS_MAX. */
struct obs_table *data_read(const char *path, bool exact, struct err *e);

/* The same with progress reports. Several files may be read at once, on threads of their own. If reading was stopped,
 * the table has a note about it. */
struct obs_table *data_read_watched(const char *path, bool exact, const struct data_watch *, struct err *e);

/* The same for callers that access cells through core/obs/rows.h: the cells of a long session file stay in it, unless
 * `exact`. */
struct obs_table *data_open(const char *path, bool exact, struct err *e);

/* Returns the regular files in a folder and the folders in it, sorted, ended by NULL; links and hidden files are left
 * out. A path that is no folder is the only one. Free with str_split_free(). Returns NULL and sets *e on failure or
 * beyond DATA_FILES_MAX. */
#define DATA_FILES_MAX 100000
char **data_files(const char *path, struct err *e);

/* Returns the progress of a feed, for callers that read in other ways. */
struct data_progress data_progress(const struct feed *, size_t rows);

/* Returns a copy of the whole table. */
struct obs_table *data_copy(const struct obs_table *);

/* True when a shell pattern matches the observation's name (NULL matches all). With `phases`, "NAME" also matches
 * "NAME@2". */
bool data_wanted(const char *pattern, const char *name, bool phases);

#endif
