#include "explorer/state/state_cursor.h"

#include <string.h>

#include "explorer/state/pane.h"
#include "explorer/state/pane_ids.h"
#include "explorer/state/screen_layout.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "explorer/state/state_catalogue.h"
#include "explorer/state/state_flows.h"
#include "explorer/state/state_follow.h"
#include "explorer/state/state_intervals.h"
#include "explorer/state/state_lists.h"
#include "explorer/state/state_nodes.h"
#include "explorer/state/state_paths.h"
#include "explorer/state/state_probes.h"
#include "explorer/state/state_rows.h"
#include "explorer/state/state_search.h"
#include "explorer/state/state_stalls.h"
#include "explorer/state/state_tree.h"

/* In the picture of view 5 the cursor moves from node to node instead of from row to row. */
static bool
walks_network(const struct state *s)
{
	return s->view.popup.kind == POPUP_NONE && s->view.current == VIEW_PATHS && state_pane(s) == PANE_NETWORK;
}

/* A larger screen may show more rows than there are below the cursor. */
static int
moved(int at, long n, long by)
{
	long to = (at < n ? at : n - 1) + by;

	to = to >= n ? n - 1 : to;
	return (int)(to < 0 ? 0 : to);
}

void
state_scroll(struct state *state, enum pane_id pane, int by)
{
	struct cursors before = state_cursors(state);

	if (state->view.current == VIEW_PATHS && pane == PANE_NETWORK) {
		state_paths_move(state, 0, by);
		return;
	}
	state_sync_cursors(state);
	state->shown->things.moved = state->view.frame.now;
	state_choose(state, pane, moved(state->view.cursor[pane], state_pane_length(state, pane), by));
	state_want_moved(state, &before);
	state_seen(state);
	state_check(state);
}

void
state_move(struct state *state, int by)
{
	bool list = state->view.popup.kind == POPUP_NONE && state->view.current != VIEW_START;
	int *at = state->view.popup.kind != POPUP_NONE ? &state->view.popup.cursor
		: state->view.current == VIEW_START
			? &state->view.start.cursor[state_start_pane(state)] : &state->view.cursor[state_pane(state)];

	if (walks_network(state)) {
		state_paths_move(state, 0, by);
		return;
	}
	if (list)
		state_sync_cursors(state);
	*at = moved(*at, state_list_length(state), by);
	if (list)
		state_choose(state, state_pane(state), *at);
}

void
state_turn_page(struct state *s, int pages)
{
	state_move(s, pages * s->layout->page);
}

/* Scrolls the columns of a pane that is wider than the screen. */
static void
turn_columns(struct state *s, int to)
{
	if (to > 0)
		state_next_column(s);
	else
		s->view.columns.sample -= s->view.columns.sample > 0;
}

void
state_move_aside(struct state *state, int to)
{
	if (state->view.popup.kind == POPUP_HELP)
		state_turn_page(state, to);
	else if (state->view.popup.kind == POPUP_INTERVALS)
		state_intervals_turn(state, to);
	else if (state->view.popup.kind == POPUP_SLICES)
		state_turn_slices(state, to);
	else if (walks_network(state))
		state_paths_move(state, to, 0);
	else if (state->view.popup.kind == POPUP_NONE && state_pane(state) == PANE_SEARCH)
		state_walk_graph(state, to);
	else if (state_shows_samples(state))
		turn_columns(state, to);
	else if (state->view.popup.kind == POPUP_NONE && state_pane(state) == PANE_COMPONENTS)
		state_fold_node(state, to);
	else if (state->view.popup.kind == POPUP_NONE && state_pane(state) == PANE_CATALOGUE)
		state_fold_catalogue(state, to);
	else if (state->view.popup.kind == POPUP_NONE)
		state_fold(state, to);
}

/* Is the pane there? Methods: with several stacks, or a stack and a network. Flows: if a run has some. */
static bool
has_pane(const struct state *s, enum pane_id pane)
{
	return pane == PANE_METHODS ? state_shows_methods(s) : pane != PANE_FLOWS || state_flows_rows(s) > 0;
}

void
state_next_pane(struct state *state, int by)
{
	uint64_t visible = state->layout->view == state->view.current ? state->layout->visible : UINT64_MAX;
	int first = (int)view_row(state->view.current)->first, n = (int)view_row(state->view.current)->end - first;
	bool few = !(visible & (visible - 1));
	int at;

	if (state->view.current == VIEW_START) {
		state->view.start.focus =
			(enum start_pane)(((int)state_start_pane(state) + START_PANES + by) % START_PANES);
		return;
	}
	if (!visible) {
		state_say(state, false, "there is no pane to go to");
		return;
	}
	/* Tab moves among the panes shown, or among all panes where only one fits. */
	at = (int)state_pane(state) - first;
	state->view.focus = state_pane(state);
	for (int step = 1; step < n; step++) {
		enum pane_id next = (enum pane_id)(first + (at + n + by * step) % n);

		if (has_pane(state, next) && (few || visible & PANE_BIT(next))) {
			state->view.focus = next;
			return;
		}
	}
	state_say(state, false, "this view has no other pane here");
}

/* Shows all models of the search, or folds most of them again. */
static void
unfold_search(struct state *state)
{
	size_t before, after;

	state_search_rows(state, &before);
	state->view.search.all = !state->view.search.all;
	state_search_rows(state, &after);
	if (before == after)
		state_say(state, false, "no model is folded here");
}

void
state_unfold_all(struct state *s)
{
	if (state_pane(s) == PANE_SEARCH)
		unfold_search(s);
	else if (state_pane(s) == PANE_COMPONENTS && state_zero_parts(s))
		state_fold_zeros(s);
	else if (state_pane(s) == PANE_COMPONENTS)
		state_fold_all_nodes(s);
	else if (state_pane(s) == PANE_NETWORK)
		state_paths_unfold_unused(s);
	else if (state_pane(s) == PANE_PATH_MAP)
		state_paths_fold_places(s);
	else if (state_pane(s) == PANE_CATALOGUE)
		state_fold_all_catalogue(s);
	else
		state_fold_all(s);
}

void
state_drag(struct state *s, struct drag d)
{
	s->view.panes.drag = d;
}

void
state_set_shares(struct state *s, const struct pane_share *share)
{
	memcpy(s->view.panes.share, share, sizeof s->view.panes.share);
}

void
state_forget_shares(struct state *s)
{
	const struct view_row *view = view_row(s->view.current);

	for (enum pane_id pane = view->first; pane < view->end; pane++)
		s->view.panes.share[pane] = (struct pane_share){0};
}

void
state_focus(struct state *s, enum pane_id pane)
{
	s->view.focus = pane;
}

void
state_point(struct state *s, enum pane_id pane, int row)
{
	s->view.focus = pane;
	state_choose(s, pane, row);
	s->shown->things.moved = s->view.frame.now;
	state_want(s, pane);
}

void
state_point_start(struct state *s, enum start_pane pane, int row)
{
	s->view.start.focus = pane;
	s->view.start.cursor[pane] = row;
}

void
state_point_popup(struct state *s, int row)
{
	s->view.popup.cursor = row;
}

void
state_choose(struct state *s, enum pane_id pane, int row)
{
	s->view.cursor[pane] = row > 0 ? row : 0;
	if (pane_ops(pane)->choose)
		pane_ops(pane)->choose(s, pane, row);
	state_sync_cursors(s);
}
