#include "app/session/session_profile_due.h"

#include <stdlib.h>

#include "app/profile/profile.h"
#include "app/session/session_flows.h"
#include "app/session/session_paths.h"
#include "app/session/session_profile.h"
#include "app/session/session_queues.h"
#include "base/err.h"
#include "base/mem.h"
#include "core/network/queues.h"
#include "core/network/stall_rows.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"

#define BARS_LAG 8 /* moments that are gone back for bars */

static void
free_bars(struct profile_bars **by, size_t n)
{
	for (size_t i = 0; by && i < n; i++)
		profile_bars_free(by[i]);
	free(by);
}

void
profile_screen_forget_bars(struct profile_screen *r)
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
profile_screen_forget_looks(struct profile_screen *r)
{
	profile_look_free(r->look);
	profile_look_free(r->before);
	net_stall_rows_free(r->rows);
	r->look = r->before = NULL;
	r->rows = NULL;
	r->history = NULL;
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

static bool
has_bars(const struct profile_screen *r, struct profile_bars *const *by)
{
	size_t n;
	bool some = false;

	profile_stacks(r->data, &n);
	for (size_t i = 0; by && i < n; i++)
		some |= by[i]->n > 0;
	return some;
}

/* The bars of the moment that is shown. Where new ones are followed, what tells the time of tasks may come a little
 * later than what a network counts: then those of the last moment of the run that has some. */
static struct profile_bars **
bars_shown(const struct profile_screen *r)
{
	size_t moment = r->whole || !profile_moments(r->data) ? PROFILE_WHOLE : r->moment;
	struct profile_bars **by = bars_by_all(r, moment);
	size_t n, back = 0;

	profile_stacks(r->data, &n);
	while (!r->frozen && moment != PROFILE_WHOLE && moment > 0 && back++ < BARS_LAG && !has_bars(r, by) &&
		profile_same_run(r->data, moment - 1, moment)) {
		free_bars(by, n);
		by = bars_by_all(r, --moment);
	}
	return by;
}

static void
show_chosen(struct profile_screen *r)
{
	r->bars = r->by ? r->by[profile_chosen(r->data)] : NULL;
	r->other_bars = r->other_by ? r->other_by[profile_chosen(r->data)] : NULL;
}

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
	session_flows_make(s);
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

	profile_screen_forget_bars(r);
	profile_split(r->data, s->how.split_phases);
	net_stall_rows_free(r->rows);
	net_stall_rows_free(r->other_rows);
	r->rows = rows_of(r->look, r->grouped);
	r->other_rows = rows_of(r->other, r->grouped);
	r->by = bars_shown(r);
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

/* All that is shown is made: files of long runs are left alone until more of them is needed. What could not be read is
 * said once. */
static void
rest(struct session *s)
{
	for (size_t i = 0; i < s->n_tables; i++) {
		const struct err *e = obs_table_failure(s->table[i]);

		if (e && !s->run.told_failure)
			session_say(s, true, "%s%s%s", e->what, *e->hint ? "; " : "", e->hint);
		s->run.told_failure |= e != NULL;
		obs_table_rest(s->table[i]);
	}
}

void
session_profile_show(struct session *s)
{
	if (!s->run.data || (s->view != VIEW_PATHS && s->view != VIEW_STALLS && s->view != VIEW_QUEUES))
		return;
	make_for(s, s->view);
	rest(s);
}

void
session_profile_show_all(struct session *s)
{
	if (!s->run.data)
		return;
	make_for(s, VIEW_COUNT);
	rest(s);
}

void
session_profile_make_due(struct session *s, unsigned what)
{
	s->run.due |= what;
	session_profile_show(s);
}

void
session_profile_look_at(struct session *s, size_t moment)
{
	s->run.moment = moment;
	s->run.due = DUE_ALL;
	session_profile_show(s);
}

void
profile_screen_compare(struct profile_screen *r, size_t moment)
{
	profile_look_free(r->other);
	r->other = moment == PROFILE_WHOLE ? NULL : profile_look(r->data, moment, NULL);
	r->compared = moment;
}

void
session_profile_look(struct session *s, size_t moment, size_t compared)
{
	size_t n = profile_moments(s->run.data);

	profile_screen_compare(&s->run, compared < n ? compared : PROFILE_WHOLE);
	if (n)
		s->run.moment = moment < n ? moment : n - 1;
	s->run.due = DUE_ALL;
	session_profile_show_all(s);
}

void
session_profile_choose_method(struct session *s, size_t stack)
{
	profile_choose(s->run.data, stack);
	show_chosen(&s->run);
}
