#include "collect/import/curve_csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "collect/import/csv_cells.h"
#include "core/curve/curve.h"

#define COLUMNS_MOST 1000
#define ROWS_MOST ((size_t)1 << 22)
#define VALUE_MOST 1e100 /* squares of larger numbers, and their sums, leave the range of a double */

enum role { ROLE_X, ROLE_MIN, ROLE_MEAN, ROLE_MAX, N_ROLES, ROLE_NONE = N_ROLES };

static const struct { const char *name; enum role role; } names[] = {
	{"x", ROLE_X}, {"icount", ROLE_X},
	{"min", ROLE_MIN}, {"minimum", ROLE_MIN},
	{"mean", ROLE_MEAN}, {"avg", ROLE_MEAN}, {"average", ROLE_MEAN}, {"median", ROLE_MEAN},
	{"y", ROLE_MEAN}, {"value", ROLE_MEAN},
	{"max", ROLE_MAX}, {"maximum", ROLE_MAX},
};

struct reader {
	struct curve *c;
	struct csv_cells cells;
	struct csv_cell cell;
	enum role role[COLUMNS_MOST];
	char *header[COLUMNS_MOST]; /* n_columns names */
	size_t n_columns;
	bool has[N_ROLES];
	size_t empty;               /* rows without a number */
	int first_empty;            /* line of the first one */
	size_t odd;                 /* rows whose mean is outside of min and max */
	int first_odd;              /* line of the first one */
};

static bool
curve_csv_fail(struct reader *r, struct err *e, const char *hint)
{
	err_place(e, r->cells.name, r->cell.line, r->cell.col);
	return hint ? err_hint(e, "%s", hint) : false;
}

static enum role
role_of(const char *name)
{
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcasecmp(names[i].name, name) == 0)
			return names[i].role;
	return ROLE_NONE;
}

static bool
curve_csv_is_number(const char *s)
{
	char *end;

	strtod(s, &end);
	return end != s && *end == '\0';
}

/* Spreadsheets of some countries, and robsize without --csv, do not write commas. */
static char
separator_of(const char *line, const char *end)
{
	static const char other[] = ";\t";
	size_t n = (size_t)(end - line);
	const char *stop = memchr(line, '\n', n);

	if (stop)
		n = (size_t)(stop - line);
	for (const char *s = other; *s && !memchr(line, ',', n); s++)
		if (memchr(line, *s, n))
			return *s;
	return ',';
}

static bool
read_names(struct reader *reader, struct err *e)
{
	size_t numbers = 0;

	do {
		enum role role;

		if (reader->n_columns == COLUMNS_MOST) {
			err_set(e, "the table has more than %d columns", COLUMNS_MOST);
			return curve_csv_fail(reader, e, NULL);
		}
		if (!csv_cells_next(&reader->cells, &reader->cell, e))
			return false;
		role = role_of(str_text(&reader->cell.text));
		if (role != ROLE_NONE && reader->has[role]) {
			err_set(e, "the table has two columns for the same: %s", str_text(&reader->cell.text));
			return curve_csv_fail(reader, e, "leave one of them out, or give it another name");
		}
		numbers += curve_csv_is_number(str_text(&reader->cell.text));
		if (role != ROLE_NONE)
			reader->has[role] = true;
		reader->header[reader->n_columns] = mem_str(str_text(&reader->cell.text));
		reader->role[reader->n_columns++] = role;
	} while (!reader->cell.last);
	if (numbers == reader->n_columns) {
		err_set(e, "the table has no header");
		return curve_csv_fail(reader, e, "write a first line such as x,min,mean,max");
	}
	return true;
}

/* Gives a role to columns whose names say nothing. */
static bool
settle_names(struct reader *reader, struct err *e)
{
	if (!reader->has[ROLE_X] && reader->role[0] == ROLE_NONE) {
		reader->role[0] = ROLE_X;
		reader->has[ROLE_X] = true;
	}
	if (reader->n_columns == 2 && reader->role[0] == ROLE_X && reader->role[1] == ROLE_NONE) {
		reader->role[1] = ROLE_MEAN;
		reader->has[ROLE_MEAN] = true;
	}
	if (!reader->has[ROLE_X] || !(reader->has[ROLE_MIN] || reader->has[ROLE_MEAN] || reader->has[ROLE_MAX])) {
		err_set(e, "the table has no column for %s", reader->has[ROLE_X] ? "the measured values" : "x");
		return curve_csv_fail(
			reader, e, "its header should be x,min,mean,max, or have other names of these columns");
	}
	for (size_t i = 0; i < reader->n_columns; i++) {
		if (reader->role[i] == ROLE_X)
			reader->c->x_name = mem_str(reader->header[i]);
		else if (reader->role[i] == ROLE_MEAN)
			reader->c->y_name = mem_str(reader->header[i]);
	}
	return true;
}

/* One cell as a number; NAN where it has none. */
static bool
curve_csv_read_number(struct reader *reader, double *out, struct err *e)
{
	const char *s = str_text(&reader->cell.text);

	*out = NAN;
	if (*s == '\0')
		return true;
	if (!curve_csv_is_number(s)) {
		err_set(e, "not a number: %s", s);
		return curve_csv_fail(reader, e, "cells of x, min, mean and max are numbers, or empty");
	}
	*out = strtod(s, NULL);
	if (!isfinite(*out))
		*out = NAN;
	if (fabs(*out) > VALUE_MOST) {
		err_set(e, "too large a number: %s", s);
		return curve_csv_fail(reader, e, "numbers of a curve are at most 1e100; an empty cell: not measured");
	}
	return true;
}

/* The mean is the middle of what is known, if it is not given itself. */
static double
curve_csv_mean_of(const struct reader *r, const double *value)
{
	if (r->has[ROLE_MEAN])
		return value[ROLE_MEAN];
	if (r->has[ROLE_MIN] && r->has[ROLE_MAX])
		return (value[ROLE_MIN] + value[ROLE_MAX]) / 2;
	return value[r->has[ROLE_MIN] ? ROLE_MIN : ROLE_MAX];
}

static bool
curve_csv_read_row(struct reader *reader, struct err *e)
{
	double value[N_ROLES] = {NAN, NAN, NAN, NAN};
	struct curve_point p;
	size_t column = 0;

	do {
		if (!csv_cells_next(&reader->cells, &reader->cell, e))
			return false;
		if (column == reader->n_columns) {
			err_set(e, "the row has more cells than the header");
			return curve_csv_fail(reader, e, NULL);
		}
		if (reader->role[column] != ROLE_NONE &&
			!curve_csv_read_number(reader, &value[reader->role[column]], e))
			return false;
		column++;
	} while (!reader->cell.last);
	if (column < reader->n_columns) {
		err_set(e, "the row has %zu cells, and the header %zu", column, reader->n_columns);
		return curve_csv_fail(reader, e, "the file may have been cut off here");
	}
	p = (struct curve_point){.x = value[ROLE_X], .mean = curve_csv_mean_of(reader, value)};
	p.min = isnan(value[ROLE_MIN]) ? p.mean : value[ROLE_MIN];
	p.max = isnan(value[ROLE_MAX]) ? p.mean : value[ROLE_MAX];
	if (isnan(p.x) || isnan(p.mean)) {
		if (reader->empty++ == 0)
			reader->first_empty = reader->cell.line;
		return true;
	}
	if (reader->c->n == ROWS_MOST) {
		err_set(e, "the curve has more than %zu points", ROWS_MOST);
		return curve_csv_fail(reader, e, NULL);
	}
	if ((p.min > p.mean || p.mean > p.max) && reader->odd++ == 0)
		reader->first_odd = reader->cell.line;
	curve_add(reader->c, &p);
	return true;
}

static void
put_in_order(struct reader *reader)
{
	struct curve *curve = reader->c;
	size_t n = curve->n, back = 0;
	struct str s = {0};

	for (size_t i = 1; i < n; i++)
		back += curve->point[i].x < curve->point[i - 1].x;
	curve_sort(curve);
	if (reader->empty) {
		str_addf(&s, "%zu row%s without a number left out, the first in line %d", reader->empty,
			plural_s(reader->empty), reader->first_empty);
		curve_note(curve, str_take(&s));
	}
	if (reader->odd) {
		str_addf(&s, "%zu row%s a mean outside of min and max, the first in line %d", reader->odd,
			reader->odd == 1 ? " has" : "s have", reader->first_odd);
		curve_note(curve, str_take(&s));
	}
	if (back)
		curve_note(curve, str_format("the rows were not in the order of x, and are now"));
	if (curve->n < n) {
		str_addf(&s, "%zu row%s an x that another row has: each x counts once, with its mean", n - curve->n,
			n - curve->n == 1 ? " has" : "s have");
		curve_note(curve, str_take(&s));
	}
}

bool
curve_csv_read(const char *name, const char *text, size_t n, struct curve *curve, struct err *e)
{
	struct reader *reader = mem_new(sizeof *reader);
	bool good;

	reader->c = curve;
	curve->name = mem_str(name);
	csv_cells_begin_text(&reader->cells, name, text, n);
	good = csv_cells_row(&reader->cells);
	if (!good) {
		err_set(e, "no curve: the file is empty");
		err_place(e, name, 0, 0);
	}
	if (good)
		reader->cells.separator = separator_of(reader->cells.p, reader->cells.end);
	good = good && read_names(reader, e) && settle_names(reader, e);
	while (good && csv_cells_row(&reader->cells))
		good = curve_csv_read_row(reader, e);
	if (good)
		put_in_order(reader);
	for (size_t i = 0; i < reader->n_columns; i++)
		free(reader->header[i]);
	str_free(&reader->cell.text);
	free(reader);
	return good;
}
