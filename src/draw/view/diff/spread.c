/* How the runs of A and of B spread over one axis: A's density above the line, B's below it. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "draw/plot_canvas.h"
#include "draw/view/diff/diff_parts.h"
#include "work/diff/diff_words.h"

static const struct pane_spec spread_wish[] = {
	{.priority = 2, .band = 1, .column = 1, .min_w = 28, .min_h = 7, .weight_w = 3, .weight_h = 4,
		.from_w = 60, .from_h = 15},
};

/* A density by a Gaussian kernel of Silverman's width (Density Estimation, 1986, section 3.4.2), from a histogram of
 * the canvas' columns; the largest value is 1. */
static double *
density(const struct diff_scene *s, unsigned char side, int columns)
{
	double *count = mem_new_array((size_t)columns, sizeof *count);
	double *out = mem_new_array((size_t)columns, sizeof *out);
	double cell = (s->high - s->low) / columns, width, most = 0;
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		double v = s->quantity->value[i];

		if (s->table->is_b[i] != side || !(v >= s->low && v <= s->high))
			continue;
		count[(int)fmin(columns - 1, (v - s->low) / cell)]++;
		n++;
	}
	width = fmax(0.9 * s->usual.spread[side] * pow((double)(n ? n : 1), -0.2) / cell, 1);
	for (int x = 0; x < columns; x++)
		for (int k = 0; k < columns && count[x] > 0; k++)
			out[k] += count[x] * exp(-(k - x) * (k - x) / (2 * width * width));
	for (int x = 0; x < columns; x++)
		most = fmax(most, out[x]);
	for (int x = 0; x < columns && most > 0; x++)
		out[x] /= most;
	free(count);
	return out;
}

static void
draw_side(const struct diff_scene *s, struct canvas *canvas, unsigned char side)
{
	double *height = density(s, side, canvas->w), line = 4 * (canvas->h / 8);

	for (int x = 0; x < canvas->w; x++)
		for (int k = 0; k < (int)round(height[x] * (line - 1)); k++)
			canvas_dot(canvas, x, side ? line + k : line - k - 1, side ? PLOT_POINT : PLOT_SAMPLE);
	free(height);
}

static void
draw_ticks(const struct diff_scene *s, struct grid *grid, struct rect plot)
{
	struct pen p = pen_on(grid, (struct rect){plot.x, plot.y + plot.h, plot.w, 1}, ROLE_DIM);
	char *low = diff_axis_text(s, s->low), *middle = diff_axis_text(s, (s->low + s->high) / 2),
	     *high = diff_axis_text(s, s->high);
	int columns = pen_columns(&p, middle);

	pen_text(&p, plot.x, p.clip.y, low);
	pen_right(&p, plot.x + plot.w, p.clip.y, high);
	if (pen_columns(&p, low) + pen_columns(&p, high) + columns + 6 < plot.w)
		pen_text(&p, plot.x + (plot.w - columns) / 2, p.clip.y, middle);
	free(low);
	free(middle);
	free(high);
}

/* "A 14.2 ms", at the side of the plot that is away from the median. */
static void
label_side(const struct diff_scene *s, struct grid *grid, struct rect plot, int side)
{
	struct pen p = pen_on(grid, plot, side ? ROLE_OF_B : ROLE_OF_A);
	double middle = s->usual.middle[side];
	int y = side ? plot.y + plot.h - 1 : plot.y;
	char *value, *text;

	if (isnan(middle))
		return;
	value = diff_axis_text(s, middle);
	text = str_format("%s median %s", side ? "B" : "A", value);
	p.attr = CELL_BOLD;
	if (middle > (s->low + s->high) / 2)
		pen_text(&p, plot.x, y, text);
	else
		pen_right(&p, plot.x + plot.w, y, text);
	free(value);
	free(text);
}

static void
draw_spread_pane(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	static const enum role role[PLOT_LAYERS] = {[PLOT_SAMPLE] = ROLE_OF_A, [PLOT_POINT] = ROLE_OF_B};
	struct rect plot = {r.x + 1, r.y, r.w - 2, r.h - 1};
	struct pen p = pen_on(grid, plot, ROLE_DIM);
	struct canvas *canvas;
	struct diff_scene s;

	(void)focus;
	(void)drawn;
	if (!diff_scene(state, &s) || plot.h < 3 || plot.w < 10)
		return;
	canvas = canvas_new(plot.w, plot.h);
	for (unsigned char side = 0; side < 2; side++)
		draw_side(&s, canvas, side);
	canvas_draw(canvas, &p, plot.x, plot.y, role);
	canvas_free(canvas);
	for (int side = 0; side < 2; side++)
		label_side(&s, grid, plot, side);
	draw_ticks(&s, grid, plot);
}

static void
title_spread(const struct state *state, struct str *title, struct str *info)
{
	(void)state;
	str_add(title, "Spread");
	str_add(info, "A above, B below");
}

const struct pane_draw pane_draw_spread = {
	.title = title_spread, .draw = draw_spread_pane, PANE_WISHES(spread_wish)};
