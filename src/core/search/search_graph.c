#include "core/search/search_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "shape/shape.h"
#include "shape/wire.h"

const char *const graph_step_names[GRAPH_STEPS] = {"start", "discovery", "elimination", "chosen"};

struct search_graph *
search_graph_new(void)
{
	struct search_graph *g = mem_new(sizeof *g);

	g->sets = NAN;
	return g;
}

static const struct shape_row MODEL_ROWS[] = {
	{SHAPE_RAW(struct search_graph_model, on)}, {SHAPE_FIELD(struct search_graph_model, cone)},
	{SHAPE_FIELD(struct search_graph_model, usable)}, {SHAPE_FIELD(struct search_graph_model, survives)},
	{SHAPE_FIELD(struct search_graph_model, infeasible)},
	{SHAPE_ARRAY(struct search_graph_model, refuted, n_words)}, {SHAPE_FIELD(struct search_graph_model, step)},
	{SHAPE_FIELD(struct search_graph_model, worst)}, {SHAPE_FIELD(struct search_graph_model, worst_by)},
};
static const struct shape MODEL = SHAPE(struct search_graph_model, MODEL_ROWS);

static const struct shape_row EDGE_ROWS[] = {
	{SHAPE_FIELD(struct search_graph_edge, from)}, {SHAPE_FIELD(struct search_graph_edge, to)},
	{SHAPE_RAW(struct search_graph_edge, changed)}, {SHAPE_FIELD(struct search_graph_edge, step)},
};
static const struct shape EDGE = SHAPE(struct search_graph_edge, EDGE_ROWS);

static const struct shape_row ALIKE_ROWS[] = {
	{SHAPE_FIELD(struct search_graph_alike, kind)}, {SHAPE_RAW(struct search_graph_alike, one)},
	{SHAPE_RAW(struct search_graph_alike, other)}, {SHAPE_FIELD(struct search_graph_alike, why)},
	{SHAPE_FIELD(struct search_graph_alike, says)}, {SHAPE_FIELD(struct search_graph_alike, example)},
	{SHAPE_FIELD(struct search_graph_alike, tested)}, {SHAPE_FIELD(struct search_graph_alike, held)},
	{SHAPE_FIELD(struct search_graph_alike, whole)},
};
static const struct shape ALIKE = SHAPE(struct search_graph_alike, ALIKE_ROWS);

static const struct shape_row GRAPH_ROWS[] = {
	{SHAPE_FIELD(struct search_graph, task)}, {SHAPE_RAW(struct search_graph, fixed)},
	{SHAPE_FIELD(struct search_graph, running)}, {SHAPE_FIELD(struct search_graph, complete)},
	{SHAPE_FIELD(struct search_graph, reason)}, {SHAPE_FIELD(struct search_graph, says)},
	{SHAPE_FIELD(struct search_graph, suspects)}, {SHAPE_FIELD(struct search_graph, undecided)},
	{SHAPE_ARRAY(struct search_graph, observation, n_observations)},
	{SHAPE_ARRAY(struct search_graph, model, n_models), .of = &MODEL},
	{SHAPE_ARRAY(struct search_graph, edge, n_edges), .of = &EDGE},
	{SHAPE_ARRAY(struct search_graph, needs.minimal, needs.n_minimal)},
	{SHAPE_RAW(struct search_graph, needs.required)}, {SHAPE_RAW(struct search_graph, needs.optional)},
	{SHAPE_RAW(struct search_graph, needs.useless)}, {SHAPE_FIELD(struct search_graph, needs.useless_in)},
	{SHAPE_RAW(struct search_graph, proposed)},
	{SHAPE_RAW_ARRAY(struct search_graph, repair, n_repairs)},
	{SHAPE_ARRAY(struct search_graph, alike, n_alike), .of = &ALIKE},
	{SHAPE_FIELD(struct search_graph, sets)}, {SHAPE_FIELD(struct search_graph, tested)},
	{SHAPE_FIELD(struct search_graph, seconds)},
};
static const struct shape GRAPH = SHAPE(struct search_graph, GRAPH_ROWS);

void
graph_model_clear(struct search_graph_model *m)
{
	shape_clear(&MODEL, m);
	*m = (struct search_graph_model){0};
}

void
search_graph_free(struct search_graph *g)
{
	if (!g)
		return;
	free(g->own.shrink);
	free(g->own.needed);
	free(g->own.orphan);
	shape_free(&GRAPH, g);
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

void
search_graph_set_reason(struct search_graph *g, const char *reason)
{
	free(g->reason);
	g->reason = reason ? mem_str(reason) : NULL;
}

/* Numbers read from a message or a file may have any value. An index out of range makes the message invalid. */
static void
search_graph_check(struct wire *wire, const struct search_graph *graph)
{
	size_t words = (graph->n_observations + 63) / 64;

	wire->bad |= graph->task < SEARCH_NONE || graph->task > SEARCH_AUTO;
	for (size_t i = 0; i < graph->n_observations; i++)
		wire->bad |= !graph->observation[i];
	for (size_t i = 0; i < graph->n_models; i++)
		wire->bad |= graph->model[i].n_words != words || !is_step(graph->model[i].step);
	for (size_t i = 0; i < graph->n_edges; i++)
		wire->bad |= graph->edge[i].from >= graph->n_models || graph->edge[i].to >= graph->n_models ||
			!is_step(graph->edge[i].step);
	for (size_t i = 0; i < graph->needs.n_minimal; i++)
		wire->bad |= graph->needs.minimal[i] >= graph->n_models;
	for (size_t i = 0; i < graph->n_repairs; i++)
		wire->bad |= graph->repair[i].feature >= FSET_MAX;
}

void
search_graph_wire(struct wire *w, struct search_graph *g)
{
	shape_wire(w, &GRAPH, g);
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

bool
search_graph_same_minimal(const struct search_graph *a, const struct search_graph *b)
{
	for (size_t i = 0; i < a->needs.n_minimal; i++) {
		size_t at = search_graph_find(b, &a->model[a->needs.minimal[i]].on);

		if (!search_graph_is_minimal(b, at))
			return false;
	}
	return a->needs.n_minimal == b->needs.n_minimal;
}
