/* Each cone is kept as its rays, which span it, and its constraints, if all of them are known.
 *
 * A pointed cone with all its constraints has unique rays in lowest terms. So two such cones are equal when their
 * sorted rays are. A hash of the rays separates most cones quickly, and still does when the rays were dropped to save
 * memory. */
#include "work/analysis/search_cones.h"

#include <stdlib.h>
#include <string.h>

#include "base/int128.h"
#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/cone/rows.h"
#include "core/cone/separate.h"

#define SECONDS 2.0 /* seconds for testing one ray against a cone without facets */

struct kept {
	struct fset on; /* the choice for which the cone was first made */
	uint64_t hash;  /* hash of the sorted rays as they were at first */
	size_t n, n_rays, n_equalities, n_inequalities;
	int64_t *ray, *equality, *inequality; /* sorted rays, NULL when dropped; constraints, NULL unless complete */
	bool complete;
	size_t bytes, used_at;
};

struct search_cones {
	struct kept *cone;
	size_t n, cap, bytes, bytes_max, clock;
	search_cones_again *again;
	void *ctx;
};

struct search_cones *
search_cones_new(search_cones_again *again, void *ctx)
{
	struct search_cones *s = mem_new(sizeof *s);

	s->again = again;
	s->ctx = ctx;
	s->bytes_max = SEARCH_CONES_BYTES_MAX;
	return s;
}

static void
search_cones_forget(struct kept *k)
{
	free(k->ray);
	free(k->equality);
	free(k->inequality);
	k->ray = k->equality = k->inequality = NULL;
}

void
search_cones_free(struct search_cones *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n; i++)
		search_cones_forget(&s->cone[i]);
	free(s->cone);
	free(s);
}

void
search_cones_set_bytes(struct search_cones *s, size_t bytes)
{
	s->bytes_max = bytes;
}

size_t
search_cones_bytes(const struct search_cones *s)
{
	return s->bytes;
}

static int
search_cones_compare_rows(const void *a, const void *b, void *width)
{
	const int64_t *x = a, *y = b;

	for (size_t i = 0; i < *(const size_t *)width; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

/* Returns a hash: FNV-1a with the 64-bit multiplier, eight bytes at a time, mixed so that all bits count. */
static uint64_t
mix_bits(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x100000001b3);
	return hash ^ hash >> 29;
}

/* Returns the sum of the rays' hashes, so that their order does not matter. */
static uint64_t
hash_of_rays(const struct cone *cone)
{
	uint64_t sum = cone->n_rays;

	for (size_t r = 0; r < cone->n_rays; r++) {
		uint64_t hash = UINT64_C(0xcbf29ce484222325);

		for (size_t i = 0; i < cone->n_counters; i++)
			hash = mix_bits(hash, (uint64_t)cone->ray[r * cone->n_counters + i]);
		sum += mix_bits(hash, hash >> 32);
	}
	return sum;
}

static uint64_t
with_counters(uint64_t hash, const bool *used, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (used[i])
			hash = mix_bits(hash, i);
	return hash;
}

static struct kept
search_cones_keep(const struct fset *on, const struct cone *cone)
{
	struct kept k = {.on = *on,
		.hash = hash_of_rays(cone),
		.n = cone->n_counters,
		.n_rays = cone->n_rays,
		.complete = cone->complete};
	size_t row = cone->n_counters * sizeof *cone->ray;

	k.ray = mem_copy(cone->ray, cone->n_rays * row);
	qsort_r(k.ray, k.n_rays, row, search_cones_compare_rows, &k.n);
	if (cone->complete) {
		k.n_equalities = cone->n_equalities;
		k.n_inequalities = cone->n_inequalities;
		k.equality = mem_copy(cone->equality, cone->n_equalities * row);
		k.inequality = mem_copy(cone->inequality, cone->n_inequalities * row);
	}
	k.bytes = (k.n_rays + k.n_equalities + k.n_inequalities) * row;
	return k;
}

static bool
ray_by_constraints(const struct kept *k, const int64_t *ray)
{
	for (size_t i = 0; i < k->n_equalities; i++)
		if (i128_dot(k->equality + i * k->n, ray, k->n))
			return false;
	for (size_t i = 0; i < k->n_inequalities; i++)
		if (i128_dot(k->inequality + i * k->n, ray, k->n) < 0)
			return false;
	return true;
}

static bool
ray_by_rays(const struct kept *kept, const int64_t *ray)
{
	i128 *sum = mem_new_array(kept->n, sizeof *sum);
	int64_t *weight = mem_new_array(kept->n, sizeof *weight), *a = mem_new_array(kept->n, sizeof *a);
	bool *likely = mem_new_array(kept->n_rays, sizeof *likely);
	enum separate_answer answer;

	for (size_t i = 0; i < kept->n; i++) {
		sum[i] = ray[i];
		weight[i] = 1;
	}
	answer = cone_separate(kept->n, kept->n_rays, kept->ray, sum, weight, likely, SECONDS, a);
	free(likely);
	free(a);
	free(weight);
	free(sum);
	switch (answer) {
	case SEPARATE_INSIDE:
	case SEPARATE_GAVE_UP:
		return true;
	case SEPARATE_OUTSIDE:
	case SEPARATE_TOO_LONG:
		break;
	}
	return false;
}

static bool
inside(const struct kept *a, const struct kept *b)
{
	for (size_t i = 0; i < a->n_rays; i++) {
		const int64_t *ray = a->ray + i * a->n;

		if (b->complete ? !ray_by_constraints(b, ray)
				: !rows_have(b->ray, b->n_rays, b->n, ray) && !ray_by_rays(b, ray))
			return false;
	}
	return true;
}

/* Drops the rays that were unused longest, but not those of these two cones. */
static void
search_cones_trim(struct search_cones *cones, size_t a, size_t b)
{
	while (cones->again && cones->bytes > cones->bytes_max) {
		size_t oldest = cones->n;

		for (size_t i = 0; i < cones->n; i++)
			if (cones->cone[i].ray && i != a && i != b &&
				(oldest == cones->n || cones->cone[i].used_at < cones->cone[oldest].used_at))
				oldest = i;
		if (oldest == cones->n)
			return;
		cones->bytes -= cones->cone[oldest].bytes;
		search_cones_forget(&cones->cone[oldest]);
	}
}

/* Makes the cone's rays again if they were dropped. When time is short, the new cone may have fewer facets than at
 * first. */
static void
fetch(struct search_cones *cones, size_t id)
{
	struct kept *kept = &cones->cone[id], made;

	kept->used_at = ++cones->clock;
	if (kept->ray)
		return;
	made = search_cones_keep(&kept->on, cones->again(cones->ctx, &kept->on));
	made.hash = kept->hash;
	made.used_at = kept->used_at;
	*kept = made;
	cones->bytes += kept->bytes;
}

/* True when the cones are equal. Cones with all their facets and different hashes differ, even while their rays are
 * dropped. */
static bool
search_cones_is_equal(struct search_cones *s, size_t id, const struct kept *k)
{
	const struct kept *old = &s->cone[id];

	if (old->complete && k->complete && old->hash != k->hash)
		return false;
	fetch(s, id);
	search_cones_trim(s, id, id);
	if (old->n_rays == k->n_rays && memcmp(old->ray, k->ray, k->n_rays * k->n * sizeof *k->ray) == 0)
		return true;
	return !(old->complete && k->complete) && inside(old, k) && inside(k, old);
}

size_t
search_cones_id(struct search_cones *cones, const struct fset *on, const struct cone *cone)
{
	struct kept k = search_cones_keep(on, cone);

	for (size_t i = 0; i < cones->n; i++)
		if (search_cones_is_equal(cones, i, &k)) {
			search_cones_forget(&k);
			return i;
		}
	mem_grow(&cones->cone, &cones->cap, cones->n + 1, sizeof *cones->cone);
	k.used_at = ++cones->clock;
	cones->cone[cones->n] = k;
	cones->bytes += k.bytes;
	cones->n++;
	search_cones_trim(cones, cones->n - 1, cones->n - 1);
	return cones->n - 1;
}

size_t
search_cones_n(const struct search_cones *s)
{
	return s->n;
}

uint64_t
search_cone_fingerprint(const struct cone *c, const bool *used, size_t n)
{
	return with_counters(hash_of_rays(c), used, n);
}

uint64_t
search_cones_fingerprint(const struct search_cones *s, size_t id, const bool *used, size_t n)
{
	return with_counters(s->cone[id].hash, used, n);
}

bool
search_cones_inside(struct search_cones *s, size_t smaller, size_t larger)
{
	if (smaller == larger)
		return true;
	fetch(s, smaller);
	fetch(s, larger);
	search_cones_trim(s, smaller, larger);
	return inside(&s->cone[smaller], &s->cone[larger]);
}

bool
search_cones_at_hand(const struct search_cones *s, size_t id)
{
	return s->cone[id].ray;
}
