/* The runs of the chosen quantity in the order in which they ran: drift is seen, and what lies apart. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "draw/view/diff/diff_parts.h"
#include "explorer/state/state_diff.h"
#include "work/diff/diff_words.h"

enum { FAR = 6 /* spreads from the median that the axis shows */ };

static const struct pane_spec runs_wish[] = {
	{.priority = 1, .band = 1, .column = 0, .min_w = 30, .min_h = 7, .weight_w = 5, .weight_h = 4, .from_h = 15},
};

bool
diff_scene(const struct state *state, struct diff_scene *s)
{
	const struct contest *c = state->data.contest;
	double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY}, room;
	struct diff_table all;

	*s = (struct diff_scene){.contest = c, .chosen = state_quantity(state)};
	if (s->chosen == SIZE_MAX)
		return false;
	s->table = &c->of.measured.table;
	s->quantity = &s->table->quantity[s->chosen];
	s->n = s->table->n_runs + c->block;
	if (!s->n)
		return false;
	all = *s->table; /* in the first block, too */
	all.n_runs = s->n;
	diff_usual(&all, s->chosen, &s->usual);
	for (size_t i = 0; i < s->n; i++) {
		double v = s->quantity->value[i];

		if (!isnan(v)) {
			least[s->table->is_b[i]] = fmin(least[s->table->is_b[i]], v);
			most[s->table->is_b[i]] = fmax(most[s->table->is_b[i]], v);
		}
	}
	s->low = INFINITY;
	s->high = -INFINITY;
	for (int side = 0; side < 2; side++) {
		double reach = FAR * s->usual.spread[side];

		if (!(least[side] <= most[side]))
			continue;
		if (!state->view.plot.outliers && reach > 0) {
			least[side] = fmax(least[side], s->usual.middle[side] - reach);
			most[side] = fmin(most[side], s->usual.middle[side] + reach);
		}
		s->low = fmin(s->low, least[side]);
		s->high = fmax(s->high, most[side]);
	}
	if (!(s->low <= s->high))
		return false;
	room = s->high > s->low ? 0.06 * (s->high - s->low) : fmax(0.01 * fabs(s->high), 0.5 * (s->high == 0));
	s->low -= room;
	s->high += room;
	for (size_t i = 0; i < s->n; i++)
		s->off += s->quantity->value[i] > s->high || s->quantity->value[i] < s->low;
	return true;
}

char *
diff_axis_text(const struct diff_scene *s, double v)
{
	char number[NUMBER_TEXT];
	double unit = str_eq(s->quantity->unit, "ns") ? 1e-9 : 1, top = fabs(s->high) * unit, range;
	const char *name = !*s->quantity->unit ? "" : top < 1e-3 ? " µs" : top < 1 ? " ms" : " s";
	double scale = !*s->quantity->unit ? 1 : unit * (top < 1e-3 ? 1e6 : top < 1 ? 1e3 : 1);
	int digits;

	range = (s->high - s->low) * scale;
	digits = range > 0 && v != 0 ? (int)floor(log10(fabs(v) * scale)) - (int)floor(log10(range)) + 2 : 3;
	digits = digits < 2 ? 2 : digits > 6 ? 6 : digits;
	return str_format("%s%s%s", v < 0 ? "−" : "", number_digits(number, fabs(v) * scale, digits, false), name);
}

struct runs_plot {
	struct rect at;
	struct pen pen;
	const struct diff_scene *scene;
};

static int
runs_row(const struct runs_plot *p, double v)
{
	double share = (p->scene->high - v) / (p->scene->high - p->scene->low);

	return p->at.y + (int)fmin(p->at.h - 1, fmax(0, floor(share * p->at.h)));
}

/* The median of a side among the runs from `first` up to `end`; NAN: it has none there. */
static double
column_median(const struct diff_scene *s, unsigned char side, size_t first, size_t end)
{
	double *value = mem_new_array(end - first, sizeof *value), median;
	size_t n = 0;

	for (size_t i = first; i < end; i++)
		if (s->table->is_b[i] == side && !isnan(s->quantity->value[i]))
			value[n++] = s->quantity->value[i];
	median = diff_median(value, n);
	free(value);
	return median;
}

static void
draw_runs_column(struct runs_plot *p, int x, size_t first, size_t end)
{
	const struct diff_scene *s = p->scene;
	int taken = -1;

	for (unsigned char side = 0; side < 2; side++) {
		double v = column_median(s, side, first, end);
		bool off = v > s->high || v < s->low;
		int y = isnan(v) ? -1 : runs_row(p, v);

		if (y < 0)
			continue;
		p->pen.fg = off ? ROLE_BORDERLINE : side ? ROLE_OF_B : ROLE_OF_A;
		p->pen.attr = off ? CELL_BOLD | CELL_REVERSE : CELL_BOLD;
		pen_text(&p->pen, x, y, y == taken ? "*" : side ? "B" : "A");
		taken = y;
	}
}

/* Lines at the medians: "─" A, "╌" B. */
static void
draw_medians(struct runs_plot *p)
{
	p->pen.attr = 0;
	for (int side = 0; side < 2; side++) {
		double v = p->scene->usual.middle[side];

		p->pen.fg = ROLE_FRAME;
		for (int x = 0; x < p->at.w && !isnan(v); x++)
			pen_text(&p->pen, p->at.x + x, runs_row(p, v), side ? "╌" : "─");
	}
}

static void
draw_runs_legend(const struct diff_scene *s, struct grid *grid, struct rect r, size_t each)
{
	struct line l = line_on(grid, r, 0);
	size_t disturbed = 0;

	for (size_t i = 0; i < s->table->n_runs; i++)
		disturbed += diff_distance(s->table, s->chosen, &s->usual, i) > DIFF_DISTURBED;
	line_add(&l, ROLE_DIM, 0, s->contest->recorded ? "%zu runs, A's first" : "%zu runs", s->n);
	if (each > 1)
		line_add(&l, ROLE_DIM, 0, ", medians of %zu", each);
	if (disturbed)
		line_add(&l, ROLE_BORDERLINE, 0, " · %zu disturbed", disturbed);
	if (s->off)
		line_add(&l, ROLE_DIM, 0, " · %zu off the axis, z shows %s", s->off, s->off > 1 ? "them" : "it");
}

static void
draw_diff_runs(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	struct diff_scene s;
	struct page page = {.s = state, .g = grid, .r = r};
	struct runs_plot p = {.scene = &s, .pen = pen_on(grid, r, ROLE_DIM)};
	char *high, *low;
	int gutter;
	size_t each;

	(void)focus;
	(void)drawn;
	if (!diff_scene(state, &s)) {
		diff_write_nothing(&page);
		return;
	}
	high = diff_axis_text(&s, s.high);
	low = diff_axis_text(&s, s.low);
	gutter = pen_columns(&p.pen, high) > pen_columns(&p.pen, low) ? pen_columns(&p.pen, high)
								       : pen_columns(&p.pen, low);
	p.at = (struct rect){r.x + gutter + 2, r.y, r.w - gutter - 3, r.h - 1};
	if (p.at.w > 4 && p.at.h > 1) {
		pen_right(&p.pen, p.at.x - 1, p.at.y, high);
		pen_right(&p.pen, p.at.x - 1, p.at.y + p.at.h - 1, low);
		each = (s.n + (size_t)p.at.w - 1) / (size_t)p.at.w;
		draw_medians(&p);
		for (size_t i = 0; i * each < s.n; i++)
			draw_runs_column(&p, p.at.x + (int)i, i * each, (i + 1) * each < s.n ? (i + 1) * each : s.n);
		draw_runs_legend(&s, grid, (struct rect){r.x, r.y + r.h - 1, r.w, 1}, each);
	}
	free(high);
	free(low);
}

static void
title_diff_runs(const struct state *state, struct str *title, struct str *info)
{
	str_add(title, "Runs in order");
	diff_write_chosen(state, info);
}

const struct pane_draw pane_draw_diff_runs = {
	.title = title_diff_runs, .draw = draw_diff_runs, PANE_WISHES(runs_wish)};
