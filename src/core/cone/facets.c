/* Rays are inserted one by one in lexicographic order (insertion.h); that order keeps the number of intermediate facets
 * small. 64-bit numbers nearly always suffice. If they do not, PPL's double description takes over with integers of any
 * length. It works in the free coordinates: a column in which an equality leads is left out, because the other columns
 * determine it on the cone. */
#include "core/cone/facets.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/int128.h"
#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/cone/double_description.h"
#include "core/cone/insertion.h"
#include "core/cone/rows.h"
#include "core/cone/rref.h"

/* The marked signatures, sorted; the caller frees. */
static int64_t *
sorted(const struct cone *c, const bool *mark, size_t *m)
{
	size_t n = c->n_counters;
	int64_t *v = mem_new_array(c->n_signatures * n, sizeof *v);

	*m = 0;
	for (size_t i = 0; i < c->n_signatures; i++)
		if (mark[i])
			memcpy(v + (*m)++ * n, c->signature + i * n, n * sizeof *v);
	rows_sort(n, *m, v);
	return v;
}

/* Subtracts equalities until the row is 0 in each column in which one leads; false when a number does not fit. */
static bool
clear_leads(size_t n, const struct rref *eq, int64_t *row)
{
	for (size_t k = 0; k < eq->n_rows; k++) {
		const int64_t *e = eq->row + k * n;
		int64_t a = e[eq->pivot[k]], b = row[eq->pivot[k]];

		for (size_t j = 0; j < n && b; j++) {
			i128 t = (i128)a * row[j] - (i128)b * e[j];

			if (t > INT64_MAX || t < -INT64_MAX)
				return false;
			row[j] = (int64_t)t;
		}
		if (b)
			rows_reduce(row, n);
	}
	return true;
}

/* Takes over the result of the insertion; false when 64 bits were not enough. */
static bool
facets_conclude(struct insertion *insertion, enum insertion_end end, const struct rref *eq, struct facets *out)
{
	bool fits = true;

	*out = (struct facets){0};
	switch (end) {
	case INSERTION_WIDE:
		return false;
	case INSERTION_LATE:
		out->failure = "the time limit was reached";
		return true;
	case INSERTION_CROWDED:
		out->failure = "there are too many of them";
		return true;
	case INSERTION_DONE:
		break;
	}
	for (size_t f = 0; f < insertion->n_facets && fits; f++)
		fits = clear_leads(insertion->n, eq, insertion->facet + f * insertion->n);
	if (!fits)
		return false;
	insertion_keep_extreme(insertion);
	*out = (struct facets){.n_facets = insertion->n_facets,
		.n_rays = insertion->n_rays,
		.facet = insertion->facet,
		.ray = insertion->ray};
	insertion->facet = insertion->ray = NULL;
	return true;
}

static void
copy_free_columns(size_t n, const struct rref *eq, const int64_t *v, int64_t *out)
{
	for (size_t j = 0, k = 0; j < n; j++)
		if (k < eq->n_rows && eq->pivot[k] == j)
			k++;
		else
			*out++ = v[j];
}

/* Finds the signature that each of PPL's rays is: PPL gives them in the free coordinates. */
static bool
lift_rays(size_t n, size_t free_n, size_t m, const int64_t *v, const int64_t *reduced,
	const struct double_description *dd, struct facets *out)
{
	struct rows_set seen = rows_set_new(free_n, m);
	bool known = true;

	for (size_t i = 0; i < m; i++)
		*rows_set_slot(&seen, reduced, reduced + i * free_n) = i + 1;
	out->ray = mem_new_array(dd->n_rays * n, sizeof *out->ray);
	for (size_t i = 0; i < dd->n_rays && known; i++) {
		size_t at = *rows_set_slot(&seen, reduced, dd->ray + i * free_n);

		known = at > 0;
		if (known)
			memcpy(out->ray + out->n_rays++ * n, v + (at - 1) * n, n * sizeof *v);
	}
	free(seen.slot);
	return known;
}

static void
lift_facets(size_t n, size_t free_n, const struct rref *eq, const struct double_description *dd, struct facets *out)
{
	out->n_facets = dd->n_facets;
	out->n_lost = dd->n_lost;
	out->facet = mem_new_array(dd->n_facets * n, sizeof *out->facet);
	for (size_t f = 0; f < dd->n_facets; f++)
		for (size_t j = 0, k = 0, at = 0; j < n; j++)
			if (k < eq->n_rows && eq->pivot[k] == j)
				k++;
			else
				out->facet[f * n + j] = dd->facet[f * free_n + at++];
}

static void
by_ppl(size_t n, size_t m, const int64_t *v, const struct rref *eq, double seconds, struct facets *out)
{
	size_t free_n = n - eq->n_rows;
	int64_t *reduced = mem_new_array(m * free_n, sizeof *reduced);
	struct double_description dd;

	*out = (struct facets){0};
	for (size_t i = 0; i < m; i++) {
		copy_free_columns(n, eq, v + i * n, reduced + i * free_n);
		rows_reduce(reduced + i * free_n, free_n);
	}
	double_description_find(free_n, m, reduced, seconds, &dd);
	if (dd.failure)
		out->failure = dd.failure;
	else if (!lift_rays(n, free_n, m, v, reduced, &dd, out))
		out->failure = "PPL gave an extreme ray that is no signature";
	else
		lift_facets(n, free_n, eq, &dd, out);
	double_description_free(&dd);
	free(reduced);
}

void
facets_find(const struct cone *cone, const bool *mark, const struct rref *eq, double deadline, struct facets *out)
{
	size_t m;
	int64_t *v = sorted(cone, mark, &m);
	struct insertion s;

	insertion_open_empty(&s, cone->n_counters, m, deadline);
	/* PPL counts CPU time and checks it rarely, so it gets half of the time that is left. */
	if (!facets_conclude(&s, insertion_add(&s, m, v), eq, out))
		by_ppl(cone->n_counters, m, v, eq, (deadline - clock_seconds()) / 2, out);
	insertion_close(&s);
	free(v);
}

bool
facets_grow(const struct cone *cone, const struct cone *old, const bool *mark, const struct rref *eq, double deadline,
	struct facets *out)
{
	size_t m;
	int64_t *v = sorted(cone, mark, &m);
	struct insertion s;
	bool good;

	insertion_open(&s, old->n_counters, old->n_equalities, old->equality, old->n_inequalities, old->inequality,
		old->n_rays, old->ray, m, deadline);
	good = facets_conclude(&s, insertion_add(&s, m, v), eq, out);
	insertion_close(&s);
	free(v);
	return good;
}

void
facets_free(struct facets *f)
{
	free(f->facet);
	free(f->ray);
	*f = (struct facets){0};
}
