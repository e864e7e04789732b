/* Tables and paragraphs that fit the terminal: columns as wide as their content, texts broken at blanks. */
#ifndef CLI_PRINT_TEXT_TABLE_H
#define CLI_PRINT_TEXT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct options;
struct run_answer;
struct str;

/* Number of columns of a line of output: the terminal's, or $COLUMNS; 120 for a pipe or a file. */
size_t print_width(const struct options *);

/* Appends words, broken at blanks into lines of `width` columns: `indent` blanks before the first line, `hang` more
 * before the others. */
void print_wrapped(struct str *out, const char *text, size_t indent, size_t hang, size_t width, bool ascii);

/* Adds the sentence that a run answers with, in such lines, and an empty one. Nothing for NULL; frees the answer. */
void print_answer(struct run_answer *, const struct options *, struct str *out);

#define TEXT_NO_GAP (-1)

struct text_column {
	const char *title; /* NULL: none */
	bool right;        /* cells end at the right edge, for numbers */
	bool hidden;       /* the column is not written */
	int gap;           /* blanks before the column. 0: two, but none before the first column */
	size_t width;      /* a wider cell pushes the rest of its row to the right. 0: as wide as its widest cell */
	size_t limit;      /* wider cells do not widen the column; one in the first column has a line of its own.
			    * 0: no limit */
};

struct text_table;

/* The columns are the caller's and must live as long as the table. Some may be hidden before writing. */
struct text_table *text_table_new(const struct text_column *, size_t n, bool ascii);
void text_table_free(struct text_table *);
/* Begins a row with its first cell. */
void text_table_row(struct text_table *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Fill the next cell of the row. */
void text_table_add(struct text_table *, const char *text);
void text_table_addf(struct text_table *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void text_table_skip(struct text_table *, size_t n); /* leaves n cells empty */
/* Returns the text of whole lines that stand below the row. The caller appends to it. */
struct str *text_table_below(struct text_table *);

/* Returns the width of the table's lines. */
size_t text_table_width(const struct text_table *);
/* Writes a row and the lines below it; row 0 has the titles. No blanks are added after the last text of a line. */
void text_table_line(const struct text_table *, size_t row, struct str *out);
/* Writes titles and rows, and frees the table. */
void text_table_end(struct text_table *, struct str *out);

#endif
