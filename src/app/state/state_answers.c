/* What view 2 knows of the result besides: the table of constraints, and what the engine was asked about them. */
#include "app/state/state_views.h"

#include <stdio.h>
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

void
state_forget_views(struct state *s)
{
	free_answers(s);
	geometry_free(s->answers.geometry);
	s->answers.geometry = NULL;
	constraints_table_free(s->answers.constraints);
	s->answers.constraints = NULL;
}

/* Marks restrict the table when there are some. */
static void
make_table(struct state *s)
{
	bool some = state_count_marked(s) > 0;

	s->answers.constraints = constraints_new(s->answers.result, some ? s->view.marks.on : NULL);
	s->answers.touch = mem_new_array(s->answers.constraints->n, sizeof *s->answers.touch);
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
	struct kept k = {.text = row && s->view.chose_constraint ? mem_str(row->c->text) : NULL};

	/* other findings have other numbers */
	if (s->answers.geometry && s->answers.result && s->answers.result->n_findings == next->n_findings) {
		k.geometry = s->answers.geometry;
		s->answers.geometry = NULL;
	}
	if (!s->answers.constraints || !same_cone(s->answers.result, next))
		return k;
	if (same_refutations(s->answers.result, next)) {
		k.n = s->answers.result->n_constraints;
		k.touch = mem_copy(s->answers.touch, k.n * sizeof *k.touch);
		memset(s->answers.touch, 0, k.n * sizeof *s->answers.touch);
		k.loss = s->answers.loss;
		s->answers.loss = NULL;
	}
	return k;
}

void
state_look_at_result(struct state *s, struct kept k)
{
	size_t n, *order;

	if (s->view.marks.n < s->answers.result->n_findings) {
		bool *more = mem_new_array(s->answers.result->n_findings, sizeof *more);

		if (s->view.marks.n)
			memcpy(more, s->view.marks.on, s->view.marks.n * sizeof *more);
		free(s->view.marks.on);
		s->view.marks.on = more;
		s->view.marks.n = s->answers.result->n_findings;
	}
	s->answers.geometry = k.geometry;
	make_table(s);
	if (k.touch)
		memcpy(s->answers.touch, k.touch, k.n * sizeof *s->answers.touch);
	s->answers.loss = k.loss ? k.loss : mem_new_array(s->answers.result->n_counters, sizeof *s->answers.loss);
	order = state_constraints(s, &n);
	s->view.constraint = n ? order[0] : 0;
	free(order);
	for (size_t i = 0; k.text && i < s->answers.constraints->n; i++)
		if (str_eq(s->answers.constraints->row[i].c->text, k.text))
			s->view.constraint = i;
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
	struct touch **old = s->answers.touch;
	size_t n = s->answers.constraints->n, keep = s->answers.result->n_constraints;

	constraints_table_free(s->answers.constraints);
	make_table(s);
	for (size_t i = 0; i < n; i++)
		if (i < keep)
			s->answers.touch[i] = old[i];
		else
			touch_free(old[i]);
	free(old);
	s->view.constraint = 0;
	for (size_t i = 0; text && i < s->answers.constraints->n; i++)
		if (str_eq(s->answers.constraints->row[i].c->text, text))
			s->view.constraint = i;
	free(text);
	state_sync_cursors(s);
}

static bool
wants_touch(const struct state *s, size_t row)
{
	/* what relaxes the constraint that refutes the observation under the cursor */
	if (s->view.current == VIEW_MODELS)
		return state_shows_pane(s, PANE_WHY) && row == state_why_row(s);
	return s->view.current == VIEW_CONSTRAINTS && s->view.popup.kind != POPUP_LOSS && row == s->view.constraint;
}

/* The row that the view tells about; not there: CONSTRAINT_NONE. */
static size_t
row_in_view(const struct state *s)
{
	return s->view.current == VIEW_MODELS ? state_why_row(s) : s->view.constraint;
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
state_wants_answer(const struct state *s, struct detail q)
{
	if (!s->answers.constraints)
		return false;
	switch (q.kind) {
	case DETAIL_NONE:
		break;
	case DETAIL_TOUCH:
		return wants_touch(s, q.index);
	case DETAIL_LOSS:
		return wants_loss(s, q.index);
	case DETAIL_GEOMETRY:
		return s->view.current == VIEW_GEOMETRY && q.index == s->view.selected;
	case DETAIL_WITNESS:
		return wants_witness(s, q.index);
	}
	return false;
}

struct detail
state_next_detail(const struct state *s)
{
	struct detail q = {0};
	size_t n, *counter, from, row = row_in_view(s);

	if (!s->answers.constraints || state_stale(s) || s->answers.result->error)
		return q;
	if (row < s->answers.constraints->n && wants_touch(s, row) && !s->answers.touch[row])
		return (struct detail){DETAIL_TOUCH, row};
	if (s->view.current == VIEW_GEOMETRY) {
		bool there = s->answers.geometry && s->answers.geometry->finding == s->view.selected &&
			state_is_current(s, &s->answers.geometry_stamp);

		return state_finding(s) && !there ? (struct detail){DETAIL_GEOMETRY, s->view.selected} : q;
	}
	if (s->view.current == VIEW_MODELS) {
		size_t c = state_witness_counter(s);
		bool there = s->answers.witness.text && s->answers.witness.of == c &&
			fset_equal(&s->answers.witness.on, &s->question.on);

		return c < s->question.model->n_counters && wants_witness(s, c) && !there
			? (struct detail){DETAIL_WITNESS, c}
			: q;
	}
	counter = state_counters(s, &n);
	from = s->view.popup.kind == POPUP_LOSS && s->view.popup.cursor > 0 ? (size_t)s->view.popup.cursor : 0;
	for (size_t k = 0; k < n && q.kind == DETAIL_NONE; k++) {
		size_t i = counter[(from + k) % n];

		if (wants_loss(s, i) && !s->answers.loss[i])
			q = (struct detail){DETAIL_LOSS, i};
	}
	free(counter);
	return q;
}

void
state_take_touch(struct state *s, struct touch *t)
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
state_take_loss(struct state *s, struct loss *l)
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
state_refuse(struct state *s, struct detail q)
{
	struct touch *t;
	struct loss *l;
	struct geometry *g;

	switch (q.kind) {
	case DETAIL_NONE:
		break;
	case DETAIL_TOUCH:
		t = mem_new(sizeof *t);
		t->constraint = q.index;
		t->failed = true;
		state_take_touch(s, t);
		break;
	case DETAIL_LOSS:
		l = mem_new(sizeof *l);
		l->counter = q.index;
		l->failed = true;
		state_take_loss(s, l);
		break;
	case DETAIL_GEOMETRY:
		g = mem_new(sizeof *g);
		g->finding = q.index;
		g->failed = true;
		state_take_geometry(s, g);
		break;
	case DETAIL_WITNESS:
		state_take_witness(s, q.index, mem_str(""));
		break;
	}
}

/* --- what the engine does ---------------------------------------------------------------------------------------- */

void
state_engine_asked(struct state *s)
{
	state_set_asked(s, (struct detail){0});
	s->answers.progress = (struct progress){.busy = true, .since = s->view.now};
}

void
state_engine_progress(struct state *s, const char *stage, size_t done, size_t of)
{
	struct progress *p = &s->answers.progress;

	snprintf(p->stage, sizeof p->stage, "%s", stage);
	p->done = done;
	p->of = of;
}

void
state_engine_busy(struct state *s, bool busy)
{
	s->answers.progress.busy = busy;
}

void
state_engine_log(struct state *s, const char *line)
{
	str_addf(&s->answers.log, "%s\n", line);
}

void
state_set_asked(struct state *s, struct detail d)
{
	s->answers.asked = d;
}
