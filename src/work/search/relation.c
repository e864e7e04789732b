/* A cone is inside another when each of its rays is. If the other cone has all its facets, that is the sign of a scalar
 * product. Otherwise exact separation finds a constraint (core/cone/separate.h). */
#include "work/search/relation.h"

#include <stdlib.h>
#include <string.h>

#include "base/int128.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/cone/rows.h"
#include "core/cone/separate.h"

struct breaking_rows {
	const struct relation_side *keeper, *other;
	struct relation_row *row;
	size_t n, cap, width;
	bool outside; /* some ray is outside, but the constraint that it breaks is unknown */
	bool open;    /* some ray could not be decided */
};

static int64_t
saturate(i128 v)
{
	return v > INT64_MAX ? INT64_MAX : v < INT64_MIN ? INT64_MIN : (int64_t)v;
}

static bool
is_simpler(const struct breaking_rows *w, size_t a, size_t b)
{
	const int64_t *signature = w->other->signature;

	return rows_size_compare(rows_size(signature + a * w->width, w->width),
		rows_size(signature + b * w->width, w->width)) < 0;
}

/* Keeps the row if some signature of the other side breaks it. */
static void
try_row(struct breaking_rows *rows, const int64_t *coef, bool equality, bool facet)
{
	struct relation_row r = {.equality = equality, .facet = facet};

	for (size_t k = 0; k < rows->other->n; k++) {
		i128 v = i128_dot(coef, rows->other->signature + k * rows->width, rows->width);

		if (v == 0 || (v > 0 && !equality))
			continue;
		if (r.breaking++ == 0 || is_simpler(rows, k, r.simplest)) {
			r.simplest = k;
			r.value = saturate(v);
		}
	}
	if (!r.breaking)
		return;
	r.coef = mem_copy(coef, rows->width * sizeof *coef);
	mem_grow(&rows->row, &rows->cap, rows->n + 1, sizeof *rows->row);
	rows->row[rows->n++] = r;
}

static bool
breaks_known(const struct breaking_rows *w, const int64_t *ray)
{
	for (size_t i = 0; i < w->n; i++) {
		i128 v = i128_dot(w->row[i].coef, ray, w->width);

		if (v < 0 || (v > 0 && w->row[i].equality))
			return true;
	}
	return false;
}

/* Tests one ray of the other side against the rays of a cone without facets. */
static void
separate(struct breaking_rows *rows, const int64_t *ray, i128 *sum, int64_t *weight, int64_t *coef)
{
	const struct cone *cone = rows->keeper->cone;
	bool *likely = mem_new_array(cone->n_rays, sizeof *likely);

	for (size_t i = 0; i < rows->width; i++) {
		sum[i] = ray[i];
		weight[i] = 1;
	}
	switch (cone_separate(rows->width, cone->n_rays, cone->ray, sum, weight, likely, RELATION_SECONDS, coef)) {
	case SEPARATE_INSIDE:
		break;
	case SEPARATE_OUTSIDE:
		try_row(rows, coef, false, false);
		break;
	case SEPARATE_TOO_LONG:
		rows->outside = true;
		break;
	case SEPARATE_GAVE_UP:
		rows->open = true;
		break;
	}
	free(likely);
}

static void
separate_rays(struct breaking_rows *rows)
{
	const struct cone *cone = rows->other->cone;
	i128 *sum = mem_new_array(rows->width, sizeof *sum);
	int64_t *weight = mem_new_array(rows->width, sizeof *weight), *coef = mem_new_array(rows->width, sizeof *coef);

	for (size_t k = 0; k < cone->n_rays && !rows->open; k++) {
		const int64_t *ray = cone->ray + k * rows->width;

		if (!rows_have(rows->keeper->cone->ray, rows->keeper->cone->n_rays, rows->width, ray) &&
			!breaks_known(rows, ray))
			separate(rows, ray, sum, weight, coef);
	}
	free(sum);
	free(weight);
	free(coef);
}

struct ordered {
	struct relation_row row;
	struct rows_size size;
	size_t at;
};

static int
relation_compare_rows(const void *va, const void *vb)
{
	const struct ordered *a = va, *b = vb;

	int by_size = rows_size_compare(a->size, b->size);

	return by_size ? by_size : a->at < b->at ? -1 : a->at > b->at;
}

static void
sort_rows(struct breaking_rows *w)
{
	struct ordered *o = mem_new_array(w->n, sizeof *o);

	for (size_t i = 0; i < w->n; i++)
		o[i] = (struct ordered){.row = w->row[i], .size = rows_size(w->row[i].coef, w->width), .at = i};
	if (w->n)
		qsort(o, w->n, sizeof *o, relation_compare_rows);
	for (size_t i = 0; i < w->n; i++)
		w->row[i] = o[i].row;
	free(o);
}

static struct breaking_rows
find_broken(const struct relation_side *keeper, const struct relation_side *other)
{
	struct breaking_rows w = {.keeper = keeper, .other = other, .width = keeper->cone->n_counters};
	const struct cone *cone = keeper->cone;

	for (size_t i = 0; i < cone->n_equalities; i++)
		try_row(&w, cone->equality + i * w.width, true, true);
	for (size_t i = 0; i < cone->n_inequalities; i++)
		try_row(&w, cone->inequality + i * w.width, false, true);
	if (!cone->complete)
		separate_rays(&w);
	sort_rows(&w);
	return w;
}

void
relation_find(const struct relation_side side[2], struct relation *out)
{
	bool outside[2], open = false; /* outside[k]: the other side is not inside side k */

	*out = (struct relation){.kind = RELATION_UNKNOWN};
	for (int k = 0; k < 2; k++) {
		struct breaking_rows w = find_broken(&side[k], &side[1 - k]);

		out->row[k] = w.row;
		out->n[k] = w.n;
		outside[k] = w.n || w.outside;
		open |= !outside[k] && w.open;
	}
	if (outside[0] && outside[1])
		out->kind = RELATION_NEITHER;
	else if (!open)
		out->kind = outside[0] ? RELATION_INSIDE : outside[1] ? RELATION_CONTAINS : RELATION_EQUAL;
}

void
relation_free(struct relation *r)
{
	for (int k = 0; k < 2; k++) {
		for (size_t i = 0; i < r->n[k]; i++)
			free(r->row[k][i].coef);
		free(r->row[k]);
	}
	*r = (struct relation){.kind = RELATION_UNKNOWN};
}

const char *
relation_name(enum relation_kind k)
{
	switch (k) {
	case RELATION_EQUAL:
		return "equal";
	case RELATION_INSIDE:
		return "inside";
	case RELATION_CONTAINS:
		return "contains";
	case RELATION_NEITHER:
		return "neither";
	case RELATION_UNKNOWN:
		break;
	}
	return "unknown";
}

static void
relation_add_terms(const int64_t *coef, int sign, const char *const *name, size_t n, struct str *out)
{
	size_t some = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t size = coef[i] < 0 ? -(uint64_t)coef[i] : (uint64_t)coef[i];

		if (!coef[i] || (coef[i] > 0) != (sign > 0))
			continue;
		str_add(out, some++ ? " + " : "");
		if (size > 1)
			str_addf(out, "%llu ", (unsigned long long)size);
		str_add(out, name[i]);
	}
	if (!some)
		str_add(out, "0");
}

void
relation_broken_text(const int64_t *coef, int64_t value, const char *const *name, size_t n, struct str *out)
{
	int larger = value < 0 ? -1 : 1;

	relation_add_terms(coef, larger, name, n, out);
	str_add(out, " > ");
	relation_add_terms(coef, -larger, name, n, out);
}
