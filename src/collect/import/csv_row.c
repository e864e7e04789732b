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
read_header_cell(struct csv_reader *reader)
{
	const char *name = str_text(&reader->cell.text);
	char shown[80];
	size_t before = reader->header.n, column;

	if (!*name && reader->header.n > 0 && !reader->cell.last) {
		err_set(reader->e, "column %zu has no name", reader->header.n + 1);
		return refuse_here(reader, "the first line names the counters; is there a comma too many?");
	}
	column = names_add(&reader->header, name, reader->cell.text.n);
	if (reader->header.n == before) {
		err_set(reader->e, "two columns of the header are called %s: column %zu and column %zu",
			short_text(&reader->cell.text, shown, sizeof shown), column + 1, before + 1);
		return refuse_here(reader, "remove or rename one of them");
	}
	if (str_eq(name, "observation"))
		reader->shape.observation = column;
	else if (str_eq(name, "time"))
		reader->shape.time = column;
	else
		reader->shape.n_counters++;
	return true;
}

bool
csv_read_header(struct csv_reader *reader)
{
	struct decimal d;
	size_t numbers = 0;

	if (!csv_cells_more(&reader->cells)) {
		err_set(reader->e, "the file is empty");
		err_hint(reader->e, "a wide CSV has a header of counter names and one row per sample");
		return err_place(reader->e, reader->feed->name, 0, 0);
	}
	do {
		if (!csv_cells_next(&reader->cells, &reader->cell, reader->e) || !read_header_cell(reader))
			return false;
		if (reader->header.n > IMPORT_COLUMNS_MAX) {
			err_set(reader->e, "the header has more than %d columns", IMPORT_COLUMNS_MAX);
			return refuse_here(reader,
				"no machine has so many counters; each row is one sample of all counters");
		}
		numbers += !reader->cell.text.n || decimal_parse(str_text(&reader->cell.text), &d) == DECIMAL_GOOD;
	} while (!reader->cell.last);
	if (!csv_refuse_known(reader))
		return false;
	if (numbers == reader->header.n && (numbers > 1 || *reader->header.name[0])) {
		err_set(reader->e, "the first line has numbers where the names of counters belong");
		return refuse_here(reader, "write a line of names above it");
	}
	if (reader->shape.n_counters > 0)
		return true;
	err_set(reader->e, "the header names no counter");
	return refuse_here(reader, "at least one counter is needed besides observation and time");
}

/* Returns true when every cell of the current line is a name: then the line is another header. */
static bool
is_second_header(const struct csv_reader *reader)
{
	struct csv_cells c = reader->cells;
	struct csv_cell cell = {.last = false};
	struct decimal d;
	size_t n = 0;
	bool names = true;

	c.p = reader->row_start;
	c.line = reader->cell.line;
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
why_no_number(const struct csv_reader *reader, const char *text)
{
	size_t digits = strspn(text, "0123456789."), groups = strspn(text, "0123456789 '_");

	if (digits && str_eq(text + digits, "%"))
		return "a percentage is not a count: give the counts that it is made of";
	if (digits && text[digits] && strchr("kKMGTB", text[digits]) && !text[digits + 1])
		return "a rounded number with a letter for thousands or millions is no exact count: print all digits";
	if (*text == '#')
		return "this is an error of the spreadsheet; #N/A and an empty cell are not counted";
	if (reader->header.n == 1 && digits && strpbrk(text, " |:"))
		return "cells are separated by a comma, a semicolon, a tab or |";
	if (digits && digits < groups && !text[groups])
		return "write numbers without marks between their digits; or in quotes, with commas";
	if (!digits && isalpha((unsigned char)*text))
		return "if this column says what a row was counted of, call it observation; leave out other texts";
	if (strchr(text, ',') && reader->separator != ',')
		return "numbers have a decimal point, and no commas";
	if (strchr(text, ',') || strchr(text, ';'))
		return "numbers have a decimal point, no commas, and the separator is a comma";
	return NULL;
}

static bool
refuse_number(const struct csv_reader *reader, size_t column, enum decimal_fault fault)
{
	const char *text = str_text(&reader->cell.text), *name = reader->header.name[column];
	char shown[80];

	if (fault == DECIMAL_NOT_A_NUMBER && is_second_header(reader))
		return refuse_header(reader);
	short_text(&reader->cell.text, shown, sizeof shown);
	switch (fault) {
	case DECIMAL_NAN:
		err_set(reader->e, "%s is \"%s\", which is not a count", name, shown);
		return refuse_here(reader, "leave the cell empty where nothing was counted");
	case DECIMAL_NEGATIVE:
		err_set(reader->e, "%s is negative: %s", name, shown);
		return refuse_here(reader, "a row holds one interval's increments, which cannot fall");
	case DECIMAL_TOO_LARGE:
		err_set(reader->e, "%s is beyond 64 bits: %s", name, shown);
		return refuse_here(reader, "counts must be below 2^63, counting all digits after the decimal point");
	case DECIMAL_NOT_A_NUMBER:
		err_set(reader->e, "%s is not a number: \"%s\"", name, shown);
		return refuse_here(reader, why_no_number(reader, text));
	case DECIMAL_GOOD:
		break;
	}
	return false;
}

static bool
read_time(struct csv_reader *reader)
{
	char shown[80];

	if (!reader->cell.text.n || csv_is_date(str_text(&reader->cell.text), &reader->when))
		return true;
	if (str_to_double(str_text(&reader->cell.text), &reader->when)) {
		reader->when /= reader->time_unit;
		return true;
	}
	if (is_second_header(reader))
		return refuse_header(reader);
	err_set(reader->e, "time is not a number of seconds: \"%s\"",
		short_text(&reader->cell.text, shown, sizeof shown));
	return refuse_here(reader, NULL);
}

static bool
read_count(struct csv_reader *reader, size_t column, size_t counter)
{
	struct decimal d = {0, 0};
	enum decimal_fault fault;

	reader->count[counter] = 0;
	reader->places[counter] = CSV_PLAIN_EMPTY;
	if (!reader->cell.text.n)
		return true;
	if (csv_is_missing(str_text(&reader->cell.text))) {
		csv_count_line(&reader->missing, reader->cell.line);
		return true;
	}
	/* The whole text was checked: it has no NUL here. */
	fault = decimal_parse(str_text(&reader->cell.text), &d);
	if (fault == DECIMAL_NOT_A_NUMBER && reader->cell.quoted && reader->separator == ',') {
		struct str plain = {0};

		if (csv_ungroup(str_text(&reader->cell.text), &plain))
			fault = decimal_parse(str_text(&plain), &d);
		str_free(&plain);
	}
	if (fault != DECIMAL_GOOD)
		return refuse_number(reader, column, fault);
	if (d.decimals > reader->decimals)
		reader->decimals = d.decimals;
	reader->count[counter] = d.digits;
	reader->places[counter] = (unsigned char)d.decimals;
	reader->cell_line[counter] = reader->cell.line;
	reader->cell_col[counter] = reader->cell.col;
	return true;
}

static bool
read_row_cell(struct csv_reader *reader, size_t column, size_t *counter)
{
	if (column == reader->shape.time)
		return read_time(reader);
	if (reader->left_out[column])
		return true;
	if (reader->label && reader->label[column]) {
		csv_add_label(reader, column, str_text(&reader->cell.text));
		return true;
	}
	if (column != reader->shape.observation)
		return read_count(reader, column, (*counter)++);
	if (!reader->cell.text.n) {
		err_set(reader->e, "observation has no name");
		return refuse_here(reader, "name the observation in every row, or remove the column");
	}
	if (reader->label)
		str_add(&reader->of, str_text(&reader->cell.text));
	else
		reader->at = csv_find_sheet(reader, str_text(&reader->cell.text), reader->cell.text.n);
	return true;
}

/* Returns true when the file ends in the current cell's line without a newline: perhaps another program is still
 * writing it. */
static bool
ends_here(const struct csv_reader *r)
{
	return r->cells.p == r->cells.end && r->cells.end > r->row_start && r->cells.end[-1] != '\n' &&
		r->cells.line == r->cell.line;
}

enum csv_row
csv_read_row(struct csv_reader *reader)
{
	size_t column = 0, counter = 0;

	reader->when = NAN;
	reader->decimals = 0;
	str_clear(&reader->of);
	str_clear(&reader->place);
	do {
		if (!csv_cells_next(&reader->cells, &reader->cell, reader->e))
			return ends_here(reader) ? CSV_ROW_CUT : CSV_ROW_BAD;
		if (column == reader->header.n) {
			err_set(reader->e, "the row has too many cells: the header has %zu columns", reader->header.n);
			refuse_here(reader, NULL);
			return CSV_ROW_BAD;
		}
		if (!read_row_cell(reader, column, &counter))
			return reader->cell.last && ends_here(reader) && reader->n_rows ? CSV_ROW_CUT : CSV_ROW_BAD;
		column++;
	} while (!reader->cell.last);
	if (column == reader->header.n && reader->label) {
		if (reader->shape.observation == CSV_PLAIN_NONE)
			str_add(&reader->of, reader->own_name);
		str_add(&reader->of, str_text(&reader->place));
		reader->at = csv_find_sheet(reader, str_text(&reader->of), reader->of.n);
	}
	if (column == reader->header.n)
		return CSV_ROW_GOOD;
	if (ends_here(reader))
		return CSV_ROW_CUT;
	err_set(reader->e, "the row ends after %zu of %zu cells: %s is missing", column, reader->header.n,
		reader->header.name[column]);
	refuse_here(reader, "leave a cell empty where nothing was counted, but keep its comma");
	return CSV_ROW_BAD;
}
