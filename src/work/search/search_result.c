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
model_of(const struct search *s, const struct lattice_model *x)
{
	const struct lattice *l = s->lattice;
	struct search_graph_model m = {.on = x->on, .usable = x->usable, .survives = x->usable && !x->n_infeasible,
		.infeasible = x->n_infeasible, .n_words = l->n_words, .step = step_of(x->step)};

	m.refuted = mem_copy(x->infeasible, l->n_words * sizeof *m.refuted);
	if (x->usable) {
		const struct search_cone *c = &s->cone[x->cone];

		m.cone = c->fingerprint;
		m.worst = c->worst ? mem_str(c->worst) : NULL;
		m.worst_by = c->worst ? mem_str(s->start->finding[c->worst_by].name) : NULL;
	}
	return m;
}

static void
add_models(const struct search *s, struct search_graph *g)
{
	const struct lattice *l = s->lattice;

	g->model = mem_new_array(l->n_models, sizeof *g->model);
	g->n_models = l->n_models;
	for (size_t i = 0; i < l->n_models; i++)
		g->model[i] = model_of(s, &l->model[i]);
	g->edge = mem_new_array(l->n_edges, sizeof *g->edge);
	g->n_edges = l->n_edges;
	for (size_t i = 0; i < l->n_edges; i++)
		g->edge[i] = (struct search_graph_edge){.from = l->edge[i].from, .to = l->edge[i].to,
			.changed = l->edge[i].changed, .step = step_of(l->edge[i].step)};
	g->needs.minimal = mem_copy(l->minimal, l->n_minimal * sizeof *g->needs.minimal);
	g->needs.n_minimal = l->n_minimal;
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
search_result_add_words(const struct search *s, struct search_graph *g)
{
	const struct lattice *l = s->lattice;

	g->complete = l->complete && !g->running;
	g->reason = l->reason ? mem_str(l->reason) : g->running ? mem_str("it goes on") : NULL;
	g->needs.required = l->required;
	g->needs.optional = search_optional(s);
	g->needs.useless = s->useless;
	g->needs.useless_in = search_useless_in(s);
	g->sets = l->sets;
	g->tested = l->tested;
	g->proposed = s->proposed;
	g->repair = mem_copy(s->repair, s->n_repairs * sizeof *g->repair);
	g->n_repairs = s->n_repairs;
	g->alike = mem_new_array(s->n_alike, sizeof *g->alike);
	g->n_alike = s->n_alike;
	for (size_t i = 0; i < s->n_alike; i++)
		g->alike[i] = (struct search_graph_alike){.kind = search_result_kind_of(&s->alike[i]),
			.one = s->alike[i].one,
			.other = s->alike[i].other,
			.why = s->alike[i].why ? str_format("%s: %s", s->alike[i].says, s->alike[i].why)
					       : mem_str(s->alike[i].says)};
}

struct search_graph *
search_graph_of(const struct search *s, bool running)
{
	struct search_graph *g = search_graph_new();

	g->task = (int)s->request.task;
	g->running = running;
	g->fixed = s->request.fixed;
	g->seconds = s->seconds;
	g->says = s->says ? mem_str(s->says) : NULL;
	g->suspects = s->suspects_text ? mem_str(s->suspects_text) : NULL;
	if (!s->start) {
		g->reason = mem_str("it was stopped before its first set was judged");
		return g;
	}
	if (s->start->error) {
		g->reason = str_format("the features of its first set make an error: %s", s->start->error);
		return g;
	}
	g->n_observations = s->start->n_findings;
	g->undecided = running ? s->start->count[VERDICT_UNDECIDED] : g->n_observations - s->decided;
	g->observation = mem_new_array(g->n_observations, sizeof *g->observation);
	for (size_t i = 0; i < g->n_observations; i++)
		g->observation[i] = mem_str(s->start->finding[i].name);
	add_models(s, g);
	search_result_add_words(s, g);
	return g;
}

/* --- after a search ---------------------------------------------------------------------------------------------- */

size_t
search_nearest(const struct lattice *l)
{
	size_t best = l->n_models;

	for (size_t i = 0; i < l->n_models; i++) {
		const struct lattice_model *m = &l->model[i], *b = best < l->n_models ? &l->model[best] : NULL;

		if (m->usable && (!b || m->n_infeasible < b->n_infeasible
			|| (m->n_infeasible == b->n_infeasible && fset_count(&m->on) < fset_count(&b->on))))
			best = i;
	}
	return best;
}

struct search_end *
search_end_new(struct analysis *a, const struct search *s, bool explain, const struct analysis_watch *watch)
{
	struct search_end *e = mem_new(sizeof *e);
	bool whole = true;

	if (explain && !s->lattice->stopped) {
		e->start = analysis_explain(a, s->start, watch);
		whole = e->start != NULL;
	}
	e->refused = whole && s->request.task == SEARCH_AUTO && !s->lattice->stopped && s->lattice->n_minimal == 0 &&
		hitting_refusal(s->lattice, s->start->n_findings, &e->refusal);
	if (e->refused) {
		e->nearest = search_nearest(s->lattice);
		e->drafts = analysis_drafts(a, &s->lattice->model[e->nearest].on, watch);
		whole = e->drafts != NULL;
	}
	if (whole)
		return e;
	search_end_free(e);
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
search_hidden(struct analysis *a, const struct search *s, const struct fset *truth, size_t feature)
{
	struct search_cones *c = search_cones_new(NULL, NULL);
	bool *used = analysis_used_counters(a), hidden = false;
	struct fset most = largest_without(a, s, feature);
	struct err e;
	size_t all = udd_legal(a->model, truth, &e) ? cone_of(a, c, truth, used) : NO_CONE, without;

	if (all != NO_CONE && udd_legal(a->model, &most, &e)) {
		without = cone_of(a, c, &most, used);
		hidden = without != NO_CONE && search_cones_inside(c, all, without);
	}
	for (size_t i = 0; all != NO_CONE && i < s->lattice->n_models && !hidden; i++) {
		const struct lattice_model *m = &s->lattice->model[i];

		if (!m->usable || m->n_infeasible || fset_has(&m->on, feature))
			continue;
		without = cone_of(a, c, &m->on, used);
		hidden = without != NO_CONE && search_cones_inside(c, all, without);
	}
	search_cones_free(c);
	free(used);
	return hidden;
}
