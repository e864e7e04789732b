/* Results, and the details asked of the engine: what constraints touch, counters' losses, geometry, witnesses. */

#include "explorer/state/state_answers.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "explorer/state/screen_layout.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "explorer/state/state_lists.h"
#include "explorer/state/state_relax.h"
#include "explorer/state/state_search.h"
#include "work/analysis/geometry.h"
#include "work/analysis/loss.h"
#include "work/analysis/touch.h"
#include "work/run/run.h"

/* Answers kept from one result to the next: the constraint under the cursor, and the engine's answers that hold for the
 * next result too. Otherwise they would vanish with each new sample. */
struct kept {
	char *text;                       /* NULL: the user chose none */
	size_t place;                     /* of its row, where the cursor stays if it is gone */
	struct constraint_detail **touch; /* per row of the first n; NULL: none */
	struct counter_loss **loss;       /* per counter; NULL: none */
	struct geometry *geometry;        /* NULL: none */
	size_t n;
};

static void
free_answers(struct state *s)
{
	for (size_t i = 0; s->answers.touch && i < s->answers.constraints->n; i++)
		touch_free(s->answers.touch[i]);
	for (size_t i = 0; s->answers.loss && i < s->answers.result->n_counters; i++)
		loss_free(s->answers.loss[i]);
	free(s->answers.touch);
	free(s->answers.loss);
	s->answers.touch = NULL;
	s->answers.loss = NULL;
	s->answers.asked = (struct detail){0};
}

static void
forget_views(struct state *s)
{
	free_answers(s);
	geometry_free(s->answers.geometry);
	s->answers.geometry = NULL;
	constraints_table_free(s->answers.constraints);
	s->answers.constraints = NULL;
}

void
state_forget_answers(struct state *s)
{
	forget_views(s);
	result_free(s->answers.result);
	neighbours_free(s->answers.neighbours);
	s->answers.result = NULL;
	s->answers.neighbours = NULL;
	state_shown_changed(s);
}

/* Marked observations, if there are any, restrict the table to them. */
static void
state_answers_make_table(struct state *s)
{
	bool some = state_count_marked(s) > 0;

	s->answers.constraints = constraints_new(s->answers.result, some ? s->view.marks.on : NULL);
	s->answers.touch = mem_new_array(s->answers.constraints->n, sizeof *s->answers.touch);
	state_shown_changed(s);
}

static bool
same_cone(const struct result *a, const struct result *b)
{
	if (!fset_equal(&a->on, &b->on) || a->n_constraints != b->n_constraints || a->n_counters != b->n_counters ||
		a->signatures != b->signatures)
		return false;
	for (size_t i = 0; i < a->n_constraints; i++)
		if (a->constraint[i].equality != b->constraint[i].equality ||
			memcmp(a->constraint[i].coef, b->constraint[i].coef,
				a->n_counters * sizeof *a->constraint[i].coef) != 0)
			return false;
	return true;
}

static bool
same_refutations(const struct result *a, const struct result *b)
{
	if (a->n_findings != b->n_findings)
		return false;
	for (size_t i = 0; i < a->n_findings; i++)
		if ((a->finding[i].verdict == VERDICT_INFEASIBLE) != (b->finding[i].verdict == VERDICT_INFEASIBLE))
			return false;
	return true;
}

static struct kept
keep_answers(struct state *state, const struct result *next)
{
	const struct constraint_row *row = state_constraint(state);
	struct kept k = {.text = row && state->view.chose_constraint ? mem_str(row->c->text) : NULL,
		.place = (size_t)state->view.cursor[PANE_CONSTRAINTS]};

	/* the same index may mean another finding now */
	if (state->answers.geometry && state->answers.result && state->answers.result->n_findings == next->n_findings) {
		k.geometry = state->answers.geometry;
		state->answers.geometry = NULL;
	}
	if (!state->answers.constraints || !same_cone(state->answers.result, next))
		return k;
	if (same_refutations(state->answers.result, next)) {
		k.n = state->answers.result->n_constraints;
		k.touch = mem_copy(state->answers.touch, k.n * sizeof *k.touch);
		memset(state->answers.touch, 0, k.n * sizeof *state->answers.touch);
		k.loss = state->answers.loss;
		state->answers.loss = NULL;
	}
	return k;
}

static void
show_result(struct state *state, struct kept k)
{
	const size_t *order;
	size_t n;

	if (state->view.marks.n < state->answers.result->n_findings) {
		bool *more = mem_new_array(state->answers.result->n_findings, sizeof *more);

		if (state->view.marks.n)
			memcpy(more, state->view.marks.on, state->view.marks.n * sizeof *more);
		free(state->view.marks.on);
		state->view.marks.on = more;
		state->view.marks.n = state->answers.result->n_findings;
	}
	state->answers.geometry = k.geometry;
	state_answers_make_table(state);
	if (k.touch)
		memcpy(state->answers.touch, k.touch, k.n * sizeof *state->answers.touch);
	state->answers.loss = k.loss ? k.loss
				     : mem_new_array(state->answers.result->n_counters, sizeof *state->answers.loss);
	order = state_constraints(state, &n);
	state->view.constraint = n ? order[k.text ? (k.place < n ? k.place : n - 1) : 0] : 0;
	for (size_t i = 0; k.text && i < state->answers.constraints->n; i++)
		if (str_eq(state->answers.constraints->row[i].c->text, k.text))
			state->view.constraint = i;
	free(k.text);
	free(k.touch);
	state_sync_cursors(state);
}

/* After marks have changed: the engine's answers about the cone's constraints stay. */
void
state_remake_constraints(struct state *state)
{
	const struct constraint_row *row = state_constraint(state);
	char *text = row ? mem_str(row->c->text) : NULL;
	struct constraint_detail **old = state->answers.touch;
	size_t n = state->answers.constraints->n, keep = state->answers.result->n_constraints;

	constraints_table_free(state->answers.constraints);
	state_answers_make_table(state);
	for (size_t i = 0; i < n; i++)
		if (i < keep)
			state->answers.touch[i] = old[i];
		else
			touch_free(old[i]);
	free(old);
	state->view.constraint = 0;
	for (size_t i = 0; text && i < state->answers.constraints->n; i++)
		if (str_eq(state->answers.constraints->row[i].c->text, text))
			state->view.constraint = i;
	free(text);
	state_sync_cursors(state);
}

/* Panes that show the result, and among them those that show the geometry of one finding. */
#define GEOMETRY_PANES (PANE_BIT(PANE_PLOT) | PANE_BIT(PANE_LEGEND) | PANE_BIT(PANE_WHOLE))
#define RESULT_PANES \
	(GEOMETRY_PANES | PANE_BIT(PANE_WHY) | PANE_BIT(PANE_OBSERVATIONS) | PANE_BIT(PANE_WITNESS) | \
		PANE_BIT(PANE_SELECTED) | PANE_BIT(PANE_CONSTRAINTS) | PANE_BIT(PANE_TOUCHED) | \
		PANE_BIT(PANE_BROKEN) | PANE_BIT(PANE_MATRIX) | PANE_BIT(PANE_LIST) | PANE_BIT(PANE_OBSERVED))

bool
state_pane_is_old(const struct state *state, enum pane_id pane)
{
	if (pane == PANE_SEARCH)
		return state_search_old(state);
	if ((PANE_BIT(pane) & GEOMETRY_PANES) && state->answers.geometry &&
		!state_is_current(state, &state->answers.geometry_stamp))
		return true;
	return (PANE_BIT(pane) & RESULT_PANES) && state->answers.result && state_stale(state);
}

static bool
wants_touch(const struct state *s, size_t row)
{
	/* relaxers of the constraint that refutes the selected observation */
	if (s->view.current == VIEW_MODELS)
		return state_shows_pane(s, PANE_WHY) && row == state_why_row(s);
	if (s->view.current == VIEW_GEOMETRY)
		return row == state_why_row(s);
	return s->view.current == VIEW_CONSTRAINTS && s->view.popup.kind != POPUP_LOSS && row == s->view.constraint;
}

/* The row that the view shows; CONSTRAINT_NONE: none. */
static size_t
row_in_view(const struct state *s)
{
	return s->view.current == VIEW_MODELS || s->view.current == VIEW_GEOMETRY ? state_why_row(s)
										  : s->view.constraint;
}

/* Counters of the constraint under the cursor, or of the list that `x` opened. */
static bool
wants_loss(const struct state *s, size_t counter)
{
	const struct constraint_row *row = state_constraint(s);

	return s->view.current == VIEW_CONSTRAINTS &&
		(s->view.popup.kind == POPUP_LOSS || (row && row->c->coef[counter]));
}

/* The µpath of pane "Signature witness". */
static bool
wants_witness(const struct state *s, size_t counter)
{
	return s->view.current == VIEW_MODELS && state_shows_pane(s, PANE_WITNESS) &&
		counter == state_witness_counter(s);
}

bool
state_wants_answer(const struct state *state, struct detail q)
{
	if (!state->answers.constraints)
		return false;
	switch (q.kind) {
	case DETAIL_NONE:
		break;
	case DETAIL_TOUCH:
		return wants_touch(state, q.index);
	case DETAIL_LOSS:
		return wants_loss(state, q.index);
	case DETAIL_GEOMETRY:
		return state->view.current == VIEW_GEOMETRY && q.index == state->view.selected;
	case DETAIL_WITNESS:
		return wants_witness(state, q.index);
	}
	return false;
}

struct detail
state_next_detail(const struct state *state)
{
	struct detail q = {0};
	size_t n, from, row = row_in_view(state);
	const size_t *counter;

	if (!state->answers.constraints || state_stale(state) || state->answers.result->error)
		return q;
	if (state->view.current == VIEW_GEOMETRY) {
		bool there = state->answers.geometry && state->answers.geometry->finding == state->view.selected &&
			state_is_current(state, &state->answers.geometry_stamp);

		if (state_finding(state) && !there)
			return (struct detail){DETAIL_GEOMETRY, state->view.selected};
	}
	if (row < state->answers.constraints->n && wants_touch(state, row) && !state->answers.touch[row])
		return (struct detail){DETAIL_TOUCH, row};
	if (state->view.current == VIEW_GEOMETRY)
		return q;
	if (state->view.current == VIEW_MODELS) {
		size_t c = state_witness_counter(state);
		bool there = state->answers.witness.text && state->answers.witness.of == c &&
			fset_equal(&state->answers.witness.on, &state->question.on);

		return c < state->question.model->n_counters && wants_witness(state, c) && !there
			? (struct detail){DETAIL_WITNESS, c} : q;
	}
	counter = state_counters(state, &n);
	from = state->view.popup.kind == POPUP_LOSS && state->view.popup.cursor > 0 ? (size_t)state->view.popup.cursor
										    : 0;
	for (size_t k = 0; k < n && q.kind == DETAIL_NONE; k++) {
		size_t i = counter[(from + k) % n];

		if (wants_loss(state, i) && !state->answers.loss[i])
			q = (struct detail){DETAIL_LOSS, i};
	}
	return q;
}

void
state_take_touch(struct state *s, struct constraint_detail *t)
{
	s->answers.asked = (struct detail){0};
	if (!s->answers.constraints || t->constraint >= s->answers.constraints->n) {
		touch_free(t);
		return;
	}
	touch_free(s->answers.touch[t->constraint]);
	s->answers.touch[t->constraint] = t;
}

void
state_take_loss(struct state *s, struct counter_loss *l)
{
	s->answers.asked = (struct detail){0};
	if (!s->answers.loss || l->counter >= s->answers.result->n_counters) {
		loss_free(l);
		return;
	}
	loss_free(s->answers.loss[l->counter]);
	s->answers.loss[l->counter] = l;
}

void
state_take_geometry(struct state *s, struct geometry *g)
{
	s->answers.asked = (struct detail){0};
	geometry_free(s->answers.geometry);
	s->answers.geometry = g;
	s->answers.geometry_stamp = s->answers.stamp;
}

void
state_take_witness(struct state *s, size_t counter, char *lines)
{
	s->answers.asked = (struct detail){0};
	free(s->answers.witness.text);
	s->answers.witness.text = lines;
	s->answers.witness.of = counter;
	s->answers.witness.on = s->answers.result ? s->answers.result->on : s->question.on;
	s->view.cursor[PANE_WITNESS] = 0;
}

void
state_refuse(struct state *state, struct detail q)
{
	struct constraint_detail *detail;
	struct counter_loss *loss;
	struct geometry *geometry;

	switch (q.kind) {
	case DETAIL_NONE:
		break;
	case DETAIL_TOUCH:
		detail = mem_new(sizeof *detail);
		detail->constraint = q.index;
		detail->failed = true;
		state_take_touch(state, detail);
		break;
	case DETAIL_LOSS:
		loss = mem_new(sizeof *loss);
		loss->counter = q.index;
		loss->failed = true;
		state_take_loss(state, loss);
		break;
	case DETAIL_GEOMETRY:
		geometry = mem_new(sizeof *geometry);
		geometry->finding = q.index;
		geometry->failed = true;
		state_take_geometry(state, geometry);
		break;
	case DETAIL_WITNESS:
		state_take_witness(state, q.index, mem_str(""));
		break;
	}
}

/* --- what the engine does ---------------------------------------------------------------------------------------- */

/* The observation that violates the model most, to be selected without a search. */
static size_t
worst_finding(const struct result *result)
{
	size_t worst = 0;

	for (size_t i = 1; i < result->n_findings; i++) {
		const struct finding *a = &result->finding[worst], *b = &result->finding[i];
		double x = a->proof.n_violated ? a->proof.violated->margin : 0,
		       y = b->proof.n_violated ? b->proof.violated->margin : 0;

		if (b->verdict == VERDICT_INFEASIBLE && (a->verdict != VERDICT_INFEASIBLE || y > x))
			worst = i;
	}
	return worst;
}

static bool
same_observation(const struct finding *a, const struct finding *b)
{
	return a->data.samples == b->data.samples && a->counter.n_values == b->counter.n_values &&
		str_eq(a->name, b->name) &&
		(!a->counter.n_values ||
			memcmp(a->counter.value, b->counter.value, a->counter.n_values * sizeof *a->counter.value) ==
				0);
}

/* Are two results of the same data? */
static bool
same_data(const struct result *a, const struct result *b)
{
	if (!a || a->n_findings != b->n_findings)
		return false;
	for (size_t i = 0; i < a->n_findings; i++)
		if (!same_observation(&a->finding[i], &b->finding[i]))
			return false;
	return true;
}

/* Does a command lead, and does it have observations? The programs of a specification have no latest one. */
static bool
has_rows(struct run *leader)
{
	return run_facts(leader).label && run_table(leader)->n;
}

/* The observation of that name, the nearest to `near` if several have it; n_findings: none. */
static size_t
finding_named(const struct result *result, const char *name, size_t near)
{
	size_t best = result->n_findings, off = SIZE_MAX;

	for (size_t i = 0; i < result->n_findings; i++) {
		size_t far = i < near ? near - i : i - near;

		if (far < off && str_eq(result->finding[i].name, name)) {
			best = i;
			off = far;
		}
	}
	return best;
}

/* The observation to select. Until the user chooses one it is the newest of a command, or the worst. */
static size_t
selection_in(const struct state *state, const struct result *result)
{
	const struct finding *was = state_finding(state);
	const uint64_t *wanted = state->shown->things.wanted;
	bool grew = !state->answers.result || state->answers.result->n_findings != result->n_findings,
	     chose = wanted[PANE_LIST] || wanted[PANE_OBSERVATIONS] || wanted[PANE_BROKEN];
	size_t n = result->n_findings, at = state->view.selected, same;

	if (grew && n && !chose)
		return state->data.had_run && has_rows(state->data.leader) ? n - 1 : worst_finding(result);
	same = was ? finding_named(result, was->name, at) : n;
	return same < n ? same : at < n ? at : n ? n - 1 : 0;
}

void
state_take_result(struct state *state, struct result *result)
{
	size_t selected = selection_in(state, result);
	bool grew = !state->answers.result || state->answers.result->n_findings != result->n_findings;
	struct kept kept = keep_answers(state, result);
	struct neighbours *neighbours = NULL;
	struct fset from = state->answers.result ? state->answers.result->on : result->on;

	/* The neighbours stay until new ones arrive, so that they do not flicker with each sample. */
	if (state->answers.result && !grew && fset_equal(&state->answers.result->on, &result->on)) {
		neighbours = state->answers.neighbours;
		state->answers.neighbours = NULL;
	}
	state->answers.stamp = (struct stamp){
		.on = result->on, .data = state->answers.stamp.data + !same_data(state->answers.result, result)};
	state_forget_answers(state);
	state->answers.neighbours = neighbours;
	state->answers.result = result;
	state->view.selected = selected;
	show_result(state, kept);
	state_note_model(state, &from);
}

void
state_take_neighbours(struct state *s, struct neighbours *t)
{
	neighbours_free(s->answers.neighbours);
	s->answers.neighbours = t;
}
