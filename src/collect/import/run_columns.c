#include "collect/import/run_columns.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/import/run_table.h"

#define EXACT_MAX 9007199254740991.0 /* 2^53 - 1: of larger counts, a double may show another one */

/* The first name of a column is the one that messages use. */
static const struct { const char *name; enum run_column column; } names[] = {
	{"machine", RUN_COLUMN_MACHINE},
	{"event", RUN_COLUMN_EVENT},
	{"test", RUN_COLUMN_TEST},
	{"benchmark", RUN_COLUMN_TEST},
	{"program", RUN_COLUMN_TEST},
	{"counters", RUN_COLUMN_NAMES},
	{"run", RUN_COLUMN_RUN},
	{"counter", RUN_COLUMN_COUNTER},
	{"count", RUN_COLUMN_COUNT},
	{"second_counter", RUN_COLUMN_SECOND},
	{"second_count", RUN_COLUMN_SECOND_COUNT},
	{"hw_int_rcv", RUN_COLUMN_INTERRUPTS},
	{"interrupts", RUN_COLUMN_INTERRUPTS},
	{"page_faults", RUN_COLUMN_FAULTS},
	{"page-faults", RUN_COLUMN_FAULTS},
	{"context_switches", RUN_COLUMN_SWITCHES},
	{"context-switches", RUN_COLUMN_SWITCHES},
	{"timer_interrupts_all_cpus", RUN_COLUMN_TIMER},
	{"interrupts_all_cpus", RUN_COLUMN_ALL_INTERRUPTS},
	{"seconds", RUN_COLUMN_SECONDS},
	{"ref_cycles", RUN_COLUMN_REFERENCE},
	{"ref-cycles", RUN_COLUMN_REFERENCE},
	{"steal_seconds", RUN_COLUMN_STEAL},
	{"running", RUN_COLUMN_RUNNING},
	{"expected", RUN_COLUMN_EXPECTED},
};
#define N_NAMES (sizeof names / sizeof names[0])

static const char *const events[] = {"instructions", "branches", "loads", "stores"};

/* The column's name as documents write it. */
static const char *
run_column_name(enum run_column c)
{
	size_t i = 0;

	while (names[i].column != c)
		i++;
	return names[i].name;
}

/* Lower case, blanks as underscores. */
static char *
plain_name(const struct csv_cell *cell)
{
	char *s = mem_str(str_text(&cell->text));

	for (char *p = s; *p; p++)
		*p = isspace((unsigned char)*p) ? '_' : (char)tolower((unsigned char)*p);
	return s;
}

static bool
is_event(const char *name)
{
	for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
		if (str_eq(events[i], name))
			return true;
	return false;
}

static bool
run_columns_add_column(struct run_reader *reader, const struct csv_cell *cell, struct err *e)
{
	char *name = plain_name(cell);

	mem_grow(&reader->column, &reader->columns_cap, reader->n_columns + 1, sizeof *reader->column);
	for (size_t i = 0; i < N_NAMES; i++) {
		if (!str_eq(names[i].name, name))
			continue;
		free(name);
		if (reader->row.has[names[i].column]) {
			err_set(e, "the column %s occurs twice", names[i].name);
			return err_place(e, reader->cells.name, cell->line, cell->col);
		}
		reader->row.has[names[i].column] = true;
		reader->column[reader->n_columns++] = (int)names[i].column;
		return true;
	}
	mem_grow(&reader->other, &reader->cap, reader->n_others + 1, sizeof *reader->other);
	reader->other[reader->n_others] = (struct run_other){.name = name, .is_event = is_event(name)};
	reader->column[reader->n_columns++] = ~(int)reader->n_others++;
	return true;
}

bool
run_reader_begin(struct run_reader *reader, const char *name, const char *text, size_t n, struct err *e)
{
	reader->row.name = name;
	csv_cells_begin_text(&reader->cells, name, text, n);
	if (!csv_cells_row(&reader->cells)) {
		err_set(e, "no table: the file is empty");
		return err_place(e, name, 0, 0);
	}
	do {
		if (reader->n_columns >= 1000) {
			err_set(e, "no table: its first line has more than 1000 cells");
			return err_place(e, name, reader->spare.line, 0);
		}
		if (!csv_cells_next(&reader->cells, &reader->spare, e) ||
			!run_columns_add_column(reader, &reader->spare, e))
			return false;
	} while (!reader->spare.last);
	return true;
}

void
run_reader_end(struct run_reader *reader)
{
	for (size_t i = 0; i < reader->n_others; i++) {
		free(reader->other[i].name);
		str_free(&reader->other[i].cell.text);
	}
	for (int c = 0; c < RUN_N_COLUMNS; c++)
		str_free(&reader->row.cell[c].text);
	str_free(&reader->spare.text);
	free(reader->other);
	free(reader->column);
	*reader = (struct run_reader){0};
}

bool
run_reader_needs(const struct run_reader *r, enum run_column c, struct err *e)
{
	if (r->row.has[c])
		return true;
	err_set(e, "the table has no column %s", run_column_name(c));
	err_hint(e, "a table of runs has event,count and perhaps machine,test,run; one of expected counts "
		"event,test,expected");
	return err_place(e, r->cells.name, 1, 0);
}

bool
run_reader_more(struct run_reader *r)
{
	return csv_cells_row(&r->cells);
}

bool
run_reader_next(struct run_reader *reader, struct err *e)
{
	size_t i = 0;
	bool last = false;

	if (budget_poll(&reader->budget, 0))
		return budget_refuse(&reader->budget, reader->row.name, e);
	reader->row.line = reader->cells.line;
	for (; !last && i < reader->n_columns; i++) {
		struct csv_cell *cell = reader->column[i] >= 0 ? &reader->row.cell[reader->column[i]]
							       : &reader->other[~reader->column[i]].cell;

		if (!csv_cells_next(&reader->cells, cell, e))
			return false;
		if (memchr(str_text(&cell->text), 0, cell->text.n)) {
			err_set(e, "a cell has a NUL byte: this is no table");
			return err_place(e, reader->row.name, cell->line, cell->col);
		}
		last = cell->last;
	}
	if (last && i == reader->n_columns)
		return true;
	if (last)
		err_set(e, "the row has %zu cells, the header %zu", i, reader->n_columns);
	else
		err_set(e, "the row has more cells than the header, which has %zu", reader->n_columns);
	return err_place(e, reader->row.name, reader->row.line, 0);
}

static bool
is_nothing(const char *s)
{
	return !*s || *s == '<' || str_eq(s, "-") || str_eq(s, "nan") || str_eq(s, "NA");
}

/* Bytes of what may stand between groups of digits; 0: s does not begin with it. */
static size_t
separator_at(const char *s, bool quoted)
{
	/* the last three: spaces that do not break, or are thin, or both */
	static const char *const any[] = {" ", "_", "\xc2\xa0", "\xe2\x80\x89", "\xe2\x80\xaf"};

	for (size_t i = 0; i < sizeof any / sizeof *any; i++)
		if (str_starts(s, any[i]))
			return strlen(any[i]);
	return quoted && *s == ',';
}

/* Copies a number without what stands between its groups of digits. Returns false if it groups no thousands: a comma in
 * "1,5" stands for a point. */
static bool
join_groups(const char *s, bool quoted, struct str *digits)
{
	while (*s) {
		size_t n = separator_at(s, quoted);

		if (n && (!digits->n || strspn(s + n, "0123456789") != 3))
			return false;
		if (*s == ',' && n && strchr(str_text(digits), '.'))
			return false;
		if (!n)
			str_addc(digits, *s);
		s += n ? n : 1;
	}
	return true;
}

static bool
run_columns_parse_number(
	const struct csv_cell *cell, const char *file, const char *column, double most, double *out, struct err *e)
{
	const char *s = str_text(&cell->text);
	struct str digits = {0};
	bool good;

	*out = NAN;
	if (is_nothing(s))
		return true;
	good = join_groups(s, cell->quoted, &digits) && str_to_double(str_text(&digits), out) && *out >= 0 &&
		*out <= most;
	str_free(&digits);
	if (good)
		return true;
	err_set(e, "'%s' in the column %s is no number %s", str_text(&cell->text), column,
		most == 1 ? "between 0 and 1" : "that a counter can show");
	err_hint(e, "numbers are 0 or more, below 2^53, with a point before decimals; an empty cell: not counted");
	return err_place(e, file, cell->line, cell->col);
}

bool
run_row_number(const struct run_row *row, enum run_column c, double most, double *out, struct err *e)
{
	*out = NAN;
	return !row->has[c] || run_columns_parse_number(&row->cell[c], row->name, run_column_name(c), most, out, e);
}

bool
run_other_number(const struct run_reader *r, size_t other, double *out, struct err *e)
{
	return run_columns_parse_number(&r->other[other].cell, r->row.name, r->other[other].name, EXACT_MAX, out, e);
}

enum run_table_kind
run_table_kind_of(const char *text, size_t n)
{
	struct run_reader r = {0};
	enum run_table_kind kind = RUN_TABLE_NONE;
	struct err e = {0};
	size_t n_events = 0;

	if (run_reader_begin(&r, "", text, n, &e)) {
		const bool *has = r.row.has;

		for (size_t i = 0; i < r.n_others; i++)
			n_events += r.other[i].is_event;
		if (has[RUN_COLUMN_EXPECTED] && has[RUN_COLUMN_EVENT] && !has[RUN_COLUMN_COUNT])
			kind = RUN_TABLE_EXPECTED;
		else if (has[RUN_COLUMN_EVENT] &&
			(has[RUN_COLUMN_COUNT] || has[RUN_COLUMN_TEST] || has[RUN_COLUMN_MACHINE]))
			kind = RUN_TABLE_RUNS; /* without a count its error says what is missing */
		else if (r.row.has[RUN_COLUMN_TEST] && !r.row.has[RUN_COLUMN_EVENT] && n_events)
			kind = RUN_TABLE_INSTRUMENTED;
	}
	run_reader_end(&r);
	return kind;
}
