#include "app/state/data.h"

#include <math.h>

#include "app/analysis/result.h"
#include "app/run/live.h"
#include "app/run/spec_run.h"
#include "app/run/tasktime_run.h"
#include "app/state/state.h"
#include "core/obs/obs.h"

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
	return (s->data.live && live_running(s->data.live)) ||
		(s->data.n_specified && spec_run_running(s->data.specified[s->data.n_specified - 1])) ||
		(s->data.n_stalls && tasktime_run_running(s->data.stalls[s->data.n_stalls - 1]));
}

double
state_run_seconds(const struct state *s)
{
	struct tasktime_run_state state;
	struct spec_run_state specified;

	if (is_specified(s) && s->data.n_specified) {
		spec_run_state(s->data.specified[s->data.n_specified - 1], &specified);
		return specified.seconds;
	}
	if (s->data.live || !s->data.n_stalls)
		return s->data.live ? live_seconds(s->data.live) : 0;
	tasktime_run_state(s->data.stalls[s->data.n_stalls - 1], &state);
	return (double)state.elapsed_ns / 1e9;
}

const char *
state_subject(const struct state *s)
{
	return is_specified(s)             ? s->question.subject.spec->name
		: s->data.live             ? live_name(s->data.live)
		: s->question.subject.argv ? s->question.subject.argv[0]
					   : "";
}

void
state_interval(const struct state *s, double *asked, double *kept)
{
	struct spec_run_state t;

	*asked = *kept = s->question.sampling.interval_ms * 1e-3;
	if (!is_specified(s))
		return;
	*asked = *kept =
		s->question.subject.spec->mode == SPEC_AGGREGATED ? INFINITY : s->question.subject.spec->granularity;
	if (!s->data.n_specified)
		return;
	spec_run_state(s->data.specified[s->data.n_specified - 1], &t);
	*kept = t.present;
}

/* The table with the engine's number for it (app/control/). */
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
