/* What view 2 knows of the result besides: the table of constraints, and what the engine was asked about them. */
#include "app/state/state_views.h"

#include <stdlib.h>
#include <string.h>

#include "app/analysis/geometry.h"
#include "app/analysis/loss.h"
#include "app/analysis/touch.h"
#include "app/state/state_relax.h"
#include "app/state/state_search.h"
#include "base/mem.h"
#include "base/str.h"

static void
free_answers(struct state *s)
{
	for (size_t i = 0; s->touch && i < s->constraints->n; i++)
		touch_free(s->touch[i]);
	for (size_t i = 0; s->loss && i < s->result->n_counters; i++)
		loss_free(s->loss[i]);
	free(s->touch);
	free(s->loss);
	s->touch = NULL;
	s->loss = NULL;
	s->asked = (struct question){0};
}

void
state_forget_views(struct state *s)
{
	free_answers(s);
	geometry_free(s->geometry);
	s->geometry = NULL;
	constraints_table_free(s->constraints);
	s->constraints = NULL;
}

/* Marks restrict the table when there are some. */
static void
make_table(struct state *s)
{
	bool some = state_count_marked(s) > 0;

	s->constraints = constraints_new(s->result, some ? s->marked : NULL);
	s->touch = mem_new_array(s->constraints->n, sizeof *s->touch);
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

struct kept
state_keep(struct state *s, const struct result *next)
{
	const struct constraint_row *row = state_constraint(s);
	struct kept k = {.text = row && s->chose_constraint ? mem_str(row->c->text) : NULL};

	/* other findings have other numbers */
	if (s->geometry && s->result && s->result->n_findings == next->n_findings) {
		k.geometry = s->geometry;
		s->geometry = NULL;
	}
	if (!s->constraints || !same_cone(s->result, next))
		return k;
	if (same_refutations(s->result, next)) {
		k.n = s->result->n_constraints;
		k.touch = mem_copy(s->touch, k.n * sizeof *k.touch);
		memset(s->touch, 0, k.n * sizeof *s->touch);
		k.loss = s->loss;
		s->loss = NULL;
	}
	return k;
}

void
state_look_at_result(struct state *s, struct kept k)
{
	size_t n, *order;

	if (s->n_marked < s->result->n_findings) {
		bool *more = mem_new_array(s->result->n_findings, sizeof *more);

		if (s->n_marked)
			memcpy(more, s->marked, s->n_marked * sizeof *more);
		free(s->marked);
		s->marked = more;
		s->n_marked = s->result->n_findings;
	}
	s->geometry = k.geometry;
	s->old_geometry = true;
	make_table(s);
	if (k.touch)
		memcpy(s->touch, k.touch, k.n * sizeof *s->touch);
	s->loss = k.loss ? k.loss : mem_new_array(s->result->n_counters, sizeof *s->loss);
	order = state_constraints(s, &n);
	s->constraint = n ? order[0] : 0;
	free(order);
	for (size_t i = 0; k.text && i < s->constraints->n; i++)
		if (str_eq(s->constraints->row[i].c->text, k.text))
			s->constraint = i;
	free(k.text);
	free(k.touch);
	state_sync_cursors(s);
}

/* The same result with other marks: what the engine said of the cone's own constraints stays. */
void
state_remake_constraints(struct state *s)
{
	const struct constraint_row *row = state_constraint(s);
	char *text = row ? mem_str(row->c->text) : NULL;
	struct touch **old = s->touch;
	size_t n = s->constraints->n, keep = s->result->n_constraints;

	constraints_table_free(s->constraints);
	make_table(s);
	for (size_t i = 0; i < n; i++)
		if (i < keep)
			s->touch[i] = old[i];
		else
			touch_free(old[i]);
	free(old);
	s->constraint = 0;
	for (size_t i = 0; text && i < s->constraints->n; i++)
		if (str_eq(s->constraints->row[i].c->text, text))
			s->constraint = i;
	free(text);
	state_sync_cursors(s);
}

static bool
wants_touch(const struct state *s, size_t row)
{
	if (s->view == VIEW_MODELS) /* what relaxes the constraint that refutes the observation under the cursor */
		return (s->visible & 1 << PANE_WHY) && row == state_why_row(s);
	return s->view == VIEW_CONSTRAINTS && s->popup != POPUP_LOSS && row == s->constraint;
}

/* The row that the view tells about; not there: CONSTRAINT_NONE. */
static size_t
row_in_view(const struct state *s)
{
	return s->view == VIEW_MODELS ? state_why_row(s) : s->constraint;
}

/* Counters of the constraint under the cursor, or of the list that `x` opened. */
static bool
wants_loss(const struct state *s, size_t counter)
{
	const struct constraint_row *row = state_constraint(s);

	return s->view == VIEW_CONSTRAINTS && (s->popup == POPUP_LOSS || (row && row->c->coef[counter]));
}

/* The µpath of pane "Signature witness". */
static bool
wants_witness(const struct state *s, size_t counter)
{
	return s->view == VIEW_MODELS && s->visible & 1 << PANE_WITNESS && counter == state_witness_counter(s);
}

bool
state_wants_answer(const struct state *s, struct question q)
{
	if (!s->constraints)
		return false;
	switch (q.kind) {
	case QUESTION_NONE:
		break;
	case QUESTION_TOUCH:
		return wants_touch(s, q.index);
	case QUESTION_LOSS:
		return wants_loss(s, q.index);
	case QUESTION_GEOMETRY:
		return s->view == VIEW_GEOMETRY && q.index == s->selected;
	case QUESTION_WITNESS:
		return wants_witness(s, q.index);
	}
	return false;
}

struct question
state_question(const struct state *s)
{
	struct question q = {0};
	size_t n, *counter, from, row = row_in_view(s);

	if (!s->constraints || state_stale(s) || s->result->error)
		return q;
	if (row < s->constraints->n && wants_touch(s, row) && !s->touch[row])
		return (struct question){QUESTION_TOUCH, row};
	if (s->view == VIEW_GEOMETRY) {
		bool there = s->geometry && s->geometry->finding == s->selected && !s->old_geometry;

		return state_finding(s) && !there ? (struct question){QUESTION_GEOMETRY, s->selected} : q;
	}
	if (s->view == VIEW_MODELS) {
		size_t c = state_witness_counter(s);
		bool there = s->witness && s->witness_of == c && fset_equal(&s->witness_on, &s->on);

		return c < s->model->n_counters && wants_witness(s, c) && !there
			? (struct question){QUESTION_WITNESS, c}
			: q;
	}
	counter = state_counters(s, &n);
	from = s->popup == POPUP_LOSS && s->popup_cursor > 0 ? (size_t)s->popup_cursor : 0;
	for (size_t k = 0; k < n && q.kind == QUESTION_NONE; k++) {
		size_t i = counter[(from + k) % n];

		if (wants_loss(s, i) && !s->loss[i])
			q = (struct question){QUESTION_LOSS, i};
	}
	free(counter);
	return q;
}

void
state_take_touch(struct state *s, struct touch *t)
{
	s->asked = (struct question){0};
	if (!s->constraints || t->constraint >= s->constraints->n) {
		touch_free(t);
		return;
	}
	touch_free(s->touch[t->constraint]);
	s->touch[t->constraint] = t;
}

void
state_take_loss(struct state *s, struct loss *l)
{
	s->asked = (struct question){0};
	if (!s->loss || l->counter >= s->result->n_counters) {
		loss_free(l);
		return;
	}
	loss_free(s->loss[l->counter]);
	s->loss[l->counter] = l;
}

void
state_take_geometry(struct state *s, struct geometry *g)
{
	s->asked = (struct question){0};
	geometry_free(s->geometry);
	s->geometry = g;
	s->old_geometry = false;
}

void
state_take_witness(struct state *s, size_t counter, char *lines)
{
	s->asked = (struct question){0};
	free(s->witness);
	s->witness = lines;
	s->witness_of = counter;
	s->witness_on = s->result ? s->result->on : s->on;
	s->cursor[PANE_WITNESS] = 0;
}

void
state_refuse(struct state *s, struct question q)
{
	struct touch *t;
	struct loss *l;
	struct geometry *g;

	switch (q.kind) {
	case QUESTION_NONE:
		break;
	case QUESTION_TOUCH:
		t = mem_new(sizeof *t);
		t->constraint = q.index;
		t->failed = true;
		state_take_touch(s, t);
		break;
	case QUESTION_LOSS:
		l = mem_new(sizeof *l);
		l->counter = q.index;
		l->failed = true;
		state_take_loss(s, l);
		break;
	case QUESTION_GEOMETRY:
		g = mem_new(sizeof *g);
		g->finding = q.index;
		g->failed = true;
		state_take_geometry(s, g);
		break;
	case QUESTION_WITNESS:
		state_take_witness(s, q.index, mem_str(""));
		break;
	}
}
