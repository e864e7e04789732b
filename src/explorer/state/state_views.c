#include "explorer/state/state_views.h"

#include <stdlib.h>

#include "base/mem.h"
#include "core/udd/model.h"
#include "explorer/state/pane.h"
#include "explorer/state/pane_ids.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "explorer/state/state_events.h"
#include "explorer/state/state_lists.h"
#include "explorer/state/state_probes.h"
#include "explorer/state/state_queues.h"
#include "explorer/state/state_stalls.h"
#include "explorer/state/state_timeline.h"
#include "work/timeline/timeline.h"

/* --- filter and sort order --------------------------------------------------------------------------------------- */

void
state_sort(struct state *s)
{
	struct timeline_view *v = &s->view.timeline;

	if (s->view.current == VIEW_EVENTS) {
		s->view.events.sort = (s->view.events.sort + 1) % EVENT_SORTS;
		state_say(s, false, "%s", event_sort_name(s->view.events.sort));
		state_sync_events(s);
		return;
	}
	if (s->view.current == VIEW_QUEUES) {
		v->queue_sort = (v->queue_sort + 1) % QUEUE_SORTS;
		state_say(s, false, "%s", queue_sort_name(v->queue_sort));
		return;
	}
	if (s->view.current == VIEW_STALLS) {
		v->bar_sort = (v->bar_sort + 1) % BAR_SORTS;
		state_say(s, false, "%s", bar_sort_name(v->bar_sort));
		return;
	}
	if (s->view.current == VIEW_CONSTRAINTS) {
		s->view.sort.constraints = (s->view.sort.constraints + 1) % CONSTRAINT_SORTS;
		state_say(s, false, "sorted by %s", constraint_sort_name(s->view.sort.constraints));
	} else {
		s->view.sort.observations = (s->view.sort.observations + 1) % OBSERVATION_SORTS;
		state_say(s, false, "sorted by %s", observation_sort_name(s->view.sort.observations));
	}
	state_sync_cursors(s);
}

void
state_set_filter(struct state *s, const char *words)
{
	const struct shown_ops *list = s->view.current == VIEW_CONSTRAINTS ? &shown_constraints
		: s->view.current == VIEW_STALLS ? (state_shows_stalls(s) ? &shown_stalls : &shown_bars)
		: s->view.current == VIEW_QUEUES ? &shown_queues
		: s->view.current == VIEW_EVENTS ? &shown_events : &shown_observations;

	free(s->view.filter[s->view.current]);
	s->view.filter[s->view.current] = *words ? mem_str(words) : NULL;
	if (*words && state_count_shown(s, list) == 0)
		state_say(s, true, "no row contains \"%s\"; %s with no text shows all", words, "\\");
	if (s->view.current == VIEW_EVENTS)
		state_sync_events(s);
	if (s->view.current == VIEW_STALLS || s->view.current == VIEW_QUEUES)
		s->view.cursor[s->view.current == VIEW_STALLS ? PANE_BARS : PANE_QUEUES] = 0;
	state_sync_cursors(s);
}

void
state_show_view(struct state *s, enum view v)
{
	enum pane_id first = view_row(v)->first;

	enum view_about about = view_row(v)->about;

	if (!s->question.model && !s->data.timeline && !view_needs_nothing(v)) {
		state_say(s, false, "no model is open yet; %s",
			s->view.current == VIEW_START ? "choose one here" : "S opens one");
		return;
	}
	if (!s->question.model && about == VIEW_ABOUT_MODEL) {
		state_say(s, false, "no model is open, only a %s; S opens one",
			timeline_network(s->data.timeline) ? "network" : "stack");
		return;
	}
	s->view.came_from = VIEW_START;
	if (v == VIEW_EVENTS)
		state_list_events(s);
	if (v == VIEW_PROBES)
		state_request(s, REQUEST_LIST_PROBES);
	if (s->view.current == v)
		return;
	s->view.last_focus[s->view.current] = s->view.focus;
	s->view.current = v;
	s->view.focus = s->view.last_focus[v] > first ? s->view.last_focus[v] : first;
	state_timeline_show(s);
	state_sync_cursors(s);
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
state_step_observation(struct state *s, int by)
{
	const struct constraint_row *row = s->view.current == VIEW_CONSTRAINTS ? state_constraint(s) : NULL;
	bool shown = s->view.popup.kind == POPUP_NONE || s->view.popup.kind == POPUP_WHENCE ||
		s->view.popup.kind == POPUP_CONSTRAINT || s->view.popup.kind == POPUP_CERTIFICATE ||
		s->view.popup.kind == POPUP_OBSERVATION;
	bool broken = row && row->n_breaches, listed = !broken && s->view.current == VIEW_OBSERVATIONS;
	const size_t *order = NULL;
	size_t n = s->answers.result ? s->answers.result->n_findings : 0, at = 0;

	if (s->view.current == VIEW_EVENTS) {
		state_step_event(s, by);
		return;
	}
	if (s->view.current == VIEW_PROBES) {
		state_step_probe(s, by);
		return;
	}
	if (!shown)
		return;
	if (broken)
		n = row->n_breaches;
	else if (listed)
		order = state_observations(s, &n);
	while (at < n && (broken ? row->breach[at].finding : listed ? order[at] : at) != s->view.selected)
		at++;
	at = n && at < n ? (at + n + (size_t)by) % n : 0;
	if (n)
		s->view.selected = broken ? row->breach[at].finding : listed ? order[at] : at;
	state_sync_cursors(s);
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
