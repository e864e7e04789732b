#include "draw/interval_diagram.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "work/files/intervals.h"

#define LABEL 13          /* columns before the graphs */
#define SUM 8             /* columns after them */
#define HEADROOM 1.12     /* so that graphs do not touch each other */
#define BLOCK_FULL 0x2588u
#define BLOCK_LOWEST 0x2581u
#define SHADE 0x2591u     /* ░ */
#define TICK_COLUMNS 8    /* between two numbers of the axis, at least */
#define LEGEND_ROWS 3

/* Which cycles a column stands for. */
struct scale {
	const struct interval *v;
	int x, columns;
	double cycles; /* of a column; where it is below 1, a cycle has a whole number of columns */
};

static struct scale
interval_diagram_scale_of(const struct interval *v, struct rect r)
{
	int most = r.w > LABEL + SUM ? r.w - LABEL - SUM : 1, n = (int)v->n, each = most / n < 3 ? most / n : 3;

	if (!each)
		return (struct scale){v, r.x + LABEL, most, (double)n / most};
	return (struct scale){v, r.x + LABEL, n * each, 1.0 / each};
}

/* Returns the mean of a series over the cycles of a column. */
static double
value_at(const struct scale *s, const double *series, int column)
{
	double from = column * s->cycles, to = from + s->cycles, sum = 0;

	for (size_t i = (size_t)(from + 1e-9); i < s->v->n && (double)i < to - 1e-9; i++)
		sum += series[i] * (fmin((double)i + 1, to) - fmax((double)i, from));
	return sum / s->cycles;
}

/* Returns the column of the middle of a cycle. */
static int
interval_diagram_column_of(const struct scale *s, double cycle)
{
	double at = (cycle - s->v->first) / s->cycles;
	int column = (int)floor(at + 1e-9);

	if (s->cycles < 1)
		column += ((int)lround(1 / s->cycles) - 1) / 2;
	return column < 0 ? 0 : column < s->columns ? column : s->columns - 1;
}

/* Draws a column up to `value`; whole cells of it, from `fill` on upwards, are shaded. */
static void
draw_column(const struct pen *p, int x, int y, int rows, double value, double top, bool shaded)
{
	int eighths = top > 0 ? (int)lround(value / top * rows * 8) : 0;

	if (value > 0.02 * top && eighths == 0)
		eighths = 1;
	for (int row = rows - 1; row >= 0 && eighths > 0; row--, eighths -= 8)
		pen_fill(p, (struct rect){x, y + row, 1, 1},
			shaded ? SHADE : eighths >= 8 ? BLOCK_FULL : BLOCK_LOWEST + (uint32_t)eighths - 1);
}

static double
interval_diagram_largest(const double *series, size_t n, double least)
{
	for (size_t i = 0; i < n; i++)
		least = series[i] > least ? series[i] : least;
	return least;
}

static void
interval_diagram_add_number(struct str *out, double v)
{
	str_addf(out, fabs(v - round(v)) < 0.05 ? "%.0f" : "%.1f", v);
}

/* Draws a series as an area with its name and scale. */
static void
draw_area(const struct scale *scale, struct grid *grid, struct rect r, const char *name, enum role role,
	const double *series, const double *shaded, double top)
{
	struct pen p = pen_on(grid, r, ROLE_DIM);
	char *text = str_format("%.0f", top);

	pen_text(&p, r.x, r.y, name);
	pen_right(&p, r.x + LABEL - 1, r.y, text);
	if (r.h > 1)
		pen_right(&p, r.x + LABEL - 1, r.y + r.h - 1, "0");
	if (r.h > 1 && shaded && interval_diagram_largest(shaded, scale->v->n, 0) > 0.5)
		pen_text(&p, r.x, r.y + 1, "░ wrong");
	free(text);
	for (int i = 0; i < scale->columns; i++) {
		double value = value_at(scale, series, i);

		if (shaded) {
			double other = value_at(scale, shaded, i);

			p.fg = ROLE_DIM;
			if (other > 0.5)
				draw_column(&p, scale->x + i, r.y, r.h, value, top * HEADROOM, true);
			value -= other;
		}
		p.fg = role;
		draw_column(&p, scale->x + i, r.y, r.h, value, top * HEADROOM, false);
	}
}

/* Draws the share of events for which a cycle is counted, and the sum. */
static void
draw_strip(const struct scale *scale, struct grid *grid, struct rect r, const char *name, enum role role,
	const double *share)
{
	struct pen p = pen_on(grid, r, ROLE_DIM);
	double sum = 0;
	char *text;

	pen_text(&p, r.x, r.y, name);
	for (size_t i = 0; i < scale->v->n; i++)
		sum += share[i];
	p.fg = role;
	for (int i = 0; i < scale->columns; i++)
		draw_column(&p, scale->x + i, r.y, 1, fmin(value_at(scale, share, i), 1), HEADROOM, false);
	text = str_format("%.1f", sum);
	p.fg = ROLE_TEXT;
	pen_right(&p, scale->x + scale->columns + SUM - 1, r.y, text);
	free(text);
}

/* Draws the share of dispatch slots that are lost. */
static void
draw_lost(const struct scale *s, struct grid *g, struct rect r)
{
	double *share = mem_new_array(s->v->n, sizeof *share);

	for (size_t i = 0; i < s->v->n; i++)
		if ((double)s->v->first + (double)i >= 0)
			share[i] = (s->v->steady - s->v->dispatched[i]) / s->v->steady;
	draw_strip(s, g, r, "lost", ROLE_INFEASIBLE, share);
	free(share);
}

static void
draw_axis(const struct scale *scale, struct grid *grid, struct rect r)
{
	static const int steps[] = {5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000};
	struct pen p = pen_on(grid, r, ROLE_DIM);
	int step = 10000, last = scale->v->first + (int)scale->v->n, end = 0;

	for (size_t i = sizeof steps / sizeof *steps; i-- > 0;)
		if (steps[i] >= TICK_COLUMNS * scale->cycles)
			step = steps[i];
	pen_text(&p, r.x, r.y, "cycle");
	for (int t = scale->v->first / step * step; t < last; t += step) {
		char *text = str_format("%s%d", t < 0 ? "−" : "", abs(t));
		int x = scale->x + interval_diagram_column_of(scale, t);

		if (t >= scale->v->first && x >= end)
			end = x + pen_text(&p, x - (t < 0), r.y, text) + 1;
		free(text);
	}
}

/* Draws the letters of the marks, and below the axis what they mean. */
static void
draw_marks(const struct scale *s, struct grid *grid, struct rect letters, struct rect legend)
{
	struct pen p = pen_on(grid, letters, ROLE_ACCENT), q = pen_on(grid, legend, ROLE_TEXT);
	int end = 0, x = legend.x, y = legend.y;

	p.attr = CELL_BOLD;
	for (size_t i = 0; i < s->v->n_marks; i++) {
		char letter[2] = {(char)('A' + i), '\0'};
		int column = interval_diagram_column_of(s, s->v->mark[i].at);
		struct str text = {0};
		int w;

		column = column < end ? end : column;
		pen_text(&p, s->x + column, letters.y, letter);
		end = column + 1;
		str_addf(&text, "%s ", letter);
		interval_diagram_add_number(&text, s->v->mark[i].at);
		str_addf(&text, " %s", s->v->mark[i].text);
		w = pen_columns(&q, str_text(&text));
		if (x > legend.x && x + w > legend.x + legend.w) {
			x = legend.x;
			y++;
		}
		pen_text(&q, x, y, str_text(&text));
		x += w + 3;
		str_free(&text);
	}
}

static void
draw_costs(const struct interval *interval, struct grid *grid, struct rect r)
{
	struct pen p = pen_on(grid, r, ROLE_TEXT);
	int x = r.x + pen_text(&p, r.x, r.y, r.w < 76 ? "cycles:" : "cycles per event:");

	for (size_t i = 0; i < interval->n_costs; i++) {
		/* by a tenth, and by more than the cycle in which µops before a branch are dispatched with it */
		bool wrong = fabs(interval->cost[i].cycles - interval->cost[0].cycles) >
			fmax(0.1 * interval->cost[0].cycles, 1.2);
		struct str text = {0};

		p.fg = i == 0 ? ROLE_ACCENT : wrong ? ROLE_INFEASIBLE : ROLE_TEXT;
		p.attr = i == 0 || wrong ? CELL_BOLD : 0;
		str_addf(&text, "%s ", interval->cost[i].text);
		interval_diagram_add_number(&text, interval->cost[i].cycles);
		x += (i ? 2 : 1) + pen_text(&p, x + (i ? 2 : 1), r.y, str_text(&text));
		str_free(&text);
	}
	p.attr = 0;
	p.fg = ROLE_DIM;
	pen_fit(&p, r.x, r.y + 1, r.w, interval->why);
}

static void
draw_title(const struct scale *scale, struct grid *grid, struct rect r)
{
	const struct interval *v = scale->v;
	struct pen p = pen_on(grid, r, ROLE_ACCENT);
	char *text = str_format("mean of %zu events on %s", v->events, v->machine);
	int used;

	p.attr = CELL_BOLD;
	used = pen_text(&p, r.x, r.y, v->lesson);
	p.attr = 0;
	p.fg = ROLE_DIM;
	if (used + 2 + pen_columns(&p, text) <= r.w)
		pen_right(&p, r.x + r.w, r.y, text);
	free(text);
	p.fg = ROLE_TEXT;
	pen_fit(&p, r.x, r.y + 1, r.w, v->about);
}

void
interval_diagram_draw(const struct interval *v, struct grid *grid, struct rect r)
{
	static const int fixed = 2 + 3 + 2 + LEGEND_ROWS + 2; /* title, strips, marks and axis, legend, costs */
	struct scale s = interval_diagram_scale_of(v, r);
	int rows = r.h - fixed > 4 ? r.h - fixed : 4, low = rows / 4, high = rows - 3 * low, y = r.y + 2;
	double most = fmax(
		interval_diagram_largest(v->dispatched, v->n, 1), interval_diagram_largest(v->committed, v->n, 1));

	most = most > 0.5 * v->width ? v->width : ceil(most); /* a core may be far wider than what it executes here */
	draw_title(&s, grid, (struct rect){r.x, r.y, r.w, 2});
#define AREA(h) rect_cut((struct rect){r.x, y, r.w, h}, r)
	draw_area(&s, grid, AREA(high), "issued", ROLE_PATH1, v->issued, NULL,
		ceil(interval_diagram_largest(v->issued, v->n, most)));
	y += high;
	draw_area(&s, grid, AREA(low), "dispatched", ROLE_PATH2, v->dispatched, NULL, most);
	y += low;
	draw_area(&s, grid, AREA(low), "committed", ROLE_PATH3, v->committed, NULL, most);
	y += low;
	draw_area(&s, grid, AREA(low), "in ROB", ROLE_PATH4, v->rob, v->wrong,
		interval_diagram_largest(v->rob, v->n, 0) > 0.5 * v->entries
			? v->entries
			: ceil(interval_diagram_largest(v->rob, v->n, 1)));
	y += low;
	draw_lost(&s, grid, AREA(1));
	y++;
	draw_strip(&s, grid, AREA(1), "FMT counts", ROLE_ACCENT, v->fmt);
	y++;
	draw_strip(&s, grid, AREA(1), "POWER5 counts", ROLE_BORDERLINE, v->power5);
	y++;
	draw_marks(&s, grid, AREA(1), rect_cut((struct rect){r.x, y + 2, r.w, LEGEND_ROWS}, r));
	y++;
	draw_axis(&s, grid, AREA(1));
	y += 1 + LEGEND_ROWS;
	draw_costs(v, grid, AREA(2));
#undef AREA
}
