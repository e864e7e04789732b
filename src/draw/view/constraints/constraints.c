/* View 2, Constraints: each equality and inequality with the number of observations that break it, by how much, and the
 * spread of slack. Below, details of the one under the cursor. */
#include "draw/view/constraints/constraints.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/udd/model.h"
#include "draw/panes.h"
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
		int cells = s < 0 ? left : right, at = (int)(far * cells);

		if (isnan(s))
			continue;
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

/* First columns of the list's parts; 0: not shown. */
struct columns {
	int breaks, worst, histogram, left, right, text, where;
};

/* Columns of the largest violation in the list. */
static int
widest_violation(const struct state *s, struct grid *g)
{
	struct pen pen = {.grid = g};
	int wide = 0;

	for (size_t i = 0; i < s->answers.constraints->n; i++) {
		const struct constraint_row *row = &s->answers.constraints->row[i];
		char *off = row->n_breaches
			? violation_number(&s->answers.result->finding[row->breach->finding], row->breach->violated)
			: NULL;
		int columns = off ? pen_columns(&pen, off) : 0;

		wide = columns > wide ? columns : wide;
		free(off);
	}
	return wide;
}

static struct columns
constraints_columns_of(const struct state *s, struct grid *g, int w)
{
	struct columns c = {.breaks = 7};
	int wide = widest_violation(s, g);

	c.worst = c.breaks + 1 + (wide > 7 ? wide : 7);
	c.text = c.worst + 2;
	if (w >= 70) {
		c.left = c.right = w >= 112 ? 13 : 9;
		c.histogram = c.worst + 3;
		c.text = c.histogram + c.left + c.right + 3;
	}
	if (w >= 150 && s->answers.result->n_findings)
		c.where = w - 19;
	return c;
}

static void
constraints_draw_row(
	const struct state *s, struct grid *g, struct rect r, int at, size_t i, const struct columns *c, double top)
{
	const struct constraint_row *row = &s->answers.constraints->row[i];
	const struct result *res = s->answers.result;
	bool old = state_stale(s), data = res->n_findings > 0;
	struct line l = line_on(g, r, at);
	char number[NUMBER_TEXT], share[NUMBER_TEXT + 4];
	struct pen p = l.pen;
	char *text = relation_pretty(row->c->text);

	line_add(&l, old ? ROLE_DIM : verdict_role(row->verdict), 0, "%s", data ? verdict_mark(row->verdict) : "·");
	if (state_note_on(s, REMARK_CONSTRAINT, row->c->text))
		line_add(&l, ROLE_ACCENT, 0, "\"");
	p.fg = old || !row->n_breaches ? ROLE_DIM : ROLE_INFEASIBLE;
	snprintf(number, sizeof number, "%zu", row->n_breaches);
	pen_right(&p, r.x + c->breaks, l.y, row->n_breaches ? number : "·");
	if (row->n_breaches) {
		char *off = violation_number(&res->finding[row->breach->finding], row->breach->violated);

		p.fg = old ? ROLE_DIM : ROLE_TEXT;
		pen_right(&p, r.x + c->worst, l.y, off);
		free(off);
	} else if (!isnan(row->tightest)) {
		if (row->tightest <= -0.9995) /* "−100.0 %" would fill the column */
			snprintf(share, sizeof share, "−%.0f %%", -100 * row->tightest);
		else
			snprintf(share, sizeof share, "%s %%", number_share(number, row->tightest));
		pen_right(&p, r.x + c->worst, l.y, share);
	} else {
		pen_right(&p, r.x + c->worst, l.y, "·");
	}
	if (c->histogram)
		draw_histogram(l.pen, r.x + c->histogram, l.y, c->left, c->right, row, res->n_findings, top, old);
	p.fg = old ? ROLE_DIM : row->n_breaches || !data ? ROLE_TEXT : ROLE_DIM;
	pen_relation(&p, r.x + c->text, l.y, (c->where ? c->where - 2 : r.w - 1) - c->text, text);
	p.fg = ROLE_DIM;
	if (c->where && (row->n_breaches || !isnan(row->tightest)))
		pen_fit(&p, r.x + c->where, l.y, r.w - 1 - c->where,
			res->finding[row->n_breaches ? row->breach->finding : row->tightest_finding].name);
	free(text);
}

static void
draw_columns(const struct state *s, struct grid *g, struct rect r, const struct columns *c)
{
	struct pen p = pen_on(g, (struct rect){r.x, r.y, r.w, 1}, ROLE_DIM);

	pen_right(&p, r.x + c->breaks, r.y, "breaks");
	pen_right(&p, r.x + c->worst, r.y, s->answers.constraints->violated ? "worst" : "slack");
	if (c->histogram && c->left > 12)
		pen_text(&p, r.x + c->histogram + c->left - 12, r.y, "violated ◂ slack ▸ kept");
	else if (c->histogram)
		pen_text(&p, r.x + c->histogram, r.y, "violated │ kept");
	pen_text(&p, r.x + c->text, r.y, "constraint");
	if (c->where)
		pen_text(&p, r.x + c->where, r.y, s->answers.constraints->violated ? "worst, nearest" : "nearest");
}

/* Says that nothing is broken, and what that is worth, in one or more rows. Returns the rows used. */
static int
draw_survives(const struct state *s, struct grid *g, struct rect r, bool brief)
{
	struct page p = {.s = s, .g = g, .r = r};
	size_t n = s->answers.result->n_findings, unknown = s->answers.result->count[VERDICT_UNDECIDED];
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
			n > 1 ? "all " : "", n, n == 1 ? "" : "s");
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
constraints_draw_nothing(const struct state *s, struct grid *g, struct rect r, size_t n)
{
	struct page p = {.s = s, .g = g, .r = r};

	if (!s->answers.result) {
		page_words(&p, ROLE_DIM,
			s->answers.progress.busy ? "The cone is being computed; its constraints come here."
				: "No cone yet: 1 shows the model.");
	} else if (s->answers.result->error) {
		page_words(&p, ROLE_INFEASIBLE, "This choice of features makes an error, so there is no cone.");
		page_words(&p, ROLE_TEXT, s->answers.result->error);
		page_words(&p, ROLE_DIM, "1 shows the features; switch one back.");
	} else if (s->answers.constraints->n == 0) {
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
constraints_draw_list(const struct state *s, struct grid *g, struct rect r, bool focus, struct drawn *d)
{
	size_t n;
	const size_t *order = state_constraints(s, &n);
	struct columns c;
	double top;
	int first, cursor = 0;

	if (constraints_draw_nothing(s, g, r, n))
		return;
	if (s->answers.result->count[VERDICT_INFEASIBLE] == 0 && s->answers.result->count[VERDICT_FEASIBLE] &&
		r.h >= 6) {
		int used = draw_survives(s, g, r, r.h < 14);

		r.y += used;
		r.h -= used;
	}
	c = constraints_columns_of(s, g, r.w);
	top = widest_slack(s);
	draw_columns(s, g, r, &c);
	r.y++;
	r.h--;
	for (size_t i = 0; i < n; i++)
		if (order[i] == s->view.constraint)
			cursor = (int)i;
	first = draw_list_rows(r, cursor, (int)n, PANE_CONSTRAINTS, ACTION_details, d);
	for (int k = 0; k < r.h && first + k < (int)n; k++) {
		constraints_draw_row(s, g, r, k, order[first + k], &c, top);
		if (first + k == cursor)
			draw_cursor(g, (struct rect){r.x, r.y + k, r.w, 1}, focus);
	}
}

static void
constraints_title_list(const struct state *s, struct str *title, struct str *info)
{
	const struct result *r = s->answers.result;

	str_add(title, "Constraints");
	if (!s->answers.constraints)
		return;
	str_addf(info, "%zu + %zu · ", r->n_constraints - r->n_equalities, r->n_equalities);
	if (r->n_findings)
		str_addf(info, "%zu violated", s->answers.constraints->violated);
	else
		str_add(info, "no data");
	add_list_state(s, constraint_sort_name(s->view.sort.constraints), info);
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
	.fit = constraints_fit_list};
const struct pane_draw pane_draw_touched = {.title = title_touched, .draw = draw_touched, PANE_WISHES(touched_wish)};
const struct pane_draw pane_draw_broken = {.title = title_broken, .draw = draw_broken, PANE_WISHES(broken_wish)};
const struct pane_draw pane_draw_matrix = {.title = title_matrix, .draw = draw_matrix, PANE_WISHES(matrix_wish)};
const struct view_draw view_draw_constraints = {0};
