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

#define OBS_CELLS 100 /* cells that take as much memory as an observation without rows */
#define NO_OBS ((size_t)-1)
#define TABLES_LEAST 2 /* kept for any number of cells: the last one may have few rows yet */
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
	struct flow_rows *rows = mem_new(sizeof *rows);
	size_t counters = spec->layout->n_counters;

	rows->spec = *spec;
	rows->spec.cells_max = spec->cells_max ? spec->cells_max : FLOW_ROWS_CELLS;
	rows->spec.flows_new = spec->flows_new ? spec->flows_new : FLOW_ROWS_NEW;
	rows->cpu = mem_copy(spec->cpu, flows_spec(spec->flows)->n_cores * sizeof *rows->cpu);
	rows->n_columns = COLUMN_FIRST_COUNT + 2 * counters;
	rows->column = mem_new_array(rows->n_columns, sizeof *rows->column);
	for (size_t i = 0; i < COLUMN_FIRST_COUNT; i++)
		rows->column[i] = mem_str(column_name[i]);
	for (size_t i = 0; i < counters; i++) {
		const char *name = spec->net->counter[spec->layout->number[i]].name;

		rows->column[COLUMN_FIRST_COUNT + i] = str_format(FLOW_COLUMN_COUNT "%s", name);
		rows->column[COLUMN_FIRST_COUNT + counters + i] = str_format(FLOW_COLUMN_LOST "%s", name);
	}
	rows->row = mem_new_array(rows->n_columns, sizeof *rows->row);
	rows->gone = mem_new_array(rows->n_columns, sizeof *rows->gone);
	rows->table[rows->n_tables++] = obs_table_new((const char *const *)rows->column, rows->n_columns);
	return rows;
}

struct flow_rows *
flow_rows_of_run(const struct flow_recorder *run, const struct network *net,
	void (*leaves)(void *, const struct obs_table *), void *leaves_ctx)
{
	const struct flow_recorded f = flow_recorder_recorded(run);
	size_t n = flow_records_cpus(f.records);
	int *cpu = mem_new_array(n, sizeof *cpu);
	struct flow_rows *rows;

	for (size_t i = 0; i < n; i++)
		cpu[i] = flow_records_cpu(f.records, i);
	rows = flow_rows_new(&(struct flow_rows_spec){
		.net = net, .layout = f.layout, .flows = f.flows, .cpu = cpu,
		.task = flow_recorder_task, .ctx = run,
		.leaves = leaves, .leaves_ctx = leaves_ctx,
	});
	free(cpu);
	return rows;
}

void
flow_rows_free(struct flow_rows *rows)
{
	if (!rows)
		return;
	for (size_t i = 0; i < rows->n_tables; i++)
		obs_table_free(rows->table[i]);
	for (size_t i = 0; i < rows->n_seen; i++) {
		free(rows->seen[i].called);
		free(rows->seen[i].was);
	}
	for (size_t i = 0; i < rows->n_columns; i++)
		free(rows->column[i]);
	free(rows->column);
	free(rows->seen);
	free(rows->now);
	free(rows->known);
	free(rows->row);
	free(rows->gone);
	free(rows->end);
	free(rows->cpu);
	free(rows);
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
note_task(struct flow_rows *rows, int32_t task)
{
	size_t byte = (size_t)task / 8, size = rows->known_size;
	unsigned char bit = (unsigned char)(1u << ((unsigned)task % 8));
	bool before;

	if (byte >= size) {
		mem_grow(&rows->known, &rows->known_size, byte + 1, 1);
		memset(rows->known + size, 0, rows->known_size - size);
	}
	before = rows->known[byte] & bit;
	rows->known[byte] |= bit;
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
flow_rows_name_of(const struct flow_rows *rows, const struct seen *seen)
{
	const struct flow_layout *layout = rows->spec.layout;
	struct flow_name n = {.special = FLOW_SPECIALS, .life = seen->again ? seen->life : 0};
	char *text;

	if (seen->number < FLOW_SPECIALS) {
		n.special = (enum flow_special)seen->number;
	} else {
		n.task = seen->called;
		n.cpu = rows->cpu[seen->core];
		n.module = seen->destination == FLOW_NOWHERE
			? NULL
			: mem_str(rows->spec.net->module[layout->destination[seen->destination]].name);
	}
	text = flow_name_text(&n);
	free(n.module);
	return text;
}

/* --- rows -------------------------------------------------------------------------------------------------------- */

/* A task with a new name after execve(2) continues in another observation. */
static struct obs *
obs_of(struct flow_rows *rows, struct seen *s, const char *run, bool exact)
{
	struct obs_table *table = rows->table[rows->n_tables - 1];
	const char *called = s->number < FLOW_SPECIALS ? "" : rows->spec.task(rows->spec.ctx, s->task);

	if (s->obs == NO_OBS || !str_eq(s->called, called)) {
		char *name;

		free(s->called);
		s->called = mem_str(called);
		name = flow_rows_name_of(rows, s);
		s->obs = table->n;
		obs_table_add(table, name, run);
		rows->cells += OBS_CELLS + rows->n_columns / 2;
		table->obs[s->obs]->exact = exact;
		table->obs[s->obs]->since_start = true;
		free(name);
	}
	return table->obs[s->obs];
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
flow_rows_add_row(struct flow_rows *rows, struct seen *seen, const char *run, double time, bool exact, bool news)
{
	bool some = news;
	struct obs *obs;

	for (size_t i = 0; i < rows->n_columns; i++)
		some |= rows->row[i] != 0;
	if (!some)
		return;
	obs = obs_of(rows, seen, run, exact);
	obs_add_row(obs, rows->row, NULL, time);
	rows->cells += rows->n_columns;
	for (size_t i = 0; i < rows->n_columns; i++)
		seen->was[i] += rows->row[i];
}

/* The sum of the flow now, minus the sum of its rows. */
static void
rise_of_flow(struct flow_rows *rows, const struct flow *flow, const struct seen *seen)
{
	size_t counters = rows->spec.layout->n_counters;
	const struct flow_trouble *trouble = flows_trouble(rows->spec.flows);
	bool others = flow->number == FLOW_OTHERS;

	rows->row[COLUMN_SNAPSHOTS] = (int64_t)flow->snapshots;
	rows->row[COLUMN_RAN] = (int64_t)flow->ran_ns;
	rows->row[COLUMN_LEFT] = (int64_t)flow->left;
	rows->row[COLUMN_RETURNED] = (int64_t)flow->returned;
	rows->row[COLUMN_ENDED] = flow->ended;
	rows->row[COLUMN_FOLDED] = others ? (int64_t)trouble->folded : 0;
	rows->row[COLUMN_BACKWARDS] = others ? (int64_t)trouble->backwards : 0;
	for (size_t i = 0; i < counters; i++) {
		rows->row[COLUMN_FIRST_COUNT + i] = (int64_t)flow->count[i];
		rows->row[COLUMN_FIRST_COUNT + counters + i] = (int64_t)flow->lost[i];
	}
	for (size_t i = 0; i < rows->n_columns; i++)
		rows->row[i] -= seen->was[i] + (others ? rows->gone[i] : 0);
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
begin_flow(struct flow_rows *rows, const struct flow *flow)
{
	struct seen s = {.number = flow->number,
		.life = flow->life,
		.task = flow->task,
		.core = flow->core,
		.destination = flow->destination,
		.obs = NO_OBS};

	s.again = flow->number >= FLOW_SPECIALS && is_again(rows, flow);
	s.was = mem_new_array(rows->n_columns, sizeof *s.was);
	mem_grow(&rows->seen, &rows->cap_seen, rows->n_seen + 1, sizeof *rows->seen);
	rows->seen[rows->n_seen] = s;
	return &rows->seen[rows->n_seen++];
}

/* --- bounds ------------------------------------------------------------------------------------------------------ */

static void
drop_oldest(struct flow_rows *r)
{
	for (size_t i = 0; i < r->table[0]->n; i++)
		r->cells -= r->table[0]->obs[i]->n_rows * r->n_columns + OBS_CELLS + r->n_columns / 2;
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

	if (t->n < r->n_seen + r->n_seen / 2 + r->spec.flows_new)
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
flow_rows_fold(struct flow_rows *rows)
{
	size_t n = rows->n_ends / 4;

	while (rows->cells >= rows->spec.cells_max && rows->n_tables > TABLES_LEAST)
		drop_oldest(rows);
	if (rows->cells < rows->spec.cells_max || rows->n_ends < ENDS_LEAST)
		return;
	for (size_t i = 0; i < n; i++)
		rows->end[i] = rows->end[2 * i + 1];
	memmove(rows->end + n, rows->end + 2 * n, (rows->n_ends - 2 * n) * sizeof *rows->end);
	rows->n_ends -= n;
	for (size_t k = 0; k < rows->n_tables; k++)
		for (size_t i = 0; i < rows->table[k]->n; i++) {
			struct obs *obs = rows->table[k]->obs[i];
			size_t before = obs->n_rows;

			obs_fold(obs, rows->end, n);
			rows->cells -= (before - obs->n_rows) * rows->n_columns;
		}
}

void
flow_rows_take(struct flow_rows *rows, const char *run, double time, bool exact)
{
	size_t n, at = 0, kept = 0, known;

	flow_rows_fold(rows);
	turn_over(rows);
	n = in_order(rows);
	known = rows->n_seen;
	memset(rows->gone, 0, rows->n_columns * sizeof *rows->gone);
	for (size_t i = 0; i < known; i++)
		if (at < n && rows->now[at]->number == rows->seen[i].number)
			at++;
		else
			take_gone(rows, &rows->seen[i], run, time, exact);
	for (size_t i = 0; i < known; i++)
		if (rows->seen[i].was)
			rows->seen[kept++] = rows->seen[i];
	rows->n_seen = kept;
	for (size_t i = 0; i < n; i++) {
		struct seen *seen = i < kept ? &rows->seen[i] : begin_flow(rows, rows->now[i]);

		rise_of_flow(rows, rows->now[i], seen);
		flow_rows_add_row(rows, seen, run, time, exact, is_renamed(rows, rows->now[i], seen));
		if (seen->number == FLOW_OTHERS)
			for (size_t k = 0; k < rows->n_columns; k++)
				seen->was[k] += rows->gone[k]; /* reported, by the others */
	}
	if (!isnan(time) && (!rows->n_ends || rows->end[rows->n_ends - 1] < time)) {
		mem_grow(&rows->end, &rows->cap_ends, rows->n_ends + 1, sizeof *rows->end);
		rows->end[rows->n_ends++] = time;
	}
}
