#include "convert/fdl/graph.h"

#include <stdlib.h>

#include "base/mem.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"

static uint32_t
graph_add_node(struct fdl_graph *g, struct fdl_node node)
{
	mem_grow(&g->node, &g->cap_nodes, g->n_nodes + 1, sizeof *g->node);
	node.first_edge = (uint32_t)g->n_edges;
	g->node[g->n_nodes] = node;
	return (uint32_t)g->n_nodes++;
}

static void
graph_add_edge(struct fdl_graph *g, uint32_t to, uint32_t value, const char *text)
{
	mem_grow(&g->edge, &g->cap_edges, g->n_edges + 1, sizeof *g->edge);
	g->edge[g->n_edges++] = (struct fdl_edge){to, value, text};
	g->node[g->n_nodes - 1].n_edges++;
}

static bool
has_own_edge(const struct udd_diagram *d, const struct udd_node *v, uint32_t value)
{
	for (uint32_t e = v->first_edge; e < v->first_edge + v->n_edges; e++)
		if (!d->edge[e].fallback && d->edge[e].value == value)
			return true;
	return false;
}

/* Adds an edge of a switch for each value that takes it. */
static void
add_values(struct fdl_graph *graph, const struct udd_diagram *diagram, const struct udd_node *node, uint32_t first)
{
	const struct udd_domain *domain = &diagram->property_domain[node->property];

	for (uint32_t e = node->first_edge; e < node->first_edge + node->n_edges; e++) {
		uint32_t to = diagram->edge[e].to + first;

		if (!diagram->edge[e].fallback)
			graph_add_edge(graph, to, diagram->edge[e].value + 1, diagram->value[diagram->edge[e].value]);
		for (uint32_t i = domain->first; diagram->edge[e].fallback && i < domain->first + domain->n; i++)
			if (!has_own_edge(diagram, node, diagram->domain[i]))
				graph_add_edge(graph, to, diagram->domain[i] + 1, diagram->value[diagram->domain[i]]);
	}
}

static enum fdl_node_kind
graph_kind_of(const struct udd_node *node)
{
	switch (node->kind) {
	case UDD_EVENT:
		return FDL_ACTION;
	case UDD_COUNT:
		return FDL_COUNTER;
	case UDD_DECISION:
		return FDL_SWITCH;
	case UDD_IMPOSSIBLE:
		return FDL_IMPOSSIBLE;
	case UDD_DONE:
		return node->n_edges ? FDL_PASS : FDL_DONE;
	case UDD_FORK:
	case UDD_MID:
	case UDD_JOIN:
		break;
	}
	return FDL_PASS;
}

/* Copies a node of the diagram; `first` is added to its number. */
static void
add_copy(struct fdl_graph *graph, const struct udd_diagram *diagram, uint32_t n, uint32_t first)
{
	const struct udd_node *node = &diagram->node[n];
	struct fdl_node copy = {.kind = graph_kind_of(node),
		.name = node->name,
		.amount = node->amount,
		.property = node->property,
		.origin = n};

	if (copy.kind == FDL_SWITCH && copy.property == UDD_NO_PROPERTY)
		copy.property = (uint32_t)graph->n_properties++;
	graph->impossible |= copy.kind == FDL_IMPOSSIBLE;
	graph_add_node(graph, copy);
	if (copy.kind == FDL_SWITCH && node->property != UDD_NO_PROPERTY) {
		add_values(graph, diagram, node, first);
		return;
	}
	for (uint32_t e = 0; e < node->n_edges; e++) {
		const struct udd_edge *edge = &diagram->edge[node->first_edge + e];

		graph_add_edge(graph, edge->to + first, copy.kind == FDL_SWITCH ? e + 1 : 0,
			copy.kind == FDL_SWITCH ? diagram->label[edge->label] : NULL);
	}
}

struct fdl_graph *
fdl_graph_new(const struct udd_diagram *diagram)
{
	struct fdl_graph *graph = mem_new(sizeof *graph);
	uint32_t first = diagram->n_roots > 1;

	graph->n_properties = diagram->n_properties;
	if (first)
		graph_add_node(graph, (struct fdl_node){.kind = FDL_SWITCH});
	for (size_t i = 0; i < diagram->n_roots && first; i++)
		graph_add_edge(graph, diagram->root_node[i] + first, (uint32_t)i + 1,
			diagram->model->root[diagram->root[i]].name);
	for (uint32_t n = 0; n < diagram->n_nodes; n++)
		add_copy(graph, diagram, n, first);
	if (first)
		graph->node[0].property = (uint32_t)graph->n_properties++;
	return graph;
}

void
fdl_graph_free(struct fdl_graph *g)
{
	if (!g)
		return;
	free(g->node);
	free(g->edge);
	free(g);
}

/* --- without what is impossible -------------------------------------------------------------------------------- */

struct prune {
	const struct fdl_states *s;
	const struct fdl_graph *from;
	struct fdl_graph *to;
	size_t *first;    /* per node: the number of its first state among all states */
	bool *ends;       /* per state: some µpath leads from it to an end */
	uint32_t *number; /* per state: its node's number in the result, or UINT32_MAX */
};

static size_t
next_of(const struct prune *p, uint32_t node, size_t state, uint32_t edge)
{
	size_t next = fdl_states_next(p->s, node, state, edge);

	return next == SIZE_MAX ? SIZE_MAX : p->first[p->from->edge[edge].to] + next;
}

static void
graph_find_ends(struct prune *prune)
{
	for (uint32_t n = (uint32_t)prune->from->n_nodes; n-- > 0;) {
		const struct fdl_node *node = &prune->from->node[n];

		for (size_t i = 0; i < fdl_states_count(prune->s, n); i++) {
			bool *ends = &prune->ends[prune->first[n] + i];

			*ends = node->kind == FDL_DONE;
			for (uint32_t e = node->first_edge; e < node->first_edge + node->n_edges && !*ends; e++) {
				size_t next = next_of(prune, n, i, e);

				*ends = next != SIZE_MAX && prune->ends[next];
			}
		}
	}
}

/* Numbers all states that lead to an end; each comes after the states before it. */
static size_t
number_states(struct prune *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->first[p->from->n_nodes]; i++)
		p->number[i] = p->ends[i] ? (uint32_t)n++ : UINT32_MAX;
	return n;
}

static void
copy_states(struct prune *prune)
{
	for (uint32_t n = 0; n < prune->from->n_nodes; n++)
		for (size_t i = 0; i < fdl_states_count(prune->s, n); i++) {
			struct fdl_node v = prune->from->node[n];
			bool open = v.kind == FDL_SWITCH && fdl_states_value(prune->s, n, i)[v.property] == 0;
			uint32_t first = v.first_edge, end = v.first_edge + v.n_edges;

			if (prune->number[prune->first[n] + i] == UINT32_MAX)
				continue;
			if (v.kind == FDL_SWITCH && !open)
				v.kind = FDL_PASS;
			v.n_edges = 0;
			graph_add_node(prune->to, v);
			for (uint32_t e = first; e < end; e++) {
				size_t next = next_of(prune, n, i, e);

				if (next != SIZE_MAX && prune->ends[next])
					graph_add_edge(prune->to, prune->number[next],
						open ? prune->from->edge[e].value : 0,
						open ? prune->from->edge[e].text : NULL);
			}
		}
}

struct fdl_graph *
fdl_graph_prune(const struct fdl_graph *graph)
{
	struct fdl_states *states = fdl_states_new(graph);
	struct prune p = {.s = states, .from = graph};
	size_t n;

	if (!states)
		return NULL;
	p.first = mem_new_array(graph->n_nodes + 1, sizeof *p.first);
	for (uint32_t i = 0; i < graph->n_nodes; i++)
		p.first[i + 1] = p.first[i] + fdl_states_count(states, i);
	p.ends = mem_new_array(p.first[graph->n_nodes], sizeof *p.ends);
	p.number = mem_new_array(p.first[graph->n_nodes], sizeof *p.number);
	graph_find_ends(&p);
	n = number_states(&p);
	if (n && n < UINT32_MAX) {
		p.to = mem_new(sizeof *p.to);
		p.to->n_properties = graph->n_properties;
		copy_states(&p);
	}
	free(p.first);
	free(p.ends);
	free(p.number);
	fdl_states_free(states);
	return p.to;
}
