#include "explorer/state/state_reason.h"

#include <string.h>

#include "base/str.h"
#include "base/utf8.h"
#include "core/network/state.h"
#include "core/udd/alternatives.h"
#include "core/udd/model.h"
#include "core/udd/outline.h"
#include "explorer/state/screen_layout.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "explorer/state/state_catalogue.h"
#include "explorer/state/state_diff.h"
#include "explorer/state/state_events.h"
#include "explorer/state/state_flows.h"
#include "explorer/state/state_geometry.h"
#include "explorer/state/state_nodes.h"
#include "explorer/state/state_probes.h"
#include "explorer/state/state_queues.h"
#include "explorer/state/state_search.h"
#include "explorer/state/state_stalls.h"
#include "explorer/state/state_views.h"
#include "explorer/state/undo_steps.h"
#include "work/analysis/geometry.h"
#include "work/diff/contest.h"
#include "work/probe/probe_book.h"
#include "work/timeline/timeline.h"

/* --- what actions need: each function returns what is missing, or NULL -------------------------------------------- */

static const char *
needs_model(const struct state *s)
{
	return s->question.model ? NULL : "no model is open; S opens one";
}

static const char *
needs_own_model(const struct state *s)
{
	if (s->question.model)
		return s->question.model->form == UDD_FORM_FDL_FOLDER
			? "this model is a folder of FDL files: edit one of them, and the model follows" : NULL;
	return s->data.timeline
		? "only a model can be edited while it is open: these snapshots belong to their text; edit its file, "
		  "then o opens it anew"
		: needs_model(s);
}

static const char *
needs_subject(const struct state *s)
{
	return s->question.model || s->data.timeline ? NULL
		: "no model is open that could judge a command; S opens one";
}

static const char *
needs_features(const struct state *s)
{
	return !s->question.model ? needs_model(s)
		: s->question.model->n_features ? NULL : "this model has no features to switch";
}

static const char *
needs_choice(const struct state *s)
{
	const char *lacks = needs_features(s);

	return lacks ? lacks
		: udd_has_alternatives(s->question.model)
			? "a folder's models are alternatives, which no search switches: there is nothing to pin"
			: NULL;
}

static const char *
needs_outline(const struct state *s)
{
	return s->question.outline && s->question.outline->n ? NULL : "there is no diagram; S opens a model";
}

static const char *
needs_result(const struct state *s)
{
	const struct result *result = s->answers.result;

	if (!s->question.model)
		return needs_model(s);
	if (result && result->error)
		return "these features make no model; 1, then Space, switches one of them";
	return result ? NULL
		: s->answers.progress.busy ? "the engine still computes the first result"
					   : "there is no result yet; r runs a command under this model";
}

static const char *
needs_observation(const struct state *s)
{
	const char *lacks = needs_result(s);

	return lacks ? lacks
		: state_finding(s) ? NULL
		: s->answers.result->n_findings ? "no observation is selected"
						: "there is no observation yet; r runs a command under this model";
}

static const char *
needs_observations(const struct state *s)
{
	const char *lacks = needs_result(s);

	return lacks ? lacks
		: s->answers.result->n_findings ? NULL
						: "there is no observation yet; r runs a command under this model";
}

static const char *
needs_constraint(const struct state *s)
{
	const char *lacks = needs_result(s);

	return lacks ? lacks
		: state_constraint(s) ? NULL
		: s->view.filter[VIEW_CONSTRAINTS] ? "no constraint passes the filter; \\ with no text shows all"
						   : "this model has no constraints: any counts fit it";
}

static const char *
needs_breach(const struct state *s)
{
	const char *lacks = needs_constraint(s);

	return lacks ? lacks
		: state_constraint(s)->n_breaches ? NULL : "no observation breaks this constraint";
}

static const char *
needs_counters(const struct state *s)
{
	const char *lacks = needs_result(s);

	return lacks ? lacks
		: s->answers.result->n_constraints ? NULL : "this model has no constraints that a counter could be in";
}

static const char *
needs_mark(const struct state *s)
{
	return state_count_marked(s) ? NULL : "nothing is marked; m in views 2 and 3 marks an observation";
}

static const char *
needs_plot(const struct state *s)
{
	const char *lacks = needs_observation(s);
	const struct geometry *geometry = s->answers.geometry;

	return lacks ? lacks
		: state_geometry(s) && geometry->n_pairs ? NULL
		: geometry && geometry->failed ? "there is no picture of this observation"
		: geometry && geometry->finding == s->view.selected
			? "a picture needs two counters, and this observation has fewer"
			: "the engine still computes the picture";
}

static const char *
needs_timeline(const struct state *s)
{
	return s->data.timeline ? NULL : "neither a network nor a stack is open; S opens one";
}

static const char *
needs_panes(const struct state *s)
{
	return view_row(s->view.current)->about == VIEW_ABOUT_SNAPSHOTS
		? needs_timeline(s) : NULL;
}

static const char *
needs_network(const struct state *s)
{
	return s->data.timeline && timeline_network(s->data.timeline) ? NULL : "no network is open; S opens one";
}

static const char *
needs_snapshot(const struct state *s)
{
	const char *lacks = needs_timeline(s);

	return lacks ? lacks
		: timeline_snapshots(s->data.timeline) ? NULL : "there is no snapshot yet; R runs a command";
}

static const char *
needs_analysis(const struct state *s)
{
	const char *lacks = needs_network(s);

	return lacks ? lacks
		: s->answers.timeline.analysis ? NULL : "there is no snapshot of the network yet; R runs a command";
}

static const char *
needs_queue(const struct state *s)
{
	const char *lacks = needs_analysis(s);

	return lacks ? lacks : state_queue(s) ? NULL : "no queue is listed here";
}

static const char *
needs_stack(const struct state *s)
{
	size_t n = 0;

	if (s->data.timeline)
		timeline_stacks(s->data.timeline, &n);
	return n ? NULL : "no stack is open, so there are no bars by method; S opens one";
}

static const char *
needs_bars(const struct state *s)
{
	const char *lacks = needs_timeline(s);

	return lacks ? lacks
		: state_count_bars(s, PANE_BARS) || state_count_bars(s, PANE_METHODS)
			? NULL : "there is no bar yet; R runs a command";
}

/* Amounts per second need a network's snapshot, and its length. */
static const char *
needs_length(const struct state *s)
{
	const char *lacks = needs_analysis(s);

	return lacks ? lacks
		: net_state_seconds(state_timeline_shown(s).analysis->state) > 0
			? NULL : "the data do not say how long this snapshot is";
}

static const char *
needs_tree(const struct state *s)
{
	return state_shows_tree(s) ? NULL : "these parts are no tree: nothing folds";
}

static const char *
needs_event(const struct state *s)
{
	return state_event(s) || state_catalogue_node(s)
		? NULL : "no event is listed: hecate trust PROGRAM=FILE… lists those of repeated runs";
}

static const char *
needs_catalogue(const struct state *s)
{
	return state_catalogue_node(s) ? NULL : "no event is listed: a shows all events of this machine";
}

static const char *
needs_probe(const struct state *s)
{
	return state_probe(s) ? NULL : "no probe is listed";
}

static const char *
needs_quantity(const struct state *s)
{
	return state_quantity(s) != SIZE_MAX ? NULL
		: s->data.contest ? "no run has ended yet, so there is no quantity" : "nothing is compared yet";
}

static const char *
needs_contest(const struct state *s)
{
	return !s->data.contest ? "nothing is compared yet: hecate diff -i 'A' 'B' does"
		: !s->data.contest->task ? "these runs were recorded; hecate diff -i 'A' 'B' measures" : NULL;
}

static const char *
needs_curve_machine(const struct state *s)
{
	return s->data.probes && s->data.probes->machine ? NULL : "there is no machine that probes could run on";
}

static const char *
needs_other_machine(const struct state *s)
{
	return s->data.probes && s->data.probes->other ? NULL
		: "there is no other machine to show beside this one; hecate probe --help says how to name one";
}

static const char *
needs_search_row(const struct state *s)
{
	size_t n;

	state_search_rows(s, &n);
	return n ? NULL : "no model has been judged yet; r runs a command, then a searches";
}

static const char *
needs_note(const struct state *s)
{
	return s->question.remarks.n ? NULL
		: "there are no notes yet; n writes one on what the cursor is on, N one on the session";
}

/* The data that the numbers of a view come from. */
static const char *
needs_numbers(const struct state *s)
{
	return s->view.current == VIEW_PATHS ? needs_analysis(s)
		: s->view.current == VIEW_STALLS ? needs_bars(s)
		: s->view.current == VIEW_QUEUES ? needs_queue(s)
		: s->view.current == VIEW_EVENTS ? needs_event(s)
		: s->view.current == VIEW_DIFF ? needs_quantity(s)
		: s->view.current == VIEW_PROBES ? needs_probe(s) : needs_observation(s);
}

/* The same; without data the texts of a model's counters remain. */
static const char *
needs_texts(const struct state *s)
{
	return s->question.model && view_row(s->view.current)->about == VIEW_ABOUT_MODEL ? NULL : needs_numbers(s);
}

static const char *
needs_proof(const struct state *s)
{
	return s->view.current == VIEW_CONSTRAINTS ? needs_constraint(s) : needs_observation(s);
}

static const char *
needs_nodes(const struct state *s)
{
	return state_pane(s) == PANE_CATALOGUE ? needs_catalogue(s) : needs_tree(s);
}

/* The subject of "fold all": the tree of the focused pane. */
static const char *
needs_folds(const struct state *s)
{
	return state_pane(s) == PANE_CATALOGUE ? needs_catalogue(s)
		: s->view.current == VIEW_STALLS ? state_zero_parts(s) ? NULL : needs_tree(s)
		: s->view.current == VIEW_PATHS ? needs_network(s)
		: state_pane(s) == PANE_SEARCH ? needs_search_row(s) : needs_outline(s);
}

/* What the keys [ ] step through. */
static const char *
needs_steps(const struct state *s)
{
	return s->view.current == VIEW_EVENTS ? needs_event(s)
		: s->view.current == VIEW_PROBES ? needs_probe(s) : needs_observations(s);
}

const char *
view_reason(const struct state *s, enum view v)
{
	if (v == VIEW_START || view_needs_nothing(v) || state_view_applies(s, v))
		return NULL;
	if (view_row(v)->about == VIEW_ABOUT_SNAPSHOTS && (s->question.model || s->data.timeline))
		return v == VIEW_STALLS ? "stalls are a network's or a stack's, and neither is open; S opens one"
			: v == VIEW_PATHS ? "paths are a network's, and none is open; S opens one"
					  : "queues are a network's, and none is open; S opens one";
	if (!s->data.timeline)
		return s->view.current == VIEW_START
			? "no model is open yet; choose one here" : "no model is open yet; S opens one";
	return view_row(v)->about != VIEW_ABOUT_MODEL ? NULL
		: timeline_network(s->data.timeline)
			? "no model is open, only a network; S opens one"
			: "no model is open, only a stack; S opens one";
}

static const char *
needs_lesson(const struct state *s)
{
	return s->lesson ? NULL : "no lesson is open; the start screen (S) lists them";
}

/* What an action needs. An action without a row can always be done, or its handler says why not. */
static const char *(*const needs[ACTION_COUNT])(const struct state *) = {
	[ACTION_lesson_next] = needs_lesson,
	[ACTION_lesson_back] = needs_lesson,
	[ACTION_lesson_answer] = needs_lesson,
	[ACTION_lesson_hint] = needs_lesson,
	[ACTION_lesson_show] = needs_lesson,
	[ACTION_lesson_fold] = needs_lesson,
	[ACTION_toggle] = needs_features,
	[ACTION_pin] = needs_choice,
	[ACTION_through] = needs_features,
	[ACTION_discover] = needs_features,
	[ACTION_eliminate] = needs_features,
	[ACTION_auto] = needs_features,
	[ACTION_to_model] = needs_search_row,
	[ACTION_witness] = needs_outline,
	[ACTION_fold] = needs_outline,
	[ACTION_fold_node] = needs_nodes,
	[ACTION_add_event] = needs_catalogue,
	[ACTION_fold_all] = needs_folds,
	[ACTION_variant] = needs_subject,
	[ACTION_relaxers] = needs_observation,
	[ACTION_details] = needs_constraint,
	[ACTION_show] = needs_constraint,
	[ACTION_lose] = needs_counters,
	[ACTION_jump] = needs_breach,
	[ACTION_samples] = needs_observation,
	[ACTION_whence] = needs_texts,
	[ACTION_whence_too] = needs_numbers,
	[ACTION_certificate] = needs_proof,
	[ACTION_mark] = needs_observation,
	[ACTION_unmark] = needs_mark,
	[ACTION_unfold] = needs_observations,
	[ACTION_compare] = needs_observations,
	[ACTION_repair] = needs_features,
	[ACTION_axis_left] = needs_plot,
	[ACTION_axis_right] = needs_plot,
	[ACTION_axis_up] = needs_plot,
	[ACTION_axis_down] = needs_plot,
	[ACTION_best_pair] = needs_plot,
	[ACTION_zoom] = needs_plot,
	[ACTION_boxes] = needs_plot,
	[ACTION_freeze] = needs_timeline,
	[ACTION_snapshot_back] = needs_snapshot,
	[ACTION_snapshot_next] = needs_snapshot,
	[ACTION_to_snapshot] = needs_snapshot,
	[ACTION_set_against] = needs_snapshot,
	[ACTION_node] = needs_analysis,
	[ACTION_place] = needs_analysis,
	[ACTION_flow] = needs_analysis,
	[ACTION_flow_next] = needs_analysis,
	[ACTION_flow_list] = needs_analysis,
	[ACTION_unfold_node] = needs_network,
	[ACTION_turn] = needs_network,
	[ACTION_formula] = needs_queue,
	[ACTION_component] = needs_bars,
	[ACTION_normalise] = needs_bars,
	[ACTION_group] = needs_bars,
	[ACTION_whole_run] = needs_snapshot,
	[ACTION_rates] = needs_length,
	[ACTION_ratios] = needs_analysis,
	[ACTION_bar_phases] = needs_snapshot,
	[ACTION_method] = needs_stack,
	[ACTION_truth] = needs_stack,
	[ACTION_event] = needs_event,
	[ACTION_quantity] = needs_quantity,
	[ACTION_measure] = needs_contest,
	[ACTION_spread_range] = needs_quantity,
	[ACTION_probe_run] = needs_probe,
	[ACTION_probe_all] = needs_curve_machine,
	[ACTION_probe_axis] = needs_probe,
	[ACTION_probe_beside] = needs_other_machine,
	[ACTION_run] = needs_subject,
	[ACTION_command] = needs_subject,
	[ACTION_notes] = needs_note,
	[ACTION_edit] = needs_own_model,
	[ACTION_undo] = state_undo_reason,
	[ACTION_redo] = state_redo_reason,
	[ACTION_pane_next] = needs_panes,
	[ACTION_pane_back] = needs_panes,
	[ACTION_observe_next] = needs_steps,
	[ACTION_observe_back] = needs_steps,
};

/* The only popup that a key of popups is for. */
static const enum popup popups[ACTION_COUNT] = {
	[ACTION_note_edit] = POPUP_NOTES,
	[ACTION_note_delete] = POPUP_NOTES,
	[ACTION_column_hide] = POPUP_COLUMNS,
	[ACTION_column_left] = POPUP_COLUMNS,
	[ACTION_column_right] = POPUP_COLUMNS,
	[ACTION_column_reset] = POPUP_COLUMNS,
	[ACTION_write_screen] = POPUP_WRITE,
	[ACTION_write_report] = POPUP_WRITE,
	[ACTION_write_page] = POPUP_WRITE,
	[ACTION_write_session] = POPUP_WRITE,
	[ACTION_write_map] = POPUP_SLICES,
};

/* The view that an action shows; VIEW_START: none. */
static const enum view views[ACTION_COUNT] = {
#define VIEW(id, name, key, tab, brief, about, help) [ACTION_##name] = VIEW_##id,
#define VIEW_END(id)
#define PANE(id, name, ops, draw)
#include "explorer/state/panes.def"
#undef VIEW
#undef VIEW_END
#undef PANE
};

const char *
action_reason(const struct state *s, enum action a)
{
	if (popups[a] && popups[a] != s->view.popup.kind)
		return "this key does nothing in this window; Esc closes it";
	return needs[a] ? needs[a](s) : view_reason(s, views[a]);
}
