/* Recorded data of other tools. The format is recognised by content, never by the file's name. */
#ifndef COLLECT_IMPORT_IMPORT_H
#define COLLECT_IMPORT_IMPORT_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct feed;
struct names;
struct obs_table;

#define IMPORT_FILE_MAX ((size_t)1 << 40) /* most bytes of data that are read */
#define IMPORT_COLUMNS_MAX 65536        /* columns of a CSV */
#define IMPORT_CELLS_MAX ((size_t)1 << 27)  /* rows × columns of one file's table */

/* Takes rows that should not stay in memory: the import hands them over as they arrive. */
enum import_order { IMPORT_UNTIMED, IMPORT_BY_TIME };
struct import_drain {
	/* Stores the rows of the table, and removes them from it (obs_drop_rows()). All text before feed->p has been
	 * read. Returning false with *e set ends the import. Called by one thread at a time, but not always by the same
	 * one. */
	bool (*take)(void *ctx, struct obs_table *, const struct feed *, struct err *e);
	/* For rows that were stored: drops the times of an observation, or sorts its rows by time. */
	bool (*order)(void *ctx, const struct obs_table *, size_t observation, enum import_order, struct err *e);
	bool begun; /* an earlier, interrupted import has already stored some of the rows */
	void *ctx;
};

struct import_how {
	bool exact;   /* rows are exact totals */
	size_t near;  /* number of cells up to which each sample is kept as a row of its own (struct obs_room) */
	/* the number of cells may be guessed from the size of the text. If the guess was wrong, feed->hasty is set, and
	 * the caller reads the text again without `expect` */
	bool expect;
	bool drop_metrics;         /* columns of a wide CSV that are no counts are left out */
	const struct names *counts; /* names of columns to be treated as counts, whatever they look like; NULL: none */
	const struct import_drain *drain; /* NULL: rows stay in the table */
	bool careful; /* all rows are read with the general reader, for tests */
	size_t slice; /* for tests: bytes of text per started thread; 0: the default */
};

enum import_format {
	IMPORT_WIDE_CSV,  /* also used if nothing else fits, because its errors explain best what is wrong */
	IMPORT_PERF_STAT, /* perf stat's table, -x or -j */
	IMPORT_GEM5_STATS, /* gem5's stats.txt */
	IMPORT_SNIPER_STACK, /* CPI stacks of Sniper's cpistack.py */
	IMPORT_SNIPER_STATS, /* Sniper's statistics as text */
	IMPORT_TOOL,      /* a row of tools.h: another tool's output, read or refused */
	IMPORT_SQLITE,    /* Sniper's database, or a session file that comes through a pipe */
	IMPORT_UTF16,     /* text in another encoding than UTF-8 */
	IMPORT_MODEL,     /* a .udd file in the place of data */
};

enum import_format import_format_of(const char *text, size_t n);

/* Arguments and failure are as for csv_read(). A format that is recognised but not read is an error that names it. */
struct obs_table *import_read(const char *name, const char *text, size_t n, bool exact, struct err *e);

/* The same for a text that arrives in pieces, which is read to its end. If feed_watch stopped it (feed->stopped), the
 * table or the drain has all rows that were complete by then. With a drain, a stopped import adds no notes yet. */
struct obs_table *import_read_feed(struct feed *, const struct import_how *, struct err *e);

#endif
