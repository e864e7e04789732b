#include "app/state/state_flows.h"

#include <stdlib.h>

#include "app/run/flow_watch.h"
#include "app/run/live.h"
#include "app/state/state_timeline.h"
#include "app/state/state_timeline_due.h"
#include "app/timeline/flow_name.h"
#include "app/timeline/timeline.h"
#include "app/timeline/timeline_flows.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/network/network.h"

static struct flow_name *
copy_name(const struct flow_name *from)
{
	struct flow_name *to = mem_copy(from, sizeof *from);

	to->task = from->task ? mem_str(from->task) : NULL;
	to->module = from->module ? mem_str(from->module) : NULL;
	return to;
}

static void
set_flow(struct timeline_screen *r, const struct flow_name *name)
{
	struct flow_name *now = name ? copy_name(name) : NULL;

	if (r->flow)
		flow_name_free(r->flow);
	free(r->flow);
	r->flow = now;
}

static void
forget_looks(struct timeline_screen *r)
{
	timeline_analysis_free(r->flow_look);
	timeline_analysis_free(r->flow_before);
	timeline_analysis_free(r->flow_other);
	r->flow_look = r->flow_before = r->flow_other = NULL;
}

void
state_flows_forget(struct timeline_screen *r)
{
	forget_looks(r);
	timeline_flows_free(r->flows);
	r->flows = NULL;
	set_flow(r, NULL);
}

/* --- what is shown ----------------------------------------------------------------------------------------------- */

static struct timeline_flows *
flows_of(const struct state *s, size_t moment)
{
	const struct obs_table **beside = NULL;
	size_t n = 0, cap = 0;
	struct timeline_flows *f;

	for (size_t i = 0; i < s->n_flows; i++) {
		size_t some;
		const struct obs_table *const *t = flow_watch_tables(s->flows[i], &some);

		for (size_t k = 0; k < some; k++) {
			mem_grow(&beside, &cap, n + 1, sizeof *beside);
			beside[n++] = t[k];
		}
	}
	f = timeline_flows_new(s->run.data, moment, s->live ? live_table(s->live) : NULL, beside, n);
	free(beside);
	return f;
}

/* Of the chosen flow, at another moment; `whole`: what it stands for. */
static struct timeline_analysis *
look_at(const struct state *s, const struct timeline_analysis *whole, struct timeline_analysis *old)
{
	struct timeline_flows *f;

	if (!whole) {
		timeline_analysis_free(old);
		return NULL;
	}
	f = flows_of(s, whole->moment);
	old = timeline_flow_look(
		s->run.data, f, f ? timeline_flows_find(f, s->run.flow) : FLOWS_ALL, whole->moment, old);
	timeline_flows_free(f);
	if (old)
		timeline_analysis_stalls(old);
	return old;
}

void
state_flows_make(struct state *s)
{
	struct timeline_screen *r = &s->run;
	int rows;

	timeline_flows_free(r->flows);
	r->flows = r->look ? flows_of(s, r->look->moment) : NULL;
	rows = state_flows_rows(s);
	if (s->cursor[PANE_FLOWS] >= rows)
		s->cursor[PANE_FLOWS] = rows ? rows - 1 : 0;
	if (!r->flow) {
		forget_looks(r);
		return;
	}
	r->flow_look = look_at(s, r->look, r->flow_look);
	r->flow_before = look_at(s, r->before, r->flow_before);
	r->flow_other = look_at(s, r->other, r->flow_other);
	if (s->focus != PANE_FLOWS) /* who is in the list is not moved about in it */
		s->cursor[PANE_FLOWS] = state_flows_line(s) == FLOWS_ALL ? 0 : (int)state_flows_line(s) + 1;
}

struct state
state_flows_shown(const struct state *s)
{
	struct state shown = *s;

	if (s->run.flow && s->run.flow_look) {
		shown.run.look = s->run.flow_look;
		shown.run.before = s->run.flow_before;
		shown.run.other = s->run.flow_other;
		shown.run.history = NULL; /* it is of all */
	}
	return shown;
}

int
state_flows_rows(const struct state *s)
{
	return s->run.flows ? (int)s->run.flows->n + 1 : 0;
}

size_t
state_flows_line(const struct state *s)
{
	return s->run.flows && s->run.flow ? timeline_flows_find(s->run.flows, s->run.flow) : FLOWS_ALL;
}

char *
state_flows_name(const struct state *s)
{
	const struct network *n = s->run.data ? timeline_network(s->run.data) : NULL;
	const struct flow_name *f = s->run.flow;
	const char *to = f ? f->module : NULL;

	if (!f)
		return NULL;
	for (size_t i = 0; n && to && i < n->n_modules; i++)
		if (str_eq(n->module[i].name, f->module))
			to = n->module[i].text && *n->module[i].text ? n->module[i].text : f->module;
	return str_format("%s CPU %d%s%s", f->task, f->cpu, to ? " → " : "", to ? to : "");
}

/* --- which one --------------------------------------------------------------------------------------------------- */

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

void
state_flows_choose(struct state *s, size_t line)
{
	struct timeline_screen *r = &s->run;
	bool some = r->flows && line < r->flows->n;

	set_flow(r, some ? &r->flows->line[line].name : NULL);
	s->cursor[PANE_FLOWS] = some ? (int)line + 1 : 0;
	state_timeline_make_due(s, DUE_PATHS);
	say_flow(s);
}

bool
state_flows_choose_name(struct state *s, const char *text)
{
	struct flow_name name;
	bool good;

	if (!state_flows_rows(s) || !flow_name_parse(text, &name))
		return false;
	good = name.special == FLOW_SPECIALS;
	if (good) {
		set_flow(&s->run, &name);
		state_timeline_make_due(s, DUE_PATHS);
	}
	flow_name_free(&name);
	return good;
}

static bool
has_list(struct state *s)
{
	if (state_flows_rows(s))
		return true;
	state_say(s, false, "no flows beside this snapshot: --flows follows them, here and in hecate record");
	return false;
}

void
state_flows_take_row(struct state *s)
{
	int row = s->cursor[PANE_FLOWS];

	if (!has_list(s))
		return;
	state_flows_choose(s, row < 1 || (size_t)row - 1 == state_flows_line(s) ? FLOWS_ALL : (size_t)row - 1);
}

void
state_flows_next(struct state *s)
{
	/* FLOWS_ALL + 1 is 0: what comes behind all, or behind one that is not in this snapshot, is the first. */
	if (s->run.flow || has_list(s))
		state_flows_choose(s, state_flows_line(s) + 1);
}

void
state_flows_to_list(struct state *s)
{
	if (s->focus == PANE_FLOWS)
		s->focus = PANE_NETWORK;
	else if (has_list(s))
		s->focus = PANE_FLOWS;
	s->shown = s->focus;
}

bool
state_flows_leave(struct state *s)
{
	if (s->view != VIEW_PATHS || !s->run.flow)
		return false;
	state_flows_choose(s, FLOWS_ALL);
	return true;
}
