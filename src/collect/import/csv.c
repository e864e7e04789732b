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
#include "collect/import/naming.h"
#include "core/obs/obs.h"

#define NONE ((size_t)-1)

struct value {
	struct decimal number;
	bool counted;
	int line, col;
};

struct row {
	size_t group;  /* which observation */
	size_t order;  /* in the file */
	double time;   /* NAN when there is none */
	size_t first;  /* index of its first value */
};

struct reader {
	const char *name;
	struct cells cells;
	struct cell cell;
	struct names header;       /* every column's name; the index is the column */
	size_t observation, time;  /* columns, NONE when absent */
	size_t n_counters;
	struct names groups;
	struct row *row;
	size_t n_rows, rows_cap;
	struct value *value;       /* n_rows × n_counters */
	size_t n_values, values_cap;
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

static bool
refuse_number(const struct reader *r, size_t column, enum decimal_fault fault)
{
	const char *text = str_text(&r->cell.text), *name = r->header.name[column];
	char shown[80];

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
read_time(struct reader *r, struct row *row)
{
	char shown[80];

	if (!r->cell.text.n || str_to_double(str_text(&r->cell.text), &row->time))
		return true;
	err_set(r->e, "time is not a number of seconds: \"%s\"", short_text(&r->cell.text, shown, sizeof shown));
	return refuse_here(r, NULL);
}

static bool
read_count(struct reader *r, size_t column)
{
	struct value v = {.line = r->cell.line, .col = r->cell.col, .counted = r->cell.text.n > 0};

	if (v.counted) {
		/* A NUL cannot be here: the whole text was looked at. */
		enum decimal_fault fault = decimal_parse(str_text(&r->cell.text), &v.number);

		if (fault != DECIMAL_GOOD)
			return refuse_number(r, column, fault);
	}
	mem_grow(&r->value, &r->values_cap, r->n_values + 1, sizeof *r->value);
	r->value[r->n_values++] = v;
	return true;
}

static bool
read_row_cell(struct reader *r, struct row *row, size_t column)
{
	if (column == r->time)
		return read_time(r, row);
	if (column != r->observation)
		return read_count(r, column);
	if (!r->cell.text.n) {
		err_set(r->e, "observation has no name");
		return refuse_here(r, "name it in every row, or leave the column out");
	}
	row->group = names_add(&r->groups, str_text(&r->cell.text), r->cell.text.n);
	return true;
}

static bool
read_row(struct reader *r)
{
	struct row row = {.order = r->n_rows, .time = NAN, .first = r->n_values};
	size_t column = 0;

	do {
		if (!cells_next(&r->cells, &r->cell, r->e))
			return false;
		if (column == r->header.n) {
			err_set(r->e, "a cell too many: the header has %zu columns", r->header.n);
			return refuse_here(r, NULL);
		}
		if (!read_row_cell(r, &row, column))
			return false;
		column++;
	} while (!r->cell.last);
	if (column < r->header.n) {
		err_set(r->e, "the row ends after %zu of %zu cells: %s is missing", column, r->header.n, r->header.name[column]);
		return refuse_here(r, "leave a cell empty where nothing was counted, but keep its comma");
	}
	mem_grow(&r->row, &r->rows_cap, r->n_rows + 1, sizeof *r->row);
	r->row[r->n_rows++] = row;
	return true;
}

static int
compare_rows(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	/* Rows without a time keep their place: then none of the observation's has one that counts. */
	if (!isnan(x->time) && !isnan(y->time) && x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* One missing time makes an order by time impossible: the file's order stands. */
static void
drop_partial_times(struct reader *r)
{
	bool *partial = mem_new_array(r->groups.n, sizeof *partial);

	for (size_t i = 0; i < r->n_rows; i++)
		partial[r->row[i].group] = partial[r->row[i].group] || isnan(r->row[i].time);
	for (size_t i = 0; i < r->n_rows; i++)
		if (partial[r->row[i].group])
			r->row[i].time = NAN;
	free(partial);
}

static int
decimals_of(const struct reader *r, size_t from, size_t to)
{
	int decimals = 0;

	for (size_t i = from; i < to; i++)
		for (size_t j = 0; j < r->n_counters; j++) {
			const struct value *v = &r->value[r->row[i].first + j];

			if (v->counted && v->number.decimals > decimals)
				decimals = v->number.decimals;
		}
	return decimals;
}

/* Rows from … to - 1 are one observation's. */
static bool
add_observation(const struct reader *r, struct obs_table *t, size_t from, size_t to, bool exact)
{
	struct obs *o = obs_table_add(t, r->groups.name[r->row[from].group], r->name);
	int64_t *count = mem_new_array(r->n_counters, sizeof *count);
	unsigned char *counted = mem_new_array(r->n_counters, sizeof *counted);
	bool good = true;

	o->exact = exact;
	o->decimals = decimals_of(r, from, to);
	for (size_t i = from; i < to && good; i++) {
		for (size_t j = 0; j < r->n_counters && good; j++) {
			const struct value *v = &r->value[r->row[i].first + j];

			counted[j] = v->counted;
			count[j] = 0;
			if (v->counted && !decimal_scale(&v->number, o->decimals, &count[j])) {
				err_set(r->e, "%s does not fit into 64 bits with the %d decimals of this observation", t->column[j], o->decimals);
				err_hint(r->e, "round the fractions, or give them an observation of their own");
				good = err_place(r->e, r->name, v->line, v->col);
			}
		}
		if (good)
			obs_add_row(o, count, counted, r->row[i].time);
	}
	free(count);
	free(counted);
	return good;
}

static struct obs_table *
make_table(struct reader *r, bool exact)
{
	const char **column = mem_new_array(r->n_counters, sizeof *column);
	struct obs_table *t;
	size_t n = 0;

	for (size_t i = 0; i < r->header.n; i++)
		if (i != r->observation && i != r->time)
			column[n++] = r->header.name[i];
	t = obs_table_new(column, n);
	free(column);
	drop_partial_times(r);
	qsort(r->row, r->n_rows, sizeof *r->row, compare_rows);
	for (size_t from = 0, to; from < r->n_rows; from = to) {
		for (to = from + 1; to < r->n_rows && r->row[to].group == r->row[from].group;)
			to++;
		if (!add_observation(r, t, from, to, exact)) {
			obs_table_free(t);
			return NULL;
		}
	}
	return t;
}

static bool
read_all(struct reader *r, const char *text, size_t n)
{
	char *name;

	if (!cells_open(&r->cells, r->name, text, n, r->e) || !read_header(r))
		return false;
	if (r->observation == NONE) {
		name = naming_after_file(r->name);
		names_add(&r->groups, name, strlen(name));
		free(name);
	}
	while (cells_more(&r->cells))
		if (!read_row(r))
			return false;
	if (r->n_rows > 0)
		return true;
	err_set(r->e, "there is a header, but no row below it");
	err_hint(r->e, "each row is one sample");
	return err_place(r->e, r->name, 0, 0);
}

struct obs_table *
csv_read(const char *name, const char *text, size_t n, bool exact, struct err *e)
{
	struct reader r = {.name = name, .observation = NONE, .time = NONE, .e = e};
	struct obs_table *t = read_all(&r, text, n) ? make_table(&r, exact) : NULL;

	str_free(&r.cell.text);
	names_free(&r.header);
	names_free(&r.groups);
	free(r.row);
	free(r.value);
	return t;
}
