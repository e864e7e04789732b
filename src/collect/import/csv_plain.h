/* Rows of a wide CSV that are plain, read fast.
 *
 * Nearly all rows of large files are nothing but numbers, in the columns of the header and with a newline behind them.
 * Those are read here. At the first row that is anything else (blanks within, a quote that is not closed at once, a
 * cell too many, text that is no number, a second header, the end of the text) reading stops: csv_row.c reads that one,
 * and knows all that can be wrong with it. What both read is the same, and a test's (tests/unit/csv_plain.c). */
#ifndef COLLECT_IMPORT_CSV_PLAIN_H
#define COLLECT_IMPORT_CSV_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CSV_PLAIN_NONE ((size_t)-1)
#define CSV_PLAIN_EMPTY 255 /* places of a cell that was not counted */

struct csv_plain_shape {
	size_t n_columns, n_counters;
	size_t observation, time; /* columns; CSV_PLAIN_NONE: there is none */
};

/* An observation's name in the text. */
struct csv_plain_name {
	const char *p;
	size_t n;
};

/* Rows in their order. They point into the text. */
struct csv_plain_rows {
	size_t n;
	int64_t *count;        /* n × n_counters: digits without the point */
	unsigned char *places; /* n × n_counters: how many of them stand behind it; CSV_PLAIN_EMPTY */
	unsigned char *most;   /* n: the most places of its cells */
	bool *holes;           /* n: some cell is empty */
	double *time;          /* n: seconds; NAN */
	uint32_t *name;        /* n: number of its name; 0 where the rows have none */
	const char **at;       /* n: where it begins */
	struct csv_plain_name *names;
	size_t n_names;
	const char *stop;      /* where reading stopped */
	size_t lines;          /* before it */
	/* Private. */
	size_t cap, names_cap, cells_cap, places_cap;
};

/* Reads the rows that begin in [from, to) and are whole before `end`. Behind `end` 32 bytes must be readable. */
void csv_plain_read(
	struct csv_plain_rows *, const struct csv_plain_shape *, const char *from, const char *to, const char *end);
void csv_plain_free(struct csv_plain_rows *);

#endif
