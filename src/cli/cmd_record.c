/* hecate record: what is counted here and now into a session file, as it comes. */
#include "cli/commands.h"

#include <stdlib.h>

#include "app/live.h"
#include "app/live_counters.h"
#include "app/recording.h"
#include "base/err.h"
#include "base/log.h"
#include "cli/options.h"
#include "cli/run_live.h"
#include "cli/subject.h"
#include "cli/work.h"
#include "core/obs/obs.h"

/* -m, or what the session file that is gone on with brings. */
static bool
load(const struct options *o, struct subject *s)
{
	struct err e = {0};

	if (o->model_name || recording_is(o->output))
		return subject_load(o, o->model_name ? o->model_name : o->output, s);
	err_set(&e, "record needs a model, a network or a stack, whose counters are recorded");
	err_hint(&e, "for instance: -m linux-page-faults");
	return work_fail(&e), false;
}

static bool
on_rows(void *ctx, const struct live *l, struct err *e)
{
	return recording_follow(ctx, live_table(l), e);
}

/* Takes the counters; `chosen` are those that are counted, NULL: all. */
static bool
run(const struct options *o, const struct work_live *w, struct live_counters *counters, const bool *chosen, struct recording *r)
{
	struct source_keep *keep = source_keep_new();
	const struct live_options how = {
		.ops = live_source(), .counter = chosen, .argv = o->argv, .target = w->has_target ? &w->target : NULL,
		.interval_ms = w->interval_ms, .samples = w->samples, .duration = w->duration, .keep = keep, .out_fd = -1, .err_fd = -1,
	};
	struct live *live = live_new_of(counters, &how);
	struct err e = {0};
	bool good = run_live(o, w, live, on_rows, r, &e);

	if (good)
		run_live_say(o, live);
	else
		work_fail(&e);
	if (!o->quiet && live_table(live)->n)
		log_line(NULL, "%s: observations: %zu, rows: %zu", o->output, live_table(live)->n, recording_rows(r));
	live_free(live);
	source_keep_free(keep);
	return good;
}

static bool
is_complete(const struct options *o, const struct work_live *w)
{
	struct err e = {0};

	if (o->output && (o->argv || w->has_target))
		return true;
	if (o->output)
		err_set(&e, "record needs a command behind --, or what to watch: -p, -t, -a, -C");
	else
		err_set(&e, "record needs -o FILE, the session file");
	err_hint(&e, "for instance: hecate record -o s.hecate -m linux-page-faults -- gcc -c x.c");
	work_fail(&e);
	return false;
}

static int
record(const struct options *o, const struct work_live *w, const struct subject *s)
{
	struct live_counters *counters = subject_counters(s);
	struct recording *r = NULL;
	struct err e = {0};
	bool *chosen = NULL, fits = s->kind != SESSION_MODEL || !o->argv || !w->has_target;
	int status = 2;

	if (!fits) { /* a model is refuted by what one command does, or by samples */
		err_set(&e, "%s watches what runs already, and %s is a command to run", o->cpus ? "-C" : "-a", o->argv[0]);
		err_hint(&e, "for a model give one of the two; networks and stacks take both");
	}
	if (fits && o->counters)
		chosen = live_counters_pick(counters, o->counters, &e);
	if (fits && (!o->counters || chosen))
		r = subject_record(s, o->output, o->argv, &e);
	if (r)
		status = run(o, w, counters, chosen, r) ? 0 : 2;
	else
		live_counters_free(counters), work_fail(&e);
	recording_close(r);
	free(chosen);
	return status;
}

int
cmd_record(const struct options *o)
{
	struct subject s = {0};
	struct work_live w = {0};
	int status = 2;

	if (work_live(o, &w) && is_complete(o, &w) && load(o, &s))
		status = record(o, &w, &s);
	subject_free(&s);
	work_live_free(&w);
	run_live_obey_signal();
	return status;
}
