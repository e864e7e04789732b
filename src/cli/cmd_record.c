/* hecate record: writes what is counted here and now into a session file, as it comes. */
#include "cli/commands.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/files/recording.h"
#include "app/run/counter_list.h"
#include "app/run/counters_run.h"
#include "app/run/flow_run.h"
#include "app/run/spec_run.h"
#include "app/run/tasktime_run.h"
#include "base/err.h"
#include "base/log.h"
#include "base/str.h"
#include "cli/flowing.h"
#include "cli/options.h"
#include "cli/run_live.h"
#include "cli/specified.h"
#include "cli/stalling.h"
#include "cli/subject.h"
#include "cli/work.h"
#include "core/obs/obs.h"

/* Loads the subject of -m, or of the session file that is continued. */
static bool
load(const struct options *o, const struct profile_spec *spec, struct subject *s)
{
	struct err e = {0};
	const char *named = spec ? specified_subject(spec, o->model_name) : NULL;

	if (spec)
		return named && subject_load(o, named, s);
	if (o->model_name || recording_is(o->output))
		return subject_load(o, o->model_name ? o->model_name : o->output, s);
	err_set(&e, "record needs a model, a network or a stack, whose counters are recorded");
	err_hint(&e, "for instance: -m linux-page-faults");
	return work_fail(&e), false;
}

/* Writes the new rows of the run. */
static bool
on_rows(void *ctx, struct run *r, struct err *e)
{
	bool good = true;
	size_t n;
	const struct obs_table *const *t = r->ops->tables(r, &n);

	for (size_t i = 0; i < n && good; i++)
		good = recording_follow(ctx, t[i], e);
	return good;
}

/* Writes the rows of the network first: flows follow the rows that they belong to. */
static bool
on_rows_and_flows(void *ctx, struct run *r, struct err *e)
{
	struct flowing *f = ctx;

	return on_rows(f->into, r, e) && flowing_write(f, e);
}

/* Records counters. Takes the list; `chosen`: those that are counted, NULL: all. */
static bool
run(const struct options *o, const struct work_live *w, const struct subject *s, struct counter_list *counters,
	const bool *chosen, struct recording *r)
{
	struct source_keep *keep = source_keep_new();
	struct runs *runs = runs_new();
	struct flowing flows;
	const struct run_how watched = {
		.seen = on_rows_and_flows, .ctx = &flows, .keeps = w->interval_ms != 0, .repeats = true};
	struct counters_run_options how = {
		.ops = run_source(), .counter = chosen, .argv = o->argv, .target = w->has_target ? &w->target : NULL,
		.interval_ms = w->interval_ms, .samples = w->samples, .duration = w->duration,
		.rotation = w->rotation, .rotation_said = w->rotation_said, .keep = keep, .out_fd = -1,
		.err_fd = -1, .setup = work_live_setup(w),
	};
	struct counters_run *live;
	struct err e = {0};
	bool good;

	flowing_begin(&flows, o, w, s->network, s->text.path, r);
	live = counters_run_new_of(counters, &how);
	runs_add(runs, counters_as_run(live), false);
	if (flows.watch)
		runs_add(runs, flow_as_run(flows.watch), false);
	good = run_here(o, runs, &watched, &e) && flowing_write(&flows, &e);
	runs_free(runs);
	if (good)
		run_live_say(o, live);
	else
		work_fail(&e);
	if (good)
		flowing_say(&flows, o);
	if (!o->quiet && counters_run_table(live)->n)
		log_line(NULL, "%s: observations: %zu, rows: %zu", o->output, recording_observations(r),
			recording_rows(r));
	flowing_end(&flows);
	counters_run_free(live);
	source_keep_free(keep);
	return good;
}

static bool
is_complete(const struct options *o, const struct work_live *w)
{
	struct err e = {0};

	if (o->output && (o->argv || w->has_target || o->spec))
		return true;
	if (o->output)
		err_set(&e, "record needs a command after --, or what to watch: -p, -t, -a, -C");
	else
		err_set(&e, "record needs -o FILE, the session file");
	err_hint(&e, "for instance: hecate record -o s.hecate -m linux-page-faults -- gcc -c x.c");
	work_fail(&e);
	return false;
}

/* Records the time of tasks: an observation for each task. */
static int
record_stalls(const struct options *o, const struct work_live *w, const struct subject *s)
{
	struct err e = {0};
	struct recording *r = NULL;
	struct tasktime_run *run = NULL;

	if (o->counters)
		err_set(&e, "--counters: the time of tasks is recorded as a whole");
	else
		r = subject_record(s, o->output, o->argv, &e);
	if (!r)
		return work_fail(&e);
	run = stalling_run(o, w, on_rows, r);
	if (run && !o->quiet)
		log_line(NULL, "%s: observations: %zu, rows: %zu", o->output, tasktime_run_table(run)->n,
			recording_rows(r));
	recording_close(r);
	tasktime_run_free(run);
	return run ? 0 : 2;
}

static int
record(const struct options *o, const struct work_live *w, const struct subject *s)
{
	struct counter_list *counters = subject_counters(s);
	struct recording *r = NULL;
	struct err e = {0};
	bool *chosen = NULL, fits = s->kind != TEXT_MODEL || !o->argv || !w->has_target;
	int status = 2;

	if (!fits) { /* a model is refuted by one command, or by samples of a target */
		err_set(&e, "%s watches what runs already, and %s is a command to run", o->cpus ? "-C" : "-a",
			o->argv[0]);
		err_hint(&e, "for a model give one of the two; networks and stacks take both");
	}
	if (fits && o->counters)
		chosen = counter_list_pick(counters, o->counters, &e);
	if (fits && (!o->counters || chosen))
		r = subject_record(s, o->output, o->argv, &e);
	if (r)
		status = run(o, w, s, counters, chosen, r) ? 0 : 2;
	else
		counter_list_free(counters), work_fail(&e);
	recording_close(r);
	free(chosen);
	return status;
}

static struct counter_list *
make_counters(void *ctx, struct err *e)
{
	(void)e;
	return subject_counters(ctx);
}

/* Records the programs of a specification: an observation for each program. */
static int
record_profile(const struct options *o, const struct work_live *w, const struct profile_spec *spec, struct subject *s)
{
	const struct spec_run_options how = {
		.spec = spec, .ops = run_source(), .counters = make_counters, .ctx = s, .picked = o->counters,
		.target = w->has_target ? &w->target : NULL, .out_fd = -1, .err_fd = -1,
	};
	const char *const argv[] = {"hecate", "record", "--spec", o->spec, NULL}; /* the command in the session file */
	struct err e = {0};
	struct spec_run *run = spec_run_new(&how, &e);
	struct recording *r = run ? subject_record(s, o->output, (char *const *)(uintptr_t)argv, &e) : NULL;
	struct runs *runs = runs_new();
	struct str text = {0};
	bool good;

	if (run)
		runs_add(runs, spec_as_run(run), false);
	good = r && run_here(o, runs, &(struct run_how){.seen = on_rows, .ctx = r, .keeps = true}, &e);
	runs_free(runs);
	if (!good)
		work_fail(&e);
	else
		spec_run_explain(run, &text), run_live_say_lines(o, &text);
	if (good && o->verbose)
		specified_report(spec, run, NULL, &text);
	if (text.n)
		fputs(str_text(&text), stderr);
	str_free(&text);
	if (r && !o->quiet && spec_run_table(run))
		log_line(
			NULL, "%s: observations: %zu, rows: %zu", o->output, spec_run_table(run)->n, recording_rows(r));
	recording_close(r);
	spec_run_free(run);
	return good ? 0 : 2;
}

/* Records the time of the tasks of a specification's programs: an observation for each task. */
static int
record_profile_stalls(const struct options *o, const struct profile_spec *spec, const struct subject *s)
{
	const char *const argv[] = {"hecate", "record", "--spec", o->spec, NULL};
	struct err e = {0};
	struct recording *r = NULL;
	struct run *profile = NULL;
	struct tasktime_run *run = NULL;
	struct str text = {0};
	bool good;

	if (o->counters)
		err_set(&e, "--counters: the time of tasks is recorded as a whole");
	else
		r = subject_record(s, o->output, (char *const *)(uintptr_t)argv, &e);
	if (!r)
		return work_fail(&e);
	good = stalling_profile(o, spec, on_rows, r, &profile, &run);
	if (good && o->verbose)
		specified_report(spec, run_as_spec(profile), NULL, &text);
	if (text.n)
		fputs(str_text(&text), stderr);
	if (good && !o->quiet)
		log_line(NULL, "%s: observations: %zu, rows: %zu", o->output, tasktime_run_table(run)->n,
			recording_rows(r));
	str_free(&text);
	recording_close(r);
	run_free(profile);
	tasktime_run_free(run);
	return good ? 0 : 2;
}

/* Records a specification's programs: their counters, or the time of their tasks. */
static int
record_specified(const struct options *o, const struct work_live *w, const struct profile_spec *spec, struct subject *s)
{
	if (!specified_fits(spec, &s->stack, s->stack != NULL, false, w->has_target))
		return 2;
	if (s->stack && tasktime_run_serves(&s->stack, 1))
		return record_profile_stalls(o, spec, s);
	return stalling_fits(o) ? record_profile(o, w, spec, s) : 2;
}

/* False, and a message, when flows are wanted and cannot be recorded. */
static bool
has_flows(const struct options *o, const struct subject *s, const struct profile_spec *spec)
{
	struct err e = {0};

	if (!o->flows || s->network)
		return !o->flows || flowing_fits(o, true, spec != NULL);
	err_set(&e, "--flows: only a network shows where requests go");
	err_hint(&e, "for instance: -m linux-vm");
	return work_fail(&e), false;
}

int
cmd_record(const struct options *o)
{
	struct subject s = {0};
	struct work_live w = {0};
	struct profile_spec *spec = NULL;
	bool good = work_live(o, &w) && is_complete(o, &w);
	int status = 2;

	if (good)
		spec = specified_load(o, &good);
	if (good && load(o, spec, &s) && has_flows(o, &s, spec)) {
		if (spec)
			status = record_specified(o, &w, spec, &s);
		else if (s.stack && tasktime_run_serves(&s.stack, 1))
			status = record_stalls(o, &w, &s);
		else
			status = stalling_fits(o) ? record(o, &w, &s) : 2;
	}
	subject_free(&s);
	spec_free(spec);
	work_live_free(&w);
	run_live_obey_signal();
	return status;
}
