/* View 2, Constraints: each equality and inequality with the number of observations that break it, by how much, and the
 * spread of slack. Below, details of the one under the cursor. */
#include "draw/view/constraints/constraints.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/udd/model.h"
#include "draw/panes.h"
#include "draw/view/view_list.h"
#include "draw/view/view_relation.h"
#include "draw/view/view_table.h"

enum { SURVIVES = 7 }; /* rows of the text of three keys */
enum { SPLIT = 120, HUGE_WIDE = 200, HUGE_TALL = 50 };

static const struct pane_spec list_wish[] = {
	{.priority = 0, .band = 0, .min_w = 20, .min_h = 5, .weight_w = 1, .weight_h = 2},
};
static const struct pane_spec touched_wish[] = {
	{.priority = 1, .band = 1, .min_w = 40, .min_h = 7, .weight_w = 1, .weight_h = 1, .from_h = 12,
		.below_w = SPLIT},
	{.priority = 1, .band = 1, .column = 0, .min_w = 58, .min_h = 8, .weight_w = 1, .weight_h = 2, .from_w = SPLIT,
		.from_h = 14},
};
static const struct pane_spec broken_wish[] = {
	{.priority = 2, .band = 1, .column = 1, .min_w = 58, .min_h = 8, .weight_w = 1, .weight_h = 2, .from_w = SPLIT,
		.from_h = 14},
};
static const struct pane_spec matrix_wish[] = {
	{.priority = 3, .band = 2, .min_w = 120, .min_h = 10, .weight_w = 1, .weight_h = 2, .from_w = HUGE_WIDE,
		.from_h = HUGE_TALL},
};

/* The widest slack of all rows. Histograms share one scale, so that rows can be compared. */
static double
widest_slack(const struct state *s)
{
	double top = 0;

	for (size_t i = 0; i < s->answers.constraints->n; i++)
		for (size_t k = 0; k < s->answers.result->n_findings; k++)
			if (fabs(s->answers.constraints->row[i].slack[k]) > top)
				top = fabs(s->answers.constraints->row[i].slack[k]);
	return top;
}

/* A histogram with each observation in one bin; those that break the constraint are left of the line. Positions are
 * square roots of shares, so that one per mille and one half are both visible. */
static void
draw_histogram(struct pen p, int x, int y, int left, int right, const struct constraint_row *row, size_t n, double top,
	bool old)
{
	int *bin = mem_new_array((size_t)(left + right), sizeof *bin), most = 0;

	for (size_t k = 0; k < n; k++) {
		double s = row->slack[k], far = top > 0 ? sqrt(fabs(s) / top) : 0;
		int cells = s < 0 ? left : right, at;

		if (isnan(s))
			continue;
		at = (int)(far * cells);
		at = at >= cells ? cells - 1 : at;
		at = s < 0 ? left - 1 - at : left + at;
		if (++bin[at] > most)
			most = bin[at];
	}
	for (int i = 0; i < left + right; i++) {
		double share = most ? (double)bin[i] / most : 0;

		p.fg = old ? ROLE_DIM : i >= left ? ROLE_FEASIBLE : row->n_breaches ? ROLE_INFEASIBLE : ROLE_BORDERLINE;
		if (bin[i])
			draw_spark(&p, x + i + (i >= left), y, 1, &share, 1, 1);
	}
	p.fg = ROLE_FRAME;
	pen_text(&p, x + left, y, "│");
	free(bin);
}

/* Columns of the largest violation in the list. */
static int
widest_violation(const struct state *state, struct grid *grid)
{
	struct pen pen = {.grid = grid};
	int wide = 0;

	for (size_t i = 0; i < state->answers.constraints->n; i++) {
		const struct constraint_row *row = &state->answers.constraints->row[i];
		char *off = row->n_breaches
			? violation_number(&state->answers.result->finding[row->breach->finding], row->breach->violated)
			: NULL;
		int columns = off ? pen_columns(&pen, off) : 0;

		wide = columns > wide ? columns : wide;
		free(off);
	}
	return wide;
}

enum { MARK, BREAKS, WORST, SLACK, CONSTRAINT, WHERE, COLUMNS };

static const struct column constraint_columns[COLUMNS] = {
	[MARK] = {.gap = 1, .width = 2},
	[BREAKS] = {.head = "breaks", .width = 4, .right = true, .name = "breaks",
		.order = 1 + CONSTRAINTS_BY_VIOLATION},
	[WORST] = {.head = "slack", .gap = 1, .right = true, .name = "worst", .order = 1 + CONSTRAINTS_BY_VIOLATION},
	[SLACK] = {.head = "violated │ kept", .gap = 3, .width = 19, .room = 70, .name = "histogram",
		.order = 1 + CONSTRAINTS_BY_TIGHTNESS},
	[CONSTRAINT] = {.head = "constraint", .gap = 2, .rest = true, .name = "constraint", .stays = true,
		.order = 1 + CONSTRAINTS_BY_FORM},
	[WHERE] = {.head = "nearest", .gap = 2, .width = 18, .room = 150, .name = "nearest"},
};

/* Fits the columns to the numbers and to `w` columns. */
static void
constraints_fit_columns(struct list *list, struct grid *g, int w)
{
	const struct state *state = list->state;
	int wide = widest_violation(state, g);
	struct column *column = list->column;

	list->room = w;
	column[WORST].width = wide > 7 ? wide : 7;
	if (state->answers.constraints->violated) {
		column[WORST].head = "worst";
		column[WHERE].head = "worst, nearest";
	}
	if (w >= 112) {
		column[SLACK].head = " violated ◂ slack ▸ kept";
		column[SLACK].width = 27;
	}
	if (state->answers.result->n_findings == 0)
		column[WHERE].width = 0;
}

/* The largest violation, or the least slack. */
static void
draw_worst(struct list_row *row, const struct constraint_row *of)
{
	char number[NUMBER_TEXT], share[NUMBER_TEXT + 4] = "·";

	if (of->n_breaches) {
		char *off = violation_number(
			&row->list->state->answers.result->finding[of->breach->finding], of->breach->violated);

		list_text(row, WORST, ROLE_TEXT, off);
		free(off);
		return;
	}
	if (of->tightest <= -0.9995) /* "−100.0 %" would fill the column */
		snprintf(share, sizeof share, "−%.0f %%", -100 * of->tightest);
	else if (!isnan(of->tightest))
		snprintf(share, sizeof share, "%s %%", number_share(number, of->tightest));
	list_text(row, WORST, ROLE_DIM, share);
}

static void
constraints_draw_row(struct list_row *row)
{
	const struct list *list = row->list;
	const struct constraint_row *of = &list->state->answers.constraints->row[row->item];
	const struct result *res = list->state->answers.result;
	const double *top = list->of;
	bool data = res->n_findings > 0, broken = of->n_breaches > 0;
	struct line l = list_line(row, MARK);
	char number[NUMBER_TEXT], *text = relation_pretty(of->c->text);
	struct rect at;

	line_add(&l, list->stale ? ROLE_DIM : verdict_role(of->verdict), 0, "%s",
		data ? verdict_mark(of->verdict) : "·");
	if (state_note_on(list->state, REMARK_CONSTRAINT, of->c->text))
		line_add(&l, ROLE_ACCENT, 0, "\"");
	snprintf(number, sizeof number, "%zu", of->n_breaches);
	list_text(row, BREAKS, broken ? ROLE_INFEASIBLE : ROLE_DIM, broken ? number : "·");
	draw_worst(row, of);
	if (list_cell(row, SLACK, ROLE_TEXT, &at))
		draw_histogram(
			row->pen, at.x, at.y, at.w / 2, at.w / 2, of, res->n_findings, *top, list->stale);
	list_cell(row, CONSTRAINT, broken || !data ? ROLE_TEXT : ROLE_DIM, &at);
	pen_relation(&row->pen, at.x, at.y, at.w, text);
	if (broken || !isnan(of->tightest))
		list_text(row, WHERE, ROLE_DIM,
			res->finding[broken ? of->breach->finding : of->tightest_finding].name);
	free(text);
}

/* Says that nothing is broken, and what that is worth, in one or more rows. Returns the rows used. */
static int
draw_survives(const struct state *state, struct grid *grid, struct rect r, bool brief)
{
	struct page p = {.s = state, .g = grid, .r = r};
	size_t n = state->answers.result->n_findings, unknown = state->answers.result->count[VERDICT_UNDECIDED];
	struct line l;

	p.row = brief ? 0 : 1;
	l = page_line(&p);
	line_gap(&l, brief ? 0 : 2);
	if (unknown == n) {
		line_add(&l, page_role(&p, ROLE_UNDECIDED), CELL_BOLD, "? ");
		line_add(&l, ROLE_TEXT, 0, "No observation is decided yet, so nothing is claimed of the model.");
		return p.row;
	}
	line_add(&l, page_role(&p, ROLE_FEASIBLE), CELL_BOLD, "✓ ");
	if (unknown)
		line_add(&l, ROLE_TEXT, 0,
			"No constraint is violated: this model allows %zu of %zu observations; the others are "
			"undecided.",
			n - unknown, n);
	else
		line_add(&l, ROLE_TEXT, 0, "No constraint is violated: this model allows %s%zu observation%s.",
			n > 1 ? "all " : "", n, plural_s(n));
	if (brief)
		return p.row;
	l = page_line(&p);
	line_gap(&l, 2);
	line_add(&l, ROLE_DIM, 0, "That does not prove it. To press harder:");
	for (int i = 0; i < 3; i++) {
		static const char *const key[] = {"x", "1", "r"};
		static const char *const what[] = {"which counter would the cone miss most? The others test little",
			"switch a feature off: is it needed at all?",
			"run a program that comes closer to a constraint"};

		l = page_line(&p);
		line_gap(&l, 2);
		line_add(&l, ROLE_ACCENT, CELL_BOLD, "%s", key[i]);
		line_gap(&l, 2);
		line_add(&l, ROLE_TEXT, 0, "%s", what[i]);
	}
	return p.row + 1;
}

/* Why there is no list, and which key helps. */
static bool
constraints_draw_nothing(const struct state *state, struct grid *grid, struct rect r, size_t n)
{
	struct page p = {.s = state, .g = grid, .r = r};

	if (!state->answers.result) {
		page_words(&p, ROLE_DIM,
			state->answers.progress.busy ? "The cone is being computed; its constraints come here."
				: "No cone yet: 1 shows the model.");
	} else if (state->answers.result->error) {
		page_words(&p, ROLE_INFEASIBLE, "This choice of features makes an error, so there is no cone.");
		page_words(&p, ROLE_TEXT, state->answers.result->error);
		page_words(&p, ROLE_DIM, "1 shows the features; switch one back.");
	} else if (state->answers.constraints->n == 0) {
		page_words(&p, ROLE_TEXT,
			"The cone has no constraints: the model allows every vector of counts, and no data can refute "
			"it.");
		page_words(&p, ROLE_DIM, "1 shows the model: a feature that is off may forbid something.");
	} else if (n == 0) {
		page_words(&p, ROLE_DIM,
			"No constraint contains these words. \\ then Enter without a text shows all.");
	} else {
		return false;
	}
	return true;
}

static void
constraints_draw_list(const struct state *state, struct grid *g, struct rect r, bool focus, struct drawn *drawn)
{
	struct column column[COLUMNS];
	size_t n = 0;
	const size_t *order = state_constraints(state, &n);
	struct list l = {.state = state, .column = column, .n_columns = COLUMNS, .order = order, .n = n,
		.stale = state_stale(state), .draw = constraints_draw_row, .pane = PANE_CONSTRAINTS,
		.action = ACTION_details};
	double top;

	if (constraints_draw_nothing(state, g, r, n))
		return;
	if (state->answers.result->count[VERDICT_INFEASIBLE] == 0 && state->answers.result->count[VERDICT_FEASIBLE] &&
		r.h >= 6) {
		int used = draw_survives(state, g, r, r.h < 14);

		r.y += used;
		r.h -= used;
	}
	top = widest_slack(state);
	l.of = &top;
	for (size_t i = 0; i < n; i++)
		if (order[i] == state->view.constraint)
			l.cursor = i;
	memcpy(column, constraint_columns, sizeof column);
	constraints_fit_columns(&l, g, r.w);
	list_draw(&l, g, r, focus, drawn);
}

static void
constraints_title_list(const struct state *state, struct str *title, struct str *info)
{
	const struct result *result = state->answers.result;

	str_add(title, "Constraints");
	if (!state->answers.constraints)
		return;
	str_addf(info, "%zu + %zu · ", result->n_constraints - result->n_equalities, result->n_equalities);
	if (result->n_findings)
		str_addf(info, "%zu violated", state->answers.constraints->violated);
	else
		str_add(info, "no data");
	add_list_state(state, constraint_sort_name(state->view.sort.constraints), info);
}

static void
title_broken(const struct state *s, struct str *title, struct str *info)
{
	const struct constraint_row *row = state_constraint(s);

	str_add(title, row && row->n_breaches == 0 && s->answers.result->n_findings ? "Kept by" : "Broken by");
	if (row && row->n_breaches)
		str_addf(info, "%zu of %zu", row->n_breaches, s->answers.result->n_findings);
}

static void
title_matrix(const struct state *s, struct str *title, struct str *info)
{
	(void)s;
	str_add(title, "Coefficients");
	str_add(info, "counters across constraints, as sorted · left of ≤ negative, right of it positive");
}

/* A short list leaves room to the panes below: it needs its title, head and rows, and the words about survival. */
static bool
constraints_fit_list(const struct state *s, struct rect body, struct pane_spec *wish)
{
	const struct constraint_table *t = s->answers.constraints;

	(void)body;
	if (t && t->n)
		wish->max_h = (int)t->n + 2 + (t->violated ? 0 : SURVIVES);
	return true;
}

const struct pane_draw pane_draw_constraints = {.title = constraints_title_list,
	.draw = constraints_draw_list,
	PANE_WISHES(list_wish),
	.fit = constraints_fit_list,
	PANE_COLUMNS(constraint_columns)};
const struct pane_draw pane_draw_touched = {.title = title_touched, .draw = draw_touched, PANE_WISHES(touched_wish)};
const struct pane_draw pane_draw_broken = {.title = title_broken, .draw = draw_broken, PANE_WISHES(broken_wish)};
const struct pane_draw pane_draw_matrix = {.title = title_matrix, .draw = draw_matrix, PANE_WISHES(matrix_wish)};
const struct view_draw view_draw_constraints = {0};
