#include "app/state/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/run/flow_watch.h"
#include "app/run/live.h"
#include "app/run/spec_run.h"
#include "app/run/tasktime_run.h"
#include "app/search/search_graph.h"
#include "app/state/state_leave.h"
#include "app/state/state_rows.h"
#include "app/state/state_search.h"
#include "app/state/state_sim.h"
#include "app/state/state_start.h"
#include "app/state/state_timeline.h"
#include "app/state/state_views.h"
#include "app/timeline/timeline.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "core/udd/outline.h"

#define OUTLINE_ROWS 5000

void
state_init(struct state *s)
{
	*s = (struct state){.layout = &layout_initial,
		.view.motion = true,
		.view.program = "hecate " HECATE_VERSION,
		.view.timeline.compared = TIMELINE_WHOLE};
	state_list_models(s);
}

static void
forget_answers(struct state *s)
{
	state_forget_views(s);
	result_free(s->answers.result);
	neighbours_free(s->answers.neighbours);
	s->answers.result = NULL;
	s->answers.neighbours = NULL;
}

void
state_forget_history(struct state *s)
{
	struct verdict_history *h = &s->data.history;

	h->n = 0;
	h->step = 0;
	free(h->of);
	h->of = NULL;
}

void
state_forget(struct state *s)
{
	struct plot_view *p = &s->view.plot;

	for (size_t i = 0; i < s->data.n_flows; i++) /* they use the network */
		flow_watch_free(s->data.flows[i]);
	free(s->data.flows);
	s->data.flows = NULL;
	s->data.n_flows = 0;
	state_timeline_forget(s);
	forget_answers(s);
	state_forget_search(s);
	s->question.pinned = (struct fset){0};
	free(s->answers.witness.text);
	s->answers.witness.text = NULL;
	live_free(s->data.live);
	s->data.live = NULL;
	for (size_t i = 0; i < s->data.n_stalls; i++)
		tasktime_run_free(s->data.stalls[i]);
	free(s->data.stalls);
	s->data.stalls = NULL;
	s->data.n_stalls = 0;
	for (size_t i = 0; i < s->data.n_specified; i++)
		spec_run_free(s->data.specified[i]);
	free(s->data.specified);
	s->data.specified = NULL;
	s->data.n_specified = 0;
	for (size_t i = 0; i < s->data.n_tables; i++)
		obs_table_free(s->data.table[i]);
	free(s->data.table);
	s->data.table = NULL;
	s->data.n_tables = 0;
	udd_outline_free(s->question.outline);
	s->question.outline = NULL;
	udd_free(s->question.model);
	s->question.model = NULL;
	bundle_free(&s->question.bundle);
	analysis_options_free(&s->question.how);
	free(s->view.tree.folded);
	s->view.tree.folded = NULL;
	search_graph_free(s->answers.search.graph);
	s->answers.search.graph = NULL;
	free(s->data.so_far);
	free(s->data.counted);
	s->data.so_far = NULL;
	s->data.counted = NULL;
	s->view.tree.n = 0;
	state_forget_history(s);
	free(p->row);
	p->row = NULL;
	p->chosen = false;
	free(s->view.marks.on);
	s->view.marks.on = NULL;
	s->view.marks.n = 0;
	s->view.selected = s->view.constraint = 0;
	s->data.had_run = s->view.chose_constraint = false;
	memset(s->view.cursor, 0, sizeof s->view.cursor);
}

void
state_free(struct state *s)
{
	state_forget(s);
	state_forget_subject(s);
	str_free(&s->data.output);
	str_free(&s->data.run_notes);
	free(s->data.history.point);
	free(s->data.history.of);
	str_free(&s->answers.log);
	str_free(&s->view.prompt.input);
	str_free(&s->view.popup.text);
	remarks_free(&s->question.remarks);
	free(s->view.prompt.noting_what);
	free(s->data.saved.in);
	requests_clear(&s->requests);
	str_split_free(s->data.installed.name);
	str_split_free(s->data.installed.text);
}

bool
state_has_subject(const struct state *s)
{
	return s->question.subject.argv || s->question.subject.target || s->question.subject.spec;
}

void
state_set_subject(struct state *s, const struct subject *x)
{
	subject_clear(&s->question.subject);
	s->question.subject = *x;
}

void
state_set_command(struct state *s, char **argv)
{
	str_split_free(s->question.subject.argv);
	s->question.subject.argv = argv;
}

void
state_set_sampling(struct state *s, const struct sampling *x)
{
	s->question.sampling = *x;
}

void
state_add_recorded(struct state *s, struct obs_table *t)
{
	struct data *d = &s->data;

	d->table = mem_resize(d->table, d->n_tables + 1, sizeof *d->table);
	d->table[d->n_tables++] = t;
}

void
state_set_recorded(struct state *s, struct obs_table **table, size_t n, char *name)
{
	s->data.table = table;
	s->data.n_tables = n;
	s->data.name = name;
}

/* Its programs, and not a command that was typed since. */
static bool
is_specified(const struct state *s)
{
	return s->question.subject.spec && !s->question.subject.argv;
}

bool
state_running(const struct state *s)
{
	return (s->data.live && live_running(s->data.live)) ||
		(s->data.n_specified && spec_run_running(s->data.specified[s->data.n_specified - 1])) ||
		(s->data.n_stalls && tasktime_run_running(s->data.stalls[s->data.n_stalls - 1]));
}

double
state_run_seconds(const struct state *s)
{
	struct tasktime_run_state state;
	struct spec_run_state specified;

	if (is_specified(s) && s->data.n_specified) {
		spec_run_state(s->data.specified[s->data.n_specified - 1], &specified);
		return specified.seconds;
	}
	if (s->data.live || !s->data.n_stalls)
		return s->data.live ? live_seconds(s->data.live) : 0;
	tasktime_run_state(s->data.stalls[s->data.n_stalls - 1], &state);
	return (double)state.elapsed_ns / 1e9;
}

const char *
state_subject(const struct state *s)
{
	return is_specified(s)             ? s->question.subject.spec->name
		: s->data.live             ? live_name(s->data.live)
		: s->question.subject.argv ? s->question.subject.argv[0]
					   : "";
}

void
state_interval(const struct state *s, double *asked, double *kept)
{
	struct spec_run_state t;

	*asked = *kept = s->question.sampling.interval_ms * 1e-3;
	if (!is_specified(s))
		return;
	*asked = *kept =
		s->question.subject.spec->mode == SPEC_AGGREGATED ? INFINITY : s->question.subject.spec->granularity;
	if (!s->data.n_specified)
		return;
	spec_run_state(s->data.specified[s->data.n_specified - 1], &t);
	*kept = t.present;
}

void
state_add_point(struct state *s, const struct verdict_point *p)
{
	struct verdict_history *h = &s->data.history;
	size_t n = h->n;

	if (n >= 2 && p->seconds - h->point[n - 2].seconds < h->step) {
		h->point[n - 1] = *p; /* the newest is always there */
		return;
	}
	if (n >= VERDICT_POINTS_MOST) {
		h->step = (h->point[n - 1].seconds - h->point[0].seconds) / (VERDICT_POINTS_MOST / 2);
		for (size_t i = 0; i < n / 2; i++)
			h->point[i] = h->point[2 * i];
		h->n /= 2;
	}
	mem_grow(&h->point, &h->cap, h->n + 1, sizeof *h->point);
	h->point[h->n++] = *p;
}

static void
make_outline(struct state *s)
{
	udd_outline_free(s->question.outline);
	s->question.outline = udd_outline_new(s->question.model, &s->question.on, OUTLINE_ROWS);
	if (s->view.tree.n == s->question.outline->n)
		return;
	free(s->view.tree.folded);
	s->view.tree.n = s->question.outline->n;
	s->view.tree.folded = mem_new_array(s->view.tree.n, sizeof *s->view.tree.folded);
	state_fold_at_first(s);
}

void
state_set_model(struct state *s, struct bundle *b, struct udd_model *m, const struct analysis_options *how,
	const struct fset *on)
{
	state_forget(s);
	s->question.bundle = *b;
	*b = (struct bundle){0};
	s->question.model = m;
	s->question.how = *how;
	s->question.on = *on;
	s->view.current = VIEW_MODELS;
	s->view.came_from = VIEW_START;
	s->view.focus = PANE_FEATURES;
	s->view.popup.kind = POPUP_NONE;
	make_outline(s);
	state_request(s, REQUEST_LOAD);
	state_request(s, REQUEST_RESULT);
}

bool
state_stale(const struct state *s)
{
	return !s->answers.result || !fset_equal(&s->answers.stamp.on, &s->question.on);
}

bool
state_is_current(const struct state *s, const struct stamp *t)
{
	return t->data == s->answers.stamp.data && fset_equal(&t->on, &s->answers.stamp.on);
}

const struct finding *
state_finding(const struct state *s)
{
	return s->answers.result && s->view.selected < s->answers.result->n_findings
		? &s->answers.result->finding[s->view.selected]
		: NULL;
}

uint64_t
state_scope(const struct state *s)
{
	if (s->view.popup.kind == POPUP_PROMPT)
		return 0;
	if (s->view.popup.kind == POPUP_HELP)
		return IN_HELP;
	if (s->view.popup.kind != POPUP_NONE)
		return IN_POPUP;
	if (s->view.current == VIEW_START)
		return IN_START;
	return PANE_BIT(state_pane(s));
}

void
state_say(struct state *s, bool bad, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s->view.message.text, sizeof s->view.message.text, fmt, ap);
	va_end(ap);
	s->view.message.bad = bad;
}

void
state_say_nothing(struct state *s)
{
	s->view.message.text[0] = '\0';
}

void
state_set_time(struct state *s, double seconds)
{
	s->view.now = seconds;
}

void
state_set_motion(struct state *s, bool motion)
{
	s->view.motion = motion;
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

static bool
same_observation(const struct finding *a, const struct finding *b)
{
	return a->samples == b->samples && a->n_values == b->n_values && str_eq(a->name, b->name) &&
		(!a->n_values || memcmp(a->value, b->value, a->n_values * sizeof *a->value) == 0);
}

/* Are two results of the same data? */
static bool
same_data(const struct result *a, const struct result *b)
{
	if (!a || a->n_findings != b->n_findings)
		return false;
	for (size_t i = 0; i < a->n_findings; i++)
		if (!same_observation(&a->finding[i], &b->finding[i]))
			return false;
	return true;
}

void
state_take_result(struct state *s, struct result *r)
{
	bool grew = !s->answers.result || s->answers.result->n_findings != r->n_findings;
	struct kept kept = state_keep(s, r);
	struct neighbours *neighbours = NULL;
	struct fset from = s->answers.result ? s->answers.result->on : r->on;

	/* What the features would change stands until it is known anew, lest it flicker with each sample. */
	if (s->answers.result && !grew && fset_equal(&s->answers.result->on, &r->on)) {
		neighbours = s->answers.neighbours;
		s->answers.neighbours = NULL;
	}
	s->answers.stamp =
		(struct stamp){.on = r->on, .data = s->answers.stamp.data + !same_data(s->answers.result, r)};
	forget_answers(s);
	s->answers.neighbours = neighbours;
	s->answers.result = r;
	if (grew && r->n_findings)
		s->view.selected = s->data.had_run && s->data.live && live_table(s->data.live)->n ? r->n_findings - 1
												  : worst_finding(r);
	if (s->view.selected >= r->n_findings)
		s->view.selected = r->n_findings ? r->n_findings - 1 : 0;
	state_look_at_result(s, kept);
	state_note_model(s, &from);
}

void
state_take_neighbours(struct state *s, struct neighbours *t)
{
	neighbours_free(s->answers.neighbours);
	s->answers.neighbours = t;
}

/* A proposal is for some features: its row comes and goes with them. The cursor of the search stays on its model. */
static void
set_features(struct state *s, const struct fset *on)
{
	struct fset under;
	bool on_model = state_search_cursor(s, &under);

	s->question.on = *on;
	s->view.search.follows = false;
	if (on_model)
		state_search_put_cursor(s, &under);
	make_outline(s);
}

void
state_revert(struct state *s)
{
	if (!s->answers.result)
		return;
	set_features(s, &s->answers.result->on);
}

void
state_switch_to(struct state *s, const struct fset *on)
{
	set_features(s, on);
	state_request(s, REQUEST_RESULT);
	s->view.message.text[0] = '\0';
}
