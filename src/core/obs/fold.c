/* Adds up old rows, so that an observation which grows for days stays small. Only sums remain of old rows, but no count
 * is lost. */
#include "core/obs/obs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* The length of a row's interval in seconds; 1 for every row if the length is unknown. */
static double
fold_seconds_of(const struct obs *o, size_t row)
{
	double seconds = NAN;

	if (row)
		seconds = o->time[row] - o->time[row - 1];
	else if (o->since_start)
		seconds = o->time[0];
	else if (o->n_rows > 1)
		seconds = o->time[1] - o->time[0];
	return seconds > 0 ? seconds : 1;
}

/* Adds up one column over rows first … first + n - 1 and stores it in row `into`, which is not after them. */
static void
fold_cell(struct obs *obs, size_t column, size_t first, size_t n, const double *seconds, size_t into)
{
	size_t c = obs->n_columns, at = into * c + column;
	double all = 0, here = 0, running = 0, error2 = 0;
	int64_t sum = 0;
	bool whole = true;

	for (size_t row = first; row < first + n; row++) {
		size_t cell = row * c + column;
		double s = seconds[row - first];

		all += s;
		whole &= obs->counted[cell] == OBS_COUNTED;
		if (!obs->counted[cell])
			continue;
		sum += obs->count[cell];
		here += s;
		running += s * (obs->running ? obs->running[cell] : 1);
		error2 += obs->error ? obs->error[cell] * obs->error[cell] : 0;
	}
	obs->counted[at] = !(here > 0) ? OBS_EMPTY : whole ? OBS_COUNTED : OBS_PART;
	obs->count[at] = whole || !(here > 0) ? sum : (int64_t)llround((double)sum * (all / here));
	if (obs->running)
		obs->running[at] = here > 0 ? running / all : 1;
	if (obs->error)
		obs->error[at] = here > 0 ? sqrt(error2) * (all / here) : 0;
}

/* Returns whether some column is counted in some of the rows and empty in others. Then shares of time are needed. */
static bool
has_gaps(const struct obs *o, size_t first, size_t n)
{
	size_t c = o->n_columns;

	for (size_t row = first + 1; row < first + n; row++)
		if (memcmp(o->counted + row * c, o->counted + first * c, c) != 0)
			return true;
	return false;
}

void
obs_move_row(struct obs *obs, size_t to, size_t from)
{
	size_t c = obs->n_columns;

	if (to == from)
		return;
	memcpy(obs->count + to * c, obs->count + from * c, c * sizeof *obs->count);
	memcpy(obs->counted + to * c, obs->counted + from * c, c);
	if (obs->of)
		memcpy(obs->of + to * c, obs->of + from * c, c * sizeof *obs->of);
	if (obs->whole) {
		memcpy(obs->whole + to * c, obs->whole + from * c, c * sizeof *obs->whole);
		obs->whole_of[to] = obs->whole_of[from];
	}
	if (obs->running)
		memcpy(obs->running + to * c, obs->running + from * c, c * sizeof *obs->running);
	if (obs->error)
		memcpy(obs->error + to * c, obs->error + from * c, c * sizeof *obs->error);
	if (obs->time)
		obs->time[to] = obs->time[from];
}

/* Folds rows first … end - 1 into row `into`. */
static void
fold_rows(struct obs *o, size_t first, size_t end, const double *seconds, size_t into)
{
	if (end == first + 1) {
		obs_move_row(o, into, first);
		return;
	}
	for (size_t column = 0; column < o->n_columns; column++)
		fold_cell(o, column, first, end - first, seconds + first, into);
	o->time[into] = o->time[end - 1];
}

/* The first row from `row` on that ends later than `end`; n_rows if there is none. */
static size_t
rows_until(const struct obs *o, size_t row, double end)
{
	while (row < o->n_rows && o->time[row] <= end)
		row++;
	return row;
}

void
obs_fold(struct obs *obs, const double *end, size_t n)
{
	size_t into = 0, row = 0, sums = 0, last = obs->time && n ? rows_until(obs, 0, end[n - 1]) : 0;
	double *seconds;

	if (last < 2)
		return;
	if (obs->changes)
		++*obs->changes;
	seconds = mem_new_array(last, sizeof *seconds);
	for (size_t i = 0; i < last; i++)
		seconds[i] = fold_seconds_of(obs, i);
	for (size_t k = 0; k < n && !obs->running; k++) {
		size_t next = rows_until(obs, row, end[k]);

		if (next > row + 1 && has_gaps(obs, row, next - row))
			obs_set_running(obs);
		row = next;
	}
	row = 0;
	for (size_t k = 0; k < n; k++) {
		size_t next = rows_until(obs, row, end[k]);

		if (next == row)
			continue;
		if (next > row + 1 || row < obs->sums)
			sums = into + 1;
		fold_rows(obs, row, next, seconds, into++);
		row = next;
	}
	for (; row < obs->n_rows; row++) {
		if (row < obs->sums)
			sums = into + 1;
		obs_move_row(obs, into++, row);
	}
	obs->folded += obs->n_rows - into;
	obs->n_rows = into;
	obs->sums = sums;
	free(seconds);
}

void
obs_keep(struct obs *obs, size_t most)
{
	double *end;
	size_t n = 0;

	if (obs->n_rows < most || !obs->time)
		return;
	end = mem_new_array(most / 4, sizeof *end);
	for (size_t row = 1; row < most / 2; row += 2)
		end[n++] = obs->time[row];
	obs_fold(obs, end, n);
	free(end);
}
