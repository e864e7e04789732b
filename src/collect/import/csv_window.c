/* All rows after the header of a wide CSV, one window of text at a time. Threads read slices of the window in parallel
 * with csv_plain.c; their rows are stored in the order of the text.
 *
 *     window   [ slice 0 | slice 1 | slice 2 | slice 3 ]
 *                   ▼         ▼         ▼         ▼          parallel: csv_plain.c, up to a row that is not plain
 *                 rows      rows x    rows      rows
 *                   └────►────┴────►────┴────►────┘          one after the other: rows into observations
 *                               └ x: csv_row.c reads this row, then csv_plain.c reads the rest of the slice
 *
 * A slice begins after a newline. That newline may be inside a quoted cell. The row with the cell is then not plain and
 * ends inside the slice, which is read again from there. */
#include "collect/import/csv_reader.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/parallel.h"
#include "collect/import/feed.h"

#define SLICE_BYTES ((size_t)1 << 19) /* bytes for which a thread is worth starting */
#define SLICES_MOST 64

struct slice {
	const char *from, *to;
	struct csv_plain_rows rows;
	bool read;
	size_t *sheet; /* per name in the slice: index of its sheet */
	size_t sheets_cap;
};

/* Slices are read in any order and stored in the order of the text. A thread that has read the next slice to be stored
 * stores it, while other threads still read. */
struct slices {
	struct csv_reader *r; /* used only by the thread that stores */
	struct slice *slice;
	size_t n;
	const char *end;
	pthread_mutex_t lock; /* guards the members below, and slice.read */
	size_t next;          /* the next slice to be stored */
	bool storing;
	enum csv_step step;
};

static void
cut_slices(struct slices *slices, const char *from, const char *end)
{
	size_t bytes = (size_t)(end - from), n = bytes / (slices->r->how->slice ? slices->r->how->slice : SLICE_BYTES);

	slices->n = n < 1 ? 1 : n > SLICES_MOST ? SLICES_MOST : n;
	slices->end = end;
	slices->next = 0;
	slices->step = CSV_STEP_ON;
	for (size_t i = 0; i < slices->n; i++) {
		const char *to = from + bytes / slices->n * (i + 1), *newline;

		slices->slice[i].from = i ? slices->slice[i - 1].to : from;
		if (to < slices->slice[i].from)
			to = slices->slice[i].from;
		newline = i + 1 < slices->n ? memchr(to, '\n', (size_t)(end - to)) : NULL;
		slices->slice[i].to = newline ? newline + 1 : end;
		slices->slice[i].read = false;
	}
}

static int
csv_window_line_of(const struct csv_reader *r, const char *row)
{
	int line = r->line;

	for (const char *p = r->feed->p; (p = memchr(p, '\n', (size_t)(row - p))); p++)
		line += line < INT_MAX;
	return line;
}

/* Stores the rows that were read; the first begins at feed->p. */
static bool
store_rows(struct csv_reader *reader, struct slice *slice)
{
	const struct csv_plain_rows *p = &slice->rows;
	size_t n = reader->shape.n_counters, own = 0;

	mem_grow(&slice->sheet, &slice->sheets_cap, p->n_names, sizeof *slice->sheet);
	for (size_t i = 0; i < p->n_names; i++)
		slice->sheet[i] = csv_find_sheet(reader, p->names[i].p, p->names[i].n);
	if (!p->n_names && p->n)
		own = csv_find_sheet(reader, reader->own_name, strlen(reader->own_name));
	for (size_t i = 0; i < p->n; i++) {
		size_t sheet = p->n_names ? slice->sheet[p->name[i]] : own;
		/* Lines are counted only where a message needs the number, because counting costs time. */
		bool asked = (!reader->back.n && p->time[i] < reader->sheet[sheet].last) ||
			(!reader->blank.n && p->holes[i] && csv_is_blank(p->places + i * n, n));
		int line = asked ? csv_window_line_of(reader, p->at[i]) : 0;

		if (csv_store_row(
			reader, sheet, p->count + i * n, p->places + i * n, p->most[i], p->holes[i], p->time[i], line))
			continue;
		/* The general reader reads the row again, because it knows the cell that fails. */
		reader->line = csv_window_line_of(reader, p->at[i]);
		reader->feed->p = p->at[i];
		csv_read_one(reader);
		return false;
	}
	if (INT_MAX - reader->line < (int)p->lines)
		reader->line = INT_MAX;
	else
		reader->line += (int)p->lines;
	reader->feed->p = p->stop;
	return true;
}

/* Stores the slice that contains feed->p, from there on. */
static enum csv_step
finish_slice(struct slices *all, struct slice *slice)
{
	struct csv_reader *reader = all->r;

	for (bool read = reader->feed->p == slice->from;; read = false) {
		enum csv_step step;

		if (!read)
			csv_plain_read(&slice->rows, &reader->shape, reader->feed->p, slice->to, all->end);
		if (!store_rows(reader, slice))
			return CSV_STEP_BAD;
		if (reader->feed->p >= slice->to)
			return CSV_STEP_ON;
		step = csv_read_one(reader);
		if (step != CSV_STEP_ON || reader->feed->p >= slice->to)
			return step;
	}
}

/* Returns true when the next slice has been read and no other thread is storing: the caller then stores slice *i. */
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
store_slice(struct slices *slices, size_t i)
{
	const struct import_drain *drain = slices->r->how->drain;

	if (slices->step == CSV_STEP_ON && slices->r->feed->p < slices->slice[i].to)
		slices->step = finish_slice(slices, &slices->slice[i]);
	if (slices->step == CSV_STEP_ON && !csv_expect(slices->r))
		slices->step = CSV_STEP_BAD;
	/* Handing rows to the drain here overlaps with the reading of other threads. */
	if (slices->step == CSV_STEP_ON && drain && slices->n > 1 &&
		!drain->take(drain->ctx, slices->r->table, slices->r->feed, slices->r->e))
		slices->step = CSV_STEP_BAD;
	if (slices->step == CSV_STEP_ON && budget_is_full(&slices->r->feed->budget)) {
		budget_refuse(&slices->r->feed->budget, slices->r->feed->name, slices->r->e);
		slices->step = CSV_STEP_BAD;
	}
	pthread_mutex_lock(&slices->lock);
	slices->next++;
	slices->storing = false;
	pthread_mutex_unlock(&slices->lock);
}

static void
read_slice(void *ctx, size_t i)
{
	struct slices *s = ctx;

	csv_plain_read(&s->slice[i].rows, &s->r->shape, s->slice[i].from, s->slice[i].to, s->end);
	pthread_mutex_lock(&s->lock);
	s->slice[i].read = true;
	pthread_mutex_unlock(&s->lock);
	while (claim_next(s, &i))
		store_slice(s, i);
}

/* Reads all whole lines of the window. */
static enum csv_step
read_window(struct csv_reader *reader, struct slices *slices)
{
	struct parallel how = {.each = read_slice, .ctx = slices, .helped = &reader->feed->budget.helped};
	const char *end = csv_end_of_lines(reader->feed);
	enum csv_step step = CSV_STEP_ON;

	if (reader->plain) {
		cut_slices(slices, reader->feed->p, end);
		parallel_each(&how, slices->n);
		return slices->step;
	}
	while (step == CSV_STEP_ON && reader->feed->p < end)
		step = csv_read_one(reader);
	return step;
}

bool
csv_read_rows(struct csv_reader *reader)
{
	struct slice slice[SLICES_MOST] = {0};
	struct slices s = {.r = reader, .slice = slice, .lock = PTHREAD_MUTEX_INITIALIZER};
	enum csv_step step = CSV_STEP_ON;

	for (bool over = false; step != CSV_STEP_BAD && !over;) {
		step = read_window(reader, &s);
		over = reader->feed->over;
		if (step != CSV_STEP_BAD && !over && !csv_more(reader))
			step = CSV_STEP_BAD;
	}
	for (size_t i = 0; i < SLICES_MOST; i++) {
		csv_plain_free(&slice[i].rows);
		free(slice[i].sheet);
	}
	return step != CSV_STEP_BAD;
}
