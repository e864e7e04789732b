/* Decides whether a choice of features survives: cones and verdicts for core/search, which sees neither.
 *
 * Verdicts are expensive and most choices repeat a cone, so an observation is judged against a new cone only where none
 * of these settles it:
 *
 *     equal cone          its verdicts are known                                            search_judge()
 *     earlier run         a certificate that the new cone satisfies refutes it too          recall()
 *     larger cone         its strong refutations hold for the smaller cone                  inherit()
 *     smaller cone        what it allows, the larger cone allows                            inherit()
 *     otherwise           a verdict by the deciding region                                  judge_rest()
 *
 * Each cone is judged in both ways to count refutations: each observation by itself, and by Holm's procedure over all
 * of them, which needs stricter levels only for observations that are refuted by themselves. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/panic.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/stats/region.h"
#include "core/stats/tails.h"
#include "core/udd/model.h"
#include "core/verdict/verdict.h"
#include "work/analysis/cones.h"
#include "work/analysis/describe.h"
#include "work/analysis/past.h"
#include "work/analysis/search_cones.h"
#include "work/search/search_work.h"

static void
keep_certificate(struct search_work *w, size_t i, const struct verdict *v)
{
	const struct prepared *p = analysis_observation(w->a, i);
	size_t n = w->a->model->n_counters;

	w->certificate[i] = mem_new_array(n, sizeof **w->certificate);
	for (size_t c = 0, k = 0; c < n; c++)
		if (p->keep[c])
			w->certificate[i][c] = v->certificate[k++];
}

void
search_forget_certificates(struct search_work *w)
{
	for (size_t i = 0; i < w->n; i++) {
		free(w->certificate[i]);
		w->certificate[i] = NULL;
	}
}

static void
put_bit(uint64_t *bits, size_t i)
{
	bits[i / 64] |= UINT64_C(1) << (i % 64);
}

static bool
has_bit(const uint64_t *bits, size_t i)
{
	return bits[i / 64] >> (i % 64) & 1;
}

static size_t
count_bits(const uint64_t *bits, size_t n_words)
{
	size_t n = 0;

	for (size_t i = 0; i < n_words; i++)
		n += (size_t)__builtin_popcountll(bits[i]);
	return n;
}

/* The verdicts on a cone. */
struct judging {
	struct search_judged *judged;
	struct search_cone *cone;
};

/* Notes the verdict's worst constraint, if it is the most violated one so far. A certificate is used only where no
 * observation violates a single constraint. */
static void
note_worst(const struct search_work *work, struct search_cone *to, size_t i, const struct cone *cone,
	const struct verdict *verdict)
{
	const struct violation *violation = verdict->n_violated ? verdict->violated : NULL;
	double margin = violation ? violation->margin : 0;
	struct constraint row;

	if (margin <= to->margin)
		return;
	row = describe_row(work->a, analysis_observation(work->a, i)->keep,
		violation
			? (violation->equality ? cone->equality : cone->inequality) + violation->row * cone->n_counters
			: verdict->certificate,
		violation && violation->equality);
	free(to->worst);
	free(row.coef);
	to->worst = row.text;
	to->worst_by = i;
	to->margin = margin;
}

static void
note_verdict(
	struct search_work *work, struct judging *to, size_t i, const struct cone *cone, const struct verdict *verdict)
{
	struct search_judged *judged = to->judged;

	work->decided[i] |= verdict->verdict != VERDICT_UNDECIDED;
	work->p[i] = verdict->p_decides;
	if (verdict->verdict == VERDICT_FEASIBLE)
		put_bit(judged->feasible, i);
	if (verdict->verdict != VERDICT_INFEASIBLE)
		return;
	put_bit(judged->infeasible, i);
	if (verdict->strong)
		put_bit(judged->strong, i);
	keep_certificate(work, i, verdict);
	note_worst(work, to->cone, i, cone, verdict);
}

/* Passes verdicts from cone to cone. A region that misses a cone misses every cone inside it, with the same constraint
 * or certificate. A region that meets a cone meets every cone around it. The test of the cone does not carry over to
 * smaller cones, where more constraints may meet (verdict.h), so only strong refutations are passed on. What Holm's
 * procedure rejects for a cone by a region, it rejects for smaller cones too. */
static void
inherit(const struct search_work *work, size_t id, struct judging *to)
{
	struct search_judged *judged = to->judged;

	for (size_t k = 0; k < work->n_judged; k++) {
		/* making it again would take longer than it saves */
		bool known = work->judged[k].infeasible && search_cones_at_hand(work->cones, k);
		bool below = known && search_cones_inside(work->cones, id, k);
		bool above = known && search_cones_inside(work->cones, k, id);

		for (size_t i = 0; i < work->n_words && below; i++) {
			judged->infeasible[i] |= work->judged[k].strong[i];
			judged->strong[i] |= work->judged[k].strong[i];
			judged->family_wise[i] |= work->a->opt.decides == REGION_CONE ? 0
										      : work->judged[k].family_wise[i];
		}
		if (below && work->s->cone[k].margin > to->cone->margin) {
			free(to->cone->worst);
			to->cone->worst = mem_str(work->s->cone[k].worst);
			to->cone->worst_by = work->s->cone[k].worst_by;
			to->cone->margin = work->s->cone[k].margin;
		}
		for (size_t i = 0; i < work->n_words && above; i++)
			judged->feasible[i] |= work->judged[k].feasible[i];
	}
}

/* Returns the cone of a choice that is known to have signatures. */
static const struct cone *
search_cone(const struct search_work *w, const struct fset *on, const bool *keep)
{
	char *error = NULL;
	const struct cone *c = cones_span(w->a->cones, on, keep, &error);

	if (!c)
		panic("a choice of features that made a cone makes an error: %s", error);
	return c;
}

static bool
judge_rest(struct search_work *work, const struct fset *on, struct judging *to)
{
	const struct search_judged *search_judged = to->judged;
	struct verdict_options how = {.confidence = work->a->opt.confidence,
		.decides = (enum region_kind)work->a->opt.decides,
		.alone = true};

	struct past *past = analysis_past(work->a);

	cones_begin(work->a->cones); /* other cones may have been made since */
	for (size_t i = 0; i < work->n; i++) {
		const struct prepared *prepared = analysis_observation(work->a, i), *judged;
		const struct cone *cone;
		struct verdict *verdict;

		if (!prepared->region || has_bit(search_judged->infeasible, i) || has_bit(search_judged->feasible, i))
			continue;
		if (!search_goes_on(work, "check", i, work->n))
			return false;
		if (work->threshold2[prepared->n_kept] <= 0)
			work->threshold2[prepared->n_kept] = chi2_quantile(how.confidence, prepared->n_kept);
		how.threshold2 = work->threshold2[prepared->n_kept];
		cone = search_cone(work, on, prepared->keep);
		judged = prepared;
		verdict = judge_without_zeros(work->a, on, &judged, &how, verdict_new(cone, prepared->region, &how));
		note_verdict(work, to, i, cone, verdict);
		if (past && !prepared->less && verdict->verdict == VERDICT_INFEASIBLE)
			past_add(past, work->a->model, prepared, on, verdict->certificate);
		verdict_free(verdict);
	}
	return true;
}

/* Takes over the refutations of earlier runs, whose certificates remain valid. */
static void
recall(struct search_work *work, const struct fset *on, struct search_judged *judged)
{
	char *error = NULL;
	struct past *past = analysis_past(work->a);
	const struct signatures *sig = past && past->n ? cones_signatures(work->a->cones, on, &error) : NULL;

	free(error);
	for (size_t i = 0; i < work->n && sig; i++) {
		const struct past_refutation *refutation = past_find(past, analysis_observation(work->a, i), sig);

		if (!refutation)
			continue;
		work->decided[i] = true;
		put_bit(judged->infeasible, i);
		put_bit(judged->strong, i);
		if (work->n == 1) /* a family of one */
			put_bit(judged->family_wise, i);
		work->certificate[i] = mem_copy(refutation->coef, sig->n_counters * sizeof *refutation->coef);
	}
}

/* Collects the observations' verdicts for Holm's procedure. */
static struct verdict *
brief_verdicts(const struct search_work *work, const struct search_judged *judged, bool *open)
{
	struct verdict *verdict = mem_new_array(work->n, sizeof *verdict);

	*open = false;
	for (size_t i = 0; i < work->n; i++) {
		const struct region *region = analysis_observation(work->a, i)->region;
		bool infeasible = has_bit(judged->infeasible, i);

		verdict[i].verdict = infeasible    ? VERDICT_INFEASIBLE
			: region && work->decided[i] ? VERDICT_FEASIBLE
				: VERDICT_UNDECIDED;
		verdict[i].p_decides = work->p[i];
		*open |= infeasible && !region->point && !has_bit(judged->family_wise, i);
	}
	return verdict;
}

/* Judges refuted observations again, by the stricter levels, except where the p-value or a larger cone settles it. */
static void
judge_family_wise(struct search_work *work, const struct fset *on, struct search_judged *judged)
{
	const struct verdict_options how = {.confidence = work->a->opt.confidence,
		.decides = (enum region_kind)work->a->opt.decides, .alone = true, .bare = true};
	struct verdict **v = mem_new_array(work->n, sizeof(struct verdict *));
	const struct cone **cone = mem_new_array(work->n, sizeof(const struct cone *));
	const struct region **region = mem_new_array(work->n, sizeof(const struct region *));
	bool *known = mem_new_array(work->n, sizeof *known), open;
	struct verdict *light = brief_verdicts(work, judged, &open);

	for (size_t i = 0; i < work->n; i++) {
		const struct prepared *prepared = analysis_observation(work->a, i);

		v[i] = &light[i];
		region[i] = prepared->region;
		known[i] = has_bit(judged->family_wise, i);
		if (open && has_bit(judged->infeasible, i) && !known[i] && !prepared->region->point)
			cone[i] = search_cone(work, on, prepared->keep);
	}
	if (open)
		verdicts_holm(v, cone, region, work->n, known, &how);
	for (size_t i = 0; i < work->n; i++)
		if (has_bit(judged->infeasible, i) &&
			(known[i] || region[i]->point || light[i].family_wise == VERDICT_INFEASIBLE))
			put_bit(judged->family_wise, i);
	free(light);
	free(known);
	free(region);
	free(cone);
	free(v);
}

/* Makes room for the verdicts of a new cone. */
static void
search_judge_make_room(struct search_work *work, size_t id)
{
	if (id < work->n_judged)
		return;
	mem_grow(&work->judged, &work->cap_judged, id + 1, sizeof *work->judged);
	mem_grow(&work->s->cone, &work->cap_cones, id + 1, sizeof *work->s->cone);
	for (; work->n_judged <= id; work->n_judged++) {
		work->judged[work->n_judged] = (struct search_judged){0};
		work->s->cone[work->n_judged] = (struct search_cone){
			.fingerprint = search_cones_fingerprint(
				work->cones, work->n_judged, work->used, work->a->model->n_counters),
			.margin = -1};
	}
	work->s->cones = work->n_judged;
}

/* Judges a cone. False when it was stopped: then nothing is known about the cone. */
static bool
judge_new(struct search_work *work, const struct fset *on, size_t id)
{
	struct search_judged j = {0};
	struct judging to = {.judged = &j, .cone = &work->s->cone[id]};

	j.infeasible = mem_new_array(work->n_words, sizeof *j.infeasible);
	j.strong = mem_new_array(work->n_words, sizeof *j.strong);
	j.feasible = mem_new_array(work->n_words, sizeof *j.feasible);
	j.family_wise = mem_new_array(work->n_words, sizeof *j.family_wise);
	for (size_t i = 0; i < work->n; i++)
		work->p[i] = NAN;
	recall(work, on, &j);
	inherit(work, id, &to);
	if (!judge_rest(work, on, &to)) {
		free(j.infeasible);
		free(j.strong);
		free(j.feasible);
		free(j.family_wise);
		return false;
	}
	judge_family_wise(work, on, &j);
	to.cone->each = count_bits(j.infeasible, work->n_words);
	to.cone->family_wise = count_bits(j.family_wise, work->n_words);
	work->judged[id] = j;
	return true;
}

/* Says what is known about the model's cone, whose verdicts must be known. Certificates of refutations that Holm's
 * procedure does not reject are dropped, because they must not lead to repairs. */
static void
search_judge_say(struct search_work *work, struct search_graph_model *model)
{
	const struct search_judged *judged = &work->judged[model->cone_number];
	const struct search_cone *cone = &work->s->cone[model->cone_number];
	bool strong = false;

	memcpy(model->refuted, work->family_wise ? judged->family_wise : judged->infeasible,
		work->n_words * sizeof *model->refuted);
	for (size_t i = 0; i < work->n_words; i++)
		strong |= (model->refuted[i] & judged->strong[i]) != 0;
	model->alone = !strong;
	model->cone = cone->fingerprint;
	model->worst = cone->worst ? mem_str(cone->worst) : NULL;
	model->worst_by = cone->worst ? mem_str(work->s->start->finding[cone->worst_by].name) : NULL;
	for (size_t i = 0; i < work->n; i++)
		if (work->certificate[i] && !has_bit(model->refuted, i)) {
			free(work->certificate[i]);
			work->certificate[i] = NULL;
		}
}

/* Judges equal cones once. */
bool
search_judge(struct search_work *work, struct search_graph_model *model)
{
	const struct cone *cone;
	char *error = NULL;

	if (!search_goes_on(work, "models", work->tests, 0))
		return false;
	work->tests++;
	search_forget_certificates(work);
	cones_begin(work->a->cones);
	cone = cones_span(work->a->cones, &model->on, work->used, &error);
	free(error);
	model->usable = cone != NULL;
	if (!cone)
		return true;
	model->cone_number = search_cones_id(work->cones, &model->on, cone);
	search_judge_make_room(work, model->cone_number);
	if (!work->judged[model->cone_number].infeasible && !judge_new(work, &model->on, model->cone_number))
		return false;
	search_judge_say(work, model);
	return true;
}

bool
search_goes_on(struct search_work *w, const char *stage, size_t done, size_t of)
{
	w->stopped |= w->watch && !w->watch->go_on(w->watch->ctx, stage, done, of);
	return !w->stopped;
}
