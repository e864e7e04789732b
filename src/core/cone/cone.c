/* From signatures to a cone, in five steps:
 *
 *   signatures → distinct directions → equalities → facets and extreme rays → normal form → order
 *                                                   in the free coordinates
 *
 * The equalities come first, so that PPL works on a cone of full dimension: the columns where an equality leads are left
 * out, which on the cone loses nothing, and facets are then unique up to scale. */
#include "core/cone/cone.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/cone/double_description.h"
#include "core/cone/midpoints.h"
#include "core/cone/normal_form.h"
#include "core/cone/ppl_session.h"
#include "core/cone/rref.h"

static uint64_t
magnitude(int64_t x)
{
	return x < 0 ? -(uint64_t)x : (uint64_t)x;
}

/* Divide by the greatest common divisor; false for a row of zeros. */
static bool
reduce(int64_t *v, size_t n)
{
	uint64_t g = 0;

	for (size_t j = 0; j < n && g != 1; j++)
		for (uint64_t b = magnitude(v[j]); b;) {
			uint64_t r = g % b;

			g = b;
			b = r;
		}
	if (g > 1)
		for (size_t j = 0; j < n; j++)
			v[j] = v[j] < 0 ? -(int64_t)(magnitude(v[j]) / g) : (int64_t)(magnitude(v[j]) / g);
	return g > 0;
}

/* A set of rows of n numbers, by open addressing; the rows stand elsewhere, one behind the other. */
struct row_set {
	size_t n, slots;
	size_t *slot; /* row + 1, 0 is free */
};

static uint64_t
hash_row(const int64_t *v, size_t n)
{
	uint64_t h = 0x9e3779b97f4a7c15u;

	for (size_t j = 0; j < n; j++) {
		h = (h ^ (uint64_t)v[j]) * 0xbf58476d1ce4e5b9u;
		h ^= h >> 29;
	}
	return h;
}

static struct row_set
row_set(size_t n, size_t rows)
{
	struct row_set s = {.n = n, .slots = 16};

	while (s.slots < 2 * rows)
		s.slots *= 2;
	s.slot = mem_new_array(s.slots, sizeof *s.slot);
	return s;
}

/* The slot of the row that equals v, or the free one where it belongs. */
static size_t *
row_slot(const struct row_set *s, const int64_t *rows, const int64_t *v)
{
	size_t i = (size_t)hash_row(v, s->n) & (s->slots - 1);

	while (s->slot[i] && memcmp(rows + (s->slot[i] - 1) * s->n, v, s->n * sizeof *v))
		i = (i + 1) & (s->slots - 1);
	return &s->slot[i];
}

/* Distinct directions in order of first appearance. */
static void
take_signatures(struct cone *c, size_t m, const int64_t *signature)
{
	struct row_set seen;

	m = c->n_counters > 0 ? m : 0;
	seen = row_set(c->n_counters, m);
	c->signature = mem_new_array(m * c->n_counters, sizeof *c->signature);
	for (size_t i = 0; i < m; i++) {
		int64_t *to = c->signature + c->n_signatures * c->n_counters;
		size_t *slot;

		memcpy(to, signature + i * c->n_counters, c->n_counters * sizeof *to);
		if (!reduce(to, c->n_counters))
			continue;
		slot = row_slot(&seen, c->signature, to);
		if (*slot == 0)
			*slot = ++c->n_signatures;
	}
	free(seen.slot);
}

static void
use_all_rays(struct cone *c)
{
	free(c->ray);
	c->n_rays = c->n_signatures;
	c->ray = mem_copy(c->signature, c->n_signatures * c->n_counters * sizeof *c->ray);
}

/* Without facets this much is valid still: no counter that rises at all is negative. */
static void
use_non_negativity(struct cone *c)
{
	size_t n = c->n_counters;

	free(c->inequality);
	c->inequality = mem_new_array(n * n, sizeof *c->inequality);
	for (size_t i = 0; i < n; i++) {
		bool rises = false;

		for (size_t k = 0; k < c->n_signatures && !rises; k++)
			rises = c->signature[k * n + i] != 0;
		if (rises)
			c->inequality[c->n_inequalities++ * n + i] = 1;
	}
}

static void
give_up(struct cone *c, const char *reason)
{
	c->complete = false;
	c->reason = mem_str(reason);
	use_all_rays(c);
	if (c->n_inequalities == 0)
		use_non_negativity(c);
}

/* `reduced` are the signatures in the free coordinates; each extreme ray is one of them up to scale. Keeps the signatures'
 * order. */
static bool
take_rays(struct cone *c, size_t free_n, const int64_t *reduced, const struct double_description *dd)
{
	struct row_set seen = row_set(free_n, c->n_signatures);
	bool *extreme = mem_new_array(c->n_signatures, sizeof *extreme);
	bool known = true;

	for (size_t i = 0; i < c->n_signatures; i++)
		*row_slot(&seen, reduced, reduced + i * free_n) = i + 1;
	for (size_t i = 0; i < dd->n_rays && known; i++) {
		size_t at = *row_slot(&seen, reduced, dd->ray + i * free_n);

		known = at > 0;
		if (known)
			extreme[at - 1] = true;
	}
	c->ray = mem_new_array(dd->n_rays * c->n_counters, sizeof *c->ray);
	for (size_t i = 0; i < c->n_signatures && known; i++)
		if (extreme[i])
			memcpy(c->ray + c->n_rays++ * c->n_counters, c->signature + i * c->n_counters, c->n_counters * sizeof *c->ray);
	free(seen.slot);
	free(extreme);
	return known;
}

/* Simple constraints first: fewer counters, smaller coefficients, then counter order; a total order. */
struct ordered {
	const int64_t *row;
	size_t n, used;
	double sum;
};

static int
compare_rows(const void *va, const void *vb)
{
	const struct ordered *a = va, *b = vb;

	if (a->used != b->used)
		return a->used < b->used ? -1 : 1;
	if (a->sum < b->sum || a->sum > b->sum)
		return a->sum < b->sum ? -1 : 1;
	for (size_t j = 0; j < a->n; j++)
		if ((a->row[j] != 0) != (b->row[j] != 0))
			return a->row[j] ? -1 : 1;
	for (size_t j = 0; j < a->n; j++)
		if (a->row[j] != b->row[j])
			return a->row[j] > b->row[j] ? -1 : 1;
	return 0;
}

static void
take_facets(struct cone *c, size_t m, const int64_t *facet)
{
	struct ordered *o = mem_new_array(m, sizeof *o);
	size_t n = c->n_counters;

	for (size_t i = 0; i < m; i++) {
		o[i] = (struct ordered){.row = facet + i * n, .n = n};
		for (size_t j = 0; j < n; j++) {
			o[i].used += o[i].row[j] != 0;
			o[i].sum += (double)magnitude(o[i].row[j]);
		}
	}
	qsort(o, m, sizeof *o, compare_rows);
	c->inequality = mem_new_array(m * n, sizeof *c->inequality);
	for (size_t i = 0; i < m; i++)
		memcpy(c->inequality + i * n, o[i].row, n * sizeof *facet);
	c->n_inequalities = m;
	free(o);
}

/* Facets in the free coordinates back to all counters, in normal form. */
static size_t
lift_facets(struct cone *c, size_t free_n, const size_t *column, const struct double_description *dd)
{
	int64_t *facet = mem_new_array(dd->n_facets * c->n_counters, sizeof *facet);
	size_t lost;

	for (size_t i = 0; i < dd->n_facets; i++)
		for (size_t j = 0; j < free_n; j++)
			facet[i * c->n_counters + column[j]] = dd->facet[i * free_n + j];
	lost = normal_form(c->n_counters, c->n_equalities, c->equality, dd->n_facets, facet);
	take_facets(c, dd->n_facets - lost, facet);
	free(facet);
	return lost + dd->n_lost;
}

static void
derive(struct cone *c, const struct rref *eq, double seconds)
{
	size_t n = c->n_counters, free_n = 0, *column = mem_new_array(n, sizeof *column);
	size_t n_needed = 0;
	int64_t *reduced = mem_new_array(c->n_signatures * n, sizeof *reduced), *ray;
	bool *needed = mem_new_array(c->n_signatures, sizeof *needed);
	struct double_description dd;

	for (size_t j = 0, k = 0; j < n; j++)
		if (k < eq->n_rows && eq->pivot[k] == j)
			k++;
		else
			column[free_n++] = j;
	for (size_t i = 0; i < c->n_signatures; i++) {
		for (size_t j = 0; j < free_n; j++)
			reduced[i * free_n + j] = c->signature[i * n + column[j]];
		reduce(reduced + i * free_n, free_n);
	}
	midpoints_find(free_n, c->n_signatures, reduced, needed);
	ray = mem_new_array(c->n_signatures * free_n, sizeof *ray);
	for (size_t i = 0; i < c->n_signatures; i++)
		if (needed[i])
			memcpy(ray + n_needed++ * free_n, reduced + i * free_n, free_n * sizeof *ray);
	double_description(free_n, n_needed, ray, seconds, &dd);
	if (dd.failure) {
		char *why = str_format("the facets were given up after %.3g s: %s", seconds, dd.failure);

		give_up(c, why);
		free(why);
	} else if (!take_rays(c, free_n, reduced, &dd)) {
		give_up(c, "PPL gave an extreme ray that is no signature");
	} else if (lift_facets(c, free_n, column, &dd)) {
		give_up(c, "a facet has a coefficient beyond 64 bits");
	} else {
		c->complete = true;
	}
	double_description_free(&dd);
	free(needed);
	free(ray);
	free(reduced);
	free(column);
}

struct cone *
cone_new(size_t n_counters, size_t n, const int64_t *signature, const struct cone_limits *limits)
{
	struct cone *c = mem_new(sizeof *c);
	double start = clock_seconds(), seconds = limits && limits->seconds != 0 ? limits->seconds : PPL_SECONDS_DEFAULT;
	struct rref eq;

	c->n_counters = n_counters;
	take_signatures(c, n, signature);
	rref_equalities(n_counters, c->n_signatures, c->signature, &eq);
	c->n_equalities = eq.n_rows;
	c->equality = mem_copy(eq.row, eq.n_rows * n_counters * sizeof *eq.row);
	if (!eq.exact)
		give_up(c, "an equality has a coefficient beyond 64 bits");
	else if (seconds < 0)
		give_up(c, "no facets were asked for");
	else
		derive(c, &eq, seconds);
	rref_free(&eq);
	c->seconds = clock_seconds() - start;
	return c;
}

struct cone *
cone_project(const struct cone *c, const bool *keep, const struct cone_limits *limits)
{
	size_t n = 0;
	int64_t *v;
	struct cone *p;

	for (size_t j = 0; j < c->n_counters; j++)
		n += keep[j];
	v = mem_new_array(c->n_signatures * n, sizeof *v);
	for (size_t i = 0; i < c->n_signatures; i++)
		for (size_t j = 0, k = 0; j < c->n_counters; j++)
			if (keep[j])
				v[i * n + k++] = c->signature[i * c->n_counters + j];
	p = cone_new(n, c->n_signatures, v, limits);
	free(v);
	return p;
}

void
cone_free(struct cone *c)
{
	if (!c)
		return;
	free(c->signature);
	free(c->ray);
	free(c->equality);
	free(c->inequality);
	free(c->reason);
	free(c);
}
