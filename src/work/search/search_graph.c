#include "work/search/search_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "shape/wire.h"
#include "work/analysis/result.h"

struct search_graph *
search_graph_new(void)
{
	struct search_graph *g = mem_new(sizeof *g);

	g->sets = NAN;
	return g;
}

void
graph_model_clear(struct search_graph_model *m)
{
	free(m->refuted);
	free(m->worst);
	free(m->worst_by);
	*m = (struct search_graph_model){0};
}

static void
free_alike(struct search_graph *g)
{
	for (size_t i = 0; i < g->n_alike; i++)
		free(g->alike[i].why);
	free(g->alike);
}

static void
search_graph_free_names(struct search_graph *g)
{
	for (size_t i = 0; i < g->n_observations && g->observation; i++)
		free(g->observation[i]);
	free(g->observation);
}

void
search_graph_free(struct search_graph *g)
{
	if (!g)
		return;
	for (size_t i = 0; i < g->n_models; i++)
		graph_model_clear(&g->model[i]);
	search_graph_free_names(g);
	free_alike(g);
	free(g->needs.useless_in);
	free(g->model);
	free(g->edge);
	free(g->needs.minimal);
	free(g->repair);
	free(g->reason);
	free(g->says);
	free(g->suspects);
	free(g);
}

static void
set_wire(struct wire *w, struct fset *s)
{
	wire_bytes(w, s, sizeof *s);
}

static void
model_wire(struct wire *w, struct search_graph_model *m)
{
	set_wire(w, &m->on);
	wire_u64(w, &m->cone);
	wire_bool(w, &m->usable);
	wire_bool(w, &m->survives);
	wire_size(w, &m->infeasible);
	wire_array(w, &m->refuted, &m->n_words, sizeof *m->refuted, sizeof *m->refuted);
	wire_bytes(w, m->refuted, m->n_words * sizeof *m->refuted);
	wire_int(w, &m->step);
	wire_str(w, &m->worst);
	wire_str(w, &m->worst_by);
}

static void
edge_wire(struct wire *w, struct search_graph_edge *e)
{
	wire_size(w, &e->from);
	wire_size(w, &e->to);
	set_wire(w, &e->changed);
	wire_int(w, &e->step);
}

static void
words_wire(struct wire *w, struct search_graph *g)
{
	wire_array(w, &g->needs.minimal, &g->needs.n_minimal, sizeof *g->needs.minimal, 8);
	for (size_t i = 0; i < g->needs.n_minimal; i++)
		wire_size(w, &g->needs.minimal[i]);
	set_wire(w, &g->needs.required);
	set_wire(w, &g->needs.optional);
	set_wire(w, &g->needs.useless);
	wire_str(w, &g->needs.useless_in);
	set_wire(w, &g->proposed);
	wire_array(w, &g->repair, &g->n_repairs, sizeof *g->repair, 16);
	for (size_t i = 0; i < g->n_repairs; i++) {
		wire_size(w, &g->repair[i].feature);
		wire_size(w, &g->repair[i].frees);
	}
	wire_array(w, &g->alike, &g->n_alike, sizeof *g->alike, 2 * sizeof(struct fset));
	for (size_t i = 0; i < g->n_alike; i++) {
		wire_int(w, &g->alike[i].kind);
		set_wire(w, &g->alike[i].one);
		set_wire(w, &g->alike[i].other);
		wire_str(w, &g->alike[i].why);
	}
	wire_double(w, &g->sets);
	wire_size(w, &g->tested);
	wire_double(w, &g->seconds);
}

void
search_graph_undecided_text(size_t undecided, size_t of, struct str *out)
{
	if (undecided && undecided < of)
		str_addf(out, "%zu of %zu observations %s undecided: nothing is claimed of %s", undecided, of,
			undecided == 1 ? "is" : "are", undecided == 1 ? "it" : "them");
	else if (undecided)
		str_addf(out, "%s undecided: nothing is claimed of any model",
			of == 1 ? "the observation is" : "all observations are");
}

static bool
is_step(int step)
{
	return step >= GRAPH_START && step <= GRAPH_CHOSEN;
}

/* Numbers read from a message or a file may have any value. An index out of range makes the message invalid. */
static void
search_graph_check(struct wire *w, const struct search_graph *g)
{
	size_t words = (g->n_observations + 63) / 64;

	w->bad |= g->task < SEARCH_NONE || g->task > SEARCH_AUTO;
	for (size_t i = 0; i < g->n_observations; i++)
		w->bad |= !g->observation[i];
	for (size_t i = 0; i < g->n_models; i++)
		w->bad |= g->model[i].n_words != words || !is_step(g->model[i].step);
	for (size_t i = 0; i < g->n_edges; i++)
		w->bad |= g->edge[i].from >= g->n_models || g->edge[i].to >= g->n_models || !is_step(g->edge[i].step);
	for (size_t i = 0; i < g->needs.n_minimal; i++)
		w->bad |= g->needs.minimal[i] >= g->n_models;
	for (size_t i = 0; i < g->n_repairs; i++)
		w->bad |= g->repair[i].feature >= FSET_MAX;
}

void
search_graph_wire(struct wire *w, struct search_graph *g)
{
	wire_int(w, &g->task);
	set_wire(w, &g->fixed);
	wire_bool(w, &g->running);
	wire_bool(w, &g->complete);
	wire_str(w, &g->reason);
	wire_str(w, &g->says);
	wire_str(w, &g->suspects);
	wire_size(w, &g->undecided);
	wire_array(w, &g->observation, &g->n_observations, sizeof *g->observation, 1);
	for (size_t i = 0; i < g->n_observations; i++)
		wire_str(w, &g->observation[i]);
	wire_array(w, &g->model, &g->n_models, sizeof *g->model, sizeof(struct fset));
	for (size_t i = 0; i < g->n_models; i++)
		model_wire(w, &g->model[i]);
	wire_array(w, &g->edge, &g->n_edges, sizeof *g->edge, sizeof(struct fset));
	for (size_t i = 0; i < g->n_edges; i++)
		edge_wire(w, &g->edge[i]);
	words_wire(w, g);
	if (w->reading)
		search_graph_check(w, g);
}

size_t
search_graph_find(const struct search_graph *g, const struct fset *on)
{
	size_t i = 0;

	while (i < g->n_models && !fset_equal(&g->model[i].on, on))
		i++;
	return i;
}

bool
search_graph_is_minimal(const struct search_graph *g, size_t model)
{
	for (size_t i = 0; i < g->needs.n_minimal; i++)
		if (g->needs.minimal[i] == model)
			return true;
	return false;
}

/* True when graph and result have the same observations. With other observations the question is a different one. */
bool
search_graph_same_observations(const struct search_graph *g, const struct result *r)
{
	size_t found = 0;

	for (size_t i = 0; i < g->n_observations; i++)
		for (size_t j = 0; j < r->n_findings; j++)
			if (str_eq(g->observation[i], r->finding[(i + j) % r->n_findings].name)) {
				found++;
				break;
			}
	return found == g->n_observations && found == r->n_findings;
}
