#include "work/run/subject_runs.h"

#include <stdlib.h>

#include "base/str.h"
#include "core/network/network.h"
#include "core/spec/spec.h"
#include "work/files/simulation.h"
#include "work/run/counters_run.h"
#include "work/run/flow_recorder.h"
#include "work/run/flow_run.h"
#include "work/run/run.h"
#include "work/run/spec_run.h"
#include "work/run/stall_counters.h"
#include "work/run/tasktime_run.h"

/* Sets *r to a run of counters: an earlier one, or a new one. */
static bool
subject_runs_make_counters(const struct subject_runs_options *options, struct run **r, struct err *e)
{
	const struct sampling *sampling = &options->sampling;
	struct counters_run_options how = {
		.counter = options->chosen.counter,
		.argv = options->argv,
		.target = options->target,
		.interval_ms = sampling->interval_ms,
		.samples = sampling->samples,
		.duration = sampling->duration,
		.rotation = sampling->rotation,
		.rotation_given = sampling->rotation_given,
		.totals = options->totals,
		.folds = options->folds,
		.peeked = options->peeked,
		.out_fd = options->out_fd,
		.err_fd = options->err_fd,
		.no_input = options->no_input,
		.own_group = options->own_group,
		.runs_on = options->runs_on,
		.setup = options->setup,
		.keep = options->keep,
		.no_calibrate = options->tasks.no_calibrate,
	};
	struct counters_run *earlier = NULL;
	struct counter_list *list;
	bool *picked = NULL;

	list = options->counters(options->ctx, e);
	if (list && options->picked)
		how.counter = picked = counter_list_pick(list, options->picked, e);
	else if (list && options->chosen.counter)
		how.counter = picked = counter_list_chosen(list, options->chosen.counter, options->chosen.n);
	for (size_t i = 0; i < options->n_earlier && !earlier; i++)
		earlier = run_as_counters(options->earlier[i]);
	if (!list || (options->picked && !picked)) {
		counter_list_free(list);
	} else if (earlier) {
		counters_run_set_command(earlier, &how);
		counters_run_set_list(earlier, list, how.counter); /* some may have been added */
		*r = counters_as_run(earlier);
	} else {
		*r = counters_as_run(counters_run_new(list, &how));
	}
	free(picked);
	return *r != NULL;
}

static bool
make_spec(const struct subject_runs_options *options, struct run **r, struct err *e)
{
	struct spec_run_options how = {
		.spec = options->spec, .counters = options->counters, .ctx = options->ctx, .picked = options->picked,
		.target = options->target, .closes_at_switches = options->flows.network != NULL,
		.out_fd = options->out_fd, .err_fd = options->err_fd,
		.again = 1, .folds = options->folds, .peeked = options->peeked, .apart = options->apart,
	};
	struct spec_run *spec;

	for (size_t i = 0; i < options->n_earlier; i++)
		how.again += run_as_spec(options->earlier[i]) != NULL;
	spec = spec_run_new(&how, e);
	*r = spec ? spec_as_run(spec) : NULL;
	return spec != NULL;
}

/* A run of the tasks of the subject; if counters of a command lead, of the processes that they hold. */
static struct run *
make_tasks(const struct subject_runs_options *options)
{
	struct tasktime_run_options how = {
		.interval_ms = !options->spec ? options->sampling.interval_ms
			: options->spec->mode == SPEC_AGGREGATED ? 0 : spec_interval_ms(options->spec),
		.variant_given = options->tasks.variant_given, .variant = options->tasks.variant,
		.ring_kb = options->ring_kb, .folds = options->folds, .no_calibrate = options->tasks.no_calibrate,
		.out_fd = -1, .err_fd = -1,
	};
	struct str name = {0};
	struct tasktime_run *run;

	if (options->spec) {
		how.by_hand = true;
		str_add(&name, options->spec->name);
	} else if (!options->counters || !options->argv) {
		how.argv = options->argv;
		how.target = options->target;
		how.samples = options->sampling.samples;
		how.duration = options->sampling.duration;
		how.out_fd = options->out_fd;
		how.err_fd = options->err_fd;
		how.no_input = options->no_input;
		how.own_group = options->own_group;
		how.runs_on = options->runs_on;
		how.setup = options->setup;
	} else {
		for (size_t i = 0; options->argv[i]; i++)
			str_addf(&name, "%s%s", i ? " " : "", options->argv[i]);
	}
	how.name = name.n ? str_text(&name) : NULL;
	run = tasktime_run_new(&how);
	str_free(&name);
	return tasktime_as_run(run);
}

/* Do the counters want sums of tasks' time that nothing else records? Flows record the same switches, and a simulated
 * machine has no tasks. */
static bool
wants_sums(const struct subject_runs_options *o, struct run *counts)
{
	const struct network *net = o->tasks.counted;
	bool wanted = false;

	for (size_t i = 0; net && i < net->n_counters; i++)
		wanted |= stall_counters_amount(net, i) >= 0 &&
			(!o->chosen.counter || i >= o->chosen.n || o->chosen.counter[i]);
	return wanted && run_as_counters(counts) && !o->flows.network && !o->tasks.wanted && !o->spec &&
		!(o->argv && o->argv[0] && simulation_is(o->argv[0]));
}

static struct run *
make_sums(const struct subject_runs_options *o)
{
	const bool machine = o->target && o->target->kind == SOURCE_CPUS;

	return tasktime_as_run(tasktime_run_new(&(struct tasktime_run_options){
		.sums = true,
		.target = !o->argv || machine ? o->target : NULL,
		.name = o->argv && !machine ? o->argv[0] : NULL,
		.ring_kb = o->ring_kb,
		.no_faults = !stall_counters_need_faults(o->tasks.counted),
		.out_fd = -1,
		.err_fd = -1,
	}));
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
subject_runs_make(
	struct runs *runs, const struct subject_runs_options *options, struct subject_runs *made, struct err *e)
{
	*made = (struct subject_runs){0};
	if (options->spec ? !make_spec(options, &made->counts, e)
			  : options->counters && !subject_runs_make_counters(options, &made->counts, e))
		return false;
	if (options->flows.network)
		made->flows = make_flows(options);
	if (options->tasks.wanted)
		made->tasks = make_tasks(options);
	else if (wants_sums(options, made->counts))
		made->sums = make_sums(options);
	runs_clear(runs);
	if (made->counts)
		runs_add(runs, made->counts, false);
	if (made->flows)
		runs_add(runs, made->flows, options->optional);
	if (made->tasks)
		runs_add(runs, made->tasks, options->optional && options->counters);
	if (made->sums)
		runs_add(runs, made->sums, true);
	return true;
}

void
subject_runs_free(struct subject_runs *r, const struct run *kept)
{
	struct run *all[] = {r->flows, r->tasks, r->sums, r->counts};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (all[i] != kept)
			run_free(all[i]);
	*r = (struct subject_runs){0};
}
