/* Recorded data, told apart by content, never by name. */
#ifndef COLLECT_IMPORT_IMPORT_H
#define COLLECT_IMPORT_IMPORT_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct obs_table;

#define IMPORT_FILE_MAX ((size_t)1 << 30) /* bytes of data that are taken into memory */
#define IMPORT_CELLS_MAX ((size_t)1 << 27)  /* rows × columns of one file's table */

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

#endif
