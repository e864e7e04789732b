#include "collect/import/run_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "collect/import/csv_cells.h"
#include "collect/import/run_columns.h"
#include "core/trust/expected.h"
#include "core/trust/runs.h"
#include "event/name.h"

#define EXACT_MAX 9007199254740991.0 /* 2^53 - 1: of larger counts, a double may show another one */

/* The names of the counters of one group, and its counts as the table has them. */
struct pair {
	size_t group;
	char *first, *second, *names; /* "" where the table has none */
	double *second_count;         /* one for each run; NAN: none */
	size_t n, cap;
};

struct run_table_pairs {
	struct pair *item;
	size_t n, cap;
};

struct run_table_pairs *
run_table_pairs_new(void)
{
	return mem_new(sizeof(struct run_table_pairs));
}

void
run_table_pairs_free(struct run_table_pairs *pairs)
{
	if (!pairs)
		return;
	for (size_t i = 0; i < pairs->n; i++) {
		free(pairs->item[i].first);
		free(pairs->item[i].second);
		free(pairs->item[i].names);
		free(pairs->item[i].second_count);
	}
	free(pairs->item);
	free(pairs);
}

static struct pair *
find_pair(struct run_table_pairs *p, size_t group)
{
	struct pair *q;

	for (size_t i = p->n; i-- > 0;)
		if (p->item[i].group == group)
			return &p->item[i];
	mem_grow(&p->item, &p->cap, p->n + 1, sizeof *p->item);
	q = &p->item[p->n++];
	*q = (struct pair){.group = group};
	return q;
}

static const char *
run_table_text_of(const struct run_row *row, enum run_column c)
{
	return row->has[c] ? str_text(&row->cell[c].text) : "";
}

/* Fills what was measured next to the event. */
static bool
read_beside(const struct run_row *row, struct trust_run *run, struct err *e)
{
	static const struct { enum run_column column; enum trust_beside beside; } from[] = {
		{RUN_COLUMN_INTERRUPTS, TRUST_BESIDE_INTERRUPTS},
		{RUN_COLUMN_FAULTS, TRUST_BESIDE_FAULTS},
		{RUN_COLUMN_SWITCHES, TRUST_BESIDE_SWITCHES},
		{RUN_COLUMN_TIMER, TRUST_BESIDE_TIMER},
		{RUN_COLUMN_ALL_INTERRUPTS, TRUST_BESIDE_ALL_INTERRUPTS},
		{RUN_COLUMN_SECONDS, TRUST_BESIDE_SECONDS},
		{RUN_COLUMN_REFERENCE, TRUST_BESIDE_REFERENCE},
		{RUN_COLUMN_STEAL, TRUST_BESIDE_STEAL},
	};
	double number;

	for (size_t i = 0; i < sizeof from / sizeof from[0]; i++)
		if (!run_row_number(row, from[i].column, EXACT_MAX, &run->beside[from[i].beside], e))
			return false;
	if (!run_row_number(row, RUN_COLUMN_RUNNING, 1, &run->running, e) ||
		!run_row_number(row, RUN_COLUMN_RUN, EXACT_MAX, &number, e))
		return false;
	if (isnan(run->running))
		run->running = 1;
	if (number != floor(number) && !isnan(number)) {
		err_set(e, "'%s' in the column run is no number of a run", run_table_text_of(row, RUN_COLUMN_RUN));
		err_hint(e, "runs are numbered by whole numbers");
		return err_place(e, row->name, row->cell[RUN_COLUMN_RUN].line, row->cell[RUN_COLUMN_RUN].col);
	}
	if (!isnan(number))
		run->number = (int64_t)number;
	run->line = row->line;
	return true;
}

static bool
is_again(const struct trust_group *g, int64_t number)
{
	if (number < 0)
		return false;
	for (size_t i = 0; i < g->n; i++)
		if (g->run[i].number == number)
			return true;
	return false;
}

static bool
fail_unnamed(const struct run_row *row, struct err *e)
{
	const struct csv_cell *cell = &row->cell[RUN_COLUMN_EVENT];

	err_set(e, "the row names no event");
	err_hint(e, "the column event says what was counted");
	return err_place(e, row->name, cell->line, cell->col);
}

static bool
run_table_add_row(const struct run_row *row, struct trust_runs *runs, struct run_table_pairs *pairs, struct err *e)
{
	struct trust_group *group = trust_runs_group(runs, run_table_text_of(row, RUN_COLUMN_MACHINE),
		run_table_text_of(row, RUN_COLUMN_EVENT), run_table_text_of(row, RUN_COLUMN_TEST));
	struct pair *pair = find_pair(pairs, (size_t)(group - runs->group));
	struct trust_run run = trust_run_of(0);
	const char *first = run_table_text_of(row, RUN_COLUMN_COUNTER),
		   *second = run_table_text_of(row, RUN_COLUMN_SECOND);
	double second_count;

	if (!*group->event)
		return fail_unnamed(row, e);
	group->kernel = event_name_counts_kernel(group->event, group->kernel || event_name_counts_kernel(first, false));
	if (!run_row_number(row, RUN_COLUMN_COUNT, EXACT_MAX, &run.count, e) ||
		!run_row_number(row, RUN_COLUMN_SECOND_COUNT, EXACT_MAX, &second_count, e) ||
		!read_beside(row, &run, e))
		return false;
	if (!pair->first) {
		pair->first = mem_str(first);
		pair->second = mem_str(second);
		pair->names = mem_str(run_table_text_of(row, RUN_COLUMN_NAMES));
	} else if (!str_eq(pair->first, first) || !str_eq(pair->second, second)) {
		group->mixed = true;
	}
	if (isnan(run.count) && isnan(second_count)) {
		group->empty++;
	} else if (is_again(group, run.number)) {
		group->again++;
	} else {
		trust_group_add(group, &run);
		mem_grow(&pair->second_count, &pair->cap, pair->n + 1, sizeof *pair->second_count);
		pair->second_count[pair->n++] = second_count;
	}
	return true;
}

bool
run_table_read(const char *name, const char *text, size_t n, struct trust_runs *runs, struct run_table_pairs *pairs,
	struct err *e)
{
	struct run_reader r = {0};
	bool good = run_reader_begin(&r, name, text, n, e) && run_reader_needs(&r, RUN_COLUMN_EVENT, e) &&
		run_reader_needs(&r, RUN_COLUMN_COUNT, e);
	size_t rows = 0;

	while (good && run_reader_more(&r)) {
		good = run_reader_next(&r, e) && run_table_add_row(&r.row, runs, pairs, e);
		rows++;
	}
	if (good && rows == 0) {
		err_set(e, "the table of runs has a header and no run");
		good = err_place(e, name, 1, 0);
	}
	run_reader_end(&r);
	return good;
}

/* Of each machine: the counter that stands beside most of its events. */
struct companions {
	struct names machines;
	const char **best;       /* for each machine; NULL: undecided */
	size_t *most;            /* events of the best one */
	struct names counters;   /* of a machine: keys of run_table_key_of() */
	size_t *events, cap;     /* in how many events of its machine a counter takes part */
	struct names together;   /* counters with each of their events */
};

static void
companions_free(struct companions *c)
{
	names_free(&c->machines);
	names_free(&c->counters);
	names_free(&c->together);
	free(c->best);
	free(c->most);
	free(c->events);
}

/* The number of a counter of a machine, perhaps with an event. */
static size_t
run_table_key_of(struct names *t, const char *machine, const char *counter, const char *event)
{
	char *key = str_format("%zu %zu %s%s%s", strlen(machine), strlen(counter), machine, counter, event);
	size_t i = names_add(t, key, strlen(key));

	free(key);
	return i;
}

/* Returns the number of a counter among those that stand beside events. */
static size_t
run_table_add_counter(struct companions *c, const char *machine, const char *counter)
{
	size_t known = c->counters.n, i = run_table_key_of(&c->counters, machine, counter, "");

	mem_grow(&c->events, &c->cap, c->counters.n, sizeof *c->events);
	if (i == known)
		c->events[i] = 0;
	return i;
}

static void
run_table_count_events(struct companions *c, const struct trust_group *g, const struct pair *p)
{
	for (int k = 0; k < 2 && p->second_count && *p->second; k++) {
		const char *counter = k ? p->first : p->second;
		size_t known = c->together.n, i = run_table_add_counter(c, g->machine, counter);

		run_table_key_of(&c->together, g->machine, counter, g->event);
		c->events[i] += c->together.n > known;
	}
}

static void
find_companions(struct companions *companions, const struct trust_runs *runs, const struct run_table_pairs *all)
{
	companions->best = mem_new_array(all->n, sizeof *companions->best);
	companions->most = mem_new_array(all->n, sizeof *companions->most);
	for (size_t i = 0; i < all->n; i++)
		run_table_count_events(companions, &runs->group[all->item[i].group], &all->item[i]);
	for (size_t i = 0; i < all->n; i++) {
		const char *machine = runs->group[all->item[i].group].machine;
		size_t m = names_add(&companions->machines, machine, strlen(machine));

		for (int k = 0; k < 2; k++) {
			const char *name = k ? all->item[i].first : all->item[i].second;
			size_t at = run_table_add_counter(companions, machine, name),
			       n = *name ? companions->events[at] : 0;

			if (n > 1 && n > companions->most[m]) {
				companions->most[m] = n;
				companions->best[m] = name;
			}
		}
	}
}

/* The counter that stands beside most events of a machine; the second one of `p` where that is undecided. */
static const char *
companion_of(const struct trust_runs *runs, const struct companions *c, const struct pair *p)
{
	const char *machine = runs->group[p->group].machine;
	const char *best = c->best[names_find(&c->machines, machine, strlen(machine))];

	return best ? best : p->second;
}

/* "HW_INT_RCV/DIV": the name of the first or second counter. */
static char *
name_part(const char *names, bool second)
{
	const char *slash = strrchr(names, '/');

	if (!slash)
		return mem_str(names);
	return second ? mem_str(slash + 1) : mem_strn(names, (size_t)(slash - names));
}

static void
name_counter(struct trust_group *g, const struct pair *p, bool second)
{
	char *name = name_part(p->names, second);

	free(g->counter);
	g->counter = *name ? str_format("%s %s", second ? p->second : p->first, name)
			   : mem_str(second ? p->second : p->first);
	free(name);
}

static void
settle_pair(struct trust_runs *runs, const struct companions *all, struct pair *p)
{
	struct trust_group *group = &runs->group[p->group];
	const char *companion = companion_of(runs, all, p);
	bool swap = *p->second && str_eq(p->first, companion) && !str_eq(p->second, companion);
	bool has = *p->second ? swap || str_eq(p->second, companion) : true;

	name_counter(group, p, swap);
	for (size_t i = 0; i < group->n && i < p->n; i++) {
		double first = group->run[i].count, second = p->second_count[i];

		if (isnan(second))
			continue;
		if (swap)
			group->run[i].count = second;
		if (has)
			group->run[i].beside[TRUST_BESIDE_INTERRUPTS] = swap ? first : second;
	}
}

/* A column of interrupts that repeats the count is no count of interrupts. */
static void
drop_repeated(struct trust_group *g)
{
	bool same = g->n > 0;

	for (size_t i = 0; i < g->n && same; i++)
		same = g->run[i].beside[TRUST_BESIDE_INTERRUPTS] == g->run[i].count && g->run[i].count > 0;
	for (size_t i = 0; i < g->n && same; i++)
		g->run[i].beside[TRUST_BESIDE_INTERRUPTS] = NAN;
}

/* Removes runs that have only the other counter's number. */
static void
drop_empty(struct trust_group *g)
{
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++) {
		if (isnan(g->run[i].count))
			g->empty++;
		else
			g->run[n++] = g->run[i];
	}
	g->n = n;
}

void
run_table_settle(struct trust_runs *runs, struct run_table_pairs *all)
{
	struct companions companions = {0};
	size_t empty = 0, again = 0, mixed = 0;

	find_companions(&companions, runs, all);
	for (size_t i = 0; i < all->n; i++)
		settle_pair(runs, &companions, &all->item[i]);
	companions_free(&companions);
	for (size_t i = 0; i < runs->n; i++) {
		drop_empty(&runs->group[i]);
		drop_repeated(&runs->group[i]);
		empty += runs->group[i].empty;
		again += runs->group[i].again;
		mixed += runs->group[i].mixed;
	}
	if (empty)
		trust_runs_note(runs, str_format(empty == 1 ? "%zu run has no count, and is left out"
				: "%zu runs have no count, and are left out", empty));
	if (again)
		trust_runs_note(runs, str_format("%zu rows repeat the number of a run, and are left out", again));
	if (mixed)
		trust_runs_note(runs, str_format("%zu events change their counter between runs", mixed));
}

/* --- Expectations ------------------------------------------------------------------------------------------------- */

/* One row of an instrumented table: a count for each column that is no other. */
static bool
add_instrumented(const struct run_reader *reader, struct trust_expected *expected, struct err *e)
{
	for (size_t i = 0; i < reader->n_others; i++) {
		const struct run_other *other = &reader->other[i];
		struct trust_expected_count *count;
		double v, rep;

		if (str_starts(other->name, "rep_") || !other->is_event)
			continue;
		if (!run_other_number(reader, i, &v, e))
			return false;
		if (isnan(v))
			continue;
		count = trust_expected_add(expected, run_table_text_of(&reader->row, RUN_COLUMN_MACHINE), other->name,
			run_table_text_of(&reader->row, RUN_COLUMN_TEST), v);
		for (size_t k = 0; k < reader->n_others; k++)
			if (str_starts(reader->other[k].name, "rep_") &&
				str_eq(reader->other[k].name + 4, other->name)) {
				if (!run_other_number(reader, k, &rep, e))
					return false;
				count->rep = rep;
			}
	}
	return true;
}

static bool
add_expected(const struct run_row *row, struct trust_expected *expected, struct err *e)
{
	const char *machine = run_table_text_of(row, RUN_COLUMN_MACHINE),
		   *event = run_table_text_of(row, RUN_COLUMN_EVENT);
	const char *test = run_table_text_of(row, RUN_COLUMN_TEST);
	double v;

	if (!*event)
		return fail_unnamed(row, e);
	if (!run_row_number(row, RUN_COLUMN_EXPECTED, EXACT_MAX, &v, e))
		return false;
	if (isnan(v))
		return true;
	for (size_t i = 0; i < expected->n; i++) {
		const struct trust_expected_count *count = &expected->item[i];

		if (count->value[0] == v || !str_eq(count->machine, machine) || !str_eq(count->event, event) ||
			!str_eq(count->test, test))
			continue;
		err_set(e, "event %s, test %s has two expected counts, %.0f and %.0f", event, test, count->value[0], v);
		return err_place(e, row->name, row->line, 0);
	}
	trust_expected_add(expected, machine, event, test, v);
	return true;
}

bool
run_table_read_expected(const char *name, const char *text, size_t n, struct trust_expected *expected, struct err *e)
{
	struct run_reader r = {0};
	bool instrumented = run_table_kind_of(text, n) == RUN_TABLE_INSTRUMENTED;
	bool good = run_reader_begin(&r, name, text, n, e) &&
		(instrumented || (run_reader_needs(&r, RUN_COLUMN_EVENT, e) &&
			run_reader_needs(&r, RUN_COLUMN_EXPECTED, e)));

	while (good && run_reader_more(&r))
		good = run_reader_next(&r, e) &&
			(instrumented ? add_instrumented(&r, expected, e) : add_expected(&r.row, expected, e));
	run_reader_end(&r);
	return good;
}
