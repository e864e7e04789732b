/* The part of the diagram after a block depends on the context alone. So a row half-way between two others of the same
 * context leads only to signatures between those of the two. All such rows can be dropped at once: a vertex of the
 * convex hull lies between no two rows.
 *
 * midpoints.c does the same with finished signatures, which have no context. */
#include "core/cone/state_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/cone/vectors.h"

/* A bit set over the hashes of a table's signatures; several share a bit. It rejects most vectors that are not in the
 * table. */
#define SIEVE_BITS 16

struct sieve {
	uint64_t bit[((size_t)1 << SIEVE_BITS) / 64];
};

static size_t
sieve_place(uint64_t hash)
{
	return (size_t)(hash * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SIEVE_BITS));
}

static bool
sieve_may_have(const struct sieve *s, uint64_t hash)
{
	size_t at = sieve_place(hash);

	return s->bit[at / 64] >> (at % 64) & 1;
}

/* Returns whether the table has the row of the same context that is one step away. */
static bool
has_beside(const struct vectors *signatures, const struct state_table *t, const struct state_row *r, uint32_t up,
	uint32_t down)
{
	uint32_t there = vectors_beside(signatures, r->signature, up, down);

	return there != VECTOR_NONE && state_table_has(t, r->context, there);
}

#define KEYS_TRIED 24 /* counters of a signature that are tried */

/* Returns whether two rows of the same context lie opposite to each other about this one. */
static bool
is_between(const struct vectors *signatures, const struct state_table *table, const struct sieve *sieve,
	const struct state_row *row)
{
	const struct vector_item *item = &signatures->item[row->signature];
	const uint32_t *key = signatures->key + item->first;
	uint64_t weight[KEYS_TRIED + 1];
	size_t n = item->n < KEYS_TRIED ? item->n : KEYS_TRIED;

	for (size_t i = 0; i < n; i++)
		weight[i] = vectors_weight(key[i]);
	weight[n] = 0;
	for (size_t a = 0; a < n; a++)
		for (size_t b = a + 1; b <= n; b++) {
			uint64_t step = weight[a] - weight[b];
			uint32_t other = b < n ? key[b] : VECTOR_NO_KEY;

			if (sieve_may_have(sieve, item->hash + step) && sieve_may_have(sieve, item->hash - step) &&
				has_beside(signatures, table, row, key[a], other) &&
				has_beside(signatures, table, row, other, key[a]))
				return true;
		}
	return false;
}

void
state_table_drop_between(struct state_table *table, const struct vectors *signatures)
{
	struct sieve *sieve = mem_new(sizeof *sieve);
	bool *out = mem_new_array(table->n, sizeof *out);
	size_t n = 0;

	for (size_t i = 0; i < table->n; i++) {
		size_t at = sieve_place(signatures->item[table->row[i].signature].hash);

		sieve->bit[at / 64] |= UINT64_C(1) << (at % 64);
	}
	for (size_t i = 0; i < table->n; i++)
		out[i] = is_between(signatures, table, sieve, &table->row[i]);
	for (size_t i = 0; i < table->n; i++)
		if (!out[i])
			table->row[n++] = table->row[i];
	table->n = n;
	free(out);
	free(sieve);
}
