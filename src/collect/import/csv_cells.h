/* Comma-separated cells as RFC 4180 quotes them, with where each stands. */
#ifndef COLLECT_IMPORT_CSV_CELLS_H
#define COLLECT_IMPORT_CSV_CELLS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct err;

struct csv_cells {
	const char *name; /* the file, for errors */
	const char *p, *end;
	int line;
	const char *line_start;
};

struct csv_cell {
	struct str text;  /* unquoted; unquoted cells lose blanks around them */
	bool quoted;
	int line, col;    /* of its first byte; col counts bytes from 1 */
	bool last;        /* the row ends behind it */
};

/* Cells of [p, end), the first of which begins a line. */
void csv_cells_begin(struct csv_cells *, const char *name, const char *p, const char *end, int line);
/* Skips empty lines; false at the end. */
bool csv_cells_more(struct csv_cells *);
/* Read one cell into *cell, whose text is reused. False and *e on a quote that is not closed or closed too early. */
bool csv_cells_next(struct csv_cells *, struct csv_cell *, struct err *e);

#endif
