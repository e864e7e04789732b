#include "cli/counting.h"

#include <unistd.h>

#include "app/live.h"
#include "app/live_counters.h"
#include "base/err.h"
#include "base/json.h"
#include "cli/options.h"
#include "cli/report.h"

bool
counting_begin(struct counting *c, const struct options *o)
{
	*c = (struct counting){.options = o};
	if (!work_live(o, &c->watch))
		return false;
	c->wanted = o->argv || c->watch.has_target;
	return true;
}

bool
counting_run(struct counting *c, struct live_counters *counters, run_live_seen *seen, void *ctx)
{
	const struct options *o = c->options;
	const struct work_live *w = &c->watch;
	struct live_options how = {
		.ops = live_source(), .argv = o->argv, .target = w->has_target ? &w->target : NULL, .interval_ms = w->interval_ms, .samples = w->samples,
		.duration = w->duration, .out_fd = o->json ? STDERR_FILENO : -1, .err_fd = -1,
	};
	struct err e = {0};

	if (c->beside) {
		how.waits = c->beside->begin;
		how.ctx = c->beside->ctx;
	}
	how.keep = c->keep = source_keep_new();
	c->live = live_new_of(counters, &how);
	if (!run_live_beside(o, w, c->live, seen, ctx, c->beside, &e)) {
		work_fail(&e);
		return false;
	}
	run_live_say(o, c->live);
	return true;
}

void
counting_end(struct counting *c)
{
	live_free(c->live);
	source_keep_free(c->keep);
	work_live_free(&c->watch);
}

void
counting_json(const struct counting *c, struct json_writer *w)
{
	report_json_collected(w, c->options, c->live, &c->watch);
}

void
counting_json_warnings(const struct counting *c, struct json_writer *w)
{
	json_open(w, "warnings", '[');
	if (c->live)
		report_json_live_warnings(w, c->live);
	json_close(w, ']');
}
