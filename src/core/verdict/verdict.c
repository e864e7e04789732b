/* Puts a verdict together: chooses the kinds of region, calls their decisions (regions.c, cone_test.c, point.c), and
 * copies the result of the deciding one.
 *
 *     no counters, no sample, no noise model   undecided, with the reason
 *     exact total                              decide_point(), with the box of its tolerances if it has some
 *     samples                                  decide_region(): project once, then each kind of region */
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
#include "core/verdict/witness.h"
#include "core/verdict/decide.h"
#include "core/verdict/point.h"
#include "core/verdict/projection.h"

static const struct noise_answer NOT_ASKED = {.p = NAN, .p_independent = NAN, .rows = NAN};

static struct decision_answer (*const DECIDE[REGION_KINDS])(struct decision *) = {
	[REGION_ELLIPSOID] = decide_ellipsoid, [REGION_BOX] = decide_box, [REGION_INDEPENDENT] = decide_independent,
	[REGION_CONE] = decide_cone,
};

/* A verdict without numbers. */
static struct verdict *
verdict_blank(enum verdict_kind k)
{
	struct verdict *v = mem_new(sizeof *v);

	v->verdict = v->family_wise = k;
	for (size_t i = 0; i < REGION_KINDS; i++)
		v->region[i] = k;
	v->distance2 = v->threshold2 = v->p = v->doubt = v->p_independent = v->samples_needed = v->p_decides = NAN;
	return v;
}

/* Copy the result of the deciding region into the verdict. */
static void
verdict_conclude(struct verdict *verdict, struct decision *decision, const struct verdict_options *options)
{
	struct decision_answer *answer = &decision->answer[options->decides];
	const struct noise_answer *slow =
		&decision->slow[options->decides == REGION_CONE && !isnan(decision->slow[1].p)];

	for (size_t k = 0; k < REGION_KINDS; k++)
		verdict->region[k] = decision->answer[k].verdict;
	verdict->verdict = verdict->family_wise = answer->verdict;
	verdict->reason = answer->reason ? mem_str(answer->reason) : NULL;
	verdict->test = decision->test;
	verdict->noise = slow->form;
	verdict->noise.time *= region_block(decision->region);
	verdict->doubt = slow->p;
	verdict->p_independent = slow->p_independent;
	verdict->why = slow->p > 1 - decision->confidence ? slow->why : NOISE_NO_DOUBT;
	verdict->samples_needed = slow->rows * region_block(decision->region);
	verdict->p_decides = options->decides == REGION_ELLIPSOID || options->decides == REGION_CONE ? verdict->p : NAN;
	if (options->decides == REGION_CONE && decision->test.dimensions)
		verdict->p_decides = fmin(verdict->p, decision->test.p);
	verdict->reach2 = options->decides == REGION_CONE ? decision->reach2 : decision->q;
	verdict->certificate = answer->certificate;
	verdict->verified = answer->certificate != NULL;
	verdict->strong = verdict->verdict == VERDICT_INFEASIBLE &&
		(options->decides != REGION_CONE || decision->answer[REGION_ELLIPSOID].verdict == VERDICT_INFEASIBLE);
	answer->certificate = NULL;
	if (verdict->verdict == VERDICT_INFEASIBLE && !options->bare)
		verdict->violated = decide_violations(decision, options->decides, &verdict->n_violated);
	if (verdict->verdict == VERDICT_UNDECIDED && !isnan(verdict->doubt) && !options->bare)
		verdict->suspected = decide_most_violated(decision, options->decides);
	if (verdict->verdict == VERDICT_FEASIBLE && options->flow)
		verdict->flow = witness_of_region(decision->cone, decision->region, decision->q, answer->inside);
	for (size_t k = 0; k < REGION_KINDS; k++) {
		free(decision->answer[k].certificate);
		free(decision->answer[k].inside);
	}
	free(decision->doubt[0]);
	free(decision->doubt[1]);
}

/* True for the region kinds to decide by: the requested one and those that it needs, or all. */
static bool
is_wanted(size_t kind, const struct region *r, const struct verdict_options *o)
{
	if (r->box_only)
		return kind == REGION_BOX;
	return !o->alone || kind == (size_t)o->decides || (kind == REGION_ELLIPSOID && o->decides == REGION_CONE);
}

static const char LOCKED[] = "counters took turns, and the program keeps step with them: each was counted at other "
			     "times than the others, in all samples alike";

/* The rows' noise does not show how far the means are off, so no region holds: refutations become undecided. */
static void
doubt_all(struct decision *w)
{
	for (size_t k = 0; k < REGION_KINDS; k++)
		if (w->answer[k].verdict == VERDICT_INFEASIBLE) {
			free(w->answer[k].certificate);
			w->answer[k].certificate = NULL;
			w->answer[k].verdict = VERDICT_UNDECIDED;
			w->answer[k].reason = LOCKED;
		}
}

static struct verdict *
decide_region(const struct cone *cone, const struct region *region, const struct verdict_options *options)
{
	struct verdict *verdict = mem_new(sizeof *verdict);
	struct decision w = {.cone = cone,
		.region = region,
		.spread = &region->spread,
		.confidence = options->confidence,
		.slow = {NOT_ASKED, NOT_ASKED}};
	bool has_ellipsoid;

	w.q = options->threshold2 > 0 && !region->peeked ? options->threshold2
							 : region_threshold2(region, options->confidence);
	w.reach2 = w.q;
	w.half = mem_new_array(region->n, sizeof *w.half);
	projection_find(cone, region->mean, region->slack, region->spread.factor, false, &w.near);
	if (!w.near.converged && cone->complete) {
		projection_free(&w.near);
		projection_find(cone, region->mean, region->slack, region->spread.factor, true, &w.near);
	}
	has_ellipsoid = w.near.converged && !region->box_only;
	for (size_t k = 0; k < REGION_KINDS; k++)
		w.answer[k] = is_wanted(k, region, options) ? DECIDE[k](&w)
							    : (struct decision_answer){.verdict = VERDICT_UNDECIDED};
	if (region->locked)
		doubt_all(&w);
	verdict->distance2 = has_ellipsoid ? w.near.d2 : NAN;
	verdict->threshold2 = has_ellipsoid ? w.q : NAN;
	verdict->p = has_ellipsoid ? region_p(region, w.near.d2) : NAN;
	verdict_conclude(verdict, &w, options);
	projection_free(&w.near);
	projection_free(&w.scaled);
	free(w.half);
	return verdict;
}

/* The point violates the model by more than rounding: decide by the box of all totals that its tolerances allow. */
static struct decision_answer
decide_tolerant(const struct cone *cone, const struct region *region)
{
	struct certify_region shape = {.shape = CERTIFY_BOX, .region = region, .half = region->slack};
	double *metric = point_metric(region);
	struct projection near;
	struct box_answer b;

	projection_find(cone, region->mean, NULL, metric, !cone->complete, &near);
	b = box_decide(cone, &shape, &near);
	projection_free(&near);
	free(metric);
	return (struct decision_answer){
		.verdict = b.verdict, .reason = b.reason, .certificate = b.certificate, .inside = b.inside};
}

/* Use the worst violated row as the certificate, if it passes the exact check. */
static void
certify_worst(const struct cone *c, const struct region *r, struct verdict *v)
{
	const struct certify_region shape = {
		.shape = r->slack ? CERTIFY_BOX : CERTIFY_POINT, .region = r, .half = r->slack};
	size_t k = v->violated->row + (v->violated->equality ? 0 : c->n_equalities);
	int64_t *worst = certificate_from_row(c, &shape, k, v->violated->excess < 0 ? 1 : -1);

	if (!worst)
		return;
	free(v->certificate);
	v->certificate = worst;
}

static struct verdict *
decide_point(const struct cone *cone, const struct region *region, const struct verdict_options *options)
{
	struct verdict *verdict;
	struct decision w = {.cone = cone, .region = region};
	struct point_answer exact = point_decide(cone, region);
	struct decision_answer a = {.verdict = exact.verdict, .reason = exact.reason, .certificate = exact.certificate};

	if (a.verdict == VERDICT_INFEASIBLE && region->slack) {
		free(a.certificate);
		a = decide_tolerant(cone, region);
	}
	verdict = verdict_blank(a.verdict);
	verdict->threshold2 = 0;
	verdict->reason = a.reason ? mem_str(a.reason) : NULL;
	verdict->certificate = a.certificate;
	verdict->verified = a.certificate != NULL;
	verdict->strong = a.verdict == VERDICT_INFEASIBLE;
	if (a.verdict == VERDICT_INFEASIBLE)
		verdict->violated = decide_violations(&w, options->decides, &verdict->n_violated);
	if (verdict->n_violated)
		certify_worst(cone, region, verdict);
	if (a.verdict == VERDICT_FEASIBLE && options->flow)
		verdict->flow = witness_of_point(cone, region, a.inside ? a.inside : region->mean);
	free(a.inside);
	return verdict;
}

static struct verdict *
too_few_to_peek(void)
{
	char *why = str_format(
		"data that are judged repeatedly while they grow need %zu samples or more", SEQUENCE_FIRST);
	struct verdict *v = verdict_undecided(why);

	free(why);
	return v;
}

struct verdict *
verdict_new(const struct cone *cone, const struct region *region, const struct verdict_options *options)
{
	if (cone->n_counters != region->n)
		panic("a cone over %zu counters was compared with a region over %zu", cone->n_counters, region->n);
	if (region->n == 0)
		return verdict_undecided("the data and the model have no counter in common");
	if (region->rows == 0)
		return verdict_undecided("there is no sample");
	if (region->point)
		return decide_point(cone, region, options);
	if (region->rows == 1 && !region_has_noise_model(region))
		return verdict_undecided(
			"one noisy sample says nothing about its noise; take more, or say that it is exact");
	if (!region_has_noise_model(region))
		return verdict_undecided("a counter was counted in fewer than two samples");
	if (region->peeked && region->rows < SEQUENCE_FIRST)
		return too_few_to_peek();
	return decide_region(cone, region, options);
}

struct verdict *
verdict_undecided(const char *reason)
{
	struct verdict *v = verdict_blank(VERDICT_UNDECIDED);

	v->reason = mem_str(reason);
	return v;
}

struct verdict
verdict_numbers(const struct verdict *v)
{
	struct verdict out = *v;

	out.reason = NULL;
	out.violated = out.suspected = NULL;
	out.n_violated = 0;
	out.certificate = NULL;
	out.flow = NULL;
	return out;
}

void
verdict_free(struct verdict *v)
{
	if (!v)
		return;
	free(v->reason);
	free(v->violated);
	free(v->suspected);
	free(v->certificate);
	witness_free(v->flow);
	free(v);
}

const char *const verdict_words[] = {
	[VERDICT_FEASIBLE] = "feasible", [VERDICT_INFEASIBLE] = "infeasible", [VERDICT_BORDERLINE] = "borderline",
	[VERDICT_UNDECIDED] = "undecided",
};

const char *
verdict_name(enum verdict_kind k)
{
	return verdict_words[k];
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
