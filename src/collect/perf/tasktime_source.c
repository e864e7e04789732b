#include "collect/tasktime_source.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/perf/tasktime_source_state.h"
#include "collect/process/processes.h"
#include "collect/source.h"

#define HELD_MS 200

/* --- opening ----------------------------------------------------------------------------------------------------- */

static bool
open_records(struct tasktime_source *s, struct source_status *why)
{
	struct records_spec r = {.ring_kb = s->spec.ring_kb, .no_faults = s->spec.no_faults,
		.like = s->spec.like ? s->spec.like->records : NULL,
		.causes = s->spec.never_causes ? RECORDS_CAUSES_NEVER : RECORDS_CAUSES_ADAPT};

	if (s->variant == TASKTIME_SOURCE_SWITCHES)
		r.task = s->child ? child_pid(s->child) : s->pid[0];
	s->records = records_open(&r, &s->world, why);
	return s->records != NULL;
}

static void
add_note(struct tasktime_source *s, const char *text)
{
	size_t n = strlen(s->note);

	if (*text)
		snprintf(s->note + n, sizeof s->note - n, "%s%s", n ? "; " : "", text);
}

/* Returns true when there is one command: this source's own, or a held one. */
static bool
is_one_command(const struct tasktime_source *s)
{
	return s->child || (s->spec.from_exec && s->spec.n_pids == 1);
}

/* Opens the best variant that this machine gives. */
static bool
choose_variant(struct tasktime_source *source, struct err *e)
{
	const enum tasktime_source_variant order[] = {
		TASKTIME_SOURCE_RECORDS, TASKTIME_SOURCE_SWITCHES, TASKTIME_SOURCE_COUNTERS
	};
	struct records_health h;

	for (size_t i = 0; i < 3; i++) {
		struct source_status why = {0};

		source->variant = order[i];
		if (source->spec.variant_given && source->spec.variant != source->variant)
			continue;
		if (source->variant == TASKTIME_SOURCE_COUNTERS)
			return true;
		if (source->variant == TASKTIME_SOURCE_SWITCHES && !is_one_command(source))
			snprintf(why.why, sizeof why.why, "without privilege, switches are recorded of %s only",
				source->spec.from_exec ? "one command" : "a command");
		else if (open_records(source, &why)) {
			records_health(source->records, &h);
			add_note(source, h.note);
			return true;
		}
		if (source->spec.variant_given) {
			err_set(e, "%s", why.why);
			return *why.remedy ? err_hint(e, "%s", why.remedy) : false;
		}
		add_note(source, why.why);
	}
	return false;
}

/* Notes which parts of a sleep are unknown without records. */
static void
check_delays(struct tasktime_source *s)
{
	s->delays = !s->records && !s->spec.no_scheduler && schedstat_delays();
	if (!s->records && !s->spec.no_scheduler && !s->delays)
		add_note(s, "waits for I/O are not separated: the kernel does not account for delays (sudo sysctl "
			"kernel.task_delayacct=1)");
}

static bool
check_processes(const struct tasktime_source *s, struct err *e)
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
open_child(struct tasktime_source *s, struct err *e)
{
	struct source_spec spec = {.argv = s->spec.argv, .out_fd = s->spec.out_fd, .err_fd = s->spec.err_fd,
		.no_input = s->spec.no_input, .own_group = s->spec.own_group, .runs_on = s->spec.runs_on,
		.setup = s->spec.setup};

	if (!s->spec.argv)
		return true;
	s->child = child_new(&spec, e);
	return s->child != NULL;
}

static void
watch_fds(struct tasktime_source *s)
{
	struct epoll_event ready = {.events = EPOLLIN};

	if (s->records)
		epoll_ctl(s->epoll, EPOLL_CTL_ADD, records_wait_fd(s->records), &ready);
	if (s->child)
		epoll_ctl(s->epoll, EPOLL_CTL_ADD, child_wait_fd(s->child), &ready);
}

struct tasktime_source *
tasktime_source_open(const struct tasktime_source_spec *spec, struct err *e)
{
	struct tasktime_source *source = mem_new(sizeof *source);

	source->spec = *spec;
	source->epoll = epoll_create1(EPOLL_CLOEXEC);
	source->books = sched_accounts_new();
	source->early = sched_accounts_new();
	source->ends = sched_accounts_new();
	source->pid = mem_copy(spec->pid, spec->n_pids * sizeof *source->pid);
	source->held = mem_new_array(spec->n_pids, sizeof *source->held);
	for (size_t i = 0; i < spec->n_pids; i++)
		source->held[i] = spec->held;
	perf_world_probe(&source->world);
	if (source->epoll < 0) {
		err_set(e, "epoll: %s", strerror(errno));
	} else if (check_processes(source, e) && open_child(source, e) && choose_variant(source, e)) {
		struct err no_ends;

		if (!spec->no_scheduler)
			source->task_ends = task_ends_new((size_t)sysconf(_SC_NPROCESSORS_CONF), &no_ends);
		if (!spec->no_scheduler && !source->task_ends)
			add_note(source, no_ends.what);
		check_delays(source);
		watch_fds(source);
		return source;
	}
	tasktime_source_free(source);
	return NULL;
}

void
tasktime_source_free(struct tasktime_source *source)
{
	if (!source)
		return;
	child_free(source->child);
	records_free(source->records);
	tasktime_partition_free(source->partition);
	task_ends_free(source->task_ends);
	sched_accounts_free(source->books);
	sched_accounts_free(source->early);
	sched_accounts_free(source->ends);
	if (source->epoll >= 0)
		close(source->epoll);
	free(source->row);
	free(source->cpu);
	free(source->pid);
	free(source->held);
	free(source);
}

enum tasktime_source_variant
tasktime_source_variant(const struct tasktime_source *s)
{
	return s->variant;
}

const char *
tasktime_source_note(const struct tasktime_source *s)
{
	return s->note;
}

struct tasktime_coverage
tasktime_source_coverage(const struct tasktime_source *source)
{
	struct tasktime_coverage t = {.classes = source->records != NULL, .books = !source->spec.no_scheduler};
	struct records_health h = {0};

	if (source->records)
		records_health(source->records, &h);
	t.faults = h.faults;
	t.states = h.states;
	t.causes = h.causes;
	t.wakeups = h.wakeups;
	t.io = source->delays;
	return t;
}

/* --- the start --------------------------------------------------------------------------------------------------- */

/* Adds an existing thread. Its state was read before the event's time, so anything that happened since has a record
 * with an earlier time. */
static void
find_thread(struct tasktime_source *source, pid_t pid, pid_t tid)
{
	struct tasktime_event e = {.kind = TASKTIME_FOUND, .tid = tid, .pid = pid, .cpu = UINT16_MAX};
	struct sched_stat look;

	tasktime_watch(source->partition, tid, pid);
	tasktime_source_remember(source, pid, tid);
	if (!schedstat_read_stat(pid, tid, &look))
		return;
	memcpy(e.name, look.name, sizeof e.name);
	e.kernel = look.kernel;
	switch (look.state) {
	case 'S':
	case 'I':
	case 'P':
		e.state = TASKTIME_INTERRUPTIBLE;
		break;
	case 'D':
		e.state = TASKTIME_UNINTERRUPTIBLE;
		break;
	case 'T':
	case 't':
		e.state = TASKTIME_HALTED;
		break;
	case 'R':
		e.state = TASKTIME_RUNNABLE;
		break;
	default:
		return; /* the thread is ending */
	}
	e.ns = clock_ns();
	records_add(source->records, &e);
}

static void
find_threads(struct tasktime_source *s, pid_t pid)
{
	pid_t *tid = NULL;
	size_t n = process_threads(pid, &tid);

	for (size_t i = 0; i < n; i++)
		find_thread(s, pid, tid[i]);
	free(tid);
}

static void
find_tasks(struct tasktime_source *source)
{
	struct process *all = NULL;
	size_t n;

	if (source->spec.n_pids) {
		for (size_t i = 0; i < source->spec.n_pids; i++)
			find_threads(source, source->pid[i]);
		return;
	}
	n = processes_list(&all);
	for (size_t i = 0; i < n; i++)
		find_threads(source, all[i].pid);
	free(all);
}

static enum tasktime_follow
follows(const struct tasktime_source *s)
{
	if (!s->child && s->spec.n_pids == 0)
		return TASKTIME_FOLLOW_ALL;
	return s->spec.only_threads ? TASKTIME_FOLLOW_PROCESS : TASKTIME_FOLLOW_TREE;
}

static void
remember_thread(struct tasktime_source *s, pid_t pid, pid_t tid)
{
	tasktime_source_remember(s, pid, tid);
}

/* Waits until a forked process has got a CPU and sleeps before its execve(2), HELD_MS at most: a wait for a CPU that
 * began before the first reading of its accounts would be counted with those after it. */
static void
wait_until_held(pid_t pid)
{
	char state, name[16];

	for (int i = 0; i < HELD_MS && schedstat_state(pid, pid, &state, name) && state == 'R'; i++)
		poll(NULL, 0, 1);
}

/* Commands are followed from execve(2) on. */
static void
watch_command(struct tasktime_source *s, pid_t pid)
{
	wait_until_held(pid);
	find_thread(s, pid, pid);
}

bool
tasktime_source_start(struct tasktime_source *source, struct err *e)
{
	struct tasktime_options o = {.follow = follows(source),
		.from_exec = source->child || source->spec.from_exec,
		.ends_at_exit = source->variant == TASKTIME_SOURCE_SWITCHES,
		.row = tasktime_source_take_row,
		.to = source};
	uint64_t at;

	source->from_ns = clock_ns();
	source->steal_known = schedstat_steal(&source->steal_ns);
	if (source->records) {
		records_start(source->records, &source->from_ns);
		source->partition = tasktime_partition_new(&o,
			source->variant == TASKTIME_SOURCE_RECORDS ? records_cpus(source->records) : 0,
			source->from_ns);
		source->cpu = mem_new_array(records_cpus(source->records), sizeof *source->cpu);
		if (source->child)
			watch_command(source, child_pid(source->child));
		else if (!source->spec.from_exec)
			find_tasks(source);
		for (size_t i = 0; i < source->spec.n_pids && source->spec.from_exec; i++)
			watch_command(source, source->pid[i]);
	} else {
		tasktime_source_each_thread(source, remember_thread);
	}
	return !source->child || child_start(source->child, &at, e);
}

void
tasktime_source_begins(struct tasktime_source *s, pid_t pid)
{
	for (size_t i = 0; i < s->spec.n_pids; i++)
		if (s->pid[i] == pid) {
			s->held[i] = false;
			(s->records ? find_thread : tasktime_source_remember)(s, pid, pid);
		}
}

/* --- while it goes ----------------------------------------------------------------------------------------------- */

int
tasktime_source_wait_fd(const struct tasktime_source *s)
{
	return s->epoll;
}

void
tasktime_source_pump(struct tasktime_source *s)
{
	if (s->records)
		records_drain(s->records, tasktime_source_take_event, s->partition);
	tasktime_source_take_ends(s);
}

bool
tasktime_source_sparse(const struct tasktime_source *s)
{
	return s->records && records_sparse(s->records);
}

void
tasktime_source_stop(struct tasktime_source *s, bool hard)
{
	if (s->child)
		child_signal(s->child, hard ? SIGKILL : SIGTERM);
}

bool
tasktime_source_ended(struct tasktime_source *source, int *status)
{
	if (source->child) {
		if (!source->ended && child_poll(source->child, &source->end)) {
			source->ended = true;
			epoll_ctl(source->epoll, EPOLL_CTL_DEL, child_wait_fd(source->child), NULL);
		}
		*status = source->end.status;
		return source->ended;
	}
	*status = 0;
	for (size_t i = 0; i < source->spec.n_pids; i++) {
		char state, name[16];

		if (schedstat_state(source->pid[i], source->pid[i], &state, name) && state != 'Z' && state != 'X')
			return false;
	}
	return source->spec.n_pids > 0;
}

