#include "cli/stalling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/run/spec_run.h"
#include "app/run/tasktime_run.h"
#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/work.h"

/* The detail and the rings that --detail and --ring ask for. */
static void
set_detail(const struct options *o, struct tasktime_run_options *how)
{
	how->ring_kb = run_live_ring(o);
	how->variant_given = o->detail != NULL;
	if (!o->detail)
		return;
	how->variant = str_eq(o->detail, "records") ? TASKTIME_SOURCE_RECORDS
		: str_eq(o->detail, "switches")     ? TASKTIME_SOURCE_SWITCHES
						    : TASKTIME_SOURCE_COUNTERS;
}

static void
say_remarks(const struct options *o, struct tasktime_run *r)
{
	struct str text = {0};

	tasktime_run_explain(r, &text);
	run_live_say_lines(o, &text);
}

static void
say_how_it_went(const struct options *o, struct tasktime_run *r)
{
	struct tasktime_run_state s;

	say_remarks(o, r);
	tasktime_run_state(r, &s);
	if (!o->argv) {
		if (s.ending == RUN_END_ITSELF || s.ending == RUN_END_ASKED)
			log_line(NULL, "%s after %.3g s: %zu windows",
				s.ending == RUN_END_ITSELF ? "all that was watched ended" : "ended",
				(double)s.elapsed_ns / 1e9, s.windows);
		return;
	}
	if (s.ending != RUN_END_ITSELF)
		log_line(NULL, "%s was told to end after %.3g s", o->argv[0], (double)s.elapsed_ns / 1e9);
	else if (WIFSIGNALED(s.status))
		log_line(NULL, "%s was ended by signal %d (%s)", o->argv[0], WTERMSIG(s.status),
			strsignal(WTERMSIG(s.status)));
	else if (WIFEXITED(s.status) && WEXITSTATUS(s.status))
		log_line(NULL, "%s ended with status %d", o->argv[0], WEXITSTATUS(s.status));
}

struct tasktime_run *
stalling_run(const struct options *o, const struct work_live *w, run_seen *seen, void *ctx)
{
	struct tasktime_run_options how = {
		.argv = o->argv, .target = w->has_target ? &w->target : NULL, .interval_ms = w->interval_ms,
		.samples = w->samples, .duration = w->duration,
		.out_fd = o->json ? STDERR_FILENO : -1, .err_fd = -1, .setup = work_live_setup(w),
	};
	struct tasktime_run *r = NULL;
	struct err e = {0};

	set_detail(o, &how);
	if (o->runs > 1) {
		err_set(&e, "-r: the time of tasks is divided for one run at a time");
	} else if (o->argv && w->has_target) {
		err_set(&e, "%s watches what runs already, and %s is a command to run", o->cpus ? "-C" : "-a",
			o->argv[0]);
		err_hint(&e, "for the time of tasks give one of the two");
	} else {
		struct runs *runs = runs_new();
		bool good;

		r = tasktime_run_new(&how);
		runs_add(runs, tasktime_as_run(r), false);
		good = run_here(o, runs, &(struct run_how){.seen = seen, .ctx = ctx, .keeps = true}, &e);
		runs_free(runs);
		if (good) {
			if (!o->quiet)
				say_how_it_went(o, r);
			return r;
		}
	}
	work_fail(&e);
	tasktime_run_free(r);
	return NULL;
}

bool
stalling_profile(const struct options *o, const struct profile_spec *spec, run_seen *seen, void *ctx,
	struct run **profile, struct tasktime_run **stalls)
{
	const struct spec_run_options how = {
		.spec = spec, .ops = run_source(), .out_fd = o->json ? STDERR_FILENO : -1, .err_fd = -1};
	struct tasktime_run_options of_tasks = {
		.name = spec->name, .by_hand = true, .out_fd = -1, .err_fd = -1,
		.interval_ms =
			spec->mode == SPEC_AGGREGATED ? 0 : (unsigned)fmin(fmax(spec->granularity * 1e3, 1), 1e9),
	};
	struct runs *runs = runs_new();
	struct str text = {0};
	struct err e = {0};
	bool good;

	set_detail(o, &of_tasks);
	*profile = spec_as_run(spec_run_new(&how, &e));
	*stalls = tasktime_run_new(&of_tasks);
	if (*profile) {
		runs_add(runs, *profile, false);
		runs_add(runs, tasktime_as_run(*stalls), false);
	}
	good = *profile && run_here(o, runs,
		&(struct run_how){.seen = seen, .ctx = ctx, .shown = tasktime_as_run(*stalls), .keeps = true}, &e);
	runs_free(runs);
	if (good) {
		(*profile)->ops->explain(*profile, &text);
		run_live_say_lines(o, &text);
		say_remarks(o, *stalls);
		return true;
	}
	work_fail(&e);
	run_free(*profile);
	tasktime_run_free(*stalls);
	*profile = NULL;
	*stalls = NULL;
	return false;
}

bool
stalling_fits(const struct options *o)
{
	struct err e = {0};

	if (!o->detail && (!o->ring_kb || o->flows))
		return true;
	err_set(&e, "%s is about the time of tasks, and events are counted here", o->detail ? "--detail" : "--ring");
	err_hint(&e, "stall-sources is the stack of that");
	return work_fail(&e), false;
}

struct stalls_process *
stalls_processes(struct tasktime_run *r, size_t *n, size_t **process)
{
	size_t n_tasks, cap = 0;
	const struct tasktime_run_task *t = tasktime_run_tasks(r, &n_tasks);
	struct stalls_process *list = NULL;

	*n = 0;
	*process = mem_new_array(n_tasks, sizeof **process);
	for (size_t i = 0; i < n_tasks; i++) {
		size_t at = 0;

		while (at < *n && list[at].pid != t[i].pid)
			at++;
		if (at == *n) {
			mem_grow(&list, &cap, *n + 1, sizeof *list);
			list[(*n)++] = (struct stalls_process){.pid = t[i].pid,
				.program = tasktime_run_held_name(r, t[i].pid),
				.name = !t[i].tid    ? "others"
					: *t[i].name ? t[i].name
						     : "task",
				.first = i};
		}
		if (t[i].tid && t[i].tid == t[i].pid && *t[i].name)
			list[at].name = t[i].name;
		list[at].tasks += t[i].n_tasks;
		(*process)[i] = at;
	}
	return list;
}
