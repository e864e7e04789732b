/* Makes and starts the runs of the subject, sends their rows to the engine, and takes note of their end. */
#include "explorer/control/control_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/proc/names.h"
#include "core/network/network.h"
#include "core/obs/obs.h"
#include "core/stack/stack.h"
#include "core/udd/model.h"
#include "event/name.h"
#include "explorer/autosave/autosave.h"
#include "explorer/control/control.h"
#include "explorer/control/control_ending.h"
#include "explorer/engine/engine.h"
#include "explorer/state/state.h"
#include "explorer/state/state_timeline.h"
#include "explorer/state/state_timeline_due.h"
#include "work/files/simulation.h"
#include "work/run/counters_run.h"
#include "work/run/output.h"
#include "work/run/subject_runs.h"
#include "work/run/tasktime_run.h"
#include "work/timeline/timeline.h"

#define REFRESH_SECONDS 0.25 /* least time between two verdicts on growing observations */
#define REFRESH_SHARE 4 /* the same, as a multiple of the last one's time: the engine is idle often enough for keys */

/* --- rows for the engine ----------------------------------------------------------------------------------------- */

/* Notes that the engine has all rows of the leader so far. */
static void
note_sent(struct control *d)
{
	const struct obs_table *t = run_table(d->s->data.leader);

	d->n_sent = t && d->s->data.leader->ops->judged ? t->n : 0;
	d->sent = mem_resize(d->sent, d->n_sent, sizeof *d->sent);
	for (size_t i = 0; i < d->n_sent; i++)
		d->sent[i] = t->obs[i]->n_rows;
}

static void
send_table(struct control *d, struct run *r)
{
	engine_table(d->engine, state_table_number(d->s, r), run_table(r));
}

void
control_send_tables(struct control *d)
{
	for (size_t i = 0; i < d->s->data.n_runs; i++)
		if (d->s->data.run[i]->ops->judged)
			send_table(d, d->s->data.run[i]);
	note_sent(d);
}

static bool
is_behind(const struct control *d, const struct obs_table *t, size_t i)
{
	return i >= d->n_sent || t->obs[i]->n_rows > d->sent[i];
}

static bool
engine_is_behind(const struct control *d)
{
	const struct obs_table *t = run_table(d->s->data.leader);

	for (size_t i = 0; i < t->n; i++)
		if (is_behind(d, t, i))
			return true;
	return false;
}

void
control_send_rows(struct control *d)
{
	const struct obs_table *t = run_table(d->s->data.leader);
	size_t number = state_table_number(d->s, d->s->data.leader);

	for (size_t i = 0; i < t->n; i++)
		if (is_behind(d, t, i))
			engine_rows(d->engine, number, t, i, i < d->n_sent ? d->sent[i] : 0);
	note_sent(d);
}

/* --- starting ---------------------------------------------------------------------------------------------------- */

/* Names of numbers in kernel files have colons, too. */
static bool
is_tracepoint(const char *event)
{
	return !proc_name_is(event) && event_is_tracepoint(event);
}

static struct counter_list *
counters_of_stacks(struct stack *const *stack, size_t n, struct err *e)
{
	char **name = mem_new_array(n + 1, sizeof *name);
	struct counter_list *l;

	for (size_t i = 0; i < n; i++)
		name[i] = mem_str(stack[i]->name);
	l = counter_list_of_stacks(stack, name, n, e);
	str_split_free(name);
	return l;
}

static const struct network *
network_of(const struct state *s)
{
	return s->data.timeline ? timeline_network(s->data.timeline) : NULL;
}

/* The counters of the model, the network or the stacks. NULL and *e. */
static struct counter_list *
counters_of(void *state, struct err *e)
{
	const struct state *s = state;
	const struct network *net = network_of(s);
	size_t n = 0;
	struct stack *const *stack = s->data.timeline ? timeline_stacks(s->data.timeline, &n) : NULL;

	if (net)
		return counter_list_of_network(net, net->name);
	if (n)
		return counters_of_stacks(stack, n, e);
	return counter_list_of_model(s->question.model);
}

static bool
needs_tracefs(const struct counter_list *l, const bool *asked)
{
	for (size_t i = 0; i < l->n; i++)
		for (size_t k = 0; k < l->counter[i].n_choices; k++)
			for (size_t m = 0; (!asked || asked[i]) && m < l->counter[i].choice[k].n; m++)
				if (is_tracepoint(l->counter[i].choice[k].event[m].name))
					return true;
	return false;
}

/* Asks the user to let tracefs be mounted, if the counters need it. True when it asked: the command waits. */
static bool
ask_for_tracefs(struct state *s)
{
	struct err e = {0};
	struct counter_list *l;
	bool ask;

	if (!s->data.machine.may_mount_tracefs || s->data.machine.tracefs_mounted || s->view.leaving.asked_tracefs ||
		!(l = counters_of(s, &e)))
		return false;
	ask = needs_tracefs(l, s->question.how.counter);
	counter_list_free(l);
	if (ask)
		state_ask_for_tracefs(s);
	return ask;
}

static bool
divides_time(const struct state *s)
{
	size_t n = 0;
	struct stack *const *stack = s->data.timeline ? timeline_stacks(s->data.timeline, &n) : NULL;

	return n && tasktime_run_serves(stack, n);
}

/* True when something is counted, and not only the time of tasks divided. */
static bool
counts(const struct state *s)
{
	return s->question.model || network_of(s) || !divides_time(s);
}

static void
control_runs_leave(void *control, const struct obs_table *t)
{
	struct control *d = control;

	autosave_leave_table(d->file, d->s, t);
}

/* What to run or watch, and what to observe of it. A command that was typed replaces the programs of --spec FILE. */
static struct subject_runs_options
wanted(struct control *d)
{
	struct state *s = d->s;
	const struct subject *subject = &s->question.subject;
	const struct profile_spec *spec = subject->argv ? NULL : subject->spec;

	return (struct subject_runs_options){
		.spec = spec, .argv = subject->argv, .target = subject->argv ? NULL : subject->target,
		.counters = counts(s) ? counters_of : NULL, .ctx = s, .chosen = s->question.how.counter,
		.tasks.wanted = divides_time(s),
		.flows.network = subject->follows_flows && counts(s) && !spec ? network_of(s) : NULL,
		.flows.file = s->question.network_text.path, .flows.leaves = control_runs_leave, .flows.ctx = d,
		.optional = true, .sampling = s->question.sampling,
		/* a simulated PMU that multiplexes has no exact totals */
		.totals = s->question.model && subject->argv && !simulation_is(subject->argv[0]),
		.peeked = s->question.model != NULL, .folds = !s->question.model, .apart = true,
		.out_fd = output_fd(d->output), .err_fd = output_fd(d->output), .no_input = true, .own_group = true,
		.keep = d->keep, .earlier = s->data.run, .n_earlier = s->data.n_runs,
	};
}

/* Gives the state a run that has joined. Frees one that was refused, and notes the reason. */
static void
take_joined(struct control *d, struct run *r, const char *what)
{
	const struct err *e = r ? runs_refusal(d->runs, r) : NULL;

	if (!e) {
		if (r)
			state_add_run(d->s, r);
		return;
	}
	if (what)
		str_addf(&d->s->data.run_notes, "%s: %s\n", what, e->what);
	else
		err_text(e, &d->s->data.run_notes);
	run_free(r);
}

/* Starts the runs. A run of counters is the state's from the beginning: its status says why it could not start. */
static bool
start_runs(struct control *d, struct err *e)
{
	const struct subject_runs_options how = wanted(d);
	struct run *kept;
	struct subject_runs made;

	if (!subject_runs_make(d->runs, &how, &made, e))
		return false;
	kept = how.spec ? NULL : made.counts;
	if (kept) {
		state_add_run(d->s, kept);
		state_set_leader(d->s, kept);
	}
	if (!runs_begin(d->runs, e)) {
		subject_runs_free(&made, kept);
		return false;
	}
	if (made.flows && runs_refusal(d->runs, made.flows))
		d->no_flows = *runs_refusal(d->runs, made.flows);
	take_joined(d, made.flows, NULL);
	take_joined(d, made.tasks, "time of tasks");
	if (made.counts)
		state_add_run(d->s, made.counts);
	state_set_leader(d->s, runs_leader(d->runs));
	return true;
}

static bool
say_no_flows(struct control *d)
{
	if (!*d->no_flows.what)
		return false;
	state_say(d->s, true, "%s%s", str_starts(d->no_flows.what, "flows") ? "" : "flows: ", d->no_flows.what);
	return true;
}

void
control_start_command(struct control *d)
{
	struct state *s = d->s;
	struct err e = {0};

	if (ask_for_tracefs(s))
		return;
	if (!d->output && !(d->output = output_new(&e))) {
		state_say(s, true, "%s", e.what);
		return;
	}
	if (!state_has_subject(s) || state_running(s))
		return;
	str_clear(&s->data.run_notes);
	d->no_flows = (struct err){0};
	if (!start_runs(d, &e)) {
		d->runs_left = 0;
		state_say(s, true, "%s", e.what);
		err_text(&e, &s->data.run_notes);
		return;
	}
	s->data.had_run = true;
	d->growing = false;
	state_forget_history(s);
	if (s->question.model)
		send_table(d, s->data.leader);
	note_sent(d);
	if (s->data.leader->ops->judged)
		s->data.leader->ops->explain(s->data.leader, &s->data.run_notes);
	if (!say_no_flows(d))
		state_say(s, false, "%s", "");
}

/* --- while it runs ----------------------------------------------------------------------------------------------- */

bool
control_follow_timeline(struct control *d)
{
	if (!state_timeline_take(d->s))
		return false;
	autosave_soon(d->file);
	return true;
}

static void
begin_growing(struct control *d, const struct obs *o)
{
	d->growing = true;
	d->index = run_table(d->s->data.leader)->n - 1;
	free(d->name);
	free(d->source);
	d->name = mem_str(o->name);
	d->source = mem_str(o->source);
	d->took = 0;
}

/* Sends new samples to the idle engine, and asks for a verdict. */
static bool
follow_model(struct control *d)
{
	struct state *s = d->s;
	const struct obs *growing = run_facts(s->data.leader).growing;

	if (growing && !d->growing)
		begin_growing(d, growing);
	if (!engine_is_behind(d))
		return false;
	if (d->gave_up || engine_busy(d->engine) || s->answers.search.task != SEARCH_NONE ||
		s->view.frame.now - d->asked_at < fmax(REFRESH_SECONDS, REFRESH_SHARE * d->took))
		return true;
	control_send_rows(d);
	engine_run(d->engine, &s->question.on);
	d->refreshing = true;
	d->asked_at = s->view.frame.now;
	return true;
}

bool
control_follow_growth(struct control *d)
{
	struct run *r = d->s->data.leader;
	double before = clock_process_seconds();
	bool some;

	if (!run_running(r) || !r->ops->judged)
		return false;
	some = d->s->question.model ? follow_model(d) : control_follow_timeline(d);
	if (r->ops->took)
		r->ops->took(r, clock_process_seconds() - before);
	return some;
}

/* --- its end ----------------------------------------------------------------------------------------------------- */

/* Sends what the engine lacks of a run. If it dropped its few rows, or totals replaced them, sends the whole table. */
static void
send_ended_run(struct control *d, struct run *r)
{
	const struct obs_table *t = run_table(r);

	if (!d->growing || d->index >= t->n || !str_eq(t->obs[d->index]->name, d->name) || t->obs[d->index]->exact)
		send_table(d, r);
	else
		control_send_rows(d);
	d->growing = false;
}

/* Remarks of the runs that joined the leader and have ended with it, or before it. */
static void
explain_joined(struct control *d, const struct run *leader)
{
	struct data *data = &d->s->data;

	for (size_t i = 0; i < data->n_runs; i++) {
		struct run *r = data->run[i];

		if (r == leader || r->runs != d->runs || run_running(r))
			continue;
		r->ops->explain(r, &data->run_notes);
		if (!r->ops->shown)
			state_timeline_make_due(d->s, DUE_PATHS);
	}
}

static void
judged_run_ended(struct control *d, struct run *r, const struct err *e)
{
	struct state *s = d->s;

	output_read(d->output, &s->data.output, &s->data.output_total);
	control_ending_say(s, r, e);
	explain_joined(d, r);
	if (s->question.model) {
		send_ended_run(d, r);
		state_request(s, REQUEST_RESULT);
	} else {
		control_follow_timeline(d);
	}
	autosave_soon(d->file);
	if (run_facts(r).ending == RUN_END_ASKED)
		d->runs_left = 0;
}

void
control_run_news(void *control, struct run *r, enum run_step step, const struct err *e)
{
	struct control *d = control;
	bool ended = step == RUN_ENDED;

	if (ended && r->ops->judged)
		judged_run_ended(d, r, e);
	else if (ended)
		r->ops->explain(r, &d->s->data.run_notes);
	if (ended && r == d->s->data.leader) {
		if (d->again || (d->runs_left && --d->runs_left))
			state_request(d->s, REQUEST_RUN);
		d->again = false;
	}
	if (!r->ops->shown)
		state_timeline_make_due(d->s, DUE_PATHS);
	d->heard = true;
}

/* Keeps the samples so far. Exact totals are dropped: they need the command's own end. */
void
control_end_command(struct control *d)
{
	struct state *s = d->s;
	struct counters_run *l = run_as_counters(s->data.leader);

	d->runs_left = 0;
	if (!l || !run_running(counters_as_run(l)) || s->question.sampling.interval_ms) {
		runs_finish(d->runs);
		return;
	}
	counters_run_stop(l);
	state_say(s, true, "%s was ended; its totals were dropped", state_subject(s));
}
