#include "app/session/session_flows.h"

#include <stdlib.h>

#include "app/live/flow_watch.h"
#include "app/live/live.h"
#include "app/profile/flow_name.h"
#include "app/profile/profile.h"
#include "app/profile/profile_flows.h"
#include "app/session/session_profile.h"
#include "app/session/session_profile_due.h"
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
set_flow(struct profile_screen *r, const struct flow_name *name)
{
	struct flow_name *now = name ? copy_name(name) : NULL;

	if (r->flow)
		flow_name_free(r->flow);
	free(r->flow);
	r->flow = now;
}

static void
forget_looks(struct profile_screen *r)
{
	profile_look_free(r->flow_look);
	profile_look_free(r->flow_before);
	profile_look_free(r->flow_other);
	r->flow_look = r->flow_before = r->flow_other = NULL;
}

void
session_flows_forget(struct profile_screen *r)
{
	forget_looks(r);
	profile_flows_free(r->flows);
	r->flows = NULL;
	set_flow(r, NULL);
}

/* ---- what is shown ---- */

static struct profile_flows *
flows_of(const struct session *s, size_t moment)
{
	const struct obs_table **beside = NULL;
	size_t n = 0, cap = 0;
	struct profile_flows *f;

	for (size_t i = 0; i < s->n_flows; i++) {
		size_t some;
		const struct obs_table *const *t = flow_watch_tables(s->flows[i], &some);

		for (size_t k = 0; k < some; k++) {
			mem_grow(&beside, &cap, n + 1, sizeof *beside);
			beside[n++] = t[k];
		}
	}
	f = profile_flows_new(s->run.data, moment, s->live ? live_table(s->live) : NULL, beside, n);
	free(beside);
	return f;
}

/* Of the chosen flow, at another moment; `whole`: what it stands for. */
static struct profile_look *
look_at(const struct session *s, const struct profile_look *whole, struct profile_look *old)
{
	struct profile_flows *f;

	if (!whole) {
		profile_look_free(old);
		return NULL;
	}
	f = flows_of(s, whole->moment);
	old = profile_flow_look(s->run.data, f, f ? profile_flows_find(f, s->run.flow) : FLOWS_ALL, whole->moment, old);
	profile_flows_free(f);
	if (old)
		profile_look_stalls(old);
	return old;
}

void
session_flows_make(struct session *s)
{
	struct profile_screen *r = &s->run;
	int rows;

	profile_flows_free(r->flows);
	r->flows = r->look ? flows_of(s, r->look->moment) : NULL;
	rows = session_flows_rows(s);
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
		s->cursor[PANE_FLOWS] = session_flows_line(s) == FLOWS_ALL ? 0 : (int)session_flows_line(s) + 1;
}

struct session
session_flows_shown(const struct session *s)
{
	struct session shown = *s;

	if (s->run.flow && s->run.flow_look) {
		shown.run.look = s->run.flow_look;
		shown.run.before = s->run.flow_before;
		shown.run.other = s->run.flow_other;
		shown.run.history = NULL; /* it is of all */
	}
	return shown;
}

int
session_flows_rows(const struct session *s)
{
	return s->run.flows ? (int)s->run.flows->n + 1 : 0;
}

size_t
session_flows_line(const struct session *s)
{
	return s->run.flows && s->run.flow ? profile_flows_find(s->run.flows, s->run.flow) : FLOWS_ALL;
}

char *
session_flows_name(const struct session *s)
{
	const struct network *n = s->run.data ? profile_network(s->run.data) : NULL;
	const struct flow_name *f = s->run.flow;
	const char *to = f ? f->module : NULL;

	if (!f)
		return NULL;
	for (size_t i = 0; n && to && i < n->n_modules; i++)
		if (str_eq(n->module[i].name, f->module))
			to = n->module[i].text && *n->module[i].text ? n->module[i].text : f->module;
	return str_format("%s CPU %d%s%s", f->task, f->cpu, to ? " → " : "", to ? to : "");
}

/* ---- which one ---- */

static void
say_flow(struct session *s)
{
	char *name = session_flows_name(s);

	if (name)
		session_say(s, false, "%s alone; f shows the next flow, Esc all", name);
	else
		session_say(s, false, "all tasks together");
	free(name);
}

void
session_flows_choose(struct session *s, size_t line)
{
	struct profile_screen *r = &s->run;
	bool some = r->flows && line < r->flows->n;

	set_flow(r, some ? &r->flows->line[line].name : NULL);
	s->cursor[PANE_FLOWS] = some ? (int)line + 1 : 0;
	session_profile_make_due(s, DUE_PATHS);
	say_flow(s);
}

bool
session_flows_choose_name(struct session *s, const char *text)
{
	struct flow_name name;
	bool good;

	if (!session_flows_rows(s) || !flow_name_parse(text, &name))
		return false;
	good = name.special == FLOW_SPECIALS;
	if (good) {
		set_flow(&s->run, &name);
		session_profile_make_due(s, DUE_PATHS);
	}
	flow_name_free(&name);
	return good;
}

static bool
has_list(struct session *s)
{
	if (session_flows_rows(s))
		return true;
	session_say(s, false, "no flows beside this snapshot: --flows follows them, here and in hecate record");
	return false;
}

void
session_flows_take_row(struct session *s)
{
	int row = s->cursor[PANE_FLOWS];

	if (!has_list(s))
		return;
	session_flows_choose(s, row < 1 || (size_t)row - 1 == session_flows_line(s) ? FLOWS_ALL : (size_t)row - 1);
}

void
session_flows_next(struct session *s)
{
	/* FLOWS_ALL + 1 is 0: what comes behind all, or behind one that is not in this snapshot, is the first. */
	if (s->run.flow || has_list(s))
		session_flows_choose(s, session_flows_line(s) + 1);
}

void
session_flows_to_list(struct session *s)
{
	if (s->focus == PANE_FLOWS)
		s->focus = PANE_NETWORK;
	else if (has_list(s))
		s->focus = PANE_FLOWS;
	s->shown = s->focus;
}

bool
session_flows_leave(struct session *s)
{
	if (s->view != VIEW_PATHS || !s->run.flow)
		return false;
	session_flows_choose(s, FLOWS_ALL);
	return true;
}
