#include "draw/dag_svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"

/* Turns the diagram into the nodes of the picture. Roots and edge labels become nodes. MID nodes disappear: an edge
 * into one enters its JOIN, an edge out of one leaves its FORK. Every way to DONE gets a dot of its own, so that no
 * long edges run to a common end.
 *
 * Sizes assume a fixed-pitch font of 12 pixels, whose letters are 7.3 wide at most. */

#define LETTER 7.3
#define GAP_X 20
#define GAP_Y 20
#define DIAMOND_TEXT_MOST 13 /* columns; a longer text gets a flat hexagon */

#define NONE ((size_t)-1)

struct build {
	const struct udd_diagram *d;
	struct dag *dag;
	size_t *made;     /* diagram node → picture node; NONE if there is none (yet) */
	size_t *stack, n; /* diagram nodes whose outgoing edges are still to be drawn */
};

static void
size_node(const struct dag_node *node, struct layered_node *out)
{
	double text = LETTER * (double)utf8_width(node->text);

	switch (node->kind) {
	case DAG_ROOT:
		*out = (struct layered_node){.w = text + 8, .h = 20};
		break;
	case DAG_EVENT:
		*out = (struct layered_node){.w = text + 16, .h = 24};
		break;
	case DAG_COUNT:
		*out = (struct layered_node){.w = text + 30, .h = 24};
		break;
	case DAG_DECISION:
		if (!*node->text)
			*out = (struct layered_node){.w = 22, .h = 22};
		else if (utf8_width(node->text) <= DIAMOND_TEXT_MOST)
			*out = (struct layered_node){.w = text * 1.45 + 20, .h = 40};
		else
			*out = (struct layered_node){.w = text + 40, .h = 30};
		break;
	case DAG_LABEL:
		*out = (struct layered_node){.w = text + 6, .h = 16};
		break;
	case DAG_BAR:
		*out = (struct layered_node){.w = 64, .h = 5, .spread = true};
		break;
	case DAG_DONE:
	case DAG_IMPOSSIBLE:
		*out = (struct layered_node){.w = 14, .h = 14};
		break;
	}
}

/* Owns `text` from here on. */
static size_t
dag_add_node(struct dag *g, enum dag_kind kind, size_t node, char *text)
{
	size_t i = g->layered.n_nodes;

	mem_grow(&g->node, &g->cap_nodes, i + 1, sizeof *g->node);
	mem_grow(&g->layered.node, &g->cap_nodes_layered, i + 1, sizeof *g->layered.node);
	g->node[i] = (struct dag_node){kind, node, text};
	size_node(&g->node[i], &g->layered.node[i]);
	g->layered.n_nodes++;
	return i;
}

static void
dag_add_edge(struct dag *g, size_t from, size_t to, bool soft)
{
	mem_grow(&g->layered.edge, &g->cap_edges, g->layered.n_edges + 1, sizeof *g->layered.edge);
	g->layered.edge[g->layered.n_edges++] = (struct layered_edge){.from = from, .to = to, .soft = soft};
}

static char *
count_text(const struct udd_diagram *d, const struct udd_node *v)
{
	const char *name = d->model && v->name < d->model->n_counters ? d->model->counter[v->name].name : "?";

	return v->amount > 1 ? str_format("%s ×%u", name, (unsigned)v->amount) : mem_str(name);
}

static size_t
make_node(struct build *build, size_t i)
{
	const struct udd_node *node = &build->d->node[i];

	switch (node->kind) {
	case UDD_EVENT:
		return dag_add_node(build->dag, DAG_EVENT, i,
			mem_str(node->name < build->d->n_events ? build->d->event[node->name] : "?"));
	case UDD_COUNT:
		return dag_add_node(build->dag, DAG_COUNT, i, count_text(build->d, node));
	case UDD_DECISION:
		return dag_add_node(build->dag, DAG_DECISION, i,
			mem_str(node->property < build->d->n_properties ? build->d->property[node->property] : ""));
	case UDD_FORK:
	case UDD_MID:
	case UDD_JOIN:
		return dag_add_node(build->dag, DAG_BAR, i, mem_str(""));
	case UDD_DONE:
		return dag_add_node(build->dag, DAG_DONE, i, mem_str(""));
	case UDD_IMPOSSIBLE:
		return dag_add_node(build->dag, DAG_IMPOSSIBLE, i, mem_str(""));
	}
	return NONE;
}

/* The picture's node for a diagram node that an edge enters. Pushes new ones. */
static size_t
node_for(struct build *b, size_t i)
{
	enum udd_node_kind kind = b->d->node[i].kind;

	if ((kind == UDD_DONE || kind == UDD_IMPOSSIBLE) && b->d->node[i].n_edges == 0)
		return make_node(b, i); /* a DONE with an outgoing edge ends only one block of a `both` */
	if (b->made[i] == NONE) {
		b->made[i] = make_node(b, i);
		b->stack[b->n++] = i;
	}
	return b->made[i];
}

/* Finds the JOIN of each FORK: an edge into the MID between them enters it. */
static size_t *
find_joins(const struct udd_diagram *d)
{
	size_t *join = mem_new_array(d->n_nodes, sizeof *join);

	for (size_t i = 0; i < d->n_nodes; i++)
		join[i] = NONE;
	for (size_t i = 0; i < d->n_nodes; i++)
		if (d->node[i].kind == UDD_JOIN && d->node[i].name < d->n_nodes)
			join[d->node[i].name] = i;
	return join;
}

/* Labels a decision's outgoing edges. Walks through a MID: its outgoing edges leave the FORK. If nothing is left after
 * both branches, the branch ends. */
static void
draw_ways_out(struct build *build, size_t of, size_t from, const size_t *join)
{
	const struct udd_diagram *diagram = build->d;
	const struct udd_node *node = &diagram->node[of];

	for (size_t k = 0; k < node->n_edges; k++) {
		const struct udd_edge *edge = &diagram->edge[node->first_edge + k];
		size_t to = edge->to, start = from;

		if (node->kind == UDD_DECISION && edge->label < diagram->n_labels && *diagram->label[edge->label]) {
			start = dag_add_node(
				build->dag, DAG_LABEL, node->first_edge + k, mem_str(diagram->label[edge->label]));
			dag_add_edge(build->dag, from, start, false);
		}
		if (diagram->node[to].kind == UDD_MID) {
			size_t fork = diagram->node[to].name, mid = to;

			if (build->made[mid] == NONE && fork < diagram->n_nodes && build->made[fork] != NONE) {
				build->made[mid] = build->made[fork];
				build->stack[build->n++] = mid;
			}
			to = fork < diagram->n_nodes ? join[fork] : NONE;
		}
		dag_add_edge(build->dag, start,
			to != NONE ? node_for(build, to) : dag_add_node(build->dag, DAG_DONE, edge->to, mem_str("")),
			false);
	}
}

static void
draw_happens_before(struct build *b)
{
	for (size_t i = 0; i < b->d->n_before; i++) {
		const struct udd_before *e = &b->d->before[i];

		if (e->from < b->d->n_nodes && e->to < b->d->n_nodes && b->made[e->from] != NONE &&
			b->made[e->to] != NONE)
			dag_add_edge(b->dag, b->made[e->from], b->made[e->to], true);
	}
}

static void
build_dag(struct build *build)
{
	const struct udd_diagram *diagram = build->d;
	size_t *join = find_joins(diagram);

	for (size_t i = 0; i < diagram->n_nodes; i++)
		build->made[i] = NONE;
	for (size_t i = 0; i < diagram->n_roots; i++) {
		const char *name = diagram->model && diagram->root[i] < diagram->model->n_roots
			? diagram->model->root[diagram->root[i]].name
			: "";
		size_t root = dag_add_node(build->dag, DAG_ROOT, i, mem_str(name));

		dag_add_edge(build->dag, root, node_for(build, diagram->root_node[i]), false);
		while (build->n > 0) {
			size_t v = build->stack[--build->n];

			draw_ways_out(build, v, build->made[v], join);
		}
	}
	draw_happens_before(build);
	free(join);
}

/* A bar is wide enough for the edges that meet it. */
static void
widen_bars(struct dag *dag)
{
	size_t *in = mem_new_array(dag->layered.n_nodes, sizeof *in),
	       *out = mem_new_array(dag->layered.n_nodes, sizeof *out);

	for (size_t i = 0; i < dag->layered.n_edges; i++) {
		out[dag->layered.edge[i].from]++;
		in[dag->layered.edge[i].to]++;
	}
	for (size_t i = 0; i < dag->layered.n_nodes; i++)
		if (dag->node[i].kind == DAG_BAR)
			dag->layered.node[i].w = fmax(64, 24 * (double)(in[i] > out[i] ? in[i] : out[i]));
	free(in);
	free(out);
}

struct dag *
dag_new(const struct udd_diagram *diagram, struct err *e)
{
	struct build b = {.d = diagram};

	if (diagram->n_nodes > DAG_NODES_MAX) {
		err_set(e, "the diagram has %zu nodes; a picture of more than %d cannot be read", diagram->n_nodes,
			DAG_NODES_MAX);
		err_hint(e, "choose fewer features, or write it for Graphviz with --dot");
		return NULL;
	}
	b.dag = mem_new(sizeof *b.dag);
	b.made = mem_new_array(diagram->n_nodes, sizeof *b.made);
	b.stack = mem_new_array(diagram->n_nodes, sizeof *b.stack);
	build_dag(&b);
	widen_bars(b.dag);
	free(b.made);
	free(b.stack);
	b.dag->layered.gap_x = GAP_X;
	b.dag->layered.gap_y = GAP_Y;
	layered_lay(&b.dag->layered);
	return b.dag;
}

void
dag_free(struct dag *g)
{
	if (!g)
		return;
	for (size_t i = 0; i < g->layered.n_nodes; i++)
		free(g->node[i].text);
	layered_free(&g->layered);
	free(g->layered.node);
	free(g->layered.edge);
	free(g->node);
	free(g);
}
