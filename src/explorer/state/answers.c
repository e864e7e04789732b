#include "explorer/state/answers.h"

#include <math.h>
#include <stdio.h>

#include "base/mem.h"
#include "core/udd/model.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "work/timeline/timeline.h"

bool
state_stale(const struct state *s)
{
	return !s->answers.result || !fset_equal(&s->answers.stamp.on, &s->question.on);
}

bool
state_is_current(const struct state *s, const struct stamp *t)
{
	return t->data == s->answers.stamp.data && fset_equal(&t->on, &s->answers.stamp.on);
}

const struct finding *
state_finding(const struct state *s)
{
	return s->answers.result && s->view.selected < s->answers.result->n_findings
		? &s->answers.result->finding[s->view.selected] : NULL;
}

const struct constraint_row *
state_constraint(const struct state *s)
{
	return s->answers.constraints && s->view.constraint < s->answers.constraints->n
		? &s->answers.constraints->row[s->view.constraint] : NULL;
}

const size_t *
state_constraints(const struct state *s, size_t *n)
{
	return state_shown(s, &shown_constraints, n);
}

const size_t *
state_observations(const struct state *s, size_t *n)
{
	return state_shown(s, &shown_observations, n);
}

const size_t *
state_counters(const struct state *s, size_t *n)
{
	return state_shown(s, &shown_counters, n);
}

static void *
make_constraints(const struct state *s, size_t *n)
{
	return constraints_order(s->answers.constraints, s->view.sort.constraints, s->view.filter[VIEW_CONSTRAINTS], n);
}

static void *
make_observations(const struct state *s, size_t *n)
{
	bool whole = s->answers.result && s->view.marks.n >= s->answers.result->n_findings;

	return observations_order(s->answers.result, s->view.sort.observations, s->view.filter[VIEW_OBSERVATIONS],
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

static void *
make_counters(const struct state *s, size_t *n)
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

static void
stamp_counters(const struct state *s, uint64_t *stamp)
{
	shown_add(stamp, s->view.constraint);
}

static uint64_t
constraint_thing(const struct state *s, const void *row)
{
	return thing_text(0, s->answers.constraints->row[*(const size_t *)row].c->text);
}

static uint64_t
finding_thing(const struct state *s, const void *row)
{
	return thing_text(0, s->answers.result->finding[*(const size_t *)row].name);
}

const struct shown_ops
	shown_constraints = {.kind = SHOWN_CONSTRAINTS, .make = make_constraints, .size = sizeof(size_t),
		.thing = constraint_thing,
		.filter = VIEW_CONSTRAINTS, .sort = offsetof(struct state, view.sort.constraints)},
	shown_observations = {.kind = SHOWN_OBSERVATIONS, .make = make_observations, .size = sizeof(size_t),
		.thing = finding_thing,
		.filter = VIEW_OBSERVATIONS, .sort = offsetof(struct state, view.sort.observations)},
	shown_counters = {.kind = SHOWN_COUNTERS, .make = make_counters, .stamp = stamp_counters,
		.size = sizeof(size_t)};

void
state_engine_asked(struct state *s)
{
	state_set_asked(s, (struct detail){0});
	s->answers.progress = (struct progress){.busy = true, .since = s->view.frame.now};
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
