/* Makes and starts the runs of the subject, sends their rows to the engine, and takes note of their end. */

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
#include "explorer/control/control_model.h"
#include "explorer/control/control_parts.h"
#include "explorer/engine/engine.h"
#include "explorer/state/state.h"
#include "explorer/state/state_catalogue.h"
#include "explorer/state/state_leave.h"
#include "explorer/state/state_timeline.h"
#include "explorer/state/state_timeline_due.h"
#include "work/catalogue.h"
#include "work/files/simulation.h"
#include "work/fit/fitting.h"
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

	d->leader.n_sent = t && d->s->data.leader->ops->judged ? t->n : 0;
	d->leader.sent = mem_resize(d->leader.sent, d->leader.n_sent, sizeof *d->leader.sent);
	for (size_t i = 0; i < d->leader.n_sent; i++)
		d->leader.sent[i] = t->obs[i]->n_rows;
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
	return i >= d->leader.n_sent || t->obs[i]->n_rows > d->leader.sent[i];
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
			engine_rows(d->engine, number, t, i, i < d->leader.n_sent ? d->leader.sent[i] : 0);
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

/* The counters of the model, the network or the stacks, and the events that view 0 adds. NULL and *e. */
static struct counter_list *
counters_of(void *state, struct err *e)
{
	const struct state *s = state;
	const struct network *net = network_of(s);
	size_t n = 0;
	struct stack *const *stack = s->data.timeline ? timeline_stacks(s->data.timeline, &n) : NULL;
	struct counter_list *list = net ? counter_list_of_network(net, net->name)
		: n                     ? counters_of_stacks(stack, n, e)
		: s->question.model     ? counter_list_of_model(s->question.model, &s->question.on)
					: mem_new(sizeof *list);

	for (size_t i = 0; list && i < s->view.events.n_added; i++)
		counter_list_add(list, s->view.events.added[i].name, s->view.events.added[i].event);
	return list;
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
ask_for_tracefs(struct state *state)
{
	struct err e = {0};
	struct counter_list *list;
	bool ask, *chosen;

	if (!state->data.machine.may_mount_tracefs || state->data.machine.tracefs_mounted ||
		state->view.leaving.asked_tracefs || !(list = counters_of(state, &e)))
		return false;
	chosen = counter_list_chosen(list, state->question.how.counter, state->question.how.n_counters);
	ask = needs_tracefs(list, chosen);
	free(chosen);
	counter_list_free(list);
	if (ask)
		state_ask_for_tracefs(state);
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

void
control_ask_fit(struct control *control)
{
	struct state *s = control->s;
	const struct source_target *target = s->question.subject.argv ? NULL : s->question.subject.target;
	struct err e = {0};
	struct counter_list *list = counts(s) ? counters_of(s, &e) : NULL;

	bool *chosen = list ? counter_list_chosen(list, s->question.how.counter, s->question.how.n_counters) : NULL;

	fitting_ask(state_fitting(s), list, chosen, target && target->kind == SOURCE_CPUS);
	free(chosen);
	counter_list_free(list);
}

static void
control_runs_leave(void *control, const struct obs_table *t)
{
	struct control *d = control;

	autosave_leave_table(d->file, d->s, t);
}

/* What to run or watch, and what to observe of it. A command that was typed replaces the programs of --spec FILE. */
static struct subject_runs_options
wanted(struct control *control)
{
	struct state *state = control->s;
	const struct subject *subject = &state->question.subject;
	const struct profile_spec *spec = subject->argv ? NULL : subject->spec;

	return (struct subject_runs_options){
		.spec = spec,
		.argv = subject->argv,
		.target = subject->argv ? NULL : subject->target,
		.counters = counts(state) ? counters_of : NULL,
		.ctx = state,
		.chosen = {state->question.how.counter, state->question.how.n_counters},
		.tasks.wanted = divides_time(state),
		.tasks.counted = counts(state) ? network_of(state) : NULL,
		.flows.network = subject->follows_flows && counts(state) && !spec ? network_of(state) : NULL,
		.flows.file = state->question.network_text.path,
		.flows.leaves = control_runs_leave,
		.flows.ctx = control,
		.optional = true,
		.tasks.no_calibrate = subject->no_calibrate,
		.sampling = state->question.sampling,
		/* a simulated PMU that multiplexes has no exact totals */
		.totals = state->question.model && subject->argv && !simulation_is(subject->argv[0]),
		.peeked = state->question.model != NULL,
		.folds = !state->question.model,
		.apart = true,
		.out_fd = output_fd(control->output),
		.err_fd = output_fd(control->output),
		.no_input = true,
		.own_group = true,
		.runs_on = &control->runs_on,
		.keep = control->keep,
		.earlier = state->data.run,
		.n_earlier = state->data.n_runs,
	};
}

/* Gives the state a run that has joined. Frees one that was refused, and notes the reason. */
static void
take_joined(struct control *control, struct run *run, const char *what)
{
	const struct err *e = run ? runs_refusal(control->runs, run) : NULL;

	if (!e) {
		if (run)
			state_add_run(control->s, run);
		return;
	}
	if (what)
		str_addf(&control->s->data.run_notes, "%s: %s\n", what, e->what);
	else
		err_text(e, &control->s->data.run_notes);
	run_free(run);
}

/* Starts the runs. A run of counters is the state's from the beginning: its status says why it could not start. */
static bool
start_runs(struct control *control, struct err *e)
{
	const struct subject_runs_options how = wanted(control);
	struct run *kept;
	struct subject_runs made;

	if (!subject_runs_make(control->runs, &how, &made, e))
		return false;
	kept = how.spec ? NULL : made.counts;
	if (kept) {
		state_add_run(control->s, kept);
		state_set_leader(control->s, kept);
	}
	if (!runs_begin(control->runs, e)) {
		subject_runs_free(&made, kept);
		return false;
	}
	if (made.flows && runs_refusal(control->runs, made.flows))
		control->no_flows = *runs_refusal(control->runs, made.flows);
	take_joined(control, made.flows, NULL);
	take_joined(control, made.tasks, "time of tasks");
	if (made.sums)
		state_add_run(control->s, made.sums);
	if (made.counts)
		state_add_run(control->s, made.counts);
	state_set_leader(control->s, runs_leader(control->runs));
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
control_start_command(struct control *control)
{
	struct state *state = control->s;
	struct err e = {0};

	control_look(control, LOOK_MACHINE);
	if (ask_for_tracefs(state))
		return;
	if (!control->output && !(control->output = output_new(&e))) {
		state_say(state, true, "%s", e.what);
		return;
	}
	if (!state_has_subject(state) || state_running(state))
		return;
	str_clear(&state->data.run_notes);
	control->no_flows = (struct err){0};
	if (!start_runs(control, &e)) {
		control->runs_left = 0;
		state_say(state, true, "%s", e.what);
		err_text(&e, &state->data.run_notes);
		return;
	}
	state->data.had_run = true;
	control->growing = false;
	control_note_counted(control);
	state_forget_history(state);
	state_timeline_began(state);
	if (state->question.model)
		send_table(control, state->data.leader);
	note_sent(control);
	if (state->data.leader->ops->judged)
		state->data.leader->ops->explain(state->data.leader, &state->data.run_notes);
	if (!say_no_flows(control))
		state_say(state, false, "%s", "");
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
	d->leader.index = run_table(d->s->data.leader)->n - 1;
	free(d->leader.name);
	free(d->leader.source);
	d->leader.name = mem_str(o->name);
	d->leader.source = mem_str(o->source);
	d->took = 0;
}

/* Sends new samples to the idle engine, and asks for a verdict. */
static bool
follow_model(struct control *control)
{
	struct state *state = control->s;
	const struct obs *growing = run_facts(state->data.leader).growing;

	if (growing && !control->growing)
		begin_growing(control, growing);
	if (!engine_is_behind(control))
		return false;
	if (control->gave_up || engine_busy(control->engine) || state->answers.search.task != SEARCH_NONE ||
		state->view.frame.now - control->asked_at < fmax(REFRESH_SECONDS, REFRESH_SHARE * control->took))
		return true;
	control_send_rows(control);
	engine_run(control->engine, &state->question.on);
	control->refreshing = true;
	control->asked_at = state->view.frame.now;
	return true;
}

bool
control_follow_growth(struct control *control)
{
	struct run *run = control->s->data.leader;
	double before = clock_process_seconds();
	bool some;

	if (!run_running(run) || !run->ops->judged)
		return false;
	some = control->s->question.model ? follow_model(control) : control_follow_timeline(control);
	if (run->ops->took)
		run->ops->took(run, clock_process_seconds() - before);
	return some;
}

/* --- its end ----------------------------------------------------------------------------------------------------- */

/* Sends what the engine lacks of a run. If it dropped its few rows, or totals replaced them, sends the whole table. */
static void
send_ended_run(struct control *d, struct run *r)
{
	const struct obs_table *t = run_table(r);

	if (!d->growing || d->leader.index >= t->n || !str_eq(t->obs[d->leader.index]->name, d->leader.name) ||
		t->obs[d->leader.index]->exact)
		send_table(d, r);
	else
		control_send_rows(d);
	d->growing = false;
}

/* Remarks of the runs that joined the leader and have ended with it, or before it. */
static void
explain_joined(struct control *control, const struct run *leader)
{
	struct data *data = &control->s->data;

	for (size_t i = 0; i < data->n_runs; i++) {
		struct run *run = data->run[i];

		if (run == leader || run->runs != control->runs || run_running(run))
			continue;
		run->ops->explain(run, &data->run_notes);
		if (!run->ops->shown)
			state_timeline_make_due(control->s, DUE_PATHS);
	}
}

static void
judged_run_ended(struct control *control, struct run *run, const struct err *e)
{
	struct state *state = control->s;

	output_read(control->output, &state->data.output, &state->data.output_total);
	control_ending_say(state, run, e);
	if (state->view.events.catalogue && catalogue_fd(state->view.events.catalogue) < 0)
		catalogue_read_health(state->view.events.catalogue);
	explain_joined(control, run);
	if (state->question.model) {
		send_ended_run(control, run);
		state_request(state, REQUEST_RESULT);
	} else {
		control_follow_timeline(control);
	}
	autosave_soon(control->file);
	if (run_facts(run).ending == RUN_END_ASKED)
		control->runs_left = 0;
}

void
control_run_news(void *control, struct run *run, enum run_step step, const struct err *e)
{
	struct control *d = control;
	bool ended = step == RUN_ENDED;

	if (ended && run->ops->judged)
		judged_run_ended(d, run, e);
	else if (ended)
		run->ops->explain(run, &d->s->data.run_notes);
	if (ended && run == d->s->data.leader) {
		if (d->again || (d->runs_left && --d->runs_left))
			state_request(d->s, REQUEST_RUN);
		d->again = false;
	}
	if (ended)
		state_timeline_ended(d->s);
	if (!run->ops->shown)
		state_timeline_make_due(d->s, DUE_PATHS);
	d->heard = true;
}

/* Keeps the samples so far. Exact totals are dropped: they need the command's own end. */
void
control_end_command(struct control *control)
{
	struct state *state = control->s;
	struct counters_run *run = run_as_counters(state->data.leader);

	control->runs_left = 0;
	if (state_command_runs(state))
		state_say(state, false, "%s is asked to end (SIGTERM), and killed if it still runs in half a second",
			state_subject(state));
	if (!run || !run_running(counters_as_run(run)) || state->question.sampling.interval_ms) {
		runs_finish(control->runs);
		return;
	}
	counters_run_stop(run);
	state_say(state, true, "%s was ended; its totals were dropped", state_subject(state));
}
