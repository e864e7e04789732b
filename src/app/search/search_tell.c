/* A search as a graph, in the form that is sent, merged and kept. */
#include <stdlib.h>

#include "app/search/search.h"
#include "base/mem.h"
#include "base/str.h"

struct fset
search_optional(const struct search *s)
{
	struct fset on = s->lattice->optional;

	for (size_t i = 0; i < FSET_MAX / 64; i++)
		on.w[i] &= ~s->useless.w[i];
	return on;
}

char *
search_useless_in(const struct search *s)
{
	if (!fset_count(&s->useless) || s->useless_whole)
		return NULL;
	return str_format("in each of the %zu sets of other features that were tried (not all)",
		s->useless_tested);
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

static struct graph_model
model_of(const struct search *s, const struct lattice_model *x)
{
	const struct lattice *l = s->lattice;
	struct graph_model m = {.on = x->on,
		.usable = x->usable,
		.survives = x->usable && !x->n_infeasible,
		.infeasible = x->n_infeasible,
		.n_words = l->n_words,
		.step = step_of(x->step)};

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
		g->edge[i] = (struct graph_edge){.from = l->edge[i].from,
			.to = l->edge[i].to,
			.changed = l->edge[i].changed,
			.step = step_of(l->edge[i].step)};
	g->minimal = mem_copy(l->minimal, l->n_minimal * sizeof *g->minimal);
	g->n_minimal = l->n_minimal;
}

static int
kind_of(const struct search_alike *x)
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
add_words(const struct search *s, struct search_graph *g)
{
	const struct lattice *l = s->lattice;

	g->complete = l->complete && !g->running;
	g->reason = l->reason ? mem_str(l->reason) : g->running ? mem_str("it goes on") : NULL;
	g->required = l->required;
	g->optional = search_optional(s);
	g->useless = s->useless;
	g->useless_in = search_useless_in(s);
	g->sets = l->sets;
	g->tested = l->tested;
	g->proposed = s->proposed;
	g->repair = mem_copy(s->repair, s->n_repairs * sizeof *g->repair);
	g->n_repairs = s->n_repairs;
	g->alike = mem_new_array(s->n_alike, sizeof *g->alike);
	g->n_alike = s->n_alike;
	for (size_t i = 0; i < s->n_alike; i++)
		g->alike[i] = (struct graph_alike){.kind = kind_of(&s->alike[i]), .one = s->alike[i].one,
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
	g->suspects = s->suspects_say ? mem_str(s->suspects_say) : NULL;
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
	add_words(s, g);
	return g;
}
