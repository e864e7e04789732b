/* Of a cone its rays are kept, which span it, and its constraints, if they are all there. A pointed cone with all its constraints has
 * its rays in lowest terms and no others, so two are equal when the sorted rays are. */
#include "app/search_cones.h"

#include <stdlib.h>
#include <string.h>

#include "base/int128.h"
#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/cone/separate.h"

#define SECONDS 2.0 /* for one ray against a cone without facets */

struct kept {
	size_t n, n_rays, n_equalities, n_inequalities;
	int64_t *ray, *equality, *inequality; /* rays sorted; constraints NULL unless complete */
	bool complete;
};

struct search_cones {
	struct kept *cone;
	size_t n, cap;
};

struct search_cones *
search_cones_new(void)
{
	return mem_new(sizeof(struct search_cones));
}

void
search_cones_free(struct search_cones *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n; i++) {
		free(s->cone[i].ray);
		free(s->cone[i].equality);
		free(s->cone[i].inequality);
	}
	free(s->cone);
	free(s);
}

static int
compare_rows(const void *a, const void *b, void *width)
{
	const int64_t *x = a, *y = b;

	for (size_t i = 0; i < *(const size_t *)width; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

static struct kept
keep(const struct cone *c)
{
	struct kept k = {.n = c->n_counters, .n_rays = c->n_rays, .complete = c->complete};
	size_t row = c->n_counters * sizeof *c->ray;

	k.ray = mem_copy(c->ray, c->n_rays * row);
	qsort_r(k.ray, k.n_rays, row, compare_rows, &k.n);
	if (c->complete) {
		k.n_equalities = c->n_equalities;
		k.n_inequalities = c->n_inequalities;
		k.equality = mem_copy(c->equality, c->n_equalities * row);
		k.inequality = mem_copy(c->inequality, c->n_inequalities * row);
	}
	return k;
}

static i128
times(const int64_t *a, const int64_t *b, size_t n)
{
	i128 sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (i128)a[i] * b[i];
	return sum;
}

static bool
ray_by_constraints(const struct kept *k, const int64_t *ray)
{
	for (size_t i = 0; i < k->n_equalities; i++)
		if (times(k->equality + i * k->n, ray, k->n))
			return false;
	for (size_t i = 0; i < k->n_inequalities; i++)
		if (times(k->inequality + i * k->n, ray, k->n) < 0)
			return false;
	return true;
}

static bool
ray_by_rays(const struct kept *k, const int64_t *ray)
{
	i128 *sum = mem_new_array(k->n, sizeof *sum);
	int64_t *weight = mem_new_array(k->n, sizeof *weight), *a = mem_new_array(k->n, sizeof *a);
	bool *likely = mem_new_array(k->n_rays, sizeof *likely);
	enum separate_answer answer;

	for (size_t i = 0; i < k->n; i++) {
		sum[i] = ray[i];
		weight[i] = 1;
	}
	answer = cone_separate(k->n, k->n_rays, k->ray, sum, weight, likely, SECONDS, a);
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
has_ray(const struct kept *k, const int64_t *ray)
{
	for (size_t i = 0; i < k->n_rays; i++)
		if (memcmp(k->ray + i * k->n, ray, k->n * sizeof *ray) == 0)
			return true;
	return false;
}

static bool
inside(const struct kept *a, const struct kept *b)
{
	for (size_t i = 0; i < a->n_rays; i++) {
		const int64_t *ray = a->ray + i * a->n;

		if (b->complete ? !ray_by_constraints(b, ray) : !has_ray(b, ray) && !ray_by_rays(b, ray))
			return false;
	}
	return true;
}

static bool
equal(const struct kept *a, const struct kept *b)
{
	bool same = a->n_rays == b->n_rays && memcmp(a->ray, b->ray, a->n_rays * a->n * sizeof *a->ray) == 0;

	return same || (!(a->complete && b->complete) && inside(a, b) && inside(b, a));
}

size_t
search_cones_id(struct search_cones *s, const struct cone *c)
{
	struct kept k = keep(c);

	for (size_t i = 0; i < s->n; i++)
		if (equal(&s->cone[i], &k)) {
			free(k.ray);
			free(k.equality);
			free(k.inequality);
			return i;
		}
	mem_grow(&s->cone, &s->cap, s->n + 1, sizeof *s->cone);
	s->cone[s->n] = k;
	return s->n++;
}

size_t
search_cones_n(const struct search_cones *s)
{
	return s->n;
}

/* FNV-1a with the multiplier of 64 bits, eight bytes at a time, and stirred so that all bits count. */
static uint64_t
stir(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x100000001b3);
	return hash ^ hash >> 29;
}

uint64_t
search_cones_fingerprint(const struct search_cones *s, size_t id, const bool *used, size_t n)
{
	const struct kept *k = &s->cone[id];
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < n; i++)
		if (used[i])
			hash = stir(hash, i);
	hash = stir(hash, k->n_rays);
	for (size_t i = 0; i < k->n_rays * k->n; i++)
		hash = stir(hash, (uint64_t)k->ray[i]);
	return hash;
}

bool
search_cones_inside(const struct search_cones *s, size_t smaller, size_t larger)
{
	return smaller == larger || inside(&s->cone[smaller], &s->cone[larger]);
}
