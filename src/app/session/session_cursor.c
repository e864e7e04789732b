#include "app/session/session_cursor.h"

#include "app/session/session_flows.h"
#include "app/session/session_paths.h"
#include "app/session/session_rows.h"
#include "app/session/session_search.h"
#include "app/session/session_stalls.h"
#include "app/session/session_views.h"

/* The picture of view 5 is no list: the cursor goes from node to node. */
static bool
walks_network(const struct session *s)
{
	return s->popup == POPUP_NONE && s->view == VIEW_PATHS && s->shown == PANE_NETWORK;
}

void
session_move(struct session *s, int by)
{
	bool list = s->popup == POPUP_NONE && s->view != VIEW_START;
	int *at = s->popup != POPUP_NONE ? &s->popup_cursor : s->view == VIEW_START ? &s->start_cursor[s->start_focus] : &s->cursor[s->shown];
	long to, n;

	if (walks_network(s)) {
		session_paths_move(s, 0, by);
		return;
	}
	n = session_list_length(s);
	if (list)
		session_sync_cursors(s);
	to = (long)*at + by;
	to = to >= n ? n - 1 : to;
	*at = (int)(to < 0 ? 0 : to);
	if (list)
		session_choose(s, s->shown, *at);
}

void
session_turn_page(struct session *s, int pages)
{
	session_move(s, pages * s->page);
}

/* Panes that are wider than the screen have columns to the left and right of those that are shown. */
static void
turn_columns(struct session *s, int to)
{
	if (to > 0)
		session_next_column(s);
	else
		s->sample_column -= s->sample_column > 0;
}

void
session_move_aside(struct session *s, int to)
{
	if (s->popup == POPUP_HELP)
		session_turn_page(s, to);
	else if (walks_network(s))
		session_paths_move(s, to, 0);
	else if (s->popup == POPUP_NONE && s->shown == PANE_SEARCH)
		session_walk_graph(s, to);
	else if (session_shows_samples(s))
		turn_columns(s, to);
	else if (s->popup == POPUP_NONE)
		session_fold(s, to);
}

/* The panes of a view have consecutive numbers. */
static int
view_panes(enum view v, int *first)
{
	static const int from[VIEW_COUNT + 1] = {[VIEW_MODELS] = PANE_FEATURES, [VIEW_CONSTRAINTS] = PANE_CONSTRAINTS, [VIEW_OBSERVATIONS] = PANE_LIST,
						 [VIEW_GEOMETRY] = PANE_PLOT, [VIEW_PATHS] = PANE_NETWORK, [VIEW_STALLS] = PANE_BARS, [VIEW_QUEUES] = PANE_QUEUES,
						 [VIEW_COUNT] = PANE_COUNT};

	*first = from[v];
	return from[v + 1] - from[v];
}

/* Methods stand where there are several stacks or a network beside one, flows where a run has some. */
static bool
has_pane(const struct session *s, enum pane_id pane)
{
	return pane == PANE_METHODS ? session_shows_methods(s) : pane != PANE_FLOWS || session_flows_rows(s) > 0;
}

/* The keys between two drawings may change the view: what was visible then says nothing of the panes of this one. */
static bool
is_visible(const struct session *s, enum pane_id pane, unsigned visible)
{
	return has_pane(s, pane) && (!(visible & (visible - 1)) || (visible & 1u << pane));
}

void
session_next_pane(struct session *s, int by)
{
	int first, n = view_panes(s->view, &first);
	unsigned visible = (unsigned)s->visible & ((1u << n) - 1) << first;

	if (s->view == VIEW_START) {
		int panes = s->start_models ? START_PANES : START_MODELS;

		s->start_focus = (enum start_pane)(((int)s->start_focus + panes + by) % panes);
		return;
	}
	/* Among the panes that are shown; where only one fits, Tab walks through all of them. */
	for (int step = 1; step < n; step++) {
		enum pane_id next = (enum pane_id)(first + ((int)s->shown - first + n + by * step) % n);

		if (is_visible(s, next, visible)) {
			s->shown = next;
			break;
		}
	}
	s->focus = s->shown;
}

void
session_unfold_all(struct session *s)
{
	if (s->shown == PANE_SEARCH)
		s->graph_all = !s->graph_all;
	else
		session_fold_all(s);
}
