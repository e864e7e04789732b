#include "core/search/search_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "shape/shape.h"
#include "shape/wire.h"

const char *const graph_step_names[GRAPH_STEPS] = {"start", "discovery", "elimination", "chosen"};
const char *const graph_alike_names[GRAPH_ALIKE_KINDS] = {"partly", "nothing", "equal", "survivors"};
static const char *const TASKS[] = {"none", "discover", "eliminate", "auto"};

struct search_graph *
search_graph_new(void)
{
	struct search_graph *g = mem_new(sizeof *g);

	g->sets = NAN;
	return g;
}

/* Session files have a column for each row with a key (explorer/autosave/autosave_graph.c). */
static const struct shape_row MODEL_ROWS[] = {
	{.type = SHAPE_HAND, .key = "id"}, {SHAPE_RAW(struct search_graph_model, on), .key = "features"},
	{SHAPE_ONE_OF(struct search_graph_model, step, graph_step_names), .key = "step"},
	{SHAPE_FIELD(struct search_graph_model, usable), .key = "usable"},
	{SHAPE_FIELD(struct search_graph_model, survives), .key = "survives"},
	{SHAPE_FIELD(struct search_graph_model, infeasible), .key = "infeasible"},
	{SHAPE_ARRAY(struct search_graph_model, refuted, n_words), .key = "refuted_by"},
	{SHAPE_FIELD(struct search_graph_model, cone)}, {.type = SHAPE_HAND, .key = "cone"},
	{.type = SHAPE_HAND, .key = "minimal"},
	{SHAPE_FIELD(struct search_graph_model, worst), .key = "worst"},
	{SHAPE_FIELD(struct search_graph_model, worst_by), .key = "worst_by"},
};
const struct shape search_graph_model_shape = SHAPE(struct search_graph_model, MODEL_ROWS);

static const struct shape_row EDGE_ROWS[] = {
	{SHAPE_FIELD(struct search_graph_edge, from), .key = "from_model"},
	{SHAPE_FIELD(struct search_graph_edge, to), .key = "to_model"},
	{SHAPE_RAW(struct search_graph_edge, changed), .key = "changed"},
	{SHAPE_ONE_OF(struct search_graph_edge, step, graph_step_names), .key = "step"},
};
const struct shape search_graph_edge_shape = SHAPE(struct search_graph_edge, EDGE_ROWS);

static const struct shape_row ALIKE_ROWS[] = {
	{.type = SHAPE_HAND, .key = "id"}, {SHAPE_RAW(struct search_graph_alike, one), .key = "one"},
	{SHAPE_RAW(struct search_graph_alike, other), .key = "other"},
	{SHAPE_FIELD(struct search_graph_alike, why), .key = "why"},
	{SHAPE_ONE_OF(struct search_graph_alike, kind, graph_alike_names)},
	{SHAPE_FIELD(struct search_graph_alike, says)}, {SHAPE_FIELD(struct search_graph_alike, example)},
	{SHAPE_FIELD(struct search_graph_alike, tested)}, {SHAPE_FIELD(struct search_graph_alike, held)},
	{SHAPE_FIELD(struct search_graph_alike, whole)},
};
const struct shape search_graph_alike_shape = SHAPE(struct search_graph_alike, ALIKE_ROWS);

static const struct shape_row REPAIR_ROWS[] = {
	{.type = SHAPE_HAND, .key = "id"}, {.type = SHAPE_HAND, .key = "feature"},
	{SHAPE_FIELD(struct search_graph_repair, feature)},
	{SHAPE_FIELD(struct search_graph_repair, frees), .key = "frees"},
};
const struct shape search_graph_repair_shape = SHAPE(struct search_graph_repair, REPAIR_ROWS);

static const struct shape_row GRAPH_ROWS[] = {
	{.type = SHAPE_HAND, .key = "model"},
	{SHAPE_ARRAY(struct search_graph, observation, n_observations), .key = "observations"},
	{SHAPE_ONE_OF(struct search_graph, task, TASKS), .key = "task"},
	{SHAPE_FIELD(struct search_graph, running)}, {SHAPE_FIELD(struct search_graph, complete), .key = "complete"},
	{SHAPE_FIELD(struct search_graph, reason), .key = "reason"},
	{SHAPE_FIELD(struct search_graph, says), .key = "says"},
	{SHAPE_FIELD(struct search_graph, suspects), .key = "suspects"},
	{SHAPE_RAW(struct search_graph, needs.required), .key = "required"},
	{SHAPE_RAW(struct search_graph, needs.optional), .key = "optional"},
	{SHAPE_RAW(struct search_graph, needs.useless), .key = "useless"},
	{SHAPE_FIELD(struct search_graph, needs.useless_in), .key = "useless_in"},
	{.type = SHAPE_HAND, .key = "alike"}, {SHAPE_RAW(struct search_graph, proposed), .key = "proposed"},
	{SHAPE_RAW(struct search_graph, fixed), .key = "fixed"},
	{SHAPE_FIELD(struct search_graph, sets), .key = "sets"},
	{SHAPE_FIELD(struct search_graph, undecided), .key = "undecided"},
	{SHAPE_FIELD(struct search_graph, tested), .key = "tested"},
	{SHAPE_FIELD(struct search_graph, seconds)}, {.type = SHAPE_HAND, .key = "seconds"},
	{SHAPE_ARRAY(struct search_graph, model, n_models), .of = &search_graph_model_shape},
	{SHAPE_ARRAY(struct search_graph, edge, n_edges), .of = &search_graph_edge_shape},
	{SHAPE_ARRAY(struct search_graph, alike, n_alike), .of = &search_graph_alike_shape},
	{SHAPE_ARRAY(struct search_graph, repair, n_repairs), .of = &search_graph_repair_shape},
	{SHAPE_ARRAY(struct search_graph, needs.minimal, needs.n_minimal)},
};
const struct shape search_graph_shape = SHAPE(struct search_graph, GRAPH_ROWS);

void
graph_model_clear(struct search_graph_model *m)
{
	shape_clear(&search_graph_model_shape, m);
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
	shape_free(&search_graph_shape, g);
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

	for (size_t i = 0; i < graph->n_observations; i++)
		wire->bad |= !graph->observation[i];
	for (size_t i = 0; i < graph->n_models; i++)
		wire->bad |= graph->model[i].n_words != words;
	for (size_t i = 0; i < graph->n_edges; i++)
		wire->bad |= graph->edge[i].from >= graph->n_models || graph->edge[i].to >= graph->n_models;
	for (size_t i = 0; i < graph->needs.n_minimal; i++)
		wire->bad |= graph->needs.minimal[i] >= graph->n_models;
	for (size_t i = 0; i < graph->n_repairs; i++)
		wire->bad |= graph->repair[i].feature >= FSET_MAX;
}

void
search_graph_wire(struct wire *w, struct search_graph *g)
{
	shape_wire(w, &search_graph_shape, g);
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

void
search_graph_cut(struct search_graph *graph, size_t n)
{
	size_t kept = 0;

	for (size_t i = n; i < graph->n_models; i++)
		graph_model_clear(&graph->model[i]);
	graph->n_models = n;
	for (size_t i = 0; i < graph->n_edges; i++)
		if (graph->edge[i].from < n && graph->edge[i].to < n)
			graph->edge[kept++] = graph->edge[i];
	graph->n_edges = kept;
	kept = 0;
	for (size_t i = 0; i < graph->needs.n_minimal; i++)
		if (graph->needs.minimal[i] < n)
			graph->needs.minimal[kept++] = graph->needs.minimal[i];
	graph->needs.n_minimal = kept;
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
