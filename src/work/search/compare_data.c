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
relate(struct data_comparison *comparison, const bool *keep)
{
	struct relation_side side[2];
	int64_t *row[2];
	size_t *number[2], all = comparison->a->model->n_counters;
	char *error = NULL;

	if (comparison->keep && memcmp(comparison->keep, keep, all * sizeof *keep) == 0)
		return;
	free(comparison->keep);
	comparison->keep = mem_copy(keep, all * sizeof *keep);
	relation_free(&comparison->relation);
	for (int k = 0; k < 2; k++) {
		side[k].cone = comparison->cone[k] = cones_get(comparison->a->cones, &comparison->c->on[k], keep);
		row[k] = compare_rows(cones_signatures(comparison->a->cones, &comparison->c->on[k], &error), keep,
			side[k].cone->n_counters, &side[k].n, &number[k]);
		side[k].signature = row[k];
	}
	relation_find(side, &comparison->relation);
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
find_nearest(struct data_comparison *comparison, const struct prepared *prepared, double reach2,
	struct compare_observation *observation)
{
	size_t best[2] = {0, 0};

	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < comparison->relation.n[k]; i++) {
			const struct relation_row *row = &comparison->relation.row[k][i];
			struct across x = verdict_across(
				prepared->region, row->coef, (enum region_kind)comparison->a->opt.decides, reach2);
			struct compare_observation now = *observation;

			now.nearest = true;
			now.keeper = k;
			now.off = row->equality ? fabs(x.at) : -x.at;
			now.reach = x.reach;
			now.size = x.size;
			now.needed = samples_needed(prepared, now.off, x.reach);
			if (is_nearer(&now, observation)) {
				*observation = now;
				best[0] = k;
				best[1] = i;
			}
		}
	if (observation->nearest) {
		const struct relation_row *row = &comparison->relation.row[best[0]][best[1]];
		struct constraint c = describe_row(comparison->a, prepared->keep, row->coef, row->equality);

		observation->text = c.text;
		free(c.coef);
	}
}

static void
judge_one(struct data_comparison *comparison, const struct prepared *prepared, size_t i,
	struct compare_observation *observation)
{
	struct verdict_options how = {
		.confidence = comparison->a->opt.confidence, .decides = (enum region_kind)comparison->a->opt.decides};
	double reach2 = 0;

	observation->samples = obs_samples(prepared->obs);
	observation->alone[0] = observation->alone[1] = VERDICT_UNDECIDED;
	observation->needed = NAN;
	for (int k = 0; k < 2 && !prepared->region; k++)
		comparison->judged[k].verdict[i] = verdict_undecided("");
	if (!prepared->region)
		return;
	relate(comparison, prepared->keep);
	comparison->region[i] = prepared->region;
	for (int k = 0; k < 2; k++) {
		const struct prepared *judged = prepared;
		struct verdict *verdict = judge_without_zeros(comparison->a, &comparison->c->on[k], &judged, &how,
			verdict_new(comparison->cone[k], prepared->region, &how));

		comparison->judged[k].verdict[i] = verdict;
		comparison->judged[k].cone[i] = comparison->cone[k];
		observation->alone[k] = verdict->verdict;
		reach2 = verdict->reach2;
	}
	find_nearest(comparison, prepared, reach2, observation);
}

/* Runs Holm's procedure over the observations for each choice, and frees its input. `whole`: all were judged. */
static void
compare_data_conclude(struct data_comparison *comparison, bool whole)
{
	const struct verdict_options how = {
		.confidence = comparison->a->opt.confidence, .decides = (enum region_kind)comparison->a->opt.decides};
	size_t n = comparison->c->n_observations;

	for (int k = 0; k < 2; k++) {
		if (whole)
			verdicts_holm(comparison->judged[k].verdict, comparison->judged[k].cone, comparison->region, n,
				NULL, &how);
		for (size_t i = 0; i < n; i++) {
			struct compare_observation *observation = &comparison->c->observation[i];
			const struct verdict *verdict = comparison->judged[k].verdict[i];

			observation->family_wise[k] = whole ? verdict->family_wise : observation->alone[k];
			observation->verdict[k] = comparison->a->opt.one_by_one ? observation->alone[k]
										: observation->family_wise[k];
			verdict_free(comparison->judged[k].verdict[i]);
		}
		free(comparison->judged[k].verdict);
		free(comparison->judged[k].cone);
	}
	for (size_t i = 0; i < n; i++) {
		struct compare_observation *observation = &comparison->c->observation[i];

		observation->decides = (observation->verdict[0] == VERDICT_INFEASIBLE &&
					       observation->verdict[1] == VERDICT_FEASIBLE) ||
			(observation->verdict[1] == VERDICT_INFEASIBLE && observation->verdict[0] == VERDICT_FEASIBLE);
	}
	free(comparison->region);
}

bool
compare_judge(struct analysis *analysis, struct comparison *comparison, const struct analysis_watch *watch)
{
	struct data_comparison w = {.a = analysis, .c = comparison};
	bool whole = true;

	comparison->n_observations = analysis_n_observations(analysis);
	comparison->observation = mem_new_array(comparison->n_observations, sizeof *comparison->observation);
	w.region = mem_new_array(comparison->n_observations, sizeof *w.region);
	for (int k = 0; k < 2; k++) {
		w.judged[k].verdict = mem_new_array(comparison->n_observations, sizeof *w.judged[k].verdict);
		w.judged[k].cone = mem_new_array(comparison->n_observations, sizeof *w.judged[k].cone);
	}
	cones_begin(analysis->cones);
	for (size_t i = 0; i < comparison->n_observations && whole; i++) {
		whole = !watch || watch->go_on(watch->ctx, "check", i, comparison->n_observations);
		comparison->observation[i].name = mem_str(analysis_observation(analysis, i)->obs->name);
		if (whole)
			judge_one(&w, analysis_observation(analysis, i), i, &comparison->observation[i]);
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
