/* Interned sparse vectors of integers. Equal vectors have the same number, so comparing vectors means comparing
 * numbers. Partial signatures are such vectors (counter → count), and so are contexts (property → value + 1). Private
 * to core/cone. */
#ifndef CORE_CONE_VECTORS_H
#define CORE_CONE_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VECTOR_ZERO 0 /* the vector without entries */

struct vector_item {
	uint64_t hash;
	size_t first;
	uint32_t n;
};

struct vectors {
	uint32_t *key;    /* the entries of all vectors, keys ascending within each */
	int64_t *amount;  /* never 0 */
	size_t n_entries, cap_key, cap_amount;
	struct vector_item *item;
	size_t n, cap;
	uint32_t *slot;   /* open addressing: number + 1; 0 is a free slot */
	size_t slots;
	uint32_t *work_key; /* the vector under construction */
	int64_t *work_amount;
	size_t cap_work_key, cap_work_amount;
};

void vectors_init(struct vectors *);
void vectors_free(struct vectors *);

/* A vector that is added to many vectors: ascending keys, each once. */
struct vector_delta {
	uint32_t *key;
	int64_t *amount;
	size_t n, cap_key, cap_amount;
};
/* Adds to one entry of the delta. Returns false when the entry would rise above `limit`. Time is linear in the delta's
 * length. */
bool vector_delta_add(struct vector_delta *, uint32_t key, int64_t amount, int64_t limit);
void vector_delta_free(struct vector_delta *);

/* Sets *out to the number of the vector `base` plus the delta. Returns false when an entry would rise above `limit`;
 * then *out is the entry's key. */
bool vectors_add(struct vectors *, uint32_t base, const struct vector_delta *, int64_t limit, uint32_t *out);
/* Returns the number of `base` without the entries for whose key keep() returns false. */
uint32_t vectors_keep(struct vectors *, uint32_t base, bool (*keep)(void *ctx, uint32_t key), void *ctx);
/* Returns the number of `base` with 1 added at key `up` and 1 taken off at key `down`. Each is a key of `base`, or
 * VECTOR_NO_KEY for no change. Returns VECTOR_NONE if there is no such vector. */
#define VECTOR_NONE UINT32_MAX
#define VECTOR_NO_KEY UINT32_MAX
uint32_t vectors_beside(const struct vectors *, uint32_t base, uint32_t up, uint32_t down);
/* Returns the hash of a key's unit vector. Adding 1 at the key adds this to a vector's hash; taking 1 off subtracts it.
 */
uint64_t vectors_weight(uint32_t key);

/* Returns the entry at a key; 0 if there is none. */
int64_t vectors_get(const struct vectors *, uint32_t id, uint32_t key);

#endif
