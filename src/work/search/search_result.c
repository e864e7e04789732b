/* Conclusions from a search: the words after it, and features that no data can reveal. */
#include "work/search/search_result.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/udd/model.h"
#include "work/analysis/cones.h"
#include "work/analysis/describe.h"
#include "work/analysis/drafts.h"
#include "work/analysis/explain.h"
#include "work/analysis/search_cones.h"
#include "work/search/search.h"

#define NO_CONE ((size_t)-1)

/* --- after a search ---------------------------------------------------------------------------------------------- */

size_t
search_nearest(const struct search_graph *graph)
{
	size_t best = graph->n_models;

	for (size_t i = 0; i < graph->n_models; i++) {
		const struct search_graph_model *m = &graph->model[i],
					   *b = best < graph->n_models ? &graph->model[best] : NULL;

		if (m->usable && (!b || m->infeasible < b->infeasible
			|| (m->infeasible == b->infeasible && fset_count(&m->on) < fset_count(&b->on))))
			best = i;
	}
	return best;
}

struct search_end *
search_end_new(struct analysis *analysis, const struct search *search, bool explain, const struct analysis_watch *watch)
{
	struct search_end *end = mem_new(sizeof *end);
	bool whole = true;

	if (explain && !search->graph->own.stopped) {
		end->start = analysis_explain(analysis, search->start, watch);
		whole = end->start != NULL;
	}
	end->refused = whole && search->request.task == SEARCH_AUTO && !search->graph->own.stopped &&
		search->graph->needs.n_minimal == 0 &&
		hitting_refusal(search->graph, search->start->n_findings, &end->refusal);
	if (end->refused) {
		end->nearest = search_nearest(search->graph);
		end->drafts = analysis_drafts(analysis, &search->graph->model[end->nearest].on, watch);
		whole = end->drafts != NULL;
	}
	if (whole)
		return end;
	search_end_free(end);
	return NULL;
}

void
search_end_free(struct search_end *e)
{
	if (!e)
		return;
	explanations_free(e->start);
	free(e->refusal.element);
	drafts_free(e->drafts);
	free(e);
}

/* --- hidden features --------------------------------------------------------------------------------------------- */

static size_t
cone_of(struct analysis *a, struct search_cones *c, const struct fset *on, const bool *used)
{
	const struct signatures *sig;
	char *error = NULL;

	cones_begin(a->cones);
	sig = cones_signatures(a->cones, on, &error);
	free(error);
	return sig ? search_cones_id(c, on, cones_get(a->cones, on, used)) : NO_CONE;
}

/* Returns the largest choice without the feature; features that the search did not change stay as they were. The result
 * is legal. */
static struct fset
largest_without(const struct analysis *a, const struct search *s, size_t feature)
{
	struct fset on = s->request.on;

	for (size_t i = 0; i < a->model->n_features; i++)
		if (!fset_has(&s->request.fixed, i) && i != feature)
			fset_put(&on, i, true);
	return udd_without(a->model, &on, feature);
}

bool
search_hidden(struct analysis *analysis, const struct search *search, const struct fset *truth, size_t feature)
{
	struct search_cones *cones = search_cones_new(NULL, NULL);
	bool *used = analysis_used_counters(analysis), hidden = false;
	struct fset most = largest_without(analysis, search, feature);
	struct err e;
	size_t all = udd_legal(analysis->model, truth, &e) ? cone_of(analysis, cones, truth, used) : NO_CONE, without;

	if (all != NO_CONE && udd_legal(analysis->model, &most, &e)) {
		without = cone_of(analysis, cones, &most, used);
		hidden = without != NO_CONE && search_cones_inside(cones, all, without);
	}
	for (size_t i = 0; all != NO_CONE && i < search->graph->n_models && !hidden; i++) {
		const struct search_graph_model *model = &search->graph->model[i];

		if (!model->usable || model->infeasible || fset_has(&model->on, feature))
			continue;
		without = cone_of(analysis, cones, &model->on, used);
		hidden = without != NO_CONE && search_cones_inside(cones, all, without);
	}
	search_cones_free(cones);
	free(used);
	return hidden;
}
