/* Flows of the programs of a specification: recorded from their execve(2) on, their snapshots closed at each look, and
 * where a task is switched. */
#include "cli/flowing.h"

#include "app/run/flow_run.h"
#include "base/str.h"
#include "cli/options.h"
#include "core/spec/spec.h"

bool
flowing_spec_wanted(const struct options *o, const struct profile_spec *s)
{
	return o->flows || (s->report_given ? s->report[SPEC_FLOWS] : s->at_switches);
}

/* Who asked for them on the command line has nothing without; a file is for other machines, too. */
static bool
begin(void *ctx, const int *pid, size_t n, struct err *e)
{
	struct flowing_spec *f = ctx;

	f->begun = flow_run_begin_all(f->run, pid, n, &f->why);
	if (f->told)
		*f->told = f->begun;
	if (f->begun || !f->needed)
		return true;
	*e = f->why;
	return false;
}

static int
wait_fd(void *ctx)
{
	const struct flowing_spec *f = ctx;

	return flow_run_wait_fd(f->run);
}

static void
pump(void *ctx)
{
	const struct flowing_spec *f = ctx;

	flow_run_pump(f->run);
}

static void
look(void *ctx)
{
	const struct flowing_spec *f = ctx;

	flow_run_close(f->run);
}

static void
end(void *ctx)
{
	const struct flowing_spec *f = ctx;

	flow_run_end(f->run);
}

static void
explain(void *ctx, struct str *out)
{
	const struct flowing_spec *f = ctx;
	const char *what = f->spec->at_switches ? "not closed at switches" : "flows are not told";

	if (!f->begun)
		str_addf(out, "%s: %s%s%s\n", what, f->why.what, *f->why.hint ? "; " : "", f->why.hint);
}

void
flowing_spec_begin(struct flowing_spec *f, const struct options *o, const struct profile_spec *s, struct flow_run *run)
{
	*f = (struct flowing_spec){
		.spec = s,
		.run = run,
		.needed = o->flows,
		.told = f->told,
		.beside = {.begin = begin,
			.wait_fd = wait_fd,
			.pump = pump,
			.look = look,
			.end = end,
			.explain = explain,
			.ctx = f},
	};
}
