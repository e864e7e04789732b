#include "explorer/state/state_lists.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "explorer/state/pane.h"
#include "explorer/state/screen_layout.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "explorer/state/state_answers.h"
#include "explorer/state/state_search.h"
#include "explorer/state/undo_steps.h"
#include "work/timeline/timeline.h"

static bool
note_on_constraint(const struct state *s, enum pane_id pane, enum remark_on *on, char **what)
{
	const struct constraint_row *row = state_constraint(s);

	(void)pane;
	*on = REMARK_CONSTRAINT;
	*what = row ? mem_str(row->c->text) : NULL;
	return *what != NULL;
}

bool
state_note_on_observation(const struct state *s, enum pane_id pane, enum remark_on *on, char **what)
{
	const struct finding *f = state_finding(s);

	(void)pane;
	*on = REMARK_OBSERVATION;
	*what = f ? mem_str(f->name) : NULL;
	return *what != NULL;
}

static size_t
state_lists_place_of(const size_t *order, size_t n, size_t what)
{
	size_t at = 0;

	while (at < n && order[at] != what)
		at++;
	return at;
}

/* If a filter hides the selected row, the first row shown is selected. */
static void
sync_constraint(struct state *s)
{
	size_t n;
	const size_t *order = state_constraints(s, &n);
	size_t at = state_lists_place_of(order, n, s->view.constraint);

	if (at == n && n) {
		at = 0;
		s->view.constraint = order[0];
	}
	s->view.cursor[PANE_CONSTRAINTS] = s->view.cursor[PANE_MATRIX] = at < n ? (int)at : 0;
}

static void
sync_observation(struct state *s)
{
	const struct constraint_row *row = state_constraint(s);
	size_t n;
	const size_t *order = state_observations(s, &n);
	size_t at = state_lists_place_of(order, n, s->view.selected);

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
}

void
state_sync_cursors(struct state *s)
{
	sync_constraint(s);
	sync_observation(s);
}

static int
constraints_length(const struct state *s)
{
	return (int)state_count_shown(s, &shown_constraints);
}

static void
choose_constraint(struct state *s, enum pane_id pane, int row)
{
	size_t n, at = (size_t)s->view.cursor[pane];
	const size_t *order = state_constraints(s, &n);

	(void)row;
	s->view.chose_constraint = true;
	if (at < n && order[at] != s->view.constraint) {
		s->view.constraint = order[at];
		s->view.cursor[PANE_TOUCHED] = 0;
	}
}

static bool
constraint_has(const struct state *s, size_t i, const char *words)
{
	size_t n;

	return strcasestr(s->answers.constraints->row[state_constraints(s, &n)[i]].c->text, words);
}

static uint64_t
constraint_row_thing(const struct state *s, enum pane_id pane, size_t row)
{
	(void)pane;
	return state_shown_thing(s, &shown_constraints, row);
}

const struct pane_ops state_pane_constraints = {.length = constraints_length,
	.choose = choose_constraint,
	.has = constraint_has,
	.thing = constraint_row_thing,
	.note = note_on_constraint};
const struct pane_ops state_pane_about_constraint = {.note = note_on_constraint};

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

static uint64_t
numbered_thing(const struct state *s, size_t finding)
{
	return finding < s->answers.result->n_findings ? thing_text(0, s->answers.result->finding[finding].name) : 0;
}

static uint64_t
breach_thing(const struct state *s, enum pane_id pane, size_t row)
{
	const struct constraint_row *c = state_constraint(s);

	(void)pane;
	return c && row < c->n_breaches ? numbered_thing(s, c->breach[row].finding) : 0;
}

const struct pane_ops state_pane_broken = {.length = broken_length,
	.choose = choose_broken,
	.has = broken_has,
	.thing = breach_thing,
	.note = state_note_on_observation};

static int
list_length(const struct state *s)
{
	return (int)state_count_shown(s, &shown_observations);
}

static void
state_lists_choose_listed(struct state *s, enum pane_id pane, int row)
{
	size_t n, at = (size_t)s->view.cursor[pane];
	const size_t *order = state_observations(s, &n);

	(void)row;
	if (at < n && order[at] != s->view.selected) {
		s->view.selected = order[at];
		s->view.cursor[PANE_OBSERVED] = s->view.cursor[PANE_SAMPLES] = 0;
	}
}

static bool
state_lists_listed_has(const struct state *s, size_t i, const char *words)
{
	size_t n;

	return finding_has(s, state_observations(s, &n)[i], words);
}

static uint64_t
listed_thing(const struct state *s, enum pane_id pane, size_t row)
{
	(void)pane;
	return state_shown_thing(s, &shown_observations, row);
}

const struct pane_ops state_pane_list = {.length = list_length,
	.thing = listed_thing,
	.choose = state_lists_choose_listed,
	.has = state_lists_listed_has,
	.note = state_note_on_observation};
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

static uint64_t
observation_thing(const struct state *s, enum pane_id pane, size_t row)
{
	(void)pane;
	return row < (size_t)observations_length(s) ? numbered_thing(s, row) : 0;
}

const struct pane_ops state_pane_observations = {.length = observations_length,
	.choose = choose_observation,
	.has = finding_has,
	.thing = observation_thing,
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
state_unfold_phases(struct state *state)
{
	size_t phased = 0;

	for (size_t i = 0; state->answers.result && i < state->answers.result->n_findings; i++)
		phased += state->answers.result->finding[i].time.n_phases > 0;
	if (!state->question.how.split_phases && !phased) {
		state_say(state, false, "no observation has phases: none changes its level part of the way");
		return;
	}
	state->question.how.split_phases = !state->question.how.split_phases;
	state_undo_keep_graph(state);
	state_forget_search(state);
	if (state->view.marks.n)
		memset(state->view.marks.on, 0, state->view.marks.n * sizeof *state->view.marks.on);
	state_shown_changed(state);
	state_request(state, REQUEST_LOAD);
	state_request(state, REQUEST_RESULT);
	state_say(state, false,
		state->question.how.split_phases
			? "each phase is judged by itself" : "observations are judged whole again");
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

void
state_next_column(struct state *s)
{
	const struct obs_table *t = NULL;

	const struct finding *f = state_finding(s);

	if (f && state_samples(s, f, &t))
		s->view.columns.sample += (size_t)s->view.columns.sample + 1 < t->n_columns;
}

bool
state_shows_samples(const struct state *s)
{
	return s->view.popup.kind == POPUP_OBSERVATION ||
		(s->view.popup.kind == POPUP_NONE && state_pane(s) == PANE_SAMPLES &&
			s->view.current == VIEW_OBSERVATIONS);
}
