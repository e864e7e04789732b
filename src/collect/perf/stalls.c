#include "collect/stalls.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/perf/child.h"
#include "collect/perf/processes.h"
#include "collect/perf/records.h"
#include "collect/perf/schedstat.h"
#include "collect/perf/taskstats.h"
#include "collect/perf/world.h"
#include "collect/source.h"

#define MOST_ENDED 4096

struct stalls {
	struct stalls_spec spec;
	pid_t *pid;
	struct perf_world world;
	enum stalls_variant variant;
	char note[512];
	struct child *child;
	struct child_end end;
	bool ended;
	struct records *records;
	struct stall_partition *partition;
	struct task_ends *task_ends;
	struct sched_book *books, *ends; /* by tid: what was read last; what the ended have had */
	struct stalls_row *row;
	size_t n, cap, n_ended;
	struct stall_row rest;
	size_t n_rest;
	struct stall_cpu_row *cpu;
	uint64_t from_ns, steal_ns;
	bool steal_known, handed_out;
	int epoll;
};

/* --- opening ------------------------------------------------------------------------------------------------------------------------------ */

static bool
open_records(struct stalls *s, struct source_status *why)
{
	struct records_spec r = {.ring_kb = s->spec.ring_kb, .no_faults = s->spec.no_faults,
				 .causes = s->spec.never_causes ? RECORDS_CAUSES_NEVER : RECORDS_CAUSES_ADAPT};

	if (s->variant == STALLS_SWITCHES)
		r.task = child_pid(s->child);
	s->records = records_open(&r, &s->world, why);
	return s->records != NULL;
}

static void
add_note(struct stalls *s, const char *text)
{
	size_t n = strlen(s->note);

	if (*text)
		snprintf(s->note + n, sizeof s->note - n, "%s%s", n ? "; " : "", text);
}

/* The best variant that this machine gives. */
static bool
choose_variant(struct stalls *s, struct err *e)
{
	const enum stalls_variant order[] = {STALLS_RECORDS, STALLS_SWITCHES, STALLS_COUNTERS};
	struct records_health h;

	for (size_t i = 0; i < 3; i++) {
		struct source_status why = {0};

		s->variant = order[i];
		if (s->spec.variant_given && s->spec.variant != s->variant)
			continue;
		if (s->variant == STALLS_COUNTERS)
			return true;
		if (s->variant == STALLS_SWITCHES && !s->child)
			snprintf(why.why, sizeof why.why, "without privilege, switches are recorded of a command only");
		else if (open_records(s, &why)) {
			records_health(s->records, &h);
			add_note(s, h.note);
			return true;
		}
		if (s->spec.variant_given) {
			err_set(e, "%s", why.why);
			return *why.remedy ? err_hint(e, "%s", why.remedy) : false;
		}
		add_note(s, why.why);
	}
	return false;
}

static bool
check_processes(const struct stalls *s, struct err *e)
{
	for (size_t i = 0; i < s->spec.n_pids; i++) {
		pid_t *tid = NULL;
		size_t n = process_threads(s->pid[i], &tid);

		free(tid);
		if (n == 0)
			return err_set(e, "there is no process %d", (int)s->pid[i]);
	}
	return true;
}

static bool
open_child(struct stalls *s, struct err *e)
{
	struct source_spec spec = {.argv = s->spec.argv, .out_fd = s->spec.out_fd, .err_fd = s->spec.err_fd, .no_input = s->spec.no_input,
				   .own_group = s->spec.own_group};

	if (!s->spec.argv)
		return true;
	s->child = child_new(&spec, e);
	return s->child != NULL;
}

static void
watch_fds(struct stalls *s)
{
	struct epoll_event ready = {.events = EPOLLIN};

	if (s->records)
		epoll_ctl(s->epoll, EPOLL_CTL_ADD, records_wait_fd(s->records), &ready);
	if (s->child)
		epoll_ctl(s->epoll, EPOLL_CTL_ADD, child_wait_fd(s->child), &ready);
}

struct stalls *
stalls_open(const struct stalls_spec *spec, struct err *e)
{
	struct stalls *s = mem_new(sizeof *s);

	s->spec = *spec;
	s->epoll = epoll_create1(EPOLL_CLOEXEC);
	s->books = sched_book_new();
	s->ends = sched_book_new();
	s->pid = mem_copy(spec->pid, spec->n_pids * sizeof *s->pid);
	perf_world_look(&s->world);
	if (s->epoll < 0) {
		err_set(e, "epoll: %s", strerror(errno));
	} else if (check_processes(s, e) && open_child(s, e) && choose_variant(s, e)) {
		struct err no_ends;

		if (!spec->no_scheduler)
			s->task_ends = task_ends_new((size_t)sysconf(_SC_NPROCESSORS_CONF), &no_ends);
		if (!spec->no_scheduler && !s->task_ends)
			add_note(s, no_ends.what);
		watch_fds(s);
		return s;
	}
	stalls_free(s);
	return NULL;
}

void
stalls_free(struct stalls *s)
{
	if (!s)
		return;
	child_free(s->child);
	records_free(s->records);
	stall_partition_free(s->partition);
	task_ends_free(s->task_ends);
	sched_book_free(s->books);
	sched_book_free(s->ends);
	if (s->epoll >= 0)
		close(s->epoll);
	free(s->row);
	free(s->cpu);
	free(s->pid);
	free(s);
}

enum stalls_variant
stalls_variant(const struct stalls *s)
{
	return s->variant;
}

const char *
stalls_note(const struct stalls *s)
{
	return s->note;
}

/* --- the start ---------------------------------------------------------------------------------------------------------------------------- */

static void
take_row(void *to, const struct stall_row *r)
{
	struct stalls *s = to;

	if (s->handed_out) {
		s->handed_out = false;
		s->n = s->n_ended = s->n_rest = 0;
		s->rest = (struct stall_row){0};
	}
	if (r->ended && s->n_ended >= MOST_ENDED) {
		stall_row_add(&s->rest, r);
		s->n_rest++;
		return;
	}
	s->n_ended += r->ended;
	mem_grow(&s->row, &s->cap, s->n + 1, sizeof *s->row);
	s->row[s->n++] = (struct stalls_row){.row = *r, .io_ns = UINT64_MAX};
}

static void
take_event(void *to, const struct stall_event *e)
{
	stall_take(to, e);
}

static void
remember(struct stalls *s, pid_t pid, pid_t tid)
{
	struct sched_times t;

	if (!s->spec.no_scheduler && schedstat_read(pid, tid, &t))
		*sched_book_put(s->books, tid) = t;
}

/* A thread that is there. Its state was read before the time of the event: whatever happened to it since has a record with an earlier time, and is then known. */
static void
find_thread(struct stalls *s, pid_t pid, pid_t tid)
{
	struct stall_event e = {.kind = STALL_FOUND, .tid = tid, .pid = pid, .cpu = UINT16_MAX};
	char state;

	stall_watch(s->partition, tid, pid);
	remember(s, pid, tid);
	if (!schedstat_state(pid, tid, &state, e.name))
		return;
	switch (state) {
	case 'S':
	case 'I':
	case 'P':
		e.state = STALL_INTERRUPTIBLE;
		break;
	case 'D':
		e.state = STALL_UNINTERRUPTIBLE;
		break;
	case 'T':
	case 't':
		e.state = STALL_HALTED;
		break;
	case 'R':
		e.state = STALL_RUNNABLE;
		break;
	default:
		return; /* it is ending */
	}
	e.ns = clock_ns();
	records_add(s->records, &e);
}

static void
find_threads(struct stalls *s, pid_t pid)
{
	pid_t *tid = NULL;
	size_t n = process_threads(pid, &tid);

	for (size_t i = 0; i < n; i++)
		find_thread(s, pid, tid[i]);
	free(tid);
}

static void
find_tasks(struct stalls *s)
{
	struct process *all = NULL;
	size_t n;

	if (s->spec.n_pids) {
		for (size_t i = 0; i < s->spec.n_pids; i++)
			find_threads(s, s->pid[i]);
		return;
	}
	n = processes_list(&all);
	for (size_t i = 0; i < n; i++)
		find_threads(s, all[i].pid);
	free(all);
}

static enum stall_follow
follows(const struct stalls *s)
{
	if (!s->child && s->spec.n_pids == 0)
		return STALL_FOLLOW_ALL;
	return s->spec.only_threads ? STALL_FOLLOW_PROCESS : STALL_FOLLOW_TREE;
}

/* Base readings of threads without records. */
static void
note_threads(struct stalls *s)
{
	pid_t *tid = NULL;
	size_t n;

	for (size_t i = 0; i < s->spec.n_pids; i++) {
		n = process_threads(s->pid[i], &tid);
		for (size_t j = 0; j < n; j++)
			remember(s, s->pid[i], tid[j]);
		free(tid);
		tid = NULL;
	}
	if (s->child)
		remember(s, child_pid(s->child), child_pid(s->child));
}

bool
stalls_start(struct stalls *s, struct err *e)
{
	struct stall_options o = {.follow = follows(s), .from_exec = s->child != NULL, .ends_at_exit = s->variant == STALLS_SWITCHES, .row = take_row, .to = s};
	uint64_t at;

	s->from_ns = clock_ns();
	s->steal_known = schedstat_steal(&s->steal_ns);
	if (s->records) {
		records_start(s->records, &s->from_ns);
		s->partition = stall_partition_new(&o, s->variant == STALLS_RECORDS ? records_cpus(s->records) : 0, s->from_ns);
		s->cpu = mem_new_array(records_cpus(s->records), sizeof *s->cpu);
		if (s->child) {
			stall_watch(s->partition, child_pid(s->child), child_pid(s->child));
			remember(s, child_pid(s->child), child_pid(s->child));
		} else {
			find_tasks(s);
		}
	} else {
		note_threads(s);
	}
	return !s->child || child_start(s->child, &at, e);
}

/* --- while it goes ------------------------------------------------------------------------------------------------------------------------ */

int
stalls_wait_fd(const struct stalls *s)
{
	return s->epoll;
}

static void
take_ends(struct stalls *s)
{
	struct sched_times t;
	pid_t tid;

	while (s->task_ends && task_ends_next(s->task_ends, &tid, &t))
		if (sched_book_get(s->ends, tid) || sched_book_size(s->ends) < 4 * MOST_ENDED)
			*sched_book_put(s->ends, tid) = t;
}

void
stalls_pump(struct stalls *s)
{
	if (s->records)
		records_drain(s->records, take_event, s->partition);
	take_ends(s);
}

bool
stalls_ended(struct stalls *s, int *status)
{
	if (s->child) {
		if (!s->ended && child_poll(s->child, &s->end)) {
			s->ended = true;
			epoll_ctl(s->epoll, EPOLL_CTL_DEL, child_wait_fd(s->child), NULL);
		}
		*status = s->end.status;
		return s->ended;
	}
	*status = 0;
	for (size_t i = 0; i < s->spec.n_pids; i++) {
		char state, name[16];

		if (schedstat_state(s->pid[i], s->pid[i], &state, name) && state != 'Z' && state != 'X')
			return false;
	}
	return s->spec.n_pids > 0;
}

/* What the scheduler booked for a task since the last time. */
static bool
books_of(struct stalls *s, const struct stall_row *r, struct sched_times *d)
{
	struct sched_times now, *last = sched_book_get(s->books, r->tid), *end = r->ended ? sched_book_get(s->ends, r->tid) : NULL, none = {0};

	if (!last && !r->born)
		return false;
	if (!r->ended && last && r->in == 0 && r->ns[STALL_ON_CPU] + r->ns[STALL_FAULT_CPU] + r->ns[STALL_UNKNOWN] == 0 && s->records) {
		*d = (struct sched_times){.io_ns = UINT64_MAX}; /* it did not run */
		if (r->ns[STALL_WOKEN] + r->ns[STALL_PREEMPTED] == 0)
			return true;
	}
	if (end)
		now = *end;
	else if (!schedstat_read(r->pid, r->tid, &now)) {
		sched_book_drop(s->books, r->tid); /* the next reading would be of two windows */
		return false;
	}
	if (!last)
		last = &none;
	if (now.run_ns < last->run_ns || now.wait_ns < last->wait_ns)
		return false; /* of another task with the same number */
	*d = (struct sched_times){.run_ns = now.run_ns - last->run_ns, .wait_ns = now.wait_ns - last->wait_ns, .slices = now.slices - last->slices,
				  .io_ns = r->ended ? now.io_ns : UINT64_MAX};
	now.owed_ns = last->owed_ns;
	if (!r->ended)
		*sched_book_put(s->books, r->tid) = now;
	return true;
}

/* The cost of switches in this window. A live task's books are behind by up to a tick, in one window more and in the next less; what one has too little is
 * kept for the next, so that these tears do not add up. */
static void
find_cost(struct stalls *s, struct stalls_row *r)
{
	struct sched_times *book = sched_book_get(s->books, r->row.tid);
	uint64_t ran = r->row.ns[STALL_ON_CPU] + r->row.ns[STALL_FAULT_CPU];
	int64_t owed = (int64_t)r->run_ns - (int64_t)ran + (book ? book->owed_ns : 0), run = (int64_t)ran + owed;

	stall_cost(&r->row, run > 0 ? (uint64_t)run : 0, r->wait_ns, &r->costed);
	if (book)
		book->owed_ns = owed < 0 ? owed : (int64_t)r->costed.unplaced_ns;
}

static void
look_into_books(struct stalls *s)
{
	take_ends(s);
	for (size_t i = 0; i < s->n; i++) {
		struct stalls_row *r = &s->row[i];
		struct sched_times d;

		if (!s->spec.no_scheduler && books_of(s, &r->row, &d)) {
			r->books = true;
			r->run_ns = d.run_ns;
			r->wait_ns = d.wait_ns;
			r->slices = d.slices;
			r->io_ns = d.io_ns;
			stall_coarse(r->row.to_ns - r->row.from_ns, r->run_ns, r->wait_ns, r->io_ns, &r->coarse);
			if (s->records)
				find_cost(s, r);
		}
		if (r->row.ended) {
			sched_book_drop(s->books, r->row.tid);
			sched_book_drop(s->ends, r->row.tid);
		}
	}
	/* Ends of tasks that are not followed. A row that comes a window later than its end has only a zombie's books. */
	if (sched_book_size(s->ends) > MOST_ENDED) {
		sched_book_free(s->ends);
		s->ends = sched_book_new();
	}
}

/* Rows of threads without records: those that were there at the last window. */
static void
make_coarse_rows(struct stalls *s, uint64_t now)
{
	pid_t child = s->child ? child_pid(s->child) : 0, *tid = NULL;
	size_t n_pids = s->child ? 1 : s->spec.n_pids;

	for (size_t i = 0; i < n_pids; i++) {
		pid_t pid = s->child ? child : s->pid[i];
		size_t n = process_threads(pid, &tid);

		for (size_t j = 0; j < n; j++) {
			struct stall_row r = {.tid = tid[j], .pid = pid, .from_ns = s->from_ns, .to_ns = now};
			char state;

			if (!sched_book_get(s->books, tid[j]))
				remember(s, pid, tid[j]); /* it counts from now on */
			else if (schedstat_state(pid, tid[j], &state, r.name))
				take_row(s, &r);
		}
		free(tid);
		tid = NULL;
	}
}

static void
look_at_steal(struct stalls *s, struct stalls_window *w)
{
	uint64_t steal;

	w->steal_known = s->steal_known && schedstat_steal(&steal);
	if (w->steal_known) {
		w->steal_ns = steal > s->steal_ns ? steal - s->steal_ns : 0;
		s->steal_ns = steal;
	}
}

static void
close_records(struct stalls *s, bool last, struct stalls_window *w)
{
	struct records_health h;

	if (last) {
		/* Whoever waited for the end of a task has heard of it before that was put off its CPU for the last time. */
		records_settle(s->records, take_event, s->partition);
		records_stop(s->records);
	}
	w->to_ns = records_settle(s->records, take_event, s->partition);
	stall_close(s->partition, w->to_ns, s->cpu);
	w->trouble = *stall_trouble(s->partition);
	records_health(s->records, &h);
	w->believed = records_believe(&h, &w->trouble, w->why, sizeof w->why);
	w->cpu = s->cpu;
	w->n_cpus = s->variant == STALLS_RECORDS ? records_cpus(s->records) : 0;
}

void
stalls_window(struct stalls *s, bool last, struct stalls_window *w)
{
	*w = (struct stalls_window){.from_ns = s->from_ns, .believed = true, .books_of_ended = s->task_ends != NULL};
	w->to_ns = clock_ns();
	if (s->records)
		close_records(s, last, w);
	else
		make_coarse_rows(s, w->to_ns);
	if (s->handed_out) /* nothing came since the last window */
		s->n = s->n_rest = 0;
	look_at_steal(s, w);
	look_into_books(s);
	s->from_ns = w->to_ns;
	w->row = s->row;
	w->n = s->n;
	w->rest = s->rest;
	w->n_rest = s->n_rest;
	s->handed_out = true;
}

void
stalls_figures(struct stalls *s, struct stalls_figures *f)
{
	struct records_health h = {0};

	if (s->records)
		records_health(s->records, &h);
	*f = (struct stalls_figures){h.records, h.lost, h.missing_wakeups, h.missing_faults, h.toggles, h.waiting, h.ring_kb, h.cpus, h.offline, h.new_cpus};
}
