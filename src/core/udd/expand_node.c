/* Adds nodes and edges to a diagram. Until its target is made, an edge's `to` holds the next open edge of the chain:
 *
 *     open.first ──▶ edge 4 ──to──▶ edge 7 ──to──▶ edge 2 ◀── open.last
 *
 * A new node becomes the target of all edges in the chain. Two chains are joined by one assignment. */
#include "core/udd/expander.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/udd/model.h"
#include "text/diag.h"

#define EDGES_MAX ((size_t)4 * UDD_NODES_MAX)

void
open_edges_join(struct expander *x, struct open_edges *into, const struct open_edges *from)
{
	into->entry |= from->entry;
	if (from->first == UDD_NONE)
		return;
	if (into->first == UDD_NONE)
		into->first = from->first;
	else
		x->g->edge[into->last].to = from->first;
	into->last = from->last;
}

struct open_edges
open_edges_of(struct expander *x, uint32_t edge)
{
	x->g->edge[edge].to = UDD_NONE;
	return (struct open_edges){edge, edge, false};
}

/* The frame's index in origins. The frame, with its callers, is added when its first node is made. */
static uint32_t
frame_id(struct expander *expander, struct place_in *in)
{
	struct udd_origins *origins = expander->g->origins;
	struct udd_frame *copy;
	uint32_t caller;

	if (in->frame_id != UDD_NONE)
		return in->frame_id;
	caller = in->caller ? frame_id(expander, in->caller) : UDD_NONE;
	copy = arena_copy(origins->arena, in->frame, sizeof *copy);
	copy->caller = caller == UDD_NONE ? NULL : origins->frame[caller];
	if (copy->arg)
		copy->arg = arena_copy(origins->arena, copy->arg, (copy->body->n_words + 1) * sizeof *copy->arg);
	mem_grow(&origins->frame, &origins->cap_frames, origins->n_frames + 1, sizeof *origins->frame);
	origins->frame[origins->n_frames] = copy;
	in->frame_id = (uint32_t)origins->n_frames++;
	return in->frame_id;
}

struct origin
expand_origin(struct expander *x, struct place_in *in, uint32_t at, uint32_t len)
{
	return (struct origin){frame_id(x, in), at, len};
}

static bool
too_many(struct expander *x, struct place_in *in, uint32_t at, uint32_t len, uint32_t n_edges)
{
	if (x->g->n_nodes < UDD_NODES_MAX && x->g->n_edges + n_edges <= EDGES_MAX)
		return false;
	if (!x->stopped)
		udd_complain(x->ast, x->diags, in->frame, at, len, NULL, "the diagram is too large: more than %d nodes",
			UDD_NODES_MAX);
	x->stopped = true;
	return true;
}

uint32_t
expand_node(struct expander *expander, struct place_in *in, const struct udd_stmt *stmt, enum udd_node_kind kind,
	uint32_t name, uint32_t n_edges)
{
	struct udd_diagram *diagram = expander->g;
	const struct udd_word *end = &in->frame->body->name;
	uint32_t at = stmt ? stmt->at : end->at, len = stmt ? stmt->len : end->len, n = (uint32_t)diagram->n_nodes;

	if ((expander->open.first == UDD_NONE && !expander->open.entry) || too_many(expander, in, at, len, n_edges)) {
		expander->open = (struct open_edges){UDD_NONE, UDD_NONE, false};
		return UDD_NONE;
	}
	if (expander->in_part && (kind == UDD_EVENT || kind == UDD_COUNT || kind == UDD_DONE || kind == UDD_IMPOSSIBLE))
		expand_mark_open(expander);
	mem_grow(&diagram->node, &expander->cap_node, diagram->n_nodes + 1, sizeof *diagram->node);
	mem_grow(&diagram->origins->node, &diagram->origins->cap_node, diagram->n_nodes + 1,
		sizeof *diagram->origins->node);
	mem_grow(&diagram->edge, &expander->cap_edge, diagram->n_edges + n_edges, sizeof *diagram->edge);
	diagram->origins->node[n] = expand_origin(expander, in, at, len);
	diagram->node[n] = (struct udd_node){.kind = kind,
		.name = name,
		.property = UDD_NO_PROPERTY,
		.first_edge = (uint32_t)diagram->n_edges,
		.n_edges = n_edges,
		.file = in->frame->body->file};
	if (stmt)
		diagram->node[n].line = (uint32_t)source_line(&expander->ast->file[in->frame->body->file], at);
	if (n_edges)
		memset(diagram->edge + diagram->n_edges, 0, n_edges * sizeof *diagram->edge);
	diagram->n_nodes++;
	diagram->n_edges += n_edges;
	for (uint32_t e = expander->open.first, next; e != UDD_NONE; e = next) {
		next = e == expander->open.last ? UDD_NONE : diagram->edge[e].to;
		diagram->edge[e].to = n;
	}
	if (expander->open.entry)
		diagram->root_node[diagram->n_roots - 1] = n;
	expander->open = (struct open_edges){UDD_NONE, UDD_NONE, false};
	return n;
}

uint32_t
expand_step(struct expander *x, struct place_in *in, const struct udd_stmt *s, enum udd_node_kind kind, uint32_t name)
{
	uint32_t n = expand_node(x, in, s, kind, name, 1);

	if (n != UDD_NONE)
		x->open = open_edges_of(x, x->g->node[n].first_edge);
	return n;
}

void
udd_node_error(const struct udd_diagram *g, uint32_t node, struct diags *d, const char *hint, const char *text)
{
	const struct origin *o = &g->origins->node[node];

	udd_complain(g->model->ast, d, g->origins->frame[o->frame], o->at, o->len, hint, "%s", text);
}

/* --- marks ------------------------------------------------------------------------------------------------------- */

void
expand_mark_open(struct expander *x)
{
	struct udd_diagram *g = x->g;

	if (x->open.entry)
		g->root_mark[g->n_roots - 1] = true;
	for (uint32_t e = x->open.first; e != UDD_NONE; e = e == x->open.last ? UDD_NONE : g->edge[e].to) {
		g->edge[e].mark = true;
		x->steps++;
	}
}

void
expand_mark_values(struct expander *x, const uint32_t *value, size_t n, uint32_t edge)
{
	struct udd_diagram *g = x->g;

	for (size_t i = 0; i < n; i++) {
		mem_grow(&g->mark, &x->cap_mark, g->n_marks + 1, sizeof *g->mark);
		g->mark[g->n_marks++] = (struct udd_mark){edge, value[i]};
	}
}

bool
expand_changes_nothing(const struct udd_stmt *stmt)
{
	for (; stmt; stmt = stmt->next) {
		if (stmt->kind == STMT_WHEN) {
			for (const struct udd_arm *arm = stmt->arms; arm; arm = arm->next)
				if (!expand_changes_nothing(arm->body))
					return false;
		} else if (stmt->kind != STMT_BEFORE) {
			return false;
		}
	}
	return true;
}

static int
compare_marks(const void *a, const void *b)
{
	const struct udd_mark *x = a, *y = b;

	return x->edge < y->edge ? -1 : x->edge > y->edge;
}

void
expand_sort_marks(struct udd_diagram *g)
{
	if (g->n_marks)
		qsort(g->mark, g->n_marks, sizeof *g->mark, compare_marks);
}
