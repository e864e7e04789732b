/* The handlers of actions, one row per action. Work outside the state is queued as a request. */
#include "core/udd/alternatives.h"
#include "explorer/state/lesson_play.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "explorer/state/state_catalogue.h"
#include "explorer/state/state_columns.h"
#include "explorer/state/state_cursor.h"
#include "explorer/state/state_diff.h"
#include "explorer/state/state_events.h"
#include "explorer/state/state_follow.h"
#include "explorer/state/state_geometry.h"
#include "explorer/state/state_instructions.h"
#include "explorer/state/state_intervals.h"
#include "explorer/state/state_leave.h"
#include "explorer/state/state_lists.h"
#include "explorer/state/state_nodes.h"
#include "explorer/state/state_notes.h"
#include "explorer/state/state_palette.h"
#include "explorer/state/state_phases.h"
#include "explorer/state/state_probes.h"
#include "explorer/state/state_reason.h"
#include "explorer/state/state_relax.h"
#include "explorer/state/state_rows.h"
#include "explorer/state/state_search.h"
#include "explorer/state/state_sim.h"
#include "explorer/state/state_stalls.h"
#include "explorer/state/state_start.h"
#include "explorer/state/state_timeline.h"
#include "explorer/state/state_tree.h"
#include "explorer/state/state_undo.h"
#include "explorer/state/state_views.h"
#include "explorer/state/undo_steps.h"

/* One of the two is set; none: the action does nothing. */
struct handler {
	void (*act)(struct state *);
	void (*with)(struct state *, int what);
	int what;
};

static void
state_act_search(struct state *s, int task)
{
	state_ask_search(s, (enum search_task)task);
}

static void
start_with(struct state *s, int item)
{
	state_start_item(s, (enum start_item)item);
}

static void
show_view(struct state *s, int view)
{
	if (view == VIEW_GEOMETRY)
		state_show_geometry(s);
	else if (view == VIEW_DIFF)
		state_show_diff(s);
	else
		state_show_view(s, (enum view)view);
}

static void
open_popup(struct state *s, int popup)
{
	state_open_popup(s, (enum popup)popup);
}

static void
write_item(struct state *s, int item)
{
	state_write_item(s, (enum write_item)item);
}

static void
act_on_plot(struct state *s, int action)
{
	state_plot_act(s, (enum action)action);
}

static void
act_on_timeline(struct state *s, int action)
{
	if (!state_timeline_act(s, (enum action)action))
		state_say(s, false, "no network and no stack is open");
}

static void
open_source_of(struct state *state)
{
	if (state->view.current == VIEW_STALLS && state_node(state) != SIZE_MAX)
		state_open_about(state, POPUP_NUMBERS, state_bar(state) != NULL);
	else if (view_row(state->view.current)->about == VIEW_ABOUT_SNAPSHOTS)
		state_timeline_act(state,
			state->view.current == VIEW_PATHS ? ACTION_node
				: state->view.current == VIEW_STALLS ? ACTION_component : ACTION_formula);
	else if (state->view.current == VIEW_EVENTS &&
		(state_pane(state) == PANE_CATALOGUE || state_catalogue_page(state)))
		state_open_catalogue(state);
	else if (state->view.current == VIEW_EVENTS)
		state_open_about(state, POPUP_EVENT, state_event(state) != NULL);
	else if (state->view.current == VIEW_PROBES)
		state_open_probe(state);
	else if (state->view.current == VIEW_DIFF)
		state_open_about(state, POPUP_QUANTITY, state_quantity(state) != SIZE_MAX);
	else if (state_finding(state) || state->question.model)
		state_open_popup(state, POPUP_WHENCE);
}

static void
fold_node(struct state *s)
{
	if (state_pane(s) == PANE_CATALOGUE)
		state_fold_catalogue(s, 0);
	else
		state_fold_node(s, 0);
}

/* Key n: a note, or the next match while a text is searched. */
static void
find_next_or_note(struct state *s)
{
	if (s->view.find && *s->view.find && view_row(s->view.current)->about != VIEW_ABOUT_SNAPSHOTS)
		state_find_next(s);
	else
		state_note(s);
}

static void
ask_for_text(struct state *s)
{
	state_open_prompt(s, PROMPT_FIND, "");
	state_prompt_begin(s);
}

static void
ask_for_filter(struct state *s)
{
	state_open_prompt(s, PROMPT_FILTER, s->view.filter[s->view.current] ? s->view.filter[s->view.current] : "");
	state_prompt_begin(s);
}

static void
take_feature(struct state *s)
{
	if (udd_has_alternatives(s->question.model))
		state_toggle(s);
	else
		state_take_proposal(s);
}

static void
show_constraint(struct state *s)
{
	state_open_about(s, POPUP_CONSTRAINT, state_constraint(s) != NULL);
}

static void
show_certificate(struct state *s)
{
	state_open_about(s, POPUP_CERTIFICATE,
		s->view.current == VIEW_CONSTRAINTS ? state_constraint(s) != NULL : state_finding(s) != NULL);
}

static void
show_loss(struct state *s)
{
	state_open_about(s, POPUP_LOSS, s->answers.result && s->answers.result->n_constraints);
}

static void
show_observation(struct state *s)
{
	state_open_about(s, POPUP_OBSERVATION, state_finding(s) != NULL);
}

static void
want_edit(struct state *s)
{
	state_request(s, REQUEST_EDIT);
}

static void
want_redraw(struct state *s)
{
	state_request(s, REQUEST_REDRAW);
}

/* One for each row of action.def. */
static const struct handler do_none = {0};

/* The start screen. */
static const struct handler
	do_open = {.act = state_start_open},
	do_demo = {.with = start_with, .what = START_DEMO},
	do_recorded = {.with = start_with, .what = START_RECORDED},
	do_watch_paths = {.with = start_with, .what = START_PATHS},
	do_watch_tasks = {.with = start_with, .what = START_TASKS},
	do_watch_simulated = {.with = start_with, .what = START_SIMULATED},
	do_watch_core = {.with = start_with, .what = START_CYCLES},
	do_probe_here = {.with = start_with, .what = START_PROBES},
	do_watch_trust = {.with = start_with, .what = START_TRUST},
	do_haswell = {.with = start_with, .what = START_HASWELL},
	do_lessons = {.with = start_with, .what = START_LESSONS},
	do_open_file = {.with = start_with, .what = START_OPEN};

/* View 1: the model, and the search over its features. */
static const struct handler
	do_toggle = {.act = state_toggle},
	do_through = {.act = state_ask_flow},
	do_witness = {.act = state_ask_witness},
	do_variant = {.act = state_offer_variants},
	do_relaxers = {.act = state_open_why},
	do_take = {.act = take_feature},
	do_to_model = {.act = state_to_model},
	do_discover = {.with = state_act_search, .what = SEARCH_DISCOVER},
	do_eliminate = {.with = state_act_search, .what = SEARCH_ELIMINATE},
	do_auto = {.with = state_act_search, .what = SEARCH_AUTO},
	do_pin = {.act = state_pin};

/* Views 2 and 3: constraints and observations. */
static const struct handler
	do_details = {.act = show_constraint},
	do_certificate = {.act = show_certificate},
	do_lose = {.act = show_loss},
	do_samples = {.act = show_observation},
	do_whence = {.act = open_source_of},
	do_whence_too = {.act = open_source_of},
	do_jump = {.act = state_jump_from_constraint},
	do_compare = {.act = state_compare},
	do_mark = {.act = state_mark},
	do_unmark = {.act = state_unmark},
	do_unfold = {.act = state_unfold_phases},
	do_observe_next = {.with = state_step_observation, .what = 1},
	do_observe_back = {.with = state_step_observation, .what = -1};

/* View 4: the geometry. */
static const struct handler
	do_show = {.act = state_show_constraint},
	do_repair = {.act = state_act_repair},
	do_axis_left = {.with = act_on_plot, .what = ACTION_axis_left},
	do_axis_right = {.with = act_on_plot, .what = ACTION_axis_right},
	do_axis_up = {.with = act_on_plot, .what = ACTION_axis_up},
	do_axis_down = {.with = act_on_plot, .what = ACTION_axis_down},
	do_best_pair = {.with = act_on_plot, .what = ACTION_best_pair},
	do_zoom = {.with = act_on_plot, .what = ACTION_zoom},
	do_boxes = {.with = act_on_plot, .what = ACTION_boxes};

/* Views 5 to 7: paths, stalls, queues. */
static const struct handler
	do_freeze = {.with = act_on_timeline, .what = ACTION_freeze},
	do_snapshot_back = {.with = act_on_timeline, .what = ACTION_snapshot_back},
	do_snapshot_next = {.with = act_on_timeline, .what = ACTION_snapshot_next},
	do_to_snapshot = {.with = act_on_timeline, .what = ACTION_to_snapshot},
	do_set_against = {.with = act_on_timeline, .what = ACTION_set_against},
	do_node = {.with = act_on_timeline, .what = ACTION_node},
	do_place = {.with = act_on_timeline, .what = ACTION_place},
	do_unfold_node = {.with = act_on_timeline, .what = ACTION_unfold_node},
	do_flow = {.with = act_on_timeline, .what = ACTION_flow},
	do_flow_next = {.with = act_on_timeline, .what = ACTION_flow_next},
	do_flow_list = {.with = act_on_timeline, .what = ACTION_flow_list},
	do_turn = {.with = act_on_timeline, .what = ACTION_turn},
	do_component = {.with = act_on_timeline, .what = ACTION_component},
	do_normalise = {.with = act_on_timeline, .what = ACTION_normalise},
	do_method = {.with = act_on_timeline, .what = ACTION_method},
	do_truth = {.with = act_on_timeline, .what = ACTION_truth},
	do_bar_phases = {.with = act_on_timeline, .what = ACTION_bar_phases},
	do_group = {.with = act_on_timeline, .what = ACTION_group},
	do_whole_run = {.with = act_on_timeline, .what = ACTION_whole_run},
	do_ratios = {.with = act_on_timeline, .what = ACTION_ratios},
	do_rates = {.with = act_on_timeline, .what = ACTION_rates},
	do_formula = {.with = act_on_timeline, .what = ACTION_formula};

/* View 0: the events. */
static const struct handler
	do_event = {.act = open_source_of},
	do_all_events = {.act = state_show_catalogue},
	do_add_event = {.act = state_add_event};

/* View 8: the phases. */
static const struct handler
	do_phase_hold = {.act = state_phases_hold},
	do_phase_run = {.act = state_phases_next_run};

/* View 9: the probes. */
static const struct handler
	do_probe_run = {.with = state_run_probe, .what = false},
	do_probe_all = {.with = state_run_probe, .what = true},
	do_probe_beside = {.act = state_probe_beside},
	do_probe_axis = {.act = state_probe_axis},
	do_slices = {.act = state_open_slices};

/* The view of A and B. */
static const struct handler
	do_quantity = {.act = open_source_of},
	do_measure = {.act = state_contest_turn},
	do_spread_range = {.act = state_diff_outliers};

/* A lesson. */
static const struct handler
	do_lesson_next = {.with = state_lesson_go, .what = 1},
	do_lesson_back = {.with = state_lesson_go, .what = -1},
	do_lesson_answer = {.act = state_lesson_ask},
	do_lesson_hint = {.act = state_lesson_hint},
	do_lesson_show = {.act = state_lesson_show},
	do_lesson_fold = {.act = state_lesson_fold};

/* Lists of several views. */
static const struct handler
	do_sort = {.act = state_sort},
	do_filter = {.act = ask_for_filter},
	do_columns = {.act = state_open_columns},
	do_column_hide = {.act = state_hide_column},
	do_column_left = {.with = state_move_column, .what = -1},
	do_column_right = {.with = state_move_column, .what = 1},
	do_column_reset = {.act = state_reset_columns},
	do_find = {.act = ask_for_text},
	do_find_next = {.act = find_next_or_note},
	do_fold = {.with = state_fold, .what = 0},
	do_fold_node = {.act = fold_node},
	do_fold_all = {.act = state_unfold_all};

/* Notes. */
static const struct handler
	do_note_session = {.act = state_note_on_all},
	do_notes = {.act = state_list_notes},
	do_note_edit = {.act = state_edit_note},
	do_note_delete = {.act = state_delete_note};

/* The command. */
static const struct handler
	do_run = {.act = state_run_command},
	do_command = {.act = state_ask_for_command},
	do_palette = {.act = state_open_palette},
	do_simulated = {.act = state_sim_open},
	do_intervals = {.act = state_intervals_open},
	do_instructions = {.act = state_instructions_open},
	do_output = {.with = open_popup, .what = POPUP_OUTPUT};

/* The cursor. */
static const struct handler
	do_pane_next = {.with = state_next_pane, .what = 1},
	do_pane_back = {.with = state_next_pane, .what = -1},
	do_up = {.with = state_move, .what = -1},
	do_down = {.with = state_move, .what = 1},
	do_left = {.with = state_move_aside, .what = -1},
	do_right = {.with = state_move_aside, .what = 1},
	do_page_up = {.with = state_turn_page, .what = -1},
	do_page_down = {.with = state_turn_page, .what = 1},
	do_first = {.with = state_move, .what = -CURSOR_ALL},
	do_last = {.with = state_move, .what = CURSOR_ALL};

/* Which view. */
#define VIEW(id, name, key, tab, brief, about, help) \
	static const struct handler do_##name = {.with = show_view, .what = VIEW_##id};
#define VIEW_END(id)
#define PANE(id, name, ops, draw)
#include "explorer/state/panes.def"
#undef VIEW
#undef VIEW_END
#undef PANE
static const struct handler do_start = {.act = state_go_to_start};

/* The program. */
static const struct handler
	do_doctor = {.with = open_popup, .what = POPUP_DOCTOR},
	do_help = {.with = open_popup, .what = POPUP_HELP},
	do_write = {.with = open_popup, .what = POPUP_WRITE},
	do_write_screen = {.with = write_item, .what = WRITE_SCREEN},
	do_write_map = {.act = state_write_slices},
	do_write_report = {.with = write_item, .what = WRITE_REPORT},
	do_write_page = {.with = write_item, .what = WRITE_PAGE},
	do_write_session = {.with = write_item, .what = WRITE_SESSION},
	do_theme = {.act = state_offer_themes},
	do_redraw = {.act = want_redraw},
	do_back = {.act = state_back},
	do_stop = {.act = state_stop},
	do_edit = {.act = want_edit},
	do_undo = {.act = state_undo},
	do_redo = {.act = state_redo},
	do_quit = {.act = state_quit};

static const struct handler *const handlers[ACTION_COUNT] = {
	[ACTION_none] = &do_none,
#define ACTION(id, name, keys, scopes, help) [ACTION_##id] = &do_##id,
#include "explorer/state/action.def"
#undef ACTION
};

void
state_act(struct state *s, enum action a)
{
	const struct handler *d = handlers[a];
	const char *lacks = action_reason(s, a);
	struct cursors before = state_cursors(s);
	bool moves = d->with == state_move || d->with == state_turn_page || d->with == state_move_aside;

	state_undo_begin(s);
	s->shown->things.moved = moves ? s->view.frame.now : 0;
	if (lacks)
		state_say(s, false, "%s", lacks);
	else if (d->act)
		d->act(s);
	else if (d->with)
		d->with(s, d->what);
	state_want_moved(s, &before);
	if (!lacks)
		state_lesson_used(s, a);
	state_lesson_look(s);
	state_follow(s);
	state_seen(s);
	state_undo_end(s);
	state_check(s);
}
