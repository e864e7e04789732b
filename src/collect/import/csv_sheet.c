/* Stores rows of a wide CSV in observations as they arrive. An observation's decimals grow with its rows, so nothing is
 * read twice. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/import/csv_reader.h"
#include "collect/import/decimal.h"
#include "collect/import/feed.h"
#include "core/obs/obs.h"
#include "event/name.h"
#include "event/unit.h"

void
csv_count_line(struct csv_tally *t, int line)
{
	if (t->n++ == 0)
		t->line = line;
}

size_t
csv_find_sheet(struct csv_reader *reader, const char *name, size_t n)
{
	struct str key = {0};
	size_t known = reader->groups.n, at;

	str_addf(&key, "%zu/", reader->part);
	str_addn(&key, name, n);
	at = names_add(&reader->groups, str_text(&key), key.n);
	str_free(&key);
	if (at == known) {
		mem_grow(&reader->sheet, &reader->sheets_cap, at + 1, sizeof *reader->sheet);
		reader->sheet[at] = (struct csv_sheet){.last = NAN};
	}
	return at;
}

static bool
refuse_cell(struct csv_reader *r, size_t counter, int decimals, int line)
{
	err_set(r->e, "%s does not fit into 64 bits with the %d decimals of this observation",
		r->table->column[counter], decimals);
	err_hint(r->e, "round the fractions, or give them an observation of their own");
	return err_place(r->e, r->feed->name, line ? r->cell_line[counter] : 0, line ? r->cell_col[counter] : 0);
}

/* Sets the error for a row with more decimals than earlier rows, when a count of these is too large for so many. Always
 * returns false. */
static bool
refuse_decimals(struct csv_reader *r, size_t counter, int decimals, int line)
{
	err_set(r->e, "a count of this row has %d decimals, and with these %s does not fit into 64 bits in the "
		"rows before", decimals, r->table->column[counter]);
	err_hint(r->e, "round the fractions, or give them an observation of their own");
	return err_place(r->e, r->feed->name, line, 0);
}

static bool
refuse_sum(struct csv_reader *r, size_t counter, int line)
{
	err_set(r->e, "the counts of %s are so large that sums over many rows do not fit into 64 bits",
		r->table->column[counter]);
	err_hint(r->e, "give fewer rows, or counts in larger units");
	return err_place(r->e, r->feed->name, line, 0);
}

void
csv_read_units(struct csv_reader *reader, size_t n_counters)
{
	bool some = false;

	reader->unit = mem_new_array(n_counters, sizeof(char *));
	for (size_t i = 0; i < n_counters; i++) {
		struct event_name name;

		event_name_read(reader->table->column[i], &name);
		reader->unit[i] = mem_str(name.unit);
		some |= *name.unit != '\0';
		event_name_free(&name);
	}
	for (size_t i = 0; i < n_counters && !some; i++)
		free(reader->unit[i]);
	if (some)
		return;
	free(reader->unit);
	reader->unit = NULL;
}

/* False and *e where an amount is more than a counter can hold. */
static bool
check_amounts(struct csv_reader *reader, const int64_t *digits, const unsigned char *places, int line)
{
	for (size_t i = 0; i < reader->shape.n_counters; i++) {
		if (!*reader->unit[i] || places[i] == CSV_PLAIN_EMPTY ||
			event_unit_holds(reader->unit[i], (double)digits[i] * pow(10, -(double)places[i])))
			continue;
		err_set(reader->e,
			"%s is more than a counter can hold: it fell below 0 and was printed as a 64-bit number",
			reader->table->column[i]);
		err_hint(reader->e, "leave the cell empty");
		return err_place(
			reader->e, reader->feed->name, line ? reader->cell_line[i] : 0, line ? reader->cell_col[i] : 0);
	}
	return true;
}

static bool
refuse_cells(struct csv_reader *r, int line)
{
	err_set(r->e, "%zu counters in %zu observations are more than %zu million cells", r->shape.n_counters,
		r->table->n, IMPORT_CELLS_MAX >> 20);
	err_hint(r->e, "import fewer columns, or fewer observations");
	return err_place(r->e, r->feed->name, line, 0);
}

static void
begin_sheet(struct csv_reader *r, struct csv_sheet *s, size_t at)
{
	s->obs = obs_table_add(r->table, strchr(r->groups.name[at], '/') + 1, r->feed->name);
	s->obs->exact = r->how->exact;
	if (r->how->exact)
		s->counted = mem_new_array(r->shape.n_counters, sizeof *s->counted);
}

/* Scales the digits of a row to the observation's units. */
static bool
scale_row(struct csv_reader *r, const int64_t *digits, const unsigned char *places, int decimals, int line)
{
	for (size_t i = 0; i < r->shape.n_counters; i++) {
		bool here = places[i] != CSV_PLAIN_EMPTY;
		struct decimal d = {digits[i], here ? places[i] : decimals};

		r->counted[i] = here;
		if (!decimal_scale(&d, decimals, &r->scaled[i]))
			return refuse_cell(r, i, decimals, line);
	}
	return true;
}

static void
note_time(struct csv_reader *r, struct csv_sheet *s, double when, int line)
{
	s->untimed |= isnan(when);
	s->timed |= !isnan(when);
	if (when < s->last) {
		s->back = true;
		csv_count_line(&r->back, line);
	}
	s->last = when;
}

bool
csv_is_blank(const unsigned char *places, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (places[i] != CSV_PLAIN_EMPTY)
			return false;
	return true;
}

bool
csv_store_row(struct csv_reader *reader, size_t sheet, const int64_t *digits, const unsigned char *places,
	unsigned most, bool holes, double when, int line)
{
	struct csv_sheet *csv_sheet = &reader->sheet[sheet];
	const unsigned char *counted = NULL;
	const int64_t *count = digits;
	size_t column;

	if (reader->unit && !check_amounts(reader, digits, places, line))
		return false;
	if (!csv_sheet->obs)
		begin_sheet(reader, csv_sheet, sheet);
	if (holes || most || csv_sheet->obs->decimals) {
		int decimals = (int)most > csv_sheet->obs->decimals ? (int)most : csv_sheet->obs->decimals;

		if (!scale_row(reader, digits, places, decimals, line))
			return false;
		if (decimals > csv_sheet->obs->decimals &&
			!obs_scale(csv_sheet->obs, decimals - csv_sheet->obs->decimals, &column))
			return refuse_decimals(reader, column, decimals, line);
		csv_sheet->obs->decimals = decimals;
		count = reader->scaled;
		counted = reader->counted;
	}
	if (!obs_room_add(&reader->room, reader->table, csv_sheet->obs, count, counted, when, NULL, NULL, &column))
		return refuse_sum(reader, column, line);
	if (reader->room.cells > IMPORT_CELLS_MAX)
		return refuse_cells(reader, line);
	for (size_t i = 0; i < reader->shape.n_counters && csv_sheet->counted; i++)
		csv_sheet->counted[i] += places[i] != CSV_PLAIN_EMPTY;
	note_time(reader, csv_sheet, when, line);
	if (holes && csv_is_blank(places, reader->shape.n_counters))
		csv_count_line(&reader->blank, line);
	csv_sheet->n_rows++;
	reader->n_rows++;
	return true;
}

bool
csv_expect(struct csv_reader *r)
{
	const struct feed *f = r->feed;
	double at = (double)feed_at(f, f->p);
	size_t column;

	return !r->how->expect || !(at > 0) ||
		obs_room_expect(&r->room, r->table, (double)r->room.seen * (double)f->size / at, &column) ||
		refuse_sum(r, column, 0);
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

/* Sorts rows by time. Rows with equal times keep their order. */
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

/* Adds up exact totals. A counter that some rows did not count has no total. */
static void
drop_partial_totals(struct csv_reader *reader)
{
	struct names dropped = {0};
	struct str list = {0};

	for (size_t i = 0; i < reader->groups.n; i++) {
		const struct csv_sheet *sheet = &reader->sheet[i];

		for (size_t j = 0; sheet->obs && j < reader->shape.n_counters; j++) {
			if (!sheet->counted[j] || sheet->counted[j] == sheet->n_rows)
				continue;
			obs_forget_column(sheet->obs, j, OBS_ABSENT);
			names_add(&dropped, reader->table->column[j], strlen(reader->table->column[j]));
		}
	}
	for (size_t i = 0; i < dropped.n; i++)
		str_addf(&list, "%s%s", i ? ", " : "", dropped.name[i]);
	if (dropped.n)
		obs_table_note(reader->table, OBS_NOTE_INEXACT,
			str_format("%s: left out, because exact totals are added up and some rows "
				"have no count: %s", reader->feed->name, str_text(&list)));
	str_free(&list);
	names_free(&dropped);
}

static void
csv_sheet_note(const struct csv_reader *r, enum obs_note kind, const struct csv_tally *t, const char *text)
{
	if (t->n)
		obs_table_note(r->table, kind, str_format("%s:%d: %s", r->feed->name, t->line, text));
}

/* Makes the drain sort the rows that it has stored. On failure returns false and sets *e. */
static bool
order_elsewhere(struct csv_reader *r, const struct csv_sheet *s)
{
	const struct import_drain *d = r->how->drain;
	size_t i = 0;

	while (r->table->obs[i] != s->obs)
		i++;
	if (s->untimed)
		return !s->timed || d->order(d->ctx, r->table, i, IMPORT_UNTIMED, r->e);
	return !s->back || d->order(d->ctx, r->table, i, IMPORT_BY_TIME, r->e);
}

static bool
finish_sheet(struct csv_reader *reader, struct csv_sheet *sheet)
{
	if (reader->how->drain && sheet->obs->folded)
		return order_elsewhere(reader, sheet);
	if (sheet->untimed) {
		free(sheet->obs->time);
		sheet->obs->time = NULL;
	} else if (sheet->back && sheet->obs->per_row > 1) {
		reader->unordered.n++;
	} else if (sheet->back) {
		order_rows(sheet->obs);
	}
	return true;
}

bool
csv_finish(struct csv_reader *reader)
{
	for (size_t i = 0; i < reader->groups.n; i++)
		if (reader->sheet[i].obs && !finish_sheet(reader, &reader->sheet[i]))
			return false;
	if (reader->how->exact)
		drop_partial_totals(reader);
	csv_note_columns(reader);
	csv_sheet_note(reader, OBS_NOTE_PART, &reader->again,
		"the header is repeated: the rows after it become observations of their own");
	if (reader->unordered.n)
		csv_sheet_note(reader, OBS_NOTE_ORDER, &reader->back,
			"time goes back here: in observations that are too long to be kept row by row the "
			"order of the file stands");
	else
		csv_sheet_note(reader, OBS_NOTE_ORDER, &reader->back,
			"time goes back here: rows are put in the order of their times");
	if (reader->blank.n)
		obs_table_note(reader->table, OBS_NOTE_BLANK,
			str_format("%s:%d: no cell of this row is counted%s: such a row says nothing about any counter",
				reader->feed->name, reader->blank.line,
				reader->blank.n > 1 ? " (it is the first of several)" : ""));
	if (reader->cut.n)
		obs_table_note(reader->table, OBS_NOTE_CUT,
			str_format("%s:%d: the last line is incomplete and is left out, and the %zu "
				"rows before it are taken: is the file still being written?", reader->feed->name,
				reader->cut.line, reader->n_rows));
	obs_table_note_gathered(reader->table, reader->feed->name);
	csv_sheet_note(reader, OBS_NOTE_CUT, &reader->open_end,
		"the last line has no newline: if the file is still being written its last number may be cut short");
	return true;
}
