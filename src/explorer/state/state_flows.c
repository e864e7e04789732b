#include "explorer/state/state_flows.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/network.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "explorer/state/state_timeline_due.h"
#include "work/run/run.h"
#include "work/timeline/flow_name.h"
#include "work/timeline/timeline.h"
#include "work/timeline/timeline_flows.h"

static struct flow_name *
copy_name(const struct flow_name *from)
{
	struct flow_name *to = mem_copy(from, sizeof *from);

	to->task = from->task ? mem_str(from->task) : NULL;
	to->module = from->module ? mem_str(from->module) : NULL;
	return to;
}

static void
set_flow(struct state *s, const struct flow_name *name)
{
	struct timeline_view *v = &s->view.timeline;
	struct flow_name *now = name ? copy_name(name) : NULL;

	if (v->flow)
		flow_name_free(v->flow);
	free(v->flow);
	v->flow = now;
}

static void
forget_flow_analyses(struct state *s)
{
	struct timeline_answers *a = &s->answers.timeline;

	timeline_analysis_free(a->flow_analysis);
	timeline_analysis_free(a->flow_before);
	timeline_analysis_free(a->flow_other);
	a->flow_analysis = a->flow_before = a->flow_other = NULL;
}

void
state_flows_forget(struct state *s)
{
	forget_flow_analyses(s);
	timeline_flows_free(s->answers.timeline.flows);
	s->answers.timeline.flows = NULL;
	set_flow(s, NULL);
}

/* --- analyses ---------------------------------------------------------------------------------------------------- */

static struct timeline_flows *
flows_of(const struct state *state, size_t snapshot)
{
	const struct obs_table **others = NULL;
	size_t n = 0, cap = 0;
	struct timeline_flows *flows;

	for (size_t i = 0; i < state->data.n_runs; i++) {
		size_t some = 0;
		struct run *run = state->data.run[i];
		const struct obs_table *const *t = run->ops->shown ? NULL : run_tables(run, &some);

		for (size_t k = 0; k < some; k++) {
			mem_grow(&others, &cap, n + 1, sizeof *others);
			others[n++] = t[k];
		}
	}
	flows = timeline_flows_new(state->data.timeline, snapshot, run_table(state->data.leader), others, n);
	free(others);
	return flows;
}

/* The analysis of the chosen flow in another snapshot; `whole` is that of all flows. */
static struct timeline_analysis *
analyse_flow(const struct state *state, const struct timeline_analysis *whole, struct timeline_analysis *old)
{
	struct timeline_flows *flows;

	if (!whole) {
		timeline_analysis_free(old);
		return NULL;
	}
	flows = flows_of(state, whole->snapshot);
	old = timeline_flow_analysis(state->data.timeline, flows,
		flows ? timeline_flows_find(flows, state->view.timeline.flow) : FLOWS_ALL, whole->snapshot, old);
	timeline_flows_free(flows);
	if (old)
		timeline_analysis_stalls(old);
	return old;
}

void
state_flows_make(struct state *state)
{
	struct timeline_answers *answers = &state->answers.timeline;
	int rows;

	timeline_flows_free(answers->flows);
	answers->flows = answers->analysis ? flows_of(state, answers->analysis->snapshot) : NULL;
	rows = state_flows_rows(state);
	if (state->view.cursor[PANE_FLOWS] >= rows)
		state->view.cursor[PANE_FLOWS] = state->shown->things.at[PANE_FLOWS] = rows ? rows - 1 : 0;
	if (!state->view.timeline.flow) {
		forget_flow_analyses(state);
		return;
	}
	answers->flow_analysis = analyse_flow(state, answers->analysis, answers->flow_analysis);
	answers->flow_before = analyse_flow(state, answers->before, answers->flow_before);
	answers->flow_other = analyse_flow(state, answers->other, answers->flow_other);
	state_shown_changed(state);
	if (state->view.focus != PANE_FLOWS) /* the cursor stays if the list has the focus */
		state->view.cursor[PANE_FLOWS] = state_flows_line(state) == FLOWS_ALL
			? 0
			: (int)state_flows_line(state) + 1;
}

struct timeline_shown
state_timeline_shown(const struct state *state)
{
	const struct timeline_answers *answers = &state->answers.timeline;

	if (state->view.current == VIEW_PATHS && state->view.timeline.flow && answers->flow_analysis)
		return (struct timeline_shown){
			answers->flow_analysis, answers->flow_before, answers->flow_other, NULL};
	return (struct timeline_shown){answers->analysis, answers->before, answers->other, answers->history};
}

int
state_flows_rows(const struct state *s)
{
	return s->answers.timeline.flows ? (int)s->answers.timeline.flows->n + 1 : 0;
}

/* The first row is about all flows. */
uint64_t
state_flow_thing(const struct state *s, enum pane_id pane, size_t row)
{
	const struct flow_name *name;
	uint64_t thing;

	(void)pane;
	if (row < 1 || row >= (size_t)state_flows_rows(s))
		return row < (size_t)state_flows_rows(s);
	name = &s->answers.timeline.flows->line[row - 1].name;
	thing = thing_text(thing_number(thing_number(0, name->special), name->life), name->task ? name->task : "");
	return thing_number(thing_text(thing, name->module ? name->module : ""), (uint64_t)name->cpu);
}

size_t
state_flows_line(const struct state *s)
{
	return s->answers.timeline.flows && s->view.timeline.flow
		? timeline_flows_find(s->answers.timeline.flows, s->view.timeline.flow) : FLOWS_ALL;
}

char *
state_flows_name(const struct state *state)
{
	const struct network *network = state->data.timeline ? timeline_network(state->data.timeline) : NULL;
	const struct flow_name *name = state->view.timeline.flow;
	const char *to = name ? name->module : NULL;

	if (!name)
		return NULL;
	for (size_t i = 0; network && to && i < network->n_modules; i++)
		if (str_eq(network->module[i].name, name->module))
			to = network->module[i].text && *network->module[i].text ? network->module[i].text
										 : name->module;
	return str_format("%s CPU %d%s%s", name->task, name->cpu, to ? " → " : "", to ? to : "");
}

/* --- choosing ---------------------------------------------------------------------------------------------------- */

static void
say_flow(struct state *s)
{
	char *name = state_flows_name(s);

	if (name)
		state_say(s, false, "%s alone; f shows the next flow, Esc all", name);
	else
		state_say(s, false, "all tasks together");
	free(name);
}

/* FLOWS_ALL: all of them. */
static void
state_flows_choose(struct state *s, size_t line)
{
	const struct timeline_answers *a = &s->answers.timeline;
	bool some = a->flows && line < a->flows->n;

	set_flow(s, some ? &a->flows->line[line].name : NULL);
	s->view.cursor[PANE_FLOWS] = some ? (int)line + 1 : 0;
	state_timeline_make_due(s, DUE_PATHS);
	say_flow(s);
}

bool
state_flows_choose_name(struct state *state, const char *text)
{
	struct flow_name name;
	bool good;

	if (!state_flows_rows(state) || !flow_name_parse(text, &name))
		return false;
	good = name.special == FLOW_SPECIALS;
	if (good) {
		set_flow(state, &name);
		state_timeline_make_due(state, DUE_PATHS);
	}
	flow_name_free(&name);
	return good;
}

static bool
has_list(struct state *s)
{
	if (state_flows_rows(s))
		return true;
	state_say(s, false, "this snapshot has no flows: --flows records them, here and in hecate record");
	return false;
}

void
state_flows_take_row(struct state *s)
{
	int row = s->view.cursor[PANE_FLOWS];

	if (!has_list(s))
		return;
	state_flows_choose(s, row < 1 || (size_t)row - 1 == state_flows_line(s) ? FLOWS_ALL : (size_t)row - 1);
}

void
state_flows_next(struct state *s)
{
	/* FLOWS_ALL + 1 is 0: "all", or a flow that is not in this snapshot, is followed by the first flow. */
	if (s->view.timeline.flow || has_list(s))
		state_flows_choose(s, state_flows_line(s) + 1);
}

void
state_flows_to_list(struct state *s)
{
	if (s->view.current != VIEW_PATHS)
		return;
	if (s->view.focus == PANE_FLOWS)
		s->view.focus = PANE_NETWORK;
	else if (has_list(s))
		s->view.focus = PANE_FLOWS;
}

bool
state_flows_leave(struct state *s)
{
	if (s->view.current != VIEW_PATHS || !s->view.timeline.flow)
		return false;
	state_flows_choose(s, FLOWS_ALL);
	return true;
}
