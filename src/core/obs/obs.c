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

static void
obs_origin_clear(struct obs_origin *origin)
{
	free(origin->cpu);
	free(origin->machine);
	free(origin->command);
	free(origin->started);
	*origin = (struct obs_origin){0};
}

static char *
obs_text_copy(const char *text)
{
	return text ? mem_str(text) : NULL;
}

void
obs_copy_origin(struct obs *obs, const struct obs_origin *from)
{
	const struct obs_origin copy = {.cpu = obs_text_copy(from->cpu), .machine = obs_text_copy(from->machine),
		.command = obs_text_copy(from->command), .started = obs_text_copy(from->started)};

	obs_origin_clear(&obs->origin);
	obs->origin = copy;
}

void
obs_free(struct obs *obs)
{
	if (!obs)
		return;
	free(obs->name);
	free(obs->source);
	obs_origin_clear(&obs->origin);
	free(obs->count);
	free(obs->counted);
	free(obs->time);
	free(obs->running);
	free(obs->error);
	free(obs->health);
	free(obs->of);
	free(obs->total);
	free(obs->whole);
	free(obs->whole_of);
	obs_repeat_forget(obs);
	free(obs);
}

void
obs_table_free(struct obs_table *table)
{
	if (!table)
		return;
	obs_shelf_free(table->shelf);
	for (size_t i = 0; i < table->n_columns; i++)
		free(table->column[i]);
	for (size_t i = 0; i < table->n; i++)
		obs_free(table->obs[i]);
	for (size_t i = 0; i < table->n_notes; i++)
		free(table->note[i]);
	free(table->note);
	free(table->about);
	names_free(&table->names);
	free(table->last);
	free(table->column);
	free(table->obs);
	free(table);
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
widen_observation(struct obs *obs)
{
	static const int64_t count;
	static const unsigned char counted;
	static const uint32_t of;
	static const double error, running = 1;
	size_t n = obs->n_columns;

	obs_repeat_forget(obs);
	obs_widen(&obs->count, obs->n_rows, n, sizeof count, &count);
	obs_widen(&obs->counted, obs->n_rows, n, sizeof counted, &counted);
	obs_widen(&obs->running, obs->n_rows, n, sizeof running, &running);
	obs_widen(&obs->error, obs->n_rows, n, sizeof error, &error);
	obs_widen(&obs->of, obs->n_rows, n, sizeof of, &of);
	obs_widen(&obs->whole, obs->n_rows, n, sizeof count, &count);
	obs->health = mem_resize(obs->health, n + 1, sizeof *obs->health);
	obs->health[n] = OBS_ABSENT;
	if (obs->total) {
		obs->total = mem_resize(obs->total, n + 1, sizeof *obs->total);
		obs->total[n] = (struct obs_total){0};
	}
	obs->n_columns = n + 1;
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
unique_name(struct obs_table *table, const char *name)
{
	size_t n = table->names.n, at = obs_take_name(table, name);
	char *numbered;

	if (at == n)
		return mem_str(name);
	for (;;) {
		numbered = str_format("%s#%u", name, ++table->last[at]);
		if (names_find(&table->names, numbered, strlen(numbered)) == NAMES_NONE)
			break;
		free(numbered);
	}
	obs_take_name(table, numbered);
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
obs_table_add(struct obs_table *table, const char *name, const char *source)
{
	struct obs *obs = mem_new(sizeof *obs);
	char *valid = valid_text(name);

	obs->name = unique_name(table, valid);
	free(valid);
	obs->source = valid_text(source);
	obs->n_columns = table->n_columns;
	/* A column is absent until a row counts it. A caller that knows more sets the health later. */
	obs->health = mem_new_array(table->n_columns, sizeof *obs->health);
	for (size_t i = 0; i < table->n_columns; i++)
		obs->health[i] = OBS_ABSENT;
	obs->changes = &table->changes;
	table->changes++;
	mem_grow(&table->obs, &table->cap, table->n + 1, sizeof(struct obs *));
	return table->obs[table->n++] = obs;
}

void
obs_table_rename(struct obs_table *table, struct obs *obs, const char *name)
{
	char *valid = valid_text(name);

	free(obs->name);
	obs->name = unique_name(table, valid);
	obs->renamed++;
	free(valid);
	table->changes++;
}

void
obs_table_drop(struct obs_table *t, size_t at)
{
	bool *marked = mem_new_array(t->n, sizeof *marked);

	marked[at] = true;
	obs_table_drop_marked(t, marked);
	free(marked);
}

void
obs_table_drop_marked(struct obs_table *t, const bool *marked)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->n; i++)
		if (marked[i])
			obs_free(t->obs[i]);
		else
			t->obs[kept++] = t->obs[i];
	t->n = kept;
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
obs_make_room(struct obs *obs, size_t rows)
{
	size_t c = obs->n_columns;

	obs->count = mem_resize(obs->count, rows * c, sizeof *obs->count);
	obs->counted = mem_resize(obs->counted, rows * c, sizeof *obs->counted);
	if (obs->time)
		obs->time = mem_resize(obs->time, rows, sizeof *obs->time);
	if (obs->running)
		obs->running = mem_resize(obs->running, rows * c, sizeof *obs->running);
	if (obs->error)
		obs->error = mem_resize(obs->error, rows * c, sizeof *obs->error);
	if (obs->of)
		obs->of = mem_resize(obs->of, rows * c, sizeof *obs->of);
	if (obs->whole) {
		obs->whole = mem_resize(obs->whole, rows * c, sizeof *obs->whole);
		obs->whole_of = mem_resize(obs->whole_of, rows, sizeof *obs->whole_of);
	}
}

void
obs_add_row(struct obs *obs, const int64_t *count, const unsigned char *counted, double time)
{
	size_t c = obs->n_columns, n = obs->n_rows, cap = n ? 2 * n : 1;

	if (obs->changes)
		++*obs->changes;
	if (row_is_full(n))
		obs_make_room(obs, cap);
	if (!isnan(time) && !obs->time) {
		obs->time = mem_new_array(row_is_full(n) ? cap : 2 * n, sizeof *obs->time);
		for (size_t i = 0; i < n; i++)
			obs->time[i] = NAN;
	}
	if (obs->time)
		obs->time[n] = time;
	for (size_t i = 0; i < c; i++) {
		unsigned char here = counted ? counted[i] : OBS_COUNTED;

		obs->count[n * c + i] = here ? count[i] : 0;
		obs->counted[n * c + i] = here;
		if (obs->running)
			obs->running[n * c + i] = 1;
		if (obs->error)
			obs->error[n * c + i] = 0;
		if (here && obs->health[i] == OBS_ABSENT)
			obs->health[i] = OBS_LIVE;
	}
	obs->n_rows++;
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
obs_set_quality(struct obs *obs, size_t column, double running, double error)
{
	size_t cell = (obs->n_rows - 1) * obs->n_columns + column;

	if (running < 1)
		obs_set_running(obs);
	if (error > 0)
		obs_set_error(obs);
	if (obs->running)
		obs->running[cell] = running;
	if (obs->error)
		obs->error[cell] = error;
}

/* Appends rows first … first + n − 1 of another observation with the same number of columns. */
static void
copy_rows(struct obs *obs, const struct obs *from, size_t first, size_t n)
{
	size_t c = obs->n_columns;

	for (size_t m = first; m < first + n;) {
		struct obs_rows r = obs_rows(from, m, first + n);

		for (size_t k = 0; k < r.n; k++, m++) {
			size_t cell = k * c;

			obs_add_row(obs, r.count + cell, r.counted + cell, from->time ? from->time[m] : NAN);
			for (size_t i = 0; i < c && (r.running || r.error); i++)
				obs_set_quality(
					obs, i, r.running ? r.running[cell + i] : 1, r.error ? r.error[cell + i] : 0);
		}
	}
	obs->tasks = from->tasks;
	obs->rotation = from->rotation;
	memcpy(obs->health, from->health, c * sizeof *obs->health);
}

/* All gathered rows but the last one hold equally many samples. The totals are known for the whole observation only. */
static void
copy_gathered(struct obs *obs, const struct obs *from, size_t first)
{
	size_t c = obs->n_columns, samples = 0;

	obs->per_row = from->per_row;
	for (size_t row = first; row < first + obs->n_rows; row++)
		samples += obs_samples_in_row(from, row);
	obs->folded = samples - obs->n_rows;
	obs->sums = obs->n_rows;
	if (from->of) {
		obs->of = mem_copy(from->of + first * c, obs->n_rows * c * sizeof *obs->of);
		obs_fit(obs);
	}
	if (from->whole) {
		obs->whole = mem_copy(from->whole + first * c, obs->n_rows * c * sizeof *obs->whole);
		obs->whole_of = mem_copy(from->whole_of + first, obs->n_rows * sizeof *obs->whole_of);
		obs_fit(obs);
	}
	if (obs->n_rows == from->n_rows) {
		obs->total = mem_copy(from->total, c * sizeof *obs->total);
		return;
	}
	obs->total = mem_new_array(c, sizeof *obs->total);
	for (size_t i = 0; i < c; i++)
		obs->total[i].square = OBS_SQUARE_LOST;
	for (size_t row = 0; row < obs->n_rows; row++)
		for (size_t i = 0; i < c; i++) {
			obs->total[i].sum += obs->count[row * c + i];
			obs->total[i].counted += obs_samples_in_cell(obs, row, i);
		}
}

struct obs *
obs_table_add_part(struct obs_table *table, const struct obs *from, const char *name, size_t first, size_t n)
{
	struct obs *obs = obs_table_add(table, name, from->source);

	obs->exact = from->exact;
	obs->peeked = from->peeked;
	obs->since_start = from->since_start;
	obs->elapsed = first == 0 && n == from->n_rows ? from->elapsed : 0;
	obs->silent_zeros = from->silent_zeros;
	obs_copy_origin(obs, &from->origin);
	obs->decimals = from->decimals;
	copy_rows(obs, from, first, n);
	if (from->per_row > 1)
		copy_gathered(obs, from, first);
	return obs;
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
obs_forget_column(struct obs *obs, size_t column, enum obs_health why)
{
	obs_repeat_forget(obs);
	for (size_t row = 0; row < obs->n_rows; row++) {
		obs->count[row * obs->n_columns + column] = 0;
		obs->counted[row * obs->n_columns + column] = 0;
		if (obs->of)
			obs->of[row * obs->n_columns + column] = 0;
		if (obs->whole)
			obs->whole[row * obs->n_columns + column] = 0;
		if (obs->running)
			obs->running[row * obs->n_columns + column] = 1;
		if (obs->error)
			obs->error[row * obs->n_columns + column] = 0;
	}
	if (obs->total)
		obs->total[column] = (struct obs_total){0};
	obs->health[column] = why;
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
