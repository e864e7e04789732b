/* The diagram as Graphviz text: causality as solid edges, happens-before as dashed ones. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"

static void
add_escaped(struct str *out, const char *text)
{
	struct str visible = {0};

	utf8_add_visible(&visible, text, strlen(text));
	for (const char *s = str_text(&visible); *s; s++) {
		if (*s == '"' || *s == '\\')
			str_addc(out, '\\');
		str_addc(out, *s);
	}
	str_free(&visible);
}

static void
dot_add_node(const struct udd_diagram *g, uint32_t n, struct str *out)
{
	const struct udd_node *v = &g->node[n];
	const char *shape = "box", *text = "";

	switch (v->kind) {
	case UDD_EVENT:
		shape = "ellipse";
		text = g->event[v->name];
		break;
	case UDD_COUNT:
		text = g->model->counter[v->name].name;
		break;
	case UDD_DECISION:
		shape = "diamond";
		text = v->property == UDD_NO_PROPERTY ? "" : g->property[v->property];
		break;
	case UDD_FORK:
	case UDD_JOIN:
		shape = "point";
		break;
	case UDD_MID:
		return;
	case UDD_DONE:
		shape = "doublecircle";
		text = "done";
		break;
	case UDD_IMPOSSIBLE:
		shape = "octagon";
		text = "impossible";
		break;
	}
	str_addf(out, "  n%u [shape=%s label=\"", n, shape);
	add_escaped(out, text);
	if (v->kind == UDD_COUNT && v->amount > 1)
		str_addf(out, " * %u", v->amount);
	str_add(out, v->kind == UDD_COUNT ? "\" style=bold];\n" : "\"];\n");
}

/* Print edges by causality: an edge into the border between two blocks of a both leads to its join, an edge out of
 * it comes from its fork. */
static void
add_edges(const struct udd_diagram *g, const uint32_t *join, uint32_t n, struct str *out)
{
	const struct udd_node *v = &g->node[n];
	uint32_t from = v->kind == UDD_MID ? v->name : n;

	for (uint32_t e = v->first_edge; e < v->first_edge + v->n_edges; e++) {
		uint32_t to = g->edge[e].to;

		if (g->node[to].kind == UDD_MID)
			to = join[g->node[to].name];
		if (to == UINT32_MAX) /* the second block has no way out, so there is no join */
			continue;
		str_addf(out, "  n%u -> n%u", from, to);
		if (*g->label[g->edge[e].label]) {
			str_add(out, " [label=\"");
			add_escaped(out, g->label[g->edge[e].label]);
			str_add(out, "\"]");
		}
		str_add(out, ";\n");
	}
}

void
udd_dot(const struct udd_diagram *g, struct str *out)
{
	uint32_t *join = mem_new_array(g->n_nodes, sizeof *join);

	memset(join, 0xff, g->n_nodes * sizeof *join);
	for (uint32_t n = 0; n < g->n_nodes; n++)
		if (g->node[n].kind == UDD_JOIN)
			join[g->node[n].name] = n;
	str_addf(out, "digraph \"%s\" {\n  node [fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\"];\n",
		g->model->name);
	for (size_t i = 0; i < g->n_roots; i++) {
		uint32_t end = i + 1 < g->n_roots ? g->root_node[i + 1] : (uint32_t)g->n_nodes;

		str_addf(out, "  r%zu [shape=plaintext label=\"%s\"];\n  r%zu -> n%u;\n", i,
			g->model->root[g->root[i]].name, i, g->root_node[i]);
		for (uint32_t n = g->root_node[i]; n < end; n++)
			dot_add_node(g, n, out);
		for (uint32_t n = g->root_node[i]; n < end; n++)
			add_edges(g, join, n, out);
	}
	for (size_t i = 0; i < g->n_before; i++)
		str_addf(out, "  n%u -> n%u [style=dashed constraint=false];\n", g->before[i].from, g->before[i].to);
	str_add(out, "}\n");
	free(join);
}
