/* Conclusions from a search: its graph, the words after it, and features that no data can reveal. */
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

/* --- the graph --------------------------------------------------------------------------------------------------- */

struct fset
search_optional(const struct search *s)
{
	return fset_minus(s->lattice->optional, s->useless);
}

char *
search_useless_in(const struct search *s)
{
	if (!fset_count(&s->useless) || s->useless_whole)
		return NULL;
	return str_format("in each of the %zu sets of other features that were tried (not all)", s->useless_tested);
}

static int
step_of(enum lattice_step s)
{
	switch (s) {
	case LATTICE_START:
		return GRAPH_START;
	case LATTICE_DISCOVERY:
		return GRAPH_DISCOVERY;
	case LATTICE_ELIMINATION:
		break;
	}
	return GRAPH_ELIMINATION;
}

static struct search_graph_model
model_of(const struct search *search, const struct lattice_model *model)
{
	const struct lattice *lattice = search->lattice;
	struct search_graph_model m = {.on = model->on,
		.usable = model->usable,
		.survives = model->usable && !model->n_infeasible,
		.infeasible = model->n_infeasible,
		.n_words = lattice->n_words,
		.step = step_of(model->step)};

	m.refuted = mem_copy(model->infeasible, lattice->n_words * sizeof *m.refuted);
	if (model->usable) {
		const struct search_cone *cone = &search->cone[model->cone];

		m.cone = cone->fingerprint;
		m.worst = cone->worst ? mem_str(cone->worst) : NULL;
		m.worst_by = cone->worst ? mem_str(search->start->finding[cone->worst_by].name) : NULL;
	}
	return m;
}

static void
add_models(const struct search *search, struct search_graph *graph)
{
	const struct lattice *lattice = search->lattice;

	graph->model = mem_new_array(lattice->n_models, sizeof *graph->model);
	graph->n_models = lattice->n_models;
	for (size_t i = 0; i < lattice->n_models; i++)
		graph->model[i] = model_of(search, &lattice->model[i]);
	graph->edge = mem_new_array(lattice->n_edges, sizeof *graph->edge);
	graph->n_edges = lattice->n_edges;
	for (size_t i = 0; i < lattice->n_edges; i++)
		graph->edge[i] = (struct search_graph_edge){.from = lattice->edge[i].from, .to = lattice->edge[i].to,
			.changed = lattice->edge[i].changed, .step = step_of(lattice->edge[i].step)};
	graph->needs.minimal = mem_copy(lattice->minimal, lattice->n_minimal * sizeof *graph->needs.minimal);
	graph->needs.n_minimal = lattice->n_minimal;
}

static int
search_result_kind_of(const struct search_alike *x)
{
	switch (x->kind) {
	case ALIKE_EQUAL:
		return GRAPH_EQUAL;
	case ALIKE_SURVIVORS:
		return GRAPH_SURVIVORS;
	case ALIKE_NOTHING:
		break;
	}
	return x->held < x->tested ? GRAPH_PARTLY : GRAPH_NOTHING;
}

/* Statements about useless features in survivors are left out. */
static void
search_result_add_words(const struct search *search, struct search_graph *graph)
{
	const struct lattice *lattice = search->lattice;

	graph->complete = lattice->complete && !graph->running;
	graph->reason = lattice->reason ? mem_str(lattice->reason) : graph->running ? mem_str("it goes on") : NULL;
	graph->needs.required = lattice->required;
	graph->needs.optional = search_optional(search);
	graph->needs.useless = search->useless;
	graph->needs.useless_in = search_useless_in(search);
	graph->sets = lattice->sets;
	graph->tested = lattice->tested;
	graph->proposed = search->proposed;
	graph->repair = mem_copy(search->repair, search->n_repairs * sizeof *graph->repair);
	graph->n_repairs = search->n_repairs;
	graph->alike = mem_new_array(search->n_alike, sizeof *graph->alike);
	graph->n_alike = search->n_alike;
	for (size_t i = 0; i < search->n_alike; i++)
		graph->alike[i] = (struct search_graph_alike){.kind = search_result_kind_of(&search->alike[i]),
			.one = search->alike[i].one,
			.other = search->alike[i].other,
			.why = search->alike[i].why ? str_format("%s: %s", search->alike[i].says, search->alike[i].why)
					       : mem_str(search->alike[i].says)};
}

struct search_graph *
search_graph_of(const struct search *search, bool running)
{
	struct search_graph *graph = search_graph_new();

	graph->task = (int)search->request.task;
	graph->running = running;
	graph->fixed = search->request.fixed;
	graph->seconds = search->seconds;
	graph->says = search->says ? mem_str(search->says) : NULL;
	graph->suspects = search->suspects_text ? mem_str(search->suspects_text) : NULL;
	if (!search->start) {
		graph->reason = mem_str("it was stopped before its first set was judged");
		return graph;
	}
	if (search->start->error) {
		graph->reason = str_format("the features of its first set make an error: %s", search->start->error);
		return graph;
	}
	graph->n_observations = search->start->n_findings;
	graph->undecided = running ? search->start->count[VERDICT_UNDECIDED] : graph->n_observations - search->decided;
	graph->observation = mem_new_array(graph->n_observations, sizeof *graph->observation);
	for (size_t i = 0; i < graph->n_observations; i++)
		graph->observation[i] = mem_str(search->start->finding[i].name);
	add_models(search, graph);
	search_result_add_words(search, graph);
	return graph;
}

/* --- after a search ---------------------------------------------------------------------------------------------- */

size_t
search_nearest(const struct lattice *lattice)
{
	size_t best = lattice->n_models;

	for (size_t i = 0; i < lattice->n_models; i++) {
		const struct lattice_model *m = &lattice->model[i],
					   *b = best < lattice->n_models ? &lattice->model[best] : NULL;

		if (m->usable && (!b || m->n_infeasible < b->n_infeasible
			|| (m->n_infeasible == b->n_infeasible && fset_count(&m->on) < fset_count(&b->on))))
			best = i;
	}
	return best;
}

struct search_end *
search_end_new(struct analysis *analysis, const struct search *search, bool explain, const struct analysis_watch *watch)
{
	struct search_end *end = mem_new(sizeof *end);
	bool whole = true;

	if (explain && !search->lattice->stopped) {
		end->start = analysis_explain(analysis, search->start, watch);
		whole = end->start != NULL;
	}
	end->refused = whole && search->request.task == SEARCH_AUTO && !search->lattice->stopped &&
		search->lattice->n_minimal == 0 &&
		hitting_refusal(search->lattice, search->start->n_findings, &end->refusal);
	if (end->refused) {
		end->nearest = search_nearest(search->lattice);
		end->drafts = analysis_drafts(analysis, &search->lattice->model[end->nearest].on, watch);
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
	for (size_t i = 0; all != NO_CONE && i < search->lattice->n_models && !hidden; i++) {
		const struct lattice_model *model = &search->lattice->model[i];

		if (!model->usable || model->n_infeasible || fset_has(&model->on, feature))
			continue;
		without = cone_of(analysis, cones, &model->on, used);
		hidden = without != NO_CONE && search_cones_inside(cones, all, without);
	}
	search_cones_free(cones);
	free(used);
	return hidden;
}
