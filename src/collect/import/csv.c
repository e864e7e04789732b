/* A wide CSV, a window of its text at a time.
 *
 *     window   [ slice | slice | slice | slice ]     rows of each slice are read side by side, on all processors,
 *                 ▼       ▼       ▼       ▼          by csv_plain.c, until one is not plain
 *              rows    rows  x     rows    rows      and one after the other they go into their observations; a row
 * that is └ csv_row.c              not plain is read by csv_row.c, and the slice behind it again
 *
 * A slice begins after a newline. If that was one within quotes, the row that holds it is not plain and ends within the
 * slice, which is then read again from there. */
#include "collect/import/csv.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/parallel.h"
#include "base/str.h"
#include "base/utf8.h"
#include "collect/import/csv_reader.h"
#include "collect/import/feed.h"
#include "collect/import/naming.h"
#include "core/obs/obs.h"

#define SLICE_BYTES ((size_t)1 << 19) /* what is worth a thread */
#define SLICES_MOST 64
#define ROW_LONGEST ((ptrdiff_t)64 << 20) /* a quote that is not closed within so many bytes is not closed */

/* False and *e when the text up to `to` is no text: NUL bytes, broken UTF-8. */
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

/* Behind the last newline of the window; where the text is over, and not by somebody's wish, behind all of it. */
static const char *
end_of_lines(const struct feed *f)
{
	bool whole = f->over && !f->stopped;
	const char *last = whole ? NULL : memrchr(f->p, '\n', (size_t)(f->end - f->p));

	return whole ? f->end : last ? last + 1 : f->p;
}

static bool
more(struct csv_reader *r)
{
	r->checked = NULL;
	return r->table ? import_more(r->feed, r->how, r->table, r->e) : feed_more(r->feed, r->e);
}

static void
leave_row(struct csv_reader *r)
{
	r->feed->p = r->cells.p;
	r->line = r->cells.line;
}

enum step { STEP_ON, STEP_MORE, STEP_BAD };

/* The same header again: files put together. What follows are observations of their own. */
static enum step
skip_header(struct csv_reader *r, bool *skipped)
{
	size_t left = (size_t)(r->cells.end - r->cells.p);
	const char *behind;

	*skipped = false;
	if (memcmp(r->cells.p, r->header_text, left < r->header_size ? left : r->header_size) != 0)
		return STEP_ON;
	if (left <= r->header_size && !r->feed->over)
		return STEP_MORE;
	behind = r->cells.p + r->header_size;
	if (left < r->header_size || (behind < r->cells.end && *behind != '\n' && *behind != '\r'))
		return STEP_ON;
	csv_count_line(&r->again, r->cells.line);
	r->cells.p = behind;
	r->part++;
	*skipped = true;
	return STEP_ON;
}

static bool
has_no_newline(const struct csv_reader *r)
{
	return r->cells.p == r->cells.end && r->cells.end[-1] != '\n' && r->cells.line == r->cell.line;
}

static bool
store_cells(struct csv_reader *r)
{
	bool holes = memchr(r->places, PLAIN_EMPTY, r->shape.n_counters) != NULL;

	if (has_no_newline(r) && !r->cell.quoted)
		csv_count_line(&r->open_end, r->cell.line);
	return csv_store_row(r, r->at, r->count, r->places, (unsigned)r->decimals, holes, r->when, r->cell.line);
}

/* The line at feed->p, by the reader that knows everything. */
static enum step
read_one(struct csv_reader *r)
{
	struct feed *f = r->feed;
	enum step step;
	bool skipped;

	if (!check_text(r, end_of_lines(f)))
		return STEP_BAD;
	cells_begin(&r->cells, f->name, f->p, end_of_lines(f), r->line);
	if (!cells_more(&r->cells)) {
		leave_row(r);
		return STEP_ON;
	}
	leave_row(r);
	step = skip_header(r, &skipped);
	if (skipped)
		leave_row(r);
	if (skipped || step != STEP_ON)
		return step;
	if (r->shape.observation == PLAIN_NONE)
		r->at = csv_find_sheet(r, r->own_name, strlen(r->own_name));
	r->row_start = r->cells.p;
	switch (csv_read_row(r)) {
	case CSV_ROW_GOOD:
		if (r->cells.p == r->cells.end && r->cells.end[-1] != '\n' && !f->over)
			return STEP_MORE;
		if (!store_cells(r))
			return STEP_BAD;
		leave_row(r);
		return STEP_ON;
	case CSV_ROW_CUT:
		if (!f->over)
			return STEP_MORE;
		csv_count_line(&r->cut, r->cell.line);
		err_set(r->e, "%s", "");
		leave_row(r);
		f->cut = r->row_start;
		f->p = f->end;
		return STEP_ON;
	case CSV_ROW_BAD:
		/* What is wrong at the end of the window may be right when more has come. */
		return r->cells.p == r->cells.end && !f->over && f->end - f->p < ROW_LONGEST ? STEP_MORE : STEP_BAD;
	}
	return STEP_BAD;
}

struct slice {
	const char *from, *to;
	struct plain_rows rows;
	bool read;
	size_t *sheet; /* of each of its names */
	size_t sheets_cap;
};

/* Slices are read in any order, and stored in theirs: by whoever has read the next one, while others still read. */
struct slices {
	struct csv_reader *r; /* belongs to who stores */
	struct slice *slice;
	size_t n;
	const char *end;
	pthread_mutex_t lock; /* of what follows, and of `read` above */
	size_t next;          /* to be stored */
	bool storing;
	enum step step;
};

static void
cut_slices(struct slices *s, const char *from, const char *end)
{
	size_t bytes = (size_t)(end - from), n = bytes / (s->r->how->slice ? s->r->how->slice : SLICE_BYTES);

	s->n = n < 1 ? 1 : n > SLICES_MOST ? SLICES_MOST : n;
	s->end = end;
	s->next = 0;
	s->step = STEP_ON;
	for (size_t i = 0; i < s->n; i++) {
		const char *to = from + bytes / s->n * (i + 1), *newline;

		s->slice[i].from = i ? s->slice[i - 1].to : from;
		if (to < s->slice[i].from)
			to = s->slice[i].from;
		newline = i + 1 < s->n ? memchr(to, '\n', (size_t)(end - to)) : NULL;
		s->slice[i].to = newline ? newline + 1 : end;
		s->slice[i].read = false;
	}
}

static int
line_of(const struct csv_reader *r, const char *row)
{
	int line = r->line;

	for (const char *p = r->feed->p; (p = memchr(p, '\n', (size_t)(row - p))); p++)
		line += line < INT_MAX;
	return line;
}

/* The rows that were read, which begin at feed->p. */
static bool
store_rows(struct csv_reader *r, struct slice *s)
{
	const struct plain_rows *p = &s->rows;
	size_t n = r->shape.n_counters, own = 0;

	mem_grow(&s->sheet, &s->sheets_cap, p->n_names, sizeof *s->sheet);
	for (size_t i = 0; i < p->n_names; i++)
		s->sheet[i] = csv_find_sheet(r, p->names[i].p, p->names[i].n);
	if (!p->n_names && p->n)
		own = csv_find_sheet(r, r->own_name, strlen(r->own_name));
	for (size_t i = 0; i < p->n; i++) {
		size_t sheet = p->n_names ? s->sheet[p->name[i]] : own;
		/* Lines are counted where somebody asks. */
		bool asked = (!r->back.n && p->time[i] < r->sheet[sheet].last) ||
			(!r->blank.n && p->holes[i] && csv_is_blank(p->places + i * n, n));
		int line = asked ? line_of(r, p->at[i]) : 0;

		if (csv_store_row(
			    r, sheet, p->count + i * n, p->places + i * n, p->most[i], p->holes[i], p->time[i], line))
			continue;
		/* The same again, by the reader that knows which cell it is. */
		r->line = line_of(r, p->at[i]);
		r->feed->p = p->at[i];
		read_one(r);
		return false;
	}
	if (INT_MAX - r->line < (int)p->lines)
		r->line = INT_MAX;
	else
		r->line += (int)p->lines;
	r->feed->p = p->stop;
	return true;
}

/* One slice, from feed->p on, which is in it. */
static enum step
finish_slice(struct slices *all, struct slice *s)
{
	struct csv_reader *r = all->r;

	for (bool read = r->feed->p == s->from;; read = false) {
		enum step step;

		if (!read)
			plain_rows_read(&s->rows, &r->shape, r->feed->p, s->to, all->end);
		if (!store_rows(r, s))
			return STEP_BAD;
		if (r->feed->p >= s->to)
			return STEP_ON;
		step = read_one(r);
		if (step != STEP_ON || r->feed->p >= s->to)
			return step;
	}
}

/* The slice that is next, if it has been read and nobody else stores. */
static bool
claim_next(struct slices *s, size_t *i)
{
	bool mine;

	pthread_mutex_lock(&s->lock);
	mine = !s->storing && s->next < s->n && s->slice[s->next].read;
	s->storing |= mine;
	*i = s->next;
	pthread_mutex_unlock(&s->lock);
	return mine;
}

static void
store_slice(struct slices *s, size_t i)
{
	const struct import_drain *d = s->r->how->drain;

	if (s->step == STEP_ON && s->r->feed->p < s->slice[i].to)
		s->step = finish_slice(s, &s->slice[i]);
	/* Put away here, they are while others read. */
	if (s->step == STEP_ON && d && s->n > 1 && !d->take(d->ctx, s->r->table, s->r->feed, s->r->e))
		s->step = STEP_BAD;
	pthread_mutex_lock(&s->lock);
	s->next++;
	s->storing = false;
	pthread_mutex_unlock(&s->lock);
}

static void
read_slice(void *ctx, size_t i)
{
	struct slices *s = ctx;

	plain_rows_read(&s->slice[i].rows, &s->r->shape, s->slice[i].from, s->slice[i].to, s->end);
	pthread_mutex_lock(&s->lock);
	s->slice[i].read = true;
	pthread_mutex_unlock(&s->lock);
	while (claim_next(s, &i))
		store_slice(s, i);
}

/* All whole lines of the window. */
static enum step
read_window(struct csv_reader *r, struct slices *s)
{
	struct parallel how = {.each = read_slice, .ctx = s};
	const char *end = end_of_lines(r->feed);
	enum step step = STEP_ON;

	if (r->plain) {
		cut_slices(s, r->feed->p, end);
		parallel_each(&how, s->n);
		return s->step;
	}
	while (step == STEP_ON && r->feed->p < end)
		step = read_one(r);
	return step;
}

static bool
read_rows(struct csv_reader *r)
{
	struct slice slice[SLICES_MOST] = {0};
	struct slices s = {.r = r, .slice = slice, .lock = PTHREAD_MUTEX_INITIALIZER};
	enum step step = STEP_ON;

	for (bool over = false; step != STEP_BAD && !over;) {
		step = read_window(r, &s);
		over = r->feed->over;
		if (step != STEP_BAD && !over && !more(r))
			step = STEP_BAD;
	}
	for (size_t i = 0; i < SLICES_MOST; i++) {
		plain_rows_free(&slice[i].rows);
		free(slice[i].sheet);
	}
	return step != STEP_BAD;
}

static void
begin_header(struct csv_reader *r)
{
	names_free(&r->header);
	r->header = (struct names){0};
	r->shape = (struct plain_shape){.observation = PLAIN_NONE, .time = PLAIN_NONE};
	cells_begin(&r->cells, r->feed->name, r->feed->p, r->feed->end, 1);
}

/* A header of nothing but numbers could be a row: then all rows are looked at by the reader that knows headers. */
static bool
could_be_row(const struct csv_reader *r)
{
	struct plain_rows rows = {0};
	struct str line = {0};
	bool could;

	str_addn(&line, r->header_text, r->header_size);
	str_add(&line, "\n");
	str_addn(&line, "                                ", 32);
	plain_rows_read(&rows, &r->shape, line.s, line.s + line.n - 32, line.s + line.n - 32);
	could = rows.n > 0;
	plain_rows_free(&rows);
	str_free(&line);
	return could;
}

static void
take_header(struct csv_reader *r, const char *text)
{
	size_t n = r->header.n, counter = 0;
	const char **column = mem_new_array(n, sizeof *column);

	r->header_size = (size_t)(r->cells.p - text);
	while (r->header_size && strchr("\r\n", text[r->header_size - 1]))
		r->header_size--;
	r->header_text = mem_strn(text, r->header_size);
	leave_row(r);
	r->shape.n_columns = n;
	for (size_t i = 0; i < n; i++)
		if (i != r->shape.observation && i != r->shape.time)
			column[counter++] = r->header.name[i];
	r->table = obs_table_new(column, counter);
	free(column);
	r->plain = !r->how->careful && !could_be_row(r);
	r->count = mem_new_array(counter, sizeof *r->count);
	r->scaled = mem_new_array(counter, sizeof *r->scaled);
	r->counted = mem_new_array(counter, 1);
	r->places = mem_new_array(counter, 1);
	r->cell_line = mem_new_array(counter, sizeof *r->cell_line);
	r->cell_col = mem_new_array(counter, sizeof *r->cell_col);
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

		/* No end of a line may come in what is no text. */
		if (!check_text(r, nul ? nul + 1 : end_of_lines(f)))
			return false;
		begin_header(r);
		cells_more(&r->cells);
		text = r->cells.p;
		good = csv_read_header(r);
		if (f->over || r->cells.p < r->cells.end || (good && r->cells.end[-1] == '\n')) {
			if (good)
				take_header(r, text);
			return good;
		}
		if (!more(r))
			return false;
	}
}

/* Rows that have been put away are put right there; else all is done here first. */
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
read_all(struct csv_reader *r)
{
	while (!r->feed->over && r->feed->end - r->feed->p < 3)
		if (!more(r))
			return false;
	if (!read_header(r) || !read_rows(r))
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
	struct csv_reader r = {.feed = f,
		.how = how,
		.e = e,
		.line = 1,
		.own_name = naming_after_file(f->name),
		.room = {.near = how->near}};
	bool good = read_all(&r);

	str_free(&r.cell.text);
	for (size_t i = 0; i < r.groups.n; i++)
		free(r.sheet[i].counted);
	free(r.sheet);
	names_free(&r.header);
	names_free(&r.groups);
	free(r.own_name);
	free(r.header_text);
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
