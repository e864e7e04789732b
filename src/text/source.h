/* One text that hecate reads, and places in it. Shared by every text format. */
#ifndef TEXT_SOURCE_H
#define TEXT_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#define SOURCE_MAX ((size_t)1 << 30) /* bytes that a place can address */

struct source {
	char *name;     /* as shown to the user; owned */
	char *text;     /* n bytes and a NUL after them; owned */
	size_t n;
	uint32_t *line; /* the offset of each line's first byte */
	size_t n_lines;
};

/* A stretch of a text. With `len` 0 it is a point between two characters. */
struct place {
	const struct source *source; /* NULL: no particular place */
	uint32_t at, len;
};

/* Takes over both strings (heap); n must be below SOURCE_MAX. */
void source_init(struct source *, char *name, char *text, size_t n);
void source_free(struct source *);

/* Returns the 1-based line of an offset. */
int source_line(const struct source *, size_t at);
/* Returns the 1-based column of an offset as a terminal shows it: tab stops every 8 columns, control characters written
 * out. */
int source_column(const struct source *, size_t at);

/* Returns the line that contains `at`, in a form to be shown: tabs as blanks, control characters written out. A line
 * longer than `columns` is cut to a window around the place, with "…" where text is missing. *caret and *span are the
 * start (from 0) and the length of the place in the result, in columns. The caller frees the result. */
char *source_show(const struct source *, size_t at, size_t len, int columns, int *caret, int *span);

#endif
