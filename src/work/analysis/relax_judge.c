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
relax_judge_judge(struct relax *x, const struct fset *on, const bool *asked, bool *refuted)
{
	struct verdict_options how = {
		.confidence = x->a->opt.confidence, .decides = (enum region_kind)x->a->opt.decides};
	struct verdict **v = mem_new_array(x->n, sizeof(struct verdict *));
	const struct cone **cone = mem_new_array(x->n, sizeof(const struct cone *));
	bool whole = true, family = !x->a->opt.one_by_one;

	cones_begin(x->a->cones);
	if (family && (whole = judge_all(x->a, on, true, v, cone, x->watch)))
		judge_family(x->a, v, cone, x->n);
	for (size_t i = 0; i < x->n && whole; i++) {
		const struct prepared *p = analysis_observation(x->a, i);

		if (asked && !asked[i])
			continue;
		if (!family && p->region && (whole = relax_go_on(x, "check", i, x->n))) {
			how.threshold2 = x->threshold2[i];
			v[i] = judge_without_zeros(x->a, on, &p, &how,
				verdict_new(cones_get(x->a->cones, on, p->keep), p->region, &how));
		}
		refuted[i] = whole && v[i] && judge_decides(x->a, v[i]) == VERDICT_INFEASIBLE;
	}
	judge_free_verdicts(v, x->n);
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
relax_new(struct analysis *a, const struct fset *on, const struct analysis_watch *watch)
{
	struct relax *x = mem_new(sizeof *x);
	struct verdict **v;
	const struct cone **cone;
	bool whole;

	x->a = a;
	x->on = *on;
	x->watch = watch;
	x->n = analysis_n_observations(a);
	x->refuted = mem_new_array(x->n, sizeof *x->refuted);
	x->threshold2 = mem_new_array(x->n, sizeof *x->threshold2);
	x->reach2 = mem_new_array(x->n, sizeof *x->reach2);
	x->certificate = mem_new_array(x->n, sizeof *x->certificate);
	x->used = analysis_used_counters(a);
	x->cones = search_cones_new(NULL, NULL);
	v = mem_new_array(x->n, sizeof(struct verdict *));
	cone = mem_new_array(x->n, sizeof(const struct cone *));
	cones_begin(a->cones);
	whole = judge_all(a, on, true, v, cone, watch);
	if (whole)
		judge_family(a, v, cone, x->n);
	for (size_t i = 0; i < x->n && whole; i++) {
		x->refuted[i] = judge_decides(a, v[i]) == VERDICT_INFEASIBLE;
		x->threshold2[i] = v[i]->threshold2 > 0 ? v[i]->threshold2 : 0;
		x->reach2[i] = v[i]->reach2;
		if (x->refuted[i])
			keep_certificate(x, i, v[i]);
	}
	judge_free_verdicts(v, x->n);
	free(cone);
	if (whole)
		return x;
	relax_free(x);
	return NULL;
}

void
relax_free(struct relax *x)
{
	if (!x)
		return;
	for (size_t i = 0; i < x->n; i++)
		free(x->certificate[i]);
	for (size_t i = 0; i < x->n_tried; i++)
		free(x->tried[i].refuted);
	free(x->tried);
	free(x->refuted);
	free(x->threshold2);
	free(x->reach2);
	free(x->certificate);
	free(x->used);
	search_cones_free(x->cones);
	free(x);
}

bool
relax_refuted(const struct relax *x, size_t observation)
{
	return x->refuted[observation];
}

bool
relax_breaks(const struct relax *x, size_t observation, const int64_t *coef, bool equality, int side)
{
	const struct prepared *p = analysis_observation(x->a, observation);
	size_t n = x->a->model->n_counters;
	struct across across;
	int64_t *kept;
	bool whole = true;

	if (!x->refuted[observation])
		return false;
	if (memcmp(coef, x->certificate[observation], n * sizeof *coef) == 0)
		return true;
	kept = mem_new_array(n, sizeof *kept);
	for (size_t i = 0, k = 0; i < n; i++) {
		whole &= !coef[i] || p->keep[i];
		if (p->keep[i])
			kept[k++] = coef[i];
	}
	if (whole)
		across = verdict_across(p->region, kept, (enum region_kind)x->a->opt.decides, x->reach2[observation]);
	free(kept);
	if (!whole)
		return false;
	return (side <= 0 && across.at + across.reach < 0) || (equality && side >= 0 && across.at - across.reach > 0);
}

const struct relax_trial *
relax_try(struct relax *x, const struct fset *on)
{
	struct relax_trial t = {.on = *on};

	for (size_t i = 0; i < x->n_tried; i++)
		if (fset_equal(&x->tried[i].on, on))
			return &x->tried[i];
	t.refuted = mem_new_array(x->n, sizeof *t.refuted);
	if (!relax_judge_judge(x, on, x->refuted, t.refuted)) {
		free(t.refuted);
		return NULL;
	}
	t.cone = search_cones_id(x->cones, on, cones_get(x->a->cones, on, x->used));
	mem_grow(&x->tried, &x->cap, x->n_tried + 1, sizeof *x->tried);
	x->tried[x->n_tried++] = t;
	return &x->tried[x->n_tried - 1];
}
