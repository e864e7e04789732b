#include "collect/import/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "collect/import/cells.h"
#include "collect/import/decimal.h"
#include "collect/import/import.h"
#include "collect/import/naming.h"
#include "core/obs/obs.h"

/* Two passes over the text: the first finds the observations, their decimals and what is wrong, the second fills the table. So
 * nothing is kept but the table, however many rows there are. */
#define NONE ((size_t)-1)

/* An observation as the first pass finds it. Those behind a second header are others, whatever their names. */
struct sheet {
	size_t n_rows;
	int decimals;
	double last;     /* time of the row before */
	bool untimed;    /* a row has no time: none counts then */
	bool back;       /* a time goes back */
	struct obs *obs;
};

struct tally {
	size_t n;
	int line; /* of the first */
};

struct reader {
	const char *name;
	struct cells cells;
	struct cell cell;
	struct names header;       /* every column's name; the index is the column */
	const char *header_text;   /* its line, to know it again */
	size_t header_size;
	size_t observation, time;  /* columns, NONE when absent */
	size_t n_counters;
	struct names groups;       /* "PART/NAME": the part of the file, counted by headers, and the observation's name */
	struct sheet *sheet;       /* one for each of them */
	size_t sheets_cap;
	size_t part, n_rows;
	bool exact;
	/* The row at hand. */
	const char *row_start;
	size_t at;                 /* its sheet */
	double when;               /* NAN when there is none */
	int decimals;              /* the most of its cells */
	int64_t *count;            /* n_counters: digits, and how many of them stand behind the point; where */
	unsigned char *counted, *places;
	int *line, *col;
	struct obs_table *table;   /* NULL in the first pass, which only looks */
	struct tally again, back, cut, open_end;
	struct err *e;
};

static bool
refuse_here(const struct reader *r, const char *hint)
{
	if (hint)
		err_hint(r->e, "%s", hint);
	return err_place(r->e, r->name, r->cell.line, r->cell.col);
}

/* A cell or name as it may stand in a message. */
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
read_header_cell(struct reader *r)
{
	const char *name = str_text(&r->cell.text);
	char shown[80];
	size_t before = r->header.n, column;

	if (!*name) {
		err_set(r->e, "column %zu has no name", r->header.n + 1);
		return refuse_here(r, "the first line names the counters; is there a comma too many?");
	}
	column = names_add(&r->header, name, r->cell.text.n);
	if (r->header.n == before) {
		err_set(r->e, "column %s stands twice in the header, as column %zu and column %zu", short_text(&r->cell.text, shown, sizeof shown),
			column + 1, before + 1);
		return refuse_here(r, "remove or rename one of them");
	}
	if (str_eq(name, "observation"))
		r->observation = column;
	else if (str_eq(name, "time"))
		r->time = column;
	else
		r->n_counters++;
	return true;
}

static bool
read_header(struct reader *r)
{
	if (!cells_more(&r->cells)) {
		err_set(r->e, "the file is empty");
		err_hint(r->e, "a wide CSV has a header of counter names and one row per sample");
		return err_place(r->e, r->name, 0, 0);
	}
	do
		if (!cells_next(&r->cells, &r->cell, r->e) || !read_header_cell(r))
			return false;
	while (!r->cell.last);
	if (r->n_counters > 0)
		return true;
	err_set(r->e, "the header names no counter");
	return refuse_here(r, "besides observation and time a column for each counter is needed");
}

/* Is the line of the cell at hand made of names only? Then it is another header. */
static bool
is_second_header(const struct reader *r)
{
	struct cells c = r->cells;
	struct cell cell = {.last = false};
	struct decimal d;
	size_t n = 0;
	bool names = true;

	c.p = r->row_start;
	c.line = r->cell.line;
	while (names && !cell.last && cells_next(&c, &cell, NULL)) {
		names = cell.text.n && !strchr("<-+", *str_text(&cell.text)) && decimal_parse(str_text(&cell.text), &d) == DECIMAL_NOT_A_NUMBER;
		n++;
	}
	str_free(&cell.text);
	return names && n > 1;
}

static bool
refuse_header(const struct reader *r)
{
	err_set(r->e, "the columns change here: this line is another header");
	return refuse_here(r, "give each part as a file of its own, or all rows the same columns");
}

static bool
refuse_number(const struct reader *r, size_t column, enum decimal_fault fault)
{
	const char *text = str_text(&r->cell.text), *name = r->header.name[column];
	char shown[80];

	if (fault == DECIMAL_NOT_A_NUMBER && is_second_header(r))
		return refuse_header(r);
	short_text(&r->cell.text, shown, sizeof shown);
	switch (fault) {
	case DECIMAL_NAN:
		err_set(r->e, "%s is \"%s\", which is no count", name, shown);
		return refuse_here(r, "leave the cell empty where nothing was counted");
	case DECIMAL_NEGATIVE:
		err_set(r->e, "%s is negative: %s", name, shown);
		return refuse_here(r, "a row holds one interval's increments, which cannot fall");
	case DECIMAL_TOO_LARGE:
		err_set(r->e, "%s is beyond 64 bits: %s", name, shown);
		return refuse_here(r, "counts are below 2^63, all digits behind the point included");
	case DECIMAL_NOT_A_NUMBER:
		err_set(r->e, "%s is not a number: \"%s\"", name, shown);
		if (str_starts(text, "<not "))
			return refuse_here(r, "leave the cell empty where nothing was counted");
		return refuse_here(r, strchr(text, ',') || strchr(text, ';') ? "numbers have a decimal point, no commas, and the separator is a comma" : NULL);
	case DECIMAL_GOOD:
		break;
	}
	return false;
}

static bool
read_time(struct reader *r)
{
	char shown[80];

	if (!r->cell.text.n || str_to_double(str_text(&r->cell.text), &r->when))
		return true;
	if (is_second_header(r))
		return refuse_header(r);
	err_set(r->e, "time is not a number of seconds: \"%s\"", short_text(&r->cell.text, shown, sizeof shown));
	return refuse_here(r, NULL);
}

/* In the second pass the decimals of the observation are known. */
static bool
read_count(struct reader *r, size_t column, size_t counter)
{
	struct decimal d = {0, 0};
	enum decimal_fault fault;

	r->counted[counter] = r->cell.text.n > 0;
	r->count[counter] = 0;
	if (!r->counted[counter])
		return true;
	/* A NUL cannot be here: the whole text was looked at. */
	fault = decimal_parse(str_text(&r->cell.text), &d);
	if (fault != DECIMAL_GOOD)
		return refuse_number(r, column, fault);
	if (d.decimals > r->decimals)
		r->decimals = d.decimals;
	r->count[counter] = d.digits;
	r->places[counter] = (unsigned char)d.decimals;
	r->line[counter] = r->cell.line;
	r->col[counter] = r->cell.col;
	return true;
}

static void
find_sheet(struct reader *r, const char *name, size_t n)
{
	struct str key = {0};
	size_t known = r->groups.n;

	str_addf(&key, "%zu/", r->part);
	str_addn(&key, name, n);
	r->at = names_add(&r->groups, str_text(&key), key.n);
	str_free(&key);
	if (r->at < known)
		return;
	mem_grow(&r->sheet, &r->sheets_cap, r->at + 1, sizeof *r->sheet);
	r->sheet[r->at] = (struct sheet){.last = NAN};
}

static bool
read_row_cell(struct reader *r, size_t column, size_t *counter)
{
	if (column == r->time)
		return read_time(r);
	if (column != r->observation)
		return read_count(r, column, (*counter)++);
	if (!r->cell.text.n) {
		err_set(r->e, "observation has no name");
		return refuse_here(r, "name it in every row, or leave the column out");
	}
	find_sheet(r, str_text(&r->cell.text), r->cell.text.n);
	return true;
}

/* Does the file end without a newline in the line of the cell at hand? Then it may be in the middle of being written. */
static bool
ends_here(const struct reader *r)
{
	return r->cells.p == r->cells.end && r->cells.end > r->row_start && r->cells.end[-1] != '\n' && r->cells.line == r->cell.line;
}

enum row { ROW_GOOD, ROW_CUT, ROW_BAD };

static enum row
read_row(struct reader *r)
{
	size_t column = 0, counter = 0;

	r->when = NAN;
	r->decimals = 0;
	do {
		if (!cells_next(&r->cells, &r->cell, r->e))
			return ends_here(r) ? ROW_CUT : ROW_BAD;
		if (column == r->header.n) {
			err_set(r->e, "a cell too many: the header has %zu columns", r->header.n);
			refuse_here(r, NULL);
			return ROW_BAD;
		}
		if (!read_row_cell(r, column, &counter))
			return r->cell.last && ends_here(r) && r->n_rows ? ROW_CUT : ROW_BAD;
		column++;
	} while (!r->cell.last);
	if (column == r->header.n)
		return ROW_GOOD;
	if (ends_here(r))
		return ROW_CUT;
	err_set(r->e, "the row ends after %zu of %zu cells: %s is missing", column, r->header.n, r->header.name[column]);
	refuse_here(r, "leave a cell empty where nothing was counted, but keep its comma");
	return ROW_BAD;
}

static void
count_line(struct tally *t, int line)
{
	if (t->n++ == 0)
		t->line = line;
}

/* First pass: what the row adds to the picture. */
static bool
survey_row(struct reader *r)
{
	struct sheet *s = &r->sheet[r->at];

	if (++r->n_rows > IMPORT_CELLS_MAX / r->n_counters) {
		err_set(r->e, "%zu counters in more than %zu rows are more than %zu million cells", r->n_counters, r->n_rows - 1, IMPORT_CELLS_MAX >> 20);
		return refuse_here(r, "take fewer columns, or longer intervals");
	}
	if (r->decimals > s->decimals)
		s->decimals = r->decimals;
	s->untimed |= isnan(r->when);
	if (r->when < s->last) {
		s->back = true;
		count_line(&r->back, r->cell.line);
	}
	s->last = r->when;
	s->n_rows++;
	return true;
}

static bool
store_row(struct reader *r)
{
	struct sheet *s = &r->sheet[r->at];

	for (size_t j = 0; j < r->n_counters; j++) {
		struct decimal d = {r->count[j], r->places[j]};

		if (!r->counted[j] || decimal_scale(&d, s->decimals, &r->count[j]))
			continue;
		err_set(r->e, "%s does not fit into 64 bits with the %d decimals of this observation", r->table->column[j], s->decimals);
		err_hint(r->e, "round the fractions, or give them an observation of their own");
		return err_place(r->e, r->name, r->line[j], r->col[j]);
	}
	obs_add_row(s->obs, r->count, r->counted, s->untimed ? NAN : r->when);
	return true;
}

/* The same header again: files put together. What follows are observations of their own. */
static bool
skip_header(struct reader *r)
{
	size_t left = (size_t)(r->cells.end - r->cells.p);
	const char *behind;

	if (left < r->header_size || memcmp(r->cells.p, r->header_text, r->header_size) != 0)
		return false;
	behind = r->cells.p + r->header_size;
	if (behind < r->cells.end && *behind != '\n' && *behind != '\r')
		return false;
	if (!r->table)
		count_line(&r->again, r->cells.line);
	r->cells.p = behind;
	r->part++;
	return true;
}

static bool
pass(struct reader *r)
{
	char *name = naming_after_file(r->name);
	size_t n = strlen(name);
	bool good = true;

	r->part = 0;
	while (good && cells_more(&r->cells)) {
		if (skip_header(r))
			continue;
		if (r->observation == NONE)
			find_sheet(r, name, n);
		r->row_start = r->cells.p;
		switch (read_row(r)) {
		case ROW_GOOD:
			if (!r->table && ends_here(r) && !r->cell.quoted)
				count_line(&r->open_end, r->cell.line);
			good = r->table ? store_row(r) : survey_row(r);
			break;
		case ROW_CUT:
			if (!r->table)
				count_line(&r->cut, r->cell.line);
			err_set(r->e, "%s", "");
			r->cells.p = r->cells.end;
			break;
		case ROW_BAD:
			good = false;
			break;
		}
	}
	free(name);
	return good;
}

struct timed {
	double time;
	size_t row;
};

static int
compare_times(const void *a, const void *b)
{
	const struct timed *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/* Rows in the order of their times; rows of one time keep theirs. */
static void
order_rows(struct obs *o)
{
	size_t n = o->n_columns;
	struct timed *order = mem_new_array(o->n_rows, sizeof *order);
	int64_t *count = mem_copy(o->count, o->n_rows * n * sizeof *count);
	unsigned char *counted = mem_copy(o->counted, o->n_rows * n);

	for (size_t i = 0; i < o->n_rows; i++)
		order[i] = (struct timed){o->time[i], i};
	qsort(order, o->n_rows, sizeof *order, compare_times);
	for (size_t i = 0; i < o->n_rows; i++) {
		o->time[i] = order[i].time;
		memcpy(o->count + i * n, count + order[i].row * n, n * sizeof *count);
		memcpy(o->counted + i * n, counted + order[i].row * n, n);
	}
	free(order);
	free(count);
	free(counted);
}

static struct obs_table *
new_table(struct reader *r)
{
	const char **column = mem_new_array(r->n_counters, sizeof *column);
	size_t n = 0;

	for (size_t i = 0; i < r->header.n; i++)
		if (i != r->observation && i != r->time)
			column[n++] = r->header.name[i];
	r->table = obs_table_new(column, n);
	free(column);
	for (size_t i = 0; i < r->groups.n; i++) {
		struct sheet *s = &r->sheet[i];

		if (!s->n_rows) /* its only row was cut */
			continue;
		s->obs = obs_table_add(r->table, strchr(r->groups.name[i], '/') + 1, r->name);
		s->obs->exact = r->exact;
		s->obs->decimals = s->decimals;
	}
	return r->table;
}

/* Exact totals are added up. Where some rows have no count, the sum is no total. */
static void
drop_partial_totals(struct reader *r)
{
	struct names dropped = {0};
	struct str list = {0};

	for (size_t i = 0; i < r->table->n; i++) {
		struct obs *o = r->table->obs[i];

		for (size_t j = 0; j < o->n_columns; j++) {
			size_t counted = 0;

			for (size_t row = 0; row < o->n_rows; row++)
				counted += o->counted[row * o->n_columns + j];
			if (!counted || counted == o->n_rows)
				continue;
			obs_forget_column(o, j, OBS_ABSENT);
			names_add(&dropped, r->table->column[j], strlen(r->table->column[j]));
		}
	}
	for (size_t i = 0; i < dropped.n; i++)
		str_addf(&list, "%s%s", i ? ", " : "", dropped.name[i]);
	if (dropped.n)
		obs_table_note(r->table, str_format("%s: left out, because exact totals are added up and some rows have no count: %s", r->name, str_text(&list)));
	str_free(&list);
	names_free(&dropped);
}

static void
note(const struct reader *r, const struct tally *t, const char *text)
{
	if (t->n)
		obs_table_note(r->table, str_format("%s:%d: %s", r->name, t->line, text));
}

static void
finish(struct reader *r)
{
	for (size_t i = 0; i < r->groups.n; i++)
		if (r->sheet[i].obs && r->sheet[i].back && !r->sheet[i].untimed)
			order_rows(r->sheet[i].obs);
	if (r->exact)
		drop_partial_totals(r);
	note(r, &r->again, "the header again: what follows are observations of their own");
	note(r, &r->back, "time goes back here: rows are put in the order of their times");
	note(r, &r->cut, "the last line is not whole and left out: is the file still being written?");
	note(r, &r->open_end, "the last line has no newline: if the file is still being written its last number may be cut short");
}

static bool
look_through(struct reader *r, const char *text, size_t n)
{
	if (!cells_open(&r->cells, r->name, text, n, r->e))
		return false;
	cells_more(&r->cells);
	r->header_text = r->cells.p;
	if (!read_header(r))
		return false;
	r->header_size = (size_t)(r->cells.p - r->header_text);
	while (r->header_size && strchr("\r\n", r->header_text[r->header_size - 1]))
		r->header_size--;
	r->count = mem_new_array(r->n_counters, sizeof *r->count);
	r->counted = mem_new_array(r->n_counters, 1);
	r->places = mem_new_array(r->n_counters, 1);
	r->line = mem_new_array(r->n_counters, sizeof *r->line);
	r->col = mem_new_array(r->n_counters, sizeof *r->col);
	return true;
}

static bool
read_all(struct reader *r, const char *text, size_t n)
{
	struct cells rows;

	if (!look_through(r, text, n))
		return false;
	rows = r->cells;
	if (!pass(r))
		return false;
	if (r->n_rows == 0) {
		err_set(r->e, "there is a header, but no %srow below it", r->cut.n ? "whole " : "");
		err_hint(r->e, r->cut.n ? "is the file still being written?" : "each row is one sample");
		return err_place(r->e, r->name, 0, 0);
	}
	new_table(r);
	r->cells = rows;
	if (!pass(r))
		return false;
	finish(r);
	return true;
}

struct obs_table *
csv_read(const char *name, const char *text, size_t n, bool exact, struct err *e)
{
	struct reader r = {.name = name, .observation = NONE, .time = NONE, .exact = exact, .e = e};
	bool good = read_all(&r, text, n);

	str_free(&r.cell.text);
	names_free(&r.header);
	names_free(&r.groups);
	free(r.sheet);
	free(r.count);
	free(r.counted);
	free(r.places);
	free(r.line);
	free(r.col);
	if (!good) {
		obs_table_free(r.table);
		return NULL;
	}
	return r.table;
}
