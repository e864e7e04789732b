#include "core/obs/obs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/obs/gather.h"
#include "core/obs/repeat.h"
#include "core/obs/rows.h"

struct obs_table *
obs_table_new(const char *const *column, size_t n_columns)
{
	struct obs_table *t = mem_new(sizeof *t);

	t->column = mem_new_array(n_columns, sizeof *t->column);
	t->n_columns = n_columns;
	for (size_t i = 0; i < n_columns; i++)
		t->column[i] = mem_str(column[i]);
	return t;
}

void
obs_set_cpu(struct obs *o, const char *cpu)
{
	free(o->cpu);
	o->cpu = cpu ? mem_str(cpu) : NULL;
}

void
obs_free(struct obs *o)
{
	if (!o)
		return;
	free(o->name);
	free(o->source);
	free(o->cpu);
	free(o->count);
	free(o->counted);
	free(o->time);
	free(o->running);
	free(o->error);
	free(o->health);
	free(o->of);
	free(o->total);
	free(o->whole);
	free(o->whole_of);
	obs_repeat_forget(o);
	free(o);
}

void
obs_table_free(struct obs_table *t)
{
	if (!t)
		return;
	obs_shelf_free(t->shelf);
	for (size_t i = 0; i < t->n_columns; i++)
		free(t->column[i]);
	for (size_t i = 0; i < t->n; i++)
		obs_free(t->obs[i]);
	for (size_t i = 0; i < t->n_notes; i++)
		free(t->note[i]);
	free(t->note);
	free(t->about);
	names_free(&t->names);
	free(t->last);
	free(t->column);
	free(t->obs);
	free(t);
}

/* Gives each row one more cell of `size` bytes. The capacity is a power of two of rows. */
static void
obs_widen(void *array, size_t rows, size_t n, size_t size, const void *usual)
{
	size_t cap = 1;
	char *old, *wide;

	memcpy(&old, array, sizeof old);
	if (!old)
		return;
	while (cap < rows)
		cap *= 2;
	wide = mem_new_array(cap * (n + 1), size);
	for (size_t row = 0; row < rows; row++) {
		memcpy(wide + row * (n + 1) * size, old + row * n * size, n * size);
		memcpy(wide + (row * (n + 1) + n) * size, usual, size);
	}
	free(old);
	memcpy(array, &wide, sizeof wide);
}

static void
widen_observation(struct obs *o)
{
	static const int64_t count;
	static const unsigned char counted;
	static const uint32_t of;
	static const double error, running = 1;
	size_t n = o->n_columns;

	obs_repeat_forget(o);
	obs_widen(&o->count, o->n_rows, n, sizeof count, &count);
	obs_widen(&o->counted, o->n_rows, n, sizeof counted, &counted);
	obs_widen(&o->running, o->n_rows, n, sizeof running, &running);
	obs_widen(&o->error, o->n_rows, n, sizeof error, &error);
	obs_widen(&o->of, o->n_rows, n, sizeof of, &of);
	obs_widen(&o->whole, o->n_rows, n, sizeof count, &count);
	o->health = mem_resize(o->health, n + 1, sizeof *o->health);
	o->health[n] = OBS_ABSENT;
	if (o->total) {
		o->total = mem_resize(o->total, n + 1, sizeof *o->total);
		o->total[n] = (struct obs_total){0};
	}
	o->n_columns = n + 1;
}

void
obs_table_add_column(struct obs_table *t, const char *name)
{
	t->column = mem_resize(t->column, t->n_columns + 1, sizeof(char *));
	t->column[t->n_columns++] = mem_str(name);
	for (size_t i = 0; i < t->n; i++)
		widen_observation(t->obs[i]);
	t->changes++;
}

/* Enters a name and returns its number in `names`. */
static size_t
obs_take_name(struct obs_table *t, const char *name)
{
	size_t n = t->names.n, at = names_add(&t->names, name, strlen(name));

	if (at == n) {
		mem_grow(&t->last, &t->last_cap, n + 1, sizeof *t->last);
		t->last[at] = 1;
	}
	return at;
}

/* The name with the next free "#number". A million equal names cost no more than a million different ones. */
static char *
unique_name(struct obs_table *t, const char *name)
{
	size_t n = t->names.n, at = obs_take_name(t, name);
	char *numbered;

	if (at == n)
		return mem_str(name);
	for (;;) {
		numbered = str_format("%s#%u", name, ++t->last[at]);
		if (names_find(&t->names, numbered, strlen(numbered)) == NAMES_NONE)
			break;
		free(numbered);
	}
	obs_take_name(t, numbered);
	return numbered;
}

/* The text as UTF-8: the kernel cuts a program's name after 15 bytes, in the middle of a character too, and a file's
 * name may have any bytes. */
static char *
valid_text(const char *s)
{
	struct str valid = {0};

	utf8_add_valid(&valid, s, strlen(s));
	return str_take(&valid);
}

struct obs *
obs_table_add(struct obs_table *t, const char *name, const char *source)
{
	struct obs *o = mem_new(sizeof *o);
	char *valid = valid_text(name);

	o->name = unique_name(t, valid);
	free(valid);
	o->source = valid_text(source);
	o->n_columns = t->n_columns;
	/* A column is absent until a row counts it. A caller that knows more sets the health later. */
	o->health = mem_new_array(t->n_columns, sizeof *o->health);
	for (size_t i = 0; i < t->n_columns; i++)
		o->health[i] = OBS_ABSENT;
	o->changes = &t->changes;
	t->changes++;
	mem_grow(&t->obs, &t->cap, t->n + 1, sizeof(struct obs *));
	return t->obs[t->n++] = o;
}

void
obs_table_drop(struct obs_table *t, size_t at)
{
	obs_free(t->obs[at]);
	memmove(&t->obs[at], &t->obs[at + 1], (t->n - at - 1) * sizeof(struct obs *));
	t->n--;
	t->changes++;
	/* The name may be used again. */
	names_free(&t->names);
	for (size_t i = 0; i < t->n; i++)
		obs_take_name(t, t->obs[i]->name);
}

/* The capacity follows from the number of rows: a power of two, so it need not be stored. */
static bool
row_is_full(size_t n)
{
	return (n & (n - 1)) == 0;
}

/* Room for `rows` rows. */
static void
obs_make_room(struct obs *o, size_t rows)
{
	size_t c = o->n_columns;

	o->count = mem_resize(o->count, rows * c, sizeof *o->count);
	o->counted = mem_resize(o->counted, rows * c, sizeof *o->counted);
	if (o->time)
		o->time = mem_resize(o->time, rows, sizeof *o->time);
	if (o->running)
		o->running = mem_resize(o->running, rows * c, sizeof *o->running);
	if (o->error)
		o->error = mem_resize(o->error, rows * c, sizeof *o->error);
	if (o->of)
		o->of = mem_resize(o->of, rows * c, sizeof *o->of);
	if (o->whole) {
		o->whole = mem_resize(o->whole, rows * c, sizeof *o->whole);
		o->whole_of = mem_resize(o->whole_of, rows, sizeof *o->whole_of);
	}
}

void
obs_add_row(struct obs *o, const int64_t *count, const unsigned char *counted, double time)
{
	size_t c = o->n_columns, n = o->n_rows, cap = n ? 2 * n : 1;

	if (o->changes)
		++*o->changes;
	if (row_is_full(n))
		obs_make_room(o, cap);
	if (!isnan(time) && !o->time) {
		o->time = mem_new_array(row_is_full(n) ? cap : 2 * n, sizeof *o->time);
		for (size_t i = 0; i < n; i++)
			o->time[i] = NAN;
	}
	if (o->time)
		o->time[n] = time;
	for (size_t i = 0; i < c; i++) {
		unsigned char here = counted ? counted[i] : OBS_COUNTED;

		o->count[n * c + i] = here ? count[i] : 0;
		o->counted[n * c + i] = here;
		if (o->running)
			o->running[n * c + i] = 1;
		if (o->error)
			o->error[n * c + i] = 0;
		if (here && o->health[i] == OBS_ABSENT)
			o->health[i] = OBS_LIVE;
	}
	o->n_rows++;
}

void
obs_fit(struct obs *o)
{
	size_t cap = 1;

	while (cap < o->n_rows)
		cap *= 2;
	obs_make_room(o, cap);
}

/* An array for the rows added so far, filled with `usual`, with the capacity that obs_add_row() expects. */
static double *
quality_array(const struct obs *o, double usual)
{
	size_t cap = 1;
	double *q;

	while (cap < o->n_rows)
		cap *= 2;
	q = mem_new_array(cap * o->n_columns, sizeof *q);
	for (size_t i = 0; i < o->n_rows * o->n_columns; i++)
		q[i] = usual;
	return q;
}

void
obs_set_running(struct obs *o)
{
	if (!o->running)
		o->running = quality_array(o, 1);
}

void
obs_set_error(struct obs *o)
{
	if (!o->error)
		o->error = quality_array(o, 0);
}

void
obs_set_quality(struct obs *o, size_t column, double running, double error)
{
	size_t cell = (o->n_rows - 1) * o->n_columns + column;

	if (running < 1)
		obs_set_running(o);
	if (error > 0)
		obs_set_error(o);
	if (o->running)
		o->running[cell] = running;
	if (o->error)
		o->error[cell] = error;
}

/* Appends rows first … first + n − 1 of another observation with the same number of columns. */
static void
copy_rows(struct obs *o, const struct obs *from, size_t first, size_t n)
{
	size_t c = o->n_columns;

	for (size_t m = first; m < first + n;) {
		struct obs_rows r = obs_rows(from, m, first + n);

		for (size_t k = 0; k < r.n; k++, m++) {
			size_t cell = k * c;

			obs_add_row(o, r.count + cell, r.counted + cell, from->time ? from->time[m] : NAN);
			for (size_t i = 0; i < c && (r.running || r.error); i++)
				obs_set_quality(
					o, i, r.running ? r.running[cell + i] : 1, r.error ? r.error[cell + i] : 0);
		}
	}
	o->tasks = from->tasks;
	o->rotation = from->rotation;
	memcpy(o->health, from->health, c * sizeof *o->health);
}

/* All gathered rows but the last one hold equally many samples. The totals are known for the whole observation only. */
static void
copy_gathered(struct obs *o, const struct obs *from, size_t first)
{
	size_t c = o->n_columns, samples = 0;

	o->per_row = from->per_row;
	for (size_t row = first; row < first + o->n_rows; row++)
		samples += obs_samples_in_row(from, row);
	o->folded = samples - o->n_rows;
	o->sums = o->n_rows;
	if (from->of) {
		o->of = mem_copy(from->of + first * c, o->n_rows * c * sizeof *o->of);
		obs_fit(o);
	}
	if (from->whole) {
		o->whole = mem_copy(from->whole + first * c, o->n_rows * c * sizeof *o->whole);
		o->whole_of = mem_copy(from->whole_of + first, o->n_rows * sizeof *o->whole_of);
		obs_fit(o);
	}
	if (o->n_rows == from->n_rows) {
		o->total = mem_copy(from->total, c * sizeof *o->total);
		return;
	}
	o->total = mem_new_array(c, sizeof *o->total);
	for (size_t i = 0; i < c; i++)
		o->total[i].square = OBS_SQUARE_LOST;
	for (size_t row = 0; row < o->n_rows; row++)
		for (size_t i = 0; i < c; i++) {
			o->total[i].sum += o->count[row * c + i];
			o->total[i].counted += obs_samples_in_cell(o, row, i);
		}
}

struct obs *
obs_table_add_part(struct obs_table *t, const struct obs *from, const char *name, size_t first, size_t n)
{
	struct obs *o = obs_table_add(t, name, from->source);

	o->exact = from->exact;
	o->peeked = from->peeked;
	o->since_start = from->since_start;
	o->silent_zeros = from->silent_zeros;
	obs_set_cpu(o, from->cpu);
	o->decimals = from->decimals;
	copy_rows(o, from, first, n);
	if (from->per_row > 1)
		copy_gathered(o, from, first);
	return o;
}

bool
obs_add_rows(struct obs *o, const struct obs *rows)
{
	if (rows->n_columns != o->n_columns)
		return false;
	copy_rows(o, rows, 0, rows->n_rows);
	return true;
}

void
obs_drop_rows(struct obs *o)
{
	o->folded += o->n_rows;
	o->n_rows = o->sums = 0;
	free(o->running);
	free(o->error);
	o->running = o->error = NULL;
	if (o->changes)
		++*o->changes;
}

void
obs_forget_column(struct obs *o, size_t column, enum obs_health why)
{
	obs_repeat_forget(o);
	for (size_t row = 0; row < o->n_rows; row++) {
		o->count[row * o->n_columns + column] = 0;
		o->counted[row * o->n_columns + column] = 0;
		if (o->of)
			o->of[row * o->n_columns + column] = 0;
		if (o->whole)
			o->whole[row * o->n_columns + column] = 0;
		if (o->running)
			o->running[row * o->n_columns + column] = 1;
		if (o->error)
			o->error[row * o->n_columns + column] = 0;
	}
	if (o->total)
		o->total[column] = (struct obs_total){0};
	o->health[column] = why;
}

void
obs_table_note(struct obs_table *t, enum obs_note kind, char *text)
{
	size_t cap = t->n_notes;

	mem_grow(&t->note, &cap, t->n_notes + 1, sizeof *t->note);
	t->note[t->n_notes++] = text;
	cap = t->n_about;
	mem_grow(&t->about, &cap, t->n_notes, sizeof *t->about);
	while (t->n_about < t->n_notes)
		t->about[t->n_about++] = OBS_NOTE_OTHER;
	t->about[t->n_notes - 1] = (unsigned char)kind;
}

const char *
obs_table_note_code(const struct obs_table *t, size_t i)
{
	static const char *const code[] = {
#define NOTE(kind, code, help) code,
#include "core/obs/notes.def"
#undef NOTE
	};

	return code[i < t->n_about ? t->about[i] : OBS_NOTE_OTHER];
}

const char *
obs_health_name(enum obs_health h)
{
	switch (h) {
	case OBS_LIVE:
	case OBS_HONEST:
		return "live";
	case OBS_ZERO_SUSPECT:
		return "suspiciously zero";
	case OBS_DEAD:
		return "dead";
	case OBS_UNSUPPORTED:
		return "unsupported";
	case OBS_ABSENT:
		return "absent";
	}
	return "unknown";
}

size_t
obs_samples_in_row(const struct obs *o, size_t row)
{
	if (o->per_row < 2)
		return 1;
	return row + 1 < o->n_rows ? o->per_row : obs_samples(o) - row * o->per_row;
}

size_t
obs_samples_in_cell(const struct obs *o, size_t row, size_t column)
{
	size_t cell = row * o->n_columns + column;

	if (!o->counted[cell])
		return 0;
	return o->of ? o->of[cell] : obs_samples_in_row(o, row);
}

size_t
obs_samples(const struct obs *o)
{
	return o->per_row > 1 ? o->n_rows + o->folded : o->n_rows;
}

size_t
obs_first_sample(const struct obs *o, size_t row)
{
	return o->per_row > 1 ? row * o->per_row : row;
}
