#include "explorer/state/state_nodes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/stack/account.h"
#include "core/stack/stack.h"
#include "explorer/state/state.h"
#include "explorer/state/state_stalls.h"
#include "work/timeline/timeline.h"

static const struct stack *
tree_of(const struct state *s)
{
	return s->data.timeline ? timeline_stack(s->data.timeline) : NULL;
}

bool
state_shows_tree(const struct state *s)
{
	const struct stack *k = tree_of(s);

	return k && k->tree.family && state_shows_parts(s) && !state_compares_methods(s);
}

size_t
state_nodes_below(const struct state *s, size_t part)
{
	const struct stack *k = tree_of(s);
	size_t i = part + 1;

	while (k && i < k->n_parts && k->part[i].depth > k->part[part].depth)
		i++;
	return i - part - 1;
}

void
state_look_at_tree(struct state *s)
{
	if (s->view.current == VIEW_STALLS && s->view.focus == PANE_BARS && state_shows_tree(s))
		s->view.focus = PANE_COMPONENTS;
}

bool
state_node_is_open(const struct state *s, size_t part)
{
	const struct node_folds *f = &s->view.timeline.nodes;
	const struct timeline_bars *b = s->answers.timeline.bars;
	const struct stack *k = tree_of(s);
	bool open;

	if (!k || !state_nodes_below(s, part))
		return false;
	open = k->part[part].depth == 0;
	if (part < f->n && f->how[part])
		return f->how[part] > 0;
	for (size_t i = 0; b && i < b->n; i++)
		open |= part < b->bar[i].account->n_parts && b->bar[i].account->amount[part].flagged;
	return open;
}

size_t
state_node(const struct state *s)
{
	size_t n, at = (size_t)s->view.cursor[PANE_COMPONENTS], node = SIZE_MAX, *row;

	if (!state_shows_tree(s) || state_pane(s) != PANE_COMPONENTS)
		return SIZE_MAX;
	row = state_part_rows(s, &n);
	if (n)
		node = row[at < n ? at : n - 1];
	free(row);
	return node;
}

static void
point_at(struct state *s, size_t part)
{
	size_t n, *row = state_part_rows(s, &n);

	for (size_t i = 0; i < n; i++)
		if (row[i] == part)
			s->view.cursor[PANE_COMPONENTS] = (int)i;
	free(row);
}

void
state_fold_node(struct state *s, int how)
{
	struct node_folds *f = &s->view.timeline.nodes;
	const struct stack *k = tree_of(s);
	size_t node = state_node(s);

	if (!k || node == SIZE_MAX)
		return;
	if (how < 0 && !state_node_is_open(s, node)) {
		if (k->part[node].parent != STACK_TOP)
			point_at(s, k->part[node].parent);
		return;
	}
	if (!state_nodes_below(s, node))
		return;
	if (f->n < k->n_parts) {
		f->how = mem_resize(f->how, k->n_parts, sizeof *f->how);
		memset(f->how + f->n, 0, (k->n_parts - f->n) * sizeof *f->how);
		f->n = k->n_parts;
	}
	f->how[node] = how ? (signed char)how : state_node_is_open(s, node) ? -1 : 1;
	point_at(s, node);
}

void
state_fold_all_nodes(struct state *s)
{
	struct node_folds *f = &s->view.timeline.nodes;
	const struct stack *k = tree_of(s);
	size_t node = state_node(s);
	bool all = true;

	if (!k || node == SIZE_MAX)
		return;
	for (size_t i = 0; i < k->n_parts; i++)
		all = all && (state_node_is_open(s, i) || !state_nodes_below(s, i));
	f->how = mem_resize(f->how, k->n_parts, sizeof *f->how);
	f->n = k->n_parts;
	memset(f->how, all ? 0 : 1, f->n * sizeof *f->how);
	for (; k->part[node].parent != STACK_TOP && all; node = k->part[node].parent)
		if (state_node_is_open(s, k->part[node].parent))
			break;
	point_at(s, node);
}
