#include "app/session_profile.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "app/live.h"
#include "app/profile.h"
#include "app/session_paths.h"
#include "app/session_queues.h"
#include "app/session_stalls.h"
#include "app/session_views.h"
#include "app/texts.h"
#include "app/spec_run.h"
#include "app/stall_run.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/network/path_map.h"
#include "core/network/queues.h"
#include "core/network/stall_rows.h"
#include "core/network/state.h"
#include "core/obs/obs.h"
#include "core/stack/account.h"
#include "core/stack/stack.h"

static void
free_bars(struct profile_bars **by, size_t n)
{
	for (size_t i = 0; by && i < n; i++)
		profile_bars_free(by[i]);
	free(by);
}

static void
forget_bars(struct profile_screen *r)
{
	size_t n = 0;

	if (r->data)
		profile_stacks(r->data, &n);
	free_bars(r->by, n);
	free_bars(r->other_by, n);
	r->by = r->other_by = NULL;
	r->bars = r->other_bars = NULL;
}

void
session_profile_forget(struct session *s)
{
	struct profile_screen *r = &s->run;
	size_t stacks = 0;

	profile_look_free(r->look);
	profile_look_free(r->before);
	profile_look_free(r->other);
	forget_bars(r);
	net_stall_rows_free(r->rows);
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
	s->popup = POPUP_NONE;
}

void
session_add_stack(struct session *s, struct stack *stack, struct text *text)
{
	struct profile_screen *r = &s->run;
	size_t n;

	forget_bars(r);
	profile_stacks(r->data, &n);
	r->stack_text = mem_resize(r->stack_text, n + 1, sizeof *r->stack_text);
	r->stack_text[n] = *text;
	*text = (struct text){0};
	profile_add_stack(r->data, stack);
}

/* One list by each method; NULL where there is none. */
static struct profile_bars **
bars_by_all(const struct profile_screen *r, size_t moment)
{
	size_t n;
	struct profile_bars **by;

	profile_stacks(r->data, &n);
	if (!n)
		return NULL;
	by = mem_new_array(n, sizeof(struct profile_bars *));
	for (size_t i = 0; i < n; i++)
		by[i] = profile_bars_by(r->data, i, moment, r->grouped);
	return by;
}

static void
show_chosen(struct profile_screen *r)
{
	r->bars = r->by ? r->by[profile_chosen(r->data)] : NULL;
	r->other_bars = r->other_by ? r->other_by[profile_chosen(r->data)] : NULL;
}

/* What has to be made before it is drawn. Each view waits for its own, and what no view shows is not made. */
enum { DUE_LOOK = 1, DUE_PATHS = 2, DUE_BARS = 4, DUE_QUEUES = 8, DUE_ALL = 15 };

static bool
take_due(struct profile_screen *r, unsigned what)
{
	bool was = (r->due & what) != 0;

	r->due &= ~what;
	return was;
}

/* The culprit, unless the user chose another node. */
static void
choose_node(struct session *s)
{
	struct profile_screen *r = &s->run;

	if (r->chose_node || !r->look || !r->look->culprit)
		return;
	r->module = r->look->culprit->module;
	r->owner = r->look->culprit->owner;
	r->kind = r->look->culprit->kind;
}

static void
make_look(struct session *s)
{
	struct profile_screen *r = &s->run;

	/* The next one: what was shown is the one before it. */
	if (r->look && r->look->moment + 1 == r->moment) {
		struct profile_look *old = r->before;

		r->before = r->look;
		r->look = old;
	}
	r->look = profile_look(r->data, r->moment, r->look);
	r->history = r->look ? profile_history(r->data, r->moment) : NULL;
	choose_node(s);
}

/* View 5: stalls where they arise, and what has become of the snapshot before. */
static void
make_paths(struct session *s)
{
	struct profile_screen *r = &s->run;
	bool first = profile_moment(r->data, r->moment).number <= 1;

	if (first) {
		profile_look_free(r->before);
		r->before = NULL;
	} else if (!r->before || r->before->moment + 1 != r->moment) {
		r->before = profile_look(r->data, r->moment - 1, r->before);
	}
	if (r->look)
		profile_look_stalls(r->look);
	if (r->other)
		profile_look_stalls(r->other);
	session_paths_follow(s);
}

static struct net_stall_rows *
rows_of(struct profile_look *l, bool grouped)
{
	if (!l)
		return NULL;
	profile_look_stalls(l);
	return net_stall_rows_new(l->state, l->stalls, l->n_stalls, grouped);
}

/* View 6. */
static void
make_bars(struct session *s)
{
	struct profile_screen *r = &s->run;

	forget_bars(r);
	net_stall_rows_free(r->rows);
	net_stall_rows_free(r->other_rows);
	r->rows = rows_of(r->look, r->grouped);
	r->other_rows = rows_of(r->other, r->grouped);
	r->by = bars_by_all(r, r->whole || !profile_moments(r->data) ? PROFILE_WHOLE : r->moment);
	r->other_by = r->compared != PROFILE_WHOLE ? bars_by_all(r, r->compared) : NULL;
	show_chosen(r);
}

/* What has to be made for one view, or for all (VIEW_COUNT). */
static void
make_for(struct session *s, enum view view)
{
	struct profile_screen *r = &s->run;
	bool all = view == VIEW_COUNT;

	if (profile_moments(r->data)) {
		if (take_due(r, DUE_LOOK))
			make_look(s);
		if ((all || view == VIEW_PATHS) && take_due(r, DUE_PATHS))
			make_paths(s);
	}
	if ((all || view == VIEW_STALLS) && take_due(r, DUE_BARS))
		make_bars(s);
	if ((all || view == VIEW_QUEUES) && take_due(r, DUE_QUEUES))
		session_follow_queue(s);
}

void
session_profile_show(struct session *s)
{
	if (s->run.data && (s->view == VIEW_PATHS || s->view == VIEW_STALLS || s->view == VIEW_QUEUES))
		make_for(s, s->view);
}

void
session_profile_show_all(struct session *s)
{
	if (s->run.data)
		make_for(s, VIEW_COUNT);
}

static void
make_due(struct session *s, unsigned what)
{
	s->run.due |= what;
	session_profile_show(s);
}

static void
look_at(struct session *s, size_t moment)
{
	s->run.moment = moment;
	s->run.due = DUE_ALL;
	session_profile_show(s);
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

	profile_look_free(r->look);
	profile_look_free(r->before);
	net_stall_rows_free(r->rows);
	r->look = r->before = NULL;
	r->rows = NULL;
	r->history = NULL;
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

static bool
take_tables(struct session *s)
{
	struct profile_screen *r = &s->run;
	const struct obs_table **t = mem_new_array(s->n_tables + 1 + s->n_stalls + s->n_specified, sizeof *t);
	struct profile_moment shown = remember(r->data, r->moment), compared = remember(r->data, r->compared);
	size_t n = 0, generation = profile_generation(r->data);
	bool some;

	for (size_t i = 0; i < s->n_tables; i++)
		t[n++] = s->table[i];
	if (s->live)
		t[n++] = live_table(s->live);
	for (size_t i = 0; i < s->n_stalls; i++)
		t[n++] = stall_run_table(s->stalls[i]);
	for (size_t i = 0; i < s->n_specified; i++)
		t[n++] = spec_run_table(s->specified[i]);
	some = profile_take(r->data, t, n);
	if (profile_generation(r->data) != generation)
		find_again(s, &shown, &compared);
	tell_folds(s, t, n);
	free(t);
	free((void *)(uintptr_t)shown.name);
	free((void *)(uintptr_t)compared.name);
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

static void
compare_with(struct profile_screen *r, size_t moment)
{
	profile_look_free(r->other);
	r->other = moment == PROFILE_WHOLE ? NULL : profile_look(r->data, moment, NULL);
	r->compared = moment;
}

void
session_profile_look(struct session *s, size_t moment, size_t compared)
{
	size_t n = profile_moments(s->run.data);

	compare_with(&s->run, compared < n ? compared : PROFILE_WHOLE);
	if (n)
		s->run.moment = moment < n ? moment : n - 1;
	s->run.due = DUE_ALL;
	session_profile_show_all(s);
}

void
session_profile_choose_node(struct session *s, size_t module, size_t owner, size_t kind)
{
	s->run.kind = kind;
	session_paths_choose(s, module, owner);
}

void
session_profile_choose_queue(struct session *s, size_t module, size_t owner, size_t kind)
{
	if (!s->run.history)
		return;
	s->run.chose_queue = true;
	s->run.queue_cell = profile_cell(s->run.history, module, owner, kind);
	session_follow_queue(s);
}

static void
step(struct session *s, int by)
{
	struct profile_screen *r = &s->run;
	size_t n = r->data ? profile_moments(r->data) : 0;

	if (!n) {
		session_say(s, false, "there is no snapshot yet");
	} else if (by < 0 && r->moment == 0) {
		session_say(s, false, "this is the first snapshot");
	} else if (by > 0 && r->moment + 1 >= n) {
		r->frozen = false;
		session_say(s, false, "this is the last snapshot%s", session_running(s) ? "; the view follows again" : "");
	} else {
		r->frozen = true;
		r->whole = false;
		look_at(s, r->moment + (by < 0 ? (size_t)-1 : 1));
	}
}

static void
freeze(struct session *s)
{
	struct profile_screen *r = &s->run;

	r->frozen = !r->frozen;
	session_say(s, false, r->frozen ? "frozen: new snapshots are kept, and [ ] walk through them" : "the newest snapshot is shown");
	if (!r->frozen && profile_moments(r->data))
		look_at(s, profile_moments(r->data) - 1);
}

/* This snapshot is what others are compared with from now on; at it itself: no more. */
static void
set_against(struct session *s)
{
	struct profile_screen *r = &s->run;

	if (!profile_moments(r->data)) {
		session_say(s, false, "there is no snapshot yet");
		return;
	}
	if (r->compared == PROFILE_WHOLE) {
		compare_with(r, r->moment);
		r->frozen = true;
		session_say(s, false, "snapshot %zu is compared with those that [ ] show; c ends it", profile_moment(r->data, r->moment).number);
	} else {
		compare_with(r, PROFILE_WHOLE);
		session_say(s, false, "nothing is compared any more");
	}
	make_due(s, DUE_BARS);
}

void
session_profile_choose_method(struct session *s, size_t stack)
{
	profile_choose(s->run.data, stack);
	show_chosen(&s->run);
}

/* Another method in the foreground; the cursor stays with its bar, wherever that one orders it. */
static void
next_method(struct session *s)
{
	struct profile_screen *r = &s->run;
	enum pane_id pane = session_shows_methods(s) ? PANE_METHODS : PANE_BARS;
	const struct profile_bar *bar = session_bar(s);
	size_t at = bar ? bar->at : 0, n, *order;

	profile_stacks(r->data, &n);
	if (n < 2) {
		session_say(s, false, n ? "this is the only method of accounting; hecate STACK,STACK DATA opens several" : "no method of accounting is open");
		return;
	}
	session_profile_choose_method(s, (profile_chosen(r->data) + 1) % n);
	order = session_bars(s, &n);
	for (size_t i = 0; bar && i < n; i++)
		if (r->bars->bar[order[i]].at == at)
			s->cursor[pane] = (int)i;
	free(order);
	session_say(s, false, "%s", profile_stack(r->data)->name);
}

const char *
queue_sort_name(enum queue_sort q)
{
	switch (q) {
	case QUEUE_BY_LENGTH:
		return "longest first";
	case QUEUE_BY_TREND:
		return "by trend";
	case QUEUE_BY_PLACE:
		return "by place";
	case QUEUE_SORTS:
		break;
	}
	return "";
}

const char *
bar_sort_name(enum bar_sort b)
{
	switch (b) {
	case BAR_BY_WHOLE:
		return "largest first";
	case BAR_BY_NAME:
		return "by name";
	case BAR_BY_PART:
		return "by the part under the cursor";
	case BAR_SORTS:
		break;
	}
	return "";
}

bool
session_profile_act(struct session *s, enum action a)
{
	struct profile_screen *r = &s->run;

	if (!r->data)
		return false;
	session_profile_show(s);
	if (a == ACTION_freeze)
		freeze(s);
	else if (a == ACTION_moment_back || a == ACTION_moment_next)
		step(s, a == ACTION_moment_back ? -1 : 1);
	else if (a == ACTION_set_against)
		set_against(s);
	else if (a == ACTION_turn)
		r->turned = !r->turned;
	else if (a == ACTION_unfold_node && r->unfolded)
		r->unfolded[r->module] = !r->unfolded[r->module];
	else if (a == ACTION_method)
		next_method(s);
	else if (a == ACTION_normalise)
		r->normalised = !r->normalised;
	else if (a == ACTION_node)
		session_open_about(s, POPUP_NODE, r->look != NULL);
	else if (a == ACTION_component)
		session_open_about(s, POPUP_BAR, session_count_bars(s, s->shown == PANE_METHODS ? PANE_METHODS : PANE_BARS) > 0);
	else if (a == ACTION_formula)
		session_open_about(s, POPUP_QUEUE, session_queue(s) != NULL);
	else if (a == ACTION_group || a == ACTION_whole_run) {
		r->grouped ^= a == ACTION_group;
		r->whole ^= a == ACTION_whole_run;
		make_due(s, DUE_BARS);
	} else if (a == ACTION_to_moment && (size_t)s->cursor[PANE_SNAPSHOTS] < profile_moments(r->data)) {
		r->frozen = true;
		look_at(s, (size_t)s->cursor[PANE_SNAPSHOTS]);
	} else if (a == ACTION_place && r->look && (size_t)s->cursor[PANE_PATH_MAP] < r->look->map->n_rows) {
		session_paths_choose(s, r->look->map->row[s->cursor[PANE_PATH_MAP]].module, SIZE_MAX);
	} else {
		return false;
	}
	return true;
}

int
session_profile_rows(const struct session *s)
{
	const struct profile_screen *r = &s->run;
	size_t n = 0;

	switch (s->shown) {
	case PANE_PATH_MAP:
		return r->look ? (int)r->look->map->n_rows : 0;
	case PANE_SNAPSHOTS:
		return r->data ? (int)profile_moments(r->data) : 0;
	case PANE_BARS:
	case PANE_METHODS:
		return session_count_bars(s, s->shown);
	case PANE_COMPONENTS:
		return session_count_components(s);
	case PANE_QUEUES:
		free(session_queues(s, &n));
		return (int)n;
	case PANE_NETWORK:
	case PANE_NODE:
	case PANE_LENGTHS:
	case PANE_QUEUE:
	case PANE_FEATURES:
	case PANE_TREE:
	case PANE_WHY:
	case PANE_OBSERVATIONS:
	case PANE_SEARCH:
	case PANE_WITNESS:
	case PANE_SELECTED:
	case PANE_CONSTRAINTS:
	case PANE_TOUCHED:
	case PANE_BROKEN:
	case PANE_MATRIX:
	case PANE_LIST:
	case PANE_OBSERVED:
	case PANE_SAMPLES:
	case PANE_PLOT:
	case PANE_LEGEND:
	case PANE_WHOLE:
	case PANE_COUNT:
		break;
	}
	return s->rows[s->shown];
}

void
session_profile_choose(struct session *s, enum pane_id pane, int row)
{
	if (pane == PANE_NETWORK && row >= 0 && s->run.data)
		session_paths_choose(s, (size_t)row >> PATHS_OWNER_BITS, (size_t)row & ((1u << PATHS_OWNER_BITS) - 1));
	else if (pane == PANE_QUEUES)
		session_choose_queue(s, row);
}
