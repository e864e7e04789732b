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
timeline_find_columns(const struct timeline *p, struct timeline_table *t)
{
	size_t found = 0;

	t->columns = mem_new_array(p->n_stacks, sizeof(struct stack_columns *));
	for (size_t k = 0; k < p->n_stacks; k++) {
		t->columns[k] = stack_columns_new(p->stack[k], t->table);
		found += t->columns[k]->match->first[p->stack[k]->n_counters];
	}
	if (found)
		return;
	for (size_t k = 0; k < p->n_stacks; k++)
		stack_columns_free(t->columns[k]);
	free(t->columns);
	t->columns = NULL;
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
timeline_bars_place_of(const struct timeline *p, double time, bool *there)
{
	size_t low = 0, high = p->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (p->entry[middle].end < time)
			low = middle + 1;
		else
			high = middle;
	}
	*there = low < p->n && p->entry[low].end <= time;
	return low;
}

static bool
add_bar_snapshot(struct timeline *p, size_t table, double end, double seconds)
{
	bool there;
	size_t at = timeline_bars_place_of(p, end, &there);

	if (there)
		return false;
	mem_grow(&p->entry, &p->cap, p->n + 1, sizeof *p->entry);
	memmove(&p->entry[at + 1], &p->entry[at], (p->n - at) * sizeof *p->entry);
	p->n++;
	p->entry[at] = (struct timeline_entry){
		.table = (uint32_t)table, .data_snapshot = SIZE_MAX, .end = end, .seconds = seconds};
	timeline_number(p, at);
	return true;
}

/* Extends the arrays for observations that the table has gained. */
static void
begin_rows(struct timeline_table *t)
{
	size_t n = t->table->n;

	if (t->n_rows == n)
		return;
	t->has_bar = mem_resize(t->has_bar, n, sizeof *t->has_bar);
	t->rows = mem_resize(t->rows, n, sizeof *t->rows);
	t->folded = mem_resize(t->folded, n, sizeof *t->folded);
	t->ordered = mem_resize(t->ordered, n, sizeof *t->ordered);
	timeline_forget_phases(t);
	for (; t->n_rows < n; t->n_rows++) {
		t->has_bar[t->n_rows] = false;
		t->rows[t->n_rows] = 0;
		t->folded[t->n_rows] = t->table->obs[t->n_rows]->folded;
		t->ordered[t->n_rows] = true;
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
timeline_take_bars(struct timeline *p, size_t table)
{
	struct timeline_table *t = &p->table[table];
	bool some = false;

	begin_rows(t);
	for (size_t i = 0; i < t->n_rows; i++) {
		const struct obs *o = t->table->obs[i];

		if (t->columns && !t->has_bar[i] && o->n_rows)
			t->has_bar[i] = has_counts(p, t, i);
		t->ordered[i] &= o->n_rows == t->rows[i] || is_ordered(o, t->rows[i]);
		for (size_t r = t->rows[i]; t->has_bar[i] && !p->net && o->time && r < o->n_rows; r++)
			some |= add_bar_snapshot(p, table, o->time[r], r ? o->time[r] - o->time[r - 1] : NAN);
		some |= t->has_bar[i] && o->n_rows > t->rows[i];
		t->rows[i] = o->n_rows;
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
timeline_bars_rows_of(const struct timeline *p, const struct obs *o, size_t snapshot, bool ordered, size_t *first)
{
	double from = -INFINITY, to = INFINITY;
	size_t n = 0;

	*first = 0;
	if (snapshot == TIMELINE_WHOLE)
		return o->n_rows;
	if (!o->time)
		return 0;
	if (snapshot && p->entry[snapshot - 1].end < p->entry[snapshot].end)
		from = (p->entry[snapshot - 1].end + p->entry[snapshot].end) / 2;
	if (snapshot + 1 < p->n && p->entry[snapshot + 1].end > p->entry[snapshot].end)
		to = (p->entry[snapshot].end + p->entry[snapshot + 1].end) / 2;
	*first = row_after(o, from, ordered);
	while (*first + n < o->n_rows && o->time[*first + n] <= to)
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
add_bar(const struct timeline *p, size_t stack, const struct timeline_table *t, struct bar_rows x, bool grouped,
	struct timeline_bars *b, size_t *cap)
{
	struct timeline_bar *same = grouped ? find_bar(b, x.name) : NULL;
	struct stack_counts *c =
		stack_counts_of_rows(p->stack[stack], t->columns[stack], t->table, x.observation, x.first, x.n);

	if (same) {
		stack_counts_add(same->counts, c);
		stack_counts_free(c);
		free(x.name);
		same->n++;
		return;
	}
	mem_grow(&b->bar, cap, b->n + 1, sizeof *b->bar);
	b->bar[b->n] = (struct timeline_bar){.name = x.name, .at = b->n, .n = 1,
		.seconds = timeline_bars_seconds_of(t->table->obs[x.observation], x.first, x.n), .counts = c};
	b->n++;
}

/* Adds one bar, or one for each phase. */
static void
add_bars(const struct timeline *p, size_t stack, const struct timeline_table *t, size_t observation, bool grouped,
	struct timeline_bars *b, size_t *cap)
{
	const struct obs *o = t->table->obs[observation];
	const struct timeline_phases *ph =
		t->phases && !grouped && t->phases[observation].n > 1 ? &t->phases[observation] : NULL;
	size_t first, n = timeline_bars_rows_of(p, o, b->snapshot, t->ordered[observation], &first),
		length = grouped ? program_length(o->name) : strlen(o->name);

	if (n && !ph)
		add_bar(p, stack, t, (struct bar_rows){observation, first, n, str_format("%.*s", (int)length, o->name)},
			grouped, b, cap);
	for (size_t k = 0; n && ph && k < ph->n; k++) {
		size_t from = ph->first[k] > first ? ph->first[k] : first,
			end = k + 1 < ph->n && ph->first[k + 1] < first + n ? ph->first[k + 1] : first + n;

		if (from < end)
			add_bar(p, stack, t,
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

struct timeline_bars *
timeline_bars_by(const struct timeline *p, size_t stack, size_t snapshot, bool grouped)
{
	struct timeline_bars *b;
	size_t cap = 0;

	if (stack >= p->n_stacks || (snapshot != TIMELINE_WHOLE && snapshot >= p->n))
		return NULL;
	b = mem_new(sizeof *b);
	b->snapshot = snapshot;
	for (size_t i = 0; i < p->n_tables; i++)
		for (size_t k = 0; k < p->table[i].n_rows; k++)
			if (p->table[i].has_bar[k])
				add_bars(p, stack, &p->table[i], k, grouped, b, &cap);
	for (size_t i = 0; i < b->n; i++)
		b->bar[i].account = stack_account_new(p->stack[stack], b->bar[i].counts->value);
	if (b->n)
		qsort(b->bar, b->n, sizeof *b->bar, compare_bars);
	return b;
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
find_phases(const struct timeline *p, struct timeline_table *t)
{
	if (!t->columns)
		return;
	if (!t->phases)
		t->phases = mem_new_array(t->n_rows, sizeof *t->phases);
	for (size_t i = 0; i < t->n_rows; i++) {
		const struct obs *o = t->table->obs[i];
		struct timeline_phases *ph = &t->phases[i];

		if (!t->has_bar[i] || (ph->first && o->folded == ph->folded && o->n_rows < 2 * ph->rows))
			continue;
		free(ph->first);
		ph->first = stack_phases(t->columns, p->n_stacks, t->table, i, &ph->n);
		ph->rows = o->n_rows;
		ph->folded = o->folded;
	}
}

size_t
timeline_split(struct timeline *p, bool phases)
{
	size_t several = 0;

	for (size_t i = 0; i < p->n_tables; i++) {
		struct timeline_table *t = &p->table[i];

		if (!phases)
			timeline_forget_phases(t);
		else
			find_phases(p, t);
		for (size_t k = 0; t->phases && k < t->n_rows; k++)
			several += t->phases[k].n > 1;
	}
	return several;
}
