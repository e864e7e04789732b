/* Plain rows of a wide CSV, read fast.
 *
 * A row is plain when its cells are numbers in the header's columns and a newline follows. Nearly all rows of large
 * files are. Reading stops at the first row that is anything else:
 *
 *   - blanks inside a cell, a quote that is not closed on the line, a cell too many
 *   - text that is no number, a second header, the end of the text
 *
 * csv_row.c reads that row and knows everything that can be wrong with it. Both readers must give the same result;
 * tests/unit/csv_plain.c compares them. */
#ifndef COLLECT_IMPORT_CSV_PLAIN_H
#define COLLECT_IMPORT_CSV_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CSV_PLAIN_NONE ((size_t)-1)
#define CSV_PLAIN_EMPTY 255 /* `places` of a cell that was not counted */

struct csv_plain_shape {
	size_t n_columns, n_counters;
	size_t observation, time; /* columns; CSV_PLAIN_NONE: no such column */
	const bool *left_out;     /* per column: its cells are skipped; NULL: none are */
};

/* The name of an observation, in the text. */
struct csv_plain_name {
	const char *p;
	size_t n;
};

/* Rows in the order of the text; all pointers point into the text. */
struct csv_plain_rows {
	size_t n;
	int64_t *count;        /* n × n_counters: all digits, without the decimal point */
	unsigned char *places; /* n × n_counters: digits after the point, or CSV_PLAIN_EMPTY */
	unsigned char *most;   /* n: the largest of the row's `places` */
	bool *holes;           /* n: true when some cell is empty */
	double *time;          /* n: seconds; NAN without a time column */
	uint32_t *name;        /* n: number of the observation's name; 0 without such a column */
	const char **at;       /* n: where the row begins */
	struct csv_plain_name *names;
	size_t n_names;
	const char *stop;      /* where reading stopped */
	size_t lines;          /* lines before `stop` */
	/* Private. */
	size_t cap, names_cap, cells_cap, places_cap;
};

/* Reads the rows that begin in [from, to) and end before `end`. 32 bytes after `end` must be readable. */
void csv_plain_read(
	struct csv_plain_rows *, const struct csv_plain_shape *, const char *from, const char *to, const char *end);
void csv_plain_free(struct csv_plain_rows *);

#endif
