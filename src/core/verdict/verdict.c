#include "core/verdict/verdict.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/panic.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/stats/region.h"
#include "core/stats/sequence.h"
#include "core/verdict/box.h"
#include "core/verdict/certificate.h"
#include "core/verdict/flow.h"
#include "core/verdict/point.h"
#include "core/verdict/projection.h"

#define MARGIN 1e-6 /* |d²/threshold − 1| up to which a verdict is borderline */

/* What one region came to. */
struct answer {
	enum verdict_kind verdict;
	const char *reason;
	int64_t *certificate;
	double *inside; /* feasible: a point of the cone in the region */
};

struct work {
	const struct cone *cone;
	const struct region *region;
	double q;
	struct projection near; /* in the metric of Σ */
	double *half;           /* n: of the box at hand */
	struct answer answer[3];
};

/* row·(mean) and Σ|coef|·mean. */
static double
row_at_mean(const struct work *w, const int64_t *row, double *size)
{
	double s = 0;

	*size = 0;
	for (size_t i = 0; i < w->region->n; i++) {
		s += (double)row[i] * w->region->mean[i];
		*size += fabs((double)row[i] * w->region->mean[i]);
	}
	return s;
}

/* How far row·v goes from its value at the mean within the region without its slack. */
static double
noise_reach(const struct work *w, const int64_t *row, enum region_kind kind)
{
	const struct region *r = w->region;
	double s = 0;

	switch (kind) {
	case REGION_ELLIPSOID:
		for (size_t i = 0; i < r->n; i++) {
			double t = 0;

			if (row[i] == 0)
				continue;
			for (size_t j = 0; j < i; j++)
				if (row[j])
					t += (double)row[j] * r->cov[i * r->n + j];
			s += (double)row[i] * (2 * t + (double)row[i] * r->cov[i * r->n + i]);
		}
		return sqrt(fmax(0, w->q * s));
	case REGION_BOX:
		region_axes(r);
		for (size_t k = 0; k < r->n; k++) {
			double t = 0;

			for (size_t i = 0; i < r->n; i++)
				t += (double)row[i] * r->eigenvector[k * r->n + i];
			s += fabs(t) * sqrt(r->eigenvalue[k] * w->q);
		}
		return s;
	case REGION_INDEPENDENT:
		for (size_t i = 0; i < r->n; i++)
			s += fabs((double)row[i]) * sqrt(r->cov[i * r->n + i] * w->q);
		return s;
	}
	return INFINITY;
}

/* … and with it. */
static double
row_reach(const struct work *w, const int64_t *row, enum region_kind kind)
{
	const struct region *r = w->region;
	double s = 0;

	if (r->point)
		return 0;
	for (size_t i = 0; i < r->n && r->slack; i++)
		s += fabs((double)row[i]) * r->slack[i];
	return s + noise_reach(w, row, kind);
}

struct across
verdict_across(const struct region *r, const int64_t *coef, enum region_kind kind, double threshold2)
{
	struct work w = {.region = r, .q = threshold2};
	struct across x = {0};

	x.at = row_at_mean(&w, coef, &x.size);
	if (r->cov && threshold2 > 0)
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

/* Does the whole region lie on the wrong side of row k? *most is the largest value of ±row·v that it reaches. */
static bool
violates(const struct work *w, size_t k, enum region_kind kind, double at_mean, double size, double *most)
{
	bool equality = k < w->cone->n_equalities;
	int sign;

	*most = (equality ? -fabs(at_mean) : at_mean) + row_reach(w, cone_row(w->cone, k), kind);
	if (!w->region->point)
		return *most < -1e-12 * size; /* less is what rounding alone could make */
	sign = certify_sign(w->region, cone_row(w->cone, k));
	return equality ? sign != 0 : sign < 0;
}

static size_t
row_counters(const struct work *w, const int64_t *row)
{
	size_t n = 0;

	for (size_t i = 0; i < w->cone->n_counters; i++)
		n += row[i] != 0;
	return n;
}

/* Every row of the cone that the whole region violates, worst first. */
static struct violation *
find_violations(const struct work *w, enum region_kind kind, size_t *n)
{
	size_t e = w->cone->n_equalities, m = e + w->cone->n_inequalities;
	struct violation *v = mem_new_array(m, sizeof *v);

	*n = 0;
	for (size_t k = 0; k < m; k++) {
		double size, most, at_mean = row_at_mean(w, cone_row(w->cone, k), &size);

		if (violates(w, k, kind, at_mean, size, &most))
			v[(*n)++] = (struct violation){.equality = k < e, .row = k < e ? k : k - e,
				.margin = size > 0 ? -most / size : 0, .excess = at_mean, .counters = row_counters(w, cone_row(w->cone, k))};
	}
	qsort(v, *n, sizeof *v, compare_violations);
	return v;
}

static struct answer
ellipsoid(struct work *w)
{
	struct certify_region shape = {.shape = CERTIFY_ELLIPSOID, .region = w->region, .q = w->q, .times = 1};
	struct answer out = {.verdict = VERDICT_BORDERLINE};
	struct violation *v;
	size_t n;

	if (!w->near.converged) {
		out.reason = "the distance to the cone was not found within the iteration limit";
		return out;
	}
	if (fabs(w->near.d2 / w->q - 1) <= MARGIN) {
		out.reason = "the distance to the cone is the threshold, within a millionth";
		return out;
	}
	if (w->near.d2 < w->q) {
		out.verdict = VERDICT_FEASIBLE;
		out.inside = mem_copy(w->near.v, w->region->n * sizeof *out.inside);
		return out;
	}
	/* A constraint of the model says more to people than a combination of them. */
	v = find_violations(w, REGION_ELLIPSOID, &n);
	if (n > 0) {
		size_t row = v[0].equality ? v[0].row : w->cone->n_equalities + v[0].row;

		out.certificate = certificate_from_row(w->cone, &shape, row, v[0].excess < 0 ? 1 : -1);
	}
	free(v);
	if (!out.certificate)
		out.certificate = w->near.weight ? certificate_from_weights(w->cone, &shape, w->near.weight)
			: certificate_from_direction(w->cone, &shape, w->near.direction);
	if (out.certificate)
		out.verdict = VERDICT_INFEASIBLE;
	else
		out.reason = "no certificate of the refutation stood the exact check";
	return out;
}

static struct answer
from_box(struct box_answer b)
{
	return (struct answer){.verdict = b.verdict, .reason = b.reason, .certificate = b.certificate, .inside = b.inside};
}

/* The rotated box and its slack, which is a box of other axes, together fit into a box along the rotated axes. */
static void
rotated_half_widths(struct work *w)
{
	const struct region *r = w->region;

	region_axes(r);
	for (size_t i = 0; i < r->n; i++) {
		w->half[i] = sqrt(r->eigenvalue[i] * w->q);
		for (size_t j = 0; j < r->n && r->slack; j++)
			w->half[i] += fabs(r->eigenvector[i * r->n + j]) * r->slack[j];
	}
}

/* The ellipsoid lies in the rotated box, and the box in the ellipsoid that is √n times as large. */
static struct answer
rotated_box(struct work *w)
{
	const struct region *r = w->region;
	struct certify_region shape = {.shape = CERTIFY_ELLIPSOID, .region = r, .q = w->q, .times = r->n};
	struct answer out = {.verdict = VERDICT_INFEASIBLE};

	if (w->near.converged && w->near.d2 <= w->q) {
		out.verdict = VERDICT_FEASIBLE;
		out.inside = mem_copy(w->near.v, r->n * sizeof *out.inside);
		return out;
	}
	if (w->near.converged && w->near.d2 > (double)r->n * w->q * (1 + MARGIN)) {
		out.certificate = w->near.weight ? certificate_from_weights(w->cone, &shape, w->near.weight)
			: certificate_from_direction(w->cone, &shape, w->near.direction);
		if (out.certificate)
			return out;
	}
	rotated_half_widths(w);
	shape = (struct certify_region){.shape = CERTIFY_BOX, .region = r, .half = w->half, .axis = r->eigenvector};
	return from_box(box_decide(w->cone, &shape, &w->near));
}

/* This box holds the ellipsoid too; when that is not enough, its own metric gives better candidates. */
static struct answer
independent_box(struct work *w)
{
	const struct region *r = w->region;
	struct certify_region shape = {.shape = CERTIFY_BOX, .region = r, .half = w->half};
	struct answer out = {.verdict = VERDICT_FEASIBLE};
	struct projection near;
	double *factor;

	if (w->near.converged && w->near.d2 <= w->q) {
		out.inside = mem_copy(w->near.v, r->n * sizeof *out.inside);
		return out;
	}
	factor = mem_new_array(r->n * r->n, sizeof *factor);
	for (size_t i = 0; i < r->n; i++) {
		factor[i * r->n + i] = sqrt(r->cov[i * r->n + i]);
		w->half[i] = sqrt(r->cov[i * r->n + i] * w->q) + (r->slack ? r->slack[i] : 0);
	}
	projection_find(w->cone, r->mean, NULL, factor, false, &near);
	out = from_box(box_decide(w->cone, &shape, &near));
	projection_free(&near);
	free(factor);
	return out;
}

static struct answer (*const JUDGE[3])(struct work *) = {
	[REGION_ELLIPSOID] = ellipsoid, [REGION_BOX] = rotated_box, [REGION_INDEPENDENT] = independent_box,
};

/* What the deciding region came to becomes the verdict. */
static void
conclude(struct verdict *v, struct work *w, const struct verdict_options *o)
{
	struct answer *a = &w->answer[o->decides];

	for (size_t k = 0; k < 3; k++)
		v->region[k] = w->answer[k].verdict;
	v->verdict = v->family_wise = a->verdict;
	v->reason = a->reason ? mem_str(a->reason) : NULL;
	v->certificate = a->certificate;
	v->verified = a->certificate != NULL;
	a->certificate = NULL;
	if (v->verdict == VERDICT_INFEASIBLE && !o->bare)
		v->violated = find_violations(w, o->decides, &v->n_violated);
	if (v->verdict == VERDICT_FEASIBLE && o->flow && a->inside)
		v->flow = flow_find(w->cone, a->inside, w->region->factor);
	for (size_t k = 0; k < 3; k++) {
		free(w->answer[k].certificate);
		free(w->answer[k].inside);
	}
}

static struct verdict *
decide_region(const struct cone *c, const struct region *r, const struct verdict_options *o)
{
	struct verdict *v = mem_new(sizeof *v);
	struct work w = {.cone = c, .region = r};

	w.q = o->threshold2 > 0 && !r->peeked ? o->threshold2 : region_threshold2(r, o->confidence);
	w.half = mem_new_array(r->n, sizeof *w.half);
	projection_find(c, r->mean, r->slack, r->factor, false, &w.near);
	if (!w.near.converged && c->complete) {
		projection_free(&w.near);
		projection_find(c, r->mean, r->slack, r->factor, true, &w.near);
	}
	for (size_t k = 0; k < 3; k++)
		w.answer[k] = o->alone && k != (size_t)o->decides ? (struct answer){.verdict = VERDICT_UNDECIDED} : JUDGE[k](&w);
	v->distance2 = w.near.converged ? w.near.d2 : NAN;
	v->threshold2 = w.q;
	v->p = w.near.converged ? region_p(r, w.near.d2) : NAN;
	conclude(v, &w, o);
	projection_free(&w.near);
	free(w.half);
	return v;
}

/* The worst row says it best: it becomes the certificate, where the exact check agrees. */
static void
certify_worst(const struct cone *c, const struct region *r, struct verdict *v)
{
	const struct certify_region shape = {.region = r};
	size_t k = v->violated->row + (v->violated->equality ? 0 : c->n_equalities);
	int64_t *worst = certificate_from_row(c, &shape, k, v->violated->excess < 0 ? 1 : -1);

	if (!worst)
		return;
	free(v->certificate);
	v->certificate = worst;
}

static struct verdict *
decide_point(const struct cone *c, const struct region *r, const struct verdict_options *o)
{
	struct verdict *v = mem_new(sizeof *v);
	struct work w = {.cone = c, .region = r};
	struct point_answer a = point_decide(c, r);

	v->verdict = v->family_wise = a.verdict;
	for (size_t k = 0; k < 3; k++)
		v->region[k] = a.verdict;
	v->reason = a.reason ? mem_str(a.reason) : NULL;
	v->certificate = a.certificate;
	v->verified = a.certificate != NULL;
	v->distance2 = v->p = NAN;
	if (a.verdict == VERDICT_INFEASIBLE)
		v->violated = find_violations(&w, o->decides, &v->n_violated);
	if (v->n_violated)
		certify_worst(c, r, v);
	if (a.verdict == VERDICT_FEASIBLE && o->flow) {
		double *metric = point_metric(r);

		v->flow = flow_find(c, r->mean, metric);
		free(metric);
	}
	return v;
}

static struct verdict *
too_few_to_peek(void)
{
	char *why = str_format("what is judged again and again while it grows is judged from %zu samples on", SEQUENCE_FIRST);
	struct verdict *v = verdict_undecided(why);

	free(why);
	return v;
}

struct verdict *
verdict_new(const struct cone *c, const struct region *r, const struct verdict_options *o)
{
	if (c->n_counters != r->n)
		panic("a cone over %zu counters was compared with a region over %zu", c->n_counters, r->n);
	if (r->n == 0)
		return verdict_undecided("the data and the model have no counter in common");
	if (r->rows == 0)
		return verdict_undecided("there is no sample");
	if (r->point)
		return decide_point(c, r, o);
	if (r->rows == 1 && !region_has_noise_model(r))
		return verdict_undecided("one noisy sample says nothing about its noise; take more, or say that it is exact");
	if (!region_has_noise_model(r))
		return verdict_undecided("a counter was counted in fewer than two samples");
	if (r->peeked && r->rows < SEQUENCE_FIRST)
		return too_few_to_peek();
	return decide_region(c, r, o);
}

struct verdict *
verdict_undecided(const char *reason)
{
	struct verdict *v = mem_new(sizeof *v);

	v->verdict = v->family_wise = VERDICT_UNDECIDED;
	for (size_t k = 0; k < 3; k++)
		v->region[k] = VERDICT_UNDECIDED;
	v->reason = mem_str(reason);
	v->distance2 = v->threshold2 = v->p = NAN;
	return v;
}

void
verdict_free(struct verdict *v)
{
	if (!v)
		return;
	free(v->reason);
	free(v->violated);
	free(v->certificate);
	free(v->flow);
	free(v);
}

const char *
verdict_name(enum verdict_kind k)
{
	switch (k) {
	case VERDICT_FEASIBLE:
		return "feasible";
	case VERDICT_INFEASIBLE:
		return "infeasible";
	case VERDICT_BORDERLINE:
		return "borderline";
	case VERDICT_UNDECIDED:
		return "undecided";
	}
	return "unknown";
}

const char *
region_name(enum region_kind k)
{
	switch (k) {
	case REGION_ELLIPSOID:
		return "ellipsoid";
	case REGION_BOX:
		return "box";
	case REGION_INDEPENDENT:
		return "independent";
	}
	return "unknown";
}
