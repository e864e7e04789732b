/* The states in which a place of the walk is entered: distinct pairs of (context, partial signature), each the number
 * of an interned vector, with the µpaths that lead there. Private to core/cone.
 *
 * The walk looks a state up each time it sends one along an edge, so what finds rows is inline. */
#ifndef CORE_CONE_STATE_TABLE_H
#define CORE_CONE_STATE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/cone/paths_gmp.h"

struct vectors;

struct state_row {
	uint32_t context, signature; /* vector numbers */
	uint32_t state;              /* how it was reached */
	struct paths paths;
};

/* Zero-initialised it is empty. */
struct state_table {
	struct state_row *row;
	size_t n, cap;
	uint32_t *slot;         /* open addressing: row + 1 */
	size_t slots;           /* 0, or a power of two above 2 * n */
	size_t sources, source; /* blocks that rows came from; the last one + 1 */
};

void state_table_free(struct state_table *);

/* Helpers of state_table_find(): make room for more slots, and put a new row at a free one. */
void state_table_widen(struct state_table *);
struct state_row *state_table_add(struct state_table *, size_t slot, uint32_t context, uint32_t signature);

/* The slot of the row with this pair, or the free one where it belongs. */
static inline size_t
state_table_slot(const struct state_table *t, uint32_t context, uint32_t signature)
{
	uint64_t h = (UINT64_C(1) * context << 32 | signature) * UINT64_C(0x9e3779b97f4a7c15);
	size_t i = (size_t)(h >> 24 ^ h >> 47) & (t->slots - 1);

	while (t->slot[i] &&
		(t->row[t->slot[i] - 1].context != context || t->row[t->slot[i] - 1].signature != signature))
		i = (i + 1) & (t->slots - 1);
	return i;
}

/* Does the table, which must not be empty, have such a row? */
static inline bool
state_table_has(const struct state_table *t, uint32_t context, uint32_t signature)
{
	return t->slot[state_table_slot(t, context, signature)] != 0;
}

/* The row; a new one has state STATE_NONE (walk.h) and no µpath. The pointer is valid until the next call. */
static inline struct state_row *
state_table_find(struct state_table *t, uint32_t context, uint32_t signature)
{
	size_t i;

	if (t->n * 2 >= t->slots)
		state_table_widen(t);
	i = state_table_slot(t, context, signature);
	return t->slot[i] ? &t->row[t->slot[i] - 1] : state_table_add(t, i, context, signature);
}

/* The key with the most distinct amounts among the contexts of the rows, `except` left out, and how many in *most;
 * VECTOR_NO_KEY and 0 when there is none. */
uint32_t state_table_widest(const struct state_table *, const struct vectors *contexts, uint32_t except, size_t *most);

#endif
