/* Comma-separated cells, quoted as in RFC 4180, with the place of each. */
#ifndef COLLECT_IMPORT_CSV_CELLS_H
#define COLLECT_IMPORT_CSV_CELLS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct err;

struct csv_cells {
	const char *name; /* the file, for error messages */
	const char *p, *end;
	int line;
	const char *line_start;
	char separator; /* a comma; a reader may set another one before it reads cells */
};

struct csv_cell {
	struct str text;  /* text without its quotes or, if it is unquoted, without blanks around it */
	bool quoted;
	int line, col;    /* place of the cell's first byte; col counts bytes from 1 */
	bool last;        /* the row ends after this cell */
};

/* Begins to read the cells of [p, end); p is the beginning of a line. */
void csv_cells_begin(struct csv_cells *, const char *name, const char *p, const char *end, int line);
/* The same for a whole text, without the byte order mark that some spreadsheets write before it. */
void csv_cells_begin_text(struct csv_cells *, const char *name, const char *text, size_t n);
/* Skips empty lines. Returns false at the end of the text. */
bool csv_cells_more(struct csv_cells *);
/* Skips empty lines, and comments: lines that begin with #. Returns false at the end of the text. */
bool csv_cells_row(struct csv_cells *);
/* Reads one cell into *cell, whose text is reused. Returns false and sets *e when a quote is not closed, or closed too
 * early. */
bool csv_cells_next(struct csv_cells *, struct csv_cell *, struct err *e);

#endif
