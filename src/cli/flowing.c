#include "cli/flowing.h"

#include "app/files/recording.h"
#include "app/run/flow_recorder.h"
#include "app/run/flow_run.h"
#include "base/err.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/run_live.h"
#include "cli/work.h"
#include "core/spec/spec.h"

bool
flowing_fits(const struct options *o, bool counts, bool spec)
{
	struct err e = {0};

	if (!o->flows && o->ring_kb) {
		err_set(&e, "--ring is about flows, which are not asked for");
		err_hint(&e, "--flows tells them");
	} else if (!o->flows || (!counts && !o->ring_kb)) {
		return true;
	} else if (!counts) {
		err_set(&e, "--ring is about flows that are recorded here and now, and nothing to count is given");
		err_hint(&e, "add -p PID, -a, or a command behind --");
	} else if (spec) {
		err_set(&e,
			"--flows with --spec: flows of the programs of a specification are told by hecate net alone");
		err_hint(&e, "hecate net --spec FILE --flows; or run one of them behind --");
	} else if (o->runs > 1) {
		err_set(&e, "flows are followed in one run only");
		err_hint(&e, "without -r");
	} else {
		return true;
	}
	return work_fail(&e), false;
}

bool
flowing_wanted_for(const struct options *o, const struct profile_spec *s)
{
	return o->flows || (s->report_given ? s->report[SPEC_FLOWS] : s->at_switches);
}

static void
leave(void *recording, const struct obs_table *t)
{
	recording_leave(recording, t);
}

void
flowing_begin(struct flowing *f, const struct options *o, const struct work_live *w, const struct network *net,
	const char *file, struct recording *into)
{
	const struct flow_recorder_options how = {
		.target = w->has_target ? &w->target : NULL, .ring_kb = run_live_ring(o)};

	*f = (struct flowing){.into = into};
	if (o->flows)
		f->watch = flow_run_new(net, file, &how, leave, into);
}

bool
flowing_write(struct flowing *f, struct err *e)
{
	bool good = true;
	size_t n = 0;
	const struct obs_table *const *t = f->watch ? flow_run_tables(f->watch, &n) : NULL;

	for (size_t i = 0; i < n && good; i++)
		good = recording_follow(f->into, t[i], e);
	return good;
}

void
flowing_say(const struct flowing *f, const struct options *o)
{
	struct str text = {0};

	if (!f->watch)
		return;
	flow_run_explain(f->watch, &text);
	run_live_say_lines(o, &text);
}

void
flowing_end(struct flowing *f)
{
	flow_run_free(f->watch);
}
