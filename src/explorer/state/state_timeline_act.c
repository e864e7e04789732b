/* Keys and clicks in views 5 to 7. */
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/network/layout.h"
#include "core/network/path_map.h"
#include "core/network/queues.h"
#include "core/network/state.h"
#include "core/stack/stack.h"
#include "explorer/state/pane.h"
#include "explorer/state/screen_layout.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "explorer/state/state_flows.h"
#include "explorer/state/state_nodes.h"
#include "explorer/state/state_paths.h"
#include "explorer/state/state_queues.h"
#include "explorer/state/state_stalls.h"
#include "explorer/state/state_timeline.h"
#include "explorer/state/state_timeline_due.h"
#include "work/timeline/timeline.h"
#include "work/timeline/timeline_ratios.h"
#include "work/timeline/timeline_names.h"

void
state_timeline_choose_node(struct state *s, size_t module, size_t owner, size_t kind)
{
	s->view.timeline.kind = kind;
	state_paths_choose(s, module, owner);
}

void
state_timeline_choose_queue(struct state *s, size_t module, size_t owner, size_t kind)
{
	if (!s->answers.timeline.history)
		return;
	s->view.timeline.chose_queue = true;
	s->view.timeline.queue_cell = timeline_cell(s->answers.timeline.history, module, owner, kind);
	state_follow_queue(s);
}

static void
state_timeline_act_step(struct state *state, int by)
{
	struct timeline_view *view = &state->view.timeline;
	size_t n = state->data.timeline ? timeline_snapshots(state->data.timeline) : 0;

	if (!n) {
		state_say(state, false, "there is no snapshot yet");
	} else if (by < 0 && view->snapshot == 0) {
		state_say(state, false, "this is the first snapshot");
	} else if (by > 0 && view->snapshot + 1 >= n) {
		view->frozen = false;
		state_say(state, false, "this is the last snapshot%s",
			state_running(state) ? "; the view follows again" : "");
	} else {
		view->frozen = true;
		view->whole = false;
		state_timeline_show_snapshot(state, view->snapshot + (by < 0 ? (size_t)-1 : 1));
	}
}

static void
freeze(struct state *s)
{
	struct timeline_view *v = &s->view.timeline;

	v->frozen = !v->frozen;
	if (v->frozen && v->whole) { /* it stays at one snapshot */
		v->whole = false;
		state_timeline_make_due(s, DUE_ALL);
	}
	state_say(s, false,
		v->frozen ? "frozen: new snapshots are kept, and [ ] walk through them"
			  : "the newest snapshot is shown");
	if (!v->frozen && timeline_snapshots(s->data.timeline))
		state_timeline_show_snapshot(s, timeline_snapshots(s->data.timeline) - 1);
}

/* Compares other snapshots with this one from now on; on that snapshot itself, ends the comparison. */
static void
set_against(struct state *state)
{
	struct timeline_view *view = &state->view.timeline;

	if (!timeline_snapshots(state->data.timeline)) {
		state_say(state, false, "there is no snapshot yet");
		return;
	}
	if (view->compared == TIMELINE_NONE) {
		state_timeline_compare(state, view->snapshot);
		view->frozen = true;
		if (view->whole) {
			view->whole = false;
			state_timeline_make_due(state, DUE_ALL);
		}
		state_say(state, false, "snapshot %zu is compared with those that [ ] show; c ends it",
			timeline_snapshot(state->data.timeline, view->snapshot).number);
	} else {
		state_timeline_compare(state, TIMELINE_NONE);
		state_say(state, false, "the comparison has ended");
	}
	state_timeline_make_due(state, DUE_BARS | DUE_PATHS);
}

/* Compares the run that is shown with that of the marked snapshot, else with the first other one. */
static void
compare_runs(struct state *state)
{
	const struct timeline *timeline = state->data.timeline;
	struct timeline_answers *answers = &state->answers.timeline;
	size_t shown = state->view.timeline.snapshot, other = state->view.timeline.compared;

	if (other >= timeline_snapshots(timeline) || other == shown)
		other = timeline_other_run(timeline, shown);
	if (other == TIMELINE_NONE) {
		state_say(state, false, "there is one run: c marks a snapshot, [ ] show another to compare with it");
		return;
	}
	timeline_ratios_free(answers->ratios);
	answers->ratios = timeline_ratios_new(timeline, other, shown);
	state_open_about(state, POPUP_RATIOS, answers->ratios != NULL);
}

/* Brings the next method to the foreground. The cursor stays on its bar, wherever that method sorts it. */
static void
next_method(struct state *state)
{
	enum pane_id pane = state_shows_methods(state) ? PANE_METHODS : PANE_BARS;
	const struct timeline_bar *bar = state_bar(state);
	size_t at = bar ? bar->at : 0, n, next;
	const size_t *order;

	timeline_stacks(state->data.timeline, &n);
	if (n < 2) {
		state_say(state, false,
			n ? "this is the only method of accounting; hecate STACK,STACK DATA opens several"
			  : "no method of accounting is open");
		return;
	}
	next = (timeline_chosen(state->data.timeline) + 1) % n;
	if (state->view.timeline.hides_truth && next == state_truth(state))
		next = (next + 1) % n;
	state_timeline_choose_method(state, next);
	order = state_bars(state, &n);
	for (size_t i = 0; bar && i < n; i++)
		if (order[i] != BAR_SLEEPERS && state->answers.timeline.bars->bar[order[i]].at == at)
			state->view.cursor[pane] = (int)i;
	state_say(state, false, "%s", timeline_stack(state->data.timeline)->name);
}

/* Hides or shows the reference and the errors against it. A hidden one is not in the foreground. */
static void
toggle_truth(struct state *state)
{
	struct timeline_view *view = &state->view.timeline;
	size_t truth = state_truth(state), n = 0;

	if (state->data.timeline)
		timeline_stacks(state->data.timeline, &n);
	if (!state_has_truth(state)) {
		state_say(state, false, n > 1 ? "no stack here is a reference; one with the item 'reference;' would be"
					  : "there is nothing to compare: one method or none is open");
		return;
	}
	view->hides_truth = !view->hides_truth;
	if (view->hides_truth && timeline_chosen(state->data.timeline) == truth)
		next_method(state);
	state_say(state, false, view->hides_truth ? "%s is hidden" : "%s is the reference",
		timeline_stacks(state->data.timeline, &n)[truth]->name);
}

static void
split_phases(struct state *state)
{
	size_t several;

	if (state->question.how.split_phases) {
		state->question.how.split_phases = false;
		state_say(state, false, "one bar for each run again");
	} else if ((several = timeline_split(state->data.timeline, true)) > 0) {
		state->question.how.split_phases = state->view.timeline.whole = true;
		state->view.timeline.grouped = false;
		state_say(state, false, "%zu observation%s changed %s level: a bar for each phase, over the whole run",
			several, plural_s(several), several == 1 ? "its" : "their");
	} else {
		state_say(state, false, "no bar has phases: no count of a stack changes its level during a run");
	}
	state_timeline_make_due(state, DUE_BARS);
}

/* The number of a module's owners that are shown apart: boxes, and lines in a box of several. */
static size_t
count_apart(const struct state *s, size_t module)
{
	struct net_layout *l = state_paths_layout(s, s->layout->network_w, s->layout->network_h);
	size_t n = 0;

	for (size_t b = 0; l && b < l->n_boxes; b++)
		for (size_t m = 0; m < l->box[b].n_modules; m++)
			if (l->box[b].module[m] == module)
				n += l->box[b].listed ? l->box[b].n_owners : 1;
	net_layout_free(l);
	return n;
}

/* Unfolds or folds the node's owners. If nothing changes, it says why. */
static void
unfold_node(struct state *state)
{
	struct timeline_view *v = &state->view.timeline;
	const struct net_module *module = &timeline_network(state->data.timeline)->module[v->module];
	size_t owners = state->answers.timeline.analysis
		? net_state_owners(state->answers.timeline.analysis->state, v->module) : 1,
	       before = count_apart(state, v->module), after;

	if (owners < 2) {
		state_say(state, false, "there is one %s here, so nothing to unfold", module->name);
		return;
	}
	v->unfolded[v->module] = !v->unfolded[v->module];
	after = count_apart(state, v->module);
	if (!v->unfolded[v->module])
		state_say(state, false, "%s: shown as one again where space is short", module->name);
	else if (after == before)
		state_say(state, false, "%s: the %zu are already shown one by one", module->name, owners);
	else
		state_say(state, false, "%s: %zu of %zu shown one by one", module->name, after, owners);
}

/* The place in this row of the path map; NULL: none. */
static const struct net_map_row *
place_at(const struct state *state, int row)
{
	size_t n, folded, *place = state_paths_places(state, &n, &folded);
	const struct net_map_row *at = row >= 0 && (size_t)row < n
		? &state_timeline_shown(state).analysis->map->row[place[row]] : NULL;

	free(place);
	return at;
}

bool
state_timeline_act(struct state *state, enum action a)
{
	struct timeline_view *view = &state->view.timeline;

	if (!state->data.timeline)
		return false;
	state_timeline_show(state);
	if (a == ACTION_freeze)
		freeze(state);
	else if (a == ACTION_snapshot_back || a == ACTION_snapshot_next)
		state_timeline_act_step(state, a == ACTION_snapshot_back ? -1 : 1);
	else if (a == ACTION_set_against)
		set_against(state);
	else if (a == ACTION_flow)
		state_flows_take_row(state);
	else if (a == ACTION_flow_next)
		state_flows_next(state);
	else if (a == ACTION_flow_list)
		state_flows_to_list(state);
	else if (a == ACTION_turn)
		view->turned = !view->turned;
	else if (a == ACTION_unfold_node && view->unfolded)
		unfold_node(state);
	else if (a == ACTION_method)
		next_method(state);
	else if (a == ACTION_truth)
		toggle_truth(state);
	else if (a == ACTION_bar_phases)
		split_phases(state);
	else if (a == ACTION_ratios)
		compare_runs(state);
	else if (a == ACTION_rates)
		view->rates = !view->rates;
	else if (a == ACTION_normalise)
		view->normalised = !view->normalised;
	else if (a == ACTION_node)
		state_open_about(state, POPUP_NODE, state->answers.timeline.analysis != NULL);
	else if (a == ACTION_component && state_node(state) != SIZE_MAX)
		state_open_about(state, POPUP_ADVICE, state_bar(state) != NULL);
	else if (a == ACTION_component && state_pane(state) == PANE_BARS && state_on_sleepers(state))
		view->sleepers = !view->sleepers;
	else if (a == ACTION_component)
		state_open_about(state, POPUP_BAR,
			state_count_bars(state, state_pane(state) == PANE_METHODS ? PANE_METHODS : PANE_BARS) > 0);
	else if (a == ACTION_formula)
		state_open_about(state, POPUP_QUEUE, state_queue(state) != NULL);
	else if (a == ACTION_group || a == ACTION_whole_run) {
		view->grouped ^= a == ACTION_group;
		view->whole ^= a == ACTION_whole_run;
		view->frozen &= a != ACTION_whole_run; /* the whole run grows; after it, the same snapshot is shown */
		view->whole_by_end &= a != ACTION_whole_run;
		if (a == ACTION_whole_run && timeline_snapshots(state->data.timeline) == 1)
			state_say(state, false, "there is one snapshot, and it is the whole run");
		state_timeline_make_due(state, a == ACTION_whole_run ? DUE_ALL : DUE_BARS);
	} else if (a == ACTION_to_snapshot &&
		(size_t)state->view.cursor[PANE_SNAPSHOTS] < timeline_snapshots(state->data.timeline)) {
		if (view->frozen && view->snapshot == (size_t)state->view.cursor[PANE_SNAPSHOTS])
			state_say(state, false, "this snapshot is shown; Space shows the newest again");
		view->frozen = true;
		view->whole = false;
		state_timeline_show_snapshot(state, (size_t)state->view.cursor[PANE_SNAPSHOTS]);
	} else if (a == ACTION_place && place_at(state, state->view.cursor[PANE_PATH_MAP])) {
		size_t module = place_at(state, state->view.cursor[PANE_PATH_MAP])->module;

		if (view->module == module)
			state_say(state, false, "the cursor of the picture is on %s already",
				timeline_network(state->data.timeline)->module[module].name);
		state_paths_choose(state, module, SIZE_MAX);
	} else {
		return false;
	}
	return true;
}

/* --- panes ------------------------------------------------------------------------------------------------------- */

static void
choose_module(struct state *s, enum pane_id pane, int row)
{
	(void)pane;
	if (row >= 0 && s->data.timeline)
		state_paths_choose(s, (size_t)row >> PATHS_OWNER_BITS, (size_t)row & ((1u << PATHS_OWNER_BITS) - 1));
}

/* The module of the node, place or queue under the cursor. */
static bool
note_on_module(const struct state *state, enum pane_id pane, enum remark_on *on, char **what)
{
	const struct network *network = timeline_network(state->data.timeline);
	const struct net_queue *queue = state->view.current == VIEW_QUEUES ? state_queue(state) : NULL;
	const struct net_map_row *place = place_at(state, state->view.cursor[PANE_PATH_MAP]);
	size_t module = queue ? queue->module : state->view.timeline.module;

	if (pane == PANE_PATH_MAP && place)
		module = place->module;
	*on = REMARK_MODULE;
	*what = network && (queue || state->view.current != VIEW_QUEUES) ? mem_str(network->module[module].name) : NULL;
	return *what != NULL;
}

/* The snapshot in the list, or the one that is shown. */
static bool
note_on_snapshot(const struct state *state, enum pane_id pane, enum remark_on *on, char **what)
{
	size_t at = pane == PANE_SNAPSHOTS ? (size_t)state->view.cursor[PANE_SNAPSHOTS] : state->view.timeline.snapshot;
	struct str key = {0};

	*on = REMARK_SNAPSHOT;
	*what = NULL;
	if (at >= timeline_snapshots(state->data.timeline))
		return false;
	timeline_snapshot_key(state->data.timeline, at, &key);
	*what = str_take(&key);
	return true;
}

const struct pane_ops state_pane_network = {.choose = choose_module, .note = note_on_module};
const struct pane_ops state_pane_about_module = {.note = note_on_module};
const struct pane_ops state_pane_about_snapshot = {.note = note_on_snapshot};

static int
path_map_length(const struct state *s)
{
	size_t n, folded;

	free(state_paths_places(s, &n, &folded));
	return (int)n;
}

static uint64_t
place_thing(const struct state *s, enum pane_id pane, size_t row)
{
	const struct net_map_row *r = place_at(s, (int)row);

	(void)pane;
	return r ? thing_number(thing_text(0, r->place ? r->place : ""), r->module) : 0;
}

const struct pane_ops state_pane_path_map = {
	.length = path_map_length, .thing = place_thing, .note = note_on_module};

static int
snapshots_length(const struct state *s)
{
	return s->data.timeline ? (int)timeline_snapshots(s->data.timeline) : 0;
}

static uint64_t
snapshot_thing(const struct state *s, enum pane_id pane, size_t row)
{
	struct timeline_snapshot m;

	(void)pane;
	if (row >= (size_t)snapshots_length(s))
		return 0;
	m = timeline_snapshot(s->data.timeline, row);
	return thing_number(thing_text(0, m.name ? m.name : ""), (uint64_t)(m.end * 1e6));
}

const struct pane_ops state_pane_snapshots = {
	.length = snapshots_length, .thing = snapshot_thing, .note = note_on_snapshot};
const struct pane_ops state_pane_flows = {
	.length = state_flows_rows, .thing = state_flow_thing, .note = note_on_module};

static int
bars_length(const struct state *s)
{
	return state_count_bars(s, PANE_BARS);
}

const struct pane_ops state_pane_bars = {.length = bars_length, .thing = state_bar_thing};

static int
methods_length(const struct state *s)
{
	return state_count_bars(s, PANE_METHODS);
}

const struct pane_ops state_pane_methods = {.length = methods_length, .thing = state_bar_thing};
const struct pane_ops state_pane_components = {
	.length = state_count_components, .thing = state_component_thing};

static int
queues_length(const struct state *s)
{
	return (int)state_count_shown(s, &shown_queues);
}

static void
choose_queue(struct state *s, enum pane_id pane, int row)
{
	(void)pane;
	state_choose_queue(s, row);
}

static uint64_t
listed_queue_thing(const struct state *s, enum pane_id pane, size_t row)
{
	(void)pane;
	return state_shown_thing(s, &shown_queues, row);
}

const struct pane_ops state_pane_queues = {
	.length = queues_length, .choose = choose_queue, .thing = listed_queue_thing, .note = note_on_module};
