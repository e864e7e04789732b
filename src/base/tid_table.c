#include "base/tid_table.h"

#include <stdlib.h>

#include "base/mem.h"

#define LEAST_SLOTS 64

/* The slot at which the search for tid begins. */
static size_t
home(const struct tid_table *t, int32_t tid)
{
	uint64_t x = (uint64_t)(uint32_t)tid * 0x9e3779b97f4a7c15u;

	return (size_t)(x >> 32) & (t->cap - 1);
}

/* The slot that holds tid, or the free one where it belongs. */
static size_t
tid_table_find(const struct tid_table *t, int32_t tid)
{
	size_t i = home(t, tid);

	while (t->slot[i].value && t->slot[i].tid != tid)
		i = (i + 1) & (t->cap - 1);
	return i;
}

static void
resize(struct tid_table *t, size_t cap)
{
	struct tid_table old = *t;

	t->cap = cap;
	t->slot = mem_new_array(cap, sizeof *t->slot);
	for (size_t i = 0; i < old.cap; i++)
		if (old.slot[i].value)
			t->slot[tid_table_find(t, old.slot[i].tid)] = old.slot[i];
	free(old.slot);
}

void *
tid_table_get(const struct tid_table *t, int32_t tid)
{
	return t->cap ? t->slot[tid_table_find(t, tid)].value : NULL;
}

void *
tid_table_add(struct tid_table *t, int32_t tid, size_t size)
{
	void *value = mem_new(size);

	if (2 * (t->n + 1) > t->cap)
		resize(t, t->cap ? 2 * t->cap : LEAST_SLOTS);
	t->slot[tid_table_find(t, tid)] = (struct tid_slot){.tid = tid, .value = value};
	t->n++;
	return value;
}

void
tid_table_remove(struct tid_table *table, int32_t tid)
{
	size_t gap = table->cap ? tid_table_find(table, tid) : 0, mask = table->cap - 1;

	if (!table->cap || !table->slot[gap].value)
		return;
	free(table->slot[gap].value);
	table->slot[gap].value = NULL;
	table->n--;
	/* Close the gap, so that no search ends early: the next entry whose search passes the gap moves into it. */
	for (size_t i = (gap + 1) & mask; table->slot[i].value; i = (i + 1) & mask)
		if (((i - home(table, table->slot[i].tid)) & mask) >= ((i - gap) & mask)) {
			table->slot[gap] = table->slot[i];
			table->slot[i].value = NULL;
			gap = i;
		}
	if (table->cap > LEAST_SLOTS && 16 * table->n < table->cap)
		resize(table, table->cap / 2);
}

void
tid_table_sweep(struct tid_table *t, bool (*goes)(const void *value))
{
	for (size_t i = 0; i < t->cap; i++)
		if (t->slot[i].value && goes(t->slot[i].value)) {
			free(t->slot[i].value);
			t->slot[i].value = NULL;
			t->n--;
		}
	if (t->cap) /* entries move up to where searches find them again */
		resize(t, t->cap);
}

void
tid_table_free(struct tid_table *t)
{
	for (size_t i = 0; i < t->cap; i++)
		free(t->slot[i].value);
	free(t->slot);
	*t = (struct tid_table){0};
}
