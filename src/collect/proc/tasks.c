/* Run time and wait time of the watched tasks. Each reading takes the schedstat of all threads, and the ends of tasks
 * since the last one. The kernel reports an end through taskstats before the parent can learn of it.
 *
 *     reading            1                     2                     3
 *     thread A     ──────┼─────────────────────┼───── end reported   │     schedstat at 1 and 2, then the report
 *     thread B           │   ── end reported   │                     │     the report only: a "stranger"
 *     thread C           │          ───────────┼─────────────────────┼──   schedstat at 2 and 3
 *
 * A thread that begins and ends between two readings is known from its reported end only. To find out whether it
 * belongs to the watched processes, its process and that process's parent are looked up; these, too, may be known from
 * their ends only. */
#include "collect/proc/tasks.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/proc/files.h"
#include "collect/proc/taskstats.h"

struct seen {
	pid_t tid, pid;
	bool ended; /* reported as ended; the schedstat of its zombie adds nothing */
	uint64_t last[PROC_TASK_FIELDS];
};

struct list {
	struct seen *at;
	size_t n, cap;
};

/* The end of a task that no reading has seen. */
struct stranger {
	struct task_end end;
	bool adopted;
	bool tried; /* already left over by the last reading, because it belonged to no watched process */
};

struct proc_tasks {
	struct proc_subject subject;
	struct proc_roots roots;
	struct proc_tree *tree;    /* the caller's; NULL: threads are watched */
	struct task_ends *ends;    /* NULL: not permitted */
	struct err deaf;
	size_t lost;               /* task_ends_lost() at the last reading */
	struct list now, before;
	struct stranger *stranger;
	size_t n_strangers, cap;
	uint64_t total[PROC_TASK_FIELDS];
	uint64_t run_before;       /* time that the command had run before the beginning */
	uint64_t cpu_ns;           /* see proc_tasks_settle(); 0: unknown */
	struct str text;
};

struct proc_tasks *
proc_tasks_new(const struct proc_subject *subject, struct proc_tree *tree)
{
	struct proc_tasks *t = mem_new(sizeof *t);
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	t->subject = *subject;
	proc_roots_find(&t->roots);
	t->tree = tree;
	t->ends = task_ends_new(cpus > 0 ? (size_t)cpus : 1, &t->deaf);
	return t;
}

void
proc_tasks_free(struct proc_tasks *t)
{
	if (!t)
		return;
	task_ends_free(t->ends);
	free(t->now.at);
	free(t->before.at);
	free(t->stranger);
	str_free(&t->text);
	free(t);
}

const char *
proc_tasks_deaf(const struct proc_tasks *t)
{
	return t->ends ? NULL : t->deaf.what;
}

static int
by_tid(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

static void
sort(struct list *l)
{
	if (l->n)
		qsort(l->at, l->n, sizeof *l->at, by_tid);
}

static struct seen *
tasks_find(const struct list *l, pid_t tid)
{
	struct seen key = {.tid = tid};

	return l->n ? bsearch(&key, l->at, l->n, sizeof *l->at, by_tid) : NULL;
}

/* Reads the schedstat of a thread (Documentation/scheduler/sched-stats.rst). On failure returns false and sets errno.
 */
static bool
read_schedstat(struct proc_tasks *tasks, pid_t pid, pid_t tid, uint64_t v[PROC_TASK_FIELDS])
{
	char path[600];

	snprintf(path, sizeof path, "%s/%d/task/%d/schedstat", tasks->roots.proc, (int)pid, (int)tid);
	if (!proc_file_read(path, &tasks->text))
		return false;
	for (unsigned i = 0; i < PROC_TASK_FIELDS; i++)
		if (!proc_number_at(str_text(&tasks->text), i, &v[i])) {
			errno = EINVAL;
			return false;
		}
	return true;
}

static void
add_rise(struct proc_tasks *t, struct seen *s, const uint64_t v[PROC_TASK_FIELDS])
{
	for (int i = 0; i < PROC_TASK_FIELDS; i++)
		if (v[i] > s->last[i]) {
			t->total[i] += v[i] - s->last[i];
			s->last[i] = v[i];
		}
}

static bool
read_thread(struct proc_tasks *tasks, pid_t pid, pid_t tid)
{
	const struct seen *old = tasks_find(&tasks->before, tid);
	struct seen s = old ? *old : (struct seen){.tid = tid, .pid = pid};
	uint64_t v[PROC_TASK_FIELDS];

	if (!read_schedstat(tasks, pid, tid, v))
		return false;
	if (!s.ended)
		add_rise(tasks, &s, v);
	mem_grow(&tasks->now.at, &tasks->now.cap, tasks->now.n + 1, sizeof *tasks->now.at);
	tasks->now.at[tasks->now.n++] = s;
	return true;
}

static void
read_threads(struct proc_tasks *tasks, pid_t pid)
{
	char path[600];
	struct dirent *dirent;
	DIR *dir;

	snprintf(path, sizeof path, "%s/%d/task", tasks->roots.proc, (int)pid);
	dir = opendir(path);
	while (dir && (dirent = readdir(dir)) != NULL) {
		char *end;
		long tid = strtol(dirent->d_name, &end, 10);

		if (!*end && tid > 0)
			read_thread(tasks, pid, (pid_t)tid);
	}
	if (dir)
		closedir(dir);
}

/* Reads threads that the listing lacks, by their known ids. A listing ends early when a thread ends while it is read
 * (fs/proc/base.c, next_tid()). */
static void
read_unlisted(struct proc_tasks *t)
{
	size_t n = t->now.n;

	for (size_t i = 0; i < t->before.n; i++) {
		const struct list listed = {.at = t->now.at, .n = n};

		if (!tasks_find(&listed, t->before.at[i].tid))
			read_thread(t, t->before.at[i].pid, t->before.at[i].tid);
	}
	sort(&t->now);
}

static void
read_all_threads(struct proc_tasks *tasks)
{
	const struct proc_member *member;
	struct list swap = tasks->before;
	size_t n;

	tasks->before = tasks->now;
	tasks->now = swap;
	tasks->now.n = 0;
	for (size_t i = 0; !tasks->tree && i < tasks->subject.n; i++)
		read_thread(tasks, (pid_t)tasks->subject.id[i], (pid_t)tasks->subject.id[i]);
	if (tasks->tree) {
		proc_tree_read(tasks->tree);
		member = proc_tree_members(tasks->tree, &n);
		for (size_t i = 0; i < n; i++)
			read_threads(tasks, member[i].pid);
	}
	sort(&tasks->now);
	read_unlisted(tasks);
}

static void
tasks_take_end(struct proc_tasks *tasks, const struct task_end *end)
{
	const uint64_t v[PROC_TASK_FIELDS] = {end->times.run_ns, end->times.wait_ns, end->times.slices};
	struct seen *here = tasks_find(&tasks->now, end->tid), *gone = tasks_find(&tasks->before, end->tid);

	if (here || gone) {
		if (!(here ? here : gone)->ended)
			add_rise(tasks, here ? here : gone, v);
		(here ? here : gone)->ended = true;
		return;
	}
	mem_grow(&tasks->stranger, &tasks->cap, tasks->n_strangers + 1, sizeof *tasks->stranger);
	tasks->stranger[tasks->n_strangers++] = (struct stranger){.end = *end};
}

/* Returns true when the ended task belongs to the watched processes, by its process or by that process's parent.
 * `found`: processes that are known to belong to them from their ends alone. */
static bool
is_ours(const struct proc_tasks *t, const struct task_end *e, struct sched_accounts *found)
{
	if ((e->process && proc_tree_had(t->tree, e->process)) || (e->parent && proc_tree_had(t->tree, e->parent)))
		return true;
	if (t->subject.kind == PROC_COMMAND && e->parent == t->subject.minder)
		return true;
	return (e->process && sched_accounts_get(found, e->process)) ||
		(e->parent && sched_accounts_get(found, e->parent));
}

/* Adds everything that the task did. Its zombie may still be listed and is not counted again. */
static void
adopt(struct proc_tasks *t, const struct task_end *e)
{
	const uint64_t v[PROC_TASK_FIELDS] = {e->times.run_ns, e->times.wait_ns, e->times.slices};
	struct seen s = {.tid = e->tid, .pid = e->process, .ended = true};

	add_rise(t, &s, v);
	mem_grow(&t->now.at, &t->now.cap, t->now.n + 1, sizeof *t->now.at);
	t->now.at[t->now.n++] = s;
}

/* Assigns tasks that no reading has seen. The parent of such a process may be unknown, too: its end may be reported
 * later, or the next reading may find it. A task that still belongs to nobody then is dropped. */
static void
take_strangers(struct proc_tasks *tasks)
{
	struct sched_accounts *found = sched_accounts_new();
	size_t kept = 0;
	bool more = tasks->tree != NULL;

	/* A parent mostly ends after its children, so one pass from the last to the first usually suffices. */
	while (more) {
		more = false;
		for (size_t i = tasks->n_strangers; i-- > 0;) {
			struct stranger *stranger = &tasks->stranger[i];

			if (stranger->adopted || !is_ours(tasks, &stranger->end, found))
				continue;
			adopt(tasks, &stranger->end);
			if (stranger->end.process)
				sched_accounts_put(found, stranger->end.process);
			stranger->adopted = more = true;
		}
	}
	sort(&tasks->now);
	for (size_t i = 0; i < tasks->n_strangers && tasks->tree; i++)
		if (!tasks->stranger[i].adopted && !tasks->stranger[i].tried) {
			tasks->stranger[kept] = tasks->stranger[i];
			tasks->stranger[kept++].tried = true;
		}
	tasks->n_strangers = kept;
	sched_accounts_free(found);
}

/* Takes all reported ends. Returns false when a task is gone without a report. */
static bool
take_ends(struct proc_tasks *tasks)
{
	struct task_end e;
	bool whole = true;

	while (tasks->ends && task_ends_take(tasks->ends, &e))
		tasks_take_end(tasks, &e);
	take_strangers(tasks);
	for (size_t i = 0; i < tasks->before.n; i++)
		whole &= tasks->before.at[i].ended || tasks_find(&tasks->now, tasks->before.at[i].tid);
	if (tasks->ends && task_ends_lost(tasks->ends) > tasks->lost) {
		tasks->lost = task_ends_lost(tasks->ends);
		whole = false;
	}
	return whole;
}

bool
proc_tasks_try(struct proc_tasks *t)
{
	uint64_t v[PROC_TASK_FIELDS];
	pid_t first =
		t->subject.kind == PROC_COMMAND ? t->subject.command : (pid_t)(t->subject.n ? t->subject.id[0] : 0);

	return read_schedstat(t, first, first, v);
}

void
proc_tasks_begin(struct proc_tasks *t)
{
	read_all_threads(t);
	take_ends(t);
	t->n_strangers = 0;
	t->run_before = t->total[PROC_RUN_NS];
	memset(t->total, 0, sizeof t->total);
}

void
proc_tasks_settle(struct proc_tasks *t, uint64_t cpu_ns)
{
	t->cpu_ns = cpu_ns;
}

/* Corrects the total by the exact time of the children that were waited for, and by what live tasks have run. */
static void
tasks_settle(struct proc_tasks *t)
{
	uint64_t run = t->cpu_ns;

	for (size_t i = 0; i < t->now.n; i++)
		run += t->now.at[i].ended ? 0 : t->now.at[i].last[PROC_RUN_NS];
	if (t->cpu_ns && run > t->run_before && run - t->run_before > t->total[PROC_RUN_NS])
		t->total[PROC_RUN_NS] = run - t->run_before;
}

bool
proc_tasks_read(struct proc_tasks *t, uint64_t total[PROC_TASK_FIELDS])
{
	bool whole;

	read_all_threads(t);
	whole = take_ends(t);
	tasks_settle(t);
	memcpy(total, t->total, sizeof t->total);
	return whole;
}
