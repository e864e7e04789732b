#include "core/cone/vectors.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/panic.h"
#include "base/random.h"

/* The weight of a key, scattered (base/random.h). A vector's hash is the sum of amount × weight over its entries, so
 * the hash of a sum is the sum of the hashes. */
static inline uint64_t
weight(uint32_t key)
{
	return random_scatter((key + UINT64_C(1)) * RANDOM_STEP);
}

static size_t
vectors_slot_of(uint64_t hash, size_t slots)
{
	return (size_t)((hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93) >> 20) & (slots - 1);
}

static void
rehash(struct vectors *vectors, size_t slots)
{
	free(vectors->slot);
	vectors->slots = slots;
	vectors->slot = mem_new_array(slots, sizeof *vectors->slot);
	for (size_t id = 0; id < vectors->n; id++) {
		size_t i = vectors_slot_of(vectors->item[id].hash, slots);

		while (vectors->slot[i])
			i = (i + 1) & (slots - 1);
		vectors->slot[i] = (uint32_t)id + 1;
	}
}

static bool
is_in_work(const struct vectors *v, const struct vector_item *t, size_t n)
{
	if (t->n != n || n == 0)
		return t->n == n;
	return memcmp(v->key + t->first, v->work_key, n * sizeof *v->key) == 0 &&
		memcmp(v->amount + t->first, v->work_amount, n * sizeof *v->amount) == 0;
}

/* The number of the vector in the work space; it gets a new one if it is new. */
static uint32_t
intern(struct vectors *vectors, size_t n, uint64_t hash)
{
	size_t i;

	if (vectors->n * 2 >= vectors->slots)
		rehash(vectors, vectors->slots ? vectors->slots * 2 : 64);
	for (i = vectors_slot_of(hash, vectors->slots); vectors->slot[i]; i = (i + 1) & (vectors->slots - 1)) {
		const struct vector_item *item = &vectors->item[vectors->slot[i] - 1];

		if (item->hash == hash && is_in_work(vectors, item, n))
			return vectors->slot[i] - 1;
	}
	if (vectors->n == UINT32_MAX - 1)
		panic("more distinct vectors than can be numbered");
	mem_grow(&vectors->key, &vectors->cap_key, vectors->n_entries + n, sizeof *vectors->key);
	mem_grow(&vectors->amount, &vectors->cap_amount, vectors->n_entries + n, sizeof *vectors->amount);
	mem_grow(&vectors->item, &vectors->cap, vectors->n + 1, sizeof *vectors->item);
	if (n) {
		memcpy(vectors->key + vectors->n_entries, vectors->work_key, n * sizeof *vectors->key);
		memcpy(vectors->amount + vectors->n_entries, vectors->work_amount, n * sizeof *vectors->amount);
	}
	vectors->item[vectors->n] = (struct vector_item){hash, vectors->n_entries, (uint32_t)n};
	vectors->n_entries += n;
	vectors->slot[i] = (uint32_t)++vectors->n;
	return (uint32_t)vectors->n - 1;
}

void
vectors_init(struct vectors *v)
{
	*v = (struct vectors){0};
	intern(v, 0, 0);
}

void
vectors_free(struct vectors *v)
{
	free(v->key);
	free(v->amount);
	free(v->item);
	free(v->slot);
	free(v->work_key);
	free(v->work_amount);
	*v = (struct vectors){0};
}

bool
vector_delta_add(struct vector_delta *delta, uint32_t key, int64_t amount, int64_t limit)
{
	size_t i = delta->n;

	while (i > 0 && delta->key[i - 1] >= key)
		i--;
	if (i < delta->n && delta->key[i] == key) {
		if (amount > limit - delta->amount[i])
			return false;
		delta->amount[i] += amount;
		return true;
	}
	mem_grow(&delta->key, &delta->cap_key, delta->n + 1, sizeof *delta->key);
	mem_grow(&delta->amount, &delta->cap_amount, delta->n + 1, sizeof *delta->amount);
	memmove(delta->key + i + 1, delta->key + i, (delta->n - i) * sizeof *delta->key);
	memmove(delta->amount + i + 1, delta->amount + i, (delta->n - i) * sizeof *delta->amount);
	delta->key[i] = key;
	delta->amount[i] = amount;
	delta->n++;
	return amount <= limit;
}

void
vector_delta_free(struct vector_delta *d)
{
	free(d->key);
	free(d->amount);
	*d = (struct vector_delta){0};
}

static void
room_for_work(struct vectors *v, size_t n)
{
	mem_grow(&v->work_key, &v->cap_work_key, n, sizeof *v->work_key);
	mem_grow(&v->work_amount, &v->cap_work_amount, n, sizeof *v->work_amount);
}

bool
vectors_add(struct vectors *vectors, uint32_t base, const struct vector_delta *delta, int64_t limit, uint32_t *out)
{
	const struct vector_item b = vectors->item[base];
	size_t i = 0, k = 0, n = 0;
	uint64_t hash = b.hash;

	*out = base;
	if (delta->n == 0)
		return true;
	room_for_work(vectors, b.n + delta->n);
	while (i < b.n || k < delta->n) {
		uint32_t left = i < b.n ? vectors->key[b.first + i] : UINT32_MAX,
			 right = k < delta->n ? delta->key[k] : UINT32_MAX;
		int64_t sum = left <= right ? vectors->amount[b.first + i++] : 0;

		if (right <= left) {
			if (delta->amount[k] > limit - sum) {
				*out = right;
				return false;
			}
			hash += (uint64_t)delta->amount[k] * weight(right);
			sum += delta->amount[k++];
		}
		vectors->work_key[n] = left < right ? left : right;
		vectors->work_amount[n++] = sum;
	}
	*out = intern(vectors, n, hash);
	return true;
}

uint32_t
vectors_keep(struct vectors *vectors, uint32_t base, bool (*keep)(void *ctx, uint32_t key), void *ctx)
{
	const struct vector_item b = vectors->item[base];
	uint64_t hash = 0;
	size_t n = 0;

	room_for_work(vectors, b.n);
	for (size_t i = b.first; i < b.first + b.n; i++) {
		if (!keep(ctx, vectors->key[i]))
			continue;
		vectors->work_key[n] = vectors->key[i];
		vectors->work_amount[n++] = vectors->amount[i];
		hash += (uint64_t)vectors->amount[i] * weight(vectors->key[i]);
	}
	return n == b.n ? base : intern(vectors, n, hash);
}

/* Returns whether a vector equals the base plus these steps. An entry that becomes 0 is left out. */
static bool
is_step(const struct vectors *vectors, const struct vector_item *base, const struct vector_item *item, uint32_t up,
	uint32_t down)
{
	size_t k = item->first, end = item->first + item->n;

	for (size_t i = base->first; i < base->first + base->n; i++) {
		int64_t amount = vectors->amount[i] + (vectors->key[i] == up) - (vectors->key[i] == down);

		if (amount == 0)
			continue;
		if (k == end || vectors->key[k] != vectors->key[i] || vectors->amount[k] != amount)
			return false;
		k++;
	}
	return k == end;
}

uint64_t
vectors_weight(uint32_t key)
{
	return key == VECTOR_NO_KEY ? 0 : weight(key);
}

uint32_t
vectors_beside(const struct vectors *v, uint32_t base, uint32_t up, uint32_t down)
{
	const struct vector_item *b = &v->item[base];
	uint64_t hash = b->hash + (up != VECTOR_NO_KEY ? weight(up) : 0) - (down != VECTOR_NO_KEY ? weight(down) : 0);

	for (size_t i = vectors_slot_of(hash, v->slots); v->slot[i]; i = (i + 1) & (v->slots - 1)) {
		const struct vector_item *t = &v->item[v->slot[i] - 1];

		if (t->hash == hash && is_step(v, b, t, up, down))
			return v->slot[i] - 1;
	}
	return VECTOR_NONE;
}

int64_t
vectors_get(const struct vectors *vectors, uint32_t id, uint32_t key)
{
	const struct vector_item *item = &vectors->item[id];
	size_t lo = item->first, hi = item->first + item->n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (vectors->key[mid] < key)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < item->first + item->n && vectors->key[lo] == key ? vectors->amount[lo] : 0;
}
