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
dot_add_node(const struct udd_diagram *diagram, uint32_t n, struct str *out)
{
	const struct udd_node *node = &diagram->node[n];
	const char *shape = "box", *text = "";

	switch (node->kind) {
	case UDD_EVENT:
		shape = "ellipse";
		text = diagram->event[node->name];
		break;
	case UDD_COUNT:
		text = diagram->model->counter[node->name].name;
		break;
	case UDD_DECISION:
		shape = "diamond";
		text = node->property == UDD_NO_PROPERTY ? "" : diagram->property[node->property];
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
	if (node->kind == UDD_COUNT && node->amount > 1)
		str_addf(out, " * %u", node->amount);
	str_add(out, node->kind == UDD_COUNT ? "\" style=bold];\n" : "\"];\n");
}

/* Print edges by causality: an edge into the border between two blocks of a both leads to its join, an edge out of
 * it comes from its fork. */
static void
add_edges(const struct udd_diagram *diagram, const uint32_t *join, uint32_t n, struct str *out)
{
	const struct udd_node *node = &diagram->node[n];
	uint32_t from = node->kind == UDD_MID ? node->name : n;

	for (uint32_t e = node->first_edge; e < node->first_edge + node->n_edges; e++) {
		uint32_t to = diagram->edge[e].to;

		if (diagram->node[to].kind == UDD_MID)
			to = join[diagram->node[to].name];
		if (to == UINT32_MAX) /* the second block has no way out, so there is no join */
			continue;
		str_addf(out, "  n%u -> n%u", from, to);
		if (*diagram->label[diagram->edge[e].label]) {
			str_add(out, " [label=\"");
			add_escaped(out, diagram->label[diagram->edge[e].label]);
			str_add(out, "\"]");
		}
		str_add(out, ";\n");
	}
}

void
udd_dot(const struct udd_diagram *diagram, struct str *out)
{
	uint32_t *join = mem_new_array(diagram->n_nodes, sizeof *join);

	memset(join, 0xff, diagram->n_nodes * sizeof *join);
	for (uint32_t n = 0; n < diagram->n_nodes; n++)
		if (diagram->node[n].kind == UDD_JOIN)
			join[diagram->node[n].name] = n;
	str_addf(out, "digraph \"%s\" {\n  node [fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\"];\n",
		diagram->model->name);
	for (size_t i = 0; i < diagram->n_roots; i++) {
		uint32_t end = i + 1 < diagram->n_roots ? diagram->root_node[i + 1] : (uint32_t)diagram->n_nodes;

		str_addf(out, "  r%zu [shape=plaintext label=\"%s\"];\n  r%zu -> n%u;\n", i,
			diagram->model->root[diagram->root[i]].name, i, diagram->root_node[i]);
		for (uint32_t n = diagram->root_node[i]; n < end; n++)
			dot_add_node(diagram, n, out);
		for (uint32_t n = diagram->root_node[i]; n < end; n++)
			add_edges(diagram, join, n, out);
	}
	for (size_t i = 0; i < diagram->n_before; i++)
		str_addf(out, "  n%u -> n%u [style=dashed constraint=false];\n", diagram->before[i].from,
			diagram->before[i].to);
	str_add(out, "}\n");
	free(join);
}
