/* Finds the value of a counter by searching again without it, on the same data. Verdicts over fewer counters are not
 * part of those over all, because regions and cones are both projected. */
#include "work/search/worth.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/stats/region.h"
#include "core/udd/model.h"
#include "core/verdict/verdict.h"
#include "work/analysis/cones.h"
#include "work/analysis/describe.h"
#include "work/analysis/loss.h"
#include "work/analysis/search_cones.h"
#include "work/files/data.h"
#include "work/search/search.h"

struct worth_question {
	struct analysis *a;
	const struct search *s;
	struct worth *out;
	size_t tests_max;
	const struct analysis_watch *watch;
	size_t cones; /* distinct cones of the tested models, with all counters */
};

/* Makes an analysis of the same data over fewer counters. */
static struct analysis *
worth_make_analysis(const struct analysis *a, const bool *keep)
{
	struct analysis_options o = a->opt;
	struct analysis *b;

	o.counter = mem_copy(keep, a->model->n_counters * sizeof *keep);
	o.n_counters = a->model->n_counters;
	b = analysis_new(a->model, &o);
	free(o.counter);
	for (size_t t = 0; t < a->n_tables; t++)
		analysis_set_table(b, t, data_copy(a->table[t].data));
	return b;
}

/* Does some observation refute the choice, which has signatures? */
static bool
is_refuted(struct analysis *analysis, const struct fset *on)
{
	struct verdict_options how = {
		.confidence = analysis->opt.confidence, .decides = (enum region_kind)analysis->opt.decides};
	size_t n = analysis_n_observations(analysis);
	bool refuted = false;

	cones_begin(analysis->cones);
	if (!analysis->opt.one_by_one) {
		struct verdict **verdict = mem_new_array(n, sizeof(struct verdict *));
		const struct cone **cone = mem_new_array(n, sizeof(const struct cone *));

		judge_all(analysis, on, true, verdict, cone, NULL);
		judge_family(analysis, verdict, cone, n);
		for (size_t i = 0; i < n; i++)
			refuted |= verdict[i]->family_wise == VERDICT_INFEASIBLE;
		judge_free_verdicts(verdict, n);
		free(cone);
		return refuted;
	}
	for (size_t i = 0; i < n && !refuted; i++) {
		const struct prepared *prepared = analysis_observation(analysis, i);
		struct verdict *verdict;

		if (!prepared->region)
			continue;
		verdict = judge_without_zeros(analysis, on, &prepared, &how,
			verdict_new(cones_get(analysis->cones, on, prepared->keep), prepared->region, &how));
		refuted = verdict->verdict == VERDICT_INFEASIBLE;
		verdict_free(verdict);
	}
	return refuted;
}

static void
count_revived(
	const struct search_graph *had, struct analysis *analysis, const struct search_graph *has,
	struct worth_counter *counter)
{
	for (size_t i = 0; i < had->n_models; i++) {
		const struct search_graph_model *model = &had->model[i];
		size_t now;

		if (!model->usable || !model->infeasible)
			continue;
		now = search_graph_find(has, &model->on);
		if (now < has->n_models ? has->model[now].infeasible > 0 : is_refuted(analysis, &model->on))
			continue;
		if (counter->revived++ == 0)
			counter->example = model->on;
	}
}

/* Returns the number of distinct cones of the models over these counters. */
static size_t
count_cones(const struct search_graph *graph, struct analysis *analysis, const bool *keep)
{
	struct search_cones *cones = search_cones_new(NULL, NULL);
	char *error = NULL;
	size_t n;

	for (size_t i = 0; i < graph->n_models; i++) {
		cones_begin(analysis->cones);
		if (graph->model[i].usable && cones_signatures(analysis->cones, &graph->model[i].on, &error))
			search_cones_id(
				cones, &graph->model[i].on, cones_get(analysis->cones, &graph->model[i].on, keep));
	}
	n = search_cones_n(cones);
	search_cones_free(cones);
	free(error);
	return n;
}

static size_t
constraints_gone(struct worth_question *w, size_t counter)
{
	struct counter_loss *l = analysis_loss(w->a, &w->out->about, counter, NULL, 0, w->watch);
	size_t n = l ? l->n_gone : 0;

	loss_free(l);
	return n;
}

/* Computes what each counter is worth. False when it was stopped. */
static bool
value_counter(struct worth_question *question, bool *keep, size_t counter)
{
	const struct search_graph *had = question->s->graph;
	struct worth_counter *worth_counter = &question->out->counter[question->out->n];
	struct analysis *analysis;
	struct search *search;

	keep[counter] = false;
	analysis = worth_make_analysis(question->a, keep);
	search = search_run(analysis, &question->s->start->on, question->tests_max, question->watch);
	if (search) {
		const struct search_graph *has = search->graph;

		*worth_counter = (struct worth_counter){
			.counter = counter, .changes = !search_graph_same_minimal(had, has)};
		worth_counter->unrequired = fset_minus(had->needs.required, has->needs.required);
		count_revived(had, analysis, has, worth_counter);
		worth_counter->merged = count_cones(had, analysis, keep);
		worth_counter->merged = worth_counter->merged < question->cones
			? question->cones - worth_counter->merged
			: 0;
		worth_counter->constraints = constraints_gone(question, counter);
		question->out->complete &= has->complete;
		question->out->n++;
	}
	keep[counter] = true;
	search_free(search);
	analysis_free(analysis);
	return search != NULL;
}

static int
compare_worth(const void *va, const void *vb)
{
	const struct worth_counter *a = va, *b = vb;
	size_t x = fset_count(&a->unrequired), y = fset_count(&b->unrequired);

	if (a->changes != b->changes)
		return a->changes ? -1 : 1;
	if (x != y)
		return x > y ? -1 : 1;
	if (a->revived != b->revived)
		return a->revived > b->revived ? -1 : 1;
	if (a->merged != b->merged)
		return a->merged > b->merged ? -1 : 1;
	if (a->constraints != b->constraints)
		return a->constraints > b->constraints ? -1 : 1;
	return a->counter < b->counter ? -1 : a->counter > b->counter;
}

/* Do these counters give the same smallest survivors? -1: stopped. */
static int
keeps_result(struct worth_question *w, const bool *keep)
{
	struct analysis *b = worth_make_analysis(w->a, keep);
	struct search *s = search_run(b, &w->s->start->on, w->tests_max, w->watch);
	int same = s ? search_graph_same_minimal(w->s->graph, s->graph) : -1;

	if (s)
		w->out->complete &= s->graph->complete;
	search_free(s);
	analysis_free(b);
	return same;
}

/* Removes the least useful counters first, repeatedly, until none can go. */
static bool
find_kept(struct worth_question *question)
{
	struct worth *worth = question->out;
	bool changed = true;

	while (changed) {
		changed = false;
		for (size_t i = worth->n; i-- > 0 && worth->n_kept > 1;) {
			size_t c = worth->counter[i].counter;
			int same;

			if (!worth->kept[c])
				continue;
			worth->kept[c] = false;
			same = keeps_result(question, worth->kept);
			if (same < 0)
				return false;
			worth->kept[c] = !same;
			worth->n_kept -= (size_t)same;
			changed |= same > 0;
		}
	}
	return true;
}

struct worth *
worth_find(struct analysis *analysis, const struct search *search, size_t tests_max, const struct analysis_watch *watch)
{
	struct worth_question w = {
		.a = analysis, .s = search, .out = mem_new(sizeof *w.out), .tests_max = tests_max, .watch = watch};
	size_t n = analysis->model->n_counters;
	double start = clock_seconds();

	w.out->complete = search->graph->complete;
	w.out->about = search->graph->needs.n_minimal ? search->graph->model[search->graph->needs.minimal[0]].on
						  : search->start->on;
	w.out->kept = mem_copy(search->start->used, n * sizeof *w.out->kept);
	w.out->counter = mem_new_array(n, sizeof *w.out->counter);
	for (size_t i = 0; i < n; i++)
		w.out->n_kept += w.out->kept[i];
	w.cones = count_cones(search->graph, analysis, search->start->used);
	for (size_t i = 0; i < n && w.out->n_kept > 1; i++)
		if (search->start->used[i] && !value_counter(&w, search->start->used, i))
			goto stopped;
	if (w.out->n)
		qsort(w.out->counter, w.out->n, sizeof *w.out->counter, compare_worth);
	if (!find_kept(&w))
		goto stopped;
	w.out->seconds = clock_seconds() - start;
	return w.out;
stopped:
	worth_free(w.out);
	return NULL;
}
