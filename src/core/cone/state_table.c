#include "core/cone/state_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/cone/vectors.h"
#include "core/cone/walk.h"

void
state_table_free(struct state_table *t)
{
	for (size_t i = 0; i < t->n; i++)
		paths_free(&t->row[i].paths);
	free(t->row);
	free(t->slot);
	*t = (struct state_table){0};
}

void
state_table_widen(struct state_table *t)
{
	free(t->slot);
	t->slots = t->slots ? t->slots * 4 : 32;
	t->slot = mem_new_array(t->slots, sizeof *t->slot);
	for (size_t k = 0; k < t->n; k++)
		t->slot[state_table_slot(t, t->row[k].context, t->row[k].signature)] = (uint32_t)k + 1;
}

struct state_row *
state_table_add(struct state_table *t, size_t slot, uint32_t context, uint32_t signature)
{
	mem_grow(&t->row, &t->cap, t->n + 1, sizeof *t->row);
	t->row[t->n] = (struct state_row){context, signature, STATE_NONE, {0}};
	t->slot[slot] = (uint32_t)++t->n;
	return &t->row[t->n - 1];
}

static int
compare_u64(const void *a, const void *b)
{
	uint64_t x, y;

	memcpy(&x, a, sizeof x);
	memcpy(&y, b, sizeof y);
	return x < y ? -1 : x > y;
}

uint32_t
state_table_widest(const struct state_table *table, const struct vectors *contexts, uint32_t except, size_t *most)
{
	uint64_t *pair = NULL;
	size_t n = 0, cap = 0;
	uint32_t widest = VECTOR_NO_KEY;

	for (size_t i = 0; i < table->n; i++) {
		const struct vector_item *item = &contexts->item[table->row[i].context];

		mem_grow(&pair, &cap, n + item->n, sizeof *pair);
		for (size_t k = item->first; k < item->first + item->n; k++)
			if (contexts->key[k] != except)
				pair[n++] = (uint64_t)contexts->key[k] << 32 | (uint64_t)contexts->amount[k];
	}
	*most = 0;
	if (n)
		qsort(pair, n, sizeof *pair, compare_u64);
	for (size_t i = 0, values = 0; i < n; i++) {
		if (i == 0 || pair[i] >> 32 != pair[i - 1] >> 32)
			values = 0;
		values += i == 0 || pair[i] != pair[i - 1];
		if (values > *most) {
			*most = values;
			widest = (uint32_t)(pair[i] >> 32);
		}
	}
	free(pair);
	return widest;
}
