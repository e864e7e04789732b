/* From signatures to a cone, in five steps:
 *
 *   signatures → distinct directions → equalities → facets and extreme rays → normal form → order
 *                                                   (facets.h)
 *
 * A cone that contains an older cone can be made from it: cone_grow() adds only the signatures outside the older one.
 * The normal form of the facets and the final order make the result the same either way. */
#include "core/cone/cone.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/int128.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/cone/facets.h"
#include "core/cone/normal_form.h"
#include "core/cone/rows.h"
#include "core/cone/rref.h"

#define SECONDS_DEFAULT 2.0

/* A cone under construction. */
struct cone_maker {
	struct cone *c;
	struct rows_set seen; /* the set of the cone's signatures */
	struct rref eq;
	bool *needed;         /* per signature, whether it may be an extreme ray; NULL until find_needed() is called */
	double seconds, deadline;
};

/* Takes over the distinct directions, in the order of first appearance. */
static void
take_signatures(struct cone_maker *maker, size_t m, const int64_t *signature)
{
	struct cone *cone = maker->c;

	m = cone->n_counters > 0 ? m : 0;
	maker->seen = rows_set_new(cone->n_counters, m);
	cone->signature = mem_new_array(m * cone->n_counters, sizeof *cone->signature);
	for (size_t i = 0; i < m; i++) {
		int64_t *to = cone->signature + cone->n_signatures * cone->n_counters;
		size_t *slot;

		memcpy(to, signature + i * cone->n_counters, cone->n_counters * sizeof *to);
		if (!rows_reduce(to, cone->n_counters))
			continue;
		slot = rows_set_slot(&maker->seen, cone->signature, to);
		if (*slot == 0)
			*slot = ++cone->n_signatures;
	}
	cone->signature = mem_resize(cone->signature, cone->n_signatures, cone->n_counters * sizeof *cone->signature);
}

/* Makes the marked signatures the rays. */
static void
take_rays(struct cone *cone, const bool *mark)
{
	size_t n = 0;

	for (size_t i = 0; i < cone->n_signatures; i++)
		n += mark[i];
	free(cone->ray);
	cone->ray = mem_new_array(n * cone->n_counters, sizeof *cone->ray);
	cone->n_rays = 0;
	for (size_t i = 0; i < cone->n_signatures; i++)
		if (mark[i])
			memcpy(cone->ray + cone->n_rays++ * cone->n_counters, cone->signature + i * cone->n_counters,
				cone->n_counters * sizeof *cone->ray);
}

/* Finds the signatures that the cone needs. A signature half-way between two others, seen in the free coordinates, is
 * not needed. */
static const bool *
find_needed(struct cone_maker *make)
{
	const struct cone *cone = make->c;
	const struct rref *eq = &make->eq;
	size_t n = cone->n_counters, free_n = n - eq->n_rows;
	int64_t *reduced;

	if (make->needed)
		return make->needed;
	reduced = mem_new_array(cone->n_signatures * free_n, sizeof *reduced);
	make->needed = mem_new_array(cone->n_signatures, sizeof *make->needed);
	for (size_t i = 0, at = 0; i < cone->n_signatures; i++) {
		for (size_t j = 0, k = 0; j < n; j++)
			if (k < eq->n_rows && eq->pivot[k] == j)
				k++;
			else
				reduced[at++] = cone->signature[i * n + j];
		rows_reduce(reduced + i * free_n, free_n);
	}
	midpoints_find(free_n, cone->n_signatures, reduced, make->needed);
	free(reduced);
	return make->needed;
}

/* Adds the constraints that are valid even without facets: every counter that rises on some signature is ≥ 0. */
static void
use_non_negativity(struct cone *cone)
{
	size_t n = cone->n_counters;

	free(cone->inequality);
	cone->inequality = mem_new_array(n * n, sizeof *cone->inequality);
	for (size_t i = 0; i < n; i++) {
		bool rises = false;

		for (size_t k = 0; k < cone->n_signatures && !rises; k++)
			rises = cone->signature[k * n + i] != 0;
		if (rises)
			cone->inequality[cone->n_inequalities++ * n + i] = 1;
	}
}

static void
cone_give_up(struct cone_maker *k, const char *reason)
{
	k->c->complete = false;
	k->c->reason = mem_str(reason);
	take_rays(k->c, find_needed(k));
	if (k->c->n_inequalities == 0)
		use_non_negativity(k->c);
}

/* Simple constraints come first: fewer counters, then smaller coefficients, then counter order. The order is total. */
struct ordered {
	const int64_t *row;
	size_t n;
	struct rows_size size;
};

static int
cone_compare_rows(const void *va, const void *vb)
{
	const struct ordered *a = va, *b = vb;
	int by_size = rows_size_compare(a->size, b->size);

	if (by_size)
		return by_size;
	for (size_t j = 0; j < a->n; j++)
		if ((a->row[j] != 0) != (b->row[j] != 0))
			return a->row[j] ? -1 : 1;
	for (size_t j = 0; j < a->n; j++)
		if (a->row[j] != b->row[j])
			return a->row[j] > b->row[j] ? -1 : 1;
	return 0;
}

static void
take_facets(struct cone *cone, size_t m, const int64_t *facet)
{
	struct ordered *ordered = mem_new_array(m, sizeof *ordered);
	size_t n = cone->n_counters;

	for (size_t i = 0; i < m; i++)
		ordered[i] = (struct ordered){facet + i * n, n, rows_size(facet + i * n, n)};
	qsort(ordered, m, sizeof *ordered, cone_compare_rows);
	cone->inequality = mem_new_array(m * n, sizeof *cone->inequality);
	for (size_t i = 0; i < m; i++)
		memcpy(cone->inequality + i * n, ordered[i].row, n * sizeof *facet);
	cone->n_inequalities = m;
	free(ordered);
}

/* Turns facets and rays as they were found into the cone's. */
static void
take_derived(struct cone_maker *maker, struct facets *facets)
{
	struct cone *cone = maker->c;
	size_t n = cone->n_counters, lost;
	bool *extreme;

	if (facets->failure) {
		char *why = str_format("the facets were given up after %.3g s: %s",
			clock_seconds() - maker->deadline + maker->seconds, facets->failure);

		cone_give_up(maker, why);
		free(why);
		return;
	}
	extreme = mem_new_array(cone->n_signatures, sizeof *extreme);
	for (size_t i = 0; i < facets->n_rays; i++)
		extreme[*rows_set_slot(&maker->seen, cone->signature, facets->ray + i * n) - 1] = true;
	take_rays(cone, extreme);
	free(extreme);
	rows_sort(n, facets->n_facets, facets->facet);
	lost = facets->n_lost +
		normal_form_choose(
			n, cone->n_equalities, cone->equality, facets->n_facets, facets->facet, maker->deadline);
	take_facets(cone, facets->n_facets + facets->n_lost - lost, facets->facet);
	if (lost)
		cone_give_up(maker, "a facet has a coefficient beyond 64 bits");
	else
		cone->complete = true;
}

static void
take_equalities(struct cone_maker *k)
{
	k->c->n_equalities = k->eq.n_rows;
	k->c->equality = mem_copy(k->eq.row, k->eq.n_rows * k->c->n_counters * sizeof *k->eq.row);
}

static struct cone_maker
cone_begin(size_t n_counters, size_t n, const int64_t *signature, const struct cone_limits *limits)
{
	struct cone_maker k = {.c = mem_new(sizeof *k.c)};

	k.seconds = limits && limits->seconds != 0 ? limits->seconds : SECONDS_DEFAULT;
	k.deadline = clock_seconds() + k.seconds;
	k.c->n_counters = n_counters;
	take_signatures(&k, n, signature);
	return k;
}

static struct cone *
cone_end(struct cone_maker *k)
{
	k->c->seconds = clock_seconds() - (k->deadline - k->seconds);
	free(k->seen.slot);
	free(k->needed);
	rref_free(&k->eq);
	return k->c;
}

static void
make_from_scratch(struct cone_maker *maker)
{
	struct cone *cone = maker->c;
	struct facets f;

	rref_equalities(cone->n_counters, cone->n_signatures, cone->signature, &maker->eq);
	take_equalities(maker);
	if (!maker->eq.exact) {
		cone_give_up(maker, "an equality has a coefficient beyond 64 bits");
	} else if (maker->seconds < 0) {
		cone_give_up(maker, "no facets were asked for");
	} else {
		facets_find(cone, find_needed(maker), &maker->eq, maker->deadline, &f);
		take_derived(maker, &f);
		facets_free(&f);
	}
}

struct cone *
cone_new(size_t n_counters, size_t n, const int64_t *signature, const struct cone_limits *limits)
{
	struct cone_maker k = cone_begin(n_counters, n, signature, limits);

	make_from_scratch(&k);
	return cone_end(&k);
}

static bool
is_outside(const struct cone *cone, const int64_t *v, size_t *entry)
{
	size_t n = cone->n_counters, used = 0;

	for (size_t j = 0; j < n; j++)
		if (v[j])
			entry[used++] = j;
	for (size_t r = 0; r < cone->n_equalities + cone->n_inequalities; r++) {
		const int64_t *row = cone_row(cone, r);
		i128 sum = 0;

		for (size_t k = 0; k < used; k++)
			if (__builtin_add_overflow(sum, (i128)row[entry[k]] * v[entry[k]], &sum))
				/* the insertion would overflow as well, and then the cone is made from scratch */
				return true;
		if (sum < 0 || (sum > 0 && r < cone->n_equalities))
			return true;
	}
	return false;
}

static const struct cone *
find_contained(const struct cone_maker *maker, const struct cone *const *from, size_t n_from)
{
	for (size_t at = 0; at < n_from; at++) {
		const struct cone *old = from[at];
		bool holds = old->complete && old->n_counters == maker->c->n_counters;

		for (size_t i = 0; i < old->n_rays && holds; i++)
			holds = *rows_set_slot(&maker->seen, maker->c->signature, old->ray + i * old->n_counters) != 0;
		if (holds)
			return old;
	}
	return NULL;
}

/* Marks the new signatures that lie outside the old cone. The caller frees. */
static bool *
find_outside(const struct cone_maker *maker, const struct cone *old)
{
	const struct cone *c = maker->c;
	size_t n = c->n_counters, *entry = mem_new_array(n, sizeof *entry);
	bool *outside = mem_new_array(c->n_signatures, sizeof *outside);

	memset(outside, true, c->n_signatures * sizeof *outside);
	for (size_t i = 0; i < old->n_signatures; i++) {
		size_t at = *rows_set_slot(&maker->seen, c->signature, old->signature + i * n);

		if (at)
			outside[at - 1] = false;
	}
	for (size_t i = 0; i < c->n_signatures; i++)
		outside[i] = outside[i] && is_outside(old, c->signature + i * n, entry);
	free(entry);
	return outside;
}

/* The equalities of the old cone that also hold on the added signatures. */
static bool
shrink_equalities(struct cone_maker *maker, const struct cone *old, const bool *outside)
{
	size_t n = maker->c->n_counters, m = 0;
	int64_t *v = mem_new_array(maker->c->n_signatures * n, sizeof *v);
	bool good;

	for (size_t i = 0; i < maker->c->n_signatures; i++)
		if (outside[i])
			memcpy(v + m++ * n, maker->c->signature + i * n, n * sizeof *v);
	good = rref_narrow(n, old->n_equalities, old->equality, m, v, &maker->eq);
	free(v);
	return good;
}

/* Returns false when the cone must be made from scratch after all; *k is unchanged then. */
static bool
make_by_growth(struct cone_maker *maker, const struct cone *old)
{
	bool *outside = find_outside(maker, old), good;
	struct facets f;

	good = shrink_equalities(maker, old, outside);
	if (good) {
		good = facets_grow(maker->c, old, outside, &maker->eq, maker->deadline, &f);
		if (!good)
			rref_free(&maker->eq);
	}
	free(outside);
	if (!good)
		return false;
	take_equalities(maker);
	take_derived(maker, &f);
	facets_free(&f);
	return true;
}

struct cone *
cone_grow(const struct cone *const *from, size_t n_from, size_t n_counters, size_t n, const int64_t *signature,
	const struct cone_limits *limits)
{
	struct cone_maker k = cone_begin(n_counters, n, signature, limits);
	const struct cone *old = k.seconds < 0 ? NULL : find_contained(&k, from, n_from);

	if (!old || !make_by_growth(&k, old))
		make_from_scratch(&k);
	return cone_end(&k);
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

/* The rows with the entry of `counter` multiplied by `one` and all other entries by `others`, then divided by their
 * greatest common divisor. Returns NULL if an entry does not fit. The caller frees. */
static int64_t *
stretch(const int64_t *row, size_t n, size_t width, size_t counter, int64_t one, int64_t others)
{
	int64_t *out = mem_new_array(n * width, sizeof *out);

	for (size_t k = 0; k < n; k++) {
		int64_t *to = out + k * width;

		for (size_t i = 0; i < width; i++) {
			if (__builtin_mul_overflow(row[k * width + i], i == counter ? one : others, &to[i]) ||
				to[i] == INT64_MIN) {
				free(out);
				return NULL;
			}
		}
		rows_reduce(to, width);
	}
	return out;
}

struct cone *
cone_scale(const struct cone *c, size_t counter, int64_t times, int64_t of)
{
	struct cone *s = mem_new(sizeof *s);
	int64_t divisor = (int64_t)u64_gcd((uint64_t)times, (uint64_t)of);
	size_t n = c->n_counters;

	times /= divisor;
	of /= divisor;
	*s = *c;
	s->reason = c->reason ? mem_str(c->reason) : NULL;
	/* A point's counter becomes times/of as large, so a constraint's coefficient becomes of/times as large. */
	s->signature = stretch(c->signature, c->n_signatures, n, counter, times, of);
	s->ray = stretch(c->ray, c->n_rays, n, counter, times, of);
	s->equality = stretch(c->equality, c->n_equalities, n, counter, of, times);
	s->inequality = stretch(c->inequality, c->n_inequalities, n, counter, of, times);
	if (s->signature && s->ray && s->equality && s->inequality)
		return s;
	cone_free(s);
	return NULL;
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

size_t
cone_bytes(const struct cone *c)
{
	return sizeof *c +
		(c->n_signatures + c->n_rays + c->n_equalities + c->n_inequalities) * c->n_counters * sizeof(int64_t);
}
