/* One row of a wide CSV, with everything it may contain: quotes, blanks, cells over several lines. All messages about
 * malformed rows are here. Nearly all rows of large files are read by csv_plain.c instead. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "collect/import/csv_reader.h"
#include "collect/import/decimal.h"
#include "collect/import/feed.h"

static bool
refuse_here(const struct csv_reader *r, const char *hint)
{
	if (hint)
		err_hint(r->e, "%s", hint);
	return err_place(r->e, r->feed->name, r->cell.line, r->cell.col);
}

/* Returns a cell or name, shortened so that it fits into a message. */
static const char *
short_text(const struct str *s, char *out, size_t size)
{
	size_t n = s->n;

	if (n >= size)
		n = size - 4;
	memcpy(out, str_text(s), n);
	memcpy(out + n, n < s->n ? "..." : "", n < s->n ? 4 : 1);
	return out;
}

static bool
read_header_cell(struct csv_reader *r)
{
	const char *name = str_text(&r->cell.text);
	char shown[80];
	size_t before = r->header.n, column;

	if (!*name && r->header.n > 0 && !r->cell.last) {
		err_set(r->e, "column %zu has no name", r->header.n + 1);
		return refuse_here(r, "the first line names the counters; is there a comma too many?");
	}
	column = names_add(&r->header, name, r->cell.text.n);
	if (r->header.n == before) {
		err_set(r->e, "two columns of the header are called %s: column %zu and column %zu",
			short_text(&r->cell.text, shown, sizeof shown), column + 1, before + 1);
		return refuse_here(r, "remove or rename one of them");
	}
	if (str_eq(name, "observation"))
		r->shape.observation = column;
	else if (str_eq(name, "time"))
		r->shape.time = column;
	else
		r->shape.n_counters++;
	return true;
}

bool
csv_read_header(struct csv_reader *r)
{
	struct decimal d;
	size_t numbers = 0;

	if (!csv_cells_more(&r->cells)) {
		err_set(r->e, "the file is empty");
		err_hint(r->e, "a wide CSV has a header of counter names and one row per sample");
		return err_place(r->e, r->feed->name, 0, 0);
	}
	do {
		if (!csv_cells_next(&r->cells, &r->cell, r->e) || !read_header_cell(r))
			return false;
		numbers += !r->cell.text.n || decimal_parse(str_text(&r->cell.text), &d) == DECIMAL_GOOD;
	} while (!r->cell.last);
	if (!csv_refuse_known(r))
		return false;
	if (numbers == r->header.n && (numbers > 1 || *r->header.name[0])) {
		err_set(r->e, "the first line has numbers where the names of counters belong");
		return refuse_here(r, "write a line of names above it");
	}
	if (r->shape.n_counters > 0)
		return true;
	err_set(r->e, "the header names no counter");
	return refuse_here(r, "at least one counter is needed besides observation and time");
}

/* True when every cell of the current line is a name: then the line is another header. */
static bool
is_second_header(const struct csv_reader *r)
{
	struct csv_cells c = r->cells;
	struct csv_cell cell = {.last = false};
	struct decimal d;
	size_t n = 0;
	bool names = true;

	c.p = r->row_start;
	c.line = r->cell.line;
	while (names && !cell.last && csv_cells_next(&c, &cell, NULL)) {
		names = cell.text.n && !strchr("<-+.#0123456789", *str_text(&cell.text)) &&
			decimal_parse(str_text(&cell.text), &d) == DECIMAL_NOT_A_NUMBER;
		n++;
	}
	str_free(&cell.text);
	return names && n > 1;
}

static bool
refuse_header(const struct csv_reader *r)
{
	err_set(r->e, "the columns change here: this line is another header");
	return refuse_here(r, "import each part as a file of its own, or give all rows the same columns");
}

/* Returns a hint about a cell that looks like a number and is none. */
static const char *
why_no_number(const struct csv_reader *r, const char *text)
{
	size_t digits = strspn(text, "0123456789."), groups = strspn(text, "0123456789 '_");

	if (digits && str_eq(text + digits, "%"))
		return "a percentage is not a count: give the counts that it is made of";
	if (digits && text[digits] && strchr("kKMGTB", text[digits]) && !text[digits + 1])
		return "a rounded number with a letter for thousands or millions is no exact count: print all digits";
	if (*text == '#')
		return "this is an error of the spreadsheet; #N/A and an empty cell are not counted";
	if (r->header.n == 1 && digits && strpbrk(text, " |:"))
		return "cells are separated by a comma, a semicolon, a tab or |";
	if (digits && digits < groups && !text[groups])
		return "write numbers without marks between their digits; or in quotes, with commas";
	if (!digits && isalpha((unsigned char)*text))
		return "if this column says what a row was counted of, call it observation; leave out other texts";
	if (strchr(text, ',') && r->separator != ',')
		return "numbers have a decimal point, and no commas";
	if (strchr(text, ',') || strchr(text, ';'))
		return "numbers have a decimal point, no commas, and the separator is a comma";
	return NULL;
}

static bool
refuse_number(const struct csv_reader *r, size_t column, enum decimal_fault fault)
{
	const char *text = str_text(&r->cell.text), *name = r->header.name[column];
	char shown[80];

	if (fault == DECIMAL_NOT_A_NUMBER && is_second_header(r))
		return refuse_header(r);
	short_text(&r->cell.text, shown, sizeof shown);
	switch (fault) {
	case DECIMAL_NAN:
		err_set(r->e, "%s is \"%s\", which is not a count", name, shown);
		return refuse_here(r, "leave the cell empty where nothing was counted");
	case DECIMAL_NEGATIVE:
		err_set(r->e, "%s is negative: %s", name, shown);
		return refuse_here(r, "a row holds one interval's increments, which cannot fall");
	case DECIMAL_TOO_LARGE:
		err_set(r->e, "%s is beyond 64 bits: %s", name, shown);
		return refuse_here(r, "counts must be below 2^63, counting all digits after the decimal point");
	case DECIMAL_NOT_A_NUMBER:
		err_set(r->e, "%s is not a number: \"%s\"", name, shown);
		return refuse_here(r, why_no_number(r, text));
	case DECIMAL_GOOD:
		break;
	}
	return false;
}

static bool
read_time(struct csv_reader *r)
{
	char shown[80];

	if (!r->cell.text.n || csv_is_date(str_text(&r->cell.text), &r->when))
		return true;
	if (str_to_double(str_text(&r->cell.text), &r->when)) {
		r->when /= r->time_unit;
		return true;
	}
	if (is_second_header(r))
		return refuse_header(r);
	err_set(r->e, "time is not a number of seconds: \"%s\"", short_text(&r->cell.text, shown, sizeof shown));
	return refuse_here(r, NULL);
}

static bool
read_count(struct csv_reader *r, size_t column, size_t counter)
{
	struct decimal d = {0, 0};
	enum decimal_fault fault;

	r->count[counter] = 0;
	r->places[counter] = CSV_PLAIN_EMPTY;
	if (!r->cell.text.n)
		return true;
	if (csv_is_missing(str_text(&r->cell.text))) {
		csv_count_line(&r->missing, r->cell.line);
		return true;
	}
	/* The whole text was checked: it has no NUL here. */
	fault = decimal_parse(str_text(&r->cell.text), &d);
	if (fault == DECIMAL_NOT_A_NUMBER && r->cell.quoted && r->separator == ',') {
		struct str plain = {0};

		if (csv_ungroup(str_text(&r->cell.text), &plain))
			fault = decimal_parse(str_text(&plain), &d);
		str_free(&plain);
	}
	if (fault != DECIMAL_GOOD)
		return refuse_number(r, column, fault);
	if (d.decimals > r->decimals)
		r->decimals = d.decimals;
	r->count[counter] = d.digits;
	r->places[counter] = (unsigned char)d.decimals;
	r->cell_line[counter] = r->cell.line;
	r->cell_col[counter] = r->cell.col;
	return true;
}

static bool
read_row_cell(struct csv_reader *r, size_t column, size_t *counter)
{
	if (column == r->shape.time)
		return read_time(r);
	if (r->left_out[column])
		return true;
	if (r->label && r->label[column]) {
		csv_add_label(r, column, str_text(&r->cell.text));
		return true;
	}
	if (column != r->shape.observation)
		return read_count(r, column, (*counter)++);
	if (!r->cell.text.n) {
		err_set(r->e, "observation has no name");
		return refuse_here(r, "name the observation in every row, or remove the column");
	}
	if (r->label)
		str_add(&r->of, str_text(&r->cell.text));
	else
		r->at = csv_find_sheet(r, str_text(&r->cell.text), r->cell.text.n);
	return true;
}

/* True when the file ends in the current cell's line without a newline: perhaps another program is still writing it. */
static bool
ends_here(const struct csv_reader *r)
{
	return r->cells.p == r->cells.end && r->cells.end > r->row_start && r->cells.end[-1] != '\n' &&
		r->cells.line == r->cell.line;
}

enum csv_row
csv_read_row(struct csv_reader *r)
{
	size_t column = 0, counter = 0;

	r->when = NAN;
	r->decimals = 0;
	str_clear(&r->of);
	str_clear(&r->place);
	do {
		if (!csv_cells_next(&r->cells, &r->cell, r->e))
			return ends_here(r) ? CSV_ROW_CUT : CSV_ROW_BAD;
		if (column == r->header.n) {
			err_set(r->e, "the row has too many cells: the header has %zu columns", r->header.n);
			refuse_here(r, NULL);
			return CSV_ROW_BAD;
		}
		if (!read_row_cell(r, column, &counter))
			return r->cell.last && ends_here(r) && r->n_rows ? CSV_ROW_CUT : CSV_ROW_BAD;
		column++;
	} while (!r->cell.last);
	if (column == r->header.n && r->label) {
		if (r->shape.observation == CSV_PLAIN_NONE)
			str_add(&r->of, r->own_name);
		str_add(&r->of, str_text(&r->place));
		r->at = csv_find_sheet(r, str_text(&r->of), r->of.n);
	}
	if (column == r->header.n)
		return CSV_ROW_GOOD;
	if (ends_here(r))
		return CSV_ROW_CUT;
	err_set(r->e, "the row ends after %zu of %zu cells: %s is missing", column, r->header.n,
		r->header.name[column]);
	refuse_here(r, "leave a cell empty where nothing was counted, but keep its comma");
	return CSV_ROW_BAD;
}
