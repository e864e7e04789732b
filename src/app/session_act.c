/* What keys and clicks do to the session. What the outside world must do is left as a wish. */
#include "app/session.h"

#include <stdlib.h>

#include "app/live.h"
#include "app/session_geometry.h"
#include "app/session_notes.h"
#include "app/session_paths.h"
#include "app/session_profile.h"
#include "app/session_relax.h"
#include "app/session_rows.h"
#include "app/session_search.h"
#include "app/session_sim.h"
#include "app/session_start.h"
#include "app/session_views.h"
#include "core/udd/model.h"
#include "core/udd/outline.h"

static void
toggle_feature(struct session *s)
{
	size_t i = (size_t)s->cursor[PANE_FEATURES];
	struct fset on = s->on;
	struct err e = {0};

	if (i >= s->model->n_features)
		return;
	fset_put(&on, i, !fset_has(&on, i));
	if (!udd_legal(s->model, &on, &e)) {
		session_say(s, true, "%s%s%s", e.what, *e.hint ? "; " : "", e.hint);
		return;
	}
	session_switch_to(s, &on);
}

/* The picture of view 5 is no list: the cursor goes from node to node. */
static bool
walks_network(const struct session *s)
{
	return s->popup == POPUP_NONE && s->view == VIEW_PATHS && s->shown == PANE_NETWORK;
}

static void
move(struct session *s, long by)
{
	bool list = s->popup == POPUP_NONE && s->view != VIEW_START;
	int *at = s->popup != POPUP_NONE ? &s->popup_cursor : s->view == VIEW_START ? &s->start_cursor[s->start_focus] : &s->cursor[s->shown];
	long to, n;

	if (walks_network(s)) {
		session_paths_move(s, 0, by < -(1 << 20) ? -(1 << 20) : by > 1 << 20 ? 1 << 20 : (int)by);
		return;
	}
	n = session_list_length(s);
	if (list)
		session_sync_cursors(s);
	to = *at + by;
	to = to >= n ? n - 1 : to;
	*at = (int)(to < 0 ? 0 : to);
	if (list)
		session_choose(s, s->shown, *at);
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

static void
next_pane(struct session *s, int by)
{
	if (s->view == VIEW_START) {
		int panes = s->start_models ? START_PANES : START_MODELS;

		s->start_focus = (enum start_pane)(((int)s->start_focus + panes + by) % panes);
		return;
	}
	/* Among the panes that are shown; where only one fits, Tab walks through all of them. */
	s->focus = s->shown;
	do {
		int first, n = view_panes(s->view, &first);

		s->focus = (enum pane_id)(first + ((int)s->focus - first + n + by) % n);
	} while ((s->visible & (s->visible - 1)) && !(s->visible & 1 << s->focus));
	s->shown = s->focus;
}

/* What went through the feature under the cursor, as far as there is something to tell. */
static void
ask_for_flow(struct session *s)
{
	const struct finding *f = session_finding(s);
	size_t i = (size_t)s->cursor[PANE_FEATURES];

	if (i >= s->model->n_features)
		return;
	if (!fset_has(&s->on, i))
		session_say(s, false, "%s is off: nothing goes through it", s->model->feature[i].name);
	else if (!f || session_stale(s))
		session_say(s, false, "no observation is judged yet");
	else if (f->verdict != VERDICT_FEASIBLE)
		session_say(s, false, "%s is %s with these features: no flow makes it", f->name, verdict_name(f->verdict));
	else
		s->want.flow = i + 1;
}

static void
witness(struct session *s)
{
	size_t n, *row = session_tree_rows(s, &n), at = (size_t)s->cursor[PANE_TREE];
	const struct outline_row *r = at < n ? &s->outline->row[row[at]] : NULL;

	for (size_t k = 0; r && k < r->n_items; k++)
		if (r->item[k].kind == OUTLINE_COUNT && !r->item[k].off) {
			s->want.witness = r->item[k].counter + 1;
			break;
		}
	if (!s->want.witness)
		session_say(s, false, "this row raises no counter; choose one with %s", "■");
	free(row);
}

/* n writes notes again. */
static void
end_find(struct session *s)
{
	free(s->find);
	s->find = NULL;
	session_say(s, false, "nothing is looked for any more");
}

static void
stop(struct session *s)
{
	if (session_running(s))
		s->want.kill = true;
	else if (s->busy || s->searching != SEARCH_NONE || s->want.search != SEARCH_NONE || s->asked.kind != QUESTION_NONE)
		s->want.stop = true;
	else if (s->find && *s->find)
		end_find(s);
	else
		session_go_back(s);
}

/* Notes that no file holds are not thrown away by one key. */
static void
quit(struct session *s)
{
	size_t unsaved = 0;

	for (size_t i = 0; i < s->remarks.n; i++)
		unsaved += s->remarks.remark[i].unsaved;
	if (s->popup != POPUP_NONE) {
		s->popup = POPUP_NONE;
	} else if (unsaved && (!s->kept_in || s->not_kept) && !s->warned) {
		session_say(s, true, "%zu note%s in no file: w, then f, keeps the session in one; q again leaves without", unsaved, unsaved == 1 ? " is" : "s are");
		s->warned = true;
	} else {
		s->want.quit = true;
	}
}

void
session_act(struct session *s, enum action a)
{
	s->warned &= a == ACTION_quit;
	switch (a) {
	case ACTION_none:
	case ACTION_COUNT:
		break;
	case ACTION_toggle:
		toggle_feature(s);
		break;
	case ACTION_take:
		session_take_proposal(s);
		break;
	case ACTION_to_model:
		session_to_model(s);
		break;
	case ACTION_discover:
		session_ask_search(s, SEARCH_DISCOVER);
		break;
	case ACTION_eliminate:
		session_ask_search(s, SEARCH_ELIMINATE);
		break;
	case ACTION_auto:
		session_ask_search(s, SEARCH_AUTO);
		break;
	case ACTION_pin:
		session_pin(s);
		break;
	case ACTION_demo:
		session_start_item(s, START_DEMO);
		break;
	case ACTION_watch_paths:
		session_start_item(s, START_PATHS);
		break;
	case ACTION_watch_tasks:
		session_start_item(s, START_TASKS);
		break;
	case ACTION_haswell:
		session_start_item(s, START_HASWELL);
		break;
	case ACTION_open_file:
		session_start_item(s, START_OPEN);
		break;
	case ACTION_open:
		session_start_open(s);
		break;
	case ACTION_witness:
		witness(s);
		break;
	case ACTION_fold:
		session_fold(s, 0);
		break;
	case ACTION_fold_all:
		if (s->shown == PANE_SEARCH)
			s->graph_all = !s->graph_all;
		else
			session_fold_all(s);
		break;
	case ACTION_through:
		ask_for_flow(s);
		break;
	case ACTION_whence:
	case ACTION_whence_too:
		if (s->view >= VIEW_PATHS)
			session_profile_act(s, s->view == VIEW_PATHS ? ACTION_node : s->view == VIEW_STALLS ? ACTION_component : ACTION_formula);
		else if (session_finding(s))
			session_open_popup(s, POPUP_WHENCE);
		break;
	case ACTION_relaxers:
		session_look_into_why(s);
		break;
	case ACTION_run:
		session_run_command(s);
		break;
	case ACTION_command:
	case ACTION_command_too:
		session_ask_for_command(s);
		break;
	case ACTION_simulated:
		session_sim_open(s);
		break;
	case ACTION_output:
		session_open_popup(s, POPUP_OUTPUT);
		break;
	case ACTION_variant:
		if (s->model->n_variants)
			session_open_popup(s, POPUP_VARIANT);
		else
			session_say(s, false, "the model has no variants");
		break;
	case ACTION_find:
		session_open_prompt(s, PROMPT_FIND, "");
		break;
	case ACTION_find_next:
		if (s->find && *s->find && s->view < VIEW_PATHS)
			session_find_next(s);
		else
			session_note(s);
		break;
	case ACTION_note_session:
		session_note_on_all(s);
		break;
	case ACTION_notes:
		session_list_notes(s);
		break;
	case ACTION_note_edit:
		session_edit_note(s);
		break;
	case ACTION_note_delete:
		session_delete_note(s);
		break;
	case ACTION_observe_next:
		session_step_observation(s, 1);
		break;
	case ACTION_observe_back:
		session_step_observation(s, -1);
		break;
	case ACTION_pane_next:
		next_pane(s, 1);
		break;
	case ACTION_pane_back:
		next_pane(s, -1);
		break;
	case ACTION_up:
		move(s, -1);
		break;
	case ACTION_down:
		move(s, 1);
		break;
	case ACTION_left:
		if (s->popup == POPUP_HELP)
			move(s, -s->page);
		else if (walks_network(s))
			session_paths_move(s, -1, 0);
		else if (s->popup == POPUP_NONE && s->shown == PANE_SEARCH)
			session_walk_graph(s, -1);
		else if (session_shows_samples(s))
			s->sample_column -= s->sample_column > 0;
		else if (s->popup == POPUP_NONE)
			session_fold(s, -1);
		break;
	case ACTION_right:
		if (s->popup == POPUP_HELP)
			move(s, s->page);
		else if (walks_network(s))
			session_paths_move(s, 1, 0);
		else if (s->popup == POPUP_NONE && s->shown == PANE_SEARCH)
			session_walk_graph(s, 1);
		else if (session_shows_samples(s))
			session_next_column(s);
		else if (s->popup == POPUP_NONE)
			session_fold(s, 1);
		break;
	case ACTION_page_up:
		move(s, -s->page);
		break;
	case ACTION_page_down:
		move(s, s->page);
		break;
	case ACTION_first:
		move(s, -(1L << 30));
		break;
	case ACTION_last:
		move(s, 1L << 30);
		break;
	case ACTION_models:
		session_show_view(s, VIEW_MODELS);
		break;
	case ACTION_constraints:
		session_show_view(s, VIEW_CONSTRAINTS);
		break;
	case ACTION_observations:
		session_show_view(s, VIEW_OBSERVATIONS);
		break;
	case ACTION_geometry:
		session_show_geometry(s);
		break;
	case ACTION_paths:
		session_show_view(s, VIEW_PATHS);
		break;
	case ACTION_stalls:
		session_show_view(s, VIEW_STALLS);
		break;
	case ACTION_queues:
		session_show_view(s, VIEW_QUEUES);
		break;
	case ACTION_freeze:
	case ACTION_moment_back:
	case ACTION_moment_next:
	case ACTION_node:
	case ACTION_place:
	case ACTION_to_moment:
	case ACTION_unfold_node:
	case ACTION_turn:
	case ACTION_set_against:
	case ACTION_component:
	case ACTION_normalise:
	case ACTION_method:
	case ACTION_group:
	case ACTION_whole_run:
	case ACTION_formula:
		if (!session_profile_act(s, a))
			session_say(s, false, "no network and no stack is open");
		break;
	case ACTION_first_too:
		move(s, -(1L << 30));
		break;
	case ACTION_show:
		session_show_constraint(s);
		break;
	case ACTION_axis_left:
	case ACTION_axis_right:
	case ACTION_axis_up:
	case ACTION_axis_down:
	case ACTION_best_pair:
	case ACTION_zoom:
	case ACTION_boxes:
	case ACTION_plot_next:
	case ACTION_plot_back:
		session_plot_act(s, a);
		break;
	case ACTION_details:
		session_open_about(s, POPUP_CONSTRAINT, session_constraint(s) != NULL);
		break;
	case ACTION_certificate:
		session_open_about(s, POPUP_CERTIFICATE, s->view == VIEW_CONSTRAINTS ? session_constraint(s) != NULL : session_finding(s) != NULL);
		break;
	case ACTION_lose:
		session_open_about(s, POPUP_LOSS, s->result && s->result->n_constraints);
		break;
	case ACTION_samples:
		session_open_about(s, POPUP_OBSERVATION, session_finding(s) != NULL);
		break;
	case ACTION_compare:
		session_compare(s);
		break;
	case ACTION_jump:
		session_jump_from_constraint(s);
		break;
	case ACTION_sort:
		session_sort(s);
		break;
	case ACTION_filter:
		session_open_prompt(s, PROMPT_FILTER, s->filter[s->view] ? s->filter[s->view] : "");
		break;
	case ACTION_mark:
		session_mark(s);
		break;
	case ACTION_unmark:
		session_unmark(s);
		break;
	case ACTION_unfold:
		session_unfold_phases(s);
		break;
	case ACTION_start:
		s->view_focus[s->view] = s->focus;
		s->view = VIEW_START;
		break;
	case ACTION_doctor:
		session_open_popup(s, POPUP_DOCTOR);
		break;
	case ACTION_theme:
		s->want.theme = true;
		break;
	case ACTION_write:
		session_open_popup(s, POPUP_WRITE);
		break;
	case ACTION_write_screen:
		session_write_item(s, WRITE_SCREEN);
		break;
	case ACTION_write_report:
		session_write_item(s, WRITE_REPORT);
		break;
	case ACTION_write_session:
		session_write_item(s, WRITE_SESSION);
		break;
	case ACTION_redraw:
		s->want.redraw = true;
		break;
	case ACTION_help:
		session_open_popup(s, POPUP_HELP);
		break;
	case ACTION_back:
		s->popup = POPUP_NONE;
		break;
	case ACTION_stop:
		stop(s);
		break;
	case ACTION_quit:
		quit(s);
		break;
	}
}
