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

/* Checks that the text up to `to` is text: no NUL bytes, valid UTF-8. Returns false and sets *e when it is not. */
static bool
check_text(struct csv_reader *reader, const char *to)
{
	struct feed *feed = reader->feed;
	const char *from = reader->checked > feed->p ? reader->checked : feed->p;
	size_t bad, line = (size_t)reader->line;

	if (from >= to || utf8_valid(from, (size_t)(to - from), &bad)) {
		reader->checked = to;
		return true;
	}
	for (const char *p = feed->p; p < from + bad; p++)
		line += *p == '\n';
	if (from[bad] == '\0')
		err_set(reader->e, "not a text file: byte %llu is NUL",
			(unsigned long long)feed_at(feed, from + bad) + 1);
	else
		err_set(reader->e, "not UTF-8: byte %llu is 0x%02x", (unsigned long long)feed_at(feed, from + bad) + 1,
			(unsigned)(unsigned char)from[bad]);
	err_hint(reader->e, "a wide CSV is plain text: a header of counter names, one row per sample");
	return err_place(reader->e, feed->name, line > INT_MAX ? 0 : (int)line, 0);
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
skip_header(struct csv_reader *reader, bool *skipped)
{
	size_t left = (size_t)(reader->cells.end - reader->cells.p);
	const char *after;

	*skipped = false;
	if (memcmp(reader->cells.p, reader->header_text, left < reader->header_size ? left : reader->header_size) != 0)
		return CSV_STEP_ON;
	if (left <= reader->header_size && !reader->feed->over)
		return CSV_STEP_MORE;
	after = reader->cells.p + reader->header_size;
	if (left < reader->header_size || (after < reader->cells.end && *after != '\n' && *after != '\r'))
		return CSV_STEP_ON;
	csv_count_line(&reader->again, reader->cells.line);
	reader->cells.p = after;
	reader->part++;
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
csv_read_one(struct csv_reader *reader)
{
	struct feed *feed = reader->feed;
	enum csv_step step;
	bool skipped;

	if (!check_text(reader, csv_end_of_lines(feed)))
		return CSV_STEP_BAD;
	csv_cells_begin(&reader->cells, feed->name, feed->p, csv_end_of_lines(feed), reader->line);
	reader->cells.separator = reader->separator;
	if (!csv_cells_more(&reader->cells)) {
		leave_row(reader);
		return CSV_STEP_ON;
	}
	leave_row(reader);
	step = skip_header(reader, &skipped);
	if (skipped)
		leave_row(reader);
	if (skipped || step != CSV_STEP_ON)
		return step;
	if (reader->shape.observation == CSV_PLAIN_NONE && !reader->label)
		reader->at = csv_find_sheet(reader, reader->own_name, strlen(reader->own_name));
	reader->row_start = reader->cells.p;
	switch (csv_read_row(reader)) {
	case CSV_ROW_GOOD:
		if (reader->cells.p == reader->cells.end && reader->cells.end[-1] != '\n' && !feed->over)
			return CSV_STEP_MORE;
		if (!store_cells(reader))
			return CSV_STEP_BAD;
		leave_row(reader);
		return CSV_STEP_ON;
	case CSV_ROW_CUT:
		if (!feed->over)
			return CSV_STEP_MORE;
		csv_count_line(&reader->cut, reader->cell.line);
		err_set(reader->e, "%s", "");
		leave_row(reader);
		feed->cut = reader->row_start;
		feed->p = feed->end;
		return CSV_STEP_ON;
	case CSV_ROW_BAD:
		/* A fault at the end of the window may vanish when more of the text has been read. */
		return reader->cells.p == reader->cells.end && !feed->over && feed->end - feed->p < ROW_LONGEST
			? CSV_STEP_MORE
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
find_separator(struct csv_reader *reader)
{
	struct csv_cells *cells = &reader->cells;
	size_t n, quote;

	reader->separator = ',';
	skip_comments(cells);
	n = line_length(cells, cells->p);
	n -= n && cells->p[n - 1] == '\r';
	quote = n == 7 && *cells->p == '"' && cells->p[6] == '"';
	if (n == 5 + 2 * quote && memcmp(cells->p + quote, "sep=", 4) == 0 && strchr(",;\t|", cells->p[4 + quote])) {
		reader->separator = cells->p[4 + quote];
		cells->p += n;
		csv_cells_more(cells);
	} else if (!memchr(cells->p, ',', n) && *cells->p != '|') {
		for (const char *s = ";\t|"; *s && reader->separator == ','; s++)
			if (memchr(cells->p, *s, n))
				reader->separator = *s;
	}
	cells->separator = reader->separator;
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

/* Takes the header at `text`, and decides what the columns are. Returns false and sets *e when none of them can be
 * read. */
static bool
csv_take_header(struct csv_reader *reader, const char *text)
{
	size_t n = reader->header.n, counter = 0;
	const char **column;

	reader->header_size = (size_t)(reader->cells.p - text);
	while (reader->header_size && strchr("\r\n", text[reader->header_size - 1]))
		reader->header_size--;
	reader->header_text = mem_strn(text, reader->header_size);
	leave_row(reader);
	reader->shape.n_columns = n;
	if (!csv_choose_columns(reader))
		return false;
	reader->shape.left_out = memchr(reader->left_out, 1, n) ? reader->left_out : NULL;
	column = mem_new_array(n, sizeof *column);
	for (size_t i = 0; i < n; i++)
		if (i != reader->shape.observation && i != reader->shape.time && !reader->left_out[i] &&
			!(reader->label && reader->label[i]))
			column[counter++] = reader->header.name[i];
	reader->table = obs_table_new(column, counter);
	free(column);
	csv_read_units(reader, counter);
	reader->plain = !reader->how->careful && reader->separator == ',' && reader->time_unit == 1 && !reader->label;
	reader->count = mem_new_array(counter, sizeof *reader->count);
	reader->scaled = mem_new_array(counter, sizeof *reader->scaled);
	reader->counted = mem_new_array(counter, 1);
	reader->places = mem_new_array(counter, 1);
	reader->cell_line = mem_new_array(counter, sizeof *reader->cell_line);
	reader->cell_col = mem_new_array(counter, sizeof *reader->cell_col);
	return true;
}

static bool
read_header(struct csv_reader *reader)
{
	struct feed *feed = reader->feed;

	if (feed->end - feed->p >= 3 && memcmp(feed->p, "\xef\xbb\xbf", 3) == 0)
		feed->p += 3;
	for (;;) {
		const char *text, *nul = memchr(feed->p, '\0', (size_t)(feed->end - feed->p));
		bool good, comment;

		/* Text with a NUL byte or broken UTF-8 may have no newline at all, so it is checked first. */
		if (!check_text(reader, nul ? nul + 1 : csv_end_of_lines(feed)))
			return false;
		begin_header(reader);
		csv_cells_more(&reader->cells);
		text = reader->cells.p;
		/* What follows a comment says whether it is the header. */
		comment = text < reader->cells.end && *text == '#';
		good = csv_read_header(reader);
		if (feed->over || reader->cells.p < reader->cells.end ||
			(good && !comment && reader->cells.end[-1] == '\n'))
			return good && csv_take_header(reader, text);
		if (!csv_more(reader))
			return false;
	}
}

/* Puts rows in order and notes what was found. Rows that were handed to the drain are put in order first. On failure
 * returns false and sets *e. */
static bool
finish(struct csv_reader *reader)
{
	const struct import_drain *drain = reader->how->drain;
	bool gone = drain && drain->begun;

	for (size_t i = 0; i < reader->table->n && drain; i++)
		gone |= reader->table->obs[i]->folded > 0;
	if (gone && !drain->take(drain->ctx, reader->table, reader->feed, reader->e))
		return false;
	if (!(drain && reader->feed->stopped) && !csv_finish(reader))
		return false;
	return !drain || drain->take(drain->ctx, reader->table, reader->feed, reader->e);
}

static bool
csv_read_all(struct csv_reader *reader)
{
	while (!reader->feed->over && reader->feed->end - reader->feed->p < 3)
		if (!csv_more(reader))
			return false;
	if (!read_header(reader) || !csv_read_rows(reader))
		return false;
	if (reader->n_rows == 0 && !reader->feed->stopped) {
		err_set(reader->e, "there is a header, but no %srow below it", reader->cut.n ? "whole " : "");
		err_hint(reader->e, reader->cut.n ? "is the file still being written?" : "each row is one sample");
		return err_place(reader->e, reader->feed->name, 0, 0);
	}
	return finish(reader);
}

struct obs_table *
csv_read_feed(struct feed *feed, const struct import_how *how, struct err *e)
{
	struct csv_reader r = {.feed = feed, .how = how, .e = e, .line = 1, .own_name = feed_own_name(feed->name),
		.room = {.near = how->near}};
	bool good = csv_read_all(&r);

	feed->hasty = obs_room_was_hasty(&r.room) && !feed->stopped;
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
