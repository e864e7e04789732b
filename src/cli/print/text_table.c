#include "cli/print/text_table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/panic.h"
#include "base/str.h"
#include "base/utf8.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "work/timeline/run_answer.h"

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

void
print_answer(struct run_answer *answer, const struct options *options, struct str *out)
{
	struct str text = {0};

	if (!answer)
		return;
	run_answer_sentence(answer, print_ascii(options), &text);
	print_wrapped(out, str_text(&text), 0, 2, print_width(options), print_ascii(options));
	str_add(out, "\n");
	str_free(&text);
	run_answer_free(answer);
}

struct text_row {
	char **cell; /* as shown; NULL: empty */
	size_t filled;
	struct str below;
};

struct text_table {
	const struct text_column *column;
	size_t n_columns;
	size_t *width; /* n_columns */
	struct text_row *row; /* the first has the titles */
	size_t n, cap;
	bool ascii;
};

static void
text_table_begin(struct text_table *table)
{
	mem_grow(&table->row, &table->cap, table->n + 1, sizeof *table->row);
	table->row[table->n++] = (struct text_row){.cell = mem_new_array(table->n_columns, sizeof(char *))};
}

struct text_table *
text_table_new(const struct text_column *column, size_t n, bool ascii)
{
	struct text_table *table = mem_new(sizeof *table);

	*table = (struct text_table){
		.column = column, .n_columns = n, .width = mem_new_array(n, sizeof(size_t)), .ascii = ascii};
	text_table_begin(table);
	for (size_t i = 0; i < n; i++) {
		table->width[i] = column[i].width;
		text_table_add(table, column[i].title ? column[i].title : "");
	}
	return table;
}

void
text_table_free(struct text_table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->n; i++) {
		for (size_t k = 0; k < table->n_columns; k++)
			free(table->row[i].cell[k]);
		free(table->row[i].cell);
		str_free(&table->row[i].below);
	}
	free(table->row);
	free(table->width);
	free(table);
}

void
text_table_add(struct text_table *table, const char *text)
{
	struct text_row *row = &table->row[table->n - 1];
	size_t at = row->filled++, width;
	struct str shown = {0};

	if (at >= table->n_columns)
		panic("a row of a table has more cells than the table has columns");
	print_padded(&shown, text, 0, table->ascii);
	width = utf8_width(str_text(&shown));
	if (width > table->width[at] && !table->column[at].width &&
		(!table->column[at].limit || width <= table->column[at].limit))
		table->width[at] = width;
	row->cell[at] = str_take(&shown);
}

static void __attribute__((format(printf, 2, 0)))
add_formatted(struct text_table *table, const char *fmt, va_list ap)
{
	struct str text = {0};

	str_addv(&text, fmt, ap);
	text_table_add(table, str_text(&text));
	str_free(&text);
}

void
text_table_addf(struct text_table *table, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_formatted(table, fmt, ap);
	va_end(ap);
}

void
text_table_row(struct text_table *table, const char *fmt, ...)
{
	va_list ap;

	text_table_begin(table);
	va_start(ap, fmt);
	add_formatted(table, fmt, ap);
	va_end(ap);
}

void
text_table_skip(struct text_table *table, size_t n)
{
	table->row[table->n - 1].filled += n;
}

struct str *
text_table_below(struct text_table *table)
{
	return &table->row[table->n - 1].below;
}

/* Blanks before the column; `first`: no column is to the left of it. */
static size_t
gap_of(const struct text_column *column, bool first)
{
	return column->gap > 0 ? (size_t)column->gap : column->gap < 0 || first ? 0 : GAP;
}

size_t
text_table_width(const struct text_table *table)
{
	size_t width = 0;

	for (size_t i = 0; i < table->n_columns; i++)
		if (!table->column[i].hidden)
			width += gap_of(&table->column[i], !width) + table->width[i];
	return width;
}

/* Blanks are written when text follows them. */
void
text_table_line(const struct text_table *table, size_t row, struct str *out)
{
	size_t blanks = 0;
	bool first = true;

	for (size_t i = 0; i < table->n_columns; i++) {
		const struct text_column *column = &table->column[i];
		const char *text = table->row[row].cell[i] ? table->row[row].cell[i] : "";
		size_t width = utf8_width(text), rest = width < table->width[i] ? table->width[i] - width : 0;

		if (column->hidden)
			continue;
		blanks += gap_of(column, first) + (column->right ? rest : 0);
		if (width) {
			str_addf(out, "%*s%s", (int)blanks, "", text);
			blanks = 0;
		}
		if (first && column->limit && width > column->limit) {
			str_addc(out, '\n');
			rest = table->width[i];
		}
		blanks += column->right ? 0 : rest;
		first = false;
	}
	str_addf(out, "\n%s", str_text(&table->row[row].below));
}

void
text_table_end(struct text_table *table, struct str *out)
{
	for (size_t i = 0; i < table->n; i++)
		text_table_line(table, i, out);
	text_table_free(table);
}
