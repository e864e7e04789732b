/* The frame of every view: header, tabs, status line and footer, and what remains of them on small screens. */
#include "draw/view/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "draw/view/popups/popups.h"
#include "draw/view/view_relation.h"
#include "draw/view/view_table.h"
#include "draw/view/view_timeline.h"
#include "explorer/state/state_instructions.h"
#include "explorer/state/state_nodes.h"
#include "explorer/state/state_probes.h"
#include "explorer/state/state_search.h"
#include "explorer/state/state_sim.h"
#include "explorer/state/state_stalls.h"
#include "work/run/run.h"

static bool
command_runs(const struct state *s)
{
	return state_running(s);
}

/* Adds the present answer to "does this model survive this data?". Returns its role. */
static enum role
view_answer(const struct state *s, bool roomy, struct str *out)
{
	const struct result *r = s->answers.result;

	if (!r || (!r->error && r->n_findings == 0)) {
		str_add(out, command_runs(s) ? "? running" : "? no data");
		return ROLE_UNDECIDED;
	}
	if (r->error) {
		str_add(out, "? no verdict");
		return ROLE_UNDECIDED;
	}
	if (r->count[VERDICT_INFEASIBLE]) {
		str_addf(out, "✗ %zu of %zu%s", r->count[VERDICT_INFEASIBLE], r->n_findings,
			roomy ? " infeasible" : "");
		if (roomy && r->refuted.one_by_one > r->count[VERDICT_INFEASIBLE])
			str_addf(out, ", %zu one by one", r->refuted.one_by_one);
		if (roomy && r->refuted.family_wise < r->count[VERDICT_INFEASIBLE])
			str_addf(out, ", %zu family-wise", r->refuted.family_wise);
		return ROLE_INFEASIBLE;
	}
	if (r->count[VERDICT_FEASIBLE] + r->count[VERDICT_BORDERLINE] == 0) {
		str_addf(out, "? %zu undecided", r->n_findings);
		return ROLE_UNDECIDED;
	}
	if (r->count[VERDICT_BORDERLINE]) {
		str_addf(out, "≈ %zu of %zu borderline", r->count[VERDICT_BORDERLINE], r->n_findings);
		return ROLE_BORDERLINE;
	}
	if (r->count[VERDICT_UNDECIDED])
		str_addf(out, "✓ survives %zu of %zu%s", r->n_findings - r->count[VERDICT_UNDECIDED], r->n_findings,
			roomy ? ", others undecided" : "");
	else
		str_addf(out, "✓ survives %zu", r->n_findings);
	if (roomy && r->refuted.one_by_one)
		str_addf(out, ", %zu refute it one by one", r->refuted.one_by_one);
	return ROLE_FEASIBLE;
}

/* Adds the variant with exactly these features, then the features' names, or how many there are. */
static void
features_on(const struct state *s, bool names, struct str *out)
{
	const struct udd_model *m = s->question.model;
	size_t n = fset_count(&s->question.on);

	for (size_t i = 0; i < m->n_variants; i++)
		if (fset_equal(&m->variant[i].on, &s->question.on)) {
			str_addf(out, "%s ", m->variant[i].name);
			break;
		}
	if (n == 0)
		str_add(out, "∅");
	for (size_t i = 0, some = 0; names && i < m->n_features; i++)
		if (fset_has(&s->question.on, i))
			str_addf(out, "%s+%s", some++ ? " " : "", m->feature[i].name);
	if (!names || n == 0)
		str_addf(out, " %zu/%zu", n, m->n_features);
}

static void
data_words(const struct state *s, struct str *out)
{
	const struct result *r = s->answers.result;
	size_t exact = 0, n = r ? r->n_findings : 0;

	for (size_t i = 0; i < n; i++)
		exact += r->finding[i].data.exact;
	if (s->data.name)
		str_addf(out, "%s ", s->data.name);
	else if (state_has_subject(s))
		str_addf(out, "%s ", state_subject(s));
	if (command_runs(s) && run_facts(s->data.leader).growing)
		str_addf(out, "%zu samples ", run_facts(s->data.leader).rows);
	if (n > 1)
		str_addf(out, "%zu obs ", n);
	if (n && exact == n)
		str_add(out, "exact");
}

static void
view_draw_header(const struct state *s, struct grid *g)
{
	struct rect row = {0, 0, g->w, 1};
	struct pen right = pen_on(g, row, ROLE_TEXT);
	struct line l = line_on(g, row, 0);
	struct str verdict = {0}, how = {0}, words = {0};
	bool stale = state_stale(s) && s->question.model && s->question.model->n_counters;
	enum role role = view_answer(s, g->w >= 112, &verdict);
	int end = g->w - 1;

	if (s->answers.result && s->answers.result->n_findings && stale)
		str_add(&verdict, g->w >= 74 ? ", old" : " old");
	right.fg = stale ? ROLE_DIM : role;
	right.attr = stale ? 0 : CELL_BOLD;
	pen_right(&right, end, 0, str_text(&verdict));
	end -= pen_columns(&right, str_text(&verdict)) + 2;
	if (g->w >= 74 && s->answers.result && s->answers.result->n_findings &&
		!s->answers.result->finding[0].data.exact) {
		str_addf(&how, "%g %% %s", s->question.how.confidence * 100,
			region_name((enum region_kind)s->question.how.decides));
		if (g->w >= 112 && s->answers.result->n_findings > 1)
			str_add(&how, s->question.how.one_by_one ? " · one by one" : " · family-wise");
		right.fg = ROLE_DIM;
		right.attr = 0;
		pen_right(&right, end, 0, str_text(&how));
		end -= pen_columns(&right, str_text(&how)) + 2;
	}
	l.end = end;
	if (g->w >= 60) {
		line_add(&l, ROLE_ACCENT, 0, "hecate");
		line_gap(&l, 2);
	}
	line_add(&l, ROLE_TEXT, CELL_BOLD, "%s", s->question.model->name);
	line_gap(&l, 1);
	features_on(s, g->w >= 160, &words);
	line_add(&l, ROLE_TEXT, 0, "%s", str_text(&words));
	line_gap(&l, 2);
	str_clear(&words);
	data_words(s, &words);
	line_add(&l, ROLE_DIM, 0, "%s", str_text(&words));
	str_free(&verdict);
	str_free(&how);
	str_free(&words);
}

static void
draw_tabs(const struct state *s, struct grid *g, struct drawn *d)
{
	static const char start[] = " S start";
	struct line l = line_on(g, (struct rect){0, 1, g->w, 1}, 0);

	l.x = 0;
	for (enum view v = VIEW_START + 1; v < VIEW_COUNT; v++) {
		const struct view_row *row = view_row(v);
		int from = l.x;
		bool here = v == s->view.current;

		line_add(&l, here ? ROLE_TEXT : ROLE_DIM, 0, " ");
		line_add(&l, ROLE_ACCENT, 0, "%s", row->key);
		line_add(&l, here ? ROLE_TEXT : ROLE_DIM, here ? CELL_BOLD : 0, "%s%s ", g->w >= 112 ? " " : "",
			g->w >= 112 ? row->tab : row->brief);
		if (here)
			grid_tint(g, (struct rect){from, 1, l.x - from, 1}, ROLE_SELECT);
		hit_add(d, (struct rect){from, 1, l.x - from, 1}, HIT_ACTION, 0, 0, action_for_key(row->key, IN_VIEWS));
	}
	if (l.x + pen_columns(&l.pen, start) <= g->w)
		line_add(&l, ROLE_DIM, 0, "%s", start);
}

/* "⠹ cone ▍▍ 211/545 4.1 s" while the engine works. */
static void
draw_busy(const struct state *s, struct line *l)
{
	char number[NUMBER_TEXT];
	double t = s->view.frame.now - s->answers.progress.since;

	if (t > 0.3)
		line_add(l, ROLE_ACCENT, 0, "%s ",
			glyph_spinner(s->view.frame.motion ? (unsigned)(s->view.frame.now * 10) : 0, false));
	line_add(l, ROLE_TEXT, 0, "%s", *s->answers.progress.stage ? s->answers.progress.stage : "computing");
	line_gap(l, 1);
	if (s->answers.progress.of) {
		struct pen bar = l->pen;

		bar.fg = ROLE_ACCENT;
		draw_bar(&bar, l->x, l->y, 10, (double)s->answers.progress.done / (double)s->answers.progress.of);
		line_gap(l, 11);
		line_add(l, ROLE_TEXT, 0, "%zu/%zu ", s->answers.progress.done, s->answers.progress.of);
	}
	if (t > 0.3)
		line_add(l, ROLE_DIM, 0, "%s", number_seconds(number, t, false));
}

static const char *
search_word(enum search_task t)
{
	switch (t) {
	case SEARCH_NONE:
		break;
	case SEARCH_DISCOVER:
		return "discovery";
	case SEARCH_ELIMINATE:
		return "elimination";
	case SEARCH_AUTO:
		return "search";
	}
	return "search";
}

/* "⠹ elimination ███ 17 tested, now m7" */
static void
draw_searching(const struct state *s, struct line *l)
{
	const struct search_answers *found = &s->answers.search;
	const struct search_graph *g = found->graph;
	double t = s->view.frame.now - found->since;
	struct str name = {0};
	char number[NUMBER_TEXT];

	if (found->task == SEARCH_NONE) {
		line_add(l, ROLE_DIM, 0, "the search waits for the verdicts");
		return;
	}
	if (t > 0.3)
		line_add(l, ROLE_ACCENT, 0, "%s ",
			glyph_spinner(s->view.frame.motion ? (unsigned)(s->view.frame.now * 10) : 0, false));
	line_add(l, ROLE_TEXT, 0, "%s ", search_word(found->task));
	if (g && g->running && g->sets > 0) { /* sets that need no test are added at once, at the end */
		struct pen bar = l->pen;

		bar.fg = ROLE_ACCENT;
		draw_bar(&bar, l->x, l->y, 10, (double)g->tested / g->sets);
		line_gap(l, 11);
	}
	if (g && g->running) {
		search_name(s->question.model, &found->now, &name);
		line_add(l, ROLE_TEXT, 0, "%zu tested, now %s ", g->tested, str_text(&name));
	}
	if (t > 0.3)
		line_add(l, ROLE_DIM, 0, "%s", number_seconds(number, t, false));
	str_free(&name);
}

/* Adds the interval at which the programs of a specification are sampled, and whether limits made it longer. */
static void
draw_pace(const struct state *s, struct line *l)
{
	char number[NUMBER_TEXT];
	double asked, kept;

	state_interval(s, &asked, &kept);
	if (isinf(kept))
		return;
	line_add(l, ROLE_TEXT, 0, ", every %s", number_seconds(number, kept, false));
	if (kept > asked)
		line_add(l, ROLE_BORDERLINE, 0, ", slowed from %s", number_seconds(number, asked, false));
}

static void
draw_state(const struct state *s, struct line *l)
{
	const struct view_draw *v = view_draw_row(s->view.current);
	const struct result *r = s->answers.result;
	char number[NUMBER_TEXT];

	if (*s->view.message.text) {
		char *text = relation_pretty(s->view.message.text);

		line_add(l, s->view.message.bad ? ROLE_INFEASIBLE : ROLE_TEXT, 0, "%s", text);
		free(text);
		return;
	}
	if (v->sentence && !view_lacks(s) && v->sentence(s, l))
		return;
	if (command_runs(s)) {
		line_add(l, ROLE_TEXT, 0, "%s %s, %s", state_subject(s),
			s->question.subject.argv || s->question.subject.spec ? "runs" : "is watched",
			number_seconds(number, state_run_seconds(s), false));
		if (s->question.subject.spec && !s->question.subject.argv)
			draw_pace(s, l);
		if (s->question.sampling.interval_ms && run_facts(s->data.leader).rows)
			line_add(l, ROLE_TEXT, 0, ", %zu samples at %u ms", run_facts(s->data.leader).rows,
				s->question.sampling.interval_ms);
		line_gap(l, 2);
	}
	if (s->answers.search.task != SEARCH_NONE ||
		(requests_find(&s->requests, REQUEST_SEARCH) && !s->answers.progress.busy)) {
		draw_searching(s, l);
	} else if (s->answers.progress.busy) {
		draw_busy(s, l);
	} else if (r && !r->error) {
		line_add(l, ROLE_DIM, 0, "cone ");
		line_add(l, ROLE_TEXT, 0, "%zu signatures, %zu rays, %zu+%zu constraints", r->signatures, r->rays,
			r->n_equalities, r->n_constraints - r->n_equalities);
		line_add(l, ROLE_DIM, 0, " in %s", number_seconds(number, r->seconds, false));
		if (!r->complete)
			line_add(l, ROLE_BORDERLINE, 0, ", incomplete");
	}
}

/* "notes 2 · saved 12 s ago"; `brief`: only the second half. The caller frees. */
static char *
kept_words(const struct state *s, bool brief)
{
	struct str text = {0};
	double age = s->view.frame.now - s->data.saved.at;

	if (s->question.remarks.n && !brief)
		str_addf(&text, "notes %zu", s->question.remarks.n);
	if (s->data.saved.in && (s->data.saved.failed || s->data.saved.at > 0)) {
		str_add(&text, text.n ? " · " : "");
		if (s->data.saved.failed)
			str_add(&text, "not saved");
		else if (age < 60)
			str_addf(&text, "saved %d s ago", age > 0 ? (int)age : 0);
		else
			str_addf(&text, "saved %d min ago", (int)(age / 60));
	}
	return str_take(&text);
}

static void
draw_status(const struct state *s, struct grid *g)
{
	struct rect row = {0, g->h - 2, g->w, 1};
	struct line l = line_on(g, row, 0);
	struct pen right = pen_on(g, row, ROLE_DIM);
	int x = g->w - 1;
	bool works = command_runs(s) || state_probing(s) || s->answers.progress.busy ||
		s->answers.search.task != SEARCH_NONE || requests_find(&s->requests, REQUEST_SEARCH);
	const char *words = works ? "Esc stops" : s->data.machine.has_pmu ? "" : "no hardware PMU";
	enum role role_of_kept = ROLE_DIM;
	const char *gap;
	char *kept = NULL;

	if (timeline_is_shown(s)) {
		kept = timeline_state_words(s);
		words = works ? "Esc stops" : "";
	} else if (!works && (g->w < 60 || view_needs_nothing(s->view.current))) {
		words = "";
	} else {
		kept = kept_words(s, *words && g->w < 100);
		role_of_kept = s->data.saved.failed ? ROLE_INFEASIBLE : ROLE_DIM;
	}
	gap = *words && kept && *kept ? " · " : "";
	x -= pen_columns(&right, words) + pen_columns(&right, gap) + (kept ? pen_columns(&right, kept) : 0);
	l.end = x - 1;
	right.fg = works ? ROLE_DIM : ROLE_BORDERLINE; /* the only other text there: no PMU */
	x += pen_text(&right, x, g->h - 2, words);
	right.fg = ROLE_DIM;
	x += pen_text(&right, x, g->h - 2, gap);
	right.fg = role_of_kept;
	pen_text(&right, x, g->h - 2, kept ? kept : "");
	free(kept);
	draw_state(s, &l);
}

/* The key as the footer shows it: one arrow stands for both directions. */
static const char *
footer_key(enum action a, char text[ACTION_KEY_TEXT])
{
	action_key(a, text);
	if (a == ACTION_snapshot_back)
		return "[ ]";
	return str_eq(text, "Left") ? "←→" : str_eq(text, "Up") ? "↑↓" : text;
}

/* The keys of the focused pane. Without room those in the middle are left out; help and quit stay. */
static void
draw_footer(const struct state *s, struct grid *g, struct drawn *d)
{
	static const enum action always[] = {ACTION_help, ACTION_quit};
	/* the focus as drawn: after a change of size it may differ from the one that keys went to */
	uint64_t scope = s->view.popup.kind == POPUP_NONE && s->view.current != VIEW_START
		? PANE_BIT(d->layout.focus) : state_scope(s);
	int y = g->h - 1, end = g->w, x = 1;
	struct pen key = pen_on(g, (struct rect){0, y, g->w, 1}, ROLE_ACCENT), name = pen_on(g, key.clip, ROLE_DIM);
	char text[ACTION_KEY_TEXT];

	key.attr = CELL_BOLD;
	if (!scope) {
		pen_text(&name, 1, y, "Enter accept  Esc cancel  Ctrl-U clear");
		return;
	}
	for (int i = 1; i >= 0; i--) {
		int from;

		end -= pen_columns(&key, action_key(always[i], text)) +
			pen_columns(&name, action_row(always[i])->name) + 3;
		from = end + 1;
		if (action_row(always[i])->scopes & scope) {
			from += pen_text(&key, from, y, text) + 1;
			pen_text(&name, from, y, action_row(always[i])->name);
			hit_add(d, (struct rect){end, y, g->w - end, 1}, HIT_ACTION, 0, 0, always[i]);
		}
	}
	for (int a = 1; a < ACTION_COUNT; a++) {
		const struct action_row *r = action_row((enum action)a);
		const char *shown;
		int from = x;

		if (!(r->scopes & scope) || !*r->name || a == ACTION_help || a == ACTION_quit)
			continue;
		if ((a == ACTION_method && !state_compares_methods(s)) ||
			(a == ACTION_fold_node && !state_shows_tree(s)) ||
			((a == ACTION_truth || a == ACTION_intervals) && !state_has_truth(s)) ||
			(a == ACTION_instructions && !state_simulation(s)) ||
			(a == ACTION_simulated && !state_is_simulated(s)) ||
			((a == ACTION_run || a == ACTION_output) && !s->question.model && !s->data.timeline))
			continue;
		shown = footer_key((enum action)a, text);
		if (x + pen_columns(&key, shown) + pen_columns(&name, r->name) + 2 > end)
			continue;
		x += pen_text(&key, x, y, shown) + 1;
		x += pen_text(&name, x, y, r->name);
		hit_add(d, (struct rect){from, y, x - from, 1}, HIT_ACTION, 0, 0, (enum action)a);
		x += 2;
	}
}

/* Below 40×10: five plain lines. Below 20×3: only the verdict. */
static void
view_draw_tiny(const struct state *s, struct grid *g)
{
	struct str words = {0};
	struct line l = line_on(g, (struct rect){-1, 0, g->w + 1, g->h}, 0);
	const struct finding *f = state_finding(s);
	enum role role;

	if (view_draw_row(s->view.current)->tiny) {
		view_draw_row(s->view.current)->tiny(s, g);
		return;
	}
	if (timeline_is_shown(s)) {
		draw_timeline_tiny(s, view_draw_row(s->view.current), g);
		return;
	}
	if (!s->question.model) {
		line_add(&l, ROLE_TEXT, 0, "hecate: 40x10 shows more");
		return;
	}
	role = view_answer(s, false, &words);
	if (g->w < 20 || g->h < 3) {
		line_add(&l, role, CELL_BOLD, "%s", str_text(&words));
		str_free(&words);
		return;
	}
	l.end = g->w - pen_columns(&l.pen, str_text(&words)) - 1;
	line_add(&l, ROLE_TEXT, 0, "%s", s->question.model->name);
	l.end = g->w;
	line_to(&l, g->w + 1 - pen_columns(&l.pen, str_text(&words)));
	line_add(&l, role, CELL_BOLD, "%s", str_text(&words));
	l = line_on(g, (struct rect){-1, 0, g->w + 1, g->h}, 1);
	if (f && f->proof.n_violated) {
		char *text = relation_pretty(f->proof.violated->text), *size = violation_size(f, f->proof.violated);

		line_add(&l, ROLE_TEXT, 0, "worst ");
		line_relation(&l, ROLE_TEXT, 0, pen_columns(&l.pen, size) + 1, text);
		line_add(&l, ROLE_TEXT, 0, " %s %s", size, f->name);
		free(text);
		free(size);
	}
	l = line_on(g, (struct rect){-1, 0, g->w + 1, g->h}, 2);
	line_add(&l, ROLE_DIM, 0, "%s",
		*s->view.message.text                                      ? s->view.message.text
			: s->answers.progress.busy || s->answers.search.task != SEARCH_NONE
				? "engine works" : "engine idle");
	l = line_on(g, (struct rect){-1, 0, g->w + 1, g->h}, g->h - 1);
	line_add(&l, ROLE_DIM, 0, "? help  q quit  40x10 shows more");
	str_free(&words);
}

void
draw_screen(const struct state *s, struct grid *g, struct drawn *d)
{
	struct rect screen = {0, 0, g->w, g->h};
	int top = g->h >= 16 ? 2 : 1;

	*d = (struct drawn){.layout = layout_initial};
	d->layout.view = s->view.current;
	d->layout.popup = s->view.popup.kind;
	d->layout.chosen = d->layout.focus = s->view.focus;
	d->layout.page = g->h > 6 ? g->h - 6 : 1;
	d->layout.zoom = s->layout->zoom;
	d->layout.network_w = s->layout->network_w;
	d->layout.network_h = s->layout->network_h;
	grid_clear(g);
	if (g->w < 40 || g->h < 10) {
		view_draw_tiny(s, g);
		if (s->view.popup.kind != POPUP_NONE)
			draw_popups(s, g, screen, d);
		return;
	}
	if (view_draw_row(s->view.current)->alone) {
		view_draw(s, g, screen, d);
	} else {
		if (view_draw_row(s->view.current)->header)
			view_draw_row(s->view.current)->header(s, g);
		else if (timeline_is_shown(s))
			draw_timeline_header(s, view_draw_row(s->view.current), g);
		else
			view_draw_header(s, g);
		if (top == 2)
			draw_tabs(s, g, d);
		view_draw(s, g, (struct rect){0, top, g->w, g->h - top - 2}, d);
		draw_status(s, g);
	}
	if (s->view.popup.kind != POPUP_NONE) {
		d->n_hits = 0;
		draw_popups(s, g, screen, d);
		pen_fill(&(struct pen){.grid = g, .clip = screen}, (struct rect){0, g->h - 1, g->w, 1}, ' ');
	}
	draw_footer(s, g, d);
}
