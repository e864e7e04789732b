/* View 2: the observations that break the constraint, each with the interval of its slack; and a matrix of all
 * coefficients. */
#include "draw/view/constraints/constraints.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/udd/model.h"

enum { NAME = 16, MARGIN_END = 27, INTERVAL = 29, INTERVAL_LEAST = 24 };

/* The part of the axis that is drawn, as shares of the row's size; and the names to its left. */
struct scale {
	double from, to;
	int x, w;
	int wider;  /* columns of names beyond NAME */
	bool brief; /* names leave out the keys of their settings */
};

static bool
interval_of(const struct constraint_row *row, const struct finding *f, double *at, double *reach)
{
	const struct constraint_slack *k;

	if (row->index == CONSTRAINT_NONE || row->index >= f->n_slacks || isnan(f->slack[row->index].at) ||
		!(f->slack[row->index].size > 0))
		return false;
	k = &f->slack[row->index];
	*at = k->at / k->size;
	*reach = k->reach / k->size;
	return true;
}

static void
broken_widen(struct scale *z, const struct constraint_row *row, const struct finding *f)
{
	double at, reach;

	if (!interval_of(row, f, &at, &reach))
		return;
	z->from = fmin(z->from, at - reach);
	z->to = fmax(z->to, at + reach);
}

static int
broken_place(const struct scale *z, double v)
{
	double share = z->to > z->from ? (v - z->from) / (z->to - z->from) : 0.5;

	return (int)lround(fmin(1, fmax(0, share)) * (z->w - 1));
}

/* "├──┼──┤ │": the interval, and the limit. */
static void
draw_interval(struct pen p, int y, const struct scale *scale, const struct constraint_row *row,
	const struct finding *finding, enum role role)
{
	double at, reach;
	int a, b, m;

	p.fg = ROLE_FRAME;
	pen_text(&p, scale->x + broken_place(scale, 0), y, "│");
	if (!interval_of(row, finding, &at, &reach))
		return;
	a = broken_place(scale, at - reach);
	b = broken_place(scale, at + reach);
	m = broken_place(scale, at);
	p.fg = role;
	pen_hline(&p, scale->x + a, y, b - a + 1, 0x2500);
	if (b > a) {
		pen_text(&p, scale->x + a, y, "├");
		pen_text(&p, scale->x + b, y, "┤");
	}
	pen_text(&p, scale->x + m, y, "┼");
}

static void
draw_one(const struct state *state, struct grid *grid, struct rect r, int at, const struct constraint_row *row,
	size_t i, const struct constraint_breach *b, const struct scale *scale)
{
	const struct finding *finding = &state->answers.result->finding[i];
	struct line l = line_on(grid, r, at);
	enum role role = state_stale(state) ? ROLE_DIM
		: b ? ROLE_INFEASIBLE
		: row->slack[i] < 0 ? ROLE_BORDERLINE : ROLE_FEASIBLE;
	char number[NUMBER_TEXT], share[NUMBER_TEXT + 4];
	struct str name = {0};
	struct pen p = l.pen;

	line_add(&l, role, 0, "%s ", b ? verdict_mark(VERDICT_INFEASIBLE) : role == ROLE_BORDERLINE ? "≈" : "✓");
	l.end = r.x + NAME + 3 + scale->wider;
	observation_add_name(finding->name, scale->brief, &name);
	line_add(&l, b ? ROLE_TEXT : ROLE_DIM, 0, "%s", str_text(&name));
	str_free(&name);
	p.fg = b ? ROLE_TEXT : ROLE_DIM;
	if (b) {
		char *off = violation_number(finding, b->violated);

		pen_right(&p, r.x + MARGIN_END + scale->wider, l.y, off);
		free(off);
	} else {
		snprintf(share, sizeof share, "%s %%", number_share(number, row->slack[i]));
		pen_right(&p, r.x + MARGIN_END + scale->wider, l.y, share);
	}
	draw_interval(p, l.y, scale, row, finding, role);
	if (scale->x + scale->w + 20 > r.x + r.w)
		return;
	p.fg = ROLE_DIM;
	pen_right(&p, r.x + r.w - 9, l.y, number_distance(number, finding->measure.distance2));
	pen_right(&p, r.x + r.w - 1, l.y, number_p(number, finding->measure.p));
}

static int
by_slack(const void *va, const void *vb, void *ctx)
{
	const struct constraint_row *row = *(const struct constraint_row **)ctx;
	size_t a = *(const size_t *)va, b = *(const size_t *)vb;
	double x = row->slack[a], y = row->slack[b];

	return x < y ? -1 : x > y ? 1 : a < b ? -1 : a > b;
}

/* Observations that break it, worst first, then those that keep it, nearest first. */
static size_t *
all_rows(const struct constraint_row *row, size_t n_findings, size_t *n)
{
	size_t *order = mem_new_array(n_findings, sizeof *order), keep = row->n_breaches;

	for (size_t i = 0; i < row->n_breaches; i++)
		order[i] = row->breach[i].finding;
	*n = row->n_breaches;
	for (size_t i = 0; i < n_findings; i++)
		if (!isnan(row->slack[i]) && !constraint_breach(row, i))
			order[(*n)++] = i;
	qsort_r(order + keep, *n - keep, sizeof *order, by_slack, &row);
	return order;
}

/* Gives names the columns that the interval can spare. */
static void
fit_names(const struct result *result, const struct pen *pen, struct scale *scale)
{
	int widest[2] = {0}, most = scale->w - INTERVAL_LEAST;

	for (int brief = 0; brief < 2; brief++)
		for (size_t i = 0; i < result->n_findings; i++) {
			struct str name = {0};
			int columns;

			observation_add_name(result->finding[i].name, brief, &name);
			columns = pen_columns(pen, str_text(&name)) - NAME;
			widest[brief] = columns > widest[brief] ? columns : widest[brief];
			str_free(&name);
		}
	most = most < 0 ? 0 : most;
	scale->brief = widest[0] > most;
	scale->wider = widest[scale->brief] < most ? widest[scale->brief] : most;
	scale->x += scale->wider;
	scale->w -= scale->wider;
}

void
draw_broken(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	const struct constraint_row *row = state_constraint(state);
	struct scale z = {.x = r.x + INTERVAL, .w = r.w - INTERVAL - (r.w >= 66 ? 21 : 2)};
	struct pen p = pen_on(grid, (struct rect){r.x, r.y, r.w, 1}, ROLE_DIM);
	size_t n, *order;
	int first, cursor = 0;

	if (!row || state->answers.result->n_findings == 0) {
		pen_fit(&p, r.x + 1, r.y, r.w - 2, "No data, so nothing can break it. r types a command to run.");
		return;
	}
	fit_names(state->answers.result, &p, &z);
	order = all_rows(row, state->answers.result->n_findings, &n);
	for (size_t i = 0; i < n; i++) {
		if (order[i] == state->view.selected && i < row->n_breaches)
			cursor = (int)i;
		if (i < (row->n_breaches ? row->n_breaches : 8))
			broken_widen(&z, row, &state->answers.result->finding[order[i]]);
	}
	pen_text(&p, r.x + 3, r.y, "observation");
	pen_right(&p, r.x + MARGIN_END + z.wider, r.y,
		state->answers.result->finding[0].data.exact ? "off by" : "margin");
	if (z.w > 12)
		pen_text(&p, z.x, r.y, "slack, with its noise");
	if (z.x + z.w + 20 <= r.x + r.w) {
		pen_right(&p, r.x + r.w - 9, r.y, "d²");
		pen_right(&p, r.x + r.w - 1, r.y, "p");
	}
	r.y++;
	r.h--;
	first = list_scroll(0, cursor, (int)n, r.h);
	for (int k = 0; k < r.h && first + k < (int)n; k++) {
		size_t i = order[first + k];
		bool breaks = (size_t)(first + k) < row->n_breaches;

		draw_one(state, grid, r, k, row, i, breaks ? &row->breach[first + k] : NULL, &z);
		if (first + k == cursor && breaks)
			draw_cursor(grid, (struct rect){r.x, r.y + k, r.w, 1}, focus);
		if (breaks)
			hit_add(drawn, (struct rect){r.x, r.y + k, r.w, 1}, HIT_ROW, PANE_BROKEN, first + k,
				ACTION_jump);
	}
	free(order);
}

/* Counters down, constraints across, numbered in the order of the list. The column of the cursor's constraint is
 * highlighted. */
void
draw_matrix(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	const struct udd_model *model = state->question.model;
	size_t n, first = 0, cursor = 0;
	const size_t *order = state_constraints(state, &n);
	int names = 0, wide = 4, rows = 1, columns;
	struct pen p = pen_on(grid, r, ROLE_DIM);

	(void)drawn;
	for (size_t i = 0; i < model->n_counters; i++)
		if (state->answers.result && state->answers.result->used[i] &&
			pen_columns(&p, model->counter[i].name) > names)
			names = pen_columns(&p, model->counter[i].name);
	columns = (r.w - names - 4) / wide;
	if (!n || columns < 1) {
		pen_fit(&p, r.x + 1, r.y, r.w - 2,
			n ? "Not enough room: 2 shows the list." : "No constraints to show.");
		return;
	}
	for (size_t k = 0; k < n; k++)
		if (order[k] == state->view.constraint)
			cursor = k;
	first = (size_t)list_scroll(0, (int)cursor, (int)n, columns);
	for (size_t k = first; k < n && k < first + (size_t)columns; k++) {
		const struct constraint_row *row = &state->answers.constraints->row[order[k]];
		int x = r.x + names + 3 + (int)(k - first) * wide, y = 0;
		char text[24];

		snprintf(text, sizeof text, "%zu", k + 1);
		p.fg = k == cursor ? ROLE_ACCENT : row->n_breaches ? ROLE_INFEASIBLE : ROLE_DIM;
		p.attr = k == cursor ? CELL_BOLD : 0;
		pen_right(&p, x + wide - 1, r.y, text);
		for (size_t i = 0; i < model->n_counters; i++) {
			int64_t c = row->c->coef[i];

			if (!state->answers.result->used[i])
				continue;
			y++;
			snprintf(text, sizeof text, c < 0 ? "−%" PRIu64 : "%" PRIu64,
				c < 0 ? 0 - (uint64_t)c : (uint64_t)c);
			p.fg = c < 0 ? ROLE_BORDERLINE : c > 0 ? ROLE_TEXT : ROLE_FRAME;
			p.attr = 0;
			pen_right(&p, x + wide - 1, r.y + y, c ? text : "·");
		}
		if (k == cursor)
			grid_tint(grid, (struct rect){x - 1, r.y, wide + 1, r.h < y + 1 ? r.h : y + 1}, ROLE_SELECT);
	}
	for (size_t i = 0; i < model->n_counters; i++)
		if (state->answers.result->used[i]) {
			p.fg = ROLE_TEXT;
			pen_right(&p, r.x + 1 + names, r.y + rows++, model->counter[i].name);
		}
	if (focus)
		draw_cursor(grid, (struct rect){r.x, r.y, 1, 1}, false);
}
