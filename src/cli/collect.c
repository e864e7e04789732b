/* Data for an analysis: files, and what is counted here and now. */
#include "cli/collect.h"

#include <unistd.h>

#include "app/analysis.h"
#include "app/data.h"
#include "app/live.h"
#include "base/err.h"
#include "cli/options.h"
#include "cli/run_live.h"
#include "cli/work.h"

bool
collect_data(const struct options *o, const struct work_live *w, const struct job *j, struct analysis *a, struct source_keep *keep, struct live **live)
{
	const struct live_options run = {
		.ops = &source_perf, .counter = j->how.counter, .argv = o->argv, .target = w->has_target ? &w->target : NULL,
		.interval_ms = w->interval_ms, .samples = w->samples, .duration = w->duration,
		.keep = keep, .out_fd = o->json ? STDERR_FILENO : -1, .err_fd = -1,
	};
	size_t first = work_first_data(o);
	struct err e = {0};

	for (size_t i = first; i < o->n_args; i++) {
		struct obs_table *t = work_read_data(o, o->arg[i]);

		if (!t)
			return false;
		analysis_set_table(a, i - first, t);
	}
	if (!o->argv && !w->has_target)
		return true;
	*live = live_new(j->model, &run);
	if (!run_live(o, w, *live, NULL, NULL, &e)) {
		work_fail(&e);
		return false;
	}
	analysis_set_table(a, o->n_args - first, data_copy(live_table(*live)));
	run_live_say(o, *live);
	return true;
}
