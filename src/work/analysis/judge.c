/* Verdicts of all observations on one choice of features, computed in parallel, because none depends on another. */
#include <stdlib.h>

#include "base/mem.h"
#include "base/parallel.h"
#include "core/cone/cone.h"
#include "core/stats/region.h"
#include "core/stats/tails.h"
#include "core/udd/model.h"
#include "core/verdict/lp.h"
#include "core/verdict/verdict.h"
#include "work/analysis/cones.h"
#include "work/analysis/describe.h"
#include "work/analysis/unrelated.h"

#define JUDGED_PER_THREAD 16 /* starting a thread costs about as much as one verdict */

/* Shared by the judging threads. */
struct judging {
	struct analysis *a;
	struct verdict_options how;
	const struct prepared **ready;
	const double *threshold2; /* squared thresholds by number of counters */
	const struct cone **cone;
	struct verdict **v;
	const struct analysis_watch *watch;
	size_t n;
};

/* Points against cones without facets are judged by PPL, which allows only one thread. */
static bool
needs_one_thread(const struct judging *j, size_t i)
{
	return j->cone[i] && !j->cone[i]->complete && j->ready[i]->region->point;
}

static void
judge_one(const struct judging *j, size_t i)
{
	struct verdict_options how = j->how;

	if (!j->ready[i]->region) {
		j->v[i] = verdict_undecided(j->ready[i]->reason);
		return;
	}
	how.threshold2 = j->threshold2[j->ready[i]->n_kept];
	j->v[i] = verdict_new(j->cone[i], j->ready[i]->region, &how);
}

static void
judge_in_thread(void *ctx, size_t i)
{
	if (!needs_one_thread(ctx, i))
		judge_one(ctx, i);
}

static void
leave_thread(void *ctx)
{
	(void)ctx;
	lp_leave_thread();
}

static bool
go_on_judging(void *ctx, size_t done)
{
	const struct judging *j = ctx;

	return !j->watch || j->watch->go_on(j->watch->ctx, "check", done, j->n);
}

static bool
judge_in_parallel(struct judging *judging)
{
	struct parallel how = {.each = judge_in_thread, .go_on = go_on_judging, .leave = leave_thread, .ctx = judging,
		.least = JUDGED_PER_THREAD};

	if (!parallel_each(&how, judging->n))
		return false;
	for (size_t i = 0; i < judging->n; i++) {
		if (!needs_one_thread(judging, i))
			continue;
		if (!go_on_judging(judging, i))
			return false;
		judge_one(judging, i);
	}
	return true;
}

struct verdict *
judge_without_zeros(struct analysis *analysis, const struct fset *on, const struct prepared **p,
	const struct verdict_options *how, struct verdict *v)
{
	const struct prepared *less = (*p)->less;
	struct verdict_options now = *how;
	struct verdict *w;

	if (!less || v->verdict != VERDICT_INFEASIBLE)
		return v;
	now.threshold2 = 0;
	w = verdict_new(cones_get(analysis->cones, on, less->keep), less->region, &now);
	if (w->verdict != VERDICT_INFEASIBLE) {
		verdict_free(v);
		*p = less;
		return w;
	}
	v->strong &= w->strong; /* a cone inside is refuted with and without them */
	verdict_free(w);
	return v;
}

const struct prepared *
judge_chosen(struct analysis *a, const struct fset *on, const struct prepared *p)
{
	const struct verdict_options how = {.confidence = a->opt.confidence,
		.decides = (enum region_kind)a->opt.decides, .alone = true, .bare = true};

	if (p->less)
		verdict_free(judge_without_zeros(a, on, &p, &how,
			verdict_new(cones_get(a->cones, on, p->keep), p->region, &how)));
	return p;
}

bool
judge_all(struct analysis *analysis, const struct fset *on, bool alone, struct verdict **v, const struct cone **cone,
	const struct analysis_watch *watch)
{
	size_t n = analysis_n_observations(analysis), at = 0;
	const struct prepared **ready = mem_new_array(n, sizeof *ready);
	double *threshold2 = mem_new_array(analysis->model->n_counters + 1, sizeof *threshold2);
	struct judging j = {.a = analysis,
		.ready = ready,
		.threshold2 = threshold2,
		.cone = cone,
		.v = v,
		.watch = watch,
		.n = n,
		.how = {.confidence = analysis->opt.confidence,
			.decides = (enum region_kind)analysis->opt.decides,
			.flow = analysis->opt.flow,
			.alone = alone}};
	bool whole;

	for (size_t t = 0; t < analysis->n_tables; t++)
		for (size_t k = 0; k < analysis->table[t].n_ready; k++)
			ready[at++] = &analysis->table[t].ready[k];
	for (size_t i = 0; i < n; i++) {
		size_t kept = ready[i]->n_kept;

		if (!ready[i]->region)
			continue;
		cone[i] = cones_get(analysis->cones, on, ready[i]->keep);
		if (threshold2[kept] <= 0)
			threshold2[kept] = chi2_quantile(analysis->opt.confidence, kept);
	}
	whole = judge_in_parallel(&j);
	for (size_t i = 0; i < n && whole; i++) {
		v[i] = judge_without_zeros(analysis, on, &ready[i], &j.how, v[i]);
		if (ready[i] != analysis_observation(analysis, i))
			cone[i] = cones_get(analysis->cones, on, ready[i]->keep);
		unrelated_judge(analysis, on, ready[i], v[i]);
	}
	free(analysis->judged);
	analysis->judged = ready;
	free(threshold2);
	return whole;
}

void
judge_family(const struct analysis *a, struct verdict **v, const struct cone **cone, size_t n)
{
	struct verdict_options how = {.confidence = a->opt.confidence, .decides = (enum region_kind)a->opt.decides};
	const struct region **region = mem_new_array(n, sizeof *region);

	for (size_t i = 0; i < n; i++)
		region[i] = a->judged[i]->region;
	verdicts_holm(v, cone, region, n, NULL, &how);
	free(region);
}

enum verdict_kind
judge_decides(const struct analysis *a, const struct verdict *v)
{
	return a->opt.one_by_one ? v->verdict : v->family_wise;
}

void
judge_free_verdicts(struct verdict **v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		verdict_free(v[i]);
	free(v);
}
