/* The data's evidence about two choices: which observations refute one of them, and how close the others are to it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/obs/gather.h"
#include "core/obs/obs.h"
#include "core/stats/region.h"
#include "core/udd/model.h"
#include "core/verdict/verdict.h"
#include "work/analysis/cones.h"
#include "work/analysis/describe.h"
#include "work/search/compare.h"

/* The relation over the counters of one observation. The next observation usually has the same counters. */
struct data_comparison {
	struct analysis *a;
	struct comparison *c;
	bool *keep; /* NULL: not computed yet */
	const struct cone *cone[2];
	struct relation relation;
	/* Input of Holm's procedure, per observation. Cones stay valid until the next cones_begin(). */
	struct {
		struct verdict **verdict;
		const struct cone **cone;
	} judged[2];
	const struct region **region;
};

static void
relate(struct data_comparison *w, const bool *keep)
{
	struct relation_side side[2];
	int64_t *row[2];
	size_t *number[2], all = w->a->model->n_counters;
	char *error = NULL;

	if (w->keep && memcmp(w->keep, keep, all * sizeof *keep) == 0)
		return;
	free(w->keep);
	w->keep = mem_copy(keep, all * sizeof *keep);
	relation_free(&w->relation);
	for (int k = 0; k < 2; k++) {
		side[k].cone = w->cone[k] = cones_get(w->a->cones, &w->c->on[k], keep);
		row[k] = compare_rows(cones_signatures(w->a->cones, &w->c->on[k], &error), keep,
			side[k].cone->n_counters, &side[k].n, &number[k]);
		side[k].signature = row[k];
	}
	relation_find(side, &w->relation);
	for (int k = 0; k < 2; k++) {
		free(row[k]);
		free(number[k]);
	}
}

/* Returns the number of samples after which the region has left the row's good side, if the mean stays. The region's
 * width falls with the square root of that number. */
static double
samples_needed(const struct prepared *p, double off, double reach)
{
	if (!(off > 0) || p->region->point || !(reach > 0))
		return NAN;
	return ceil((double)obs_samples(p->obs) * (reach / off) * (reach / off));
}

static bool
is_nearer(const struct compare_observation *x, const struct compare_observation *than)
{
	if (!than->nearest)
		return true;
	if (isnan(x->needed) != isnan(than->needed))
		return isnan(than->needed);
	if (!isnan(x->needed))
		return x->needed < than->needed;
	return x->off / fmax(x->size, 1e-300) > than->off / fmax(than->size, 1e-300);
}

/* Finds the row across which the region is closest to a decision. */
static void
find_nearest(struct data_comparison *w, const struct prepared *p, double reach2, struct compare_observation *o)
{
	size_t best[2] = {0, 0};

	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < w->relation.n[k]; i++) {
			const struct relation_row *r = &w->relation.row[k][i];
			struct across x =
				verdict_across(p->region, r->coef, (enum region_kind)w->a->opt.decides, reach2);
			struct compare_observation now = *o;

			now.nearest = true;
			now.keeper = k;
			now.off = r->equality ? fabs(x.at) : -x.at;
			now.reach = x.reach;
			now.size = x.size;
			now.needed = samples_needed(p, now.off, x.reach);
			if (is_nearer(&now, o)) {
				*o = now;
				best[0] = k;
				best[1] = i;
			}
		}
	if (o->nearest) {
		const struct relation_row *r = &w->relation.row[best[0]][best[1]];
		struct constraint c = describe_row(w->a, p->keep, r->coef, r->equality);

		o->text = c.text;
		free(c.coef);
	}
}

static void
judge_one(struct data_comparison *w, const struct prepared *p, size_t i, struct compare_observation *o)
{
	struct verdict_options how = {
		.confidence = w->a->opt.confidence, .decides = (enum region_kind)w->a->opt.decides};
	double reach2 = 0;

	o->samples = obs_samples(p->obs);
	o->alone[0] = o->alone[1] = VERDICT_UNDECIDED;
	o->needed = NAN;
	for (int k = 0; k < 2 && !p->region; k++)
		w->judged[k].verdict[i] = verdict_undecided("");
	if (!p->region)
		return;
	relate(w, p->keep);
	w->region[i] = p->region;
	for (int k = 0; k < 2; k++) {
		const struct prepared *judged = p;
		struct verdict *v = judge_without_zeros(w->a, &w->c->on[k], &judged, &how,
			verdict_new(w->cone[k], p->region, &how));

		w->judged[k].verdict[i] = v;
		w->judged[k].cone[i] = w->cone[k];
		o->alone[k] = v->verdict;
		reach2 = v->reach2;
	}
	find_nearest(w, p, reach2, o);
}

/* Runs Holm's procedure over the observations for each choice, and frees its input. `whole`: all were judged. */
static void
compare_data_conclude(struct data_comparison *w, bool whole)
{
	const struct verdict_options how = {
		.confidence = w->a->opt.confidence, .decides = (enum region_kind)w->a->opt.decides};
	size_t n = w->c->n_observations;

	for (int k = 0; k < 2; k++) {
		if (whole)
			verdicts_holm(w->judged[k].verdict, w->judged[k].cone, w->region, n, NULL, &how);
		for (size_t i = 0; i < n; i++) {
			struct compare_observation *o = &w->c->observation[i];
			const struct verdict *v = w->judged[k].verdict[i];

			o->family_wise[k] = whole ? v->family_wise : o->alone[k];
			o->verdict[k] = w->a->opt.one_by_one ? o->alone[k] : o->family_wise[k];
			verdict_free(w->judged[k].verdict[i]);
		}
		free(w->judged[k].verdict);
		free(w->judged[k].cone);
	}
	for (size_t i = 0; i < n; i++) {
		struct compare_observation *o = &w->c->observation[i];

		o->decides = (o->verdict[0] == VERDICT_INFEASIBLE && o->verdict[1] == VERDICT_FEASIBLE)
			|| (o->verdict[1] == VERDICT_INFEASIBLE && o->verdict[0] == VERDICT_FEASIBLE);
	}
	free(w->region);
}

bool
compare_judge(struct analysis *a, struct comparison *c, const struct analysis_watch *watch)
{
	struct data_comparison w = {.a = a, .c = c};
	bool whole = true;

	c->n_observations = analysis_n_observations(a);
	c->observation = mem_new_array(c->n_observations, sizeof *c->observation);
	w.region = mem_new_array(c->n_observations, sizeof *w.region);
	for (int k = 0; k < 2; k++) {
		w.judged[k].verdict = mem_new_array(c->n_observations, sizeof *w.judged[k].verdict);
		w.judged[k].cone = mem_new_array(c->n_observations, sizeof *w.judged[k].cone);
	}
	cones_begin(a->cones);
	for (size_t i = 0; i < c->n_observations && whole; i++) {
		whole = !watch || watch->go_on(watch->ctx, "check", i, c->n_observations);
		c->observation[i].name = mem_str(analysis_observation(a, i)->obs->name);
		if (whole)
			judge_one(&w, analysis_observation(a, i), i, &c->observation[i]);
	}
	compare_data_conclude(&w, whole);
	relation_free(&w.relation);
	free(w.keep);
	return whole;
}

int64_t *
compare_rows(const struct signatures *sig, const bool *keep, size_t width, size_t *n, size_t **number)
{
	int64_t *row = mem_new_array(sig->n * width, sizeof *row);

	*number = mem_new_array(sig->n, sizeof **number);
	*n = 0;
	for (size_t k = 0; k < sig->n; k++) {
		int64_t *to = row + *n * width;
		bool some = false;

		for (size_t i = 0, at = 0; i < sig->n_counters; i++)
			if (keep[i]) {
				some |= sig->coef[k * sig->n_counters + i] != 0;
				to[at++] = sig->coef[k * sig->n_counters + i];
			}
		if (some)
			(*number)[(*n)++] = k;
	}
	return row;
}
