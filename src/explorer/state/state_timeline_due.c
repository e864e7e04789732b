#include "explorer/state/state_timeline_due.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/network/queues.h"
#include "core/network/stall_rows.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "core/stack/account.h"
#include "core/stack/stack.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "explorer/state/state_flows.h"
#include "explorer/state/state_paths.h"
#include "explorer/state/state_phases.h"
#include "explorer/state/state_queues.h"
#include "explorer/state/state_stalls.h"
#include "explorer/state/state_timeline.h"
#include "work/run/run.h"
#include "work/timeline/run_advice.h"
#include "work/timeline/run_answer.h"
#include "work/timeline/run_load.h"
#include "work/timeline/timeline.h"

#define ANSWER_SECONDS 3.0 /* of a live run that its answer is about */
#define BARS_LAG 8 /* snapshots to go back for bars */

static void
free_bars(struct timeline_bars **by, size_t n)
{
	for (size_t i = 0; by && i < n; i++)
		timeline_bars_free(by[i]);
	free(by);
}

void
state_timeline_forget_bars(struct state *state)
{
	struct timeline_answers *answers = &state->answers.timeline;
	size_t n = 0;

	if (state->data.timeline)
		timeline_stacks(state->data.timeline, &n);
	free_bars(answers->by, n);
	free_bars(answers->other_by, n);
	answers->by = answers->other_by = NULL;
	answers->bars = answers->other_bars = NULL;
	state_shown_changed(state);
}

void
state_timeline_forget_analyses(struct state *s)
{
	struct timeline_answers *a = &s->answers.timeline;

	timeline_analysis_free(a->analysis);
	timeline_analysis_free(a->before);
	timeline_analysis_free(a->load);
	net_stall_rows_free(a->rows);
	a->analysis = a->before = a->load = NULL;
	a->rows = NULL;
	a->history = NULL;
	state_shown_changed(s);
}

/* One list of bars per method; NULL: none. */
static struct timeline_bars **
bars_by_all(const struct state *state, size_t snapshot)
{
	size_t n;
	struct timeline_bars **by;

	timeline_stacks(state->data.timeline, &n);
	if (!n)
		return NULL;
	by = mem_new_array(n, sizeof(struct timeline_bars *));
	for (size_t i = 0; i < n; i++)
		by[i] = timeline_bars_by(state->data.timeline, i, snapshot, state->view.timeline.grouped);
	return by;
}

static bool
has_bars(const struct state *s, struct timeline_bars *const *by)
{
	size_t n;
	bool some = false;

	timeline_stacks(s->data.timeline, &n);
	for (size_t i = 0; by && i < n; i++)
		some |= by[i]->n > 0;
	return some;
}

/* The bars of the snapshot shown. In a live view, tasks' time may arrive a little later than a network's counts: then
 * the bars of the run's latest snapshot that has some. */
static struct timeline_bars **
bars_shown(const struct state *state)
{
	const struct timeline_view *view = &state->view.timeline;
	size_t snapshot = view->whole || !timeline_snapshots(state->data.timeline) ? TIMELINE_WHOLE : view->snapshot;
	struct timeline_bars **by = bars_by_all(state, snapshot);
	size_t n, back = 0;

	timeline_stacks(state->data.timeline, &n);
	while (!view->frozen && snapshot != TIMELINE_WHOLE && snapshot > 0 && back++ < BARS_LAG &&
		!has_bars(state, by) && timeline_same_run(state->data.timeline, snapshot - 1, snapshot)) {
		free_bars(by, n);
		by = bars_by_all(state, --snapshot);
	}
	return by;
}

static void
show_chosen(struct state *s)
{
	struct timeline_answers *a = &s->answers.timeline;

	a->bars = a->by ? a->by[timeline_chosen(s->data.timeline)] : NULL;
	a->other_bars = a->other_by ? a->other_by[timeline_chosen(s->data.timeline)] : NULL;
	state_shown_changed(s);
}

static bool
take_due(struct state *s, unsigned what)
{
	bool was = (s->answers.timeline.due & what) != 0;

	s->answers.timeline.due &= ~what;
	return was;
}

/* Puts the cursor on the culprit, unless the user chose another node. */
static void
choose_node(struct state *s)
{
	const struct timeline_answers *a = &s->answers.timeline;
	struct timeline_view *v = &s->view.timeline;

	if (v->chose_node || !a->analysis || !a->analysis->culprit)
		return;
	v->module = a->analysis->culprit->module;
	v->owner = a->analysis->culprit->owner;
	v->kind = a->analysis->culprit->kind;
}

const struct obs_table *
state_tasks_table(const struct state *state)
{
	for (size_t i = state->data.n_runs; i-- > 0;) {
		const struct obs_table *table =
			state->data.run[i]->ops->shown ? run_table(state->data.run[i]) : NULL;

		if (table && run_answer_tells_tasks(table))
			return table;
	}
	return state->data.n_tables == 1 && run_answer_tells_tasks(state->data.table[0]) ? state->data.table[0] : NULL;
}

static void
state_timeline_due_make_analysis(struct state *state)
{
	struct timeline_answers *answers = &state->answers.timeline;
	struct timeline_view *view = &state->view.timeline;

	/* When the view moves to the next snapshot, the one shown becomes the one before. */
	if (answers->analysis && !answers->analysis->run && answers->analysis->snapshot + 1 == view->snapshot) {
		struct timeline_analysis *old = answers->before;

		answers->before = answers->analysis;
		answers->analysis = old;
	}
	answers->analysis = view->whole
		? timeline_analysis_run(state->data.timeline, view->snapshot, answers->analysis)
		: timeline_analysis(state->data.timeline, view->snapshot, answers->analysis);
	answers->history = answers->analysis ? timeline_history(state->data.timeline, view->snapshot) : NULL;
	state_shown_changed(state);
	choose_node(state);
}

/* View 5: stalls where they arise, and the changes since the snapshot before. */
static void
make_paths(struct state *state)
{
	struct timeline_answers *answers = &state->answers.timeline;
	struct timeline_view *v = &state->view.timeline;
	bool first = v->whole || timeline_snapshot(state->data.timeline, v->snapshot).number <= 1;

	if (first) {
		timeline_analysis_free(answers->before);
		answers->before = NULL;
	} else if (!answers->before || answers->before->snapshot + 1 != v->snapshot) {
		answers->before = timeline_analysis(state->data.timeline, v->snapshot - 1, answers->before);
	}
	if (answers->analysis)
		timeline_analysis_stalls(answers->analysis);
	if (answers->other)
		timeline_analysis_stalls(answers->other);
	state_paths_follow(state);
	state_flows_make(state);
}

static struct net_stall_rows *
state_timeline_due_rows_of(struct timeline_analysis *l, bool grouped)
{
	if (!l)
		return NULL;
	timeline_analysis_stalls(l);
	return net_stall_rows_new(l->state, l->stalls, l->n_stalls, grouped);
}

static void
add_counted(const struct timeline_bars *bars, bool *counted)
{
	for (size_t i = 0; bars && i < bars->n; i++)
		for (size_t k = 0; k < bars->bar[i].account->n_parts; k++)
			counted[k] |= bars->bar[i].account->amount[k].value != 0; /* unknown ones, too */
}

/* Remembers the parts that took anything: first in the whole run so far, then in what is shown. */
static void
follow_parts(struct state *state)
{
	struct timeline_answers *answers = &state->answers.timeline;
	const struct stack *stack = timeline_stack(state->data.timeline);

	if (!stack || state_compares_methods(state) || !answers->bars || !answers->bars->n)
		return;
	if (!answers->counted) {
		struct timeline_bars *run = timeline_bars(state->data.timeline, TIMELINE_WHOLE, false);

		answers->counted = mem_new_array(stack->n_parts, sizeof *answers->counted);
		add_counted(run, answers->counted);
		timeline_bars_free(run);
	}
	add_counted(answers->bars, answers->counted);
}

/* View 6. */
static void
make_bars(struct state *state)
{
	struct timeline_answers *answers = &state->answers.timeline;
	struct timeline_view *view = &state->view.timeline;

	state_timeline_forget_bars(state);
	timeline_split(state->data.timeline, state->question.how.split_phases);
	net_stall_rows_free(answers->rows);
	net_stall_rows_free(answers->other_rows);
	answers->rows = state_timeline_due_rows_of(answers->analysis, view->grouped);
	answers->other_rows = state_timeline_due_rows_of(answers->other, view->grouped);
	if (answers->rows && answers->other_rows && answers->rows->in_ns != answers->other_rows->in_ns) {
		net_stall_rows_free(answers->other_rows); /* cycles are not compared with ns */
		answers->other_rows = NULL;
	}
	answers->by = bars_shown(state);
	answers->other_by = view->compared != TIMELINE_NONE ? bars_by_all(state, view->compared) : NULL;
	show_chosen(state);
	follow_parts(state);
}

/* When the newest row of a table ended, in seconds. */
static double
newest_time(const struct obs_table *table)
{
	double last = 0;

	for (size_t i = 0; i < table->n; i++)
		if (table->obs[i]->n_rows && table->obs[i]->time)
			last = fmax(last, table->obs[i]->time[table->obs[i]->n_rows - 1]);
	return last;
}

/* The answer about one snapshot. */
static struct run_answer *
answer_snapshot(const struct state *state, const struct obs_table *table)
{
	struct timeline_snapshot m = timeline_snapshot(state->data.timeline, state->view.timeline.snapshot);
	double length = m.seconds > 0 ? m.seconds : m.end;
	const struct run_end end = {
		.kind = RUN_PART, .seconds = length, .cpus = state_running(state) ? run_end_cpus() : 0};
	struct str name = {0};
	struct run_answer *answer;

	str_addf(&name, "snapshot %zu of %zu", m.number, m.of);
	answer = run_answer_new(table, m.seconds > 0 ? m.end - length / 2 : -INFINITY, m.end + length / 1000, &end,
		str_text(&name));
	str_free(&name);
	return answer;
}

struct run_end
state_run_end(const struct state *state)
{
	const struct run_facts facts = run_facts(state->data.leader);
	struct run_end end = {.kind = RUN_RECORDED};

	if (state->data.leader && !state->question.subject.spec)
		return run_end_of(&facts.end, state->question.subject.argv != NULL, facts.ending == RUN_END_ITSELF);
	if (!state->data.leader && state->data.saved.end && !run_end_read(state->data.saved.end, &end))
		end = (struct run_end){.kind = RUN_RECORDED};
	return end;
}

/* The last seconds while it runs, the whole run after that; or the snapshot that the user chose. */
static void
make_answer(struct state *state)
{
	struct timeline_answers *answers = &state->answers.timeline;
	const struct timeline_view *view = &state->view.timeline;
	const struct obs_table *table = state_tasks_table(state);
	struct run_end end;
	double last;
	char *program;

	run_answer_free(answers->answer);
	answers->answer = NULL;
	if (!table && state->data.n_tables == 1 && run_answer_serves(state->data.table[0]))
		table = state->data.table[0]; /* recorded without the time of tasks */
	if (!table)
		return;
	last = newest_time(table);
	if (state_running(state) && !view->frozen) {
		char name[32];

		end = (struct run_end){.kind = RUN_PART, .seconds = fmin(last, ANSWER_SECONDS), .cpus = run_end_cpus()};
		snprintf(name, sizeof name, last > ANSWER_SECONDS ? "last %g s" : "so far", ANSWER_SECONDS);
		answers->answer = run_answer_new(
			table, last > ANSWER_SECONDS ? last - ANSWER_SECONDS : -INFINITY, INFINITY, &end, name);
	} else if (view->whole || !timeline_snapshots(state->data.timeline)) {
		end = state_run_end(state);
		program = state->data.leader ? mem_str(state_subject(state))
			: end.kind != RUN_RECORDED || !state->data.name ? run_answer_program(table)
									: mem_str(state->data.name);
		answers->answer = run_answer_new(table, -INFINITY, INFINITY, &end, program);
		free(program);
	} else {
		answers->answer = answer_snapshot(state, table);
	}
}

/* What would make the part that the answer is about faster. While a run goes on, a snapshot is too short for that. */
static void
make_advices(struct state *state)
{
	struct timeline_answers *answers = &state->answers.timeline;
	const struct timeline_view *view = &state->view.timeline;
	bool recent = state_running(state) && !view->frozen && !view->whole;
	const struct timeline_analysis *analysis = answers->analysis;
	struct run_counts counts;
	struct run_load load;

	run_advices_free(answers->advices);
	answers->advices = NULL;
	if (!analysis)
		return;
	if (recent)
		analysis = answers->load = timeline_analysis_last(
			state->data.timeline, view->snapshot, ANSWER_SECONDS, answers->load);
	counts = run_counts_of(state->data.timeline, analysis);
	if (run_load_of(&counts, answers->answer, &load))
		answers->advices = run_advices_new(&load, false);
	run_load_clear(&load);
}

/* The analyses that a view needs; VIEW_COUNT: all views. */
static void
make_for(struct state *state, enum view view)
{
	bool all = view == VIEW_COUNT;

	if (timeline_snapshots(state->data.timeline)) {
		if (take_due(state, DUE_ANALYSIS))
			state_timeline_due_make_analysis(state);
		if ((all || view == VIEW_PATHS) && take_due(state, DUE_PATHS))
			make_paths(state);
	}
	if (take_due(state, DUE_ANSWER)) {
		make_answer(state);
		make_advices(state);
	}
	if ((all || view == VIEW_STALLS) && take_due(state, DUE_BARS))
		make_bars(state);
	if ((all || view == VIEW_QUEUES) && take_due(state, DUE_QUEUES))
		state_follow_queue(state);
}

/* After the analyses are made: lets go of the files of long runs until more of them is needed. Says once if one could
 * not be read. */
static void
rest(struct state *s)
{
	for (size_t i = 0; i < s->data.n_tables; i++) {
		const struct err *e = obs_table_failure(s->data.table[i]);

		if (e && !s->view.timeline.said.failure)
			state_say(s, true, "%s%s%s", e->what, *e->hint ? "; " : "", e->hint);
		s->view.timeline.said.failure |= e != NULL;
		obs_table_rest(s->data.table[i]);
	}
}

void
state_timeline_show(struct state *s)
{
	state_phases_show(s);
	if (!s->data.timeline ||
		(s->view.current != VIEW_PATHS && s->view.current != VIEW_STALLS && s->view.current != VIEW_QUEUES))
		return;
	make_for(s, s->view.current);
	rest(s);
}

void
state_timeline_show_all(struct state *s)
{
	state_phases_show(s);
	if (!s->data.timeline)
		return;
	make_for(s, VIEW_COUNT);
	rest(s);
}

void
state_timeline_make_due(struct state *s, unsigned what)
{
	s->answers.timeline.due |= what;
	state_timeline_show(s);
}

void
state_timeline_show_snapshot(struct state *s, size_t snapshot)
{
	s->view.timeline.snapshot = snapshot;
	s->answers.timeline.due = DUE_ALL;
	state_timeline_show(s);
}

void
state_timeline_compare(struct state *s, size_t snapshot)
{
	timeline_analysis_free(s->answers.timeline.other);
	s->answers.timeline.other =
		snapshot == TIMELINE_NONE ? NULL : timeline_analysis(s->data.timeline, snapshot, NULL);
	s->view.timeline.compared = snapshot;
}

void
state_timeline_show_snapshots(struct state *s, size_t snapshot, size_t compared)
{
	size_t n = timeline_snapshots(s->data.timeline);

	state_timeline_compare(s, compared < n ? compared : TIMELINE_NONE);
	if (n)
		s->view.timeline.snapshot = snapshot < n ? snapshot : n - 1;
	s->answers.timeline.due = DUE_ALL;
	state_timeline_show_all(s);
}

void
state_timeline_choose_method(struct state *s, size_t stack)
{
	timeline_choose(s->data.timeline, stack);
	show_chosen(s);
}
