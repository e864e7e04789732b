#include "app/state/state_timeline.h"

#include <stdint.h>
#include <stdlib.h>

#include "app/files/texts.h"
#include "app/run/live.h"
#include "app/run/spec_run.h"
#include "app/run/tasktime_run.h"
#include "app/state/state_flows.h"
#include "app/state/state_timeline_due.h"
#include "app/timeline/timeline.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/network/network.h"
#include "core/network/stall_rows.h"
#include "core/obs/obs.h"

void
state_timeline_forget(struct state *s)
{
	struct timeline_screen *r = &s->run;
	size_t stacks = 0;

	state_flows_forget(r);
	timeline_screen_forget_looks(r);
	timeline_screen_forget_bars(r);
	timeline_analysis_free(r->other);
	net_stall_rows_free(r->other_rows);
	if (r->data)
		timeline_stacks(r->data, &stacks);
	for (size_t i = 0; i < stacks; i++)
		text_free(&r->stack_text[i]);
	free(r->stack_text);
	timeline_free(r->data);
	free(r->unfolded);
	free(r->carried);
	text_free(&r->network_text);
	*r = (struct timeline_screen){.compared = TIMELINE_WHOLE};
}

static bool
network_tells_stalls(const struct network *net)
{
	bool some = false;

	for (size_t m = 0; m < net->n_modules; m++)
		for (size_t k = 0; k < net->n_kinds; k++)
			some |= net->module[m].cell[k].field[NET_STALL] != NULL;
	return some;
}

void
state_set_profile(
	struct state *s, struct network *net, struct text *net_text, struct stack *stack, struct text *stack_text)
{
	state_forget(s);
	s->run.network_text = *net_text;
	*net_text = (struct text){0};
	s->run.data = timeline_new(net, NULL);
	if (stack)
		state_add_stack(s, stack, stack_text);
	s->run.normalised = net && network_tells_stalls(net); /* a network's bars tell shares, a stack's how much */
	if (net)
		s->run.unfolded = mem_new_array(net->n_modules, sizeof *s->run.unfolded);
	s->view = net ? VIEW_PATHS : VIEW_STALLS;
	s->came_from = VIEW_START;
	s->focus = s->shown = net ? PANE_NETWORK : PANE_BARS;
	s->popup = POPUP_NONE;
}

void
state_add_stack(struct state *s, struct stack *stack, struct text *text)
{
	struct timeline_screen *r = &s->run;
	size_t n;

	timeline_screen_forget_bars(r);
	timeline_stacks(r->data, &n);
	r->stack_text = mem_resize(r->stack_text, n + 1, sizeof *r->stack_text);
	r->stack_text[n] = *text;
	*text = (struct text){0};
	timeline_add_stack(r->data, stack);
}

/* Where a moment stands now that the moments were made anew; SIZE_MAX: nowhere. */
static size_t
place_now(const struct timeline *p, const struct timeline_snapshot *m)
{
	return m->name ? timeline_find(p, m->name, m->end) : SIZE_MAX;
}

/* What is known of it by itself: what it was taken from may go. */
static struct timeline_snapshot
remember(const struct timeline *p, size_t moment)
{
	struct timeline_snapshot m = {0};

	if (moment < timeline_snapshots(p)) {
		m = timeline_snapshot(p, moment);
		m.name = mem_str(m.name);
	}
	return m;
}

/* The moments that the user chose have new numbers, or are gone; looks are of the old ones. */
static void
find_again(struct state *s, const struct timeline_snapshot *shown, const struct timeline_snapshot *compared)
{
	struct timeline_screen *r = &s->run;

	timeline_screen_forget_looks(r);
	if (r->frozen)
		r->moment = place_now(r->data, shown);
	if (r->compared == TIMELINE_WHOLE)
		return;
	r->compared = place_now(r->data, compared); /* SIZE_MAX is TIMELINE_WHOLE */
	r->other = timeline_analysis(r->data, r->compared, r->other);
}

/* Once: snapshots of long ago are sums now. */
static void
tell_folds(struct state *s, const struct obs_table *const *t, size_t n)
{
	bool some = false;

	for (size_t i = 0; i < n && !s->run.told_folds; i++)
		for (size_t k = 0; k < t[i]->n; k++)
			some |= t[i]->obs[k]->folded > 0;
	if (!some)
		return;
	s->run.told_folds = true;
	state_say(s, false,
		"snapshots of long ago are taken together from now on, so that memory lasts; %s keeps each of them",
		s->kept_in ? s->kept_in : "a session file (-o FILE)");
}

/* All tables that there are, in order; the caller frees. */
static const struct obs_table **
all_tables(const struct state *s, size_t *n)
{
	const struct obs_table **t = mem_new_array(s->n_tables + 1 + s->n_stalls + s->n_specified, sizeof *t);

	*n = 0;
	for (size_t i = 0; i < s->n_tables; i++)
		t[(*n)++] = s->table[i];
	if (s->live)
		t[(*n)++] = live_table(s->live);
	for (size_t i = 0; i < s->n_stalls; i++)
		t[(*n)++] = tasktime_run_table(s->stalls[i]);
	for (size_t i = 0; i < s->n_specified; i++)
		t[(*n)++] = spec_run_table(s->specified[i]);
	return t;
}

static bool
take_news(struct state *s, const struct obs_table *const *t, size_t n)
{
	struct timeline_screen *r = &s->run;
	struct timeline_snapshot shown = remember(r->data, r->moment), compared = remember(r->data, r->compared);
	size_t generation = timeline_generation(r->data);
	bool some = timeline_take(r->data, t, n);

	if (timeline_generation(r->data) != generation)
		find_again(s, &shown, &compared);
	tell_folds(s, t, n);
	free((void *)(uintptr_t)shown.name);
	free((void *)(uintptr_t)compared.name);
	return some;
}

static bool
take_tables(struct state *s)
{
	size_t n;
	const struct obs_table **t = all_tables(s, &n);
	bool some = timeline_has_news(s->run.data, t, n) && take_news(s, t, n);

	free(t);
	return some;
}

/* What is shown of what comes: the last moment; of a specification's programs that of all together. */
static size_t
newest(const struct state *s)
{
	const struct spec_run *run = s->n_specified ? s->specified[s->n_specified - 1] : NULL;
	const struct obs *whole = run && !s->argv ? spec_run_whole(run) : NULL;
	size_t n = timeline_snapshots(s->run.data), end = n;

	while (whole && end) {
		struct timeline_snapshot m = timeline_snapshot(s->run.data, end - 1);

		if (str_eq(m.name, whole->name))
			return end - 1;
		end -= m.number;
	}
	return n - 1;
}

bool
state_timeline_take(struct state *s)
{
	struct timeline_screen *r = &s->run;
	size_t n;

	if (!r->data || !take_tables(s))
		return false;
	n = timeline_snapshots(r->data);
	if (n && (!r->frozen || r->moment >= n))
		r->moment = newest(s);
	r->due = DUE_ALL;
	if (!r->look)
		state_timeline_show(s); /* until now there was none, or it was of moments that are gone */
	return true;
}

bool
state_timeline_follow(struct state *s)
{
	bool some = state_timeline_take(s);

	state_timeline_show(s);
	return some;
}
