#include "collect/import/csv_plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "collect/import/decimal.h"
#include "collect/import/digits.h"

#define CELL_MOST 64     /* bytes of a cell that is not all digits; longer ones are not plain */
#define NAMES_LOOKED 64  /* an observation's name is looked up among this many earlier names */

static inline bool
ends_cell(char c)
{
	return c == ',' || c == '\n';
}

/* Reads a cell as csv_row.c does, except cells that span lines: its text without quotes, or without blanks around it.
 * Returns what follows the cell, or NULL where csv_row.c must read it. */
static const char *
csv_plain_take_text(const char *p, const char *end, const char **text, size_t *n)
{
	const char *from, *to;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	if (p < end && *p == '"') {
		for (from = ++p; p < end && *p != '"' && *p != '\n';)
			p++;
		if (p >= end || *p != '"')
			return NULL;
		to = p++;
		while (p < end && (*p == ' ' || *p == '\t'))
			p++;
		if (p < end && *p == '\r' && p + 1 < end && p[1] == '\n')
			p++;
	} else {
		for (from = p; p < end && !ends_cell(*p);)
			p++;
		to = p;
		if (to > from && to[-1] == '\r' && p < end && *p == '\n')
			to--;
		while (to > from && (to[-1] == ' ' || to[-1] == '\t'))
			to--;
	}
	if (p >= end || !ends_cell(*p))
		return NULL;
	*text = from;
	*n = (size_t)(to - from);
	return p;
}

/* Reads a count that is not just digits: in quotes, with blanks, as 1e6, or empty. */
static const char *
take_other_count(const char *p, const char *end, struct digits *digits)
{
	char word[CELL_MOST];
	struct decimal d = {0, 0};
	const char *text;
	size_t n;

	p = csv_plain_take_text(p, end, &text, &n);
	if (!p || n >= sizeof word || memchr(text, 0, n))
		return NULL;
	memcpy(word, text, n);
	word[n] = '\0';
	if (n && decimal_parse(word, &d) != DECIMAL_GOOD)
		return NULL;
	*digits = (struct digits){d.digits, n ? (unsigned)d.decimals : CSV_PLAIN_EMPTY};
	return p;
}

static inline const char *
take_count(const char *p, const char *end, struct digits *v)
{
	const char *q = digits_number(p, v);

	if (q && *q == '\r' && q[1] == '\n')
		q++;
	if (!q || !ends_cell(*q))
		return take_other_count(p, end, v);
	digits_trim(v);
	return q;
}

static const char *
take_time(const char *p, const char *end, double *seconds)
{
	char word[CELL_MOST];
	const char *text, *q;
	struct digits v;
	size_t n;

	q = digits_number(p, &v);
	if (q && ends_cell(*q) && v.all < DIGITS_EXACT) {
		*seconds = digits_value(&v);
		return q;
	}
	p = csv_plain_take_text(p, end, &text, &n);
	if (!p || n >= sizeof word || memchr(text, 0, n))
		return NULL;
	memcpy(word, text, n);
	word[n] = '\0';
	*seconds = NAN;
	return !n || str_to_double(word, seconds) ? p : NULL;
}

static bool
is_name(const struct csv_plain_name *name, const char *p, size_t n)
{
	return name->n == n && memcmp(name->p, p, n) == 0;
}

/* Returns the number of a name. A name that is not found gets a new number, so one name may have several. */
static uint32_t
number_name(struct csv_plain_rows *rows, const char *p, size_t n)
{
	size_t last = rows->n ? rows->name[rows->n - 1] : 0;

	if (rows->n_names && is_name(&rows->names[last], p, n))
		return (uint32_t)last;
	/* Interleaved observations take turns: try the next one. */
	if (last + 1 < rows->n_names && is_name(&rows->names[last + 1], p, n))
		return (uint32_t)last + 1;
	for (size_t i = 0; i < rows->n_names && i < NAMES_LOOKED; i++)
		if (is_name(&rows->names[i], p, n))
			return (uint32_t)i;
	mem_grow(&rows->names, &rows->names_cap, rows->n_names + 1, sizeof *rows->names);
	rows->names[rows->n_names] = (struct csv_plain_name){p, n};
	return (uint32_t)rows->n_names++;
}

static const char *
csv_plain_take_name(struct csv_plain_rows *r, const char *p, const char *end, uint32_t *name)
{
	const char *text;
	size_t n, bad;

	p = csv_plain_take_text(p, end, &text, &n);
	if (!p || !n)
		return NULL;
	*name = number_name(r, text, n);
	/* A new name may be invalid UTF-8. */
	return r->names[*name].p == text && !utf8_valid(text, n, &bad) ? NULL : p;
}

static void
csv_plain_make_room(struct csv_plain_rows *rows, size_t n_counters)
{
	size_t cap = rows->cap ? 2 * rows->cap : 256;

	if (rows->n < rows->cap)
		return;
	rows->count = mem_resize(rows->count, cap * n_counters, sizeof *rows->count);
	rows->places = mem_resize(rows->places, cap * n_counters, 1);
	rows->most = mem_resize(rows->most, cap, 1);
	rows->holes = mem_resize(rows->holes, cap, sizeof *rows->holes);
	rows->time = mem_resize(rows->time, cap, sizeof *rows->time);
	rows->name = mem_resize(rows->name, cap, sizeof *rows->name);
	rows->at = mem_resize(rows->at, cap, sizeof(const char *));
	rows->cap = cap;
}

/* Reads the row at p into the last row of *r. NULL when the row is not plain. */
static const char *
csv_plain_take_row(struct csv_plain_rows *rows, const struct csv_plain_shape *shape, const char *p, const char *end)
{
	int64_t *count = rows->count + rows->n * shape->n_counters;
	unsigned char *places = rows->places + rows->n * shape->n_counters;
	unsigned most = 0;
	bool holes = false;
	double time = NAN;
	uint32_t name = 0;

	rows->at[rows->n] = p;
	for (size_t column = 0; column < shape->n_columns; column++) {
		if (column == shape->time) {
			p = take_time(p, end, &time);
		} else if (column == shape->observation) {
			p = csv_plain_take_name(rows, p, end, &name);
		} else if (shape->left_out && shape->left_out[column]) {
			const char *text;
			size_t n;

			p = csv_plain_take_text(p, end, &text, &n);
		} else {
			struct digits v;

			p = take_count(p, end, &v);
			if (p) {
				*count++ = v.all;
				*places++ = (unsigned char)v.places;
				holes |= v.places == CSV_PLAIN_EMPTY;
				most = v.places > most && v.places != CSV_PLAIN_EMPTY ? v.places : most;
			}
		}
		/* A newline follows the last cell and no other cell. */
		if (!p || (*p == '\n') != (column + 1 == shape->n_columns))
			return NULL;
		p++;
	}
	if (p > end)
		return NULL;
	rows->time[rows->n] = time;
	rows->name[rows->n] = name;
	rows->most[rows->n] = (unsigned char)most;
	rows->holes[rows->n] = holes;
	return p;
}

static const char *
skip_empty_lines(struct csv_plain_rows *r, const char *p, const char *to)
{
	while (p < to && (*p == '\n' || (*p == '\r' && p + 1 < to && p[1] == '\n'))) {
		r->lines += *p == '\n';
		p++;
	}
	return p;
}

void
csv_plain_read(struct csv_plain_rows *rows, const struct csv_plain_shape *shape, const char *from, const char *to,
	const char *end)
{
	rows->n = rows->n_names = rows->lines = 0;
	for (rows->stop = from; (rows->stop = skip_empty_lines(rows, rows->stop, to)) < to; rows->n++, rows->lines++) {
		const char *after;

		csv_plain_make_room(rows, shape->n_counters);
		after = csv_plain_take_row(rows, shape, rows->stop, end);
		if (!after)
			return;
		rows->stop = after;
	}
}

void
csv_plain_free(struct csv_plain_rows *r)
{
	free(r->count);
	free(r->places);
	free(r->most);
	free(r->holes);
	free(r->time);
	free(r->name);
	free(r->at);
	free(r->names);
	*r = (struct csv_plain_rows){0};
}
