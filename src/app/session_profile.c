#include "app/session_profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/live.h"
#include "app/profile.h"
#include "app/session_views.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/network/path_map.h"
#include "core/network/queues.h"
#include "core/network/state.h"
#include "core/obs/obs.h"
#include "core/stack/account.h"
#include "core/stack/stack.h"

#define SHORT_QUEUE 0.0005 /* shown as 0: an ordinary list leaves it out */

void
session_profile_forget(struct session *s)
{
	struct profile_screen *r = &s->run;

	profile_look_free(r->look);
	profile_look_free(r->before);
	profile_look_free(r->other);
	profile_bars_free(r->bars);
	profile_bars_free(r->other_bars);
	profile_free(r->data);
	free(r->unfolded);
	*r = (struct profile_screen){.compared = PROFILE_WHOLE};
}

void
session_set_profile(struct session *s, struct network *net, struct stack *stack)
{
	session_forget(s);
	s->run.data = profile_new(net, stack);
	if (net)
		s->run.unfolded = mem_new_array(net->n_modules, sizeof *s->run.unfolded);
	s->view = net ? VIEW_PATHS : VIEW_STALLS;
	s->came_from = VIEW_START;
	s->focus = s->shown = net ? PANE_NETWORK : PANE_BARS;
	s->popup = POPUP_NONE;
}

static void
look_at_bars(struct session *s)
{
	struct profile_screen *r = &s->run;

	profile_bars_free(r->bars);
	profile_bars_free(r->other_bars);
	r->bars = profile_bars(r->data, r->whole || !profile_moments(r->data) ? PROFILE_WHOLE : r->moment, r->grouped);
	r->other_bars = r->compared != PROFILE_WHOLE ? profile_bars(r->data, r->compared, r->grouped) : NULL;
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
look_at(struct session *s, size_t moment)
{
	struct profile_screen *r = &s->run;
	struct profile_moment m = profile_moment(r->data, moment);

	profile_look_free(r->look);
	profile_look_free(r->before);
	r->moment = moment;
	r->look = profile_look(r->data, moment);
	r->before = m.number > 1 ? profile_look(r->data, moment - 1) : NULL;
	r->history = m.network ? profile_history(r->data, moment) : NULL;
	choose_node(s);
	look_at_bars(s);
}

bool
session_profile_follow(struct session *s)
{
	struct profile_screen *r = &s->run;
	const struct obs_table **t;
	size_t n = 0;
	bool some;

	if (!r->data)
		return false;
	t = mem_new_array(s->n_tables + 1, sizeof *t);
	for (size_t i = 0; i < s->n_tables; i++)
		t[n++] = s->table[i];
	if (s->live)
		t[n++] = live_table(s->live);
	some = profile_take(r->data, t, n);
	free(t);
	if (!some)
		return false;
	n = profile_moments(r->data);
	if (r->compared != PROFILE_WHOLE && r->compared >= n) {
		profile_look_free(r->other);
		r->other = NULL;
		r->compared = PROFILE_WHOLE;
	}
	if (!n)
		look_at_bars(s);
	else if (!r->frozen || !r->look || r->moment >= n)
		look_at(s, n - 1);
	else
		look_at(s, r->moment);
	return true;
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
		session_say(s, false, "this is the last snapshot%s", s->live && live_running(s->live) ? "; the view follows again" : "");
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
	profile_look_free(r->other);
	r->other = NULL;
	if (r->compared == PROFILE_WHOLE) {
		r->compared = r->moment;
		r->other = profile_look(r->data, r->moment);
		r->frozen = true;
		session_say(s, false, "snapshot %zu is compared with those that [ ] show; c ends it", profile_moment(r->data, r->moment).number);
	} else {
		r->compared = PROFILE_WHOLE;
		session_say(s, false, "nothing is compared any more");
	}
	look_at_bars(s);
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

/* Something to order by, and what it is of; equal ones stay as they were. */
struct ordered {
	double value;
	const char *name; /* NULL: by value */
	size_t at;
};

static int
compare(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;
	int order = x->name && y->name ? strcmp(x->name, y->name) : x->value > y->value ? -1 : x->value < y->value ? 1 : 0;

	return order ? order : (x->at > y->at) - (x->at < y->at);
}

static size_t *
in_order(struct ordered *o, size_t n)
{
	size_t *out = mem_new_array(n, sizeof *out);

	if (n)
		qsort(o, n, sizeof *o, compare);
	for (size_t i = 0; i < n; i++)
		out[i] = o[i].at;
	free(o);
	return out;
}

static double
trend_of(const struct profile_history *h, size_t cell)
{
	double first = 0, last = 0;
	size_t third = h ? h->n / 3 : 0, n_first = 0, n_last = 0;

	for (size_t i = 0; i < third; i++) {
		float a = h->length[i * h->n_cells + cell], b = h->length[(h->n - 1 - i) * h->n_cells + cell];

		first += isnan(a) ? 0 : (double)a;
		last += isnan(b) ? 0 : (double)b;
		n_first += isnan(a) ? 0 : 1;
		n_last += isnan(b) ? 0 : 1;
	}
	return n_first && n_last && first > 0 ? last / (double)n_last / (first / (double)n_first) : NAN;
}

double
session_queue_trend(const struct session *s, const struct net_queue *q)
{
	return s->run.history ? trend_of(s->run.history, profile_cell(s->run.history, q->module, q->owner, q->kind)) : NAN;
}

/* Does the filter let it pass? "kind", "module", or part of either. */
static bool
is_wanted(const struct session *s, const struct net_queue *q)
{
	const struct network *n = profile_network(s->run.data);
	const char *filter = s->filter[VIEW_QUEUES];

	return !filter || strstr(n->module[q->module].name, filter) || strstr(n->kind[q->kind].name, filter) ||
	       strstr(profile_owner(s->run.data, n->module[q->module].per, q->owner), filter);
}

size_t *
session_queues(const struct session *s, size_t *n)
{
	const struct net_queues *q = s->run.look ? s->run.look->queues : NULL;
	size_t known = q ? q->known : 0;
	struct ordered *o = mem_new_array(known, sizeof *o);

	*n = 0;
	for (size_t i = 0; i < known; i++) {
		double trend = s->run.queue_sort == QUEUE_BY_TREND ? session_queue_trend(s, &q->queue[i]) : 0;

		if (!is_wanted(s, &q->queue[i]) || (q->queue[i].length < SHORT_QUEUE && !s->filter[VIEW_QUEUES]))
			continue;
		o[(*n)++] = (struct ordered){
			.at = i,
			.value = s->run.queue_sort == QUEUE_BY_LENGTH ? q->queue[i].length : s->run.queue_sort == QUEUE_BY_TREND ? (isnan(trend) ? 0 : trend) :
				 -(double)(q->queue[i].module * 4096 + q->queue[i].owner),
		};
	}
	return in_order(o, *n);
}

const struct net_queue *
session_queue(const struct session *s)
{
	size_t n, *order = session_queues(s, &n), at = (size_t)s->cursor[PANE_QUEUES];
	const struct net_queue *q = at < n ? &s->run.look->queues->queue[order[at]] : NULL;

	free(order);
	return q;
}

size_t *
session_bars(const struct session *s, size_t *n)
{
	const struct profile_bars *b = s->run.bars;
	size_t all = b ? b->n : 0, part = (size_t)s->cursor[PANE_COMPONENTS];
	struct ordered *o = mem_new_array(all, sizeof *o);
	const char *filter = s->filter[VIEW_STALLS];

	*n = 0;
	for (size_t i = 0; i < all; i++) {
		const struct stack_account *a = b->bar[i].account;
		double value = s->run.bar_sort == BAR_BY_PART && part < a->n_parts ? a->amount[part].value : a->whole;

		if (!filter || strstr(b->bar[i].name, filter))
			o[(*n)++] = (struct ordered){.at = i, .value = isnan(value) ? -1 : value, .name = s->run.bar_sort == BAR_BY_NAME ? b->bar[i].name : NULL};
	}
	return in_order(o, *n);
}

bool
session_profile_act(struct session *s, enum action a)
{
	struct profile_screen *r = &s->run;

	if (!r->data)
		return false;
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
	else if (a == ACTION_normalise)
		r->normalised = !r->normalised;
	else if (a == ACTION_node)
		session_open_about(s, POPUP_NODE, r->look != NULL);
	else if (a == ACTION_component)
		session_open_about(s, POPUP_BAR, (r->bars && r->bars->n) || (r->look && r->look->n_stalls));
	else if (a == ACTION_formula)
		session_open_about(s, POPUP_QUEUE, session_queue(s) != NULL);
	else if (a == ACTION_group || a == ACTION_whole_run) {
		r->grouped ^= a == ACTION_group;
		r->whole ^= a == ACTION_whole_run;
		look_at_bars(s);
	} else if (a == ACTION_to_moment && (size_t)s->cursor[PANE_SNAPSHOTS] < profile_moments(r->data)) {
		r->frozen = true;
		look_at(s, (size_t)s->cursor[PANE_SNAPSHOTS]);
	} else if (a == ACTION_place && r->look && (size_t)s->cursor[PANE_PATH_MAP] < r->look->map->n_rows) {
		r->module = r->look->map->row[s->cursor[PANE_PATH_MAP]].module;
		r->owner = 0;
		r->chose_node = true;
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
		free(session_bars(s, &n));
		return (int)n;
	case PANE_COMPONENTS:
		return r->data && profile_stack(r->data) ? (int)profile_stack(r->data)->n_parts : s->rows[PANE_COMPONENTS];
	case PANE_QUEUES:
		free(session_queues(s, &n));
		return (int)n;
	case PANE_NETWORK:
	case PANE_NODE:
	case PANE_METHODS:
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
	const struct net_queue *q = NULL;

	if (pane != PANE_QUEUES)
		return;
	s->cursor[PANE_QUEUES] = row;
	q = session_queue(s);
	if (q && s->run.history)
		s->run.queue_cell = profile_cell(s->run.history, q->module, q->owner, q->kind);
}
