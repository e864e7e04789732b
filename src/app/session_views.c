#include "app/session_views.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "app/live.h"
#include "app/loss.h"
#include "app/touch.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"

const struct constraint_row *
session_constraint(const struct session *s)
{
	return s->constraints && s->constraint < s->constraints->n ? &s->constraints->row[s->constraint] : NULL;
}

size_t *
session_constraints(const struct session *s, size_t *n)
{
	return constraints_order(s->constraints, s->constraint_sort, s->filter[VIEW_CONSTRAINTS], n);
}

size_t *
session_observations(const struct session *s, size_t *n)
{
	bool whole = s->result && s->n_marked >= s->result->n_findings;

	return observations_order(s->result, s->observation_sort, s->filter[VIEW_OBSERVATIONS], whole ? s->marked : NULL, n);
}

size_t
session_count_marked(const struct session *s)
{
	size_t n = 0;

	for (size_t i = 0; s->result && i < s->n_marked && i < s->result->n_findings; i++)
		n += s->marked[i];
	return n;
}

size_t *
session_counters(const struct session *s, size_t *n)
{
	const struct constraint_row *row = session_constraint(s);
	size_t all = s->result ? s->result->n_counters : 0, *out = mem_new_array(all, sizeof *out);

	*n = 0;
	for (int round = 0; round < 2; round++)
		for (size_t i = 0; i < all; i++)
			if (s->result->used[i] && (row && row->c->coef[i] != 0) == (round == 0))
				out[(*n)++] = i;
	return out;
}

const struct obs *
session_samples(const struct session *s, size_t finding, const struct obs_table **table)
{
	for (size_t t = 0; t <= s->n_tables; t++) {
		const struct obs_table *data = t < s->n_tables ? s->table[t] : s->live ? live_table(s->live) : NULL;

		for (size_t i = 0; data && i < data->n; i++) {
			if (s->how.observations && fnmatch(s->how.observations, data->obs[i]->name, 0) != 0)
				continue;
			*table = data;
			if (finding-- == 0)
				return data->obs[i];
		}
	}
	return NULL;
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
sync_constraint(struct session *s)
{
	size_t n, *order = session_constraints(s, &n), at = place_of(order, n, s->constraint);

	if (at == n && n) {
		at = 0;
		s->constraint = order[0];
	}
	s->cursor[PANE_CONSTRAINTS] = s->cursor[PANE_MATRIX] = at < n ? (int)at : 0;
	free(order);
}

static void
sync_observation(struct session *s)
{
	const struct constraint_row *row = session_constraint(s);
	size_t n, *order = session_observations(s, &n), at = place_of(order, n, s->selected);

	s->cursor[PANE_OBSERVATIONS] = (int)s->selected;
	if (at == n && n && s->view == VIEW_OBSERVATIONS) {
		at = 0;
		s->selected = order[0];
	}
	s->cursor[PANE_LIST] = at < n ? (int)at : 0;
	s->cursor[PANE_BROKEN] = 0;
	for (size_t i = 0; row && i < row->n_breaches; i++)
		if (row->breach[i].finding == s->selected)
			s->cursor[PANE_BROKEN] = (int)i;
	free(order);
}

void
session_sync_cursors(struct session *s)
{
	sync_constraint(s);
	sync_observation(s);
}

void
session_choose(struct session *s, enum pane_id pane, int row)
{
	const struct constraint_row *c = session_constraint(s);
	size_t n, at = row > 0 ? (size_t)row : 0, *order;

	s->cursor[pane] = (int)at;
	switch (pane) {
	case PANE_CONSTRAINTS:
	case PANE_MATRIX:
		order = session_constraints(s, &n);
		if (at < n && order[at] != s->constraint) {
			s->constraint = order[at];
			s->cursor[PANE_TOUCHED] = 0;
		}
		free(order);
		break;
	case PANE_BROKEN:
		if (c && at < c->n_breaches)
			s->selected = c->breach[at].finding;
		break;
	case PANE_LIST:
		order = session_observations(s, &n);
		if (at < n && order[at] != s->selected) {
			s->selected = order[at];
			s->cursor[PANE_OBSERVED] = s->cursor[PANE_SAMPLES] = 0;
		}
		free(order);
		break;
	case PANE_OBSERVATIONS:
		s->selected = at;
		break;
	case PANE_FEATURES:
	case PANE_TREE:
	case PANE_WHY:
	case PANE_TOUCHED:
	case PANE_OBSERVED:
	case PANE_SAMPLES:
	case PANE_COUNT:
		return;
	}
	session_sync_cursors(s);
}

static void
free_answers(struct session *s)
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
session_forget_views(struct session *s)
{
	free_answers(s);
	constraints_table_free(s->constraints);
	s->constraints = NULL;
}

/* Marks restrict the table when there are some. */
static void
make_table(struct session *s)
{
	bool some = session_count_marked(s) > 0;

	s->constraints = constraints_new(s->result, some ? s->marked : NULL);
	s->touch = mem_new_array(s->constraints->n, sizeof *s->touch);
}

static bool
same_cone(const struct result *a, const struct result *b)
{
	if (!fset_equal(&a->on, &b->on) || a->n_constraints != b->n_constraints || a->n_counters != b->n_counters || a->signatures != b->signatures)
		return false;
	for (size_t i = 0; i < a->n_constraints; i++)
		if (a->constraint[i].equality != b->constraint[i].equality ||
		    memcmp(a->constraint[i].coef, b->constraint[i].coef, a->n_counters * sizeof *a->constraint[i].coef) != 0)
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
session_keep(struct session *s, const struct result *next)
{
	const struct constraint_row *row = session_constraint(s);
	struct kept k = {.text = row ? mem_str(row->c->text) : NULL};

	if (!s->constraints || !same_cone(s->result, next))
		return k;
	k.n = s->result->n_constraints;
	k.touch = mem_copy(s->touch, k.n * sizeof *k.touch);
	memset(s->touch, 0, k.n * sizeof *s->touch);
	if (same_refutations(s->result, next)) {
		k.loss = s->loss;
		s->loss = NULL;
	}
	return k;
}

void
session_look_at_result(struct session *s, struct kept k)
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
	make_table(s);
	if (k.touch)
		memcpy(s->touch, k.touch, k.n * sizeof *s->touch);
	s->loss = k.loss ? k.loss : mem_new_array(s->result->n_counters, sizeof *s->loss);
	order = session_constraints(s, &n);
	s->constraint = n ? order[0] : 0;
	free(order);
	for (size_t i = 0; k.text && i < s->constraints->n; i++)
		if (str_eq(s->constraints->row[i].c->text, k.text))
			s->constraint = i;
	free(k.text);
	free(k.touch);
	session_sync_cursors(s);
}

/* The same result with other marks: what the engine said of the cone's own constraints stays. */
static void
remake_table(struct session *s)
{
	const struct constraint_row *row = session_constraint(s);
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
	session_sync_cursors(s);
}

void
session_mark(struct session *s)
{
	if (!s->result || s->selected >= s->n_marked || s->selected >= s->result->n_findings)
		return;
	s->marked[s->selected] = !s->marked[s->selected];
	remake_table(s);
	session_say(s, false, "%s is %smarked; %zu marked", s->result->finding[s->selected].name, s->marked[s->selected] ? "" : "not ",
		    session_count_marked(s));
}

void
session_unmark(struct session *s)
{
	if (!s->result || !session_count_marked(s))
		return;
	memset(s->marked, 0, s->n_marked * sizeof *s->marked);
	remake_table(s);
	session_say(s, false, "nothing is marked");
}

void
session_sort(struct session *s)
{
	if (s->view == VIEW_CONSTRAINTS) {
		s->constraint_sort = (s->constraint_sort + 1) % CONSTRAINT_SORTS;
		session_say(s, false, "sorted by %s", constraint_sort_name(s->constraint_sort));
	} else {
		s->observation_sort = (s->observation_sort + 1) % OBSERVATION_SORTS;
		session_say(s, false, "sorted by %s", observation_sort_name(s->observation_sort));
	}
	session_sync_cursors(s);
}

void
session_set_filter(struct session *s, const char *words)
{
	size_t n;

	free(s->filter[s->view]);
	s->filter[s->view] = *words ? mem_str(words) : NULL;
	free(s->view == VIEW_CONSTRAINTS ? session_constraints(s, &n) : session_observations(s, &n));
	if (n == 0 && *words)
		session_say(s, true, "no row holds \"%s\"; %s with nothing shows all", words, "\\");
	session_sync_cursors(s);
}

void
session_show_view(struct session *s, enum view v)
{
	static const enum pane_id first[VIEW_COUNT] = {[VIEW_MODELS] = PANE_FEATURES, [VIEW_CONSTRAINTS] = PANE_CONSTRAINTS, [VIEW_OBSERVATIONS] = PANE_LIST};

	if (!s->model) {
		session_say(s, false, "no model is open yet; choose one here");
		return;
	}
	s->came_from = VIEW_START;
	if (s->view == v)
		return;
	s->view_focus[s->view] = s->focus;
	s->view = v;
	s->focus = s->view_focus[v] > first[v] ? s->view_focus[v] : first[v];
	s->shown = s->focus;
	s->visible = ~0;
	session_sync_cursors(s);
}

void
session_jump(struct session *s, size_t finding)
{
	enum view from = s->view;

	if (!s->result || finding >= s->result->n_findings)
		return;
	free(s->filter[VIEW_OBSERVATIONS]);
	s->filter[VIEW_OBSERVATIONS] = NULL;
	s->selected = finding;
	session_show_view(s, VIEW_OBSERVATIONS);
	s->came_from = from;
}

bool
session_go_back(struct session *s)
{
	enum view to = s->came_from;

	if (to == VIEW_START)
		return false;
	session_show_view(s, to);
	return true;
}

static bool
wants_touch(const struct session *s, size_t row)
{
	return s->view == VIEW_CONSTRAINTS && s->popup != POPUP_LOSS && row == s->constraint;
}

/* Counters of the constraint under the cursor, or of the list that `x` opened. */
static bool
wants_loss(const struct session *s, size_t counter)
{
	const struct constraint_row *row = session_constraint(s);

	return s->view == VIEW_CONSTRAINTS && (s->popup == POPUP_LOSS || (row && row->c->coef[counter]));
}

bool
session_wants_answer(const struct session *s, struct question q)
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
	}
	return false;
}

struct question
session_question(const struct session *s)
{
	struct question q = {0};
	size_t n, *counter, from;

	if (!s->constraints || session_stale(s) || s->result->error)
		return q;
	if (s->constraint < s->constraints->n && wants_touch(s, s->constraint) && !s->touch[s->constraint])
		return (struct question){QUESTION_TOUCH, s->constraint};
	counter = session_counters(s, &n);
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
session_take_touch(struct session *s, struct touch *t)
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
session_take_loss(struct session *s, struct loss *l)
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
session_refuse(struct session *s, struct question q)
{
	struct touch *t;
	struct loss *l;

	switch (q.kind) {
	case QUESTION_NONE:
		break;
	case QUESTION_TOUCH:
		t = mem_new(sizeof *t);
		t->constraint = q.index;
		t->failed = true;
		session_take_touch(s, t);
		break;
	case QUESTION_LOSS:
		l = mem_new(sizeof *l);
		l->counter = q.index;
		l->failed = true;
		session_take_loss(s, l);
		break;
	}
}
