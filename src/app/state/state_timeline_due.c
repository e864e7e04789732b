#include "app/state/state_timeline_due.h"

#include <stdlib.h>

#include "app/state/state_flows.h"
#include "app/state/state_paths.h"
#include "app/state/state_queues.h"
#include "app/state/state_timeline.h"
#include "app/timeline/timeline.h"
#include "base/err.h"
#include "base/mem.h"
#include "core/network/queues.h"
#include "core/network/stall_rows.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"

#define BARS_LAG 8 /* moments that are gone back for bars */

static void
free_bars(struct timeline_bars **by, size_t n)
{
	for (size_t i = 0; by && i < n; i++)
		timeline_bars_free(by[i]);
	free(by);
}

void
timeline_screen_forget_bars(struct timeline_screen *r)
{
	size_t n = 0;

	if (r->data)
		timeline_stacks(r->data, &n);
	free_bars(r->by, n);
	free_bars(r->other_by, n);
	r->by = r->other_by = NULL;
	r->bars = r->other_bars = NULL;
}

void
timeline_screen_forget_looks(struct timeline_screen *r)
{
	timeline_analysis_free(r->look);
	timeline_analysis_free(r->before);
	net_stall_rows_free(r->rows);
	r->look = r->before = NULL;
	r->rows = NULL;
	r->history = NULL;
}

/* One list by each method; NULL where there is none. */
static struct timeline_bars **
bars_by_all(const struct timeline_screen *r, size_t moment)
{
	size_t n;
	struct timeline_bars **by;

	timeline_stacks(r->data, &n);
	if (!n)
		return NULL;
	by = mem_new_array(n, sizeof(struct timeline_bars *));
	for (size_t i = 0; i < n; i++)
		by[i] = timeline_bars_by(r->data, i, moment, r->grouped);
	return by;
}

static bool
has_bars(const struct timeline_screen *r, struct timeline_bars *const *by)
{
	size_t n;
	bool some = false;

	timeline_stacks(r->data, &n);
	for (size_t i = 0; by && i < n; i++)
		some |= by[i]->n > 0;
	return some;
}

/* The bars of the moment that is shown. Where new ones are followed, what tells the time of tasks may come a little
 * later than what a network counts: then those of the last moment of the run that has some. */
static struct timeline_bars **
bars_shown(const struct timeline_screen *r)
{
	size_t moment = r->whole || !timeline_snapshots(r->data) ? TIMELINE_WHOLE : r->moment;
	struct timeline_bars **by = bars_by_all(r, moment);
	size_t n, back = 0;

	timeline_stacks(r->data, &n);
	while (!r->frozen && moment != TIMELINE_WHOLE && moment > 0 && back++ < BARS_LAG && !has_bars(r, by) &&
		timeline_same_run(r->data, moment - 1, moment)) {
		free_bars(by, n);
		by = bars_by_all(r, --moment);
	}
	return by;
}

static void
show_chosen(struct timeline_screen *r)
{
	r->bars = r->by ? r->by[timeline_chosen(r->data)] : NULL;
	r->other_bars = r->other_by ? r->other_by[timeline_chosen(r->data)] : NULL;
}

static bool
take_due(struct timeline_screen *r, unsigned what)
{
	bool was = (r->due & what) != 0;

	r->due &= ~what;
	return was;
}

/* The culprit, unless the user chose another node. */
static void
choose_node(struct state *s)
{
	struct timeline_screen *r = &s->run;

	if (r->chose_node || !r->look || !r->look->culprit)
		return;
	r->module = r->look->culprit->module;
	r->owner = r->look->culprit->owner;
	r->kind = r->look->culprit->kind;
}

static void
make_look(struct state *s)
{
	struct timeline_screen *r = &s->run;

	/* The next one: what was shown is the one before it. */
	if (r->look && r->look->moment + 1 == r->moment) {
		struct timeline_analysis *old = r->before;

		r->before = r->look;
		r->look = old;
	}
	r->look = timeline_analysis(r->data, r->moment, r->look);
	r->history = r->look ? timeline_history(r->data, r->moment) : NULL;
	choose_node(s);
}

/* View 5: stalls where they arise, and what has become of the snapshot before. */
static void
make_paths(struct state *s)
{
	struct timeline_screen *r = &s->run;
	bool first = timeline_snapshot(r->data, r->moment).number <= 1;

	if (first) {
		timeline_analysis_free(r->before);
		r->before = NULL;
	} else if (!r->before || r->before->moment + 1 != r->moment) {
		r->before = timeline_analysis(r->data, r->moment - 1, r->before);
	}
	if (r->look)
		timeline_analysis_stalls(r->look);
	if (r->other)
		timeline_analysis_stalls(r->other);
	state_paths_follow(s);
	state_flows_make(s);
}

static struct net_stall_rows *
rows_of(struct timeline_analysis *l, bool grouped)
{
	if (!l)
		return NULL;
	timeline_analysis_stalls(l);
	return net_stall_rows_new(l->state, l->stalls, l->n_stalls, grouped);
}

/* View 6. */
static void
make_bars(struct state *s)
{
	struct timeline_screen *r = &s->run;

	timeline_screen_forget_bars(r);
	timeline_split(r->data, s->how.split_phases);
	net_stall_rows_free(r->rows);
	net_stall_rows_free(r->other_rows);
	r->rows = rows_of(r->look, r->grouped);
	r->other_rows = rows_of(r->other, r->grouped);
	r->by = bars_shown(r);
	r->other_by = r->compared != TIMELINE_WHOLE ? bars_by_all(r, r->compared) : NULL;
	show_chosen(r);
}

/* What has to be made for one view, or for all (VIEW_COUNT). */
static void
make_for(struct state *s, enum view view)
{
	struct timeline_screen *r = &s->run;
	bool all = view == VIEW_COUNT;

	if (timeline_snapshots(r->data)) {
		if (take_due(r, DUE_LOOK))
			make_look(s);
		if ((all || view == VIEW_PATHS) && take_due(r, DUE_PATHS))
			make_paths(s);
	}
	if ((all || view == VIEW_STALLS) && take_due(r, DUE_BARS))
		make_bars(s);
	if ((all || view == VIEW_QUEUES) && take_due(r, DUE_QUEUES))
		state_follow_queue(s);
}

/* All that is shown is made: files of long runs are left alone until more of them is needed. What could not be read is
 * said once. */
static void
rest(struct state *s)
{
	for (size_t i = 0; i < s->n_tables; i++) {
		const struct err *e = obs_table_failure(s->table[i]);

		if (e && !s->run.told_failure)
			state_say(s, true, "%s%s%s", e->what, *e->hint ? "; " : "", e->hint);
		s->run.told_failure |= e != NULL;
		obs_table_rest(s->table[i]);
	}
}

void
state_timeline_show(struct state *s)
{
	if (!s->run.data || (s->view != VIEW_PATHS && s->view != VIEW_STALLS && s->view != VIEW_QUEUES))
		return;
	make_for(s, s->view);
	rest(s);
}

void
state_timeline_show_all(struct state *s)
{
	if (!s->run.data)
		return;
	make_for(s, VIEW_COUNT);
	rest(s);
}

void
state_timeline_make_due(struct state *s, unsigned what)
{
	s->run.due |= what;
	state_timeline_show(s);
}

void
state_timeline_look_at(struct state *s, size_t moment)
{
	s->run.moment = moment;
	s->run.due = DUE_ALL;
	state_timeline_show(s);
}

void
timeline_screen_compare(struct timeline_screen *r, size_t moment)
{
	timeline_analysis_free(r->other);
	r->other = moment == TIMELINE_WHOLE ? NULL : timeline_analysis(r->data, moment, NULL);
	r->compared = moment;
}

void
state_timeline_look(struct state *s, size_t moment, size_t compared)
{
	size_t n = timeline_snapshots(s->run.data);

	timeline_screen_compare(&s->run, compared < n ? compared : TIMELINE_WHOLE);
	if (n)
		s->run.moment = moment < n ? moment : n - 1;
	s->run.due = DUE_ALL;
	state_timeline_show_all(s);
}

void
state_timeline_choose_method(struct state *s, size_t stack)
{
	timeline_choose(s->run.data, stack);
	show_chosen(&s->run);
}
