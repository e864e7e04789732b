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
begin_totals(struct obs *obs)
{
	size_t n = obs->n_columns;

	obs->per_row = 1;
	obs->total = mem_new_array(n, sizeof *obs->total);
	for (size_t row = 0; row < obs->n_rows; row++) {
		obs_repeat_see(obs, row, obs->count + row * n, obs->counted + row * n);
		for (size_t i = 0; i < n; i++)
			if (obs->counted[row * n + i])
				add_to_total(&obs->total[i], obs->count[row * n + i]);
	}
}

/* Gives each cell the number of samples that counted it. The capacity is that of the other arrays. */
static void
begin_counts(struct obs *obs)
{
	size_t cap = 1;

	if (obs->of)
		return;
	while (cap < obs->n_rows)
		cap *= 2;
	obs->of = mem_new_array(cap * obs->n_columns, sizeof *obs->of);
	for (size_t row = 0; row < obs->n_rows; row++)
		for (size_t i = 0; i < obs->n_columns; i++)
			if (obs->counted[row * obs->n_columns + i])
				obs->of[row * obs->n_columns + i] = (uint32_t)obs_samples_in_row(obs, row);
}

/* Returns whether the cells of a row or sample have every column that the observation has. */
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
begin_whole(struct obs *obs)
{
	size_t cap = 1, n = obs->n_columns;

	if (obs->whole)
		return;
	while (cap < obs->n_rows)
		cap *= 2;
	obs->whole = mem_new_array(cap * n, sizeof *obs->whole);
	obs->whole_of = mem_new_array(cap, sizeof *obs->whole_of);
	for (size_t row = 0; row < obs->n_rows; row++)
		if (has_all(obs, obs->counted + row * n)) {
			memcpy(obs->whole + row * n, obs->count + row * n, n * sizeof *obs->whole);
			obs->whole_of[row] = (uint32_t)obs_samples_in_row(obs, row);
		}
}

/* Notes what a sample that is about to be added has. A column that no earlier sample had makes all of these
 * incomplete. */
static void
note_columns(struct obs *obs, const unsigned char *counted)
{
	bool new = false;

	for (size_t i = 0; i < obs->n_columns && obs->n_rows; i++)
		new |= obs->health[i] == OBS_ABSENT && (!counted || counted[i]);
	if (new) {
		begin_whole(obs);
		memset(obs->whole_of, 0, obs->n_rows * sizeof *obs->whole_of);
		memset(obs->whole, 0, obs->n_rows * obs->n_columns * sizeof *obs->whole);
	}
	if (counted && memchr(counted, 0, obs->n_columns) && !has_all(obs, counted))
		begin_whole(obs);
}

/* Adds a sample to the sums of a row over complete samples. `first`: the row is new. */
static void
add_to_whole(struct obs *obs, const int64_t *count, const unsigned char *counted, bool first)
{
	size_t row = obs->n_rows - 1, n = obs->n_columns;
	int64_t *sum;

	if (!obs->whole)
		return;
	sum = obs->whole + row * n;
	if (first) {
		memset(sum, 0, n * sizeof *sum);
		obs->whole_of[row] = 0;
	}
	if (counted && !has_all(obs, counted))
		return;
	for (size_t i = 0; i < n; i++)
		sum[i] += !counted || counted[i] ? count[i] : 0;
	obs->whole_of[row]++;
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
find_overflow(const struct obs *obs)
{
	size_t n = obs->n_columns, pairs = obs->n_rows / 2;
	int64_t sum;

	for (size_t row = 0; row < pairs; row++) {
		const int64_t *a = obs->count + 2 * row * n, *b = a + n;

		for (size_t i = 0; i < n; i++)
			if (__builtin_add_overflow(a[i], b[i], &sum) ||
				(obs->whole && __builtin_add_overflow(obs->whole[2 * row * n + i],
					obs->whole[(2 * row + 1) * n + i], &sum)))
				return i;
	}
	return n;
}

/* Adds cell b, with its share of time and its error, to cell a. */
static void
merge_cells(struct obs *obs, size_t a, size_t b)
{
	if (obs->running && obs->counted[b])
		obs->running[a] = obs->counted[a]
			? share_of_sum((double)obs->count[a], obs->running[a], (double)obs->count[b], obs->running[b])
			: obs->running[b];
	if (obs->error)
		obs->error[a] = hypot(obs->counted[a] ? obs->error[a] : 0, obs->counted[b] ? obs->error[b] : 0);
	obs->count[a] += obs->count[b];
	obs->counted[a] |= obs->counted[b];
	if (obs->of)
		obs->of[a] += obs->of[b];
	if (obs->whole)
		obs->whole[a] += obs->whole[b];
}

static bool
pair_rows(struct obs *obs, size_t *column)
{
	size_t n = obs->n_columns, rows = (obs->n_rows + 1) / 2;

	*column = find_overflow(obs);
	if (*column < n)
		return false;
	if (obs->of || memchr(obs->counted, 0, obs->n_rows * n))
		begin_counts(obs);
	for (size_t row = 0; row < rows; row++) {
		size_t first = 2 * row, last = first + 1 < obs->n_rows ? first + 1 : first;

		obs_move_row(obs, row, first);
		for (size_t i = 0; i < n && last > first; i++)
			merge_cells(obs, row * n + i, last * n + i);
		if (obs->whole && last > first)
			obs->whole_of[row] += obs->whole_of[last];
		if (obs->time)
			obs->time[row] = obs->time[last];
	}
	obs->folded += obs->n_rows - rows;
	obs->n_rows = obs->sums = rows;
	obs->per_row *= 2;
	return true;
}

bool
obs_gather(struct obs *obs, size_t most, size_t *column)
{
	if (obs->n_rows <= most)
		return true;
	if (!obs->per_row)
		begin_totals(obs);
	for (size_t row = 0; row < obs->n_rows && !obs->whole; row++)
		if (!has_all(obs, obs->counted + row * obs->n_columns))
			begin_whole(obs);
	while (obs->n_rows > most)
		if (!pair_rows(obs, column))
			return false;
	obs_fit(obs);
	if (obs->changes)
		++*obs->changes;
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

/* Adds a sample to the last row if both count everything all of the time, as is usual: the fast path. Returns false and
 * sets *column if a sum overflows. */
static bool
add_whole_sample(struct obs *obs, const int64_t *count, double time, size_t *column)
{
	int64_t *last = obs->count + (obs->n_rows - 1) * obs->n_columns, sum;
	uint64_t wrong = 0;

	for (size_t i = 0; i < obs->n_columns; i++) {
		sum = (int64_t)((uint64_t)last[i] + (uint64_t)count[i]);
		wrong |= (uint64_t)((last[i] ^ sum) & (count[i] ^ sum));
	}
	if (wrong >> 63)
		return fits_into_row(obs, count, NULL, column);
	for (size_t i = 0; i < obs->n_columns; i++)
		last[i] += count[i];
	if (obs->time)
		obs->time[obs->n_rows - 1] = time;
	obs->folded++;
	return true;
}

static void
add_to_last_row(struct obs *obs, const int64_t *count, const unsigned char *counted, double time, const double *running,
	const double *error)
{
	size_t n = obs->n_columns, row = obs->n_rows - 1;

	if (counted && memchr(counted, 0, n))
		begin_counts(obs);
	if (running)
		obs_set_running(obs);
	if (error)
		obs_set_error(obs);
	for (size_t i = 0; i < n; i++) {
		size_t cell = row * n + i;
		double share = running ? running[i] : 1;

		if (counted && !counted[i])
			continue;
		if (obs->running)
			obs->running[cell] = obs->counted[cell]
				? share_of_sum((double)obs->count[cell], obs->running[cell], (double)count[i], share)
				: share;
		if (error)
			obs->error[cell] = hypot(obs->counted[cell] ? obs->error[cell] : 0, error[i]);
		obs->count[cell] += count[i];
		if (!obs->counted[cell])
			begin_counts(obs);
		obs->counted[cell] = 1;
		if (obs->of)
			obs->of[cell]++;
		if (obs->health[i] == OBS_ABSENT)
			obs->health[i] = OBS_LIVE;
	}
	if (obs->time)
		obs->time[row] = time;
	obs->folded++;
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
obs_leave_out(struct obs *obs, size_t row, size_t column)
{
	size_t n = obs->n_columns, cell = row * n + column;

	if (obs->total) {
		begin_counts(obs);
		begin_whole(obs);
		obs_repeat_forget(obs);
		obs->total[column].sum -= obs->count[cell];
		obs->total[column].counted -= obs->of[cell];
		obs->total[column].square = OBS_SQUARE_LOST;
		obs->of[cell] = 0;
		obs->whole_of[row] = 0;
		memset(obs->whole + row * n, 0, n * sizeof *obs->whole);
	}
	obs->count[cell] = 0;
	obs->counted[cell] = 0;
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
obs_room_add(struct obs_room *room, struct obs_table *table, struct obs *obs, const int64_t *count,
	const unsigned char *counted, double time, const double *running, const double *error, size_t *column)
{
	size_t before = obs->n_rows;

	room->seen += obs->n_columns;
	/* The next row would be one too many. */
	if (room->most && obs->n_rows >= room->most &&
		obs_samples_in_row(obs, obs->n_rows - 1) >= (obs->per_row ? obs->per_row : 1) &&
		!obs_gather(obs, room->most - 1, column))
		return false;
	if (!obs_add_sample(obs, count, counted, time, running, error, column))
		return false;
	room->cells = room->cells + obs->n_rows * obs->n_columns - before * obs->n_columns;
	return room->cells <= room->near || tighten(room, table, column);
}

void
obs_table_note_gathered(struct obs_table *table, const char *name)
{
	const struct obs *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < table->n; i++)
		if (table->obs[i]->per_row > 1) {
			first = first ? first : table->obs[i];
			n++;
		}
	if (!n)
		return;
	obs_table_note(table, OBS_NOTE_SUMS,
		str_format("%s: the %zu samples of %s are kept as sums of %zu each%s; their means stay exact", name,
			obs_samples(first), first->name, first->per_row,
			n > 1 ? ", and those of other observations likewise" : ""));
}

static void
divide_all(struct obs *obs, int64_t by)
{
	for (size_t cell = 0; cell < obs->n_rows * obs->n_columns; cell++) {
		obs->count[cell] /= by;
		if (obs->whole)
			obs->whole[cell] /= by;
	}
	for (size_t i = 0; i < obs->n_columns && obs->total; i++) {
		obs->total[i].sum /= by;
		obs->total[i].from /= by;
		if (obs->total[i].square != OBS_SQUARE_LOST)
			obs->total[i].square /= (u128)by * (u128)by;
	}
}

static void
multiply_all(struct obs *obs, int64_t by)
{
	for (size_t cell = 0; cell < obs->n_rows * obs->n_columns; cell++) {
		obs->count[cell] *= by;
		if (obs->whole)
			obs->whole[cell] *= by;
	}
	for (size_t i = 0; i < obs->n_columns && obs->total; i++) {
		struct obs_total *total = &obs->total[i];

		total->sum *= by;
		if (__builtin_mul_overflow(total->from, by, &total->from) || total->square == OBS_SQUARE_LOST ||
			__builtin_mul_overflow(total->square, (u128)by * (u128)by, &total->square))
			total->square = OBS_SQUARE_LOST;
	}
}

bool
obs_scale(struct obs *obs, int by, size_t *column)
{
	int64_t factor = 1, scaled;

	obs_repeat_forget(obs);
	for (int i = 0; i < abs(by); i++)
		factor *= 10;
	for (size_t cell = 0; cell < obs->n_rows * obs->n_columns && by > 0; cell++)
		if (__builtin_mul_overflow(obs->count[cell], factor, &scaled) ||
			(obs->whole && __builtin_mul_overflow(obs->whole[cell], factor, &scaled))) {
			*column = cell % obs->n_columns;
			return false;
		}
	if (by > 0)
		multiply_all(obs, factor);
	else if (by < 0)
		divide_all(obs, factor);
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
