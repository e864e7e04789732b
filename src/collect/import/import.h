/* Recorded data, told apart by content, never by name. */
#ifndef COLLECT_IMPORT_IMPORT_H
#define COLLECT_IMPORT_IMPORT_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct feed;
struct obs_table;

#define IMPORT_FILE_MAX ((size_t)1 << 40) /* bytes of data that are taken into memory */
#define IMPORT_CELLS_MAX ((size_t)1 << 27)  /* rows × columns of one file's table */

/* Rows that do not stay in the table: where they are put as they come. */
enum import_order { IMPORT_UNTIMED, IMPORT_BY_TIME };
struct import_drain {
	/* Takes what is in the table: afterwards its observations have no rows (obs_drop_rows()). All of the text
	 * before feed->p has been read. False and *e end it. Called by one thread at a time, not always the same. */
	bool (*take)(void *ctx, struct obs_table *, const struct feed *, struct err *e);
	/* Of rows that were taken: the times of an observation do not count; its rows go in the order of their times.
	 */
	bool (*order)(void *ctx, const struct obs_table *, size_t observation, enum import_order, struct err *e);
	bool begun; /* some of their rows were taken before, by an import that was interrupted */
	void *ctx;
};

struct import_how {
	bool exact;   /* rows are exact totals */
	size_t near;  /* cells that are kept as rows of their own (struct obs_room) */
	const struct import_drain *drain; /* NULL: rows stay */
	bool careful; /* for tests: rows are read one by one, by the reader that knows everything */
	size_t slice; /* for tests: bytes that are worth a thread; 0: as usual */
};

enum import_format {
	IMPORT_WIDE_CSV,  /* also whatever is none of the others: its errors say best what is wrong */
	IMPORT_PERF_STAT, /* text, -x or -j */
	IMPORT_GEM5_STATS, /* gem5's stats.txt */
	IMPORT_PERF_DATA, /* perf record's, perf stat record's */
	IMPORT_SQLITE,    /* a session file, or any other database */
	IMPORT_LIKWID,    /* likwid-perfctr -O, or its timeline */
	IMPORT_TOPLEV,    /* pmu-tools' toplev -x, */
	IMPORT_PCM,       /* pcm -csv, pcm-raw */
	IMPORT_UTF16,     /* text in another encoding */
	IMPORT_MODEL,     /* a .udd where data belongs */
};

enum import_format import_format_of(const char *text, size_t n);

/* Arguments as csv_read(). A format that this build does not read is refused in a sentence that names it. */
struct obs_table *import_read(const char *name, const char *text, size_t n, bool exact, struct err *e);

/* What an observation is called that the data do not name: its file, without folders and ending. "runs/a.b.csv" gives
 * "a.b", standard input gives "stdin". The caller frees the name. */
char *import_name_of_file(const char *file);

/* For readers: feed_more(), and the rows so far go where they are to go. */
bool import_more(struct feed *, const struct import_how *, struct obs_table *, struct err *e);

/* The same from a text that comes in pieces, which is read to its end. Where somebody stopped it (feed->stopped) the
 * table, or what was taken, has the rows that were whole by then; with a drain nothing is said of them yet. */
struct obs_table *import_read_feed(struct feed *, const struct import_how *, struct err *e);

#endif
