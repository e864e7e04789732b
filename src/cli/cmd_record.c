/* hecate record: what is counted here and now into a session file, as it comes. */
#include "cli/commands.h"

#include <stdlib.h>

#include "app/live.h"
#include "app/recording.h"
#include "base/err.h"
#include "base/log.h"
#include "cli/options.h"
#include "cli/run_live.h"
#include "cli/work.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"

static bool
on_rows(void *ctx, const struct live *l, struct err *e)
{
	return recording_follow(ctx, live_table(l), e);
}

static bool
run(const struct options *o, const struct work_live *w, const struct udd_model *m, const bool *counter, struct recording *r)
{
	struct source_keep *keep = source_keep_new();
	const struct live_options how = {
		.ops = live_source(), .counter = counter, .argv = o->argv, .target = w->has_target ? &w->target : NULL,
		.interval_ms = w->interval_ms, .samples = w->samples, .duration = w->duration, .keep = keep, .out_fd = -1, .err_fd = -1,
	};
	struct live *live = live_new(m, &how);
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

/* -m, or the model of the session file that is gone on with. */
static struct udd_model *
load_model(const struct options *o, struct bundle *b)
{
	struct err e = {0};

	if (!o->model_name && !recording_is(o->output)) {
		err_set(&e, "record needs a model, whose counters are recorded");
		err_hint(&e, "for instance: -m linux-page-faults");
		work_fail(&e);
		return NULL;
	}
	return work_load_named(o, o->model_name ? o->model_name : o->output, b);
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

int
cmd_record(const struct options *o)
{
	struct analysis_options how = {0};
	struct bundle b = {0};
	struct work_live w = {0};
	struct udd_model *m = NULL;
	struct recording *r = NULL;
	struct err e = {0};
	int status = 2;

	if (!work_live(o, &w) || !is_complete(o, &w) || !(m = load_model(o, &b)) || !work_analysis_options(o, m, &how))
		goto out;
	r = recording_open(o->output, m, &b, o->argv, &e);
	if (!r) {
		work_fail(&e);
		goto out;
	}
	status = run(o, &w, m, how.counter, r) ? 0 : 2;
out:
	recording_close(r);
	analysis_options_free(&how);
	udd_free(m);
	bundle_free(&b);
	work_live_free(&w);
	run_live_obey_signal();
	return status;
}
