/* Bars of a timeline: which rows of which observations belong to a snapshot, and how the stack divides them. */
#include "work/timeline/timeline_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/obs/columns.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "core/stack/account.h"
#include "core/stack/stack.h"
#include "work/timeline/stack_count.h"
#include "work/timeline/stack_phases.h"

/* Finds the stacks' columns in a table. A table in which no stack finds a column has none; otherwise it has the columns
 * of every stack, so that each stack can report what it lacks. */
void
timeline_find_columns(const struct timeline *timeline, struct timeline_table *table)
{
	size_t found = 0;

	table->columns = mem_new_array(timeline->n_stacks, sizeof(struct stack_columns *));
	for (size_t k = 0; k < timeline->n_stacks; k++) {
		table->columns[k] = stack_columns_new(timeline->stack[k], table->table);
		found += table->columns[k]->match->first[timeline->stack[k]->n_counters];
	}
	if (found)
		return;
	for (size_t k = 0; k < timeline->n_stacks; k++)
		stack_columns_free(table->columns[k]);
	free(table->columns);
	table->columns = NULL;
}

/* Does the observation have a count of some stack? */
static bool
has_counts(const struct timeline *p, const struct timeline_table *t, size_t observation)
{
	const struct obs *o = t->table->obs[observation];

	for (size_t k = 0; k < p->n_stacks; k++)
		for (size_t i = 0; i < t->columns[k]->match->first[p->stack[k]->n_counters]; i++)
			if (o->health[t->columns[k]->match->column[i]] != OBS_ABSENT)
				return true;
	return false;
}

/* Returns the index of a time among the snapshots of bars, which are in order. *there: a snapshot has this time. */
static size_t
timeline_bars_place_of(const struct timeline *timeline, double time, bool *there)
{
	size_t low = 0, high = timeline->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (timeline->entry[middle].end < time)
			low = middle + 1;
		else
			high = middle;
	}
	*there = low < timeline->n && timeline->entry[low].end <= time;
	return low;
}

static bool
add_bar_snapshot(struct timeline *timeline, size_t table, double end, double seconds)
{
	bool there;
	size_t at = timeline_bars_place_of(timeline, end, &there);

	if (there)
		return false;
	mem_grow(&timeline->entry, &timeline->cap, timeline->n + 1, sizeof *timeline->entry);
	memmove(&timeline->entry[at + 1], &timeline->entry[at], (timeline->n - at) * sizeof *timeline->entry);
	timeline->n++;
	timeline->entry[at] = (struct timeline_entry){
		.table = (uint32_t)table, .data_snapshot = SIZE_MAX, .end = end, .seconds = seconds};
	timeline_number(timeline, at);
	return true;
}

/* Extends the arrays for observations that the table has gained. */
static void
begin_rows(struct timeline_table *table)
{
	size_t n = table->table->n;

	if (table->n_rows == n)
		return;
	table->has_bar = mem_resize(table->has_bar, n, sizeof *table->has_bar);
	table->rows = mem_resize(table->rows, n, sizeof *table->rows);
	table->folded = mem_resize(table->folded, n, sizeof *table->folded);
	table->ordered = mem_resize(table->ordered, n, sizeof *table->ordered);
	timeline_forget_phases(table);
	for (; table->n_rows < n; table->n_rows++) {
		table->has_bar[table->n_rows] = false;
		table->rows[table->n_rows] = 0;
		table->folded[table->n_rows] = table->table->obs[table->n_rows]->folded;
		table->ordered[table->n_rows] = true;
	}
}

/* True when the times of the rows from `first` on never decrease. */
static bool
is_ordered(const struct obs *o, size_t first)
{
	for (size_t i = first ? first : 1; o->time && i < o->n_rows; i++)
		if (!(o->time[i] >= o->time[i - 1]))
			return false;
	return true;
}

/* Adds snapshots for new rows, unless a network already has snapshots at those times. */
bool
timeline_take_bars(struct timeline *timeline, size_t table)
{
	struct timeline_table *timeline_table = &timeline->table[table];
	bool some = false;

	begin_rows(timeline_table);
	for (size_t i = 0; i < timeline_table->n_rows; i++) {
		const struct obs *obs = timeline_table->table->obs[i];

		if (timeline_table->columns && !timeline_table->has_bar[i] && obs->n_rows)
			timeline_table->has_bar[i] = has_counts(timeline, timeline_table, i);
		timeline_table->ordered[i] &= obs->n_rows == timeline_table->rows[i] ||
			is_ordered(obs, timeline_table->rows[i]);
		for (size_t r = timeline_table->rows[i];
			timeline_table->has_bar[i] && !timeline->net && obs->time && r < obs->n_rows; r++)
			some |= add_bar_snapshot(
				timeline, table, obs->time[r], r ? obs->time[r] - obs->time[r - 1] : NAN);
		some |= timeline_table->has_bar[i] && obs->n_rows > timeline_table->rows[i];
		timeline_table->rows[i] = obs->n_rows;
	}
	return some;
}

/* Returns the first row that ends after a time. */
static size_t
row_after(const struct obs *o, double time, bool ordered)
{
	size_t row = 0;

	if (ordered)
		return obs_row_after(o, time);
	while (row < o->n_rows && o->time[row] <= time)
		row++;
	return row;
}

/* Finds the rows of an observation that end nearer to this snapshot than to any other; all rows for TIMELINE_WHOLE.
 * Returns their number. */
static size_t
timeline_bars_rows_of(
	const struct timeline *timeline, const struct obs *obs, size_t snapshot, bool ordered, size_t *first)
{
	double from = -INFINITY, to = INFINITY;
	size_t n = 0;

	*first = 0;
	if (snapshot == TIMELINE_WHOLE)
		return obs->n_rows;
	if (!obs->time)
		return 0;
	if (snapshot && timeline->entry[snapshot - 1].end < timeline->entry[snapshot].end)
		from = (timeline->entry[snapshot - 1].end + timeline->entry[snapshot].end) / 2;
	if (snapshot + 1 < timeline->n && timeline->entry[snapshot + 1].end > timeline->entry[snapshot].end)
		to = (timeline->entry[snapshot].end + timeline->entry[snapshot + 1].end) / 2;
	*first = row_after(obs, from, ordered);
	while (*first + n < obs->n_rows && obs->time[*first + n] <= to)
		n++;
	return n;
}

/* Returns the length of the name without its number: "gcc" of "gcc-4711" and of "gcc#2". */
static size_t
program_length(const char *name)
{
	size_t n = strlen(name), end = n;

	while (end && name[end - 1] >= '0' && name[end - 1] <= '9')
		end--;
	return end > 1 && end < n && (name[end - 1] == '-' || name[end - 1] == '#') ? end - 1 : n;
}

static struct timeline_bar *
find_bar(struct timeline_bars *b, const char *name)
{
	for (size_t i = 0; i < b->n; i++)
		if (str_eq(b->bar[i].name, name))
			return &b->bar[i];
	return NULL;
}

static double
timeline_bars_seconds_of(const struct obs *o, size_t first, size_t n)
{
	double before = first ? o->time[first - 1] : 0;

	return o->time && n ? o->time[first + n - 1] - before : NAN;
}

/* Makes a bar of some rows of an observation. Takes over the name. */
struct bar_rows {
	size_t observation, first, n;
	char *name;
};

static void
add_bar(const struct timeline *timeline, size_t stack, const struct timeline_table *table, struct bar_rows x,
	bool grouped, struct timeline_bars *bars, size_t *cap)
{
	struct timeline_bar *same = grouped ? find_bar(bars, x.name) : NULL;
	struct stack_counts *counts = stack_counts_of_rows(
		timeline->stack[stack], table->columns[stack], table->table, x.observation, x.first, x.n);

	if (same) {
		stack_counts_add(same->counts, counts);
		stack_counts_free(counts);
		free(x.name);
		same->n++;
		return;
	}
	mem_grow(&bars->bar, cap, bars->n + 1, sizeof *bars->bar);
	bars->bar[bars->n] = (struct timeline_bar){.name = x.name, .at = bars->n, .n = 1,
		.seconds = timeline_bars_seconds_of(table->table->obs[x.observation], x.first, x.n), .counts = counts};
	bars->n++;
}

/* Adds one bar, or one for each phase. */
static void
add_bars(const struct timeline *timeline, size_t stack, const struct timeline_table *table, size_t observation,
	bool grouped, struct timeline_bars *b, size_t *cap)
{
	const struct obs *o = table->table->obs[observation];
	const struct timeline_phases *ph =
		table->phases && !grouped && table->phases[observation].n > 1 ? &table->phases[observation] : NULL;
	size_t first, n = timeline_bars_rows_of(timeline, o, b->snapshot, table->ordered[observation], &first),
		length = grouped ? program_length(o->name) : strlen(o->name);

	if (n && !ph)
		add_bar(timeline, stack, table,
			(struct bar_rows){observation, first, n, str_format("%.*s", (int)length, o->name)}, grouped, b,
			cap);
	for (size_t k = 0; n && ph && k < ph->n; k++) {
		size_t from = ph->first[k] > first ? ph->first[k] : first,
			end = k + 1 < ph->n && ph->first[k + 1] < first + n ? ph->first[k + 1] : first + n;

		if (from < end)
			add_bar(timeline, stack, table,
				(struct bar_rows){observation, from, end - from, str_format("%s@%zu", o->name, k + 1)},
				false, b, cap);
	}
}

static int
compare_bars(const void *a, const void *b)
{
	const struct timeline_bar *x = a, *y = b;
	double left = isnan(x->account->whole) ? -1 : x->account->whole,
		right = isnan(y->account->whole) ? -1 : y->account->whole;

	return left > right ? -1 : left < right ? 1 : strcmp(x->name, y->name);
}

struct timeline_bars *
timeline_bars(const struct timeline *p, size_t snapshot, bool grouped)
{
	return timeline_bars_by(p, p->chosen, snapshot, grouped);
}

/* Is the bar of this name made of the observation, alone, with others or in part? */
static bool
is_of(const char *bar, const char *observation, bool grouped)
{
	size_t n = grouped ? program_length(observation) : strlen(observation);

	return strncmp(bar, observation, n) == 0 && (!bar[n] || bar[n] == '@');
}

struct timeline_bars *
timeline_bars_by(const struct timeline *timeline, size_t stack, size_t snapshot, bool grouped)
{
	return timeline_bars_named(timeline, stack, snapshot, grouped, NULL);
}

/* Keeps only the bar of this name. */
static void
keep_named(struct timeline_bars *bars, const char *bar)
{
	size_t n = 0;

	for (size_t i = 0; i < bars->n; i++) {
		if (str_eq(bars->bar[i].name, bar)) {
			bars->bar[n++] = bars->bar[i];
			continue;
		}
		free(bars->bar[i].name);
		stack_counts_free(bars->bar[i].counts);
	}
	bars->n = n;
}

struct timeline_bars *
timeline_bars_named(
	const struct timeline *timeline, size_t stack, size_t snapshot, bool grouped, const char *bar)
{
	struct timeline_bars *bars;
	size_t cap = 0;

	if (stack >= timeline->n_stacks || (snapshot != TIMELINE_WHOLE && snapshot >= timeline->n))
		return NULL;
	bars = mem_new(sizeof *bars);
	bars->snapshot = snapshot;
	for (size_t i = 0; i < timeline->n_tables; i++)
		for (size_t k = 0; k < timeline->table[i].n_rows; k++)
			if (timeline->table[i].has_bar[k] &&
				(!bar || is_of(bar, timeline->table[i].table->obs[k]->name, grouped)))
				add_bars(timeline, stack, &timeline->table[i], k, grouped, bars, &cap);
	if (bar)
		keep_named(bars, bar);
	for (size_t i = 0; i < bars->n; i++)
		bars->bar[i].account = stack_account_new(timeline->stack[stack], bars->bar[i].counts->value);
	if (bars->n)
		qsort(bars->bar, bars->n, sizeof *bars->bar, compare_bars);
	return bars;
}

void
timeline_bars_free(struct timeline_bars *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->n; i++) {
		free(b->bar[i].name);
		stack_account_free(b->bar[i].account);
		stack_counts_free(b->bar[i].counts);
	}
	free(b->bar);
	free(b);
}

/* --- phases ------------------------------------------------------------------------------------------------------ */

void
timeline_forget_phases(struct timeline_table *t)
{
	for (size_t i = 0; t->phases && i < t->n_rows; i++)
		free(t->phases[i].first);
	free(t->phases);
	t->phases = NULL;
}

/* Finds the phases that are unknown, or were found when the observation had at most half of its rows. */
static void
find_phases(const struct timeline *timeline, struct timeline_table *table)
{
	if (!table->columns)
		return;
	if (!table->phases)
		table->phases = mem_new_array(table->n_rows, sizeof *table->phases);
	for (size_t i = 0; i < table->n_rows; i++) {
		const struct obs *obs = table->table->obs[i];
		struct timeline_phases *ph = &table->phases[i];

		if (!table->has_bar[i] || (ph->first && obs->folded == ph->folded && obs->n_rows < 2 * ph->rows))
			continue;
		free(ph->first);
		ph->first = stack_phases(table->columns, timeline->n_stacks, table->table, i, &ph->n);
		ph->rows = obs->n_rows;
		ph->folded = obs->folded;
	}
}

size_t
timeline_split(struct timeline *timeline, bool phases)
{
	size_t several = 0;

	if (phases)
		timeline_forget_course(timeline);
	for (size_t i = 0; i < timeline->n_tables; i++) {
		struct timeline_table *table = &timeline->table[i];

		if (!phases)
			timeline_forget_phases(table);
		else
			find_phases(timeline, table);
		for (size_t k = 0; table->phases && k < table->n_rows; k++)
			several += table->phases[k].n > 1;
	}
	return several;
}
