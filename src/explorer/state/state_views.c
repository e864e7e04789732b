#include "explorer/state/state_views.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/network/stall_rows.h"
#include "core/stack/stack.h"
#include "core/udd/model.h"
#include "explorer/state/pane.h"
#include "explorer/state/pane_ids.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "explorer/state/state_diff.h"
#include "explorer/state/state_events.h"
#include "explorer/state/state_lists.h"
#include "explorer/state/state_probes.h"
#include "explorer/state/state_queues.h"
#include "explorer/state/state_reason.h"
#include "explorer/state/state_stalls.h"
#include "explorer/state/state_timeline.h"
#include "work/timeline/timeline.h"
#include "work/trust/events.h"

/* --- tabs -------------------------------------------------------------------------------------------------------- */

bool
state_view_applies(const struct state *state, enum view view)
{
	switch (view_row(view)->about) {
	case VIEW_ABOUT_MODEL:
		return state->question.model != NULL;
	case VIEW_ABOUT_SNAPSHOTS:
		return state->data.timeline && (view == VIEW_STALLS || timeline_network(state->data.timeline));
	case VIEW_ABOUT_DATA:
		return state->question.model || state->data.timeline;
	case VIEW_ABOUT_EVENTS:
		return state->question.model || state->data.repeated || state->data.known;
	case VIEW_ABOUT_PROBES:
		return true;
	case VIEW_ABOUT_DIFF:
		return state->data.contest != NULL;
	}
	return true;
}

const char *
state_view_tab(const struct state *state, enum view view, bool brief)
{
	const struct view_row *row = view_row(view);
	const struct stack *stack = state->data.timeline ? timeline_stack(state->data.timeline) : NULL;

	if (view == VIEW_STALLS && stack && !state_shows_stalls(state))
		return stack->figure_text ? stack->figure_text : "Time";
	return brief ? row->brief : row->tab;
}

/* --- filter and sort order --------------------------------------------------------------------------------------- */

static const struct shown_ops *
state_view_list(const struct state *state)
{
	return state->view.current == VIEW_CONSTRAINTS ? &shown_constraints
		: state->view.current == VIEW_STALLS ? (state_shows_stalls(state) ? &shown_stalls : &shown_bars)
		: state->view.current == VIEW_QUEUES ? &shown_queues
		: state->view.current == VIEW_DIFF ? &shown_quantities
		: state->view.current == VIEW_EVENTS ? &shown_events : &shown_observations;
}

void
state_sort(struct state *state)
{
	struct timeline_view *view = &state->view.timeline;

	state->view.columns.reversed &= ~(1u << state->view.current);
	if (state->view.current == VIEW_EVENTS) {
		state->view.events.sort = (state->view.events.sort + 1) % EVENT_SORTS;
		state_say(state, false, "%s", event_sort_name(state->view.events.sort));
		state_sync_events(state);
		return;
	}
	if (state->view.current == VIEW_DIFF) {
		state->view.sort.quantities = (state->view.sort.quantities + 1) % DIFF_SORTS;
		state_say(state, false, "%s", diff_sort_name(state->view.sort.quantities));
		return;
	}
	if (state->view.current == VIEW_QUEUES) {
		view->queue_sort = (view->queue_sort + 1) % QUEUE_SORTS;
		state_say(state, false, "%s", queue_sort_name(view->queue_sort));
		state_follow_queue(state);
		return;
	}
	if (state->view.current == VIEW_STALLS) {
		view->bar_sort = (view->bar_sort + 1) % BAR_SORTS;
		state_say(state, false, "%s", bar_sort_name(view->bar_sort));
		return;
	}
	if (state->view.current == VIEW_CONSTRAINTS) {
		state->view.sort.constraints = (state->view.sort.constraints + 1) % CONSTRAINT_SORTS;
		state_say(state, false, "sorted by %s", constraint_sort_name(state->view.sort.constraints));
	} else {
		state->view.sort.observations = (state->view.sort.observations + 1) % OBSERVATION_SORTS;
		state_say(state, false, "sorted by %s", observation_sort_name(state->view.sort.observations));
	}
	state_sync_cursors(state);
}

unsigned
state_sort_now(const struct state *state)
{
	unsigned sort;

	memcpy(&sort, (const char *)state + state_view_list(state)->sort, sizeof sort);
	return sort;
}

void
state_sort_by(struct state *state, unsigned sort)
{
	unsigned turned = state_sort_now(state) == sort ? ~state->view.columns.reversed & 1u << state->view.current : 0;

	memcpy((char *)state + state_view_list(state)->sort, &sort, sizeof sort);
	state->view.columns.reversed = (state->view.columns.reversed & ~(1u << state->view.current)) | turned;
	if (state->view.current == VIEW_EVENTS)
		state_sync_events(state);
	if (state->view.current == VIEW_QUEUES)
		state_follow_queue(state);
	state_sync_cursors(state);
}

bool
state_is_reversed(const struct state *state)
{
	return state->view.columns.reversed >> state->view.current & 1;
}

const char *
state_reversed_words(const struct state *state)
{
	return state_is_reversed(state) ? ", reversed" : "";
}

enum pane_id
state_filtered_pane(const struct state *s)
{
	return view_row(s->view.current)->first;
}

struct rows_found
state_rows_left(const struct state *s)
{
	const struct timeline_answers *t = &s->answers.timeline;
	size_t n = s->view.current == VIEW_CONSTRAINTS ? (s->answers.constraints ? s->answers.constraints->n : 0)
		: s->view.current == VIEW_EVENTS       ? (s->data.events ? s->data.events->n : 0)
		: s->view.current == VIEW_DIFF         ? state_count_quantities(s)
		: s->view.current == VIEW_QUEUES       ? state_queue_counts(s).lines
		: s->view.current != VIEW_STALLS ? (s->answers.result ? s->answers.result->n_findings : 0)
		: !state_shows_stalls(s) ? (t->bars ? t->bars->n : 0) : 0;

	for (size_t i = 0; s->view.current == VIEW_STALLS && state_shows_stalls(s) && t->rows && i < t->rows->n; i++)
		n += t->rows->row[i].stall > 0;
	return (struct rows_found){n, state_count_shown(s, state_view_list(s))};
}

void
state_set_filter(struct state *state, const char *words)
{
	char **filter = &state->view.filter[state->view.current];
	bool same = str_eq(*filter ? *filter : "", words);

	free(*filter);
	*filter = *words ? mem_str(words) : NULL;
	if (*words && state_count_shown(state, state_view_list(state)) == 0)
		state_say(state, true, "no row contains \"%s\"; %s with no text shows all", words, "\\");
	if (state->view.current == VIEW_EVENTS)
		state_sync_events(state);
	if (!same && (state->view.current == VIEW_STALLS || state->view.current == VIEW_QUEUES))
		state->view.cursor[state->view.current == VIEW_STALLS ? PANE_BARS : PANE_QUEUES] = 0;
	state_sync_cursors(state);
}

void
state_show_view(struct state *state, enum view v)
{
	enum pane_id first = view_row(v)->first;
	const char *lacks = view_reason(state, v);

	if (lacks) {
		state_say(state, false, "%s", lacks);
		return;
	}
	state->view.came_from = VIEW_START;
	if (v == VIEW_EVENTS) {
		state_list_events(state);
		if (state->view.events.n_added) /* next to the counters of what is open now */
			state_request(state, REQUEST_FIT);
	}
	if (v == VIEW_PROBES)
		state_request(state, REQUEST_LIST_PROBES);
	if (state->view.current == v)
		return;
	state->view.panes.last_focus[state->view.current] = state->view.focus;
	state->view.current = v;
	state->view.focus = state->view.panes.last_focus[v] > first ? state->view.panes.last_focus[v] : first;
	state_timeline_show(state);
	state_sync_cursors(state);
}

/* Shows the observation in view 3; Esc comes back. */
static void
state_jump(struct state *s, size_t finding)
{
	enum view from = s->view.current;

	if (!s->answers.result || finding >= s->answers.result->n_findings)
		return;
	free(s->view.filter[VIEW_OBSERVATIONS]);
	s->view.filter[VIEW_OBSERVATIONS] = NULL;
	s->view.selected = finding;
	state_show_view(s, VIEW_OBSERVATIONS);
	s->view.came_from = from;
}

bool
state_go_back(struct state *s)
{
	enum view to = s->view.came_from;

	if (to == VIEW_START)
		return false;
	state_show_view(s, to);
	return true;
}

/* Steps through the sorted list; in view 2 through the observations that break the constraint, if there are any. */
void
state_step_observation(struct state *state, int by)
{
	const struct constraint_row *row = state->view.current == VIEW_CONSTRAINTS ? state_constraint(state) : NULL;
	bool shown = state->view.popup.kind == POPUP_NONE || state->view.popup.kind == POPUP_WHENCE ||
		state->view.popup.kind == POPUP_CONSTRAINT || state->view.popup.kind == POPUP_CERTIFICATE ||
		state->view.popup.kind == POPUP_OBSERVATION;
	bool broken = row && row->n_breaches, listed = !broken && state->view.current == VIEW_OBSERVATIONS;
	const size_t *order = NULL;
	size_t n = state->answers.result ? state->answers.result->n_findings : 0, at = 0;

	if (state->view.current == VIEW_EVENTS) {
		state_step_event(state, by);
		return;
	}
	if (state->view.current == VIEW_PROBES) {
		state_step_probe(state, by);
		return;
	}
	if (!shown) {
		state_say(state, false, "[ ] do nothing in this window; Esc closes it");
		return;
	}
	if (broken)
		n = row->n_breaches;
	else if (listed)
		order = state_observations(state, &n);
	while (at < n && (broken ? row->breach[at].finding : listed ? order[at] : at) != state->view.selected)
		at++;
	at = n && at < n ? (at + n + (size_t)by) % n : 0;
	if (n == 1)
		state_say(state, false,
			broken ? "no other observation breaks this constraint" : "there is no other observation here");
	if (n)
		state->view.selected = broken ? row->breach[at].finding : listed ? order[at] : at;
	state_sync_cursors(state);
}

void
state_jump_from_constraint(struct state *s)
{
	const struct constraint_row *row = state_constraint(s);

	state_sync_cursors(s);
	if (row && (size_t)s->view.cursor[PANE_BROKEN] < row->n_breaches)
		state_jump(s, row->breach[s->view.cursor[PANE_BROKEN]].finding);
	else
		state_say(s, false, "no observation breaks this constraint");
}
