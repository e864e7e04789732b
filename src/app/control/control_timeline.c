#include "app/control/control_timeline.h"

#include <stdio.h>
#include <stdlib.h>

#include "app/autosave/autosave.h"
#include "app/control/control.h"
#include "app/run/output.h"
#include "app/run/tasktime_run.h"
#include "app/state/state_start.h"
#include "app/state/state_timeline.h"
#include "app/timeline/timeline.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/lang/diag.h"
#include "core/network/network.h"
#include "core/spec/spec.h"
#include "core/stack/stack.h"

/* Reads and parses a text. False: the screen says why. */
static bool
read_text(struct state *s, const char *name, enum text_kind kind, struct text *t, struct network **net,
	struct stack **stack)
{
	struct diags found = {0};
	struct err e = {0};
	bool good = text_load(name, kind, t, &e);

	if (!good)
		state_say(s, true, "%s%s%s", e.what, *e.hint ? "; " : "", e.hint);
	else if (kind == TEXT_NETWORK)
		good = (*net = text_network(t, &found)) != NULL;
	else
		good = (*stack = text_stack(t, &found)) != NULL;
	if (!good && found.n) {
		str_clear(&s->view.popup.text);
		diags_print(&found, "", &s->view.popup.text);
		snprintf(s->view.popup.title, sizeof s->view.popup.title, "%s does not load", name);
		state_open_popup(s, POPUP_TEXT);
	}
	diags_free(&found);
	return good;
}

void
control_timeline_open(struct control *d, const char *name, enum text_kind kind, bool ask)
{
	struct state *s = d->s;
	struct text net_text = {0}, stack_text = {0};
	struct network *net = NULL;
	struct stack *stack = NULL;
	bool good = read_text(s, name, kind, kind == TEXT_NETWORK ? &net_text : &stack_text, &net, &stack);

	if (good && net && net->stack)
		good = read_text(s, net->stack, TEXT_STACK, &stack_text, &net, &stack);
	if (good) {
		control_leave(d);
		state_set_profile(s, net, &net_text, stack, &stack_text);
		if (ask)
			state_ask_for_command(s);
	} else {
		network_free(net);
		stack_free(stack);
	}
	text_free(&net_text);
	text_free(&stack_text);
}

static bool
divides_time(const struct state *s)
{
	size_t n = 0;
	struct stack *const *stack = s->data.timeline ? timeline_stacks(s->data.timeline, &n) : NULL;

	return n && tasktime_run_serves(stack, n);
}

bool
control_timeline_counts(const struct control *d)
{
	return d->s->question.model || (d->s->data.timeline && timeline_network(d->s->data.timeline)) ||
		!divides_time(d->s);
}

struct tasktime_run *
control_timeline_new(const struct control *d)
{
	const struct question *q = &d->s->question;
	bool of_spec = q->subject.spec && !q->subject.argv, leads = !control_timeline_counts(d) && !of_spec;
	struct tasktime_run_options how = {
		.interval_ms = q->sampling.interval_ms, .folds = true, .out_fd = -1, .err_fd = -1};
	struct tasktime_run *r;
	struct str name = {0};

	if (!divides_time(d->s))
		return NULL;
	if (of_spec) {
		how.interval_ms = q->subject.spec->mode == SPEC_AGGREGATED ? 0 : how.interval_ms;
		how.by_hand = true;
		str_add(&name, q->subject.spec->name);
	} else if (leads || !q->subject.argv) {
		how.argv = q->subject.argv;
		how.target = q->subject.argv ? NULL : q->subject.target;
		how.samples = q->sampling.samples;
		how.duration = q->sampling.duration;
		how.out_fd = how.err_fd = output_fd(d->output);
		how.no_input = how.own_group = true;
	} else {
		for (size_t i = 0; q->subject.argv[i]; i++)
			str_addf(&name, "%s%s", i ? " " : "", q->subject.argv[i]);
	}
	how.name = name.n ? str_text(&name) : NULL;
	r = tasktime_run_new(&how);
	str_free(&name);
	return r;
}

void
control_timeline_ended(struct control *d, struct run *r)
{
	r->ops->explain(r, &d->s->data.run_notes);
	if (!control_timeline_counts(d) && d->runs_left && --d->runs_left)
		state_request(d->s, REQUEST_RUN);
}

bool
control_timeline_follow(struct control *d)
{
	if (!state_timeline_take(d->s))
		return false;
	autosave_soon(d->file);
	return true;
}
