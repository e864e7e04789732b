#include "work/run/tasktime_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "work/run/tasktime_run.h"

/* A task that has not ended, by its number. */
struct seat {
	int tid;
	size_t task;
};

struct tasktime_rows {
	struct tasktime_rows_how how;
	struct obs_table *table;
	struct tasktime_run_task *task;
	size_t n_tasks, cap_tasks;
	struct seat *seat;                  /* ascending */
	size_t n_seats, cap_seats;
	size_t others;                      /* the task of all that have none of their own; TASKTIME_RUN_NONE */
	struct tasktime_amounts others_now; /* of the window that is being taken */
	bool some_others;
	double *end;                        /* ends of windows, one for each row; for `folds` */
	size_t n_ends, cap_ends;
	struct tasktime_cpu_row *cpu;       /* sums */
	char why[256];
	struct tasktime_run_state state;    /* what windows say of it; cpu and why are filled when it is asked for */
};

struct tasktime_rows *
tasktime_rows_new(void)
{
	struct tasktime_rows *r = mem_new(sizeof *r);
	struct names column = {0};

	for (int i = 0; i < TASKTIME_AMOUNTS; i++) {
		char *name = str_format(TASKTIME_PREFIX "%s", tasktime_amount_name(i));

		names_add(&column, name, strlen(name));
		free(name);
	}
	r->table = obs_table_new((const char *const *)column.name, column.n);
	names_free(&column);
	r->others = TASKTIME_RUN_NONE;
	r->state.believed = true;
	return r;
}

void
tasktime_rows_free(struct tasktime_rows *r)
{
	if (!r)
		return;
	obs_table_free(r->table);
	free(r->task);
	free(r->seat);
	free(r->end);
	free(r->cpu);
	free(r);
}

void
tasktime_rows_begin(struct tasktime_rows *r, const struct tasktime_rows_how *how)
{
	r->how = *how;
	r->state.coverage = how->coverage;
	r->state.tasks_max = how->tasks_max;
}

/* The place of a task in the list, or the place where it would be inserted. */
static size_t
seat_of(const struct tasktime_rows *r, int tid)
{
	size_t low = 0, high = r->n_seats;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (r->seat[middle].tid < tid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static size_t
add_task(struct tasktime_rows *r, const struct tasktime_row *row)
{
	struct tasktime_run_task *t;

	mem_grow(&r->task, &r->cap_tasks, r->n_tasks + 1, sizeof *r->task);
	t = &r->task[r->n_tasks];
	*t = (struct tasktime_run_task){.observation = TASKTIME_RUN_NONE};
	if (row) {
		t->tid = row->tid;
		t->pid = row->pid;
		t->n_tasks = 1;
	}
	return r->n_tasks++;
}

static bool
ran(const struct tasktime_source_row *r)
{
	return r->row.in ||
		r->row.ns[TASKTIME_ON_CPU] + r->row.ns[TASKTIME_FAULT_CPU] + r->row.ns[TASKTIME_WOKEN] +
		r->row.ns[TASKTIME_PREEMPTED] ||
		r->run_ns;
}

/* The task of a row: TASKTIME_RUN_NONE for one of the whole machine's that has not run yet. The others, when there is
 * no room for one more. */
static size_t
tasktime_rows_task_of(struct tasktime_rows *r, const struct tasktime_source_row *row)
{
	size_t at = seat_of(r, row->row.tid), task;

	if (at < r->n_seats && r->seat[at].tid == row->row.tid)
		return r->seat[at].task;
	if (r->how.machine && !ran(row))
		return TASKTIME_RUN_NONE;
	if (r->n_tasks - (r->others != TASKTIME_RUN_NONE) >= r->how.tasks_max) {
		if (r->others == TASKTIME_RUN_NONE)
			r->others = add_task(r, NULL);
		task = r->others;
		r->task[task].n_tasks++;
	} else {
		task = add_task(r, &row->row);
	}
	mem_grow(&r->seat, &r->cap_seats, r->n_seats + 1, sizeof *r->seat);
	memmove(&r->seat[at + 1], &r->seat[at], (r->n_seats - at) * sizeof *r->seat);
	r->seat[at] = (struct seat){row->row.tid, task};
	r->n_seats++;
	return task;
}

static void
tasktime_rows_leave(struct tasktime_rows *r, int tid)
{
	size_t at = seat_of(r, tid);

	memmove(&r->seat[at], &r->seat[at + 1], (r->n_seats - at - 1) * sizeof *r->seat);
	r->n_seats--;
}

/* The amounts of a task in a window, as far as they can be believed. */
static void
amounts_of(const struct tasktime_rows *r, const struct tasktime_source_row *row, bool clean, struct tasktime_amounts *a)
{
	if (r->how.coverage.classes && clean)
		tasktime_amounts_of_row(&row->row, row->books ? &row->costed : NULL, a);
	else
		tasktime_amounts_coarse(row->row.to_ns - row->row.from_ns, row->books ? &row->coarse : NULL, a);
	a->ns[TASKTIME_SCHED_RUN] = (int64_t)row->run_ns;
	a->ns[TASKTIME_SCHED_WAIT] = (int64_t)row->wait_ns;
}

/* Adds a row. Cells of amounts that cannot be known are not counted. */
static void
tasktime_rows_add_row(struct tasktime_rows *r, struct tasktime_run_task *t, const struct tasktime_amounts *a,
	bool booked, uint64_t at_ns)
{
	unsigned char counted[TASKTIME_AMOUNTS];
	struct obs *o;

	if (t->observation == TASKTIME_RUN_NONE) {
		char *name = t->tid ? str_format("%s-%d", *t->name ? t->name : "task", t->tid) : mem_str("others");

		t->observation = r->table->n;
		o = obs_table_add(r->table, name, r->how.asked);
		o->exact = !r->how.sampled;
		for (int i = 0; i < TASKTIME_AMOUNTS; i++)
			o->health[i] = tasktime_covers(&r->how.coverage, i) ? OBS_LIVE : OBS_UNSUPPORTED;
		free(name);
	}
	o = r->table->obs[t->observation];
	for (int i = 0; i < TASKTIME_AMOUNTS; i++)
		counted[i] = tasktime_covers(&r->how.coverage, i) &&
			(booked || (i != TASKTIME_SCHED_RUN && i != TASKTIME_SCHED_WAIT));
	obs_add_row(o, a->ns, counted, r->how.sampled ? (double)(at_ns - r->how.start_ns) / 1e9 : NAN);
	r->state.cells += TASKTIME_AMOUNTS;
}

static bool
is_booked(const struct tasktime_run_task *t)
{
	return t->booked_ns == (uint64_t)t->sum.ns[TASKTIME_ELAPSED];
}

static void
add_to_task(struct tasktime_run_task *t, const struct tasktime_source_row *row, const struct tasktime_amounts *a)
{
	if (t->tid)
		memcpy(t->name, row->row.name, sizeof t->name);
	t->doubtful |= row->row.doubtful;
	tasktime_amounts_add(&t->sum, a);
	tasktime_row_add(&t->row, &row->row);
	if (!row->books)
		return;
	t->booked_ns += row->row.to_ns - row->row.from_ns;
	t->run_ns += row->run_ns;
	t->wait_ns += row->wait_ns;
	t->slices += row->slices;
	t->excess_ns += row->costed.excess_ns;
	t->records_run_ns += row->row.ns[TASKTIME_ON_CPU] + row->row.ns[TASKTIME_FAULT_CPU];
}

static void
tasktime_rows_take_row(
	struct tasktime_rows *r, const struct tasktime_source_window *w, const struct tasktime_source_row *row)
{
	struct tasktime_amounts a;
	struct tasktime_run_task *t;
	size_t at;

	if (row->row.to_ns == row->row.from_ns && !row->row.ended)
		return; /* nothing of it lies in the window */
	at = tasktime_rows_task_of(r, row);
	if (at == TASKTIME_RUN_NONE) {
		r->state.quiet++;
		return;
	}
	t = &r->task[at];
	amounts_of(r, row, w->clean, &a);
	add_to_task(t, row, &a);
	if (at == r->others) {
		tasktime_amounts_add(&r->others_now, &a);
		r->some_others = true;
	} else if (r->how.sampled) {
		tasktime_rows_add_row(r, t, &a, row->books, w->to_ns);
	}
	if (!row->row.ended)
		return;
	tasktime_rows_leave(r, row->row.tid);
	if (at == r->others)
		return;
	t->ended = true;
	if (!r->how.sampled)
		tasktime_rows_add_row(r, t, &t->sum, is_booked(t), w->to_ns);
}

/* Adds the tasks that ended beyond those that a window lists one by one. */
static void
take_rest(struct tasktime_rows *r, const struct tasktime_source_window *w)
{
	struct tasktime_source_row rest = {.row = w->rest};
	struct tasktime_amounts a;

	if (!w->n_rest)
		return;
	if (r->others == TASKTIME_RUN_NONE)
		r->others = add_task(r, NULL);
	if (r->how.coverage.classes && w->clean)
		tasktime_amounts_of_row(&w->rest, NULL, &a);
	else
		tasktime_amounts_coarse(tasktime_row_elapsed(&w->rest), NULL, &a);
	r->task[r->others].n_tasks += w->n_rest;
	add_to_task(&r->task[r->others], &rest, &a);
	tasktime_amounts_add(&r->others_now, &a);
	r->some_others = true;
}

static void
take_cpus(struct tasktime_rows *r, const struct tasktime_source_window *w)
{
	if (!r->cpu)
		r->cpu = mem_new_array(w->n_cpus, sizeof *r->cpu);
	r->state.n_cpus = w->n_cpus;
	for (size_t i = 0; i < w->n_cpus; i++) {
		const struct tasktime_cpu_row *c = &w->cpu[i];
		struct tasktime_cpu_row *sum = &r->cpu[i];

		sum->from_ns = sum->to_ns ? sum->from_ns : c->from_ns;
		sum->to_ns = c->to_ns;
		sum->cpu = c->cpu;
		sum->idle_ns += c->idle_ns;
		sum->followed_ns += c->followed_ns;
		sum->others_ns += c->others_ns;
		sum->switching_ns += c->switching_ns;
		sum->unknown_ns += c->unknown_ns;
		sum->switches += c->switches;
		sum->offline = c->offline;
	}
}

/* Folds old windows when there are too many cells: in all observations alike, so that rows of one window still share
 * their time. */
static void
fold_windows(struct tasktime_rows *r)
{
	size_t n = r->n_ends / 4;

	if (r->state.cells < r->how.cells_max || !n)
		return;
	for (size_t i = 0; i < n; i++)
		r->end[i] = r->end[2 * i + 1];
	memmove(r->end + n, r->end + 2 * n, (r->n_ends - 2 * n) * sizeof *r->end);
	r->n_ends -= n;
	for (size_t i = 0; i < r->table->n; i++) {
		struct obs *o = r->table->obs[i];
		size_t before = o->n_rows;

		obs_fold(o, r->end, n);
		r->state.cells -= (before - o->n_rows) * TASKTIME_AMOUNTS;
	}
}

void
tasktime_rows_take(struct tasktime_rows *r, const struct tasktime_source_window *w, bool wanted)
{
	struct tasktime_run_state *s = &r->state;

	s->trouble = w->trouble;
	s->believed = w->believed;
	memcpy(r->why, w->why, sizeof r->why);
	if (!wanted)
		return;
	s->windows++;
	s->doubted += !w->clean;
	s->steal_known = w->steal_known;
	s->steal_ns += w->steal_known ? w->steal_ns : 0;
	s->elapsed_ns = w->to_ns - r->how.start_ns;
	s->quiet = 0;
	fold_windows(r);
	r->others_now = (struct tasktime_amounts){0};
	r->some_others = false;
	for (size_t i = 0; i < w->n; i++)
		tasktime_rows_take_row(r, w, &w->row[i]);
	take_rest(r, w);
	if (r->how.sampled && r->some_others)
		tasktime_rows_add_row(r, &r->task[r->others], &r->others_now, false, w->to_ns);
	take_cpus(r, w);
	if (!r->how.folds || !r->how.sampled)
		return;
	mem_grow(&r->end, &r->cap_ends, r->n_ends + 1, sizeof *r->end);
	r->end[r->n_ends++] = (double)(w->to_ns - r->how.start_ns) / 1e9;
}

void
tasktime_rows_take_end(struct tasktime_rows *r)
{
	for (size_t i = 0; i < r->n_tasks && !r->how.sampled; i++)
		if (!r->task[i].ended)
			tasktime_rows_add_row(r, &r->task[i], &r->task[i].sum, i != r->others && is_booked(&r->task[i]),
				r->how.start_ns);
}

bool
tasktime_rows_full(const struct tasktime_rows *r)
{
	return r->state.cells >= r->how.cells_max && !r->how.folds;
}

struct obs_table *
tasktime_rows_table(struct tasktime_rows *r)
{
	return r->table;
}

const struct tasktime_run_task *
tasktime_rows_tasks(const struct tasktime_rows *r, size_t *n)
{
	*n = r->n_tasks;
	return r->task;
}

size_t
tasktime_rows_others(const struct tasktime_rows *r)
{
	return r->others;
}

struct tasktime_run_state
tasktime_rows_state(const struct tasktime_rows *r)
{
	struct tasktime_run_state s = r->state;

	s.why = r->why;
	s.cpu = r->cpu;
	return s;
}
