/* Decides whether a choice of features survives: cones and verdicts for core/search, which sees neither.
 *
 * Verdicts are expensive and most choices repeat a cone, so an observation is judged against a new cone only where none
 * of these settles it:
 *
 *     equal cone          its verdicts are known                                            search_judge_judge()
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
note_worst(const struct search_work *w, struct search_cone *to, size_t i, const struct cone *c, const struct verdict *v)
{
	const struct violation *k = v->n_violated ? v->violated : NULL;
	double margin = k ? k->margin : 0;
	struct constraint row;

	if (margin <= to->margin)
		return;
	row = describe_row(w->a, analysis_observation(w->a, i)->keep,
		k ? (k->equality ? c->equality : c->inequality) + k->row * c->n_counters : v->certificate,
		k && k->equality);
	free(to->worst);
	free(row.coef);
	to->worst = row.text;
	to->worst_by = i;
	to->margin = margin;
}

static void
note_verdict(struct search_work *w, struct judging *to, size_t i, const struct cone *c, const struct verdict *v)
{
	struct search_judged *j = to->judged;

	w->decided[i] |= v->verdict != VERDICT_UNDECIDED;
	w->p[i] = v->p_decides;
	if (v->verdict == VERDICT_FEASIBLE)
		put_bit(j->feasible, i);
	if (v->verdict != VERDICT_INFEASIBLE)
		return;
	put_bit(j->infeasible, i);
	if (v->strong)
		put_bit(j->strong, i);
	keep_certificate(w, i, v);
	note_worst(w, to->cone, i, c, v);
}

/* Passes verdicts from cone to cone. A region that misses a cone misses every cone inside it, with the same constraint
 * or certificate. A region that meets a cone meets every cone around it. The test of the cone does not carry over to
 * smaller cones, where more constraints may meet (verdict.h), so only strong refutations are passed on. What Holm's
 * procedure rejects for a cone by a region, it rejects for smaller cones too. */
static void
inherit(const struct search_work *w, size_t id, struct judging *to)
{
	struct search_judged *j = to->judged;

	for (size_t k = 0; k < w->n_judged; k++) {
		/* making it again would take longer than it saves */
		bool known = w->judged[k].infeasible && search_cones_at_hand(w->cones, k);
		bool below = known && search_cones_inside(w->cones, id, k);
		bool above = known && search_cones_inside(w->cones, k, id);

		for (size_t i = 0; i < w->n_words && below; i++) {
			j->infeasible[i] |= w->judged[k].strong[i];
			j->strong[i] |= w->judged[k].strong[i];
			j->family_wise[i] |= w->a->opt.decides == REGION_CONE ? 0 : w->judged[k].family_wise[i];
		}
		if (below && w->s->cone[k].margin > to->cone->margin) {
			free(to->cone->worst);
			to->cone->worst = mem_str(w->s->cone[k].worst);
			to->cone->worst_by = w->s->cone[k].worst_by;
			to->cone->margin = w->s->cone[k].margin;
		}
		for (size_t i = 0; i < w->n_words && above; i++)
			j->feasible[i] |= w->judged[k].feasible[i];
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
judge_rest(struct search_work *w, const struct fset *on, struct judging *to)
{
	const struct search_judged *j = to->judged;
	struct verdict_options how = {
		.confidence = w->a->opt.confidence, .decides = (enum region_kind)w->a->opt.decides, .alone = true};

	struct past *past = analysis_past(w->a);

	cones_begin(w->a->cones); /* other cones may have been made since */
	for (size_t i = 0; i < w->n; i++) {
		const struct prepared *p = analysis_observation(w->a, i), *judged;
		const struct cone *cone;
		struct verdict *v;

		if (!p->region || has_bit(j->infeasible, i) || has_bit(j->feasible, i))
			continue;
		if (!search_goes_on(w, "check", i, w->n))
			return false;
		if (w->threshold2[p->n_kept] <= 0)
			w->threshold2[p->n_kept] = chi2_quantile(how.confidence, p->n_kept);
		how.threshold2 = w->threshold2[p->n_kept];
		cone = search_cone(w, on, p->keep);
		judged = p;
		v = judge_without_zeros(w->a, on, &judged, &how, verdict_new(cone, p->region, &how));
		note_verdict(w, to, i, cone, v);
		if (past && !p->less && v->verdict == VERDICT_INFEASIBLE)
			past_add(past, w->a->model, p, on, v->certificate);
		verdict_free(v);
	}
	return true;
}

/* Takes over the refutations of earlier runs, whose certificates remain valid. */
static void
recall(struct search_work *w, const struct fset *on, struct search_judged *j)
{
	char *error = NULL;
	struct past *past = analysis_past(w->a);
	const struct signatures *sig = past && past->n ? cones_signatures(w->a->cones, on, &error) : NULL;

	free(error);
	for (size_t i = 0; i < w->n && sig; i++) {
		const struct past_refutation *r = past_find(past, analysis_observation(w->a, i), sig);

		if (!r)
			continue;
		w->decided[i] = true;
		put_bit(j->infeasible, i);
		put_bit(j->strong, i);
		if (w->n == 1) /* a family of one */
			put_bit(j->family_wise, i);
		w->certificate[i] = mem_copy(r->coef, sig->n_counters * sizeof *r->coef);
	}
}

/* Collects the observations' verdicts for Holm's procedure. */
static struct verdict *
brief_verdicts(const struct search_work *w, const struct search_judged *j, bool *open)
{
	struct verdict *v = mem_new_array(w->n, sizeof *v);

	*open = false;
	for (size_t i = 0; i < w->n; i++) {
		const struct region *r = analysis_observation(w->a, i)->region;
		bool infeasible = has_bit(j->infeasible, i);

		v[i].verdict = infeasible    ? VERDICT_INFEASIBLE
			: r && w->decided[i] ? VERDICT_FEASIBLE
				: VERDICT_UNDECIDED;
		v[i].p_decides = w->p[i];
		*open |= infeasible && !r->point && !has_bit(j->family_wise, i);
	}
	return v;
}

/* Judges refuted observations again, by the stricter levels, except where the p-value or a larger cone settles it. */
static void
judge_family_wise(struct search_work *w, const struct fset *on, struct search_judged *j)
{
	const struct verdict_options how = {.confidence = w->a->opt.confidence,
		.decides = (enum region_kind)w->a->opt.decides, .alone = true, .bare = true};
	struct verdict **v = mem_new_array(w->n, sizeof(struct verdict *));
	const struct cone **cone = mem_new_array(w->n, sizeof(const struct cone *));
	const struct region **region = mem_new_array(w->n, sizeof(const struct region *));
	bool *known = mem_new_array(w->n, sizeof *known), open;
	struct verdict *light = brief_verdicts(w, j, &open);

	for (size_t i = 0; i < w->n; i++) {
		const struct prepared *p = analysis_observation(w->a, i);

		v[i] = &light[i];
		region[i] = p->region;
		known[i] = has_bit(j->family_wise, i);
		if (open && has_bit(j->infeasible, i) && !known[i] && !p->region->point)
			cone[i] = search_cone(w, on, p->keep);
	}
	if (open)
		verdicts_holm(v, cone, region, w->n, known, &how);
	for (size_t i = 0; i < w->n; i++)
		if (has_bit(j->infeasible, i) &&
			(known[i] || region[i]->point || light[i].family_wise == VERDICT_INFEASIBLE))
			put_bit(j->family_wise, i);
	free(light);
	free(known);
	free(region);
	free(cone);
	free(v);
}

/* Makes room for the verdicts of a new cone. */
static void
search_judge_make_room(struct search_work *w, size_t id)
{
	if (id < w->n_judged)
		return;
	mem_grow(&w->judged, &w->cap_judged, id + 1, sizeof *w->judged);
	mem_grow(&w->s->cone, &w->cap_cones, id + 1, sizeof *w->s->cone);
	for (; w->n_judged <= id; w->n_judged++) {
		w->judged[w->n_judged] = (struct search_judged){0};
		w->s->cone[w->n_judged] = (struct search_cone){.fingerprint = search_cones_fingerprint(w->cones,
			w->n_judged, w->used, w->a->model->n_counters),
			.margin = -1};
	}
	w->s->cones = w->n_judged;
}

/* Judges a cone. False when it was stopped: then nothing is known about the cone. */
static bool
judge_new(struct search_work *w, const struct fset *on, size_t id)
{
	struct search_judged j = {0};
	struct judging to = {.judged = &j, .cone = &w->s->cone[id]};

	j.infeasible = mem_new_array(w->n_words, sizeof *j.infeasible);
	j.strong = mem_new_array(w->n_words, sizeof *j.strong);
	j.feasible = mem_new_array(w->n_words, sizeof *j.feasible);
	j.family_wise = mem_new_array(w->n_words, sizeof *j.family_wise);
	for (size_t i = 0; i < w->n; i++)
		w->p[i] = NAN;
	recall(w, on, &j);
	inherit(w, id, &to);
	if (!judge_rest(w, on, &to)) {
		free(j.infeasible);
		free(j.strong);
		free(j.feasible);
		free(j.family_wise);
		return false;
	}
	judge_family_wise(w, on, &j);
	to.cone->each = count_bits(j.infeasible, w->n_words);
	to.cone->family_wise = count_bits(j.family_wise, w->n_words);
	w->judged[id] = j;
	return true;
}

/* Judges equal cones once. Certificates of refutations that Holm's procedure does not reject are dropped, because they
 * must not lead to repairs. */
static bool
search_judge_judge(struct search_work *w, const struct fset *on, struct lattice_tested *out)
{
	const struct search_judged *j;
	bool strong = false;

	if (!w->judged[out->cone].infeasible && !judge_new(w, on, out->cone))
		return false;
	j = &w->judged[out->cone];
	memcpy(out->infeasible, w->family_wise ? j->family_wise : j->infeasible, w->n_words * sizeof *out->infeasible);
	for (size_t i = 0; i < w->n_words; i++)
		strong |= (out->infeasible[i] & j->strong[i]) != 0;
	out->alone = !strong;
	for (size_t i = 0; i < w->n; i++)
		if (w->certificate[i] && !has_bit(out->infeasible, i)) {
			free(w->certificate[i]);
			w->certificate[i] = NULL;
		}
	return true;
}

bool
search_judge(struct search_work *w, const struct fset *on, struct lattice_tested *out)
{
	const struct cone *c;
	char *error = NULL;

	if (!search_goes_on(w, "models", w->tests, 0))
		return false;
	w->tests++;
	search_forget_certificates(w);
	cones_begin(w->a->cones);
	c = cones_span(w->a->cones, on, w->used, &error);
	free(error);
	out->usable = c != NULL;
	if (!c)
		return true;
	out->cone = search_cones_id(w->cones, on, c);
	search_judge_make_room(w, out->cone);
	return search_judge_judge(w, on, out);
}

bool
search_goes_on(struct search_work *w, const char *stage, size_t done, size_t of)
{
	w->stopped |= w->watch && !w->watch->go_on(w->watch->ctx, stage, done, of);
	return !w->stopped;
}
