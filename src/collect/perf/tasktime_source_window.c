/* Windows of tasks' time: rows from the partition, or from the scheduler's counters alone, with the scheduler's
 * accounts added. */
#include "collect/perf/tasktime_source_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "collect/process/processes.h"

#define STAT_TICK_NS 10000000u /* creation times and delays are in ticks, rounded down */

/* --- rows -------------------------------------------------------------------------------------------------------- */

void
tasktime_source_take_row(void *to, const struct tasktime_row *r)
{
	struct tasktime_source *s = to;

	if (s->handed_out) {
		s->handed_out = false;
		s->n = s->n_ended = s->n_rest = 0;
		s->rest = (struct tasktime_row){0};
	}
	if (r->ended && s->n_ended >= TASKTIME_SOURCE_MOST_ENDED) {
		tasktime_row_add(&s->rest, r);
		s->n_rest++;
		return;
	}
	s->n_ended += r->ended;
	mem_grow(&s->row, &s->cap, s->n + 1, sizeof *s->row);
	s->row[s->n++] = (struct tasktime_source_row){.row = *r, .io_ns = UINT64_MAX};
}

void
tasktime_source_take_event(void *to, const struct tasktime_event *e)
{
	tasktime_take(to, e);
}

void
tasktime_source_remember(struct tasktime_source *s, pid_t pid, pid_t tid)
{
	struct sched_stat look;
	struct sched_times t;

	if (s->spec.no_scheduler || !schedstat_read(pid, tid, &t))
		return;
	if (s->delays && schedstat_read_stat(pid, tid, &look))
		t.io_ns = look.delay_ns;
	*sched_accounts_put(s->books, tid) = t;
}

void
tasktime_source_take_ends(struct tasktime_source *s)
{
	struct sched_times t;
	pid_t tid;

	while (s->task_ends && task_ends_next(s->task_ends, &tid, &t))
		if (sched_accounts_get(s->ends, tid) || sched_accounts_size(s->ends) < 4 * TASKTIME_SOURCE_MOST_ENDED)
			*sched_accounts_put(s->ends, tid) = t;
}

/* --- the scheduler's accounts ------------------------------------------------------------------------------------ */

/* Computes the scheduler's times of a task since the last reading. False: unknown. */
static bool
account_of(struct tasktime_source *s, const struct tasktime_source_row *row, struct sched_times *d)
{
	const struct tasktime_row *r = &row->row;
	struct sched_times now, *last = sched_accounts_get(s->books, r->tid),
				*end = r->ended ? sched_accounts_get(s->ends, r->tid) : NULL, none = {0};

	if (!last && !r->born)
		return false;
	if (!r->ended && last && r->in == 0 &&
		r->ns[TASKTIME_ON_CPU] + r->ns[TASKTIME_FAULT_CPU] + r->ns[TASKTIME_UNKNOWN] == 0 && s->records) {
		*d = (struct sched_times){.io_ns = UINT64_MAX}; /* the task did not run */
		if (r->ns[TASKTIME_WOKEN] + r->ns[TASKTIME_PREEMPTED] == 0)
			return true;
	}
	if (end)
		now = *end;
	else if (!schedstat_read(r->pid, r->tid, &now)) {
		sched_accounts_drop(s->books, r->tid); /* otherwise the next reading would be of two windows */
		return false;
	}
	if (!last)
		last = &none;
	if (!s->records)
		now.io_ns = row->io_ns; /* also since the task's creation */
	if (now.run_ns < last->run_ns || now.wait_ns < last->wait_ns)
		return false; /* another task with the same number */
	*d = (struct sched_times){.run_ns = now.run_ns - last->run_ns, .wait_ns = now.wait_ns - last->wait_ns,
		.slices = now.slices - last->slices, .io_ns = r->ended ? now.io_ns : UINT64_MAX};
	if (!s->records && now.io_ns != UINT64_MAX && now.io_ns >= last->io_ns)
		d->io_ns = now.io_ns - last->io_ns;
	now.owed_ns = last->owed_ns;
	if (!r->ended)
		*sched_accounts_put(s->books, r->tid) = now;
	return true;
}

/* Computes the cost of switches in this window. A live task's accounts lag by up to a tick, more in one window and less
 * in the next. The difference is carried over to the next window, so that the errors do not add up. */
static void
find_cost(struct tasktime_source *s, struct tasktime_source_row *r)
{
	struct sched_times *book = sched_accounts_get(s->books, r->row.tid);
	uint64_t ran = r->row.ns[TASKTIME_ON_CPU] + r->row.ns[TASKTIME_FAULT_CPU];
	int64_t owed = (int64_t)r->run_ns - (int64_t)ran + (book ? book->owed_ns : 0), run = (int64_t)ran + owed;

	tasktime_cost(&r->row, run > 0 ? (uint64_t)run : 0, r->wait_ns, &r->costed);
	if (book)
		book->owed_ns = owed < 0 ? owed : (int64_t)r->costed.unplaced_ns;
}

/* Fits the delay of I/O into this window. Delays are in ticks, so an excess of up to a tick is carried over to the next
 * window. */
static void
fit_delay(struct tasktime_source *s, struct tasktime_source_row *r)
{
	struct sched_times *book = sched_accounts_get(s->books, r->row.tid);
	uint64_t elapsed = r->row.to_ns - r->row.from_ns, ran = r->run_ns + r->wait_ns,
		rest = elapsed > ran ? elapsed - ran : 0;

	if (!book || r->io_ns == UINT64_MAX || r->io_ns <= rest || r->io_ns - rest > STAT_TICK_NS)
		return;
	book->io_ns -= r->io_ns - rest;
	r->io_ns = rest;
}

static void
add_accounts(struct tasktime_source *s)
{
	tasktime_source_take_ends(s);
	for (size_t i = 0; i < s->n; i++) {
		struct tasktime_source_row *r = &s->row[i];
		struct sched_times d;

		if (!s->spec.no_scheduler && account_of(s, r, &d)) {
			r->books = true;
			r->run_ns = d.run_ns;
			r->wait_ns = d.wait_ns;
			r->slices = d.slices;
			r->io_ns = d.io_ns;
			if (!s->records)
				fit_delay(s, r);
			tasktime_coarse(r->row.to_ns - r->row.from_ns, r->run_ns, r->wait_ns, r->io_ns, &r->coarse);
			if (s->records)
				find_cost(s, r);
		}
		if (r->row.ended) {
			sched_accounts_drop(s->books, r->row.tid);
			sched_accounts_drop(s->ends, r->row.tid);
		}
	}
	/* The ends may be of tasks that are not followed. A row that comes one window after the end has only a zombie's
	 * accounts.
	 */
	if (sched_accounts_size(s->ends) > TASKTIME_SOURCE_MOST_ENDED) {
		sched_accounts_free(s->ends);
		s->ends = sched_accounts_new();
	}
}

/* --- without records --------------------------------------------------------------------------------------------- */

static bool
is_watched(const struct tasktime_source *s, pid_t pid)
{
	for (size_t i = 0; i < s->spec.n_pids; i++)
		if (s->pid[i] == pid)
			return !s->held[i];
	return !s->child && s->spec.n_pids == 0;
}

void
tasktime_source_each_thread(struct tasktime_source *s, void (*each)(struct tasktime_source *, pid_t pid, pid_t tid))
{
	struct process *all = NULL;
	size_t n = processes_list(&all);

	if (s->child)
		processes_mark(all, n, child_pid(s->child), true);
	for (size_t i = 0; i < s->spec.n_pids && !s->spec.only_threads; i++)
		if (!s->held[i])
			processes_mark(all, n, s->pid[i], true);
	for (size_t i = 0; i < n; i++) {
		pid_t *tid = NULL;
		size_t threads = !all[i].dead && (all[i].ours || is_watched(s, all[i].pid))
			? process_threads(all[i].pid, &tid) : 0;

		for (size_t j = 0; j < threads; j++)
			each(s, all[i].pid, tid[j]);
		free(tid);
	}
	free(all);
}

/* Makes a row for each task that was in the last window or was created since. Other tasks were overlooked, and are
 * followed from now on. */
static void
make_coarse_row(struct tasktime_source *s, pid_t pid, pid_t tid)
{
	struct tasktime_row r = {.tid = tid, .pid = pid, .from_ns = s->from_ns, .to_ns = s->to_ns};
	struct sched_stat look;

	if (!schedstat_read_stat(pid, tid, &look))
		return;
	r.born = !sched_accounts_get(s->books, tid);
	if (r.born && look.start_ns + STAT_TICK_NS < s->from_ns) {
		tasktime_source_remember(s, pid, tid);
		return;
	}
	if (r.born && look.start_ns > r.from_ns)
		r.from_ns = look.start_ns < s->to_ns ? look.start_ns : s->to_ns;
	memcpy(r.name, look.name, sizeof r.name);
	tasktime_source_take_row(s, &r);
	s->row[s->n - 1].io_ns = s->delays ? look.delay_ns : UINT64_MAX;
}

/* --- windows ----------------------------------------------------------------------------------------------------- */

static void
read_steal(struct tasktime_source *s, struct tasktime_source_window *w)
{
	uint64_t steal;

	w->steal_known = s->steal_known && schedstat_steal(&steal);
	if (w->steal_known) {
		w->steal_ns = steal > s->steal_ns ? steal - s->steal_ns : 0;
		s->steal_ns = steal;
	}
}

/* Would the records since the last window be trusted on their own? */
static bool
is_clean(const struct tasktime_source *s, struct records_health h, struct tasktime_trouble t)
{
	char why[256];

	h.lost -= s->health.lost;
	h.throttled -= s->health.throttled;
	h.foreign -= s->health.foreign;
	h.stateless -= s->health.stateless;
	h.faults_seen -= s->health.faults_seen;
	t.broken -= s->trouble.broken;
	t.late -= s->trouble.late;
	t.unpaired -= s->trouble.unpaired;
	return records_believe(&h, &t, why, sizeof why);
}

void
tasktime_source_window_begin(struct tasktime_source *s)
{
	if (s->records)
		records_settle_begin(s->records);
	s->closing = s->records != NULL;
}

bool
tasktime_source_window_ready(const struct tasktime_source *s)
{
	return !s->closing || records_settle_ready(s->records);
}

static void
close_records(struct tasktime_source *s, bool last, struct tasktime_source_window *w)
{
	struct records_health h;
	bool begun = s->closing && !last;

	s->closing = false;

	if (last) {
		/* A task that waits for another's end may run before that other task is switched out for the last time.
		 */
		records_settle(s->records, tasktime_source_take_event, s->partition);
		records_stop(s->records);
	}
	w->to_ns = (begun ? records_settled : records_settle)(s->records, tasktime_source_take_event, s->partition);
	tasktime_close(s->partition, w->to_ns, s->cpu);
	w->trouble = *tasktime_trouble(s->partition);
	records_health(s->records, &h);
	w->believed = records_believe(&h, &w->trouble, w->why, sizeof w->why);
	w->clean = w->believed || is_clean(s, h, w->trouble);
	s->health = h;
	s->trouble = w->trouble;
	w->cpu = s->cpu;
	w->n_cpus = s->variant == TASKTIME_SOURCE_RECORDS ? records_cpus(s->records) : 0;
}

void
tasktime_source_window(struct tasktime_source *s, bool last, struct tasktime_source_window *w)
{
	*w = (struct tasktime_source_window){
		.from_ns = s->from_ns, .believed = true, .clean = true, .books_of_ended = s->task_ends != NULL};
	w->to_ns = s->to_ns = clock_ns();
	if (s->records)
		close_records(s, last, w);
	else
		tasktime_source_each_thread(s, make_coarse_row);
	if (s->handed_out) /* nothing came since the last window */
		s->n = s->n_rest = 0;
	read_steal(s, w);
	add_accounts(s);
	s->from_ns = w->to_ns;
	w->row = s->row;
	w->n = s->n;
	w->rest = s->rest;
	w->n_rest = s->n_rest;
	s->handed_out = true;
}

void
tasktime_source_figures(struct tasktime_source *s, struct tasktime_source_figures *f)
{
	struct records_health h = {0};

	if (s->records)
		records_health(s->records, &h);
	*f = (struct tasktime_source_figures){h.records, h.lost, h.missing_wakeups, h.missing_faults, h.toggles,
		h.waiting, h.ring_kb, h.cpus, h.offline, h.new_cpus};
}
