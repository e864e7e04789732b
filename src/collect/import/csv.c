/* A wide CSV: its header, and one row at a time by the general reader, which understands all of RFC 4180. Nearly all
 * rows of a large file are plain; csv_window.c reads those a window at a time. */
#include "collect/import/csv.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "collect/import/csv_reader.h"
#include "collect/import/feed.h"
#include "collect/import/import.h"
#include "core/obs/obs.h"

#define ROW_LONGEST ((ptrdiff_t)64 << 20) /* bytes; a quoted cell that is longer counts as unclosed */

/* Checks that the text up to `to` is text: no NUL bytes, valid UTF-8. False and *e when it is not. */
static bool
check_text(struct csv_reader *r, const char *to)
{
	struct feed *f = r->feed;
	const char *from = r->checked > f->p ? r->checked : f->p;
	size_t bad, line = (size_t)r->line;

	if (from >= to || utf8_valid(from, (size_t)(to - from), &bad)) {
		r->checked = to;
		return true;
	}
	for (const char *p = f->p; p < from + bad; p++)
		line += *p == '\n';
	if (from[bad] == '\0')
		err_set(r->e, "not a text file: byte %llu is NUL", (unsigned long long)feed_at(f, from + bad) + 1);
	else
		err_set(r->e, "not UTF-8: byte %llu is 0x%02x", (unsigned long long)feed_at(f, from + bad) + 1,
			(unsigned)(unsigned char)from[bad]);
	err_hint(r->e, "a wide CSV is plain text: a header of counter names, one row per sample");
	return err_place(r->e, f->name, line > INT_MAX ? 0 : (int)line, 0);
}

/* Returns the place after the last newline of the window; after all of it at the end of a text that was read whole
 * (feed_watch did not stop it). */
const char *
csv_end_of_lines(const struct feed *f)
{
	bool whole = f->over && !f->stopped;
	const char *last = whole ? NULL : memrchr(f->p, '\n', (size_t)(f->end - f->p));

	return whole ? f->end : last ? last + 1 : f->p;
}

bool
csv_more(struct csv_reader *r)
{
	r->checked = NULL;
	return r->table ? feed_more_rows(r->feed, r->how, r->table, r->e) : feed_more(r->feed, r->e);
}

static void
leave_row(struct csv_reader *r)
{
	r->feed->p = r->cells.p;
	r->line = r->cells.line;
}

/* Handles a repeated header. It means that files were concatenated: the rows after it belong to observations of their
 * own.
 */
static enum csv_step
skip_header(struct csv_reader *r, bool *skipped)
{
	size_t left = (size_t)(r->cells.end - r->cells.p);
	const char *after;

	*skipped = false;
	if (memcmp(r->cells.p, r->header_text, left < r->header_size ? left : r->header_size) != 0)
		return CSV_STEP_ON;
	if (left <= r->header_size && !r->feed->over)
		return CSV_STEP_MORE;
	after = r->cells.p + r->header_size;
	if (left < r->header_size || (after < r->cells.end && *after != '\n' && *after != '\r'))
		return CSV_STEP_ON;
	csv_count_line(&r->again, r->cells.line);
	r->cells.p = after;
	r->part++;
	*skipped = true;
	return CSV_STEP_ON;
}

static bool
has_no_newline(const struct csv_reader *r)
{
	return r->cells.p == r->cells.end && r->cells.end[-1] != '\n' && r->cells.line == r->cell.line;
}

static bool
store_cells(struct csv_reader *r)
{
	bool holes = memchr(r->places, CSV_PLAIN_EMPTY, r->shape.n_counters) != NULL;

	if (has_no_newline(r) && !r->cell.quoted)
		csv_count_line(&r->open_end, r->cell.line);
	return csv_store_row(r, r->at, r->count, r->places, (unsigned)r->decimals, holes, r->when, r->cell.line);
}

/* Reads the line at feed->p with the general reader. */
enum csv_step
csv_read_one(struct csv_reader *r)
{
	struct feed *f = r->feed;
	enum csv_step step;
	bool skipped;

	if (!check_text(r, csv_end_of_lines(f)))
		return CSV_STEP_BAD;
	csv_cells_begin(&r->cells, f->name, f->p, csv_end_of_lines(f), r->line);
	r->cells.separator = r->separator;
	if (!csv_cells_more(&r->cells)) {
		leave_row(r);
		return CSV_STEP_ON;
	}
	leave_row(r);
	step = skip_header(r, &skipped);
	if (skipped)
		leave_row(r);
	if (skipped || step != CSV_STEP_ON)
		return step;
	if (r->shape.observation == CSV_PLAIN_NONE && !r->label)
		r->at = csv_find_sheet(r, r->own_name, strlen(r->own_name));
	r->row_start = r->cells.p;
	switch (csv_read_row(r)) {
	case CSV_ROW_GOOD:
		if (r->cells.p == r->cells.end && r->cells.end[-1] != '\n' && !f->over)
			return CSV_STEP_MORE;
		if (!store_cells(r))
			return CSV_STEP_BAD;
		leave_row(r);
		return CSV_STEP_ON;
	case CSV_ROW_CUT:
		if (!f->over)
			return CSV_STEP_MORE;
		csv_count_line(&r->cut, r->cell.line);
		err_set(r->e, "%s", "");
		leave_row(r);
		f->cut = r->row_start;
		f->p = f->end;
		return CSV_STEP_ON;
	case CSV_ROW_BAD:
		/* A fault at the end of the window may vanish when more of the text has been read. */
		return r->cells.p == r->cells.end && !f->over && f->end - f->p < ROW_LONGEST ? CSV_STEP_MORE
			: CSV_STEP_BAD;
	}
	return CSV_STEP_BAD;
}

static size_t
line_length(const struct csv_cells *c, const char *p)
{
	const char *end = p < c->end ? memchr(p, '\n', (size_t)(c->end - p)) : NULL;

	return end ? (size_t)(end - p) : p < c->end ? (size_t)(c->end - p) : 0;
}

/* Passes over comments above the header. A last one that stands right above numbers is the header itself, as numpy
 * writes it: only its mark is passed over. */
static void
skip_comments(struct csv_cells *c)
{
	while (csv_cells_more(c) && *c->p == '#') {
		const char *next = c->p + line_length(c, c->p);

		next += next < c->end;
		if (next < c->end && (isdigit((unsigned char)*next) || strchr("-. \t", *next))) {
			c->p++;
			while (c->p < c->end && *c->p == ' ')
				c->p++;
			return;
		}
		if (next == c->end || *next == '\n')
			return;
		c->p = next - 1;
	}
}

/* Finds the separator: the one that spreadsheets name in a first line "sep=;", or what stands in the header, if that is
 * no comma. */
static void
find_separator(struct csv_reader *r)
{
	struct csv_cells *c = &r->cells;
	size_t n, quote;

	r->separator = ',';
	skip_comments(c);
	n = line_length(c, c->p);
	n -= n && c->p[n - 1] == '\r';
	quote = n == 7 && *c->p == '"' && c->p[6] == '"';
	if (n == 5 + 2 * quote && memcmp(c->p + quote, "sep=", 4) == 0 && strchr(",;\t|", c->p[4 + quote])) {
		r->separator = c->p[4 + quote];
		c->p += n;
		csv_cells_more(c);
	} else if (!memchr(c->p, ',', n) && *c->p != '|') {
		for (const char *s = ";\t|"; *s && r->separator == ','; s++)
			if (memchr(c->p, *s, n))
				r->separator = *s;
	}
	c->separator = r->separator;
}

static void
begin_header(struct csv_reader *r)
{
	names_free(&r->header);
	r->header = (struct names){0};
	r->shape = (struct csv_plain_shape){.observation = CSV_PLAIN_NONE, .time = CSV_PLAIN_NONE};
	csv_cells_begin(&r->cells, r->feed->name, r->feed->p, r->feed->end, 1);
	find_separator(r);
}

/* Takes the header at `text`, and decides what the columns are. False and *e when none of them can be read. */
static bool
csv_take_header(struct csv_reader *r, const char *text)
{
	size_t n = r->header.n, counter = 0;
	const char **column;

	r->header_size = (size_t)(r->cells.p - text);
	while (r->header_size && strchr("\r\n", text[r->header_size - 1]))
		r->header_size--;
	r->header_text = mem_strn(text, r->header_size);
	leave_row(r);
	r->shape.n_columns = n;
	if (!csv_choose_columns(r))
		return false;
	r->shape.left_out = memchr(r->left_out, 1, n) ? r->left_out : NULL;
	column = mem_new_array(n, sizeof *column);
	for (size_t i = 0; i < n; i++)
		if (i != r->shape.observation && i != r->shape.time && !r->left_out[i] && !(r->label && r->label[i]))
			column[counter++] = r->header.name[i];
	r->table = obs_table_new(column, counter);
	free(column);
	csv_read_units(r, counter);
	r->plain = !r->how->careful && r->separator == ',' && r->time_unit == 1 && !r->label;
	r->count = mem_new_array(counter, sizeof *r->count);
	r->scaled = mem_new_array(counter, sizeof *r->scaled);
	r->counted = mem_new_array(counter, 1);
	r->places = mem_new_array(counter, 1);
	r->cell_line = mem_new_array(counter, sizeof *r->cell_line);
	r->cell_col = mem_new_array(counter, sizeof *r->cell_col);
	return true;
}

static bool
read_header(struct csv_reader *r)
{
	struct feed *f = r->feed;

	if (f->end - f->p >= 3 && memcmp(f->p, "\xef\xbb\xbf", 3) == 0)
		f->p += 3;
	for (;;) {
		const char *text, *nul = memchr(f->p, '\0', (size_t)(f->end - f->p));
		bool good;

		/* Text with a NUL byte or broken UTF-8 may have no newline at all, so it is checked first. */
		if (!check_text(r, nul ? nul + 1 : csv_end_of_lines(f)))
			return false;
		begin_header(r);
		csv_cells_more(&r->cells);
		text = r->cells.p;
		good = csv_read_header(r);
		if (f->over || r->cells.p < r->cells.end || (good && r->cells.end[-1] == '\n')) {
			return good && csv_take_header(r, text);
		}
		if (!csv_more(r))
			return false;
	}
}

/* Puts rows in order and notes what was found. Rows that were handed to the drain are put in order first. False and *e
 * on failure. */
static bool
finish(struct csv_reader *r)
{
	const struct import_drain *d = r->how->drain;
	bool gone = d && d->begun;

	for (size_t i = 0; i < r->table->n && d; i++)
		gone |= r->table->obs[i]->folded > 0;
	if (gone && !d->take(d->ctx, r->table, r->feed, r->e))
		return false;
	if (!(d && r->feed->stopped) && !csv_finish(r))
		return false;
	return !d || d->take(d->ctx, r->table, r->feed, r->e);
}

static bool
csv_read_all(struct csv_reader *r)
{
	while (!r->feed->over && r->feed->end - r->feed->p < 3)
		if (!csv_more(r))
			return false;
	if (!read_header(r) || !csv_read_rows(r))
		return false;
	if (r->n_rows == 0 && !r->feed->stopped) {
		err_set(r->e, "there is a header, but no %srow below it", r->cut.n ? "whole " : "");
		err_hint(r->e, r->cut.n ? "is the file still being written?" : "each row is one sample");
		return err_place(r->e, r->feed->name, 0, 0);
	}
	return finish(r);
}

struct obs_table *
csv_read_feed(struct feed *f, const struct import_how *how, struct err *e)
{
	struct csv_reader r = {.feed = f, .how = how, .e = e, .line = 1, .own_name = feed_own_name(f->name),
		.room = {.near = how->near}};
	bool good = csv_read_all(&r);

	f->hasty = obs_room_was_hasty(&r.room) && !f->stopped;
	str_free(&r.cell.text);
	for (size_t i = 0; i < r.groups.n; i++)
		free(r.sheet[i].counted);
	free(r.sheet);
	names_free(&r.header);
	names_free(&r.groups);
	free(r.own_name);
	free(r.header_text);
	free(r.left_out);
	free(r.label);
	str_free(&r.roles);
	str_free(&r.of);
	str_free(&r.place);
	free(r.metrics);
	for (size_t i = 0; r.unit && i < r.shape.n_counters; i++)
		free(r.unit[i]);
	free(r.unit);
	free(r.count);
	free(r.scaled);
	free(r.counted);
	free(r.places);
	free(r.cell_line);
	free(r.cell_col);
	if (good)
		return r.table;
	obs_table_free(r.table);
	return NULL;
}

struct obs_table *
csv_read(const char *name, const char *text, size_t n, bool exact, struct err *e)
{
	struct import_how how = {.exact = exact, .near = GATHER_NEAR_CELLS};

	return feed_read_text(csv_read_feed, name, text, n, 0, &how, e);
}
