/* Finds the constraints of the cone that a whole region violates. */
#include "core/verdict/decide.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/stats/region.h"
#include "core/verdict/certify.h"

double
decide_row_at_mean(const struct region *r, const int64_t *row, double *size)
{
	double s = 0;

	*size = 0;
	for (size_t i = 0; i < r->n; i++) {
		s += (double)row[i] * r->mean[i];
		*size += fabs((double)row[i] * r->mean[i]);
	}
	return s;
}

/* Largest distance of row·v from its value at the mean, within the region without its slack. */
static double
noise_reach(const struct decision *decision, const int64_t *row, enum region_kind kind)
{
	const struct region *region = decision->region;
	double s = 0;

	switch (kind) {
	case REGION_ELLIPSOID:
	case REGION_CONE:
		for (size_t i = 0; i < region->n; i++) {
			double t = 0;

			if (row[i] == 0)
				continue;
			for (size_t j = 0; j < i; j++)
				if (row[j])
					t += (double)row[j] * spread_at(decision->spread, region->n, i, j);
			s += (double)row[i] * (2 * t + (double)row[i] * decision->spread->variance[i]);
		}
		return sqrt(fmax(0, decision->reach2 * s));
	case REGION_BOX:
		region_axes(region);
		for (size_t k = 0; k < region->n; k++) {
			double t = 0;

			for (size_t i = 0; i < region->n; i++)
				t += (double)row[i] * region->eigenvector[k * region->n + i];
			s += fabs(t) * sqrt(region->eigenvalue[k] * decision->reach2);
		}
		return s;
	case REGION_INDEPENDENT:
		for (size_t i = 0; i < region->n; i++)
			s += fabs((double)row[i]) * sqrt(region->spread.variance[i] * decision->reach2);
		return s;
	}
	return INFINITY;
}

/* The same within the region and its slack. */
static double
row_reach(const struct decision *w, const int64_t *row, enum region_kind kind)
{
	const struct region *r = w->region;
	double s = 0;

	for (size_t i = 0; i < r->n && r->slack; i++)
		s += fabs((double)row[i]) * r->slack[i];
	return r->point ? s : s + noise_reach(w, row, kind);
}

struct across
verdict_across(const struct region *r, const int64_t *coef, enum region_kind kind, double reach2)
{
	struct decision w = {
		.region = r, .reach2 = reach2, .spread = kind == REGION_CONE && r->bursty ? &r->shape : &r->spread};
	struct across x = {0};

	x.at = decide_row_at_mean(r, coef, &x.size);
	if (r->point || (region_has_noise_model(r) && reach2 > 0))
		x.reach = row_reach(&w, coef, kind);
	return x;
}

static int
compare_violations(const void *va, const void *vb)
{
	const struct violation *a = va, *b = vb;

	if (a->margin < b->margin || a->margin > b->margin)
		return a->margin > b->margin ? -1 : 1;
	if (a->counters != b->counters)
		return a->counters < b->counters ? -1 : 1;
	if (a->equality != b->equality)
		return a->equality ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

/* Returns true if the whole region is on the wrong side of row k. *most is the largest value of ±row·v in it. */
static bool
violates(const struct decision *w, size_t k, enum region_kind kind, double at_mean, double size, double *most)
{
	bool equality = k < w->cone->n_equalities;
	int sign;

	*most = (equality ? -fabs(at_mean) : at_mean) + row_reach(w, cone_row(w->cone, k), kind);
	if (!w->region->point || w->region->slack)
		return *most < -1e-12 * size; /* a smaller value may come from rounding */
	sign = certify_sign(w->region, cone_row(w->cone, k));
	return equality ? sign != 0 : sign < 0;
}

static size_t
row_counters(const struct decision *w, const int64_t *row)
{
	size_t n = 0;

	for (size_t i = 0; i < w->cone->n_counters; i++)
		n += row[i] != 0;
	return n;
}

struct violation *
decide_violations(const struct decision *decision, enum region_kind kind, size_t *n)
{
	size_t e = decision->cone->n_equalities, m = e + decision->cone->n_inequalities;
	struct violation *violation = mem_new_array(m, sizeof *violation);

	*n = 0;
	for (size_t k = 0; k < m; k++) {
		double size, most, at_mean = decide_row_at_mean(decision->region, cone_row(decision->cone, k), &size);

		if (violates(decision, k, kind, at_mean, size, &most))
			violation[(*n)++] = (struct violation){.equality = k < e, .row = k < e ? k : k - e,
				.margin = size > 0 ? -most / size : 0, .excess = at_mean,
				.counters = row_counters(decision, cone_row(decision->cone, k))};
	}
	qsort(violation, *n, sizeof *violation, compare_violations);
	return violation;
}

struct violation *
decide_most_violated(const struct decision *decision, enum region_kind kind)
{
	size_t e = decision->cone->n_equalities, m = e + decision->cone->n_inequalities;
	struct violation *worst = NULL;
	double farthest = 0;

	for (size_t k = 0; k < m; k++) {
		const int64_t *row = cone_row(decision->cone, k);
		double size, at = decide_row_at_mean(decision->region, row, &size),
			     reach = row_reach(decision, row, kind), off = k < e ? fabs(at) : -at,
			     far = reach > 0 ? off / reach
			: off > 0            ? INFINITY
					     : 0;

		if (!(far > farthest))
			continue;
		farthest = far;
		worst = worst ? worst : mem_new(sizeof *worst);
		*worst = (struct violation){.equality = k < e, .row = k < e ? k : k - e,
			.margin = size > 0 ? (off - reach) / size : 0, .excess = at,
			.counters = row_counters(decision, row)};
	}
	return worst;
}
