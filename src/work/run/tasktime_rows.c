#include "work/run/tasktime_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "work/run/tasktime_run.h"

/* CPU time from which what a task did before execve(2) belongs to the program that it was. fork(2) of a process of 1 GB
 * and execve(2) take about 10 ms. */
#define OWN_PROGRAM_NS 20000000

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
	size_t others;                      /* the task that stands for all others; TASKTIME_RUN_NONE */
	struct tasktime_amounts others_now; /* amounts of the others in the current window */
	bool some_others;
	struct tasktime_amounts sum;        /* tasktime_rows_sum() */
	double *end;                        /* ends of windows, one for each row; for `folds` */
	size_t n_ends, cap_ends;
	struct tasktime_cpu_row *cpu;       /* sums */
	char why[256];
	struct tasktime_run_state state;    /* what windows say of the run; cpu and why are filled on request */
};

struct tasktime_rows *
tasktime_rows_new(void)
{
	struct tasktime_rows *rows = mem_new(sizeof *rows);
	struct names column = {0};

	for (int i = 0; i < TASKTIME_AMOUNTS; i++) {
		char *name = str_format(TASKTIME_PREFIX "%s", tasktime_amount_name(i));

		names_add(&column, name, strlen(name));
		free(name);
	}
	rows->table = obs_table_new((const char *const *)column.name, column.n);
	names_free(&column);
	rows->others = TASKTIME_RUN_NONE;
	rows->state.believed = true;
	return rows;
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
seat_of(const struct tasktime_rows *rows, int tid)
{
	size_t low = 0, high = rows->n_seats;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (rows->seat[middle].tid < tid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static size_t
add_task(struct tasktime_rows *rows, const struct tasktime_row *row)
{
	struct tasktime_run_task *task;

	mem_grow(&rows->task, &rows->cap_tasks, rows->n_tasks + 1, sizeof *rows->task);
	task = &rows->task[rows->n_tasks];
	*task = (struct tasktime_run_task){.observation = TASKTIME_RUN_NONE};
	if (row) {
		task->tid = row->tid;
		task->pid = row->pid;
		task->n_tasks = 1;
	}
	return rows->n_tasks++;
}

static bool
ran(const struct tasktime_source_row *r)
{
	return r->row.in ||
		r->row.ns[TASKTIME_ON_CPU] + r->row.ns[TASKTIME_FAULT_CPU] + r->row.ns[TASKTIME_WOKEN] +
		r->row.ns[TASKTIME_PREEMPTED] ||
		r->run_ns;
}

/* The task of a row. TASKTIME_RUN_NONE: a task of the whole machine that has not run yet. If there is no room for one
 * more task, it is the one that stands for the others. */
static size_t
tasktime_rows_task_of(struct tasktime_rows *rows, const struct tasktime_source_row *row)
{
	size_t at = seat_of(rows, row->row.tid), task;

	if (at < rows->n_seats && rows->seat[at].tid == row->row.tid)
		return rows->seat[at].task;
	if (rows->how.machine && !ran(row))
		return TASKTIME_RUN_NONE;
	if (rows->n_tasks - (rows->others != TASKTIME_RUN_NONE) >= rows->how.tasks_max) {
		if (rows->others == TASKTIME_RUN_NONE)
			rows->others = add_task(rows, NULL);
		task = rows->others;
		rows->task[task].n_tasks++;
	} else {
		task = add_task(rows, &row->row);
	}
	mem_grow(&rows->seat, &rows->cap_seats, rows->n_seats + 1, sizeof *rows->seat);
	memmove(&rows->seat[at + 1], &rows->seat[at], (rows->n_seats - at) * sizeof *rows->seat);
	rows->seat[at] = (struct seat){row->row.tid, task};
	rows->n_seats++;
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
		tasktime_amounts_of_row(&row->row, row->books ? &row->costed : NULL, r->how.exception_ns, a);
	else
		tasktime_amounts_coarse(row->row.to_ns - row->row.from_ns, row->books ? &row->coarse : NULL, a);
	a->ns[TASKTIME_SCHED_RUN] = (int64_t)row->run_ns;
	a->ns[TASKTIME_SCHED_WAIT] = (int64_t)row->wait_ns;
}

static char *
tasktime_rows_name_of(const struct tasktime_run_task *t)
{
	return t->tid ? str_format("%s-%d", *t->name ? t->name : "task", t->tid) : mem_str("others");
}

/* A task that executes a program, or changes its name, is from then on called by its new name. */
static void
tasktime_rows_rename(struct tasktime_rows *rows, const struct tasktime_run_task *t)
{
	char *name;

	if (t->observation == TASKTIME_RUN_NONE)
		return;
	name = tasktime_rows_name_of(t);
	obs_table_rename(rows->table, rows->table->obs[t->observation], name);
	free(name);
}

/* Adds a row. Cells of amounts that cannot be known are not counted. */
static void
tasktime_rows_add_row(struct tasktime_rows *rows, struct tasktime_run_task *t, const struct tasktime_amounts *amounts,
	bool booked, uint64_t at_ns)
{
	unsigned char counted[TASKTIME_AMOUNTS];
	struct obs *obs;

	if (t->observation == TASKTIME_RUN_NONE) {
		char *name = tasktime_rows_name_of(t);

		t->observation = rows->table->n;
		obs = obs_table_add(rows->table, name, rows->how.asked);
		obs_copy_origin(obs, rows->how.origin);
		obs->exact = !rows->how.sampled;
		for (int i = 0; i < TASKTIME_AMOUNTS; i++)
			obs->health[i] = tasktime_covers(&rows->how.coverage, i) ? OBS_LIVE : OBS_UNSUPPORTED;
		free(name);
	}
	obs = rows->table->obs[t->observation];
	for (int i = 0; i < TASKTIME_AMOUNTS; i++)
		counted[i] = tasktime_covers(&rows->how.coverage, i) &&
			(booked || (i != TASKTIME_SCHED_RUN && i != TASKTIME_SCHED_WAIT));
	obs_add_row(obs, amounts->ns, counted, rows->how.sampled ? (double)(at_ns - rows->how.start_ns) / 1e9 : NAN);
	rows->state.cells += TASKTIME_AMOUNTS;
}

static bool
is_booked(const struct tasktime_run_task *t)
{
	return t->booked_ns == (uint64_t)t->sum.ns[TASKTIME_ELAPSED];
}

static void
add_to_task(struct tasktime_rows *rows, struct tasktime_run_task *task, const struct tasktime_source_row *row,
	const struct tasktime_amounts *amounts)
{
	if (task->tid && strncmp(task->name, row->row.name, sizeof task->name) != 0) {
		memcpy(task->name, row->row.name, sizeof task->name);
		tasktime_rows_rename(rows, task);
	}
	task->doubtful |= row->row.doubtful;
	tasktime_amounts_add(&task->sum, amounts);
	tasktime_row_add(&task->row, &row->row);
	if (!row->books)
		return;
	task->booked_ns += row->row.to_ns - row->row.from_ns;
	task->run_ns += row->run_ns;
	task->wait_ns += row->wait_ns;
	task->slices += row->slices;
	task->excess_ns += row->costed.taken_ns;
	task->records_run_ns += row->row.ns[TASKTIME_ON_CPU] + row->row.ns[TASKTIME_FAULT_CPU];
}

/* Has a task that ran for a while as one program become another? What a child does between fork(2) and execve(2) takes
 * less, and is the program's, as its wait for a CPU is. */
static bool
is_another_program(const struct tasktime_run_task *task, const struct tasktime_row *row)
{
	return row->executed && strncmp(task->name, row->name, sizeof task->name) != 0 &&
		task->row.ns[TASKTIME_ON_CPU] + task->row.ns[TASKTIME_FAULT_CPU] > OWN_PROGRAM_NS;
}

static void
tasktime_rows_finish(struct tasktime_rows *rows, struct tasktime_run_task *task, uint64_t at_ns)
{
	tasktime_rows_leave(rows, task->tid);
	task->ended = true;
	if (!rows->how.sampled)
		tasktime_rows_add_row(rows, task, &task->sum, is_booked(task), at_ns);
}

static void
tasktime_rows_take_row(
	struct tasktime_rows *rows, const struct tasktime_source_window *window, const struct tasktime_source_row *row)
{
	struct tasktime_amounts a;
	struct tasktime_run_task *task;
	size_t at;

	if (row->row.to_ns == row->row.from_ns && !row->row.ended)
		return; /* none of the task's time lies in the window */
	amounts_of(rows, row, window->clean, &a);
	if (!row->row.kernel)
		tasktime_amounts_add(&rows->sum, &a);
	if (rows->how.sums)
		return;
	at = tasktime_rows_task_of(rows, row);
	if (at != TASKTIME_RUN_NONE && at != rows->others && is_another_program(&rows->task[at], &row->row)) {
		tasktime_rows_finish(rows, &rows->task[at], window->to_ns);
		at = tasktime_rows_task_of(rows, row);
	}
	if (at == TASKTIME_RUN_NONE) {
		rows->state.quiet++;
		return;
	}
	task = &rows->task[at];
	add_to_task(rows, task, row, &a);
	if (at == rows->others) {
		tasktime_amounts_add(&rows->others_now, &a);
		rows->some_others = true;
	} else if (rows->how.sampled) {
		tasktime_rows_add_row(rows, task, &a, row->books, window->to_ns);
	}
	if (!row->row.ended)
		return;
	if (at == rows->others)
		tasktime_rows_leave(rows, row->row.tid);
	else
		tasktime_rows_finish(rows, task, window->to_ns);
}

/* Adds the tasks that ended beyond those that a window lists one by one. */
static void
take_rest(struct tasktime_rows *rows, const struct tasktime_source_window *window)
{
	struct tasktime_source_row rest = {.row = window->rest};
	struct tasktime_amounts a;

	if (!window->n_rest)
		return;
	if (rows->how.coverage.classes && window->clean)
		tasktime_amounts_of_row(&window->rest, NULL, rows->how.exception_ns, &a);
	else
		tasktime_amounts_coarse(tasktime_row_elapsed(&window->rest), NULL, &a);
	tasktime_amounts_add(&rows->sum, &a);
	if (rows->how.sums)
		return;
	if (rows->others == TASKTIME_RUN_NONE)
		rows->others = add_task(rows, NULL);
	rows->task[rows->others].n_tasks += window->n_rest;
	add_to_task(rows, &rows->task[rows->others], &rest, &a);
	tasktime_amounts_add(&rows->others_now, &a);
	rows->some_others = true;
}

static void
take_cpus(struct tasktime_rows *rows, const struct tasktime_source_window *window)
{
	if (!rows->cpu)
		rows->cpu = mem_new_array(window->n_cpus, sizeof *rows->cpu);
	rows->state.n_cpus = window->n_cpus;
	for (size_t i = 0; i < window->n_cpus; i++) {
		const struct tasktime_cpu_row *row = &window->cpu[i];
		struct tasktime_cpu_row *sum = &rows->cpu[i];

		sum->from_ns = sum->to_ns ? sum->from_ns : row->from_ns;
		sum->to_ns = row->to_ns;
		sum->cpu = row->cpu;
		sum->idle_ns += row->idle_ns;
		sum->followed_ns += row->followed_ns;
		sum->others_ns += row->others_ns;
		sum->switching_ns += row->switching_ns;
		sum->unknown_ns += row->unknown_ns;
		sum->switches += row->switches;
		sum->offline = row->offline;
	}
}

/* If there are too many cells, folds old windows, the same ones in all observations: rows of one window still share
 * their time. */
static void
fold_windows(struct tasktime_rows *rows)
{
	size_t n = rows->n_ends / 4;

	if (rows->state.cells < rows->how.cells_max || !n)
		return;
	for (size_t i = 0; i < n; i++)
		rows->end[i] = rows->end[2 * i + 1];
	memmove(rows->end + n, rows->end + 2 * n, (rows->n_ends - 2 * n) * sizeof *rows->end);
	rows->n_ends -= n;
	for (size_t i = 0; i < rows->table->n; i++) {
		struct obs *obs = rows->table->obs[i];
		size_t before = obs->n_rows;

		obs_fold(obs, rows->end, n);
		rows->state.cells -= (before - obs->n_rows) * TASKTIME_AMOUNTS;
	}
}

void
tasktime_rows_take(struct tasktime_rows *rows, const struct tasktime_source_window *window, bool wanted)
{
	struct tasktime_run_state *state = &rows->state;

	state->trouble = window->trouble;
	state->believed = window->believed;
	memcpy(rows->why, window->why, sizeof rows->why);
	if (!wanted)
		return;
	state->windows++;
	state->doubted += !window->clean;
	state->steal_known = window->steal_known;
	state->steal_ns += window->steal_known ? window->steal_ns : 0;
	state->elapsed_ns = window->to_ns - rows->how.start_ns;
	state->quiet = 0;
	fold_windows(rows);
	rows->others_now = (struct tasktime_amounts){0};
	rows->some_others = false;
	for (size_t i = 0; i < window->n; i++)
		tasktime_rows_take_row(rows, window, &window->row[i]);
	take_rest(rows, window);
	if (rows->how.sampled && rows->some_others)
		tasktime_rows_add_row(rows, &rows->task[rows->others], &rows->others_now, false, window->to_ns);
	take_cpus(rows, window);
	if (!rows->how.folds || !rows->how.sampled)
		return;
	mem_grow(&rows->end, &rows->cap_ends, rows->n_ends + 1, sizeof *rows->end);
	rows->end[rows->n_ends++] = (double)(window->to_ns - rows->how.start_ns) / 1e9;
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

const struct tasktime_amounts *
tasktime_rows_sum(const struct tasktime_rows *r)
{
	return &r->sum;
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
