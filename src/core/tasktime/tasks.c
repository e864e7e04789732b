#include "core/tasktime/tasks.h"

#include <stdlib.h>

#include "base/mem.h"

#define LEAST_SLOTS 64

static size_t
home(const struct tasktime_tasks *t, int32_t tid)
{
	uint64_t x = (uint64_t)(uint32_t)tid * 0x9e3779b97f4a7c15u;

	return (size_t)(x >> 32) & (t->cap - 1);
}

/* Where tid is, or the free slot where it would be. */
static size_t
find(const struct tasktime_tasks *t, int32_t tid)
{
	size_t i = home(t, tid);

	while (t->slot[i] && t->slot[i]->row.tid != tid)
		i = (i + 1) & (t->cap - 1);
	return i;
}

struct tasktime_task *
tasktime_tasks_get(const struct tasktime_tasks *t, int32_t tid)
{
	return t->cap ? t->slot[find(t, tid)] : NULL;
}

static void
resize(struct tasktime_tasks *t, size_t cap)
{
	struct tasktime_tasks old = *t;

	t->cap = cap;
	t->slot = mem_new_array(cap, sizeof *t->slot);
	for (size_t i = 0; i < old.cap; i++)
		if (old.slot[i])
			t->slot[find(t, old.slot[i]->row.tid)] = old.slot[i];
	free(old.slot);
}

struct tasktime_task *
tasktime_tasks_add(struct tasktime_tasks *t, int32_t tid)
{
	struct tasktime_task *task = mem_new(sizeof *task);

	if (2 * (t->n + 1) > t->cap)
		resize(t, t->cap ? 2 * t->cap : LEAST_SLOTS);
	task->row.tid = tid;
	t->slot[find(t, tid)] = task;
	t->n++;
	return task;
}

void
tasktime_tasks_remove(struct tasktime_tasks *t, int32_t tid)
{
	size_t gap = find(t, tid), mask = t->cap - 1;

	free(t->slot[gap]);
	t->slot[gap] = NULL;
	t->n--;
	/* Close the gap: who stands behind it and could stand in it moves there. */
	for (size_t i = (gap + 1) & mask; t->slot[i]; i = (i + 1) & mask) {
		size_t wish = home(t, t->slot[i]->row.tid);

		if (((i - wish) & mask) >= ((i - gap) & mask)) {
			t->slot[gap] = t->slot[i];
			t->slot[i] = NULL;
			gap = i;
		}
	}
	if (t->cap > LEAST_SLOTS && 16 * t->n < t->cap)
		resize(t, t->cap / 2);
}

void
tasktime_tasks_free(struct tasktime_tasks *t)
{
	for (size_t i = 0; i < t->cap; i++)
		free(t->slot[i]);
	free(t->slot);
	*t = (struct tasktime_tasks){0};
}
