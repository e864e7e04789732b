#include "app/session/session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/live/flow_watch.h"
#include "app/live/live.h"
#include "app/live/spec_run.h"
#include "app/live/stall_run.h"
#include "app/profile/profile.h"
#include "app/search/search_graph.h"
#include "app/session/session_leave.h"
#include "app/session/session_profile.h"
#include "app/session/session_rows.h"
#include "app/session/session_search.h"
#include "app/session/session_sim.h"
#include "app/session/session_start.h"
#include "app/session/session_views.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "core/udd/outline.h"

#define OUTLINE_ROWS 5000

void
session_init(struct session *s)
{
	*s = (struct session){.motion = true, .page = 10, .why_rows = 1, .popup_rows = 1, .visible = ~0, .program = "hecate " HECATE_VERSION, .run.compared = PROFILE_WHOLE};
	doctor_look(&s->doctor);
	session_list_models(s);
}

static void
forget_answers(struct session *s)
{
	session_forget_views(s);
	result_free(s->result);
	neighbours_free(s->neighbours);
	s->result = NULL;
	s->neighbours = NULL;
}

void
session_forget_history(struct session *s)
{
	s->n_history = 0;
	s->history_step = 0;
	free(s->history_of);
	s->history_of = NULL;
}

void
session_forget(struct session *s)
{
	for (size_t i = 0; i < s->n_flows; i++) /* they use the network */
		flow_watch_free(s->flows[i]);
	free(s->flows);
	s->flows = NULL;
	s->n_flows = 0;
	session_profile_forget(s);
	forget_answers(s);
	session_forget_search(s);
	s->pinned = (struct fset){0};
	free(s->witness);
	s->witness = NULL;
	live_free(s->live);
	s->live = NULL;
	for (size_t i = 0; i < s->n_stalls; i++)
		stall_run_free(s->stalls[i]);
	free(s->stalls);
	s->stalls = NULL;
	s->n_stalls = 0;
	for (size_t i = 0; i < s->n_specified; i++)
		spec_run_free(s->specified[i]);
	free(s->specified);
	s->specified = NULL;
	s->n_specified = 0;
	for (size_t i = 0; i < s->n_tables; i++)
		obs_table_free(s->table[i]);
	free(s->table);
	s->table = NULL;
	s->n_tables = 0;
	udd_outline_free(s->outline);
	s->outline = NULL;
	udd_free(s->model);
	s->model = NULL;
	bundle_free(&s->bundle);
	analysis_options_free(&s->how);
	free(s->folded);
	s->folded = NULL;
	search_graph_free(s->graph);
	s->graph = NULL;
	free(s->so_far);
	free(s->counted);
	s->so_far = NULL;
	s->counted = NULL;
	s->n_folded = 0;
	session_forget_history(s);
	free(s->plot_row);
	s->plot_row = NULL;
	s->chose_plot = false;
	free(s->marked);
	s->marked = NULL;
	s->n_marked = 0;
	s->selected = s->constraint = 0;
	s->had_run = s->chose_constraint = false;
	memset(s->cursor, 0, sizeof s->cursor);
}

void
session_free(struct session *s)
{
	session_forget(s);
	session_forget_subject(s);
	str_free(&s->output);
	str_free(&s->run_notes);
	free(s->history);
	free(s->history_of);
	str_free(&s->log);
	str_free(&s->input);
	str_free(&s->text);
	remarks_free(&s->remarks);
	free(s->noting_what);
	free(s->kept_in);
	free(s->want.keep);
	str_split_free(s->known);
	str_split_free(s->known_text);
	free(s->want.open);
}

bool
session_has_subject(const struct session *s)
{
	return s->argv || s->target || s->spec;
}

/* Its programs, and not a command that was typed since. */
static bool
is_specified(const struct session *s)
{
	return s->spec && !s->argv;
}

bool
session_running(const struct session *s)
{
	return (s->live && live_running(s->live)) || (s->n_specified && spec_run_running(s->specified[s->n_specified - 1])) || (s->n_stalls && stall_run_running(s->stalls[s->n_stalls - 1]));
}

double
session_run_seconds(const struct session *s)
{
	struct stall_run_state state;
	struct spec_run_state specified;

	if (is_specified(s) && s->n_specified) {
		spec_run_state(s->specified[s->n_specified - 1], &specified);
		return specified.seconds;
	}
	if (s->live || !s->n_stalls)
		return s->live ? live_seconds(s->live) : 0;
	stall_run_state(s->stalls[s->n_stalls - 1], &state);
	return (double)state.elapsed_ns / 1e9;
}

const char *
session_subject(const struct session *s)
{
	return is_specified(s) ? s->spec->name : s->live ? live_name(s->live) : s->argv ? s->argv[0] : "";
}

void
session_interval(const struct session *s, double *asked, double *kept)
{
	struct spec_run_state t;

	*asked = *kept = s->interval_ms * 1e-3;
	if (!is_specified(s))
		return;
	*asked = *kept = s->spec->mode == SPEC_AGGREGATED ? INFINITY : s->spec->granularity;
	if (!s->n_specified)
		return;
	spec_run_state(s->specified[s->n_specified - 1], &t);
	*kept = t.present;
}

void
session_add_point(struct session *s, const struct live_point *p)
{
	size_t n = s->n_history;

	if (n >= 2 && p->seconds - s->history[n - 2].seconds < s->history_step) {
		s->history[n - 1] = *p; /* the newest is always there */
		return;
	}
	if (n >= HISTORY_MOST) {
		s->history_step = (s->history[n - 1].seconds - s->history[0].seconds) / (HISTORY_MOST / 2);
		for (size_t i = 0; i < n / 2; i++)
			s->history[i] = s->history[2 * i];
		s->n_history /= 2;
	}
	mem_grow(&s->history, &s->cap_history, s->n_history + 1, sizeof *s->history);
	s->history[s->n_history++] = *p;
}

static void
make_outline(struct session *s)
{
	udd_outline_free(s->outline);
	s->outline = udd_outline_new(s->model, &s->on, OUTLINE_ROWS);
	if (s->n_folded == s->outline->n)
		return;
	free(s->folded);
	s->n_folded = s->outline->n;
	s->folded = mem_new_array(s->n_folded, sizeof *s->folded);
	session_fold_at_first(s);
}

void
session_set_model(struct session *s, struct bundle *b, struct udd_model *m, const struct analysis_options *how, const struct fset *on)
{
	session_forget(s);
	s->bundle = *b;
	*b = (struct bundle){0};
	s->model = m;
	s->how = *how;
	s->on = *on;
	s->view = VIEW_MODELS;
	s->came_from = VIEW_START;
	s->focus = s->shown = PANE_FEATURES;
	s->visible = ~0;
	s->popup = POPUP_NONE;
	make_outline(s);
	s->want.load = true;
	s->want.engine = true;
}

bool
session_stale(const struct session *s)
{
	return !s->result || !fset_equal(&s->result->on, &s->on);
}

const struct finding *
session_finding(const struct session *s)
{
	return s->result && s->selected < s->result->n_findings ? &s->result->finding[s->selected] : NULL;
}

int
session_scope(const struct session *s)
{
	if (s->popup == POPUP_PROMPT)
		return 0;
	if (s->popup == POPUP_HELP)
		return IN_HELP;
	if (s->popup != POPUP_NONE)
		return IN_POPUP;
	if (s->view == VIEW_START)
		return IN_START;
	return 1 << s->shown;
}

void
session_say(struct session *s, bool bad, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s->message, sizeof s->message, fmt, ap);
	va_end(ap);
	s->message_bad = bad;
}

/* The observation that breaks the model most: the user should see it without looking for it. */
static size_t
worst_finding(const struct result *r)
{
	size_t worst = 0;

	for (size_t i = 1; i < r->n_findings; i++) {
		const struct finding *a = &r->finding[worst], *b = &r->finding[i];
		double x = a->n_violated ? a->violated->margin : 0, y = b->n_violated ? b->violated->margin : 0;

		if (b->verdict == VERDICT_INFEASIBLE && (a->verdict != VERDICT_INFEASIBLE || y > x))
			worst = i;
	}
	return worst;
}

void
session_take_result(struct session *s, struct result *r)
{
	bool grew = !s->result || s->result->n_findings != r->n_findings;
	struct kept kept = session_keep(s, r);
	struct neighbours *neighbours = NULL;
	struct fset from = s->result ? s->result->on : r->on;

	/* What the features would change stands until it is known anew, lest it flicker with each sample. */
	if (s->result && !grew && fset_equal(&s->result->on, &r->on)) {
		neighbours = s->neighbours;
		s->neighbours = NULL;
	}
	forget_answers(s);
	s->neighbours = neighbours;
	s->result = r;
	s->before = r->on;
	if (grew && r->n_findings)
		s->selected = s->had_run && s->live && live_table(s->live)->n ? r->n_findings - 1 : worst_finding(r);
	if (s->selected >= r->n_findings)
		s->selected = r->n_findings ? r->n_findings - 1 : 0;
	session_look_at_result(s, kept);
	session_note_model(s, &from);
}

void
session_take_neighbours(struct session *s, struct neighbours *t)
{
	neighbours_free(s->neighbours);
	s->neighbours = t;
}

/* A proposal is for some features: its row comes and goes with them. The cursor of the search stays on its model. */
static void
set_features(struct session *s, const struct fset *on)
{
	struct fset under;
	bool on_model = session_search_cursor(s, &under);

	s->on = *on;
	s->search_follows = false;
	if (on_model)
		session_search_put_cursor(s, &under);
	make_outline(s);
}

void
session_revert(struct session *s)
{
	if (!s->result)
		return;
	set_features(s, &s->result->on);
}

void
session_switch_to(struct session *s, const struct fset *on)
{
	set_features(s, on);
	s->want.engine = true;
	s->message[0] = '\0';
}
