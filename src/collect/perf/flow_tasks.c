/* A table with open addressing. Ended tasks stay, for their names, until there are many. */
#include "collect/perf/flow_tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "collect/perf/processes.h"

struct flow_tasks {
	struct flow_task *at; /* tid 0: free */
	size_t slots, n, n_ended;
	bool all;
};

struct flow_tasks *
flow_tasks_new(bool all)
{
	struct flow_tasks *t = mem_new(sizeof *t);

	t->all = all;
	t->slots = 1024;
	t->at = mem_new_array(t->slots, sizeof *t->at);
	return t;
}

void
flow_tasks_free(struct flow_tasks *t)
{
	if (!t)
		return;
	free(t->at);
	free(t);
}

static struct flow_task *
slot_of(struct flow_task *at, size_t slots, int32_t tid)
{
	size_t i = ((uint32_t)tid * 0x9e3779b9u >> 7) & (slots - 1);

	while (at[i].tid && at[i].tid != tid)
		i = (i + 1) & (slots - 1);
	return &at[i];
}

struct flow_task *
flow_tasks_find(const struct flow_tasks *t, int32_t tid)
{
	struct flow_task *k = slot_of(t->at, t->slots, tid);

	return k->tid ? k : NULL;
}

/* Rebuilds the table with this size, without ended tasks if there are many. */
static void
move(struct flow_tasks *t, size_t slots, bool drop)
{
	struct flow_task *new = mem_new_array(slots, sizeof *new);

	t->n = t->n_ended = 0;
	for (size_t i = 0; i < t->slots; i++)
		if (t->at[i].tid && !(drop && t->at[i].ended)) {
			*slot_of(new, slots, t->at[i].tid) = t->at[i];
			t->n++;
			t->n_ended += t->at[i].ended;
		}
	free(t->at);
	t->at = new;
	t->slots = slots;
}

struct flow_task *
flow_tasks_get(struct flow_tasks *t, int32_t tid, int32_t pid)
{
	struct flow_task *k = flow_tasks_find(t, tid);
	char before[sizeof k->name] = "";

	if (k && !k->ended)
		return k;
	if (k) /* the number belongs to a new task, or a record came after the task's end */
		memcpy(before, k->name, sizeof before);
	if (!k && 2 * (t->n + 1) > t->slots) {
		bool drop = t->n_ended > FLOW_TASKS_ENDED;

		move(t, drop && t->n_ended > t->n / 2 ? t->slots : 2 * t->slots, drop);
	}
	k = slot_of(t->at, t->slots, tid);
	t->n += k->tid == 0;
	t->n_ended -= k->tid != 0; /* only ended tasks reach this */
	*k = (struct flow_task){.tid = tid, .pid = pid ? pid : tid, .core = FLOW_TASK_NOWHERE, .followed = t->all};
	if (!pid) {
		pid_t of = process_of_thread(tid);

		k->pid = of ? of : tid;
		process_name(tid, k->name, sizeof k->name);
		if (!*k->name)
			memcpy(k->name, before, sizeof k->name);
	}
	return k;
}

void
flow_tasks_fork(struct flow_tasks *t, int32_t tid, int32_t pid, int32_t parent)
{
	const struct flow_task *from = t->all && parent > 0 ? flow_tasks_get(t, parent, 0) : flow_tasks_find(t, parent);
	struct flow_task made = from && !from->ended ? *from : (struct flow_task){.followed = t->all};
	struct flow_task *k;

	if (tid <= 0 || !made.followed)
		return;
	k = flow_tasks_get(t, tid, *made.name ? pid : 0);
	k->followed = true;
	if (*made.name)
		memcpy(k->name, made.name, sizeof k->name);
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
