/* Tables and paragraphs that fit the terminal: columns as wide as their content, texts broken at blanks. */
#ifndef CLI_PRINT_TEXT_TABLE_H
#define CLI_PRINT_TEXT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct options;
struct str;

/* Columns that a line of output has: those of the terminal, or of $COLUMNS; 120 into a pipe or a file. */
size_t print_width(const struct options *);

/* Appends words, broken at blanks into lines of `width` columns: `indent` blanks before the first line, `hang` more
 * before the others. */
void print_wrapped(struct str *out, const char *text, size_t indent, size_t hang, size_t width, bool ascii);

struct text_table_column {
	const char *title;
	bool right;  /* numbers */
	bool hidden; /* is not written */
	size_t limit; /* widest cell; a wider one in the first column has a line of its own. 0: any */
};

struct text_table;

/* The columns are the caller's, and must live as long as the table. Some may be hidden before writing. */
struct text_table *text_table_new(struct text_table_column *, size_t n, bool ascii);
void text_table_free(struct text_table *);
/* Adds a row of empty cells. Returns its number. */
size_t text_table_add(struct text_table *);
void text_table_set(struct text_table *, size_t row, size_t column, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* How wide its lines are: all columns that are not hidden, two blanks between them. */
size_t text_table_width(const struct text_table *);
void text_table_head(const struct text_table *, struct str *out);
void text_table_row(const struct text_table *, size_t row, struct str *out);

#endif
