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
rehash(struct vectors *v, size_t slots)
{
	free(v->slot);
	v->slots = slots;
	v->slot = mem_new_array(slots, sizeof *v->slot);
	for (size_t id = 0; id < v->n; id++) {
		size_t i = vectors_slot_of(v->item[id].hash, slots);

		while (v->slot[i])
			i = (i + 1) & (slots - 1);
		v->slot[i] = (uint32_t)id + 1;
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
intern(struct vectors *v, size_t n, uint64_t hash)
{
	size_t i;

	if (v->n * 2 >= v->slots)
		rehash(v, v->slots ? v->slots * 2 : 64);
	for (i = vectors_slot_of(hash, v->slots); v->slot[i]; i = (i + 1) & (v->slots - 1)) {
		const struct vector_item *t = &v->item[v->slot[i] - 1];

		if (t->hash == hash && is_in_work(v, t, n))
			return v->slot[i] - 1;
	}
	if (v->n == UINT32_MAX - 1)
		panic("more distinct vectors than can be numbered");
	mem_grow(&v->key, &v->cap_key, v->n_entries + n, sizeof *v->key);
	mem_grow(&v->amount, &v->cap_amount, v->n_entries + n, sizeof *v->amount);
	mem_grow(&v->item, &v->cap, v->n + 1, sizeof *v->item);
	if (n) {
		memcpy(v->key + v->n_entries, v->work_key, n * sizeof *v->key);
		memcpy(v->amount + v->n_entries, v->work_amount, n * sizeof *v->amount);
	}
	v->item[v->n] = (struct vector_item){hash, v->n_entries, (uint32_t)n};
	v->n_entries += n;
	v->slot[i] = (uint32_t)++v->n;
	return (uint32_t)v->n - 1;
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
vector_delta_add(struct vector_delta *d, uint32_t key, int64_t amount, int64_t limit)
{
	size_t i = d->n;

	while (i > 0 && d->key[i - 1] >= key)
		i--;
	if (i < d->n && d->key[i] == key) {
		if (amount > limit - d->amount[i])
			return false;
		d->amount[i] += amount;
		return true;
	}
	mem_grow(&d->key, &d->cap_key, d->n + 1, sizeof *d->key);
	mem_grow(&d->amount, &d->cap_amount, d->n + 1, sizeof *d->amount);
	memmove(d->key + i + 1, d->key + i, (d->n - i) * sizeof *d->key);
	memmove(d->amount + i + 1, d->amount + i, (d->n - i) * sizeof *d->amount);
	d->key[i] = key;
	d->amount[i] = amount;
	d->n++;
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
vectors_add(struct vectors *v, uint32_t base, const struct vector_delta *d, int64_t limit, uint32_t *out)
{
	const struct vector_item b = v->item[base];
	size_t i = 0, k = 0, n = 0;
	uint64_t hash = b.hash;

	*out = base;
	if (d->n == 0)
		return true;
	room_for_work(v, b.n + d->n);
	while (i < b.n || k < d->n) {
		uint32_t left = i < b.n ? v->key[b.first + i] : UINT32_MAX, right = k < d->n ? d->key[k] : UINT32_MAX;
		int64_t sum = left <= right ? v->amount[b.first + i++] : 0;

		if (right <= left) {
			if (d->amount[k] > limit - sum) {
				*out = right;
				return false;
			}
			hash += (uint64_t)d->amount[k] * weight(right);
			sum += d->amount[k++];
		}
		v->work_key[n] = left < right ? left : right;
		v->work_amount[n++] = sum;
	}
	*out = intern(v, n, hash);
	return true;
}

uint32_t
vectors_keep(struct vectors *v, uint32_t base, bool (*keep)(void *ctx, uint32_t key), void *ctx)
{
	const struct vector_item b = v->item[base];
	uint64_t hash = 0;
	size_t n = 0;

	room_for_work(v, b.n);
	for (size_t i = b.first; i < b.first + b.n; i++) {
		if (!keep(ctx, v->key[i]))
			continue;
		v->work_key[n] = v->key[i];
		v->work_amount[n++] = v->amount[i];
		hash += (uint64_t)v->amount[i] * weight(v->key[i]);
	}
	return n == b.n ? base : intern(v, n, hash);
}

/* Whether a vector equals the base with these steps. An entry that becomes 0 is no entry. */
static bool
is_step(const struct vectors *v, const struct vector_item *base, const struct vector_item *t, uint32_t up,
	uint32_t down)
{
	size_t k = t->first, end = t->first + t->n;

	for (size_t i = base->first; i < base->first + base->n; i++) {
		int64_t amount = v->amount[i] + (v->key[i] == up) - (v->key[i] == down);

		if (amount == 0)
			continue;
		if (k == end || v->key[k] != v->key[i] || v->amount[k] != amount)
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
vectors_get(const struct vectors *v, uint32_t id, uint32_t key)
{
	const struct vector_item *t = &v->item[id];
	size_t lo = t->first, hi = t->first + t->n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (v->key[mid] < key)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < t->first + t->n && v->key[lo] == key ? v->amount[lo] : 0;
}
