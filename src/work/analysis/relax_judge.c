#include "work/analysis/relax_judge.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/stats/region.h"
#include "core/udd/model.h"
#include "core/verdict/verdict.h"
#include "work/analysis/cones.h"
#include "work/analysis/describe.h"
#include "work/analysis/search_cones.h"

bool
relax_go_on(const struct relax *x, const char *stage, size_t done, size_t of)
{
	return !x->watch || x->watch->go_on(x->watch->ctx, stage, done, of);
}

/* Finds which of `asked` refute a choice. With family-wise verdicts, Holm's procedure runs over all observations. False
 * when stopped. */
static bool
relax_judge_judge(struct relax *relax, const struct fset *on, const bool *asked, bool *refuted)
{
	struct verdict_options how = {
		.confidence = relax->a->opt.confidence, .decides = (enum region_kind)relax->a->opt.decides};
	struct verdict **v = mem_new_array(relax->n, sizeof(struct verdict *));
	const struct cone **cone = mem_new_array(relax->n, sizeof(const struct cone *));
	bool whole = true, family = !relax->a->opt.one_by_one;

	cones_begin(relax->a->cones);
	if (family && (whole = judge_all(relax->a, on, true, v, cone, relax->watch)))
		judge_family(relax->a, v, cone, relax->n);
	for (size_t i = 0; i < relax->n && whole; i++) {
		const struct prepared *prepared = analysis_observation(relax->a, i);

		if (asked && !asked[i])
			continue;
		if (!family && prepared->region && (whole = relax_go_on(relax, "check", i, relax->n))) {
			how.threshold2 = relax->threshold2[i];
			v[i] = judge_without_zeros(relax->a, on, &prepared, &how,
				verdict_new(cones_get(relax->a->cones, on, prepared->keep), prepared->region, &how));
		}
		refuted[i] = whole && v[i] && judge_decides(relax->a, v[i]) == VERDICT_INFEASIBLE;
	}
	judge_free_verdicts(v, relax->n);
	free(cone);
	return whole;
}

static void
keep_certificate(struct relax *x, size_t i, const struct verdict *v)
{
	const struct prepared *p = analysis_observation(x->a, i);

	x->certificate[i] = mem_new_array(x->a->model->n_counters, sizeof **x->certificate);
	for (size_t c = 0, k = 0; c < x->a->model->n_counters; c++)
		if (p->keep[c])
			x->certificate[i][c] = v->certificate[k++];
}

struct relax *
relax_new(struct analysis *analysis, const struct fset *on, const struct analysis_watch *watch)
{
	struct relax *relax = mem_new(sizeof *relax);
	struct verdict **v;
	const struct cone **cone;
	bool whole;

	relax->a = analysis;
	relax->on = *on;
	relax->watch = watch;
	relax->n = analysis_n_observations(analysis);
	relax->refuted = mem_new_array(relax->n, sizeof *relax->refuted);
	relax->threshold2 = mem_new_array(relax->n, sizeof *relax->threshold2);
	relax->reach2 = mem_new_array(relax->n, sizeof *relax->reach2);
	relax->certificate = mem_new_array(relax->n, sizeof *relax->certificate);
	relax->used = analysis_used_counters(analysis);
	relax->cones = search_cones_new(NULL, NULL);
	v = mem_new_array(relax->n, sizeof(struct verdict *));
	cone = mem_new_array(relax->n, sizeof(const struct cone *));
	cones_begin(analysis->cones);
	whole = judge_all(analysis, on, true, v, cone, watch);
	if (whole)
		judge_family(analysis, v, cone, relax->n);
	for (size_t i = 0; i < relax->n && whole; i++) {
		relax->refuted[i] = judge_decides(analysis, v[i]) == VERDICT_INFEASIBLE;
		relax->threshold2[i] = v[i]->threshold2 > 0 ? v[i]->threshold2 : 0;
		relax->reach2[i] = v[i]->reach2;
		if (relax->refuted[i])
			keep_certificate(relax, i, v[i]);
	}
	judge_free_verdicts(v, relax->n);
	free(cone);
	if (whole)
		return relax;
	relax_free(relax);
	return NULL;
}

void
relax_free(struct relax *relax)
{
	if (!relax)
		return;
	for (size_t i = 0; i < relax->n; i++)
		free(relax->certificate[i]);
	for (size_t i = 0; i < relax->n_tried; i++)
		free(relax->tried[i].refuted);
	free(relax->tried);
	free(relax->refuted);
	free(relax->threshold2);
	free(relax->reach2);
	free(relax->certificate);
	free(relax->used);
	search_cones_free(relax->cones);
	free(relax);
}

bool
relax_refuted(const struct relax *x, size_t observation)
{
	return x->refuted[observation];
}

bool
relax_breaks(const struct relax *relax, size_t observation, const int64_t *coef, bool equality, int side)
{
	const struct prepared *prepared = analysis_observation(relax->a, observation);
	size_t n = relax->a->model->n_counters;
	struct across across;
	int64_t *kept;
	bool whole = true;

	if (!relax->refuted[observation])
		return false;
	if (memcmp(coef, relax->certificate[observation], n * sizeof *coef) == 0)
		return true;
	kept = mem_new_array(n, sizeof *kept);
	for (size_t i = 0, k = 0; i < n; i++) {
		whole &= !coef[i] || prepared->keep[i];
		if (prepared->keep[i])
			kept[k++] = coef[i];
	}
	if (whole)
		across = verdict_across(
			prepared->region, kept, (enum region_kind)relax->a->opt.decides, relax->reach2[observation]);
	free(kept);
	if (!whole)
		return false;
	return (side <= 0 && across.at + across.reach < 0) || (equality && side >= 0 && across.at - across.reach > 0);
}

const struct relax_trial *
relax_try(struct relax *relax, const struct fset *on)
{
	struct relax_trial t = {.on = *on};

	for (size_t i = 0; i < relax->n_tried; i++)
		if (fset_equal(&relax->tried[i].on, on))
			return &relax->tried[i];
	t.refuted = mem_new_array(relax->n, sizeof *t.refuted);
	if (!relax_judge_judge(relax, on, relax->refuted, t.refuted)) {
		free(t.refuted);
		return NULL;
	}
	t.cone = search_cones_id(relax->cones, on, cones_get(relax->a->cones, on, relax->used));
	mem_grow(&relax->tried, &relax->cap, relax->n_tried + 1, sizeof *relax->tried);
	relax->tried[relax->n_tried++] = t;
	return &relax->tried[relax->n_tried - 1];
}
