#include "explorer/state/state_timeline.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/stall_rows.h"
#include "core/obs/obs.h"
#include "core/stack/stack.h"
#include "explorer/state/state.h"
#include "explorer/state/state_flows.h"
#include "explorer/state/state_nodes.h"
#include "explorer/state/state_phases.h"
#include "explorer/state/state_timeline_due.h"
#include "work/files/texts.h"
#include "work/run/run.h"
#include "work/timeline/run_advice.h"
#include "work/timeline/run_answer.h"
#include "work/timeline/timeline.h"
#include "work/timeline/timeline_ratios.h"

void
state_timeline_forget(struct state *state)
{
	struct timeline_answers *answers = &state->answers.timeline;
	size_t stacks = 0;

	state_phases_forget(state);
	state_flows_forget(state);
	state_timeline_forget_analyses(state);
	state_timeline_forget_bars(state);
	timeline_analysis_free(answers->other);
	net_stall_rows_free(answers->other_rows);
	if (state->data.timeline)
		timeline_stacks(state->data.timeline, &stacks);
	for (size_t i = 0; i < stacks; i++)
		text_free(&state->question.stack_text[i]);
	free(state->question.stack_text);
	timeline_free(state->data.timeline);
	free(state->view.timeline.unfolded);
	free(state->view.timeline.nodes.how);
	free(answers->carried);
	free(answers->used);
	free(answers->served);
	free(answers->counted);
	run_answer_free(answers->answer);
	run_advices_free(answers->advices);
	timeline_ratios_free(answers->ratios);
	text_free(&state->question.network_text);
	state->data.timeline = NULL;
	state->question.stack_text = NULL;
	state->answers.timeline = (struct timeline_answers){0};
	state->view.timeline = (struct timeline_view){.compared = TIMELINE_NONE};
}

void
state_add_stack(struct state *state, struct stack *stack, struct text *text)
{
	size_t n;

	state_timeline_forget_bars(state);
	timeline_stacks(state->data.timeline, &n);
	state->question.stack_text = mem_resize(state->question.stack_text, n + 1, sizeof *state->question.stack_text);
	state->question.stack_text[n] = *text;
	*text = (struct text){0};
	state->view.timeline.whole |= stack->reference; /* methods are judged by the whole run */
	timeline_add_stack(state->data.timeline, stack);
	state_look_at_tree(state);
}

/* The new index of a snapshot after the snapshots were made again; TIMELINE_NONE: it is gone. */
static size_t
index_now(const struct timeline *p, const struct timeline_snapshot *m)
{
	return m->name ? timeline_find(p, m->name, m->end) : TIMELINE_NONE;
}

/* A copy of a snapshot that outlives the timeline's own. */
static struct timeline_snapshot
state_timeline_remember(const struct timeline *p, size_t snapshot, char **name)
{
	struct timeline_snapshot m = {0};

	if (snapshot < timeline_snapshots(p)) {
		m = timeline_snapshot(p, snapshot);
		m.name = *name = mem_str(m.name);
	}
	return m;
}

/* The chosen snapshots have new indices, or are gone; the analyses are of the old ones. */
static void
find_again(struct state *s, const struct timeline_snapshot *shown, const struct timeline_snapshot *compared)
{
	struct timeline_view *v = &s->view.timeline;

	state_timeline_forget_analyses(s);
	if (v->frozen)
		v->snapshot = index_now(s->data.timeline, shown);
	if (v->compared == TIMELINE_NONE)
		return;
	v->compared = index_now(s->data.timeline, compared);
	s->answers.timeline.other = timeline_analysis(s->data.timeline, v->compared, s->answers.timeline.other);
}

/* Says, once, that old snapshots are now summed. */
static void
say_folds(struct state *state, const struct obs_table *const *t, size_t n)
{
	bool some = false;

	for (size_t i = 0; i < n && !state->view.timeline.said.folds; i++)
		for (size_t k = 0; k < t[i]->n; k++)
			some |= t[i]->obs[k]->folded > 0;
	if (!some)
		return;
	state->view.timeline.said.folds = true;
	state_say(state, false,
		"old snapshots are summed from now on to save memory; %s keeps each of them",
		state->data.saved.in ? state->data.saved.in : "a session file (-o FILE)");
}

/* All tables, in order. The caller frees the array. */
static const struct obs_table **
all_tables(const struct state *s, size_t *n)
{
	const struct obs_table **t = mem_new_array(s->data.n_tables + s->data.n_runs, sizeof *t);

	*n = 0;
	for (size_t i = 0; i < s->data.n_tables; i++)
		t[(*n)++] = s->data.table[i];
	for (size_t i = 0; i < s->data.n_runs; i++)
		if (s->data.run[i]->ops->shown)
			t[(*n)++] = run_table(s->data.run[i]);
	return t;
}

static bool
take_news(struct state *state, const struct obs_table *const *t, size_t n)
{
	char *shown_name = NULL, *compared_name = NULL;
	const struct timeline *line = state->data.timeline;
	struct timeline_snapshot shown = state_timeline_remember(line, state->view.timeline.snapshot, &shown_name),
				 compared = state_timeline_remember(
					 line, state->view.timeline.compared, &compared_name);
	size_t generation = timeline_generation(state->data.timeline);
	bool some = timeline_take(state->data.timeline, t, n);

	if (timeline_generation(state->data.timeline) != generation)
		find_again(state, &shown, &compared);
	say_folds(state, t, n);
	free(shown_name);
	free(compared_name);
	return some;
}

static bool
take_tables(struct state *s)
{
	size_t n;
	const struct obs_table **t = all_tables(s, &n);
	bool some = timeline_has_news(s->data.timeline, t, n) && take_news(s, t, n);

	free(t);
	return some;
}

/* The newest snapshot; of a specification's programs, the newest of all of them together. */
static size_t
newest(const struct state *state)
{
	const struct obs *whole = state->question.subject.argv ? NULL : run_facts(state->data.leader).whole;
	size_t n = timeline_snapshots(state->data.timeline), end = n;

	while (whole && end) {
		struct timeline_snapshot m = timeline_snapshot(state->data.timeline, end - 1);

		if (str_eq(m.name, whole->name))
			return end - 1;
		end -= m.number;
	}
	return n - 1;
}

bool
state_timeline_take(struct state *state)
{
	struct timeline_view *view = &state->view.timeline;
	size_t n;

	if (!state->data.timeline || !take_tables(state))
		return false;
	n = timeline_snapshots(state->data.timeline);
	if (n && (!view->frozen || view->snapshot >= n))
		view->snapshot = newest(state);
	state->answers.timeline.due = DUE_ALL;
	if (!state->answers.timeline.analysis)
		state_timeline_show(state); /* there was no analysis so far, or it was of snapshots that are gone */
	return true;
}

void
state_timeline_began(struct state *state)
{
	if (state->view.timeline.whole_by_end)
		state->view.timeline.whole = state->view.timeline.whole_by_end = false;
}

void
state_timeline_ended(struct state *state)
{
	struct timeline_view *view = &state->view.timeline;

	if (!state->data.timeline)
		return;
	if (!view->whole && !view->frozen && view->compared == TIMELINE_NONE)
		view->whole = view->whole_by_end = true;
	state_timeline_make_due(state, DUE_ALL);
}

void
state_timeline_recorded(struct state *state)
{
	state_timeline_follow(state);
	if (state->data.timeline && !state_has_subject(state) && timeline_snapshots(state->data.timeline) > 1)
		state_timeline_ended(state);
}

bool
state_timeline_follow(struct state *s)
{
	bool some = state_timeline_take(s);

	state_timeline_show(s);
	return some;
}
