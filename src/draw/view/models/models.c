/* View 1, Models: features as switches, the µDD as a tree, why the data refute it, the search, and the observations. */
#include "draw/view/models/models.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "core/udd/alternatives.h"
#include "core/udd/model.h"
#include "draw/view/models/search.h"
#include "draw/view/view_list.h"
#include "draw/view/view_relation.h"
#include "draw/view/view_table.h"
#include "work/run/run.h"

enum { WIDE = 112, HUGE_WIDE = 160, HUGE_HIGH = 44 };
enum { QUIET_FROM = 30 }; /* rows of panes from which the search is shown before its first use */
/* rows of pane "Features" below the features after a search, which gets the rest of the room */
enum { ABOUT_ROWS = 10 };
enum { ROOMY = 118 }; /* columns from which the list of features shows most of their first words */
enum { SEARCH_LEFT, SEARCH_LEFT_NARROW, SEARCH_BAND }; /* wishes of pane "Search" */

/* Features are always shown; then the reasons, the diagram, search and observations as there is room (docs/screens.md,
 * "Which panes go first"). Before the first search the observations come before the search. */
static const struct pane_spec features_wish[] = {
	{.priority = 0, .column = 0, .min_w = 20, .min_h = 3, .weight_w = 1, .weight_h = 1, .below_w = 70},
	{.priority = 0, .column = 0, .min_w = 27, .max_w = 27, .min_h = 9, .weight_h = 3, .from_w = 70,
		.below_w = WIDE},
	{.priority = 0, .column = 0, .min_w = 38, .max_w = 38, .min_h = 9, .weight_h = 3, .from_w = WIDE,
		.below_w = ROOMY},
	{.priority = 0, .column = 0, .min_w = 44, .max_w = 44, .min_h = 9, .weight_h = 3, .from_w = ROOMY},
};
static const struct pane_spec why_wish[] = {
	{.order = 1, .priority = 1, .column = 0, .min_w = 20, .min_h = 5, .weight_w = 1, .weight_h = 1,
		.from_h = 9, .below_w = 70},
	{.order = 3, .priority = 1, .column = 1, .min_w = 40, .min_h = 6, .weight_w = 3, .weight_h = 2,
		.from_w = 70, .from_h = 9},
};
static const struct pane_spec tree_wish[] = {
	{.order = 2, .priority = 2, .column = 1, .min_w = 40, .min_h = 5, .weight_w = 3, .weight_h = 3, .from_w = 70},
};
static const struct pane_spec search_wish[] = {
	[SEARCH_LEFT] = {.order = 4, .priority = 4, .column = 0, .min_w = 27, .min_h = 8, .weight_h = 3, .from_w = 70,
		.from_h = 15},
	[SEARCH_LEFT_NARROW] = {.order = 4, .priority = 4, .column = 0, .min_w = 20, .min_h = 6, .weight_h = 2,
		.from_h = 15, .below_w = 70},
	[SEARCH_BAND] = {.order = 4, .priority = 3, .band = 1, .min_w = 100, .min_h = 5, .weight_w = 1, .weight_h = 9,
		.from_w = HUGE_WIDE, .from_h = HUGE_HIGH},
};
static const struct pane_spec observations_wish[] = {
	{.order = 5, .priority = 3, .column = 0, .min_w = 20, .min_h = 4, .weight_h = 2, .from_h = 15,
		.below_w = HUGE_WIDE},
	{.order = 5, .priority = 3, .column = 2, .min_w = 50, .max_w = 60, .min_h = 5, .weight_w = 1,
		.weight_h = 3, .from_w = HUGE_WIDE},
};
static const struct pane_spec witness_wish[] = {
	{.order = 6, .priority = 5, .column = 2, .min_w = 50, .max_w = 60, .min_h = 8, .weight_w = 1,
		.weight_h = 2, .from_w = HUGE_WIDE, .from_h = 30},
};
static const struct pane_spec selected_wish[] = {
	{.order = 7, .priority = 6, .column = 0, .min_w = 44, .min_h = 8, .weight_h = 3, .from_w = HUGE_WIDE,
		.from_h = 30},
};

static const struct neighbour *
neighbour_of(const struct state *s, size_t i)
{
	return s->answers.neighbours && !state_stale(s) && !s->answers.result->error && i < s->answers.neighbours->n
		? &s->answers.neighbours->feature[i] : NULL;
}

static const char *
switch_sign(const struct state *s, size_t i)
{
	const struct neighbour *k = neighbour_of(s, i);
	bool on = fset_has(&s->question.on, i);

	if (state_stale(s) && s->answers.result && fset_has(&s->answers.result->on, i) != on)
		return "[~]";
	if (on)
		return "[x]";
	return k && !k->legal ? "[-]" : "[ ]";
}

enum { SWITCH, FEATURE, PATHS, FREES, COLUMNS };
enum { SIZE_AT = 7 }; /* where the number begins in "off by +2" */

/* `room`: columns of the pane. */
static const struct column feature_columns[COLUMNS] = {
	[SWITCH] = {.gap = 1, .width = 4},
	[FEATURE] = {.head = "feature", .rest = true},
	[PATHS] = {.head = "µpaths", .width = 6, .room = 36, .right = true},
	[FREES] = {.head = "frees", .width = 6, .room = 36, .right = true},
};

/* Draws what the search says of a feature without numbers: one that is on, or any if nothing is refuted. False: the
 * search says nothing of it. */
static bool
draw_need(struct list_row *row, bool on)
{
	const struct state *state = row->list->state;
	const struct search_graph *graph = state->answers.search.graph;
	const char *word = !graph || !graph->complete || !graph->needs.n_minimal ? NULL
		: fset_has(&graph->needs.required, row->item) ? "required"
		: fset_has(&graph->needs.optional, row->item) ? "optional"
		: fset_has(&graph->needs.useless, row->item) ? "no effect" : NULL;

	if (!word || (!on && (!state->answers.result || state->answers.result->count[VERDICT_INFEASIBLE])))
		return false;
	list_text(row, FREES,
		state_search_old(state) || !fset_has(&graph->needs.required, row->item) ? ROLE_DIM : ROLE_FEASIBLE,
		word);
	return true;
}

static void
draw_feature(struct list_row *row)
{
	const struct state *state = row->list->state;
	const struct udd_feature *feature = &state->question.model->feature[row->item];
	const struct neighbour *neighbour = neighbour_of(state, row->item);
	const int *name_width = row->list->of;
	struct line l = list_line(row, SWITCH);
	bool on = fset_has(&state->question.on, row->item);
	char number[NUMBER_TEXT];
	int numbers = row->list->column[PATHS].x;

	l.end = row->pen.clip.x + row->pen.clip.w;
	line_add(&l, on ? ROLE_TEXT : ROLE_DIM, 0, "%s", switch_sign(state, row->item));
	line_add(&l, ROLE_ACCENT, CELL_BOLD, fset_has(&state->question.pinned, row->item) ? "!" : " ");
	line_add(&l, ROLE_TEXT, on ? CELL_BOLD : 0, "%s", feature->name);
	line_to(&l, 6 + *name_width);
	l.end = numbers ? row->pen.clip.x + numbers : l.end;
	line_add(&l, on ? ROLE_TEXT : ROLE_DIM, 0, "%.*s", (int)strcspn(feature->text, ":"), feature->text);
	if (draw_need(row, on) || on || !neighbour || !neighbour->legal)
		return;
	list_text(row, PATHS, ROLE_TEXT, number_exact(number, neighbour->more, true, false));
	if (state->answers.result->count[VERDICT_INFEASIBLE]) {
		snprintf(number, sizeof number, "%zu", neighbour->frees);
		list_text(row, FREES, neighbour->frees ? ROLE_FEASIBLE : ROLE_DIM, number);
	}
}

/* The feature under the cursor, and the effect of switching it. */
static void
describe_feature(const struct state *state, struct grid *grid, struct rect r)
{
	size_t i = (size_t)state->view.cursor[PANE_FEATURES];
	const struct neighbour *neighbour = neighbour_of(state, i);
	const struct udd_feature *feature = &state->question.model->feature[i];
	struct pen text = pen_on(grid, r, ROLE_TEXT);
	struct line l;
	char number[NUMBER_TEXT];
	int row = 0;

	if (r.h > 2) {
		l = line_on(grid, r, row++);
		line_add(&l, ROLE_TEXT, CELL_BOLD, "%s", feature->name);
		row += draw_wrapped(&text, r.x + 1, r.y + row, r.w - 2, feature->text);
	}
	if (!neighbour)
		return;
	l = line_on(grid, r, row++);
	if (!neighbour->legal) {
		line_add(&l, ROLE_BORDERLINE, 0, "%s", neighbour->why);
		return;
	}
	line_add(&l, ROLE_DIM, 0, "%s  ", fset_has(&state->question.on, i) ? "without it" : "with it");
	line_add(&l, ROLE_TEXT, 0, "%s µpaths",
		neighbour->more ? number_exact(number, neighbour->more, true, false) : "no more");
	if (state->answers.result->n_findings) {
		l = line_on(grid, r, row++);
		line_add(&l, ROLE_DIM, 0, "infeasible  ");
		line_add(&l, neighbour->infeasible ? ROLE_INFEASIBLE : ROLE_FEASIBLE, 0, "%zu of %zu",
			neighbour->infeasible, state->answers.result->n_findings);
		if (neighbour->frees && !line_add_whole(&l, ROLE_FEASIBLE, "  frees %zu", neighbour->frees)) {
			l = line_on(grid, r, row);
			line_add(&l, ROLE_FEASIBLE, 0, "frees %zu", neighbour->frees);
		}
	}
}

static void
draw_features(const struct state *s, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	int n = (int)s->question.model->n_features, head = r.w >= 36 && n, rows, name_width = 2,
	    about = r.h > n + 4 ? r.h - n - head - 1 : r.h > n + 2 ? 2 : 0;
	struct column column[COLUMNS];
	struct list l = {.state = s, .of = &name_width, .column = column, .n_columns = COLUMNS, .room = r.w,
		.n = (size_t)n, .cursor = (size_t)s->view.cursor[PANE_FEATURES], .draw = draw_feature,
		.pane = PANE_FEATURES, .action = ACTION_toggle};

	if (udd_has_alternatives(s->question.model)) {
		draw_alternatives(s, grid, r, focus, drawn);
		return;
	}
	if (!n) {
		struct pen p = pen_on(grid, r, ROLE_DIM);

		draw_wrapped(&p, r.x + 1, r.y, r.w - 2, "This model has no features: there is nothing to switch.");
		return;
	}
	for (int i = 0; i < n; i++) {
		struct pen p = pen_on(grid, r, ROLE_TEXT);
		int w = pen_columns(&p, s->question.model->feature[i].name) + 1;

		name_width = w > name_width ? w : name_width;
	}
	name_width = name_width > 14 ? 14 : name_width;
	memcpy(column, feature_columns, sizeof column);
	if (!s->answers.result || !s->answers.result->count[VERDICT_INFEASIBLE])
		column[FREES].head = NULL;
	list_place(&l, r.w);
	if (head)
		list_heads(&l, grid, r);
	rows = r.h - head - about;
	rows = rows > n ? n : rows;
	list_rows(&l, grid, (struct rect){r.x, r.y + head, r.w, rows}, focus, drawn);
	if (about)
		describe_feature(
			s, grid, (struct rect){r.x, r.y + head + rows + (about > 2), r.w, about - (about > 2)});
}

/* Columns of the names and sizes of observations. In a narrow list they are no wider than they must be, so that
 * constraints have the rest. */
struct observation_columns {
	int name, size;
};

static struct observation_columns
columns_for(const struct state *state, const struct pen *pen, int room)
{
	const struct result *result = state->answers.result;
	struct observation_columns most = {room >= 50 ? 18 : room >= 36 ? 12 : 9, 6}, used = {2, 2};

	for (size_t i = 0; i < result->n_findings && room < 36; i++) {
		const struct finding *f = &result->finding[i];
		int name = pen_columns(pen, f->name) + (finding_doubts(f) ? 2 : 0);

		used.name = name > used.name ? name : used.name;
		if (f->verdict == VERDICT_INFEASIBLE && f->proof.n_violated && f->data.exact) {
			char *size = violation_size(f, f->proof.violated);
			int w = pen_columns(pen, size) - SIZE_AT + 1;

			used.size = w > used.size ? w : used.size;
			free(size);
		}
	}
	return room >= 36 ? most : (struct observation_columns){used.name < most.name ? used.name : most.name,
		used.size < most.size ? used.size : most.size};
}

static void
draw_observation(const struct state *state, struct grid *grid, struct rect r, int row, const struct finding *f,
	struct observation_columns columns)
{
	struct line l = line_on(grid, r, row);
	bool old = state_stale(state);
	int name = columns.name;

	line_add(&l, old ? ROLE_DIM : finding_role(f), 0, "%s ", finding_mark(f));
	l.end = r.x + 3 + name - (finding_doubts(f) ? 2 : 0);
	line_add(&l, old ? ROLE_DIM : ROLE_TEXT, 0, "%s", f->name);
	l.end = r.x + r.w;
	if (finding_doubts(f))
		line_add(&l, old ? ROLE_DIM : ROLE_BORDERLINE, 0, " " DOUBT_MARK);
	line_to(&l, 4 + name);
	if (f->verdict == VERDICT_INFEASIBLE && f->proof.n_violated) {
		char *text = relation_pretty(f->proof.violated->text), *size = violation_size(f, f->proof.violated);

		line_add(&l, old ? ROLE_DIM : ROLE_INFEASIBLE, 0, "%s", f->data.exact ? size + SIZE_AT : size);
		line_to(&l, 4 + name + (f->data.exact ? columns.size : 12));
		line_relation(&l, ROLE_DIM, 0, 0, text);
		free(text);
		free(size);
	} else if (f->proof.n_suspected) {
		char *text = relation_pretty(f->proof.suspected->text), number[NUMBER_TEXT];

		line_add(&l, ROLE_DIM, 0, "p %s", number_p(number, f->own.doubt));
		line_to(&l, 4 + name + 8);
		line_relation(&l, ROLE_DIM, 0, 0, text);
		free(text);
	} else if (f->reason) {
		line_add(&l, ROLE_DIM, 0, "%s", f->reason);
	} else if (!f->data.exact) {
		char number[NUMBER_TEXT], limit[NUMBER_TEXT];

		line_add(&l, ROLE_DIM, 0, "%s%s of %s", r.w >= 36 ? "distance " : "",
			number_digits(number, sqrt(f->measure.distance2), 3, false),
			f->measure.threshold2 < DISTANCE_MOST
				? number_digits(limit, sqrt(f->measure.threshold2), 3, false) : "any");
	} else {
		line_add(&l, ROLE_DIM, 0, "%s", verdict_name(f->verdict));
	}
}

static void
draw_observations(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	int n = state->answers.result ? (int)state->answers.result->n_findings : 0,
	    first = list_scroll(0, state->view.cursor[PANE_OBSERVATIONS], n, r.h);
	struct observation_columns columns;

	if (!n) {
		struct pen p = pen_on(grid, r, ROLE_DIM);
		int used = draw_wrapped(&p, r.x + 1, r.y, r.w - 2,
			state->question.subject.argv
				? "No run has ended yet: each run of the command adds an observation here."
				: state_has_subject(state) ? "No sample yet: the samples become an observation here."
					: "No data: the cone alone is shown.");

		p.fg = ROLE_TEXT;
		if (!state_has_subject(state))
			draw_wrapped(&p, r.x + 1, r.y + used + 1, r.w - 2, "r  type a command to run under this model");
		return;
	}
	columns = columns_for(state, &(struct pen){.grid = grid}, r.w);
	for (int k = 0; k < r.h && first + k < n; k++) {
		struct rect row = {r.x, r.y + k, r.w, 1};

		draw_observation(state, grid, r, k, &state->answers.result->finding[first + k], columns);
		if ((size_t)(first + k) == state->view.selected)
			draw_cursor(grid, row, focus);
		hit_add(drawn, row, HIT_ROW, PANE_OBSERVATIONS, first + k, ACTION_whence);
	}
}

static void
title_features(const struct state *state, struct str *title, struct str *info)
{
	struct str json = {0};

	if (udd_has_alternatives(state->question.model)) {
		title_alternatives(state, title, info);
		return;
	}
	str_add(title, "Features");
	if (state->question.remarks.n) {
		features_json(state->question.model, &state->question.on, &json);
		if (state_note_on(state, REMARK_FEATURES, str_text(&json)))
			str_add(info, "\" · ");
		str_free(&json);
	}
	str_addf(info, "%zu of %zu on", fset_count(&state->question.on), state->question.model->n_features);
}

static void
title_tree(const struct state *s, struct str *title, struct str *info)
{
	const struct finding *f = state_finding(s);

	str_add(title, "µDD");
	if (f)
		str_add(info, f->name);
	else if (s->answers.result && !s->answers.result->error)
		str_addf(info, "%s µpaths", s->answers.result->paths);
}

static void
title_why(const struct state *state, struct str *title, struct str *info)
{
	const struct finding *finding = state_finding(state);

	if (!finding)
		str_add(title, run_peeks(state->data.leader) ? "Counted so far" : "The cone");
	else
		str_add(title,
			finding->verdict == VERDICT_INFEASIBLE ? "Why infeasible"
				: finding->verdict == VERDICT_FEASIBLE ? "Why feasible" : "Why");
	if (finding)
		str_addf(info, "%s · %zu of %zu", finding->name, state->view.selected + 1,
			state->answers.result->n_findings);
}

static void
title_observations(const struct state *s, struct str *title, struct str *info)
{
	str_add(title, "Observations");
	if (s->answers.result && s->answers.result->n_findings)
		finding_counts(s->answers.result, info);
}

static bool
fit_features(const struct state *s, struct rect body, struct pane_spec *wish)
{
	bool some = state_has_search(s), one = udd_has_alternatives(s->question.model);

	(void)body;
	for (size_t i = 0; i < sizeof features_wish / sizeof *features_wish; i++)
		if (one)
			wish[i].weight_h = 9;
		else if (!some)
			wish[i].min_h = wish[i].min_h > 4 ? 4 : wish[i].min_h;
		else if (s->question.model->n_features < 40)
			wish[i].max_h = (int)s->question.model->n_features + ABOUT_ROWS;
	return true;
}

/* In the band the search is as tall as its drawing, within bounds. */
static bool
fit_search(const struct state *state, struct rect body, struct pane_spec *wish)
{
	bool huge = body.w >= HUGE_WIDE && body.h >= HUGE_HIGH, some = state_has_search(state);
	int rows = huge ? search_rows_wanted(state, body.w) : 0, most = body.h * 9 / 20;

	if (udd_has_alternatives(state->question.model)) /* they have no features in common to search over */
		return false;
	if (some && !huge)
		wish[SEARCH_LEFT].priority = wish[SEARCH_LEFT_NARROW].priority = 2;
	for (size_t i = SEARCH_LEFT; i <= SEARCH_LEFT_NARROW && !some; i++) { /* only its keys are shown */
		wish[i].min_h = wish[i].max_h = 6;
		wish[i].from_h = QUIET_FROM;
	}
	/* a search that goes on must not move other panes */
	rows = rows + 2 > most || state->answers.search.task != SEARCH_NONE ? most : rows + 2;
	wish[SEARCH_BAND].min_h = wish[SEARCH_BAND].max_h = rows;
	return true;
}

const struct pane_draw pane_draw_features = {.title = title_features, .draw = draw_features, PANE_WISHES(features_wish),
	.fit = fit_features};
const struct pane_draw pane_draw_tree = {.title = title_tree, .draw = draw_tree, PANE_WISHES(tree_wish)};
const struct pane_draw pane_draw_why = {.title = title_why, .draw = draw_why, PANE_WISHES(why_wish)};
const struct pane_draw pane_draw_observations = {.title = title_observations, .draw = draw_observations,
	PANE_WISHES(observations_wish)};
const struct pane_draw pane_draw_search = {.title = title_search, .draw = draw_search, PANE_WISHES(search_wish),
	.fit = fit_search};
const struct pane_draw pane_draw_witness = {.title = title_witness, .draw = draw_witness, PANE_WISHES(witness_wish)};
const struct pane_draw pane_draw_selected = {.title = title_selected, .draw = draw_selected,
	PANE_WISHES(selected_wish)};
const struct view_draw view_draw_models = {0};
