/* Distinct sparse vectors of integers by number: equal vectors have one number, so that comparing is comparing numbers.
 * Partial signatures are such vectors (counter → count), and the values of live properties (property → value + 1). */
#ifndef CORE_CONE_VECTORS_H
#define CORE_CONE_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VECTOR_ZERO 0 /* the number of the vector without entries */

struct vector_item {
	uint64_t hash;
	size_t first;
	uint32_t n;
};

struct vectors {
	uint32_t *key;    /* all entries of all vectors, by rising key in each */
	int64_t *amount;  /* never 0 */
	size_t n_entries, cap_key, cap_amount;
	struct vector_item *item;
	size_t n, cap;
	uint32_t *slot;   /* open addressing: number + 1 */
	size_t slots;
	uint32_t *work_key; /* the vector being made */
	int64_t *work_amount;
	size_t cap_work_key, cap_work_amount;
};

void vectors_init(struct vectors *);
void vectors_free(struct vectors *);

/* What is added to many vectors: rising keys, each once. */
struct vector_delta {
	uint32_t *key;
	int64_t *amount;
	size_t n, cap_key, cap_amount;
};
/* Add to one entry. False when it would rise above `limit`. Linear in the delta's length. */
bool delta_add(struct vector_delta *, uint32_t key, int64_t amount, int64_t limit);
void delta_free(struct vector_delta *);

/* The number of vector `base` plus the delta in *out. False when an entry would rise above `limit`: its key is in *out
 * then. */
bool vectors_add(struct vectors *, uint32_t base, const struct vector_delta *, int64_t limit, uint32_t *out);
/* The number of `base` without the entries whose key keep() refuses. */
uint32_t vectors_keep(struct vectors *, uint32_t base, bool (*keep)(void *ctx, uint32_t key), void *ctx);
/* The number of `base` with 1 more at key `up` and 1 less at key `down`, each of them one of its keys or VECTOR_NO_KEY:
 * nowhere. VECTOR_NONE where there is no such vector. */
#define VECTOR_NONE UINT32_MAX
#define VECTOR_NO_KEY UINT32_MAX
uint32_t vectors_beside(const struct vectors *, uint32_t base, uint32_t up, uint32_t down);
/* The hash of the vector that is the key's unit: that of `base` with a step is its own hash and the steps' added or
 * taken off. */
uint64_t vectors_weight(uint32_t key);

/* The entry at a key, 0 when there is none. */
int64_t vectors_get(const struct vectors *, uint32_t id, uint32_t key);

#endif
