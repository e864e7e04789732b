/* Checks that happens-before edges and causality do not contradict each other.
 *
 * A cycle is found by removing nodes without successors, again and again. Each node that remains has a successor
 * that remains, so following those closes a cycle. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/udd/expander.h"
#include "core/udd/model.h"
#include "text/diag.h"

struct graph {
	uint32_t *first, *to; /* successors of node n: to[first[n] … first[n+1]-1] */
	uint32_t *before;     /* per successor: index of the happens-before edge + 1; 0: causality */
};

/* The ends of the i-th edge for causality (see diagram.h): an edge into MID leads into JOIN, one out of MID comes
 * out of FORK. */
static bool
causal_ends(const struct udd_diagram *g, const uint32_t *join, uint32_t from, const struct udd_edge *e, uint32_t *a,
	uint32_t *b)
{
	*a = g->node[from].kind == UDD_MID ? g->node[from].name : from;
	*b = g->node[e->to].kind == UDD_MID ? join[g->node[e->to].name] : e->to;
	return *b != UDD_NONE;
}

static void
before_add_edge(struct graph *h, uint32_t *fill, uint32_t a, uint32_t b, uint32_t before, bool counting)
{
	if (counting) {
		h->first[a + 1]++;
		return;
	}
	h->to[fill[a]] = b;
	h->before[fill[a]++] = before;
}

static void
before_add_all(const struct udd_diagram *g, const uint32_t *join, struct graph *h, uint32_t *fill, bool counting)
{
	for (uint32_t n = 0; n < g->n_nodes; n++)
		for (uint32_t i = 0; i < g->node[n].n_edges; i++) {
			uint32_t a, b;

			if (causal_ends(g, join, n, &g->edge[g->node[n].first_edge + i], &a, &b))
				before_add_edge(h, fill, a, b, 0, counting);
		}
	for (uint32_t i = 0; i < g->n_before; i++)
		before_add_edge(h, fill, g->before[i].from, g->before[i].to, i + 1, counting);
}

static struct graph
build_graph(const struct udd_diagram *diagram)
{
	struct graph h = {.first = mem_new_array(diagram->n_nodes + 1, sizeof *h.first)};
	uint32_t *join = mem_new_array(diagram->n_nodes, sizeof *join), *fill;

	for (uint32_t n = 0; n < diagram->n_nodes; n++)
		join[n] = UDD_NONE;
	for (uint32_t n = 0; n < diagram->n_nodes; n++)
		if (diagram->node[n].kind == UDD_JOIN)
			join[diagram->node[n].name] = n;
	before_add_all(diagram, join, &h, NULL, true);
	for (size_t n = 0; n < diagram->n_nodes; n++)
		h.first[n + 1] += h.first[n];
	fill = mem_copy(h.first, diagram->n_nodes * sizeof *fill);
	h.to = mem_new_array(h.first[diagram->n_nodes], sizeof *h.to);
	h.before = mem_new_array(h.first[diagram->n_nodes], sizeof *h.before);
	before_add_all(diagram, join, &h, fill, false);
	free(join);
	free(fill);
	return h;
}

/* Mark in left[] the nodes that are on a cycle or lead to one. Returns one of them, or UDD_NONE. */
static uint32_t
peel(const struct graph *graph, size_t n_nodes, bool *left)
{
	uint32_t *out = mem_new_array(n_nodes, sizeof *out), *in_first = mem_new_array(n_nodes + 1, sizeof *in_first);
	uint32_t *in = mem_new_array(graph->first[n_nodes], sizeof *in), *fill,
		 *todo = mem_new_array(n_nodes, sizeof *todo), some = UDD_NONE;
	size_t n_todo = 0;

	for (size_t i = 0; i < graph->first[n_nodes]; i++)
		in_first[graph->to[i] + 1]++;
	for (size_t n = 0; n < n_nodes; n++)
		in_first[n + 1] += in_first[n];
	fill = mem_copy(in_first, n_nodes * sizeof *fill);
	for (uint32_t n = 0; n < n_nodes; n++) {
		for (uint32_t i = graph->first[n]; i < graph->first[n + 1]; i++)
			in[fill[graph->to[i]]++] = n;
		out[n] = graph->first[n + 1] - graph->first[n];
		left[n] = true;
		if (out[n] == 0)
			todo[n_todo++] = n;
	}
	while (n_todo) {
		uint32_t n = todo[--n_todo];

		left[n] = false;
		for (uint32_t i = in_first[n]; i < in_first[n + 1]; i++)
			if (--out[in[i]] == 0)
				todo[n_todo++] = in[i];
	}
	for (uint32_t n = 0; n < n_nodes && some == UDD_NONE; n++)
		if (left[n])
			some = n;
	free(out);
	free(in_first);
	free(in);
	free(fill);
	free(todo);
	return some;
}

static uint32_t
next_left(const struct graph *h, const bool *left, uint32_t n, uint32_t *before)
{
	for (uint32_t i = h->first[n]; i < h->first[n + 1]; i++)
		if (left[h->to[i]]) {
			*before = h->before[i];
			return h->to[i];
		}
	return UDD_NONE;
}

static void
complain_cycle(
	const struct udd_diagram *diagram, const struct graph *graph, const bool *left, uint32_t n, struct diags *diags)
{
	const struct udd_origins *origins = diagram->origins;
	uint32_t found = UDD_NONE, before = 0, start;
	const struct source *source;
	const char *why;
	char *hint = NULL;
	bool itself;

	for (size_t i = 0; i <= diagram->n_nodes; i++) /* after n_nodes steps certainly on the cycle */
		n = next_left(graph, left, n, &before);
	start = n;
	do {
		n = next_left(graph, left, n, &before);
		if (before && before - 1 < found)
			found = before - 1;
	} while (n != start);
	do { /* show a second `before` of the cycle, if there is one */
		n = next_left(graph, left, n, &before);
		if (before && before - 1 != found && !hint) {
			const struct origin *origin = &origins->before[before - 1];

			source = &diagram->model->ast->file[origins->frame[origin->frame]->body->file];
			hint = str_format("it contradicts %s:%d:%d", source->name, source_line(source, origin->at),
				source_column(source, origin->at));
		}
	} while (n != start);
	itself = diagram->before[found].from == diagram->before[found].to;
	why = itself ? "nothing happens before itself" : "causality has it the other way round";
	udd_complain(diagram->model->ast, diags, origins->frame[origins->before[found].frame],
		origins->before[found].at, origins->before[found].len, hint ? hint : why,
		"happens-before makes a cycle");
	free(hint);
}

bool
udd_check_before(const struct udd_diagram *diagram, struct diags *diags)
{
	struct graph h;
	bool *left;
	uint32_t some;

	if (!diagram->n_before)
		return true;
	h = build_graph(diagram);
	left = mem_new_array(diagram->n_nodes, sizeof *left);
	some = peel(&h, diagram->n_nodes, left);
	if (some != UDD_NONE)
		complain_cycle(diagram, &h, left, some, diags);
	free(left);
	free(h.first);
	free(h.to);
	free(h.before);
	return some == UDD_NONE;
}
