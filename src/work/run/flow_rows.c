/* Each flow has a number. The flows of the last interval and those of this one are sorted by it; the two lists
 * together show which flows are new, which rose, and which have ended. */
#include "work/run/flow_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "collect/flow_records.h"
#include "core/network/flow.h"
#include "core/network/flow_layout.h"
#include "core/network/network.h"
#include "core/obs/obs.h"
#include "work/run/counters_run.h"
#include "work/run/flow_recorder.h"
#include "work/timeline/flow_name.h"

enum column {
	COLUMN_SNAPSHOTS, COLUMN_RAN, COLUMN_LEFT, COLUMN_RETURNED, COLUMN_ENDED, COLUMN_FOLDED, COLUMN_BACKWARDS,
	COLUMN_FIRST_COUNT
};

static const char *const column_name[COLUMN_FIRST_COUNT] = {
	[COLUMN_SNAPSHOTS] = FLOW_COLUMN_SNAPSHOTS, [COLUMN_RAN] = FLOW_COLUMN_RAN, [COLUMN_LEFT] = FLOW_COLUMN_LEFT,
	[COLUMN_RETURNED] = FLOW_COLUMN_RETURNED, [COLUMN_ENDED] = FLOW_COLUMN_ENDED,
	[COLUMN_FOLDED] = FLOW_COLUMN_FOLDED, [COLUMN_BACKWARDS] = FLOW_COLUMN_BACKWARDS,
};

#define NO_OBS ((size_t)-1)
#define TABLES_LEAST 3 /* kept for any number of cells: new rows of all but the last may not be written yet */
#define ENDS_LEAST 16  /* intervals that stay separate for any number of flows */

/* A flow as it was when its last row was made. */
struct seen {
	uint64_t number, life;
	int32_t task;
	size_t core, destination;
	size_t obs;       /* in the newest table; NO_OBS: none yet */
	bool again;       /* its task's number belonged to another task before */
	char *called;     /* the task when its observation was named */
	int64_t *was;     /* sum of its rows, for each column */
};

struct flow_rows {
	struct flow_rows_spec spec;
	int *cpu;
	char **column;
	size_t n_columns;
	struct obs_table *table[FLOW_ROWS_TABLES];
	size_t n_tables;
	struct seen *seen;       /* by number */
	size_t n_seen, cap_seen;
	const struct flow **now; /* room to put flows in order in */
	size_t cap_now;
	unsigned char *known;    /* one bit for each task number that was used */
	size_t known_size;
	int64_t *row, *gone;     /* of each column: the rise; sums of flows that went into the others */
	double *end;             /* ends of the intervals so far, old ones folded */
	size_t n_ends, cap_ends, cells;
};

struct flow_rows *
flow_rows_new(const struct flow_rows_spec *spec)
{
	struct flow_rows *r = mem_new(sizeof *r);
	size_t counters = spec->layout->n_counters;

	r->spec = *spec;
	r->spec.cells_max = spec->cells_max ? spec->cells_max : COUNTER_ROWS_FOLD_CELLS;
	r->spec.flows_new = spec->flows_new ? spec->flows_new : FLOW_ROWS_NEW;
	r->cpu = mem_copy(spec->cpu, flows_spec(spec->flows)->n_cores * sizeof *r->cpu);
	r->n_columns = COLUMN_FIRST_COUNT + 2 * counters;
	r->column = mem_new_array(r->n_columns, sizeof *r->column);
	for (size_t i = 0; i < COLUMN_FIRST_COUNT; i++)
		r->column[i] = mem_str(column_name[i]);
	for (size_t i = 0; i < counters; i++) {
		const char *name = spec->net->counter[spec->layout->number[i]].name;

		r->column[COLUMN_FIRST_COUNT + i] = str_format(FLOW_COLUMN_COUNT "%s", name);
		r->column[COLUMN_FIRST_COUNT + counters + i] = str_format(FLOW_COLUMN_LOST "%s", name);
	}
	r->row = mem_new_array(r->n_columns, sizeof *r->row);
	r->gone = mem_new_array(r->n_columns, sizeof *r->gone);
	r->table[r->n_tables++] = obs_table_new((const char *const *)r->column, r->n_columns);
	return r;
}

struct flow_rows *
flow_rows_of_run(const struct flow_recorder *run, const struct network *net,
	void (*leaves)(void *, const struct obs_table *), void *leaves_ctx)
{
	const struct flow_recorded f = flow_recorder_recorded(run);
	size_t n = flow_records_cpus(f.records);
	int *cpu = mem_new_array(n, sizeof *cpu);
	struct flow_rows *r;

	for (size_t i = 0; i < n; i++)
		cpu[i] = flow_records_cpu(f.records, i);
	r = flow_rows_new(&(struct flow_rows_spec){
		.net = net, .layout = f.layout, .flows = f.flows, .cpu = cpu,
		.task = flow_recorder_task, .ctx = run,
		.leaves = leaves, .leaves_ctx = leaves_ctx,
	});
	free(cpu);
	return r;
}

void
flow_rows_free(struct flow_rows *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n_tables; i++)
		obs_table_free(r->table[i]);
	for (size_t i = 0; i < r->n_seen; i++) {
		free(r->seen[i].called);
		free(r->seen[i].was);
	}
	for (size_t i = 0; i < r->n_columns; i++)
		free(r->column[i]);
	free(r->column);
	free(r->seen);
	free(r->now);
	free(r->known);
	free(r->row);
	free(r->gone);
	free(r->end);
	free(r->cpu);
	free(r);
}

const struct obs_table *const *
flow_rows_tables(const struct flow_rows *r, size_t *n)
{
	*n = r->n_tables;
	return (const struct obs_table *const *)r->table;
}

struct obs_table *
flow_rows_newest(struct flow_rows *r)
{
	return r->table[r->n_tables - 1];
}

/* --- names ------------------------------------------------------------------------------------------------------- */

/* True when a task had this number before; marks the number as used. */
static bool
note_task(struct flow_rows *r, int32_t task)
{
	size_t byte = (size_t)task / 8, size = r->known_size;
	unsigned char bit = (unsigned char)(1u << ((unsigned)task % 8));
	bool before;

	if (byte >= size) {
		mem_grow(&r->known, &r->known_size, byte + 1, 1);
		memset(r->known + size, 0, r->known_size - size);
	}
	before = r->known[byte] & bit;
	r->known[byte] |= bit;
	return before;
}

/* The name of a task, the same in all its flows. */
static bool
is_again(struct flow_rows *r, const struct flow *f)
{
	for (size_t i = r->n_seen; i-- > 0;)
		if (r->seen[i].task == f->task && r->seen[i].life == f->life)
			return r->seen[i].again;
	return note_task(r, f->task);
}

static char *
flow_rows_name_of(const struct flow_rows *r, const struct seen *s)
{
	const struct flow_layout *l = r->spec.layout;
	struct flow_name n = {.special = FLOW_SPECIALS, .life = s->again ? s->life : 0};
	char *text;

	if (s->number < FLOW_SPECIALS) {
		n.special = (enum flow_special)s->number;
	} else {
		n.task = s->called;
		n.cpu = r->cpu[s->core];
		n.module = s->destination == FLOW_NOWHERE
			? NULL
			: mem_str(r->spec.net->module[l->destination[s->destination]].name);
	}
	text = flow_name_text(&n);
	free(n.module);
	return text;
}

/* --- rows -------------------------------------------------------------------------------------------------------- */

/* A task with a new name after execve(2) continues in another observation. */
static struct obs *
obs_of(struct flow_rows *r, struct seen *s, const char *run, bool exact)
{
	struct obs_table *t = r->table[r->n_tables - 1];
	const char *called = s->number < FLOW_SPECIALS ? "" : r->spec.task(r->spec.ctx, s->task);

	if (s->obs == NO_OBS || !str_eq(s->called, called)) {
		char *name;

		free(s->called);
		s->called = mem_str(called);
		name = flow_rows_name_of(r, s);
		s->obs = t->n;
		obs_table_add(t, name, run);
		t->obs[s->obs]->exact = exact;
		t->obs[s->obs]->since_start = true;
		free(name);
	}
	return t->obs[s->obs];
}

/* True when execve(2) has given the task of a live flow another name since its last row. Then a row is added even
 * without a rise: all that the task does now may be among the others. */
static bool
is_renamed(const struct flow_rows *r, const struct flow *f, const struct seen *s)
{
	return s->called && s->number >= FLOW_SPECIALS && !f->ended &&
		!str_eq(s->called, r->spec.task(r->spec.ctx, s->task));
}

/* Adds a row of the rise. No row without a rise, unless there is other news. */
static void
flow_rows_add_row(struct flow_rows *r, struct seen *s, const char *run, double time, bool exact, bool news)
{
	bool some = news;
	struct obs *o;

	for (size_t i = 0; i < r->n_columns; i++)
		some |= r->row[i] != 0;
	if (!some)
		return;
	o = obs_of(r, s, run, exact);
	obs_add_row(o, r->row, NULL, time);
	r->cells += r->n_columns;
	for (size_t i = 0; i < r->n_columns; i++)
		s->was[i] += r->row[i];
}

/* The sum of the flow now, minus the sum of its rows. */
static void
rise_of_flow(struct flow_rows *r, const struct flow *f, const struct seen *s)
{
	size_t counters = r->spec.layout->n_counters;
	const struct flow_trouble *trouble = flows_trouble(r->spec.flows);
	bool others = f->number == FLOW_OTHERS;

	r->row[COLUMN_SNAPSHOTS] = (int64_t)f->snapshots;
	r->row[COLUMN_RAN] = (int64_t)f->ran_ns;
	r->row[COLUMN_LEFT] = (int64_t)f->left;
	r->row[COLUMN_RETURNED] = (int64_t)f->returned;
	r->row[COLUMN_ENDED] = f->ended;
	r->row[COLUMN_FOLDED] = others ? (int64_t)trouble->folded : 0;
	r->row[COLUMN_BACKWARDS] = others ? (int64_t)trouble->backwards : 0;
	for (size_t i = 0; i < counters; i++) {
		r->row[COLUMN_FIRST_COUNT + i] = (int64_t)f->count[i];
		r->row[COLUMN_FIRST_COUNT + counters + i] = (int64_t)f->lost[i];
	}
	for (size_t i = 0; i < r->n_columns; i++)
		r->row[i] -= s->was[i] + (others ? r->gone[i] : 0);
}

static int
flow_rows_by_number(const void *a, const void *b)
{
	const struct flow *const *x = a, *const *y = b;

	return ((*x)->number > (*y)->number) - ((*x)->number < (*y)->number);
}

/* The present flows, by number. */
static size_t
in_order(struct flow_rows *r)
{
	size_t n = flows_n(r->spec.flows);

	mem_grow(&r->now, &r->cap_now, n, sizeof(const struct flow *));
	for (size_t i = 0; i < n; i++)
		r->now[i] = flows_at(r->spec.flows, i);
	qsort(r->now, n, sizeof(const struct flow *), flow_rows_by_number);
	return n;
}

/* True for columns that the others do not have: they are no task, which leaves a CPU or ends. */
static bool
is_of_task(size_t column)
{
	return column == COLUMN_LEFT || column == COLUMN_RETURNED || column == COLUMN_ENDED;
}

/* Folds a flow into the others: they take over what it reported, except what only a task does. */
static void
take_gone(struct flow_rows *r, struct seen *s, const char *run, double time, bool exact)
{
	for (size_t i = 0; i < r->n_columns; i++)
		r->gone[i] += is_of_task(i) ? 0 : s->was[i];
	r->gone[COLUMN_FOLDED]++;
	memset(r->row, 0, r->n_columns * sizeof *r->row);
	r->row[COLUMN_FOLDED] = 1;
	flow_rows_add_row(r, s, run, time, exact, false);
	free(s->called);
	free(s->was);
	s->was = NULL;
}

static struct seen *
begin_flow(struct flow_rows *r, const struct flow *f)
{
	struct seen s = {.number = f->number,
		.life = f->life,
		.task = f->task,
		.core = f->core,
		.destination = f->destination,
		.obs = NO_OBS};

	s.again = f->number >= FLOW_SPECIALS && is_again(r, f);
	s.was = mem_new_array(r->n_columns, sizeof *s.was);
	mem_grow(&r->seen, &r->cap_seen, r->n_seen + 1, sizeof *r->seen);
	r->seen[r->n_seen] = s;
	return &r->seen[r->n_seen++];
}

/* --- bounds ------------------------------------------------------------------------------------------------------ */

static void
drop_oldest(struct flow_rows *r)
{
	for (size_t i = 0; i < r->table[0]->n; i++)
		r->cells -= r->table[0]->obs[i]->n_rows * r->n_columns;
	if (r->spec.leaves)
		r->spec.leaves(r->spec.leaves_ctx, r->table[0]);
	obs_table_free(r->table[0]);
	memmove(&r->table[0], &r->table[1], --r->n_tables * sizeof *r->table);
}

/* Begins a new table when ended flows fill half of this one. */
static void
turn_over(struct flow_rows *r)
{
	const struct obs_table *t = r->table[r->n_tables - 1];

	if (t->n < 2 * r->n_seen + r->spec.flows_new)
		return;
	if (r->n_tables == FLOW_ROWS_TABLES)
		drop_oldest(r);
	r->table[r->n_tables++] = obs_table_new((const char *const *)r->column, r->n_columns);
	for (size_t i = 0; i < r->n_seen; i++)
		r->seen[i].obs = NO_OBS;
}

/* When there are too many cells, drops the oldest flows. If these are few, sums the older half of the intervals in
 * pairs, in all observations alike. */
static void
flow_rows_fold(struct flow_rows *r)
{
	size_t n = r->n_ends / 4;

	while (r->cells >= r->spec.cells_max && r->n_tables > TABLES_LEAST)
		drop_oldest(r);
	if (r->cells < r->spec.cells_max || r->n_ends < ENDS_LEAST)
		return;
	for (size_t i = 0; i < n; i++)
		r->end[i] = r->end[2 * i + 1];
	memmove(r->end + n, r->end + 2 * n, (r->n_ends - 2 * n) * sizeof *r->end);
	r->n_ends -= n;
	for (size_t k = 0; k < r->n_tables; k++)
		for (size_t i = 0; i < r->table[k]->n; i++) {
			struct obs *o = r->table[k]->obs[i];
			size_t before = o->n_rows;

			obs_fold(o, r->end, n);
			r->cells -= (before - o->n_rows) * r->n_columns;
		}
}

void
flow_rows_take(struct flow_rows *r, const char *run, double time, bool exact)
{
	size_t n, at = 0, kept = 0, known;

	flow_rows_fold(r);
	turn_over(r);
	n = in_order(r);
	known = r->n_seen;
	memset(r->gone, 0, r->n_columns * sizeof *r->gone);
	for (size_t i = 0; i < known; i++)
		if (at < n && r->now[at]->number == r->seen[i].number)
			at++;
		else
			take_gone(r, &r->seen[i], run, time, exact);
	for (size_t i = 0; i < known; i++)
		if (r->seen[i].was)
			r->seen[kept++] = r->seen[i];
	r->n_seen = kept;
	for (size_t i = 0; i < n; i++) {
		struct seen *s = i < kept ? &r->seen[i] : begin_flow(r, r->now[i]);

		rise_of_flow(r, r->now[i], s);
		flow_rows_add_row(r, s, run, time, exact, is_renamed(r, r->now[i], s));
		if (s->number == FLOW_OTHERS)
			for (size_t k = 0; k < r->n_columns; k++)
				s->was[k] += r->gone[k]; /* reported, by the others */
	}
	if (!isnan(time) && (!r->n_ends || r->end[r->n_ends - 1] < time)) {
		mem_grow(&r->end, &r->cap_ends, r->n_ends + 1, sizeof *r->end);
		r->end[r->n_ends++] = time;
	}
}
