#include "explorer/state/data.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/obs/obs.h"
#include "core/spec/spec.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "work/analysis/result.h"
#include "work/run/run.h"

void
state_forget_runs(struct state *state)
{
	struct data *data = &state->data;

	for (size_t i = 0; i < data->n_runs; i++)
		if (data->run[i] != data->leader)
			run_free(data->run[i]);
	run_free(data->leader); /* after those that joined it */
	free(data->run);
	data->run = NULL;
	data->leader = NULL;
	data->n_runs = 0;
}

void
state_add_run(struct state *s, struct run *r)
{
	struct data *d = &s->data;

	for (size_t i = 0; i < d->n_runs; i++)
		if (d->run[i] == r)
			return;
	d->run = mem_resize(d->run, d->n_runs + 1, sizeof *d->run);
	d->run[d->n_runs++] = r;
}

void
state_set_leader(struct state *s, struct run *r)
{
	if (r && r != s->data.leader)
		state_want_nothing(s);
	s->data.leader = r;
}

size_t
state_table_number(const struct state *s, const struct run *r)
{
	size_t number = s->data.n_tables;

	for (size_t i = 0; i < s->data.n_runs && s->data.run[i] != r; i++)
		number += s->data.run[i]->ops->judged;
	return number;
}

/* NULL: there is none. */
static const struct obs_table *
state_numbered_table(const struct state *s, size_t number)
{
	if (number < s->data.n_tables)
		return s->data.table[number];
	for (size_t i = 0; i < s->data.n_runs; i++)
		if (s->data.run[i]->ops->judged && state_table_number(s, s->data.run[i]) == number)
			return run_table(s->data.run[i]);
	return NULL;
}

/* Is the subject the specification's programs? A command typed since replaces them. */
static bool
is_specified(const struct state *s)
{
	return s->question.subject.spec && !s->question.subject.argv;
}

bool
state_has_subject(const struct state *s)
{
	return s->question.subject.argv || s->question.subject.target || s->question.subject.spec;
}

bool
state_running(const struct state *s)
{
	for (size_t i = 0; i < s->data.n_runs; i++)
		if (run_running(s->data.run[i]))
			return true;
	return false;
}

double
state_run_seconds(const struct state *s)
{
	return run_facts(s->data.leader).seconds;
}

const char *
state_subject(const struct state *s)
{
	const char *label = run_facts(s->data.leader).label;

	return is_specified(s) ? s->question.subject.spec->name
		: label ? label
		: s->question.subject.argv ? s->question.subject.argv[0] : "";
}

void
state_interval(const struct state *s, double *asked, double *kept)
{
	double present = run_facts(s->data.leader).interval;

	*asked = *kept = s->question.sampling.interval_ms * 1e-3;
	if (!is_specified(s))
		return;
	*asked = *kept =
		s->question.subject.spec->mode == SPEC_AGGREGATED ? INFINITY : s->question.subject.spec->granularity;
	if (!isnan(present))
		*kept = present;
}

const struct obs *
state_samples(const struct state *s, const struct finding *f, const struct obs_table **table)
{
	const struct obs_table *t = state_numbered_table(s, f->data.table);

	if (!t || f->data.place >= t->n || f->data.row + f->data.rows > t->obs[f->data.place]->n_rows)
		return NULL;
	*table = t;
	return t->obs[f->data.place];
}

void
state_forget_history(struct state *s)
{
	struct verdict_history *h = &s->data.history;

	h->n = 0;
	h->step = 0;
	free(h->of);
	h->of = NULL;
}
