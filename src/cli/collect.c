/* Data for an analysis: files, and what is counted here and now. */
#include "cli/collect.h"

#include <stdlib.h>
#include <unistd.h>

#include "app/analysis/analysis.h"
#include "app/files/data.h"
#include "app/run/counter_list.h"
#include "app/run/counters_run.h"
#include "app/search/search.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/shell.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/reading.h"
#include "cli/run_live.h"
#include "cli/work.h"

static bool
read_files(struct collection *c, const struct options *o, size_t first)
{
	size_t n = o->n_args > first ? o->n_args - first : 0;
	struct obs_table **table = mem_new_array(n, sizeof(struct obs_table *));
	bool good = reading_tables(o, o->arg + first, n, table);

	for (size_t i = 0; i < n && good; i++)
		analysis_set_table(c->analysis, i, table[i]);
	free(table);
	return good;
}

static bool
count_here(struct collection *c, const struct options *o, run_seen *seen, void *ctx)
{
	const struct work_live *w = &c->watch;
	const struct counters_run_options run = {
		.ops = run_source(), .counter = c->job.how.counter, .argv = o->argv,
		.target = w->has_target ? &w->target : NULL,
		.interval_ms = w->interval_ms, .samples = w->samples, .duration = w->duration,
		.rotation = w->rotation, .rotation_said = w->rotation_said,
		.keep = c->keep, .peeked = seen != NULL, .out_fd = o->json ? STDERR_FILENO : -1, .err_fd = -1,
		.setup = work_live_setup(w),
	};
	const struct run_how how = {.seen = seen, .ctx = ctx, .keeps = w->interval_ms != 0, .repeats = true};
	struct runs *runs = runs_new();
	struct err e = {0};
	bool good;

	c->live = counters_run_new(c->job.model, &run);
	runs_add(runs, counters_as_run(c->live), false);
	good = run_here(o, runs, &how, &e);
	runs_free(runs);
	if (!good) {
		work_fail(&e);
		return false;
	}
	analysis_set_table(c->analysis, c->at, data_copy(counters_run_table(c->live)));
	run_live_say(o, c->live);
	return true;
}

bool
collect_begin(struct collection *c, const struct options *o, const char *example)
{
	return collect_watched(c, o, example, NULL, NULL);
}

bool
collect_watched(struct collection *c, const struct options *o, const char *example, run_seen *seen, void *ctx)
{
	size_t first = work_first_data(o);
	struct err e = {0};
	struct str hint = {0};
	bool here;

	*c = (struct collection){0};
	c->keep = source_keep_new(); /* starts nothing before it is needed */
	if (!work_live(o, &c->watch) || !job_begin(&c->job, o))
		return false;
	if (o->command->bit == C_SEARCH && !search_can(c->job.model, &e))
		return work_fail(&e), false;
	here = o->argv || c->watch.has_target;
	if (o->n_args <= first && !here) {
		err_set(&e, "%s needs data, a command behind --, or what to watch: -p, -t, -a, -C", o->command->name);
		str_addf(&hint, "for instance: hecate %s ", o->command->name);
		shell_add_file(&hint, o->arg[0]);
		err_hint(&e, "%s %s", str_text(&hint), example);
		str_free(&hint);
		work_fail(&e);
		return false;
	}
	c->analysis = analysis_new(c->job.model, &c->job.how);
	c->at = o->n_args - first;
	return read_files(c, o, first) && (!here || count_here(c, o, seen, ctx));
}

void
collect_end(struct collection *c)
{
	counters_run_free(c->live);
	source_keep_free(c->keep);
	analysis_free(c->analysis);
	work_live_free(&c->watch);
	job_end(&c->job);
}
