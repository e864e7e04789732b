/* Running totals. Increments whose noise is a random walk, the slowest that occurs, rise from one row to the next with
 * probability 1/2. Then k rises in a row have the probability 2^-k. For k below 30 that is no proof, but totals of a
 * steady program also rise by similar steps. The steps of a random walk do not: k of them vary by less than the
 * share c of their mean with a probability below (c / 0.55)^(k-1) (half-normal steps, by simulation for k of 4 to 8).
 * The largest c for which both together are below 10^-9 is the limit:
 *
 *     rises k          7     10     15     20    30 and more
 *     steps vary by    4 %   12 %   26 %   38 %  any amount
 *
 * Below 30 rises the last total must moreover be twice the first, as totals from 0 on are: a slow drift is not. */
#include "core/obs/damage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "core/obs/gather.h"
#include "core/obs/obs.h"
#include "core/obs/repeat.h"
#include "core/obs/rows.h"

#define CHANCE 1e-9
#define STEP_SCALE 0.55
#define RISES_LEAST 6
#define RISES_ENOUGH 30 /* 2^-30 < CHANCE */

#define WRAP_BITS 281474976710656.0 /* 2^48: the width of the counters that perf and pcm read */
#define WRAP_NEAR 0.9               /* a wrapped difference is 2^48 minus the earlier count */
#define WRAP_SMALL 4096             /* all other counts are smaller by this factor */
#define WRAP_SUMS 16                /* and sums of them by this one */

#define LARGE 100      /* two equal cells that are larger are hardly equal by chance */
#define LARGE_CELLS 8  /* number of such cells in a block of rows that is repeated */

/* --- running totals ---------------------------------------------------------------------------------------------- */

/* A column while its rows are read. */
struct climb {
	size_t rises;
	int64_t first, last;
	bool some;
	double sum, square; /* of its steps */
};

static bool
climb_on(struct climb *climb, int64_t count)
{
	double step = climb->some ? (double)count - (double)climb->last : 0;

	if (climb->some && count < climb->last)
		return false;
	climb->rises += step > 0;
	climb->sum += step;
	climb->square += step * step;
	climb->first = climb->some ? climb->first : count;
	climb->last = count;
	climb->some = true;
	return true;
}

/* Returns true when the column's steps cannot be those of increments; `rows` is the number of its rows. */
static bool
is_climb(const struct climb *c, size_t rows)
{
	double k = (double)c->rises, mean = c->sum / k, vary, most;

	if (c->rises >= RISES_ENOUGH)
		return true;
	if (c->rises < RISES_LEAST || c->rises + 1 < rows || c->last < 2 * c->first)
		return false;
	vary = sqrt(fmax(0, c->square / k - mean * mean)) / mean;
	most = STEP_SCALE * pow(CHANCE * pow(2, k), 1 / (k - 1));
	return vary < most;
}

/* Sums of many increments climb as smoothly if there is a slow trend, but do not begin with so little. */
static bool
begins_low(const struct obs *o, const struct climb *c)
{
	return o->per_row <= 1 || (double)c->first < c->sum / (double)c->rises;
}

bool
obs_is_running_total(const struct obs *obs)
{
	size_t n = obs->n_columns, n_rows = obs->n_rows;
	struct climb *climb = mem_new_array(n, sizeof *climb);
	bool climbs = n_rows > RISES_LEAST, some = false;

	/* Sums of equally many rows rise if the rows rise; a last sum of fewer rows may not. */
	while (n_rows > 1 && obs_samples_in_row(obs, n_rows - 1) < obs_samples_in_row(obs, n_rows - 2))
		n_rows--;
	for (size_t row = 0; row < n_rows && climbs;) {
		struct obs_rows x = obs_rows(obs, row, n_rows);

		for (size_t cell = 0; cell < x.n * n && climbs; cell++)
			climbs = !x.counted[cell] || climb_on(&climb[cell % n], x.count[cell]);
		row += x.n;
	}
	for (size_t i = 0; i < n && climbs; i++)
		if (climb[i].last > climb[i].first) {
			climbs = n_rows > RISES_ENOUGH || is_climb(&climb[i], n_rows);
			some |= is_climb(&climb[i], n_rows) && begins_low(obs, &climb[i]);
		}
	free(climb);
	return climbs && some;
}

void
obs_table_note_totals(struct obs_table *t, const char *file)
{
	for (size_t i = 0; i < t->n; i++)
		if (obs_is_running_total(t->obs[i]))
			obs_table_note(t, OBS_NOTE_TOTALS,
				str_format("%s: every column of %s only rises from row to row, as running "
					"totals do: --totals takes their differences", file, t->obs[i]->name));
}

static bool
refuse_fall(const struct obs_table *t, const struct obs *o, const char *file, size_t row, size_t column, struct err *e)
{
	size_t cell = row * o->n_columns + column;

	err_set(e, "row %zu of %s: the total of %s falls from %.15g to %.15g", row + 1, o->name, t->column[column],
		(double)o->count[cell - o->n_columns] * pow(10, -o->decimals),
		(double)o->count[cell] * pow(10, -o->decimals));
	err_hint(e, "--totals is for running totals, which cannot fall: without it each row is an increment");
	return err_place(e, file, 0, 0);
}

/* Takes the differences from the last row to the first, so that each finds the totals before it. */
static bool
take_differences(const struct obs_table *table, struct obs *obs, const char *file, struct err *e)
{
	size_t n = obs->n_columns;

	if (obs->per_row > 1 || obs->folded || obs->sums) {
		err_set(e, "%s is too long: its rows are sums, which have no differences", obs->name);
		err_hint(e, "import the data again, with --totals");
		return err_place(e, file, 0, 0);
	}
	for (size_t row = 1; row < obs->n_rows; row++)
		for (size_t i = 0; i < n; i++) {
			size_t cell = row * n + i;

			if (obs->counted[cell] && obs->counted[cell - n] && obs->count[cell] < obs->count[cell - n])
				return refuse_fall(table, obs, file, row, i, e);
		}
	for (size_t cell = obs->n_rows * n; cell-- > n;) {
		obs->counted[cell] = obs->counted[cell] && obs->counted[cell - n];
		obs->count[cell] = obs->counted[cell] ? obs->count[cell] - obs->count[cell - n] : 0;
	}
	for (size_t row = 0; row + 1 < obs->n_rows; row++)
		obs_move_row(obs, row, row + 1);
	obs->n_rows -= obs->n_rows > 0;
	return true;
}

bool
obs_table_take_differences(struct obs_table *table, const char *file, struct err *e)
{
	size_t rows = 0;

	for (size_t i = 0; i < table->n; i++) {
		if (!take_differences(table, table->obs[i], file, e))
			return false;
		rows += table->obs[i]->n_rows;
	}
	table->changes++;
	if (rows)
		return true;
	err_set(e, "one row of running totals has no difference");
	err_hint(e, "--totals needs at least two rows of an observation");
	return err_place(e, file, 0, 0);
}

/* --- rows that stand twice ---------------------------------------------------------------------------------------- */

static bool
same_rows(const struct obs *a, size_t row, const struct obs *b, size_t other)
{
	size_t n = a->n_columns;

	return memcmp(a->count + row * n, b->count + other * n, n * sizeof *a->count) == 0 &&
		memcmp(a->counted + row * n, b->counted + other * n, n) == 0;
}

static size_t
large_cells(const struct obs *o, size_t row)
{
	size_t large = 0;

	for (size_t cell = row * o->n_columns; cell < (row + 1) * o->n_columns; cell++)
		large += o->counted[cell] && (double)o->count[cell] * pow(10, -o->decimals) > LARGE;
	return large;
}

/* Returns true when the first n rows hold so much that no other measurement is equal to them: they change from row to
 * row, and many cells are large. */
static bool
is_distinct(const struct obs *o, size_t n)
{
	size_t large = 0, changes = 0;

	for (size_t row = 0; row < n; row++)
		large += large_cells(o, row);
	for (size_t row = 1; row < n; row++)
		changes += !same_rows(o, row, o, row - 1);
	return large >= LARGE_CELLS && 2 * changes + 1 >= n;
}

/* Returns the number of rows in a block that the observation repeats from beginning to end; 0: none. */
static size_t
block_of(const struct obs *o)
{
	for (size_t n = 2; 2 * n <= o->n_rows; n++) {
		size_t row = n;

		while (o->n_rows % n == 0 && row < o->n_rows && same_rows(o, row, o, row - n))
			row++;
		if (row == o->n_rows)
			return is_distinct(o, n) ? n : 0;
	}
	return 0;
}

static bool
is_twin(const struct obs *o, size_t row)
{
	return row > 0 && o->time[row] == o->time[row - 1] && same_rows(o, row, o, row - 1);
}

/* Removes rows that are equal to the row before in all columns and in time. Returns how many; few equal rows with small
 * counts stay. */
static size_t
drop_twins(struct obs *obs)
{
	size_t large = 0, twins = 0, to = 0;

	for (size_t row = 0; row < obs->n_rows; row++)
		if (is_twin(obs, row)) {
			large += large_cells(obs, row);
			twins++;
		}
	if (large < LARGE_CELLS)
		return 0;
	for (size_t row = 0, next; row < obs->n_rows; row = next) {
		for (next = row + 1; next < obs->n_rows && is_twin(obs, next);)
			next++;
		obs_move_row(obs, to++, row);
	}
	obs->n_rows = to;
	return twins;
}

/* Removes the rows of an observation that stand in the file several times. Returns how many. */
static size_t
drop_repeated(struct obs *o)
{
	size_t n = o->time ? 0 : block_of(o), rows = o->n_rows;

	if (o->time)
		return drop_twins(o);
	if (!n)
		return 0;
	o->n_rows = n;
	return rows - n;
}

/* Returns true if a block of samples that are no longer stored meets the conditions of is_distinct(). */
static bool
is_distinct_block(const struct obs *obs, size_t samples)
{
	double unit = pow(10, -obs->decimals), large = 0;
	bool changes = false;

	for (size_t i = 0; i < obs->n_columns; i++) {
		const struct obs_total *total = &obs->total[i];

		large += total->counted && (double)total->sum / (double)total->counted * unit > LARGE ? (double)samples
												      : 0;
		changes |= total->square > 0;
	}
	return large >= LARGE_CELLS && changes;
}

/* The same for a gathered observation, with its note. */
static void
mend_gathered(struct obs_table *table, struct obs *obs, const char *file)
{
	size_t all = obs_samples(obs), block = obs_repeat_block(obs);

	if (!block || !is_distinct_block(obs, block))
		return;
	if (obs_repeat_cut(obs))
		obs_table_note(table, OBS_NOTE_REPEATED,
			str_format("%s: %zu of %zu samples of %s stand there again, equal in all columns: each "
				   "is counted once; was the file appended to itself?",
				file, all - block, all, obs->name));
	else
		obs_table_note(table, OBS_NOTE_REPEATED,
			str_format("%s: the %zu samples of %s are %zu, and the same again: all are counted, so they "
				"look more certain than they are; cut the file there", file, all, obs->name, block));
}

/* Returns true when the observation is a copy of the one whose name it had to share: "x#2" and "x". */
static bool
is_copy(const struct obs *obs, const struct obs *first)
{
	size_t large = 0;

	if (obs->n_rows != first->n_rows || obs->n_columns != first->n_columns || !obs->time != !first->time ||
		obs->decimals != first->decimals)
		return false;
	for (size_t row = 0; row < obs->n_rows; row++) {
		if (!same_rows(obs, row, first, row) || (obs->time && obs->time[row] != first->time[row]))
			return false;
		large += large_cells(obs, row);
	}
	return large >= (obs->time ? LARGE_CELLS / 4 : LARGE_CELLS);
}

/* Removes observations that are copies of an earlier one, as in a file that was appended to itself. */
static size_t
drop_copies(struct obs_table *table)
{
	bool *copy = mem_new_array(table->n, sizeof *copy);
	struct names names = {0};
	size_t dropped = 0;

	for (size_t i = 0; i < table->n; i++) {
		const char *name = table->obs[i]->name, *number = strrchr(name, '#');
		size_t k = number ? names_find(&names, name, (size_t)(number - name)) : NAMES_NONE;

		names_add(&names, name, strlen(name));
		copy[i] = k != NAMES_NONE && is_copy(table->obs[i], table->obs[k]);
		dropped += copy[i];
	}
	if (dropped)
		obs_table_drop_marked(table, copy);
	names_free(&names);
	free(copy);
	return dropped;
}

/* --- counters that wrapped ---------------------------------------------------------------------------------------- */

/* Leaves out cells just below 2^48 where all others of the column are small. Where cells are sums of samples, one of
 * them may be of that size, and the sums of the others are still clearly smaller. Returns how many. */
static size_t
drop_wraps(struct obs *obs, size_t column)
{
	double unit = pow(10, -obs->decimals), rest = 0, samples = obs->per_row > 1 ? (double)obs->per_row : 1;
	size_t n = obs->n_columns, wraps = 0, others = 0;

	for (size_t row = 0; row < obs->n_rows; row++) {
		double v = (double)obs->count[row * n + column] * unit;
		bool near = v > WRAP_NEAR * WRAP_BITS && (v < WRAP_BITS || samples > 1);

		wraps += obs->counted[row * n + column] && near;
		others += obs->counted[row * n + column] && !near;
		rest = near ? rest : fmax(rest, v);
	}
	if (!wraps || wraps > others || rest > fmin(samples * WRAP_BITS / WRAP_SMALL, WRAP_BITS / WRAP_SUMS))
		return 0;
	for (size_t row = 0; row < obs->n_rows; row++)
		if ((double)obs->count[row * n + column] * unit > WRAP_NEAR * WRAP_BITS)
			obs_leave_out(obs, row, column);
	return wraps;
}

/* Returns whether some cell may lie just below 2^48: nearly never, and found out in one pass. */
static bool
may_have_wraps(const struct obs *o)
{
	int64_t most = 0;

	for (size_t cell = 0; cell < o->n_rows * o->n_columns; cell++)
		most = o->count[cell] > most ? o->count[cell] : most;
	return (double)most * pow(10, -o->decimals) > WRAP_NEAR * WRAP_BITS;
}

static void
mend(struct obs_table *table, struct obs *obs, const char *file)
{
	bool gathered = obs->per_row > 1;
	size_t repeated = gathered ? 0 : drop_repeated(obs);
	bool wraps_seen = may_have_wraps(obs);

	if (gathered)
		mend_gathered(table, obs, file);
	if (repeated)
		obs_table_note(table, OBS_NOTE_REPEATED,
			str_format("%s: %zu of %zu rows of %s stand there again, equal in all columns: each "
				"is counted once; was the file appended to itself?", file, repeated,
				obs->n_rows + repeated, obs->name));
	for (size_t i = 0; i < obs->n_columns && wraps_seen; i++) {
		size_t wraps = drop_wraps(obs, i);

		if (wraps)
			obs_table_note(table, OBS_NOTE_OVERFLOW,
				str_format("%s: %zu of the cells of %s in %s lie just below 2^48, and all "
					"others are small: a counter of 48 bits wrapped; left out", file, wraps,
					table->column[i], obs->name));
	}
}

void
obs_table_mend(struct obs_table *table, const char *file)
{
	size_t copies;

	for (size_t i = 0; i < table->n; i++) {
		const struct obs *obs = table->obs[i];

		if (obs->shelf || (obs->folded && !obs->per_row))
			return;
	}
	copies = drop_copies(table);
	if (copies)
		obs_table_note(table, OBS_NOTE_REPEATED,
			str_format("%s: %zu observation%s equal to an earlier one in all rows and columns: "
				"each is counted once; was the file appended to itself?", file, copies,
				copies > 1 ? "s are" : " is"));
	for (size_t i = 0; i < table->n; i++)
		mend(table, table->obs[i], file);
	table->changes++;
}
