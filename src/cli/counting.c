#include "cli/counting.h"

#include <unistd.h>

#include "app/run/counters_run.h"
#include "app/run/spec_run.h"
#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/specified.h"

bool
counting_begin(struct counting *c, const struct options *o)
{
	bool good;

	*c = (struct counting){.options = o};
	if (!work_live(o, &c->watch))
		return false;
	c->spec = specified_load(o, &good);
	c->wanted = o->argv || c->watch.has_target || c->spec;
	return good;
}

/* Adds lines: what is missing, and remarks on the numbers. */
static void
explain_profile(const struct counting *c, struct str *out)
{
	const struct err *why = c->joins ? runs_refusal(c->runs, c->joins) : NULL;

	if (why)
		str_addf(out, "%s: %s%s%s\n", c->without, why->what, *why->hint ? "; " : "", why->hint);
	c->run->ops->explain(c->run, out);
}

static bool
run_profile(struct counting *c, counter_list_make *make, void *make_ctx)
{
	const struct options *o = c->options;
	const struct spec_run_options how = {
		.spec = c->spec, .ops = run_source(), .counters = make, .ctx = make_ctx,
		.target = c->watch.has_target ? &c->watch.target : NULL,
		.closes_at_switches = c->joins != NULL, .out_fd = o->json ? STDERR_FILENO : -1, .err_fd = -1,
	};
	struct str text = {0};
	struct err e = {0};

	c->run = spec_as_run(spec_run_new(&how, &e));
	if (c->run)
		runs_add(c->runs, c->run, false);
	if (c->run && c->joins)
		runs_add(c->runs, c->joins, c->without != NULL);
	if (!c->run || !run_here(o, c->runs, &(struct run_how){.keeps = true}, &e)) {
		work_fail(&e);
		return false;
	}
	explain_profile(c, &text);
	run_live_say_lines(o, &text);
	return true;
}

bool
counting_run(struct counting *c, counter_list_make *make, void *make_ctx, run_seen *seen, void *ctx)
{
	const struct options *o = c->options;
	const struct work_live *w = &c->watch;
	struct counters_run_options how = {
		.ops = run_source(), .argv = o->argv, .target = w->has_target ? &w->target : NULL,
		.interval_ms = w->interval_ms, .samples = w->samples,
		.duration = w->duration, .rotation = w->rotation, .rotation_said = w->rotation_said,
		.out_fd = o->json ? STDERR_FILENO : -1, .err_fd = -1, .setup = work_live_setup(w),
	};
	struct counter_list *counters;
	struct err e = {0};

	c->runs = runs_new();
	if (c->spec)
		return run_profile(c, make, make_ctx);
	counters = make(make_ctx, &e);
	if (!counters)
		return work_fail(&e), false;
	how.keep = c->keep = source_keep_new();
	c->run = counters_as_run(counters_run_new_of(counters, &how));
	runs_add(c->runs, c->run, false);
	if (c->joins)
		runs_add(c->runs, c->joins, false);
	if (!run_here(o, c->runs,
		    &(struct run_how){.seen = seen, .ctx = ctx, .keeps = w->interval_ms != 0, .repeats = true}, &e)) {
		work_fail(&e);
		return false;
	}
	run_live_say(o, run_as_counters(c->run));
	return true;
}

void
counting_end(struct counting *c)
{
	runs_free(c->runs);
	run_free(c->run);
	spec_free(c->spec);
	source_keep_free(c->keep);
	work_live_free(&c->watch);
}

const struct obs_table *
counting_table(const struct counting *c)
{
	return run_table(c->run);
}

void
counting_report(const struct counting *c, struct str *out)
{
	if (run_as_spec(c->run))
		specified_report(c->spec, run_as_spec(c->run), c->reported, out);
}

void
counting_json(const struct counting *c, struct json_writer *w)
{
	if (run_as_spec(c->run))
		specified_json(w, c->spec, run_as_spec(c->run), c->reported);
	else
		print_json_collected(w, c->options, run_as_counters(c->run), &c->watch);
}

void
counting_json_warnings(const struct counting *c, struct json_writer *w)
{
	json_open(w, "warnings", '[');
	if (run_as_counters(c->run))
		print_json_live_warnings(w, run_as_counters(c->run));
	if (run_as_spec(c->run)) {
		struct str text = {0};

		explain_profile(c, &text);
		print_json_warning_lines(w, str_text(&text));
		str_free(&text);
	}
	json_close(w, ']');
}
