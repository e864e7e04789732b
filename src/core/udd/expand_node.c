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
frame_id(struct expander *x, struct place_in *in)
{
	struct udd_origins *o = x->g->origins;
	struct udd_frame *copy;
	uint32_t caller;

	if (in->frame_id != UDD_NONE)
		return in->frame_id;
	caller = in->caller ? frame_id(x, in->caller) : UDD_NONE;
	copy = arena_copy(o->arena, in->frame, sizeof *copy);
	copy->caller = caller == UDD_NONE ? NULL : o->frame[caller];
	if (copy->arg)
		copy->arg = arena_copy(o->arena, copy->arg, (copy->body->n_words + 1) * sizeof *copy->arg);
	mem_grow(&o->frame, &o->cap_frames, o->n_frames + 1, sizeof *o->frame);
	o->frame[o->n_frames] = copy;
	in->frame_id = (uint32_t)o->n_frames++;
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
expand_node(struct expander *x, struct place_in *in, const struct udd_stmt *s, enum udd_node_kind kind, uint32_t name,
	uint32_t n_edges)
{
	struct udd_diagram *g = x->g;
	const struct udd_word *end = &in->frame->body->name;
	uint32_t at = s ? s->at : end->at, len = s ? s->len : end->len, n = (uint32_t)g->n_nodes;

	if ((x->open.first == UDD_NONE && !x->open.entry) || too_many(x, in, at, len, n_edges)) {
		x->open = (struct open_edges){UDD_NONE, UDD_NONE, false};
		return UDD_NONE;
	}
	if (x->in_part && (kind == UDD_EVENT || kind == UDD_COUNT || kind == UDD_DONE || kind == UDD_IMPOSSIBLE))
		expand_mark_open(x);
	mem_grow(&g->node, &x->cap_node, g->n_nodes + 1, sizeof *g->node);
	mem_grow(&g->origins->node, &g->origins->cap_node, g->n_nodes + 1, sizeof *g->origins->node);
	mem_grow(&g->edge, &x->cap_edge, g->n_edges + n_edges, sizeof *g->edge);
	g->origins->node[n] = expand_origin(x, in, at, len);
	g->node[n] = (struct udd_node){.kind = kind,
		.name = name,
		.property = UDD_NO_PROPERTY,
		.first_edge = (uint32_t)g->n_edges,
		.n_edges = n_edges,
		.file = in->frame->body->file};
	if (s)
		g->node[n].line = (uint32_t)source_line(&x->ast->file[in->frame->body->file], at);
	if (n_edges)
		memset(g->edge + g->n_edges, 0, n_edges * sizeof *g->edge);
	g->n_nodes++;
	g->n_edges += n_edges;
	for (uint32_t e = x->open.first, next; e != UDD_NONE; e = next) {
		next = e == x->open.last ? UDD_NONE : g->edge[e].to;
		g->edge[e].to = n;
	}
	if (x->open.entry)
		g->root_node[g->n_roots - 1] = n;
	x->open = (struct open_edges){UDD_NONE, UDD_NONE, false};
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
expand_changes_nothing(const struct udd_stmt *s)
{
	for (; s; s = s->next) {
		if (s->kind == STMT_WHEN) {
			for (const struct udd_arm *a = s->arms; a; a = a->next)
				if (!expand_changes_nothing(a->body))
					return false;
		} else if (s->kind != STMT_BEFORE) {
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
