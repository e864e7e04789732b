#include "core/verdict/verdict.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/panic.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/stats/region.h"
#include "core/stats/sequence.h"
#include "core/stats/tails.h"
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
	double confidence;
	double q;               /* the ellipsoid's threshold */
	double reach2;          /* of the region that rows are held against: q, or the smaller threshold of the test of the cone */
	const double *cov;      /* n × n, of that region: Σ, or the proportions' of a bursty one */
	struct projection near; /* in the metric of Σ */
	struct projection scaled; /* … of the proportions, for the test of the cone; its v is NULL while that is `near` */
	double *half;           /* n: of the box at hand */
	struct answer answer[REGION_KINDS];
	struct cone_test test;
	struct noise_answer slow[2]; /* what slow noise makes of the ellipsoid's refutation, and of the cone's; p is NAN where it was not asked */
	char *doubt[2];              /* … in a sentence, where the refutation does not stand */
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
	case REGION_CONE:
		for (size_t i = 0; i < r->n; i++) {
			double t = 0;

			if (row[i] == 0)
				continue;
			for (size_t j = 0; j < i; j++)
				if (row[j])
					t += (double)row[j] * w->cov[i * r->n + j];
			s += (double)row[i] * (2 * t + (double)row[i] * w->cov[i * r->n + i]);
		}
		return sqrt(fmax(0, w->reach2 * s));
	case REGION_BOX:
		region_axes(r);
		for (size_t k = 0; k < r->n; k++) {
			double t = 0;

			for (size_t i = 0; i < r->n; i++)
				t += (double)row[i] * r->eigenvector[k * r->n + i];
			s += fabs(t) * sqrt(r->eigenvalue[k] * w->reach2);
		}
		return s;
	case REGION_INDEPENDENT:
		for (size_t i = 0; i < r->n; i++)
			s += fabs((double)row[i]) * sqrt(r->cov[i * r->n + i] * w->reach2);
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
verdict_across(const struct region *r, const int64_t *coef, enum region_kind kind, double reach2)
{
	struct work w = {.region = r, .reach2 = reach2, .cov = kind == REGION_CONE && r->shape ? r->shape : r->cov};
	struct across x = {0};

	x.at = row_at_mean(&w, coef, &x.size);
	if (r->cov && reach2 > 0)
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

/* The constraint that says most, where one of them refutes by itself; else the separating direction. */
static int64_t *
certify(const struct work *w, const struct projection *near, const struct certify_region *shape)
{
	size_t n;
	struct violation *v = find_violations(w, REGION_ELLIPSOID, &n);
	int64_t *out = NULL;

	if (n > 0) {
		size_t row = v[0].equality ? v[0].row : w->cone->n_equalities + v[0].row;

		out = certificate_from_row(w->cone, shape, row, v[0].excess < 0 ? 1 : -1);
	}
	free(v);
	if (!out)
		out = near->weight ? certificate_from_weights(w->cone, shape, near->weight) : certificate_from_direction(w->cone, shape, near->direction);
	return out;
}

static const char NO_CERTIFICATE[] = "no certificate of the refutation stood the exact check";

/* Why a refutation does not stand, and how many rows would tell. */
static char *
doubt_of(const struct region *r, const struct noise_answer *a)
{
	const struct noise_form *f = &a->form;
	struct str s = {0};

	str_addf(&s, "independent rows would refute it, but %zu rows cannot exclude noise ", r->rows);
	if (f->memory > 0)
		str_addf(&s, "with long memory (Hurst exponent %.2g)", f->memory);
	else if (f->share < 1)
		str_addf(&s, "of which %.0f %% is forgotten only within %.2g rows", 100 * f->share, f->time);
	else
		str_addf(&s, "that is forgotten only within %.2g rows", f->time);
	str_addf(&s, ", which would explain it; about %.2g rows would tell", a->rows);
	return str_take(&s);
}

/* Does what the ellipsoid refutes stand against slow noise? It depends on the distance alone, so that of two models the smaller one is refuted wherever the
 * larger one is. */
static bool
ellipsoid_stands(struct work *w)
{
	const struct region *r = w->region;
	struct noise_question q = {.d2 = w->near.d2 * r->inflation, .dimensions = (double)r->n};

	if (!r->noise)
		return true;
	if (isnan(w->slow[0].p)) {
		w->slow[0] = noise_ask(r->noise, &r->fit, &q);
		if (w->slow[0].p > 1 - w->confidence)
			w->doubt[0] = doubt_of(r, &w->slow[0]);
	}
	return !w->doubt[0];
}

static struct answer
ellipsoid(struct work *w)
{
	struct certify_region shape = {.shape = CERTIFY_ELLIPSOID, .region = w->region, .q = w->q, .times = 1};
	struct answer out = {.verdict = VERDICT_BORDERLINE};

	if (!w->near.converged) {
		out.reason = "the distance to the cone was not found within the iteration limit";
		return out;
	}
	if (fabs(w->near.d2 / w->q - 1) <= MARGIN) {
		out.reason = "the distance to the cone is the threshold, within a millionth";
		return out;
	}
	if (w->near.d2 < w->q || w->region->open) {
		out.verdict = w->near.d2 < w->q ? VERDICT_FEASIBLE : VERDICT_UNDECIDED;
		out.reason = w->near.d2 < w->q ? NULL : "fewer rows than counters bound no ellipsoid";
		out.inside = mem_copy(w->near.v, w->region->n * sizeof *out.inside);
		return out;
	}
	if (!ellipsoid_stands(w)) {
		out.verdict = VERDICT_UNDECIDED;
		out.reason = w->doubt[0];
		return out;
	}
	out.certificate = certify(w, &w->near, &shape);
	if (out.certificate)
		out.verdict = VERDICT_INFEASIBLE;
	else
		out.reason = NO_CERTIFICATE;
	return out;
}

/* What the test of the cone goes by: the nearest point in the covariance of the mean, or of its proportions. */
static const struct projection *
nearest(const struct work *w)
{
	return w->scaled.v ? &w->scaled : &w->near;
}

/* Constraints that meet at the nearest point, as rows (n_rows × n) where there are facets. One that no noise touches and that is kept tells nothing and is
 * left out. */
static size_t
count_meeting(const struct work *w, double **normal, size_t *n_normals)
{
	const struct region *r = w->region;
	const struct projection *near = nearest(w);
	size_t n = r->n, e = w->cone->n_equalities, m = e + w->cone->n_inequalities, met = 0;

	*normal = NULL;
	*n_normals = 0;
	if (!near->weight) {
		size_t lived = 0, flows = 0;

		for (size_t i = 0; i < n; i++)
			lived += r->sum[i] != 0;
		for (size_t k = 0; k < w->cone->n_rays; k++)
			flows += near->flow[k] > 0;
		return lived > flows ? lived - flows : 0;
	}
	*normal = mem_new_array(m * n, sizeof **normal);
	for (size_t k = 0; k < m; k++) {
		const int64_t *b = cone_row(w->cone, k);
		double size, variance = 0, least = 0, at = row_at_mean(w, b, &size);

		if (!(near->weight[k] < 0 || near->weight[k] > 0) && (k >= e || r->slack))
			continue;
		for (size_t i = 0; i < n; i++) {
			least += (double)b[i] * (double)b[i] * r->extra[i] * r->inflation;
			for (size_t j = 0; j < n && b[i]; j++)
				variance += (double)b[i] * (double)b[j] * r->cov[i * n + j];
		}
		if (fabs(at) <= 1e-12 * size && variance < 4 * least)
			continue;
		met++;
		if (variance < 4 * least)
			continue;
		for (size_t i = 0; i < n; i++)
			(*normal)[*n_normals * n + i] = (double)b[i];
		++*n_normals;
	}
	return met;
}

/* Along a direction, how the counters depart from the proportions that they have in the mean: a − e_load (a·mean)/mean_load. */
static void
take_scale_out(const struct region *r, double *a)
{
	double at = 0;

	for (size_t i = 0; i < r->n; i++)
		at += a[i] * r->mean[i];
	a[r->load] -= at / r->mean[r->load];
}

/* The same of the cone: along the direction of the refutation. Variance along the mean that a bursty region has besides is none of the rows'. */
static bool
cone_stands(struct work *w, double *normal, size_t n_normals)
{
	const struct region *r = w->region;
	double *a = mem_copy(nearest(w)->direction, r->n * sizeof *a), at = 0;
	struct noise_answer in;
	struct noise_question q = {.direction = a, .d2 = w->test.distance2, .dimensions = (double)w->test.dimensions, .normal = normal, .n_normals = n_normals};

	if (!r->noise) {
		free(a);
		return true;
	}
	for (size_t i = 0; i < r->n; i++) {
		q.extra += a[i] * a[i] * r->extra[i];
		at += a[i] * r->mean[i];
	}
	if (r->bursty) {
		q.extra += at * at / (REGION_KNOWN_SCALE * REGION_KNOWN_SCALE);
		take_scale_out(r, a);
		for (size_t k = 0; k < n_normals; k++)
			take_scale_out(r, normal + k * r->n);
	}
	w->slow[1] = noise_ask(r->noise, &r->fit, &q);
	if (r->proportions) {
		const struct noise_fit none = noise_no_fit();

		q.d2 = w->slow[1].d2;
		q.extra = 0;
		in = noise_ask(r->proportions, &none, &q);
		if (in.p > w->slow[1].p)
			w->slow[1] = in;
	}
	w->test.p = fmax(w->test.p, w->slow[1].p);
	if (w->test.p > 1 - w->confidence)
		w->doubt[1] = doubt_of(r, &w->slow[1]);
	free(a);
	return !w->doubt[1];
}

static struct answer
refute_by_cone(struct work *w, double *normal, size_t n_normals)
{
	const struct region *r = w->region;
	struct certify_region shape = {.shape = CERTIFY_ELLIPSOID, .region = r, .cov = w->cov, .times = 1};
	struct answer out = {.verdict = VERDICT_UNDECIDED};

	if (!cone_stands(w, normal, n_normals)) {
		out.reason = w->doubt[1];
		return out;
	}
	/* Which constraints meet there was found with a covariance of which most directions are unknown, and the rows are worth fewer still. */
	if (r->open && r->fit.of_rest.factor > 1) {
		out.reason = "there are fewer rows than counters, and they resemble their neighbours";
		return out;
	}
	shape.q = w->reach2 = w->test.threshold2 / r->inflation;
	out.certificate = certify(w, nearest(w), &shape);
	out.verdict = out.certificate ? VERDICT_INFEASIBLE : VERDICT_BORDERLINE;
	out.reason = out.certificate ? NULL : NO_CERTIFICATE;
	return out;
}

/* By the face that the nearest point lies on. What is judged again and again has a bound for all looks in all dimensions only, and stated errors have
 * no covariance: there the ellipsoid speaks for the cone, as it does where it refutes. */
static struct answer
test_of_cone(struct work *w)
{
	const struct region *r = w->region;
	struct answer out = w->answer[REGION_ELLIPSOID];
	double *normal, alpha = 1 - w->confidence;
	size_t n_normals;

	out.certificate = out.certificate ? mem_copy(out.certificate, r->n * sizeof *out.certificate) : NULL;
	out.inside = out.inside ? mem_copy(out.inside, r->n * sizeof *out.inside) : NULL;
	if (r->peeked || r->stated || !w->near.converged)
		return out;
	if (r->bursty && out.verdict != VERDICT_INFEASIBLE) {
		projection_find(w->cone, r->mean, r->slack, r->shape_factor, false, &w->scaled);
		w->cov = r->shape;
		if (!w->scaled.converged)
			return out;
	}
	w->test = (struct cone_test){.dimensions = count_meeting(w, &normal, &n_normals), .distance2 = nearest(w)->d2 * r->inflation, .freedom = r->freedom};
	w->test.threshold2 = hotelling_quantile(w->confidence, (double)w->test.dimensions, r->freedom);
	w->test.p = w->test.dimensions ? hotelling_tail(w->test.distance2, (double)w->test.dimensions, r->freedom) : 1;
	if (out.verdict != VERDICT_INFEASIBLE) {
		free(out.certificate);
		free(out.inside);
		out = (struct answer){.verdict = VERDICT_FEASIBLE};
		if ((double)w->test.dimensions > r->freedom && w->test.distance2 > chi2_quantile(w->confidence, w->test.dimensions))
			out = (struct answer){.verdict = VERDICT_UNDECIDED, .reason = "more constraints meet at the nearest point of the cone than rows can tell apart"};
		else if (fabs(w->test.p / alpha - 1) <= MARGIN)
			out = (struct answer){.verdict = VERDICT_BORDERLINE, .reason = "the distance to the cone is the threshold, within a millionth"};
		else if (w->test.p < alpha)
			out = refute_by_cone(w, normal, n_normals);
		else
			out.inside = mem_copy(nearest(w)->v, r->n * sizeof *out.inside);
	}
	free(normal);
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

/* A box holds the ellipsoid, so where slow noise explains that it misses the cone, it explains the box, too. */
static struct answer
in_doubt(struct work *w, struct answer a)
{
	if (a.verdict != VERDICT_INFEASIBLE || (!w->region->open && ellipsoid_stands(w)))
		return a;
	free(a.certificate);
	return (struct answer){.verdict = VERDICT_UNDECIDED, .reason = w->region->open ? "fewer rows than counters bound no box" : w->doubt[0]};
}

static struct answer
doubted_box(struct work *w)
{
	return in_doubt(w, rotated_box(w));
}

static struct answer
doubted_independent(struct work *w)
{
	return in_doubt(w, independent_box(w));
}

static struct answer (*const JUDGE[REGION_KINDS])(struct work *) = {
	[REGION_ELLIPSOID] = ellipsoid, [REGION_BOX] = doubted_box, [REGION_INDEPENDENT] = doubted_independent, [REGION_CONE] = test_of_cone,
};

/* What the deciding region came to becomes the verdict. */
static void
conclude(struct verdict *v, struct work *w, const struct verdict_options *o)
{
	struct answer *a = &w->answer[o->decides];
	const struct noise_answer *slow = &w->slow[o->decides == REGION_CONE && !isnan(w->slow[1].p)];

	for (size_t k = 0; k < REGION_KINDS; k++)
		v->region[k] = w->answer[k].verdict;
	v->verdict = v->family_wise = a->verdict;
	v->reason = a->reason ? mem_str(a->reason) : NULL;
	v->test = w->test;
	v->noise = slow->form;
	v->doubt = slow->p;
	v->p_decides = o->decides == REGION_ELLIPSOID ? v->p : o->decides == REGION_CONE ? fmin(v->p, w->test.dimensions ? w->test.p : v->p) : NAN;
	v->reach2 = o->decides == REGION_CONE ? w->reach2 : w->q;
	v->certificate = a->certificate;
	v->verified = a->certificate != NULL;
	v->strong = v->verdict == VERDICT_INFEASIBLE && (o->decides != REGION_CONE || w->answer[REGION_ELLIPSOID].verdict == VERDICT_INFEASIBLE);
	a->certificate = NULL;
	if (v->verdict == VERDICT_INFEASIBLE && !o->bare)
		v->violated = find_violations(w, o->decides, &v->n_violated);
	if (v->verdict == VERDICT_FEASIBLE && o->flow && a->inside)
		v->flow = flow_find(w->cone, a->inside, w->region->factor);
	for (size_t k = 0; k < REGION_KINDS; k++) {
		free(w->answer[k].certificate);
		free(w->answer[k].inside);
	}
	free(w->doubt[0]);
	free(w->doubt[1]);
}

/* Which ways are to be gone: the one that decides, and what it needs; or all. */
static bool
is_wanted(size_t kind, const struct verdict_options *o)
{
	return !o->alone || kind == (size_t)o->decides || (kind == REGION_ELLIPSOID && o->decides == REGION_CONE);
}

static struct verdict *
decide_region(const struct cone *c, const struct region *r, const struct verdict_options *o)
{
	struct verdict *v = mem_new(sizeof *v);
	struct work w = {.cone = c, .region = r, .cov = r->cov, .confidence = o->confidence, .slow = {{.p = NAN}, {.p = NAN}}};

	w.q = o->threshold2 > 0 && !r->peeked ? o->threshold2 : region_threshold2(r, o->confidence);
	w.reach2 = w.q;
	w.half = mem_new_array(r->n, sizeof *w.half);
	projection_find(c, r->mean, r->slack, r->factor, false, &w.near);
	if (!w.near.converged && c->complete) {
		projection_free(&w.near);
		projection_find(c, r->mean, r->slack, r->factor, true, &w.near);
	}
	for (size_t k = 0; k < REGION_KINDS; k++)
		w.answer[k] = is_wanted(k, o) ? JUDGE[k](&w) : (struct answer){.verdict = VERDICT_UNDECIDED};
	v->distance2 = w.near.converged ? w.near.d2 : NAN;
	v->threshold2 = w.q;
	v->p = w.near.converged ? region_p(r, w.near.d2) : NAN;
	conclude(v, &w, o);
	projection_free(&w.near);
	projection_free(&w.scaled);
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
	for (size_t k = 0; k < REGION_KINDS; k++)
		v->region[k] = a.verdict;
	v->reason = a.reason ? mem_str(a.reason) : NULL;
	v->certificate = a.certificate;
	v->verified = a.certificate != NULL;
	v->distance2 = v->p = v->doubt = v->p_decides = NAN;
	v->strong = a.verdict == VERDICT_INFEASIBLE;
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
	for (size_t k = 0; k < REGION_KINDS; k++)
		v->region[k] = VERDICT_UNDECIDED;
	v->reason = mem_str(reason);
	v->distance2 = v->threshold2 = v->p = v->doubt = v->p_decides = NAN;
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
	case REGION_CONE:
		return "cone";
	}
	return "unknown";
}
