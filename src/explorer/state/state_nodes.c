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
state_node_is_open(const struct state *state, size_t part)
{
	const struct node_folds *folds = &state->view.timeline.nodes;
	const struct timeline_bars *bars = state->answers.timeline.bars;
	const struct stack *stack = tree_of(state);
	bool open;

	if (!stack || !state_nodes_below(state, part))
		return false;
	open = stack->part[part].depth == 0;
	if (part < folds->n && folds->how[part])
		return folds->how[part] > 0;
	for (size_t i = 0; bars && i < bars->n; i++)
		open |= part < bars->bar[i].account->n_parts && bars->bar[i].account->amount[part].flagged;
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
state_fold_node(struct state *state, int how)
{
	struct node_folds *folds = &state->view.timeline.nodes;
	const struct stack *stack = tree_of(state);
	size_t node = state_node(state);

	if (!stack || node == SIZE_MAX)
		return;
	if (how < 0 && !state_node_is_open(state, node)) {
		if (stack->part[node].parent != STACK_TOP)
			point_at(state, stack->part[node].parent);
		return;
	}
	if (!state_nodes_below(state, node)) {
		if (!how)
			state_say(state, false, "nothing lies below this node that could be folded");
		return;
	}
	if (folds->n < stack->n_parts) {
		folds->how = mem_resize(folds->how, stack->n_parts, sizeof *folds->how);
		memset(folds->how + folds->n, 0, (stack->n_parts - folds->n) * sizeof *folds->how);
		folds->n = stack->n_parts;
	}
	folds->how[node] = how ? (signed char)how : state_node_is_open(state, node) ? -1 : 1;
	point_at(state, node);
}

void
state_fold_all_nodes(struct state *state)
{
	struct node_folds *folds = &state->view.timeline.nodes;
	const struct stack *stack = tree_of(state);
	size_t node = state_node(state);
	bool all = true;

	if (!stack || node == SIZE_MAX)
		return;
	for (size_t i = 0; i < stack->n_parts; i++)
		all = all && (state_node_is_open(state, i) || !state_nodes_below(state, i));
	folds->how = mem_resize(folds->how, stack->n_parts, sizeof *folds->how);
	folds->n = stack->n_parts;
	memset(folds->how, all ? 0 : 1, folds->n * sizeof *folds->how);
	for (; stack->part[node].parent != STACK_TOP && all; node = stack->part[node].parent)
		if (state_node_is_open(state, stack->part[node].parent))
			break;
	point_at(state, node);
}
