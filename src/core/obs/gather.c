#include "core/obs/gather.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/obs/repeat.h"

#define CLEARLY 1.25 /* times as many cells as are kept: an estimate is hardly off by more */

static void
add_square(struct obs_total *t, int64_t count)
{
	uint64_t off = count > t->from ? (uint64_t)count - (uint64_t)t->from : (uint64_t)t->from - (uint64_t)count;

	if (t->square == OBS_SQUARE_LOST)
		return;
	if (off >> 63 || __builtin_add_overflow(t->square, (u128)off * off, &t->square))
		t->square = OBS_SQUARE_LOST;
}

static void
add_to_total(struct obs_total *t, int64_t count)
{
	if (t->counted == 0)
		t->from = count;
	t->sum += count;
	t->counted++;
	add_square(t, count);
}

/* Begins to keep samples as sums. Each row so far holds one sample. */
static void
begin_totals(struct obs *o)
{
	size_t n = o->n_columns;

	o->per_row = 1;
	o->total = mem_new_array(n, sizeof *o->total);
	for (size_t row = 0; row < o->n_rows; row++) {
		obs_repeat_see(o, row, o->count + row * n, o->counted + row * n);
		for (size_t i = 0; i < n; i++)
			if (o->counted[row * n + i])
				add_to_total(&o->total[i], o->count[row * n + i]);
	}
}

/* Gives each cell the number of samples that counted it. The capacity is that of the other arrays. */
static void
begin_counts(struct obs *o)
{
	size_t cap = 1;

	if (o->of)
		return;
	while (cap < o->n_rows)
		cap *= 2;
	o->of = mem_new_array(cap * o->n_columns, sizeof *o->of);
	for (size_t row = 0; row < o->n_rows; row++)
		for (size_t i = 0; i < o->n_columns; i++)
			if (o->counted[row * o->n_columns + i])
				o->of[row * o->n_columns + i] = (uint32_t)obs_samples_in_row(o, row);
}

/* Whether the cells of a row or sample have every column that the observation has. */
static bool
has_all(const struct obs *o, const unsigned char *counted)
{
	for (size_t i = 0; i < o->n_columns; i++)
		if (!counted[i] && o->health[i] != OBS_ABSENT)
			return false;
	return true;
}

/* Begins to keep apart the samples that have every column. So far no row holds both kinds. */
static void
begin_whole(struct obs *o)
{
	size_t cap = 1, n = o->n_columns;

	if (o->whole)
		return;
	while (cap < o->n_rows)
		cap *= 2;
	o->whole = mem_new_array(cap * n, sizeof *o->whole);
	o->whole_of = mem_new_array(cap, sizeof *o->whole_of);
	for (size_t row = 0; row < o->n_rows; row++)
		if (has_all(o, o->counted + row * n)) {
			memcpy(o->whole + row * n, o->count + row * n, n * sizeof *o->whole);
			o->whole_of[row] = (uint32_t)obs_samples_in_row(o, row);
		}
}

/* Notes what a sample that is about to be added has. A column that no earlier sample had makes all of these
 * incomplete. */
static void
note_columns(struct obs *o, const unsigned char *counted)
{
	bool new = false;

	for (size_t i = 0; i < o->n_columns && o->n_rows; i++)
		new |= o->health[i] == OBS_ABSENT && (!counted || counted[i]);
	if (new) {
		begin_whole(o);
		memset(o->whole_of, 0, o->n_rows * sizeof *o->whole_of);
		memset(o->whole, 0, o->n_rows * o->n_columns * sizeof *o->whole);
	}
	if (counted && memchr(counted, 0, o->n_columns) && !has_all(o, counted))
		begin_whole(o);
}

/* Adds a sample to the sums of a row over complete samples. `first`: the row is new. */
static void
add_to_whole(struct obs *o, const int64_t *count, const unsigned char *counted, bool first)
{
	size_t row = o->n_rows - 1, n = o->n_columns;
	int64_t *sum;

	if (!o->whole)
		return;
	sum = o->whole + row * n;
	if (first) {
		memset(sum, 0, n * sizeof *sum);
		o->whole_of[row] = 0;
	}
	if (counted && !has_all(o, counted))
		return;
	for (size_t i = 0; i < n; i++)
		sum[i] += !counted || counted[i] ? count[i] : 0;
	o->whole_of[row]++;
}

/* The share of time for the sum of two extrapolated counts. With it the sum has the uncertainty of both together: their
 * terms V (1 - p)/p add up. */
static double
share_of_sum(double a, double pa, double b, double pb)
{
	double extra = 0, all = fabs(a) + fabs(b);

	if (!(all > 0))
		return fmin(pa, pb);
	extra += pa > 0 && pa < 1 ? fabs(a) * (1 - pa) / pa : 0;
	extra += pb > 0 && pb < 1 ? fabs(b) * (1 - pb) / pb : 0;
	return all / (all + extra);
}

/* The first column in which the sum of a pair of rows overflows; n_columns if none does. */
static size_t
find_overflow(const struct obs *o)
{
	size_t n = o->n_columns, pairs = o->n_rows / 2;
	int64_t sum;

	for (size_t row = 0; row < pairs; row++) {
		const int64_t *a = o->count + 2 * row * n, *b = a + n;

		for (size_t i = 0; i < n; i++)
			if (__builtin_add_overflow(a[i], b[i], &sum) ||
				(o->whole && __builtin_add_overflow(o->whole[2 * row * n + i],
					o->whole[(2 * row + 1) * n + i], &sum)))
				return i;
	}
	return n;
}

/* Adds cell b, with its share of time and its error, to cell a. */
static void
merge_cells(struct obs *o, size_t a, size_t b)
{
	if (o->running && o->counted[b])
		o->running[a] = o->counted[a]
			? share_of_sum((double)o->count[a], o->running[a], (double)o->count[b], o->running[b])
			: o->running[b];
	if (o->error)
		o->error[a] = hypot(o->counted[a] ? o->error[a] : 0, o->counted[b] ? o->error[b] : 0);
	o->count[a] += o->count[b];
	o->counted[a] |= o->counted[b];
	if (o->of)
		o->of[a] += o->of[b];
	if (o->whole)
		o->whole[a] += o->whole[b];
}

static bool
pair_rows(struct obs *o, size_t *column)
{
	size_t n = o->n_columns, rows = (o->n_rows + 1) / 2;

	*column = find_overflow(o);
	if (*column < n)
		return false;
	if (o->of || memchr(o->counted, 0, o->n_rows * n))
		begin_counts(o);
	for (size_t row = 0; row < rows; row++) {
		size_t first = 2 * row, last = first + 1 < o->n_rows ? first + 1 : first;

		obs_move_row(o, row, first);
		for (size_t i = 0; i < n && last > first; i++)
			merge_cells(o, row * n + i, last * n + i);
		if (o->whole && last > first)
			o->whole_of[row] += o->whole_of[last];
		if (o->time)
			o->time[row] = o->time[last];
	}
	o->folded += o->n_rows - rows;
	o->n_rows = o->sums = rows;
	o->per_row *= 2;
	return true;
}

bool
obs_gather(struct obs *o, size_t most, size_t *column)
{
	if (o->n_rows <= most)
		return true;
	if (!o->per_row)
		begin_totals(o);
	for (size_t row = 0; row < o->n_rows && !o->whole; row++)
		if (!has_all(o, o->counted + row * o->n_columns))
			begin_whole(o);
	while (o->n_rows > most)
		if (!pair_rows(o, column))
			return false;
	obs_fit(o);
	if (o->changes)
		++*o->changes;
	return true;
}

static bool
fits_into_row(const struct obs *o, const int64_t *count, const unsigned char *counted, size_t *column)
{
	size_t row = o->n_rows - 1, n = o->n_columns;
	const int64_t *last = o->count + row * n, *whole = o->whole ? o->whole + row * n : last;
	int64_t sum;

	for (*column = 0; *column < n; ++*column)
		if ((!counted || counted[*column]) && (__builtin_add_overflow(last[*column], count[*column], &sum) ||
			__builtin_add_overflow(whole[*column], count[*column], &sum)))
			return false;
	return true;
}

/* Adds a sample to the last row if both count everything all of the time, as is usual: the fast path. False and *column
 * if a sum overflows. */
static bool
add_whole_sample(struct obs *o, const int64_t *count, double time, size_t *column)
{
	int64_t *last = o->count + (o->n_rows - 1) * o->n_columns, sum;
	uint64_t wrong = 0;

	for (size_t i = 0; i < o->n_columns; i++) {
		sum = (int64_t)((uint64_t)last[i] + (uint64_t)count[i]);
		wrong |= (uint64_t)((last[i] ^ sum) & (count[i] ^ sum));
	}
	if (wrong >> 63)
		return fits_into_row(o, count, NULL, column);
	for (size_t i = 0; i < o->n_columns; i++)
		last[i] += count[i];
	if (o->time)
		o->time[o->n_rows - 1] = time;
	o->folded++;
	return true;
}

static void
add_to_last_row(struct obs *o, const int64_t *count, const unsigned char *counted, double time, const double *running,
	const double *error)
{
	size_t n = o->n_columns, row = o->n_rows - 1;

	if (counted && memchr(counted, 0, n))
		begin_counts(o);
	if (running)
		obs_set_running(o);
	if (error)
		obs_set_error(o);
	for (size_t i = 0; i < n; i++) {
		size_t cell = row * n + i;
		double share = running ? running[i] : 1;

		if (counted && !counted[i])
			continue;
		if (o->running)
			o->running[cell] = o->counted[cell]
				? share_of_sum((double)o->count[cell], o->running[cell], (double)count[i], share)
				: share;
		if (error)
			o->error[cell] = hypot(o->counted[cell] ? o->error[cell] : 0, error[i]);
		o->count[cell] += count[i];
		if (!o->counted[cell])
			begin_counts(o);
		o->counted[cell] = 1;
		if (o->of)
			o->of[cell]++;
		if (o->health[i] == OBS_ABSENT)
			o->health[i] = OBS_LIVE;
	}
	if (o->time)
		o->time[row] = time;
	o->folded++;
}

static void
add_new_row(struct obs *o, const int64_t *count, const unsigned char *counted, double time, const double *running,
	const double *error)
{
	obs_add_row(o, count, counted, time);
	for (size_t i = 0; i < o->n_columns && (running || error); i++)
		obs_set_quality(o, i, running ? running[i] : 1, error ? error[i] : 0);
	for (size_t i = 0; i < o->n_columns && o->of; i++)
		o->of[(o->n_rows - 1) * o->n_columns + i] = !counted || counted[i];
	if (o->per_row)
		o->sums = o->n_rows;
}

bool
obs_add_sample(struct obs *o, const int64_t *count, const unsigned char *counted, double time, const double *running,
	const double *error, size_t *column)
{
	bool into = o->per_row && obs_samples(o) % o->per_row;

	if (into) {
		bool whole = !counted && !running && !error && !o->running && !o->of &&
			!memchr(o->counted + (o->n_rows - 1) * o->n_columns, 0, o->n_columns);

		if (whole && !add_whole_sample(o, count, time, column))
			return false;
		if (!whole && !fits_into_row(o, count, counted, column))
			return false;
		if (!whole) {
			note_columns(o, counted);
			add_to_last_row(o, count, counted, time, running, error);
		}
	} else {
		if (o->per_row)
			note_columns(o, counted);
		add_new_row(o, count, counted, time, running, error);
	}
	add_to_whole(o, count, counted, !into);
	if (o->repeat)
		obs_repeat_see(o, obs_samples(o) - 1, count, counted);
	for (size_t i = 0; i < o->n_columns && o->total; i++)
		if (!counted || counted[i])
			add_to_total(&o->total[i], count[i]);
	return true;
}

void
obs_leave_out(struct obs *o, size_t row, size_t column)
{
	size_t n = o->n_columns, cell = row * n + column;

	if (o->total) {
		begin_counts(o);
		begin_whole(o);
		obs_repeat_forget(o);
		o->total[column].sum -= o->count[cell];
		o->total[column].counted -= o->of[cell];
		o->total[column].square = OBS_SQUARE_LOST;
		o->of[cell] = 0;
		o->whole_of[row] = 0;
		memset(o->whole + row * n, 0, n * sizeof *o->whole);
	}
	o->count[cell] = 0;
	o->counted[cell] = 0;
}

/* Gathers all observations to the limit. */
static bool
gather_all(struct obs_room *room, struct obs_table *t, size_t *column)
{
	room->cells = 0;
	for (size_t i = 0; i < t->n; i++) {
		if (!obs_gather(t->obs[i], room->most, column))
			return false;
		room->cells += t->obs[i]->n_rows * t->n_columns;
	}
	return true;
}

/* Lowers the limit until the cells of all observations fit together. */
static bool
tighten(struct obs_room *room, struct obs_table *t, size_t *column)
{
	while (room->cells > room->near && room->most != GATHER_LEAST) {
		room->most = room->most ? room->most / 2 : GATHER_ROWS;
		if (!gather_all(room, t, column))
			return false;
	}
	return true;
}

bool
obs_room_expect(struct obs_room *room, struct obs_table *t, double cells, size_t *column)
{
	if (room->most || !(cells > CLEARLY * (double)room->near))
		return true;
	room->most = GATHER_ROWS;
	room->early = true;
	return gather_all(room, t, column);
}

bool
obs_room_was_hasty(const struct obs_room *room)
{
	return room->early && room->seen <= room->near;
}

bool
obs_room_add(struct obs_room *room, struct obs_table *t, struct obs *o, const int64_t *count,
	const unsigned char *counted, double time, const double *running, const double *error, size_t *column)
{
	size_t before = o->n_rows;

	room->seen += o->n_columns;
	/* The next row would be one too many. */
	if (room->most && o->n_rows >= room->most &&
		obs_samples_in_row(o, o->n_rows - 1) >= (o->per_row ? o->per_row : 1) &&
		!obs_gather(o, room->most - 1, column))
		return false;
	if (!obs_add_sample(o, count, counted, time, running, error, column))
		return false;
	room->cells = room->cells + o->n_rows * o->n_columns - before * o->n_columns;
	return room->cells <= room->near || tighten(room, t, column);
}

void
obs_table_note_gathered(struct obs_table *t, const char *name)
{
	const struct obs *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		if (t->obs[i]->per_row > 1) {
			first = first ? first : t->obs[i];
			n++;
		}
	if (!n)
		return;
	obs_table_note(t, OBS_NOTE_SUMS,
		str_format("%s: the %zu samples of %s are kept as sums of %zu each%s; their means stay exact", name,
			obs_samples(first), first->name, first->per_row,
			n > 1 ? ", and those of other observations likewise" : ""));
}

static void
divide_all(struct obs *o, int64_t by)
{
	for (size_t cell = 0; cell < o->n_rows * o->n_columns; cell++) {
		o->count[cell] /= by;
		if (o->whole)
			o->whole[cell] /= by;
	}
	for (size_t i = 0; i < o->n_columns && o->total; i++) {
		o->total[i].sum /= by;
		o->total[i].from /= by;
		if (o->total[i].square != OBS_SQUARE_LOST)
			o->total[i].square /= (u128)by * (u128)by;
	}
}

static void
multiply_all(struct obs *o, int64_t by)
{
	for (size_t cell = 0; cell < o->n_rows * o->n_columns; cell++) {
		o->count[cell] *= by;
		if (o->whole)
			o->whole[cell] *= by;
	}
	for (size_t i = 0; i < o->n_columns && o->total; i++) {
		struct obs_total *t = &o->total[i];

		t->sum *= by;
		if (__builtin_mul_overflow(t->from, by, &t->from) || t->square == OBS_SQUARE_LOST ||
			__builtin_mul_overflow(t->square, (u128)by * (u128)by, &t->square))
			t->square = OBS_SQUARE_LOST;
	}
}

bool
obs_scale(struct obs *o, int by, size_t *column)
{
	int64_t factor = 1, scaled;

	obs_repeat_forget(o);
	for (int i = 0; i < abs(by); i++)
		factor *= 10;
	for (size_t cell = 0; cell < o->n_rows * o->n_columns && by > 0; cell++)
		if (__builtin_mul_overflow(o->count[cell], factor, &scaled) ||
			(o->whole && __builtin_mul_overflow(o->whole[cell], factor, &scaled))) {
			*column = cell % o->n_columns;
			return false;
		}
	if (by > 0)
		multiply_all(o, factor);
	else if (by < 0)
		divide_all(o, factor);
	return true;
}

double
obs_total_scatter(const struct obs_total *t)
{
	i128 off = t->sum - (i128)t->from * (i128)t->counted;

	if (t->square == OBS_SQUARE_LOST)
		return NAN;
	return t->counted ? fmax(0, (double)t->square - (double)off / (double)t->counted * (double)off) : 0;
}
