#include "app/control/control_flows.h"

#include "app/autosave/autosave.h"
#include "app/control/control.h"
#include "app/run/flow_recorder.h"
#include "app/run/flow_run.h"
#include "app/state/state.h"
#include "app/state/state_timeline_due.h"
#include "app/timeline/timeline.h"

static void
leave(void *desk, const struct obs_table *t)
{
	struct control *d = desk;

	autosave_leave_table(d->file, d->s, t);
}

struct flow_run *
control_flows_new(struct control *d)
{
	struct state *s = d->s;
	const struct network *net = s->data.timeline ? timeline_network(s->data.timeline) : NULL;
	const struct flow_recorder_options how = {
		.target = s->question.subject.argv ? NULL : s->question.subject.target};

	if (!s->question.subject.follows_flows || !net)
		return NULL;
	return flow_run_new(net, s->question.network_text.path, &how, leave, d);
}

void
control_flows_hear(struct control *d)
{
	state_timeline_make_due(d->s, DUE_PATHS);
}
