#include "collect/perf/flow_tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/tid_table.h"
#include "collect/process/processes.h"

struct flow_tasks {
	struct tid_table by_tid; /* rows of struct flow_task; ended tasks stay for their names until there are many */
	size_t n_ended;
	bool all;
};

struct flow_tasks *
flow_tasks_new(bool all)
{
	struct flow_tasks *t = mem_new(sizeof *t);

	t->all = all;
	return t;
}

void
flow_tasks_free(struct flow_tasks *t)
{
	if (!t)
		return;
	tid_table_free(&t->by_tid);
	free(t);
}

struct flow_task *
flow_tasks_find(const struct flow_tasks *t, int32_t tid)
{
	return tid_table_get(&t->by_tid, tid);
}

static bool
has_ended(const void *task)
{
	return ((const struct flow_task *)task)->ended;
}

struct flow_task *
flow_tasks_get(struct flow_tasks *tasks, int32_t tid, int32_t pid)
{
	struct flow_task *task = flow_tasks_find(tasks, tid);
	char before[sizeof task->name] = "";

	if (task && !task->ended)
		return task;
	if (task) { /* the number belongs to a new task, or a record came after the task's end */
		memcpy(before, task->name, sizeof before);
		tasks->n_ended--;
	} else {
		if (tasks->n_ended > FLOW_TASKS_ENDED && tasks->n_ended > tasks->by_tid.n / 2) {
			tid_table_sweep(&tasks->by_tid, has_ended);
			tasks->n_ended = 0;
		}
		task = tid_table_add(&tasks->by_tid, tid, sizeof *task);
	}
	*task = (struct flow_task){
		.tid = tid, .pid = pid ? pid : tid, .core = FLOW_TASK_NOWHERE, .followed = tasks->all};
	if (!pid) {
		pid_t of = process_of_thread(tid);

		task->pid = of ? of : tid;
		process_name(tid, task->name, sizeof task->name);
		if (!*task->name)
			memcpy(task->name, before, sizeof task->name);
	}
	return task;
}

void
flow_tasks_fork(struct flow_tasks *tasks, int32_t tid, int32_t pid, int32_t parent)
{
	const struct flow_task *from = tasks->all && parent > 0 ? flow_tasks_get(tasks, parent, 0)
								: flow_tasks_find(tasks, parent);
	bool followed = from && !from->ended ? from->followed : tasks->all;
	char name[sizeof from->name] = "";
	struct flow_task *task;

	if (tid <= 0 || !followed)
		return;
	if (from && !from->ended)
		memcpy(name, from->name, sizeof name);
	task = flow_tasks_get(tasks, tid, *name ? pid : 0);
	task->followed = true;
	if (*name)
		memcpy(task->name, name, sizeof name);
}

void
flow_tasks_name(struct flow_tasks *t, int32_t tid, int32_t pid, const char *name)
{
	struct flow_task *k = flow_tasks_find(t, tid);

	if (tid <= 0 || ((!k || k->ended) && !t->all))
		return;
	k = flow_tasks_get(t, tid, pid);
	snprintf(k->name, sizeof k->name, "%s", name);
}

struct flow_task *
flow_tasks_ending(const struct flow_tasks *t)
{
	for (size_t i = 0; i < t->by_tid.cap; i++) {
		struct flow_task *k = t->by_tid.slot[i].value;

		if (k && k->ending && !k->ended)
			return k;
	}
	return NULL;
}

void
flow_tasks_end(struct flow_tasks *t, int32_t tid)
{
	struct flow_task *k = flow_tasks_find(t, tid);

	if (!k || k->ended)
		return;
	k->ended = true;
	k->followed = t->all;
	t->n_ended++;
}
