/* The frame of every view: header, tabs, status line and footer, and what remains of them on small screens. */
#include "draw/view/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "core/obs/obs.h"
#include "core/udd/alternatives.h"
#include "core/udd/model.h"
#include "draw/view/view_lesson.h"
#include "draw/view/view_relation.h"
#include "draw/view/view_table.h"
#include "draw/view/view_timeline.h"
#include "explorer/state/lesson_play.h"
#include "explorer/state/state_follow.h"
#include "explorer/state/state_instructions.h"
#include "explorer/state/state_nodes.h"
#include "explorer/state/state_probes.h"
#include "explorer/state/state_search.h"
#include "explorer/state/state_sim.h"
#include "explorer/state/state_stalls.h"
#include "explorer/state/state_texts.h"
#include "explorer/state/state_views.h"
#include "work/run/run.h"
#include "work/timeline/timeline.h"

static bool
command_runs(const struct state *s)
{
	return state_running(s);
}

/* Adds the present answer to "does this model survive this data?". Returns its role. */
static enum role
view_answer(const struct state *state, bool roomy, struct str *out)
{
	const struct result *result = state->answers.result;

	if (!result || (!result->error && result->n_findings == 0)) {
		str_add(out, command_runs(state) ? "? running" : "? no data");
		return ROLE_UNDECIDED;
	}
	if (result->error) {
		str_add(out, "? no verdict");
		return ROLE_UNDECIDED;
	}
	if (result->count[VERDICT_INFEASIBLE]) {
		str_addf(out, "✗ %zu of %zu%s", result->count[VERDICT_INFEASIBLE], result->n_findings,
			roomy ? " infeasible" : "");
		if (roomy && result->refuted.one_by_one > result->count[VERDICT_INFEASIBLE])
			str_addf(out, ", %zu if each is judged alone", result->refuted.one_by_one);
		if (roomy && result->refuted.family_wise < result->count[VERDICT_INFEASIBLE])
			str_addf(out, ", %zu family-wise", result->refuted.family_wise);
		return ROLE_INFEASIBLE;
	}
	if (result->count[VERDICT_FEASIBLE] + result->count[VERDICT_BORDERLINE] == 0) {
		str_addf(out, "? %zu undecided", result->n_findings);
		return ROLE_UNDECIDED;
	}
	if (result->count[VERDICT_BORDERLINE]) {
		str_addf(out, "≈ %zu of %zu borderline", result->count[VERDICT_BORDERLINE], result->n_findings);
		return ROLE_BORDERLINE;
	}
	if (result->count[VERDICT_UNDECIDED])
		str_addf(out, "✓ survives %zu of %zu%s", result->n_findings - result->count[VERDICT_UNDECIDED],
			result->n_findings, roomy ? ", others undecided" : "");
	else
		str_addf(out, "✓ survives %zu", result->n_findings);
	if (roomy && result->refuted.one_by_one)
		str_addf(out, ", %zu refute it if each is judged alone", result->refuted.one_by_one);
	return ROLE_FEASIBLE;
}

/* Adds the variant with exactly these features, then the features' names, or how many there are. */
static void
features_on(const struct state *state, bool names, struct str *out)
{
	const struct udd_model *model = state->question.model;
	size_t n = fset_count(&state->question.on);

	for (size_t i = 0; i < model->n_variants; i++)
		if (fset_equal(&model->variant[i].on, &state->question.on)) {
			str_addf(out, "%s ", model->variant[i].name);
			break;
		}
	if (udd_has_alternatives(model))
		return;
	if (n == 0)
		str_add(out, "∅");
	for (size_t i = 0, some = 0; names && i < model->n_features; i++)
		if (fset_has(&state->question.on, i))
			str_addf(out, "%s+%s", some++ ? " " : "", model->feature[i].name);
	if (!names || n == 0)
		str_addf(out, " %zu/%zu", n, model->n_features);
}

static void
data_words(const struct state *state, struct str *out)
{
	const struct result *result = state->answers.result;
	size_t exact = 0, n = result ? result->n_findings : 0;

	for (size_t i = 0; i < n; i++)
		exact += result->finding[i].data.exact;
	if (state->data.name)
		str_addf(out, "%s ", state->data.name);
	else if (state_has_subject(state))
		str_addf(out, "%s ", state_subject(state));
	if (command_runs(state) && run_facts(state->data.leader).growing)
		str_addf(out, "%zu samples ", run_facts(state->data.leader).rows);
	if (n > 1)
		str_addf(out, "%zu obs ", n);
	if (n && exact == n)
		str_add(out, "exact");
}

static void
view_draw_header(const struct state *state, struct grid *grid)
{
	struct rect row = {0, 0, grid->w, 1};
	struct pen right = pen_on(grid, row, ROLE_TEXT);
	struct line l = line_on(grid, row, 0);
	struct str verdict = {0}, how = {0}, words = {0};
	bool stale = state_stale(state) && state->question.model && state->question.model->n_counters;
	enum role role = view_answer(state, grid->w >= 112, &verdict);
	int end = grid->w - 1;

	if (state->answers.result && state->answers.result->n_findings && stale)
		str_add(&verdict, grid->w >= 74 ? ", old" : " old");
	right.fg = stale ? ROLE_DIM : role;
	right.attr = stale ? 0 : CELL_BOLD;
	pen_right(&right, end, 0, str_text(&verdict));
	end -= pen_columns(&right, str_text(&verdict)) + 2;
	if (grid->w >= 74 && state->answers.result && state->answers.result->n_findings &&
		!state->answers.result->finding[0].data.exact) {
		str_addf(&how, "%g %% %s", state->question.how.confidence * 100,
			region_name((enum region_kind)state->question.how.decides));
		if (grid->w >= 112 && state->answers.result->n_findings > 1)
			str_add(&how, state->question.how.one_by_one ? " · one by one" : " · family-wise");
		right.fg = ROLE_DIM;
		right.attr = 0;
		pen_right(&right, end, 0, str_text(&how));
		end -= pen_columns(&right, str_text(&how)) + 2;
	}
	l.end = end;
	if (grid->w >= 60) {
		line_add(&l, ROLE_ACCENT, 0, "hecate");
		line_gap(&l, 2);
	}
	line_add(&l, ROLE_TEXT, CELL_BOLD, "%s", state->question.model->name);
	line_gap(&l, 1);
	features_on(state, grid->w >= 160, &words);
	line_add(&l, ROLE_TEXT, 0, "%s", str_text(&words));
	line_gap(&l, 2);
	str_clear(&words);
	data_words(state, &words);
	line_add(&l, ROLE_DIM, 0, "%s", str_text(&words));
	str_free(&verdict);
	str_free(&how);
	str_free(&words);
}

static void
draw_tabs(const struct state *state, struct grid *grid, struct drawn *drawn)
{
	static const char start[] = " S start";
	struct line l = line_on(grid, (struct rect){0, 1, grid->w, 1}, 0);

	l.x = 0;
	for (enum view v = VIEW_START + 1; v < VIEW_COUNT; v++) {
		const struct view_row *row = view_row(v);
		int from = l.x;
		bool here = v == state->view.current, wide = grid->w >= 112;

		if (!here && !state_view_applies(state, v))
			continue;
		line_add(&l, here ? ROLE_TEXT : ROLE_DIM, 0, " ");
		line_add(&l, ROLE_ACCENT, 0, "%s", row->key);
		line_add(&l, here ? ROLE_TEXT : ROLE_DIM, here ? CELL_BOLD : 0, "%s%s ", wide ? " " : "",
			state_view_tab(state, v, !wide));
		if (here)
			grid_tint(grid, (struct rect){from, 1, l.x - from, 1}, ROLE_SELECT);
		hit_add(drawn, (struct rect){from, 1, l.x - from, 1}, HIT_ACTION, 0, 0,
			action_for_key(row->key, IN_VIEWS));
	}
	if (l.x + pen_columns(&l.pen, start) <= grid->w) {
		hit_add(drawn, (struct rect){l.x, 1, pen_columns(&l.pen, start), 1}, HIT_ACTION, 0, 0, ACTION_start);
		line_add(&l, ROLE_DIM, 0, "%s", start);
	}
}

/* "⠹ cone ▍▍ 211/545 4.1 s" while the engine works. */
static void
draw_busy(const struct state *state, struct line *line)
{
	char number[NUMBER_TEXT];
	double t = state->view.frame.now - state->answers.progress.since;

	if (t > 0.3)
		line_add(line, ROLE_ACCENT, 0, "%s ",
			glyph_spinner(state->view.frame.motion ? (unsigned)(state->view.frame.now * 10) : 0, false));
	line_add(
		line, ROLE_TEXT, 0, "%s", *state->answers.progress.stage ? state->answers.progress.stage : "computing");
	line_gap(line, 1);
	if (state->answers.progress.of) {
		struct pen bar = line->pen;

		bar.fg = ROLE_ACCENT;
		draw_bar(&bar, line->x, line->y, 10,
			(double)state->answers.progress.done / (double)state->answers.progress.of);
		line_gap(line, 11);
		line_add(line, ROLE_TEXT, 0, "%zu/%zu ", state->answers.progress.done, state->answers.progress.of);
	}
	if (t > 0.3)
		line_add(line, ROLE_DIM, 0, "%s", number_seconds(number, t, false));
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
draw_searching(const struct state *state, struct line *line)
{
	const struct search_answers *found = &state->answers.search;
	const struct search_graph *graph = found->graph;
	double t = state->view.frame.now - found->since;
	struct str name = {0};
	char number[NUMBER_TEXT];

	if (found->task == SEARCH_NONE) {
		line_add(line, ROLE_DIM, 0, "the search waits for the verdicts");
		return;
	}
	if (t > 0.3)
		line_add(line, ROLE_ACCENT, 0, "%s ",
			glyph_spinner(state->view.frame.motion ? (unsigned)(state->view.frame.now * 10) : 0, false));
	line_add(line, ROLE_TEXT, 0, "%s ", search_word(found->task));
	if (graph && graph->running && graph->sets > 0) { /* sets that need no test are added at once, at the end */
		struct pen bar = line->pen;

		bar.fg = ROLE_ACCENT;
		draw_bar(&bar, line->x, line->y, 10, (double)graph->tested / graph->sets);
		line_gap(line, 11);
	}
	if (graph && graph->running) {
		search_name(state->question.model, &found->now, &name);
		line_add(line, ROLE_TEXT, 0, "%zu tested, now %s ", graph->tested, str_text(&name));
	}
	if (t > 0.3)
		line_add(line, ROLE_DIM, 0, "%s", number_seconds(number, t, false));
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
draw_state(const struct state *state, struct line *line)
{
	const struct view_draw *draw = view_draw_row(state->view.current);
	const struct result *result = state->answers.result;
	bool old = state->question.model && result && state_stale(state) && !view_needs_nothing(state->view.current);
	char number[NUMBER_TEXT];

	if (*state->view.message.text) {
		char *text = relation_pretty(state->view.message.text);

		line_add(line, state->view.message.bad ? ROLE_INFEASIBLE : ROLE_TEXT, 0, "%s", text);
		free(text);
		return;
	}
	if (timeline_answer(state, line->pen.grid, line))
		return;
	if (draw->sentence && !view_lacks(state)) {
		struct line rest = *line;

		if (old)
			line_add(&rest, ROLE_DIM, 0, "old: ");
		if (draw->sentence(state, &rest))
			return;
	}
	if (command_runs(state)) {
		line_add(line, ROLE_TEXT, 0, "%s %s, %s", state_subject(state),
			state->question.subject.argv || state->question.subject.spec ? "runs" : "is watched",
			number_seconds(number, state_run_seconds(state), false));
		if (state->question.subject.spec && !state->question.subject.argv)
			draw_pace(state, line);
		if (state->question.sampling.interval_ms && run_facts(state->data.leader).rows)
			line_add(line, ROLE_TEXT, 0, ", %zu samples at %u ms", run_facts(state->data.leader).rows,
				state->question.sampling.interval_ms);
		line_gap(line, 2);
	}
	if (state->answers.search.task != SEARCH_NONE ||
		(requests_find(&state->requests, REQUEST_SEARCH) && !state->answers.progress.busy)) {
		draw_searching(state, line);
	} else if (state->answers.progress.busy) {
		draw_busy(state, line);
	} else if (result && !result->error) {
		line_add(line, ROLE_DIM, 0, "cone ");
		line_add(line, ROLE_TEXT, 0, "%zu signature%s, %zu ray%s, %zu+%zu constraints", result->signatures,
			plural_s(result->signatures), result->rays, plural_s(result->rays), result->n_equalities,
			result->n_constraints - result->n_equalities);
		line_add_whole(line, ROLE_DIM, " in %s", number_seconds(number, result->seconds, false));
		if (!result->complete)
			line_add(line, ROLE_BORDERLINE, 0, ", incomplete");
	}
}

/* "notes 2 · saved"; `brief`: only the second half. The caller frees. */
static char *
kept_words(const struct state *state, bool brief)
{
	struct str text = {0};

	if (state->question.remarks.n && !brief)
		str_addf(&text, "notes %zu", state->question.remarks.n);
	if (state->data.saved.in && (state->data.saved.failed || state->data.saved.at > 0)) {
		str_add(&text, text.n ? " · " : "");
		if (state->data.saved.failed)
			str_add(&text, "not saved");
		else
			str_add(&text, "saved");
	}
	return str_take(&text);
}

static void
draw_status(const struct state *state, struct grid *grid)
{
	struct rect row = {0, grid->h - 2, grid->w, 1};
	struct line l = line_on(grid, row, 0);
	struct pen right = pen_on(grid, row, ROLE_DIM);
	int x = grid->w - 1;
	bool works = command_runs(state) || state_probing(state) || state->answers.progress.busy ||
		state->answers.search.task != SEARCH_NONE || requests_find(&state->requests, REQUEST_SEARCH);
	const char *words = works ? "Esc stops" : doctor_lacks_pmu(&state->data.machine) ? "no hardware PMU" : "";
	enum role role_of_kept = ROLE_DIM;
	const char *gap;
	char *kept = NULL;

	if (timeline_is_shown(state)) {
		kept = timeline_state_words(state, grid->w < 100);
		words = works ? "Esc stops" : "";
	} else if (!works && (grid->w < 60 || view_needs_nothing(state->view.current))) {
		words = "";
	} else {
		kept = kept_words(state, *words && grid->w < 100);
		role_of_kept = state->data.saved.failed ? ROLE_INFEASIBLE : ROLE_DIM;
	}
	gap = *words && kept && *kept ? " · " : "";
	x -= pen_columns(&right, words) + pen_columns(&right, gap) + (kept ? pen_columns(&right, kept) : 0);
	/* A message that is too long to share the row has it for itself. */
	if (!works && *state->view.message.text && pen_columns(&l.pen, state->view.message.text) > x - 2) {
		words = gap = "";
		free(kept);
		kept = NULL;
		x = grid->w;
	}
	l.end = x - 1;
	right.fg = works ? ROLE_DIM : ROLE_BORDERLINE; /* the only other text there: no PMU */
	x += pen_text(&right, x, grid->h - 2, words);
	right.fg = ROLE_DIM;
	x += pen_text(&right, x, grid->h - 2, gap);
	right.fg = role_of_kept;
	pen_text(&right, x, grid->h - 2, kept ? kept : "");
	free(kept);
	draw_state(state, &l);
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
draw_footer(const struct state *state, struct grid *grid, struct drawn *drawn)
{
	static const enum action always[] = {ACTION_help, ACTION_quit};
	/* the focus as drawn: after a change of size it may differ from the one that keys went to */
	uint64_t scope = state->view.popup.kind == POPUP_NONE && state->view.current != VIEW_START
		? PANE_BIT(drawn->layout.focus) : state_scope(state);
	int y = grid->h - 1, end = grid->w, x = 1;
	struct pen key = pen_on(grid, (struct rect){0, y, grid->w, 1}, ROLE_ACCENT),
		   name = pen_on(grid, key.clip, ROLE_DIM);
	char text[ACTION_KEY_TEXT];
	bool one = state->question.model && udd_has_alternatives(state->question.model);

	key.attr = CELL_BOLD;
	if (!scope) {
		pen_fit(&name, 1, y, grid->w - 2,
			state_prompt_is_line(state) && state->view.prompt.kind != PROMPT_ANSWER
				? "Enter keeps this  Esc back as it was  ↑ earlier ones  Ctrl-U clear"
				: "Enter accept  Esc cancel  Ctrl-U clear");
		return;
	}
	for (int i = 1; i >= 0; i--) {
		int from, right = end;

		if (always[i] == ACTION_quit && state->view.popup.kind == POPUP_LEAVE) /* it asks that already */
			continue;
		end -= pen_columns(&key, action_key(always[i], text)) +
			pen_columns(&name, action_row(always[i])->name) + 3;
		from = end + 1;
		if (action_row(always[i])->scopes & scope) {
			from += pen_text(&key, from, y, text) + 1;
			pen_text(&name, from, y, action_row(always[i])->name);
			hit_add(drawn, (struct rect){end, y, right - end, 1}, HIT_ACTION, 0, 0, always[i]);
		}
	}
	for (int a = 1; a < ACTION_COUNT; a++) {
		const struct action_row *row = action_row((enum action)a);
		const char *shown, *word;
		int from = x;

		if (!(row->scopes & scope) || !*row->name || a == ACTION_help || a == ACTION_quit ||
			!state_lesson_has(state, (enum action)a))
			continue;
		if (one && (a == ACTION_discover || a == ACTION_eliminate || a == ACTION_auto || a == ACTION_pin))
			continue;
		if ((a == ACTION_variant && state->view.current != VIEW_MODELS) ||
			(a == ACTION_method && !state_compares_methods(state)) ||
			(a == ACTION_fold_node && !state_shows_tree(state) && state->view.current != VIEW_EVENTS) ||
			((a == ACTION_rates || a == ACTION_ratios) &&
				!(state->data.timeline && timeline_network(state->data.timeline))) ||
			((a == ACTION_truth || a == ACTION_intervals) && !state_has_truth(state)) ||
			(a == ACTION_instructions && !state_simulation(state)) ||
			(a == ACTION_simulated && !state_is_simulated(state)) ||
			((a == ACTION_run || a == ACTION_output || a == ACTION_command) &&
				 !state->question.model && !state->data.timeline))
			continue;
		shown = footer_key((enum action)a, text);
		word = one && a == ACTION_toggle ? "show"
			: a == ACTION_variant && state_choices(state) > state_variants(state) ? "models" : row->name;
		if (x + pen_columns(&key, shown) + pen_columns(&name, word) + 2 > end)
			continue;
		x += pen_text(&key, x, y, shown) + 1;
		x += pen_text(&name, x, y, word);
		hit_add(drawn, (struct rect){from, y, x - from, 1}, HIT_ACTION, 0, 0, (enum action)a);
		x += 2;
	}
}

/* Below 40×10: five plain lines. Below 20×3: only the verdict. */
static void
view_draw_tiny(const struct state *state, struct grid *grid)
{
	struct str words = {0};
	struct line l = line_on(grid, (struct rect){-1, 0, grid->w + 1, grid->h}, 0);
	const struct finding *f = state_finding(state);
	enum role role;

	if (view_draw_row(state->view.current)->tiny) {
		view_draw_row(state->view.current)->tiny(state, grid);
		return;
	}
	if (timeline_is_shown(state)) {
		draw_timeline_tiny(state, view_draw_row(state->view.current), grid);
		return;
	}
	if (!state->question.model) {
		line_add(&l, ROLE_TEXT, 0, "hecate: 40x10 shows more");
		return;
	}
	role = view_answer(state, false, &words);
	if (grid->w < 20 || grid->h < 3) {
		line_add(&l, role, CELL_BOLD, "%s", str_text(&words));
		str_free(&words);
		return;
	}
	l.end = grid->w - pen_columns(&l.pen, str_text(&words)) - 1;
	line_add(&l, ROLE_TEXT, 0, "%s", state->question.model->name);
	l.end = grid->w;
	line_to(&l, grid->w + 1 - pen_columns(&l.pen, str_text(&words)));
	line_add(&l, role, CELL_BOLD, "%s", str_text(&words));
	l = line_on(grid, (struct rect){-1, 0, grid->w + 1, grid->h}, 1);
	if (f && f->proof.n_violated) {
		char *text = relation_pretty(f->proof.violated->text), *size = violation_size(f, f->proof.violated);

		line_add(&l, ROLE_TEXT, 0, "worst ");
		line_relation(&l, ROLE_TEXT, 0, pen_columns(&l.pen, size) + 1, text);
		line_add(&l, ROLE_TEXT, 0, " %s %s", size, f->name);
		free(text);
		free(size);
	}
	l = line_on(grid, (struct rect){-1, 0, grid->w + 1, grid->h}, 2);
	line_add(&l, ROLE_DIM, 0, "%s",
		*state->view.message.text                                      ? state->view.message.text
			: state->answers.progress.busy || state->answers.search.task != SEARCH_NONE
				? "engine works" : "engine idle");
	l = line_on(grid, (struct rect){-1, 0, grid->w + 1, grid->h}, grid->h - 1);
	line_add(&l, ROLE_DIM, 0, "? help  q quit  40x10 shows more");
	str_free(&words);
}

void
draw_screen(const struct state *state, struct grid *grid, struct drawn *drawn)
{
	struct rect screen = {0, 0, grid->w, grid->h}, body;
	int top = grid->h >= 16 ? 2 : 1, below = 2 + timeline_answer_rows(state, grid->w, grid->h);

	*drawn = (struct drawn){.layout = layout_initial};
	drawn->layout.view = state->view.current;
	drawn->layout.popup = state->view.popup.kind;
	drawn->layout.chosen = drawn->layout.focus = state->view.focus;
	drawn->layout.page = grid->h > 6 ? grid->h - 6 : 1;
	drawn->layout.zoom = state->layout->zoom;
	drawn->layout.network_w = state->layout->network_w;
	drawn->layout.network_h = state->layout->network_h;
	grid_clear(grid);
	if (grid->w < 40 || grid->h < 10) {
		view_draw_tiny(state, grid);
		if (state->view.popup.kind != POPUP_NONE)
			draw_popups(state, grid, screen, drawn);
		return;
	}
	if (view_draw_row(state->view.current)->alone) {
		view_draw(state, grid, screen, drawn);
	} else {
		if (view_draw_row(state->view.current)->header)
			view_draw_row(state->view.current)->header(state, grid);
		else if (timeline_is_shown(state))
			draw_timeline_header(state, view_draw_row(state->view.current), grid);
		else
			view_draw_header(state, grid);
		if (top == 2)
			draw_tabs(state, grid, drawn);
		body = draw_lesson(state, grid, (struct rect){0, top, grid->w, grid->h - top - below});
		view_draw(state, grid, body, drawn);
		if (body.x)
			draw_lesson_edge(grid, (struct rect){0, top, grid->w, grid->h - top - below}, body);
		draw_timeline_answer(state, grid);
		if (state_prompt_is_line(state))
			draw_prompt_line(state, grid);
		else
			draw_status(state, grid);
	}
	for (int i = 0; i < drawn->n_hits && state->view.current != VIEW_START; i++)
		if (drawn->hit[i].kind == HIT_ROW && drawn->hit[i].pane >= 0)
			drawn->hit[i].thing = state_thing(state, (enum pane_id)drawn->hit[i].pane, drawn->hit[i].row);
	if (state->view.popup.kind != POPUP_NONE && !state_prompt_is_line(state)) {
		drawn->n_hits = 0;
		grid->popup = screen; /* unless it is a box */
		draw_popups(state, grid, screen, drawn);
		drawn->popup = grid->popup;
		pen_fill(&(struct pen){.grid = grid, .clip = screen}, (struct rect){0, grid->h - 1, grid->w, 1}, ' ');
	}
	draw_footer(state, grid, drawn);
}
