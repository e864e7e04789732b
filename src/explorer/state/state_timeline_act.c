/* Keys and clicks in views 5 to 7. */
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
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
state_timeline_act_step(struct state *s, int by)
{
	struct timeline_view *v = &s->view.timeline;
	size_t n = s->data.timeline ? timeline_snapshots(s->data.timeline) : 0;

	if (!n) {
		state_say(s, false, "there is no snapshot yet");
	} else if (by < 0 && v->snapshot == 0) {
		state_say(s, false, "this is the first snapshot");
	} else if (by > 0 && v->snapshot + 1 >= n) {
		v->frozen = false;
		state_say(s, false, "this is the last snapshot%s", state_running(s) ? "; the view follows again" : "");
	} else {
		v->frozen = true;
		v->whole = false;
		state_timeline_show_snapshot(s, v->snapshot + (by < 0 ? (size_t)-1 : 1));
	}
}

static void
freeze(struct state *s)
{
	struct timeline_view *v = &s->view.timeline;

	v->frozen = !v->frozen;
	state_say(s, false,
		v->frozen ? "frozen: new snapshots are kept, and [ ] walk through them"
			  : "the newest snapshot is shown");
	if (!v->frozen && timeline_snapshots(s->data.timeline))
		state_timeline_show_snapshot(s, timeline_snapshots(s->data.timeline) - 1);
}

/* Compares other snapshots with this one from now on; on that snapshot itself, ends the comparison. */
static void
set_against(struct state *s)
{
	struct timeline_view *v = &s->view.timeline;

	if (!timeline_snapshots(s->data.timeline)) {
		state_say(s, false, "there is no snapshot yet");
		return;
	}
	if (v->compared == TIMELINE_NONE) {
		state_timeline_compare(s, v->snapshot);
		v->frozen = true;
		state_say(s, false, "snapshot %zu is compared with those that [ ] show; c ends it",
			timeline_snapshot(s->data.timeline, v->snapshot).number);
	} else {
		state_timeline_compare(s, TIMELINE_NONE);
		state_say(s, false, "the comparison has ended");
	}
	state_timeline_make_due(s, DUE_BARS | DUE_PATHS);
}

/* Brings the next method to the foreground. The cursor stays on its bar, wherever that method sorts it. */
static void
next_method(struct state *s)
{
	enum pane_id pane = state_shows_methods(s) ? PANE_METHODS : PANE_BARS;
	const struct timeline_bar *bar = state_bar(s);
	size_t at = bar ? bar->at : 0, n, next;
	const size_t *order;

	timeline_stacks(s->data.timeline, &n);
	if (n < 2) {
		state_say(s, false,
			n ? "this is the only method of accounting; hecate STACK,STACK DATA opens several"
			  : "no method of accounting is open");
		return;
	}
	next = (timeline_chosen(s->data.timeline) + 1) % n;
	if (s->view.timeline.hides_truth && next == state_truth(s))
		next = (next + 1) % n;
	state_timeline_choose_method(s, next);
	order = state_bars(s, &n);
	for (size_t i = 0; bar && i < n; i++)
		if (s->answers.timeline.bars->bar[order[i]].at == at)
			s->view.cursor[pane] = (int)i;
	state_say(s, false, "%s", timeline_stack(s->data.timeline)->name);
}

/* Hides or shows the reference and the errors against it. A hidden one is not in the foreground. */
static void
toggle_truth(struct state *s)
{
	struct timeline_view *v = &s->view.timeline;
	size_t truth = state_truth(s), n = 0;

	if (s->data.timeline)
		timeline_stacks(s->data.timeline, &n);
	if (!state_has_truth(s)) {
		state_say(s, false, n > 1 ? "no stack here is a reference; one with the item 'reference;' would be"
					  : "there is nothing to compare: one method or none is open");
		return;
	}
	v->hides_truth = !v->hides_truth;
	if (v->hides_truth && timeline_chosen(s->data.timeline) == truth)
		next_method(s);
	state_say(s, false, v->hides_truth ? "%s is hidden" : "%s is the reference",
		timeline_stacks(s->data.timeline, &n)[truth]->name);
}

static void
split_phases(struct state *s)
{
	size_t several;

	if (s->question.how.split_phases) {
		s->question.how.split_phases = false;
		state_say(s, false, "one bar for each run again");
	} else if ((several = timeline_split(s->data.timeline, true)) > 0) {
		s->question.how.split_phases = s->view.timeline.whole = true;
		s->view.timeline.grouped = false;
		state_say(s, false, "%zu observation%s changed %s level: a bar for each phase, over the whole run",
			several, several == 1 ? "" : "s", several == 1 ? "its" : "their");
	} else {
		state_say(s, false, "no bar has phases: no count of a stack changes its level during a run");
	}
	state_timeline_make_due(s, DUE_BARS);
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
unfold_node(struct state *s)
{
	struct timeline_view *v = &s->view.timeline;
	const struct net_module *m = &timeline_network(s->data.timeline)->module[v->module];
	size_t owners = s->answers.timeline.analysis
		? net_state_owners(s->answers.timeline.analysis->state, v->module) : 1,
	       before = count_apart(s, v->module), after;

	if (owners < 2) {
		state_say(s, false, "there is one %s here, so nothing to unfold", m->name);
		return;
	}
	v->unfolded[v->module] = !v->unfolded[v->module];
	after = count_apart(s, v->module);
	if (!v->unfolded[v->module])
		state_say(s, false, "%s: shown as one again where space is short", m->name);
	else if (after == before)
		state_say(s, false, "%s: the %zu are already shown one by one", m->name, owners);
	else
		state_say(s, false, "%s: %zu of %zu shown one by one", m->name, after, owners);
}

bool
state_timeline_act(struct state *s, enum action a)
{
	struct timeline_view *v = &s->view.timeline;

	if (!s->data.timeline)
		return false;
	state_timeline_show(s);
	if (a == ACTION_freeze)
		freeze(s);
	else if (a == ACTION_snapshot_back || a == ACTION_snapshot_next)
		state_timeline_act_step(s, a == ACTION_snapshot_back ? -1 : 1);
	else if (a == ACTION_set_against)
		set_against(s);
	else if (a == ACTION_flow)
		state_flows_take_row(s);
	else if (a == ACTION_flow_next)
		state_flows_next(s);
	else if (a == ACTION_flow_list)
		state_flows_to_list(s);
	else if (a == ACTION_turn)
		v->turned = !v->turned;
	else if (a == ACTION_unfold_node && v->unfolded)
		unfold_node(s);
	else if (a == ACTION_method)
		next_method(s);
	else if (a == ACTION_truth)
		toggle_truth(s);
	else if (a == ACTION_bar_phases)
		split_phases(s);
	else if (a == ACTION_normalise)
		v->normalised = !v->normalised;
	else if (a == ACTION_node)
		state_open_about(s, POPUP_NODE, s->answers.timeline.analysis != NULL);
	else if (a == ACTION_component && state_node(s) != SIZE_MAX)
		state_open_about(s, POPUP_ADVICE, state_bar(s) != NULL);
	else if (a == ACTION_component)
		state_open_about(s, POPUP_BAR,
			state_count_bars(s, state_pane(s) == PANE_METHODS ? PANE_METHODS : PANE_BARS) > 0);
	else if (a == ACTION_formula)
		state_open_about(s, POPUP_QUEUE, state_queue(s) != NULL);
	else if (a == ACTION_group || a == ACTION_whole_run) {
		v->grouped ^= a == ACTION_group;
		v->whole ^= a == ACTION_whole_run;
		state_timeline_make_due(s, DUE_BARS);
	} else if (a == ACTION_to_snapshot &&
		(size_t)s->view.cursor[PANE_SNAPSHOTS] < timeline_snapshots(s->data.timeline)) {
		v->frozen = true;
		state_timeline_show_snapshot(s, (size_t)s->view.cursor[PANE_SNAPSHOTS]);
	} else if (a == ACTION_place && s->answers.timeline.analysis &&
		(size_t)s->view.cursor[PANE_PATH_MAP] < s->answers.timeline.analysis->map->n_rows) {
		state_paths_choose(s, s->answers.timeline.analysis->map->row[s->view.cursor[PANE_PATH_MAP]].module,
			SIZE_MAX);
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
note_on_module(const struct state *s, enum pane_id pane, enum remark_on *on, char **what)
{
	const struct timeline_answers *a = &s->answers.timeline;
	const struct network *n = timeline_network(s->data.timeline);
	const struct net_queue *q = s->view.current == VIEW_QUEUES ? state_queue(s) : NULL;
	size_t module = q ? q->module : s->view.timeline.module, row = (size_t)s->view.cursor[PANE_PATH_MAP];

	if (pane == PANE_PATH_MAP && a->analysis && row < a->analysis->map->n_rows)
		module = a->analysis->map->row[row].module;
	*on = REMARK_MODULE;
	*what = n && (q || s->view.current != VIEW_QUEUES) ? mem_str(n->module[module].name) : NULL;
	return *what != NULL;
}

/* The snapshot in the list, or the one that is shown. */
static bool
note_on_snapshot(const struct state *s, enum pane_id pane, enum remark_on *on, char **what)
{
	size_t at = pane == PANE_SNAPSHOTS ? (size_t)s->view.cursor[PANE_SNAPSHOTS] : s->view.timeline.snapshot;
	struct str key = {0};

	*on = REMARK_SNAPSHOT;
	*what = NULL;
	if (at >= timeline_snapshots(s->data.timeline))
		return false;
	timeline_snapshot_key(s->data.timeline, at, &key);
	*what = str_take(&key);
	return true;
}

const struct pane_ops state_pane_network = {.choose = choose_module, .note = note_on_module};
const struct pane_ops state_pane_about_module = {.note = note_on_module};
const struct pane_ops state_pane_about_snapshot = {.note = note_on_snapshot};

static int
path_map_length(const struct state *s)
{
	return s->answers.timeline.analysis ? (int)s->answers.timeline.analysis->map->n_rows : 0;
}

const struct pane_ops state_pane_path_map = {.length = path_map_length, .note = note_on_module};

static int
snapshots_length(const struct state *s)
{
	return s->data.timeline ? (int)timeline_snapshots(s->data.timeline) : 0;
}

const struct pane_ops state_pane_snapshots = {.length = snapshots_length, .note = note_on_snapshot};
const struct pane_ops state_pane_flows = {.length = state_flows_rows, .note = note_on_module};

static int
bars_length(const struct state *s)
{
	return state_count_bars(s, PANE_BARS);
}

const struct pane_ops state_pane_bars = {.length = bars_length};

static int
methods_length(const struct state *s)
{
	return state_count_bars(s, PANE_METHODS);
}

const struct pane_ops state_pane_methods = {.length = methods_length};
const struct pane_ops state_pane_components = {.length = state_count_components};

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

const struct pane_ops state_pane_queues = {
	.length = queues_length, .choose = choose_queue, .note = note_on_module};
