#include "cli/print/text_table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "cli/options.h"
#include "cli/print/print.h"

#define PIPE_COLUMNS 120
#define LEAST_COLUMNS 40
#define MOST_COLUMNS 1000
#define GAP 2

size_t
print_width(const struct options *o)
{
	const char *given = getenv("COLUMNS");
	struct winsize size = {0};
	uint64_t columns = 0;

	if (!given || !str_to_u64(given, &columns) || columns == 0)
		columns = !o->output && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
	if (columns == 0)
		return PIPE_COLUMNS;
	return columns < LEAST_COLUMNS ? LEAST_COLUMNS : columns > MOST_COLUMNS ? MOST_COLUMNS : (size_t)columns;
}

static void
text_table_add_line(struct str *out, struct str *line, size_t indent, bool ascii)
{
	for (size_t i = 0; i < indent; i++)
		str_addc(out, ' ');
	print_lines(out, str_text(line), ascii);
	str_addc(out, '\n');
	str_clear(line);
}

void
print_wrapped(struct str *out, const char *text, size_t indent, size_t hang, size_t width, bool ascii)
{
	struct str line = {0};
	size_t used = 0, before = indent;

	text += strspn(text, " ");
	while (*text) {
		char *word = mem_strn(text, strcspn(text, " "));
		size_t w = utf8_width(word);

		if (line.n && before + used + 1 + w > width) {
			text_table_add_line(out, &line, before, ascii);
			before = indent + hang;
			used = 0;
		}
		used += w + (line.n > 0);
		str_add(&line, line.n ? " " : "");
		str_add(&line, word);
		text += strlen(word);
		text += strspn(text, " ");
		free(word);
	}
	if (line.n)
		text_table_add_line(out, &line, before, ascii);
	str_free(&line);
}

struct text_table {
	struct text_table_column *column;
	size_t n_columns;
	size_t *width; /* n_columns */
	char **cell; /* n × n_columns; NULL: empty */
	size_t n, cap;
	bool ascii;
};

struct text_table *
text_table_new(struct text_table_column *column, size_t n, bool ascii)
{
	struct text_table *t = mem_new(sizeof *t);

	*t = (struct text_table){
		.column = column, .n_columns = n, .width = mem_new_array(n, sizeof(size_t)), .ascii = ascii};
	for (size_t i = 0; i < n; i++)
		t->width[i] = utf8_width(column[i].title);
	return t;
}

void
text_table_free(struct text_table *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->n * t->n_columns; i++)
		free(t->cell[i]);
	free(t->cell);
	free(t->width);
	free(t);
}

size_t
text_table_add(struct text_table *t)
{
	mem_grow(&t->cell, &t->cap, (t->n + 1) * t->n_columns, sizeof *t->cell);
	for (size_t i = 0; i < t->n_columns; i++)
		t->cell[t->n * t->n_columns + i] = NULL;
	return t->n++;
}

void
text_table_set(struct text_table *table, size_t row, size_t column, const char *fmt, ...)
{
	char **cell = &table->cell[row * table->n_columns + column];
	size_t limit = table->column[column].limit, width;
	struct str text = {0};
	va_list ap;

	va_start(ap, fmt);
	str_addv(&text, fmt, ap);
	va_end(ap);
	width = utf8_width(str_text(&text));
	if (width > table->width[column] && (limit == 0 || width <= limit))
		table->width[column] = width;
	free(*cell);
	*cell = str_take(&text);
}

size_t
text_table_width(const struct text_table *t)
{
	size_t width = 0;

	for (size_t i = 0; i < t->n_columns; i++)
		if (!t->column[i].hidden)
			width += t->width[i] + (width ? GAP : 0);
	return width;
}

/* Writes a line; `cell` NULL: of titles. Blanks at its end are left out. */
static void
add_cells(const struct text_table *table, char *const *cell, struct str *out)
{
	struct str line = {0};
	bool first = true;

	for (size_t i = 0; i < table->n_columns; i++) {
		const struct text_table_column *column = &table->column[i];
		const char *text = !cell ? column->title : cell[i] ? cell[i] : "";

		if (column->hidden)
			continue;
		if (!first)
			str_addf(&line, "%*s", GAP, "");
		if (first && column->limit && utf8_width(text) > column->limit) {
			print_padded(&line, text, 0, table->ascii);
			str_addc(&line, '\n');
			text = "";
		}
		(column->right ? print_right : print_padded)(&line, text, table->width[i], table->ascii);
		first = false;
	}
	while (line.n && line.s[line.n - 1] == ' ')
		line.n--;
	str_addn(out, line.s, line.n);
	str_addc(out, '\n');
	str_free(&line);
}

void
text_table_head(const struct text_table *t, struct str *out)
{
	add_cells(t, NULL, out);
}

void
text_table_row(const struct text_table *t, size_t row, struct str *out)
{
	add_cells(t, &t->cell[row * t->n_columns], out);
}
