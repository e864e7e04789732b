/* The desk's command, or what else is watched: started, followed while it grows, and told of when it ends. */
#include "app/control/control_command.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/autosave/autosave.h"
#include "app/control/control.h"
#include "app/control/control_flows.h"
#include "app/control/control_spec.h"
#include "app/control/control_timeline.h"
#include "app/engine/engine.h"
#include "app/files/simulation.h"
#include "app/run/counter_list.h"
#include "app/run/counters_run.h"
#include "app/run/flow_run.h"
#include "app/run/output.h"
#include "app/run/tasktime_run.h"
#include "app/state/state.h"
#include "app/timeline/timeline.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "collect/proc/names.h"
#include "core/network/network.h"
#include "core/obs/obs.h"
#include "core/stack/stack.h"
#include "core/udd/model.h"

#define REFRESH_SECONDS 0.25 /* between two verdicts on a growing observation at least, */
#define REFRESH_SHARE                                                                                                  \
	4 /* … and so many times as long as the last one took: they never pile up, and toggles find an idle engine */

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
	control_spec_note_sent(d);
}

/* "sys:event" is a tracepoint, but for numbers in the kernel's files; behind the colon of another event stand modifiers
 * only. */
static bool
is_tracepoint(const char *event)
{
	const char *colon = strchr(event, ':');

	return !proc_name_is(event) && colon && colon[1] && colon[1] != ':' &&
		colon[1 + strspn(colon + 1, "ukhGHIpPSDWeb")] != '\0';
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

/* What is counted: the model's counters, the network's, or the stacks'. NULL and *e. */
static struct counter_list *
counters_of(const struct state *s, struct err *e)
{
	const struct network *net = s->data.timeline ? timeline_network(s->data.timeline) : NULL;
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

/* May the command begin, or does the user have to be asked for a mounted tracefs first? */
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

/* A new command: its observations join those of the commands before, in one table. */
static bool
set_live(struct state *s, const struct counters_run_options *run, struct err *e)
{
	struct counter_list *l;

	for (size_t i = 0; i < s->data.n_runs; i++)
		if (run_as_counters(s->data.run[i])) {
			counters_run_set_command(run_as_counters(s->data.run[i]), run);
			state_set_leader(s, s->data.run[i]);
			return true;
		}
	l = counters_of(s, e);
	if (!l)
		return false;
	state_set_leader(s, counters_as_run(counters_run_new_of(l, run)));
	state_add_run(s, s->data.leader);
	return true;
}

static struct counter_list *
counters_for_spec(void *session, struct err *e)
{
	return counters_of(session, e);
}

/* What could not join is said, and freed. */
static bool
joined(struct control *d, struct run *r, const char *what)
{
	const struct err *e = r ? runs_refusal(d->runs, r) : NULL;

	if (e && what)
		str_addf(&d->s->data.run_notes, "%s: %s\n", what, e->what);
	else if (e)
		err_text(e, &d->s->data.run_notes);
	if (e)
		run_free(r);
	return r && !e;
}

/* The counters of a command, of what runs or of a specification's programs; the flows and the time of their tasks join
 * these, where the session wants them. Or the time of tasks alone. */
static bool
start_runs(struct control *d, const struct counters_run_options *run, struct err *e)
{
	bool counts = control_timeline_counts(d), of_spec = control_spec_is_subject(d);
	struct spec_run *spec = of_spec ? control_spec_new(d, counts ? counters_for_spec : NULL, e) : NULL;
	struct tasktime_run *tasks;
	struct flow_run *flows;

	if (of_spec ? !spec : counts && !set_live(d->s, run, e))
		return false;
	tasks = control_timeline_new(d);
	flows = counts && !of_spec ? control_flows_new(d) : NULL;
	runs_clear(d->runs);
	if (of_spec || counts)
		runs_add(d->runs, of_spec ? spec_as_run(spec) : d->s->data.leader, false);
	if (flows)
		runs_add(d->runs, flow_as_run(flows), true);
	if (tasks)
		runs_add(d->runs, tasktime_as_run(tasks), counts);
	if (!runs_begin(d->runs, e)) {
		run_free(flow_as_run(flows));
		run_free(tasktime_as_run(tasks));
		run_free(spec_as_run(spec));
		return false;
	}
	d->no_flows = flows && runs_refusal(d->runs, flow_as_run(flows))
		? *runs_refusal(d->runs, flow_as_run(flows)) : (struct err){0};
	if (joined(d, flow_as_run(flows), NULL))
		state_add_run(d->s, flow_as_run(flows));
	if (joined(d, tasktime_as_run(tasks), "time of tasks"))
		state_add_run(d->s, tasktime_as_run(tasks));
	if (spec)
		state_add_run(d->s, spec_as_run(spec));
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
	struct counters_run_options run = {
		.ops = run_source(), .counter = s->question.how.counter, .argv = s->question.subject.argv,
		.target = s->question.subject.argv ? NULL : s->question.subject.target,
		/* those of a PMU that multiplexes are no more exact */
		.interval_ms = s->question.sampling.interval_ms, .samples = s->question.sampling.samples,
		.duration = s->question.sampling.duration,
			.rotation = s->question.sampling.rotation, .rotation_said = s->question.sampling.rotation_said,
			.totals = s->question.model && s->question.subject.argv
			&& !simulation_is(s->question.subject.argv[0]),
		.peeked = s->question.model != NULL, .folds = !s->question.model,
		.no_input = true, .own_group = true, .keep = d->keep,
	};
	struct err e = {0};

	if (ask_for_tracefs(s))
		return;
	if (!d->output && !(d->output = output_new(&e))) {
		state_say(s, true, "%s", e.what);
		return;
	}
	run.out_fd = run.err_fd = output_fd(d->output);
	if (!state_has_subject(s) || state_running(s))
		return;
	str_clear(&s->data.run_notes);
	d->no_flows = (struct err){0};
	if (!start_runs(d, &run, &e)) {
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
	control_spec_note_sent(d);
	if (s->data.leader->ops->judged)
		s->data.leader->ops->explain(s->data.leader, &s->data.run_notes);
	if (!say_no_flows(d))
		state_say(s, false, "%s", "");
}

/* Rows that the engine has not got; those of a new observation begin it. */
void
control_send_rows(struct control *d)
{
	const struct obs_table *t = run_table(d->s->data.leader);
	const struct obs *o = t->obs[d->index];

	if (o->n_rows > d->rows_sent)
		engine_rows(d->engine, state_table_number(d->s, d->s->data.leader), t, d->index, d->rows_sent);
	d->rows_sent = o->n_rows;
	d->rows_sent_at = d->s->view.frame.now;
}

static void
begin_growing(struct control *d, const struct obs *o)
{
	d->growing = true;
	d->index = run_table(d->s->data.leader)->n - 1;
	d->rows_sent = 0;
	free(d->name);
	free(d->source);
	d->name = mem_str(o->name);
	d->source = mem_str(o->source);
	d->took = 0;
}

/* New samples go to the engine, and a verdict on them is asked for when it has nothing else to do. */
bool
control_follow_growth(struct control *d)
{
	struct state *s = d->s;
	const struct obs *o = run_facts(s->data.leader).growing;

	if (!s->question.model)
		return o && control_timeline_follow(d);
	if (!o)
		return false;
	if (!d->growing)
		begin_growing(d, o);
	if (o->n_rows == d->rows_sent || d->gave_up || engine_busy(d->engine) ||
		s->answers.search.task != SEARCH_NONE ||
		s->view.frame.now - d->asked_at < fmax(REFRESH_SECONDS, REFRESH_SHARE * d->took))
		return o->n_rows != d->rows_sent;
	control_send_rows(d);
	engine_run(d->engine, &s->question.on);
	d->refreshing = true;
	d->asked_at = s->view.frame.now;
	return true;
}

/* What the run has added: the last rows, its totals; or it took its few rows back, and then the table is another one.
 */
static void
send_ended_run(struct control *d, struct run *r)
{
	const struct obs_table *t = run_table(r);

	if (!d->growing || d->index >= t->n || !str_eq(t->obs[d->index]->name, d->name) || t->obs[d->index]->exact) {
		send_table(d, r);
	} else {
		control_send_rows(d);
		for (size_t i = d->index + 1; i < t->n; i++)
			engine_rows(d->engine, state_table_number(d->s, r), t, i, 0);
	}
	d->growing = false;
}

static void
say_how_it_ended(struct control *d, const struct counters_run *l, const struct err *e)
{
	struct state *s = d->s;
	const struct source_end *end = counters_run_end(l);
	const char *name = state_subject(s);
	char number[NUMBER_TEXT];

	if (*e->what)
		state_say(s, true, "%s", e->what);
	else if (end->left_behind)
		state_say(s, true, "%zu processes of %s still run: its totals are not exact", end->left_behind, name);
	else if (end->vanished)
		state_say(s, false, "%s ended after %s s", name, number_digits(number, end->seconds, 3, false));
	else if (counters_run_ending(l) == RUN_END_FULL)
		state_say(s, true, "the observation is full after %zu samples; a longer interval (-I) lasts longer",
			counters_run_rows(l));
	else if (counters_run_ending(l) != RUN_END_ITSELF)
		state_say(s, false,
			s->question.subject.argv ? "%s was stopped after %s s; its counts until then are kept"
				: "%s: the watching ended after %s s",
			name, number_digits(number, end->seconds, 3, false));
	else if (end->signalled)
		state_say(s, true, "%s was ended by signal %d (%s)", name, end->code, strsignal(end->code));
	else if (end->code)
		state_say(s, true, "%s ended with status %d; O shows what it printed", name, end->code);
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
			control_flows_hear(d);
	}
}

static void
command_ended(struct control *d, struct counters_run *l, const struct err *e)
{
	struct state *s = d->s;

	say_how_it_ended(d, l, e);
	str_clear(&s->data.run_notes);
	counters_run_explain(l, &s->data.run_notes);
	explain_joined(d, counters_as_run(l));
	if (s->question.model)
		send_ended_run(d, counters_as_run(l));
	else
		control_timeline_follow(d);
	autosave_soon(d->file);
	if (s->question.model)
		state_request(s, REQUEST_RESULT);
	if (counters_run_ending(l) == RUN_END_ASKED)
		d->runs_left = 0;
	if (d->again || (d->runs_left && --d->runs_left))
		state_request(s, REQUEST_RUN);
	d->again = false;
}

void
control_run_ended(struct control *d, struct run *r, const struct err *e)
{
	output_read(d->output, &d->s->data.output, &d->s->data.output_total);
	if (run_as_counters(r))
		command_ended(d, run_as_counters(r), e);
	else
		control_spec_ended(d, run_as_spec(r), e);
}

/* What was sampled until now is kept; exact totals need the command's own end, and are dropped. */
void
control_end_command(struct control *d)
{
	struct state *s = d->s;
	struct counters_run *l = run_as_counters(s->data.leader);

	d->runs_left = 0;
	if (!l || !counters_run_running(l) || s->question.sampling.interval_ms) {
		runs_finish(d->runs);
		return;
	}
	counters_run_stop(l);
	state_say(s, true, "%s was ended; its totals were dropped", state_subject(s));
}
