#include "app/desk/desk_flows.h"

#include "app/desk/desk.h"
#include "app/keep/keep.h"
#include "app/live/flow_run.h"
#include "app/live/flow_watch.h"
#include "app/profile/profile.h"
#include "app/session/session.h"
#include "app/session/session_profile_due.h"
#include "base/mem.h"
#include "base/str.h"

static struct flow_watch *
last(const struct desk *d)
{
	return d->s->n_flows ? d->s->flows[d->s->n_flows - 1] : NULL;
}

static void
leave(void *desk, const struct obs_table *t)
{
	struct desk *d = desk;

	keep_leave_table(d->file, d->s, t);
}

void
desk_flows_join(struct desk *d, int pid)
{
	struct session *s = d->s;
	const struct network *net = s->run.data ? profile_network(s->run.data) : NULL;
	const struct flow_run_options how = {.target = s->argv ? NULL : s->target};
	struct flow_watch *w;

	d->no_flows = (struct err){0};
	if (!s->follows_flows || !net)
		return;
	w = flow_watch_new(net, s->run.network_text.path, &how, leave, d);
	if (!flow_watch_begin(w, pid, &d->no_flows)) {
		err_text(&d->no_flows, &s->run_notes);
		flow_watch_free(w);
		return;
	}
	s->flows = mem_resize(s->flows, s->n_flows + 1, sizeof *s->flows);
	s->flows[s->n_flows++] = w;
}

bool
desk_flows_refused(struct desk *d)
{
	if (!*d->no_flows.what)
		return false;
	session_say(d->s, true, "%s%s", str_starts(d->no_flows.what, "flows") ? "" : "flows: ", d->no_flows.what);
	return true;
}

void
desk_flows_drop(struct desk *d)
{
	if (last(d) && flow_watch_wait_fd(last(d)) >= 0)
		flow_watch_free(d->s->flows[--d->s->n_flows]);
}

void
desk_flows_pump(struct desk *d)
{
	if (last(d) && d->s->live && flow_watch_pump(last(d), d->s->live))
		session_profile_make_due(d->s, DUE_PATHS);
}

void
desk_flows_end(struct desk *d)
{
	if (!last(d) || flow_watch_wait_fd(last(d)) < 0)
		return;
	flow_watch_end(last(d), d->s->live);
	flow_watch_explain(last(d), &d->s->run_notes);
	session_profile_make_due(d->s, DUE_PATHS);
}

int
desk_flows_wait_fd(const struct desk *d)
{
	return last(d) ? flow_watch_wait_fd(last(d)) : -1;
}
