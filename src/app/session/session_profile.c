#include "app/session/session_profile.h"

#include <stdint.h>
#include <stdlib.h>

#include "app/files/texts.h"
#include "app/live/live.h"
#include "app/live/spec_run.h"
#include "app/live/stall_run.h"
#include "app/profile/profile.h"
#include "app/session/session_flows.h"
#include "app/session/session_profile_due.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/network/network.h"
#include "core/network/stall_rows.h"
#include "core/obs/obs.h"

void
session_profile_forget(struct session *s)
{
	struct profile_screen *r = &s->run;
	size_t stacks = 0;

	session_flows_forget(r);
	profile_screen_forget_looks(r);
	profile_screen_forget_bars(r);
	profile_look_free(r->other);
	net_stall_rows_free(r->other_rows);
	if (r->data)
		profile_stacks(r->data, &stacks);
	for (size_t i = 0; i < stacks; i++)
		text_free(&r->stack_text[i]);
	free(r->stack_text);
	profile_free(r->data);
	free(r->unfolded);
	free(r->carried);
	text_free(&r->network_text);
	*r = (struct profile_screen){.compared = PROFILE_WHOLE};
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
session_set_profile(struct session *s, struct network *net, struct text *net_text, struct stack *stack, struct text *stack_text)
{
	session_forget(s);
	s->run.network_text = *net_text;
	*net_text = (struct text){0};
	s->run.data = profile_new(net, NULL);
	if (stack)
		session_add_stack(s, stack, stack_text);
	s->run.normalised = net && network_tells_stalls(net); /* a network's bars tell shares, a stack's how much */
	if (net)
		s->run.unfolded = mem_new_array(net->n_modules, sizeof *s->run.unfolded);
	s->view = net ? VIEW_PATHS : VIEW_STALLS;
	s->came_from = VIEW_START;
	s->focus = s->shown = net ? PANE_NETWORK : PANE_BARS;
	s->visible = ~0;
	s->popup = POPUP_NONE;
}

void
session_add_stack(struct session *s, struct stack *stack, struct text *text)
{
	struct profile_screen *r = &s->run;
	size_t n;

	profile_screen_forget_bars(r);
	profile_stacks(r->data, &n);
	r->stack_text = mem_resize(r->stack_text, n + 1, sizeof *r->stack_text);
	r->stack_text[n] = *text;
	*text = (struct text){0};
	profile_add_stack(r->data, stack);
}

/* Where a moment stands now that the moments were made anew; SIZE_MAX: nowhere. */
static size_t
place_now(const struct profile *p, const struct profile_moment *m)
{
	return m->name ? profile_find(p, m->name, m->end) : SIZE_MAX;
}

/* What is known of it by itself: what it was taken from may go. */
static struct profile_moment
remember(const struct profile *p, size_t moment)
{
	struct profile_moment m = {0};

	if (moment < profile_moments(p)) {
		m = profile_moment(p, moment);
		m.name = mem_str(m.name);
	}
	return m;
}

/* The moments that the user chose have new numbers, or are gone; looks are of the old ones. */
static void
find_again(struct session *s, const struct profile_moment *shown, const struct profile_moment *compared)
{
	struct profile_screen *r = &s->run;

	profile_screen_forget_looks(r);
	if (r->frozen)
		r->moment = place_now(r->data, shown);
	if (r->compared == PROFILE_WHOLE)
		return;
	r->compared = place_now(r->data, compared); /* SIZE_MAX is PROFILE_WHOLE */
	r->other = profile_look(r->data, r->compared, r->other);
}

/* Once: snapshots of long ago are sums now. */
static void
tell_folds(struct session *s, const struct obs_table *const *t, size_t n)
{
	bool some = false;

	for (size_t i = 0; i < n && !s->run.told_folds; i++)
		for (size_t k = 0; k < t[i]->n; k++)
			some |= t[i]->obs[k]->folded > 0;
	if (!some)
		return;
	s->run.told_folds = true;
	session_say(s, false, "snapshots of long ago are taken together from now on, so that memory lasts; %s keeps each of them", s->kept_in ? s->kept_in : "a session file (-o FILE)");
}

/* All tables that there are, in order; the caller frees. */
static const struct obs_table **
all_tables(const struct session *s, size_t *n)
{
	const struct obs_table **t = mem_new_array(s->n_tables + 1 + s->n_stalls + s->n_specified, sizeof *t);

	*n = 0;
	for (size_t i = 0; i < s->n_tables; i++)
		t[(*n)++] = s->table[i];
	if (s->live)
		t[(*n)++] = live_table(s->live);
	for (size_t i = 0; i < s->n_stalls; i++)
		t[(*n)++] = stall_run_table(s->stalls[i]);
	for (size_t i = 0; i < s->n_specified; i++)
		t[(*n)++] = spec_run_table(s->specified[i]);
	return t;
}

static bool
take_news(struct session *s, const struct obs_table *const *t, size_t n)
{
	struct profile_screen *r = &s->run;
	struct profile_moment shown = remember(r->data, r->moment), compared = remember(r->data, r->compared);
	size_t generation = profile_generation(r->data);
	bool some = profile_take(r->data, t, n);

	if (profile_generation(r->data) != generation)
		find_again(s, &shown, &compared);
	tell_folds(s, t, n);
	free((void *)(uintptr_t)shown.name);
	free((void *)(uintptr_t)compared.name);
	return some;
}

static bool
take_tables(struct session *s)
{
	size_t n;
	const struct obs_table **t = all_tables(s, &n);
	bool some = profile_has_news(s->run.data, t, n) && take_news(s, t, n);

	free(t);
	return some;
}

/* What is shown of what comes: the last moment; of a specification's programs that of all together. */
static size_t
newest(const struct session *s)
{
	const struct spec_run *run = s->n_specified ? s->specified[s->n_specified - 1] : NULL;
	const struct obs *whole = run && !s->argv ? spec_run_whole(run) : NULL;
	size_t n = profile_moments(s->run.data), end = n;

	while (whole && end) {
		struct profile_moment m = profile_moment(s->run.data, end - 1);

		if (str_eq(m.name, whole->name))
			return end - 1;
		end -= m.number;
	}
	return n - 1;
}

bool
session_profile_take(struct session *s)
{
	struct profile_screen *r = &s->run;
	size_t n;

	if (!r->data || !take_tables(s))
		return false;
	n = profile_moments(r->data);
	if (n && (!r->frozen || r->moment >= n))
		r->moment = newest(s);
	r->due = DUE_ALL;
	if (!r->look)
		session_profile_show(s); /* until now there was none, or it was of moments that are gone */
	return true;
}

bool
session_profile_follow(struct session *s)
{
	bool some = session_profile_take(s);

	session_profile_show(s);
	return some;
}
