#include "app/control/control_timeline.h"

#include <math.h>
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

/* Parsed, or why not on the screen. */
static bool
read_text(struct state *s, const char *name, enum session_text kind, struct text *t, struct network **net,
	struct stack **stack)
{
	struct diags found = {0};
	struct err e = {0};
	bool good = text_load(name, kind, t, &e);

	if (!good)
		state_say(s, true, "%s%s%s", e.what, *e.hint ? "; " : "", e.hint);
	else if (kind == SESSION_NETWORK)
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
control_timeline_open(struct control *d, const char *name, enum session_text kind, bool ask)
{
	struct state *s = d->s;
	struct text net_text = {0}, stack_text = {0};
	struct network *net = NULL;
	struct stack *stack = NULL;
	bool good = read_text(s, name, kind, kind == SESSION_NETWORK ? &net_text : &stack_text, &net, &stack);

	if (good && net && net->stack)
		good = read_text(s, net->stack, SESSION_STACK, &stack_text, &net, &stack);
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

static struct tasktime_run *
last_run(const struct control *d)
{
	return d->s->data.n_stalls ? d->s->data.stalls[d->s->data.n_stalls - 1] : NULL;
}

/* Takes the run. */
static bool
start(struct control *d, struct tasktime_run *run, struct err *e)
{
	struct state *s = d->s;

	if (!tasktime_run_start(run, e)) {
		tasktime_run_free(run);
		return false;
	}
	s->data.stalls = mem_resize(s->data.stalls, s->data.n_stalls + 1, sizeof *s->data.stalls);
	s->data.stalls[s->data.n_stalls++] = run;
	return true;
}

bool
control_timeline_start(struct control *d, struct err *e)
{
	const struct state *s = d->s;
	const struct tasktime_run_options how = {
		.argv = s->question.subject.argv,
		.target = s->question.subject.argv ? NULL : s->question.subject.target,
		.interval_ms = s->question.sampling.interval_ms,
		.samples = s->question.sampling.samples, .duration = s->question.sampling.duration,
		.folds = true, .out_fd = output_fd(d->output), .err_fd = output_fd(d->output), .no_input = true,
		.own_group = true,
	};

	return !divides_time(s) || start(d, tasktime_run_new(&how), e);
}

/* Where records cannot be had the counting goes on without them. */
bool
control_timeline_join(void *desk, int pid, struct err *e)
{
	struct control *d = desk;
	struct state *s = d->s;
	struct str name = {0};

	if (!pid || !divides_time(s))
		return true;
	for (size_t i = 0; s->question.subject.argv[i]; i++)
		str_addf(&name, "%s%s", i ? " " : "", s->question.subject.argv[i]);
	if (!start(d,
		    tasktime_run_new(&(struct tasktime_run_options){.waiting = pid,
			    .name = str_text(&name),
			    .interval_ms = s->question.sampling.interval_ms,
			    .folds = true,
			    .out_fd = -1,
			    .err_fd = -1}),
		    e))
		str_addf(&s->data.run_notes, "time of tasks: %s\n", e->what);
	str_free(&name);
	return true;
}

bool
control_timeline_hold(struct control *d, const int *pid, size_t n, struct err *e)
{
	struct state *s = d->s;
	const struct tasktime_run_options how = {
		.held = pid, .n_held = n, .name = s->question.subject.spec->name,
		.interval_ms = s->question.subject.spec->mode == SPEC_AGGREGATED ? 0 : s->question.sampling.interval_ms,
		.by_hand = true, .folds = true,
		.out_fd = -1, .err_fd = -1,
	};

	if (!divides_time(s) || start(d, tasktime_run_new(&how), e))
		return true;
	if (!control_timeline_counts(d))
		return false;
	str_addf(&s->data.run_notes, "time of tasks: %s\n", e->what);
	return true;
}

void
control_timeline_begins(struct control *d, int pid)
{
	if (last_run(d) && tasktime_run_running(last_run(d)))
		tasktime_run_begins(last_run(d), pid);
}

void
control_timeline_tick(struct control *d)
{
	if (last_run(d) && tasktime_run_running(last_run(d)))
		tasktime_run_tick(last_run(d));
}

void
control_timeline_finish(struct control *d)
{
	if (last_run(d) && tasktime_run_running(last_run(d)))
		tasktime_run_finish(last_run(d));
}

bool
control_timeline_poll(struct control *d)
{
	struct tasktime_run *run = last_run(d);
	struct state *s = d->s;

	if (!run || !tasktime_run_running(run))
		return false;
	if (tasktime_run_poll(run)) {
		tasktime_run_explain(run, &s->data.run_notes);
		if (!control_timeline_counts(d) && d->runs_left && --d->runs_left)
			state_request(s, REQUEST_RUN);
		control_timeline_follow(d);
		return true;
	}
	return control_timeline_follow(d);
}

int
control_timeline_wait_fd(const struct control *d)
{
	return last_run(d) && tasktime_run_running(last_run(d)) ? tasktime_run_wait_fd(last_run(d)) : -1;
}

double
control_timeline_patience(const struct control *d)
{
	return last_run(d) && tasktime_run_running(last_run(d)) ? tasktime_run_patience(last_run(d)) : INFINITY;
}

bool
control_timeline_follow(struct control *d)
{
	if (!state_timeline_take(d->s))
		return false;
	autosave_soon(d->file);
	return true;
}
