/* Comma-separated cells as RFC 4180 quotes them, with where each stands. */
#ifndef COLLECT_IMPORT_CELLS_H
#define COLLECT_IMPORT_CELLS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct err;

struct cells {
	const char *name; /* the file, for errors */
	const char *p, *end;
	int line;
	const char *line_start;
};

struct cell {
	struct str text;  /* unquoted; unquoted cells lose blanks around them */
	bool quoted;
	int line, col;    /* of its first byte; col counts bytes from 1 */
	bool last;        /* the row ends behind it */
};

/* Cells of [p, end), the first of which begins a line. */
void cells_begin(struct cells *, const char *name, const char *p, const char *end, int line);
/* Skips empty lines; false at the end. */
bool cells_more(struct cells *);
/* Read one cell into *cell, whose text is reused. False and *e on a quote that is not closed or closed too early. */
bool cells_next(struct cells *, struct cell *, struct err *e);

#endif
