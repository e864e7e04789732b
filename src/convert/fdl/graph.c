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
add_values(struct fdl_graph *g, const struct udd_diagram *d, const struct udd_node *v, uint32_t first)
{
	const struct udd_domain *domain = &d->property_domain[v->property];

	for (uint32_t e = v->first_edge; e < v->first_edge + v->n_edges; e++) {
		uint32_t to = d->edge[e].to + first;

		if (!d->edge[e].fallback)
			graph_add_edge(g, to, d->edge[e].value + 1, d->value[d->edge[e].value]);
		for (uint32_t i = domain->first; d->edge[e].fallback && i < domain->first + domain->n; i++)
			if (!has_own_edge(d, v, d->domain[i]))
				graph_add_edge(g, to, d->domain[i] + 1, d->value[d->domain[i]]);
	}
}

static enum fdl_node_kind
graph_kind_of(const struct udd_node *v)
{
	switch (v->kind) {
	case UDD_EVENT:
		return FDL_ACTION;
	case UDD_COUNT:
		return FDL_COUNTER;
	case UDD_DECISION:
		return FDL_SWITCH;
	case UDD_IMPOSSIBLE:
		return FDL_IMPOSSIBLE;
	case UDD_DONE:
		return v->n_edges ? FDL_PASS : FDL_DONE;
	case UDD_FORK:
	case UDD_MID:
	case UDD_JOIN:
		break;
	}
	return FDL_PASS;
}

/* Copies a node of the diagram; `first` is added to its number. */
static void
add_copy(struct fdl_graph *g, const struct udd_diagram *d, uint32_t n, uint32_t first)
{
	const struct udd_node *v = &d->node[n];
	struct fdl_node copy = {.kind = graph_kind_of(v), .name = v->name, .amount = v->amount, .property = v->property,
		.origin = n};

	if (copy.kind == FDL_SWITCH && copy.property == UDD_NO_PROPERTY)
		copy.property = (uint32_t)g->n_properties++;
	g->impossible |= copy.kind == FDL_IMPOSSIBLE;
	graph_add_node(g, copy);
	if (copy.kind == FDL_SWITCH && v->property != UDD_NO_PROPERTY) {
		add_values(g, d, v, first);
		return;
	}
	for (uint32_t e = 0; e < v->n_edges; e++) {
		const struct udd_edge *edge = &d->edge[v->first_edge + e];

		graph_add_edge(g, edge->to + first, copy.kind == FDL_SWITCH ? e + 1 : 0,
			copy.kind == FDL_SWITCH ? d->label[edge->label] : NULL);
	}
}

struct fdl_graph *
fdl_graph_new(const struct udd_diagram *d)
{
	struct fdl_graph *g = mem_new(sizeof *g);
	uint32_t first = d->n_roots > 1;

	g->n_properties = d->n_properties;
	if (first)
		graph_add_node(g, (struct fdl_node){.kind = FDL_SWITCH});
	for (size_t i = 0; i < d->n_roots && first; i++)
		graph_add_edge(g, d->root_node[i] + first, (uint32_t)i + 1, d->model->root[d->root[i]].name);
	for (uint32_t n = 0; n < d->n_nodes; n++)
		add_copy(g, d, n, first);
	if (first)
		g->node[0].property = (uint32_t)g->n_properties++;
	return g;
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
graph_find_ends(struct prune *p)
{
	for (uint32_t n = (uint32_t)p->from->n_nodes; n-- > 0;) {
		const struct fdl_node *v = &p->from->node[n];

		for (size_t i = 0; i < fdl_states_count(p->s, n); i++) {
			bool *ends = &p->ends[p->first[n] + i];

			*ends = v->kind == FDL_DONE;
			for (uint32_t e = v->first_edge; e < v->first_edge + v->n_edges && !*ends; e++) {
				size_t next = next_of(p, n, i, e);

				*ends = next != SIZE_MAX && p->ends[next];
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
copy_states(struct prune *p)
{
	for (uint32_t n = 0; n < p->from->n_nodes; n++)
		for (size_t i = 0; i < fdl_states_count(p->s, n); i++) {
			struct fdl_node v = p->from->node[n];
			bool open = v.kind == FDL_SWITCH && fdl_states_value(p->s, n, i)[v.property] == 0;
			uint32_t first = v.first_edge, end = v.first_edge + v.n_edges;

			if (p->number[p->first[n] + i] == UINT32_MAX)
				continue;
			if (v.kind == FDL_SWITCH && !open)
				v.kind = FDL_PASS;
			v.n_edges = 0;
			graph_add_node(p->to, v);
			for (uint32_t e = first; e < end; e++) {
				size_t next = next_of(p, n, i, e);

				if (next != SIZE_MAX && p->ends[next])
					graph_add_edge(p->to, p->number[next], open ? p->from->edge[e].value : 0,
						open ? p->from->edge[e].text : NULL);
			}
		}
}

struct fdl_graph *
fdl_graph_prune(const struct fdl_graph *g)
{
	struct fdl_states *s = fdl_states_new(g);
	struct prune p = {.s = s, .from = g};
	size_t n;

	if (!s)
		return NULL;
	p.first = mem_new_array(g->n_nodes + 1, sizeof *p.first);
	for (uint32_t i = 0; i < g->n_nodes; i++)
		p.first[i + 1] = p.first[i] + fdl_states_count(s, i);
	p.ends = mem_new_array(p.first[g->n_nodes], sizeof *p.ends);
	p.number = mem_new_array(p.first[g->n_nodes], sizeof *p.number);
	graph_find_ends(&p);
	n = number_states(&p);
	if (n && n < UINT32_MAX) {
		p.to = mem_new(sizeof *p.to);
		p.to->n_properties = g->n_properties;
		copy_states(&p);
	}
	free(p.first);
	free(p.ends);
	free(p.number);
	fdl_states_free(s);
	return p.to;
}
