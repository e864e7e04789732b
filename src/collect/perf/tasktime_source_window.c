/* Windows of tasks' time: rows from the partition, or from the scheduler's counters alone, with the scheduler's
 * accounts added. */
#include "collect/perf/tasktime_source_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "collect/process/processes.h"

#define STAT_TICK_NS 10000000 /* creation times and delays are in ticks, rounded down */

/* --- rows -------------------------------------------------------------------------------------------------------- */

void
tasktime_source_take_row(void *to, const struct tasktime_row *row)
{
	struct tasktime_source *source = to;

	if (source->handed_out) {
		source->handed_out = false;
		source->n = source->n_ended = source->n_rest = 0;
		source->rest = (struct tasktime_row){0};
	}
	if (row->ended && source->n_ended >= TASKTIME_SOURCE_MOST_ENDED) {
		tasktime_row_add(&source->rest, row);
		source->n_rest++;
		return;
	}
	source->n_ended += row->ended;
	mem_grow(&source->row, &source->cap, source->n + 1, sizeof *source->row);
	source->row[source->n++] = (struct tasktime_source_row){.row = *row, .io_ns = UINT64_MAX};
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

	if (s->spec.no_scheduler || !sched_accounts_read(s->books, pid, tid, &t))
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
account_of(struct tasktime_source *source, const struct tasktime_source_row *row, struct sched_times *times)
{
	const struct tasktime_row *tasktime_row = &row->row;
	struct sched_times now, *last = sched_accounts_get(source->books, tasktime_row->tid),
				*end = sched_accounts_get(
					tasktime_row->ended ? source->ends : source->early, tasktime_row->tid),
				none = {0};

	if (!last && !tasktime_row->born)
		return false;
	if (!tasktime_row->ended && last && tasktime_row->in == 0 &&
		tasktime_row->ns[TASKTIME_ON_CPU] + tasktime_row->ns[TASKTIME_FAULT_CPU] +
				tasktime_row->ns[TASKTIME_UNKNOWN] ==
			0 &&
		source->records) {
		*times = (struct sched_times){.io_ns = UINT64_MAX}; /* the task did not run */
		if (tasktime_row->ns[TASKTIME_WOKEN] + tasktime_row->ns[TASKTIME_PREEMPTED] == 0)
			return true;
	}
	if (end)
		now = *end;
	else if (!sched_accounts_read(source->books, tasktime_row->pid, tasktime_row->tid, &now)) {
		sched_accounts_drop(
			source->books, tasktime_row->tid); /* otherwise the next reading would be of two windows */
		return false;
	}
	if (!last)
		last = &none;
	if (!source->records)
		now.io_ns = row->io_ns; /* also since the task's creation */
	if (now.run_ns < last->run_ns || now.wait_ns < last->wait_ns)
		return false; /* another task with the same number */
	*times = (struct sched_times){.run_ns = now.run_ns - last->run_ns, .wait_ns = now.wait_ns - last->wait_ns,
		.slices = now.slices - last->slices, .io_ns = tasktime_row->ended ? now.io_ns : UINT64_MAX};
	if (!source->records && now.io_ns != UINT64_MAX && now.io_ns >= last->io_ns)
		times->io_ns = now.io_ns - last->io_ns;
	now.owed_ns = last->owed_ns;
	now.owed_wait_ns = last->owed_wait_ns;
	now.pending_ns = last->pending_ns;
	if (!tasktime_row->ended)
		*sched_accounts_put(source->books, tasktime_row->tid) = now;
	return true;
}

static uint64_t
without(uint64_t ns, uint64_t less)
{
	return ns > less ? ns - less : 0;
}

/* Computes the cost of switches in this window. The scheduler counts a running task's time at its ticks, so up to one
 * of them may be missing, and it counts a wait only when it is over. The differences are carried over to the next
 * window, so that the errors do not add up. If a task has ended, its last report lacks the time since the last tick. It
 * is added here, as long as the records say, and no longer than the task's last turn on a CPU. */
static void
find_cost(struct tasktime_source *s, struct tasktime_source_row *r)
{
	struct sched_times *book = sched_accounts_get(s->books, r->row.tid);
	int64_t ran = (int64_t)(r->row.ns[TASKTIME_ON_CPU] + r->row.ns[TASKTIME_FAULT_CPU]),
		owed = (int64_t)r->run_ns - ran + (book ? book->owed_ns : 0),
		lag,
		waited = (int64_t)(r->row.ns[TASKTIME_WOKEN] + r->row.ns[TASKTIME_PREEMPTED]),
		wait = (int64_t)r->wait_ns + (int64_t)r->row.pending_ns +
		(book ? book->owed_wait_ns - (int64_t)book->pending_ns : 0);

	/* the scheduler's wait of the time before execve(2) has no record */
	if (r->row.before_unsure && wait > waited) {
		r->wait_ns = without(r->wait_ns, (uint64_t)(wait - waited));
		wait = waited;
	}
	lag = (int64_t)tasktime_lag(&r->row, ran + owed, wait, STAT_TICK_NS);
	owed += lag;
	if (r->row.ended)
		r->run_ns += (uint64_t)lag;
	tasktime_cost(&r->row, ran + owed > 0 ? (uint64_t)(ran + owed) : 0, wait > 0 ? (uint64_t)wait : 0, &r->costed);
	if (!book)
		return;
	book->owed_ns = lag ? -lag : (int64_t)r->costed.unplaced_ns;
	book->owed_wait_ns = wait < 0 ? wait : (int64_t)r->costed.unwaited_ns;
	book->pending_ns = r->row.pending_ns;
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
add_accounts(struct tasktime_source *source)
{
	tasktime_source_take_ends(source);
	for (size_t i = 0; i < source->n; i++) {
		struct tasktime_source_row *row = &source->row[i];
		struct sched_times d;

		if (!source->spec.no_scheduler && account_of(source, row, &d)) {
			row->books = true;
			row->run_ns = without(d.run_ns, row->row.before_run_ns);
			row->wait_ns = without(d.wait_ns, row->row.before_wait_ns);
			row->slices = d.slices;
			row->io_ns = d.io_ns;
			if (!source->records)
				fit_delay(source, row);
			else
				find_cost(source, row);
			tasktime_coarse(
				row->row.to_ns - row->row.from_ns, row->run_ns, row->wait_ns, row->io_ns, &row->coarse);
		}
		sched_accounts_drop(source->early, row->row.tid);
		if (row->row.ended) {
			sched_accounts_drop(source->books, row->row.tid);
			sched_accounts_drop(source->ends, row->row.tid);
		}
	}
	/* The ends may be of tasks that are not followed. A row that comes one window after the end has only a zombie's
	 * accounts.
	 */
	if (sched_accounts_size(source->ends) > TASKTIME_SOURCE_MOST_ENDED) {
		sched_accounts_free(source->ends);
		source->ends = sched_accounts_new();
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
tasktime_source_each_thread(
	struct tasktime_source *source, void (*each)(struct tasktime_source *, pid_t pid, pid_t tid))
{
	struct process *all = NULL;
	pid_t *root = mem_new_array(source->spec.n_pids + 1, sizeof *root);
	size_t n_roots = 0, n;

	if (source->child)
		root[n_roots++] = child_pid(source->child);
	for (size_t i = 0; i < source->spec.n_pids && !source->spec.only_threads; i++)
		if (!source->held[i])
			root[n_roots++] = source->pid[i];
	n = n_roots ? processes_family(root, n_roots, true, &all) : processes_list(&all);
	for (size_t i = 0; i < n; i++) {
		pid_t *tid = NULL;
		size_t threads = !all[i].dead && (all[i].ours || is_watched(source, all[i].pid))
			? process_threads(all[i].pid, &tid) : 0;

		for (size_t j = 0; j < threads; j++)
			each(source, all[i].pid, tid[j]);
		free(tid);
	}
	free(root);
	free(all);
}

/* Makes a row for each task that was in the last window or was created since. Other tasks were overlooked, and are
 * followed from now on. */
static void
make_coarse_row(struct tasktime_source *source, pid_t pid, pid_t tid)
{
	struct tasktime_row r = {.tid = tid, .pid = pid, .from_ns = source->from_ns, .to_ns = source->to_ns};
	struct sched_stat look;

	if (!schedstat_read_stat(pid, tid, &look))
		return;
	r.born = !sched_accounts_get(source->books, tid);
	if (r.born && look.start_ns + STAT_TICK_NS < source->from_ns) {
		tasktime_source_remember(source, pid, tid);
		return;
	}
	if (r.born && look.start_ns > r.from_ns)
		r.from_ns = look.start_ns < source->to_ns ? look.start_ns : source->to_ns;
	memcpy(r.name, look.name, sizeof r.name);
	tasktime_source_take_row(source, &r);
	source->row[source->n - 1].io_ns = source->delays ? look.delay_ns : UINT64_MAX;
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
is_clean(const struct tasktime_source *source, struct records_health h, struct tasktime_trouble t)
{
	char why[256];

	h.lost -= source->health.lost;
	h.throttled -= source->health.throttled;
	h.foreign -= source->health.foreign;
	h.stateless -= source->health.stateless;
	h.faults_seen -= source->health.faults_seen;
	t.broken -= source->trouble.broken;
	t.late -= source->trouble.late;
	t.unpaired -= source->trouble.unpaired;
	return records_believe(&h, &t, why, sizeof why);
}

static void
read_early(void *source, int32_t tid, int32_t pid)
{
	struct tasktime_source *s = source;
	struct sched_times t;

	if (sched_accounts_read(s->books, pid, tid, &t))
		*sched_accounts_put(s->early, tid) = t;
}

/* Reads the accounts of the tasks that may run until the window is closed, for which hecate has to wait: the readings
 * are then of the window's end, as its records are. */
static void
read_accounts_early(struct tasktime_source *s)
{
	sched_accounts_free(s->early);
	s->early = sched_accounts_new();
	if (!s->spec.no_scheduler)
		tasktime_each_active(s->partition, read_early, s);
}

void
tasktime_source_window_begin(struct tasktime_source *s)
{
	if (s->records)
		read_accounts_early(s);
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
close_records(struct tasktime_source *source, bool last, struct tasktime_source_window *window)
{
	struct records_health h;
	bool begun = source->closing && !last;

	source->closing = false;

	if (!begun && !last)
		read_accounts_early(source);
	if (last) {
		sched_accounts_free(source->early);
		source->early = sched_accounts_new();
		/* A task that waits for another's end may run before that other task is switched out for the last time.
		 */
		records_settle(source->records, tasktime_source_take_event, source->partition);
		records_stop(source->records);
	}
	window->to_ns = (begun ? records_settled : records_settle)(
		source->records, tasktime_source_take_event, source->partition);
	tasktime_close(source->partition, window->to_ns, source->cpu);
	window->trouble = *tasktime_trouble(source->partition);
	records_health(source->records, &h);
	window->believed = records_believe(&h, &window->trouble, window->why, sizeof window->why);
	window->clean = window->believed || is_clean(source, h, window->trouble);
	source->health = h;
	source->trouble = window->trouble;
	window->cpu = source->cpu;
	window->n_cpus = source->variant == TASKTIME_SOURCE_RECORDS ? records_cpus(source->records) : 0;
}

void
tasktime_source_window(struct tasktime_source *source, bool last, struct tasktime_source_window *window)
{
	*window = (struct tasktime_source_window){.from_ns = source->from_ns,
		.believed = true,
		.clean = true,
		.books_of_ended = source->task_ends != NULL};
	window->to_ns = source->to_ns = clock_ns();
	if (source->records)
		close_records(source, last, window);
	else
		tasktime_source_each_thread(source, make_coarse_row);
	if (source->handed_out) /* nothing came since the last window */
		source->n = source->n_rest = 0;
	read_steal(source, window);
	add_accounts(source);
	source->from_ns = window->to_ns;
	window->row = source->row;
	window->n = source->n;
	window->rest = source->rest;
	window->n_rest = source->n_rest;
	source->handed_out = true;
}

void
tasktime_source_sum(struct tasktime_source *source, bool settle, struct tasktime_row *sum)
{
	*sum = (struct tasktime_row){0};
	if (!source->records)
		return;
	if (settle)
		records_settle(source->records, tasktime_source_take_event, source->partition);
	else
		records_drain(source->records, tasktime_source_take_event, source->partition);
	for (size_t i = 0; i < source->n && !source->handed_out; i++)
		if (!source->row[i].row.kernel)
			tasktime_row_add(sum, &source->row[i].row);
	if (source->n_rest && !source->handed_out)
		tasktime_row_add(sum, &source->rest);
	tasktime_sum_open(source->partition, sum);
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
