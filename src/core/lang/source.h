/* One text of a format that hecate reads, and places in it. Shared by every text format. */
#ifndef CORE_LANG_SOURCE_H
#define CORE_LANG_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#define SOURCE_MAX ((size_t)1 << 30) /* bytes that a place can address */

struct source {
	char *name;     /* as shown to the user; owned */
	char *text;     /* n bytes and a NUL behind; owned */
	size_t n;
	uint32_t *line; /* offset of each line's first byte */
	size_t n_lines;
};

/* A stretch of a text. `len` 0 is a point between two characters. */
struct place {
	const struct source *source; /* NULL: nowhere in particular */
	uint32_t at, len;
};

void source_init(struct source *, char *name, char *text, size_t n); /* takes both strings (heap); n < SOURCE_MAX */
void source_free(struct source *);

/* 1-based line of an offset. */
int source_line(const struct source *, size_t at);
/* 1-based column, in columns of a terminal with tab stops every 8 and control characters written out. */
int source_column(const struct source *, size_t at);

/* The line that holds `at`, ready to be shown: tabs as blanks, control characters written out. A line longer than
 * `columns` is cut to a window around the place ("…" where something is missing). *caret and *span say where the place
 * stands in it, in columns from 0. The caller frees. */
char *source_show(const struct source *, size_t at, size_t len, int columns, int *caret, int *span);

#endif
