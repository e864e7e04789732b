/* The states in which the walk enters a block: distinct pairs of (context, partial signature), with the µpaths that
 * lead there. Context and signature are numbers of interned vectors (vectors.h). Private to core/cone.
 *
 * The walk looks up a state whenever it passes along an edge, so the look-up is inline. */
#ifndef CORE_CONE_STATE_TABLE_H
#define CORE_CONE_STATE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/cone/paths_gmp.h"

struct vectors;

struct state_row {
	uint32_t context, signature; /* vector numbers */
	uint32_t state;              /* how it was reached: a number in struct walk, or STATE_NONE */
	struct paths paths;
};

/* A zero-initialised table is empty. */
struct state_table {
	struct state_row *row;
	size_t n, cap;
	uint32_t *slot;         /* open addressing: row number + 1; 0 is a free slot */
	size_t slots;           /* 0, or a power of two above 2 × n */
	size_t sources, source; /* number of blocks that rows came from; the last such block + 1 */
};

void state_table_free(struct state_table *);

/* Helpers of state_table_find(): make room for more slots; put a new row at a free slot. */
void state_table_widen(struct state_table *);
struct state_row *state_table_add(struct state_table *, size_t slot, uint32_t context, uint32_t signature);

/* Returns the slot of the row with this pair, or the free slot where it belongs. */
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

/* Returns whether the table, which must not be empty, has the row. */
static inline bool
state_table_has(const struct state_table *t, uint32_t context, uint32_t signature)
{
	return t->slot[state_table_slot(t, context, signature)] != 0;
}

/* Returns the row with this pair, and adds it if it is new. A new row has state STATE_NONE (walk.h) and no µpath. The
 * pointer is valid until the next call. */
static inline struct state_row *
state_table_find(struct state_table *t, uint32_t context, uint32_t signature)
{
	size_t i;

	if (t->n * 2 >= t->slots)
		state_table_widen(t);
	i = state_table_slot(t, context, signature);
	return t->slot[i] ? &t->row[t->slot[i] - 1] : state_table_add(t, i, context, signature);
}

/* Returns the key, other than `except`, with the most distinct amounts in the contexts of the rows, and sets *most to
 * their number. If there is no key, returns VECTOR_NO_KEY and sets *most to 0. */
uint32_t state_table_widest(const struct state_table *, const struct vectors *contexts, uint32_t except, size_t *most);

/* state_between.c: removes from a table, which must not be empty, the rows whose signature lies half-way between those
 * of two other rows with the same context. It finds only rows that differ from the two others by one event, or by one
 * event in place of another. Rows must have no µpaths. Afterwards rows can neither be found nor added. */
void state_table_drop_between(struct state_table *, const struct vectors *signatures);

#endif
