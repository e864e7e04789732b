#include "app/control/control_flows.h"

#include "app/autosave/autosave.h"
#include "app/control/control.h"
#include "app/run/flow_run.h"
#include "app/run/flow_watch.h"
#include "app/state/state.h"
#include "app/state/state_timeline_due.h"
#include "app/timeline/timeline.h"
#include "base/mem.h"
#include "base/str.h"

static struct flow_watch *
last(const struct control *d)
{
	return d->s->data.n_flows ? d->s->data.flows[d->s->data.n_flows - 1] : NULL;
}

static void
leave(void *desk, const struct obs_table *t)
{
	struct control *d = desk;

	autosave_leave_table(d->file, d->s, t);
}

void
control_flows_join(struct control *d, int pid)
{
	struct state *s = d->s;
	const struct network *net = s->data.timeline ? timeline_network(s->data.timeline) : NULL;
	const struct flow_run_options how = {.target = s->question.subject.argv ? NULL : s->question.subject.target};
	struct flow_watch *w;

	d->no_flows = (struct err){0};
	if (!s->question.subject.follows_flows || !net)
		return;
	w = flow_watch_new(net, s->question.network_text.path, &how, leave, d);
	if (!flow_watch_begin(w, pid, &d->no_flows)) {
		err_text(&d->no_flows, &s->data.run_notes);
		flow_watch_free(w);
		return;
	}
	s->data.flows = mem_resize(s->data.flows, s->data.n_flows + 1, sizeof *s->data.flows);
	s->data.flows[s->data.n_flows++] = w;
}

bool
control_flows_refused(struct control *d)
{
	if (!*d->no_flows.what)
		return false;
	state_say(d->s, true, "%s%s", str_starts(d->no_flows.what, "flows") ? "" : "flows: ", d->no_flows.what);
	return true;
}

void
control_flows_drop(struct control *d)
{
	if (last(d) && flow_watch_wait_fd(last(d)) >= 0)
		flow_watch_free(d->s->data.flows[--d->s->data.n_flows]);
}

void
control_flows_pump(struct control *d)
{
	if (last(d) && d->s->data.live && flow_watch_pump(last(d), d->s->data.live))
		state_timeline_make_due(d->s, DUE_PATHS);
}

void
control_flows_end(struct control *d)
{
	if (!last(d) || flow_watch_wait_fd(last(d)) < 0)
		return;
	flow_watch_end(last(d), d->s->data.live);
	flow_watch_explain(last(d), &d->s->data.run_notes);
	state_timeline_make_due(d->s, DUE_PATHS);
}

int
control_flows_wait_fd(const struct control *d)
{
	return last(d) ? flow_watch_wait_fd(last(d)) : -1;
}
