/* Where the time of a specification's programs goes: they are held ready, followed from their execve(2) on, and windows
 * end where it is looked at the profile. */
#include "cli/stalling.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/run/spec_run.h"
#include "app/run/tasktime_run.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/work.h"

struct stalling_spec {
	const struct options *options;
	const struct profile_spec *spec;
	struct spec_run *profile;
	struct tasktime_run *stalls;
	run_stalls_seen *seen;
	void *ctx;
};

static char **
names_of(const struct spec_run *r, size_t n)
{
	char **name = mem_new_array(n, sizeof *name);

	for (size_t i = 0; i < n; i++) {
		struct str text = {0};

		spec_run_name(r, i, &text);
		name[i] = str_take(&text);
	}
	return name;
}

static bool
begin(void *ctx, const int *pid, size_t n, struct err *e)
{
	struct stalling_spec *s = ctx;
	char **name = names_of(s->profile, n);
	struct tasktime_run_options how = {
		.held = pid,
		.n_held = n,
		.held_name = (const char *const *)name,
		.name = s->spec->name,
		.by_hand = true,
		.out_fd = -1,
		.err_fd = -1,
		.interval_ms =
			s->spec->mode == SPEC_AGGREGATED ? 0 : (unsigned)fmin(fmax(s->spec->granularity * 1e3, 1), 1e9),
	};

	stalling_detail(s->options, &how);
	s->stalls = tasktime_run_new(&how);
	for (size_t i = 0; i < n; i++)
		free(name[i]);
	free(name);
	return tasktime_run_start(s->stalls, e);
}

static void
begins(void *ctx, int pid)
{
	const struct stalling_spec *s = ctx;

	tasktime_run_begins(s->stalls, pid);
}

static int
wait_fd(void *ctx)
{
	const struct stalling_spec *s = ctx;

	return tasktime_run_wait_fd(s->stalls);
}

static double
patience(void *ctx)
{
	const struct stalling_spec *s = ctx;

	return tasktime_run_patience(s->stalls);
}

static void
pump(void *ctx)
{
	const struct stalling_spec *s = ctx;

	tasktime_run_poll(s->stalls);
}

static void
look(void *ctx)
{
	const struct stalling_spec *s = ctx;

	tasktime_run_tick(s->stalls);
}

/* The last window waits for itself. */
static void
end(void *ctx)
{
	const struct stalling_spec *s = ctx;

	tasktime_run_finish(s->stalls);
	while (tasktime_run_running(s->stalls))
		tasktime_run_poll(s->stalls);
}

static bool
on_looks(void *ctx, struct spec_run *r, struct err *e)
{
	const struct stalling_spec *s = ctx;

	(void)r;
	return !s->seen || s->seen(s->ctx, s->stalls, e);
}

bool
stalling_profile(const struct options *o, const struct profile_spec *spec, run_stalls_seen *seen, void *ctx,
	struct spec_run **profile, struct tasktime_run **stalls)
{
	struct stalling_spec s = {.options = o, .spec = spec, .seen = seen, .ctx = ctx};
	const struct spec_run_beside beside = {
		.begin = begin, .begins = begins, .wait_fd = wait_fd, .patience = patience, .pump = pump, .look = look,
		.end = end, .ctx = &s};
	const struct spec_run_options how = {
		.spec = spec, .ops = live_source(), .beside = &beside, .out_fd = o->json ? STDERR_FILENO : -1,
		.err_fd = -1};
	struct err e = {0};
	bool good;

	s.profile = spec_run_new(&how, &e);
	good = s.profile && run_spec(s.profile, on_looks, &s, &e);
	if (good) {
		if (!o->quiet) {
			run_live_say_spec(o, s.profile);
			stalling_say(s.stalls);
		}
	} else {
		work_fail(&e);
		spec_run_free(s.profile); /* who is beside ends with it */
		tasktime_run_free(s.stalls);
		s.profile = NULL;
		s.stalls = NULL;
	}
	*profile = s.profile;
	*stalls = s.stalls;
	return good;
}
