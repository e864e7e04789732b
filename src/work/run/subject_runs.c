#include "work/run/subject_runs.h"

#include <stdlib.h>

#include "base/str.h"
#include "core/spec/spec.h"
#include "work/run/counters_run.h"
#include "work/run/flow_recorder.h"
#include "work/run/flow_run.h"
#include "work/run/run.h"
#include "work/run/spec_run.h"
#include "work/run/tasktime_run.h"

/* Sets *r to a run of counters: an earlier one, or a new one. */
static bool
subject_runs_make_counters(const struct subject_runs_options *o, struct run **r, struct err *e)
{
	const struct sampling *s = &o->sampling;
	struct counters_run_options how = {
		.counter = o->chosen, .argv = o->argv, .target = o->target,
		.interval_ms = s->interval_ms, .samples = s->samples, .duration = s->duration,
		.rotation = s->rotation, .rotation_given = s->rotation_given,
		.totals = o->totals, .folds = o->folds, .peeked = o->peeked,
		.out_fd = o->out_fd, .err_fd = o->err_fd, .no_input = o->no_input, .own_group = o->own_group,
		.setup = o->setup, .keep = o->keep,
	};
	struct counter_list *list;
	bool *picked = NULL;

	for (size_t i = 0; i < o->n_earlier; i++)
		if (run_as_counters(o->earlier[i])) {
			*r = o->earlier[i];
			counters_run_set_command(run_as_counters(*r), &how);
			return true;
		}
	list = o->counters(o->ctx, e);
	if (list && o->picked)
		how.counter = picked = counter_list_pick(list, o->picked, e);
	if (list && (picked || !o->picked))
		*r = counters_as_run(counters_run_new(list, &how));
	else
		counter_list_free(list);
	free(picked);
	return *r != NULL;
}

static bool
make_spec(const struct subject_runs_options *o, struct run **r, struct err *e)
{
	struct spec_run_options how = {
		.spec = o->spec, .counters = o->counters, .ctx = o->ctx, .picked = o->picked,
		.target = o->target, .closes_at_switches = o->flows.network != NULL,
		.out_fd = o->out_fd, .err_fd = o->err_fd,
		.again = 1, .folds = o->folds, .peeked = o->peeked, .apart = o->apart,
	};
	struct spec_run *spec;

	for (size_t i = 0; i < o->n_earlier; i++)
		how.again += run_as_spec(o->earlier[i]) != NULL;
	spec = spec_run_new(&how, e);
	*r = spec ? spec_as_run(spec) : NULL;
	return spec != NULL;
}

/* A run of the tasks of the subject; if counters of a command lead, of the processes that they hold. */
static struct run *
make_tasks(const struct subject_runs_options *o)
{
	struct tasktime_run_options how = {
		.interval_ms = !o->spec ? o->sampling.interval_ms
			: o->spec->mode == SPEC_AGGREGATED ? 0 : spec_interval_ms(o->spec),
		.variant_given = o->tasks.variant_given, .variant = o->tasks.variant,
		.ring_kb = o->ring_kb, .folds = o->folds,
		.out_fd = -1, .err_fd = -1,
	};
	struct str name = {0};
	struct tasktime_run *r;

	if (o->spec) {
		how.by_hand = true;
		str_add(&name, o->spec->name);
	} else if (!o->counters || !o->argv) {
		how.argv = o->argv;
		how.target = o->target;
		how.samples = o->sampling.samples;
		how.duration = o->sampling.duration;
		how.out_fd = o->out_fd;
		how.err_fd = o->err_fd;
		how.no_input = o->no_input;
		how.own_group = o->own_group;
		how.setup = o->setup;
	} else {
		for (size_t i = 0; o->argv[i]; i++)
			str_addf(&name, "%s%s", i ? " " : "", o->argv[i]);
	}
	how.name = name.n ? str_text(&name) : NULL;
	r = tasktime_run_new(&how);
	str_free(&name);
	return tasktime_as_run(r);
}

static struct run *
make_flows(const struct subject_runs_options *o)
{
	const struct flow_recorder_options how = {.target = o->target,
		.interval_ms = o->spec ? 0 : o->sampling.interval_ms, .ring_kb = o->ring_kb};
	const struct subject_flows *f = &o->flows;

	return flow_as_run(f->sums ? flow_run_new_sums(f->network, f->file, &how)
				   : flow_run_new(f->network, f->file, &how, f->leaves, f->ctx));
}

bool
subject_runs_make(struct runs *runs, const struct subject_runs_options *o, struct subject_runs *made, struct err *e)
{
	*made = (struct subject_runs){0};
	if (o->spec ? !make_spec(o, &made->counts, e) : o->counters && !subject_runs_make_counters(o, &made->counts, e))
		return false;
	if (o->flows.network)
		made->flows = make_flows(o);
	if (o->tasks.wanted)
		made->tasks = make_tasks(o);
	runs_clear(runs);
	if (made->counts)
		runs_add(runs, made->counts, false);
	if (made->flows)
		runs_add(runs, made->flows, o->optional);
	if (made->tasks)
		runs_add(runs, made->tasks, o->optional && o->counters);
	return true;
}

void
subject_runs_free(struct subject_runs *r, const struct run *kept)
{
	struct run *all[] = {r->flows, r->tasks, r->counts};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (all[i] != kept)
			run_free(all[i]);
	*r = (struct subject_runs){0};
}
