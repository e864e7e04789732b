#include "app/state/state_views.h"

#include <stdlib.h>
#include <string.h>

#include "app/run/live.h"
#include "app/run/spec_run.h"
#include "app/state/pane.h"
#include "app/state/state_notes.h"
#include "app/state/state_queues.h"
#include "app/state/state_search.h"
#include "app/state/state_stalls.h"
#include "app/state/state_timeline.h"
#include "app/timeline/timeline.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"

const struct constraint_row *
state_constraint(const struct state *s)
{
	return s->answers.constraints && s->view.constraint < s->answers.constraints->n
		? &s->answers.constraints->row[s->view.constraint]
		: NULL;
}

size_t *
state_constraints(const struct state *s, size_t *n)
{
	return constraints_order(s->answers.constraints, s->view.constraint_sort, s->view.filter[VIEW_CONSTRAINTS], n);
}

size_t *
state_observations(const struct state *s, size_t *n)
{
	bool whole = s->answers.result && s->view.marks.n >= s->answers.result->n_findings;

	return observations_order(s->answers.result, s->view.observation_sort, s->view.filter[VIEW_OBSERVATIONS],
		whole ? s->view.marks.on : NULL, n);
}

size_t
state_count_marked(const struct state *s)
{
	size_t n = 0;

	for (size_t i = 0; s->answers.result && i < s->view.marks.n && i < s->answers.result->n_findings; i++)
		n += s->view.marks.on[i];
	return n;
}

size_t *
state_counters(const struct state *s, size_t *n)
{
	const struct constraint_row *row = state_constraint(s);
	size_t all = s->answers.result ? s->answers.result->n_counters : 0, *out = mem_new_array(all, sizeof *out);

	*n = 0;
	for (int round = 0; round < 2; round++)
		for (size_t i = 0; i < all; i++)
			if (s->answers.result->used[i] && (row && row->c->coef[i] != 0) == (round == 0))
				out[(*n)++] = i;
	return out;
}

/* As the engine numbers them (app/control/). */
static const struct obs_table *
table_of(const struct state *s, size_t table)
{
	size_t run = table - s->data.n_tables - 1;

	if (table < s->data.n_tables)
		return s->data.table[table];
	if (table == s->data.n_tables)
		return s->data.live ? live_table(s->data.live) : NULL;
	return run < s->data.n_specified ? spec_run_table(s->data.specified[run]) : NULL;
}

const struct obs *
state_samples(const struct state *s, const struct finding *f, const struct obs_table **table)
{
	const struct obs_table *t = table_of(s, f->table);

	if (!t || f->place >= t->n || f->row + f->rows > t->obs[f->place]->n_rows)
		return NULL;
	*table = t;
	return t->obs[f->place];
}

static size_t
place_of(const size_t *order, size_t n, size_t what)
{
	size_t at = 0;

	while (at < n && order[at] != what)
		at++;
	return at;
}

/* A filter may hide what was selected: then the first row that is shown is. */
static void
sync_constraint(struct state *s)
{
	size_t n, *order = state_constraints(s, &n), at = place_of(order, n, s->view.constraint);

	if (at == n && n) {
		at = 0;
		s->view.constraint = order[0];
	}
	s->view.cursor[PANE_CONSTRAINTS] = s->view.cursor[PANE_MATRIX] = at < n ? (int)at : 0;
	free(order);
}

static void
sync_observation(struct state *s)
{
	const struct constraint_row *row = state_constraint(s);
	size_t n, *order = state_observations(s, &n), at = place_of(order, n, s->view.selected);

	s->view.cursor[PANE_OBSERVATIONS] = (int)s->view.selected;
	if (at == n && n && s->view.current == VIEW_OBSERVATIONS) {
		at = 0;
		s->view.selected = order[0];
	}
	s->view.cursor[PANE_LIST] = at < n ? (int)at : 0;
	s->view.cursor[PANE_BROKEN] = 0;
	for (size_t i = 0; row && i < row->n_breaches; i++)
		if (row->breach[i].finding == s->view.selected)
			s->view.cursor[PANE_BROKEN] = (int)i;
	free(order);
}

void
state_sync_cursors(struct state *s)
{
	sync_constraint(s);
	sync_observation(s);
}

void
state_choose(struct state *s, enum pane_id pane, int row)
{
	s->view.cursor[pane] = row > 0 ? row : 0;
	if (pane_ops(pane)->choose)
		pane_ops(pane)->choose(s, pane, row);
	state_sync_cursors(s);
}

/* --- the panes of lists ------------------------------------------------------------------------------------------ */

static int
constraints_length(const struct state *s)
{
	size_t n;

	free(state_constraints(s, &n));
	return (int)n;
}

static void
choose_constraint(struct state *s, enum pane_id pane, int row)
{
	size_t n, *order = state_constraints(s, &n), at = (size_t)s->view.cursor[pane];

	(void)row;
	s->view.chose_constraint = true;
	if (at < n && order[at] != s->view.constraint) {
		s->view.constraint = order[at];
		s->view.cursor[PANE_TOUCHED] = 0;
	}
	free(order);
}

static bool
constraint_has(const struct state *s, size_t i, const char *words)
{
	size_t n, *order = state_constraints(s, &n), at = order[i];

	free(order);
	return strcasestr(s->answers.constraints->row[at].c->text, words);
}

const struct pane_ops state_pane_constraints = {.length = constraints_length,
	.choose = choose_constraint,
	.has = constraint_has,
	.note = state_note_on_constraint};
const struct pane_ops state_pane_about_constraint = {.note = state_note_on_constraint};

static bool
finding_has(const struct state *s, size_t finding, const char *words)
{
	return strcasestr(s->answers.result->finding[finding].name, words);
}

static int
broken_length(const struct state *s)
{
	const struct constraint_row *row = state_constraint(s);

	return row ? (int)row->n_breaches : 0;
}

static void
choose_broken(struct state *s, enum pane_id pane, int row)
{
	const struct constraint_row *c = state_constraint(s);
	size_t at = (size_t)s->view.cursor[pane];

	(void)row;
	if (c && at < c->n_breaches)
		s->view.selected = c->breach[at].finding;
}

static bool
broken_has(const struct state *s, size_t i, const char *words)
{
	const struct constraint_row *c = state_constraint(s);

	return c && finding_has(s, c->breach[i].finding, words);
}

const struct pane_ops state_pane_broken = {
	.length = broken_length, .choose = choose_broken, .has = broken_has, .note = state_note_on_observation};

static int
list_length(const struct state *s)
{
	size_t n;

	free(state_observations(s, &n));
	return (int)n;
}

static void
choose_listed(struct state *s, enum pane_id pane, int row)
{
	size_t n, *order = state_observations(s, &n), at = (size_t)s->view.cursor[pane];

	(void)row;
	if (at < n && order[at] != s->view.selected) {
		s->view.selected = order[at];
		s->view.cursor[PANE_OBSERVED] = s->view.cursor[PANE_SAMPLES] = 0;
	}
	free(order);
}

static bool
listed_has(const struct state *s, size_t i, const char *words)
{
	size_t n, *order = state_observations(s, &n), at = order[i];

	free(order);
	return finding_has(s, at, words);
}

const struct pane_ops state_pane_list = {
	.length = list_length, .choose = choose_listed, .has = listed_has, .note = state_note_on_observation};
const struct pane_ops state_pane_about_observation = {.note = state_note_on_observation};

static int
observations_length(const struct state *s)
{
	return s->answers.result ? (int)s->answers.result->n_findings : 0;
}

static void
choose_observation(struct state *s, enum pane_id pane, int row)
{
	(void)row;
	s->view.selected = (size_t)s->view.cursor[pane];
}

const struct pane_ops state_pane_observations = {.length = observations_length,
	.choose = choose_observation,
	.has = finding_has,
	.note = state_note_on_observation};

void
state_mark(struct state *s)
{
	if (!s->answers.result || s->view.selected >= s->view.marks.n ||
		s->view.selected >= s->answers.result->n_findings)
		return;
	s->view.marks.on[s->view.selected] = !s->view.marks.on[s->view.selected];
	state_remake_constraints(s);
	state_say(s, false, "%s is %smarked; %zu marked", s->answers.result->finding[s->view.selected].name,
		s->view.marks.on[s->view.selected] ? "" : "not ", state_count_marked(s));
}

void
state_unmark(struct state *s)
{
	if (!s->answers.result || !state_count_marked(s))
		return;
	memset(s->view.marks.on, 0, s->view.marks.n * sizeof *s->view.marks.on);
	state_remake_constraints(s);
	state_say(s, false, "nothing is marked");
}

void
state_unfold_phases(struct state *s)
{
	size_t phased = 0;

	for (size_t i = 0; s->answers.result && i < s->answers.result->n_findings; i++)
		phased += s->answers.result->finding[i].n_phases > 0;
	if (!s->question.how.split_phases && !phased) {
		state_say(s, false, "no observation has phases: none changes its level part of the way");
		return;
	}
	s->question.how.split_phases = !s->question.how.split_phases;
	state_forget_search(s);
	if (s->view.marks.n)
		memset(s->view.marks.on, 0, s->view.marks.n * sizeof *s->view.marks.on);
	state_request(s, REQUEST_LOAD);
	state_request(s, REQUEST_RESULT);
	state_say(s, false,
		s->question.how.split_phases ? "each phase is judged by itself"
					     : "observations are judged whole again");
}

void
state_sort(struct state *s)
{
	struct timeline_view *v = &s->view.timeline;

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
		s->view.constraint_sort = (s->view.constraint_sort + 1) % CONSTRAINT_SORTS;
		state_say(s, false, "sorted by %s", constraint_sort_name(s->view.constraint_sort));
	} else {
		s->view.observation_sort = (s->view.observation_sort + 1) % OBSERVATION_SORTS;
		state_say(s, false, "sorted by %s", observation_sort_name(s->view.observation_sort));
	}
	state_sync_cursors(s);
}

void
state_set_filter(struct state *s, const char *words)
{
	size_t n;

	free(s->view.filter[s->view.current]);
	s->view.filter[s->view.current] = *words ? mem_str(words) : NULL;
	free(s->view.current == VIEW_CONSTRAINTS ? state_constraints(s, &n)
			: s->view.current == VIEW_STALLS
			? (state_shows_stalls(s) ? state_stall_rows(s, &n) : state_bars(s, &n))
			: s->view.current == VIEW_QUEUES ? state_queues(s, &n)
						 : state_observations(s, &n));
	if (n == 0 && *words)
		state_say(s, true, "no row holds \"%s\"; %s with nothing shows all", words, "\\");
	if (s->view.current == VIEW_STALLS || s->view.current == VIEW_QUEUES)
		s->view.cursor[s->view.current == VIEW_STALLS ? PANE_BARS : PANE_QUEUES] = 0;
	state_sync_cursors(s);
}

void
state_show_view(struct state *s, enum view v)
{
	enum pane_id first = view_row(v)->first;

	if (!s->question.model && !s->data.timeline) {
		state_say(s, false, "no model is open yet; choose one here");
		return;
	}
	if (!s->question.model && view_row(v)->about == VIEW_ABOUT_MODEL) {
		state_say(s, false, "no model is open, only a %s; S opens one",
			timeline_network(s->data.timeline) ? "network" : "stack");
		return;
	}
	s->view.came_from = VIEW_START;
	if (s->view.current == v)
		return;
	s->view.last_focus[s->view.current] = s->view.focus;
	s->view.current = v;
	s->view.focus = s->view.last_focus[v] > first ? s->view.last_focus[v] : first;
	state_timeline_show(s);
	state_sync_cursors(s);
}

void
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

/* In view 2 through those that break the constraint, as long as there are some; else through the list as it is sorted.
 */
void
state_step_observation(struct state *s, int by)
{
	const struct constraint_row *row = s->view.current == VIEW_CONSTRAINTS ? state_constraint(s) : NULL;
	bool shown = s->view.popup.kind == POPUP_NONE || s->view.popup.kind == POPUP_WHENCE ||
		s->view.popup.kind == POPUP_CONSTRAINT || s->view.popup.kind == POPUP_CERTIFICATE ||
		s->view.popup.kind == POPUP_OBSERVATION;
	size_t n = row && row->n_breaches ? row->n_breaches : 0, *order, at = 0;

	if (!shown)
		return;
	if (n) {
		order = mem_new_array(n, sizeof *order);
		for (size_t i = 0; i < n; i++)
			order[i] = row->breach[i].finding;
	} else if (s->view.current == VIEW_OBSERVATIONS) {
		order = state_observations(s, &n);
	} else {
		n = s->answers.result ? s->answers.result->n_findings : 0;
		order = mem_new_array(n, sizeof *order);
		for (size_t i = 0; i < n; i++)
			order[i] = i;
	}
	while (at < n && order[at] != s->view.selected)
		at++;
	if (n)
		s->view.selected = order[at < n ? (at + n + (size_t)by) % n : 0];
	free(order);
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

bool
state_shows_samples(const struct state *s)
{
	return s->view.popup.kind == POPUP_OBSERVATION ||
		(s->view.popup.kind == POPUP_NONE && state_pane(s) == PANE_SAMPLES &&
			s->view.current == VIEW_OBSERVATIONS);
}

void
state_next_column(struct state *s)
{
	const struct obs_table *t = NULL;

	const struct finding *f = state_finding(s);

	if (f && state_samples(s, f, &t))
		s->view.sample_column += (size_t)s->view.sample_column + 1 < t->n_columns;
}

void
state_open_about(struct state *s, enum popup p, bool something)
{
	if (something)
		state_open_popup(s, p);
	else
		state_say(s, false, "there is nothing to look at yet");
}

void
state_compare(struct state *s)
{
	size_t marked = state_count_marked(s);
	bool other = s->answers.result && s->view.selected < s->view.marks.n && !s->view.marks.on[s->view.selected];

	if (marked >= 2 || (marked == 1 && other))
		state_open_popup(s, POPUP_COMPARE);
	else
		state_say(s, false,
			"m marks an observation; then c compares it with the one under the cursor, or with another "
			"marked one");
}
