#include "draw/time_graph.h"

#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "draw/amount.h"
#include "draw/plot_canvas.h"

enum { LEGEND_FROM = 30 };

/* In ASCII the layer gives the sign, so each series has its own. */
static const enum plot_layer layer_of[GRAPH_SERIES_MAX] = {
	PLOT_ROTATED, PLOT_INDEPENDENT, PLOT_FILL, PLOT_ELLIPSE, PLOT_SAMPLE, PLOT_GAP, PLOT_POINT, PLOT_EDGE
};

static double
sum_at(const struct time_graph *g, size_t i)
{
	double sum = 0;

	for (size_t k = 0; k < g->n_series; k++)
		sum += g->series[k].v[i] > 0 ? g->series[k].v[i] : 0;
	return sum;
}

double
graph_top(const struct time_graph *g)
{
	double most = 0, step;

	for (size_t i = 0; i < g->n; i++)
		most = fmax(most, sum_at(g, i));
	if (!(most > 0) || !isfinite(most))
		return 1;
	step = amount_step(most, 5);
	return ceil(most / step) * step;
}

/* The mean of the values that fall into one column of dots; NAN if none is known. */
static double
mean_in(const double *v, size_t n, int column, int columns)
{
	size_t from = (size_t)column * n / (size_t)columns, to = (size_t)(column + 1) * n / (size_t)columns;
	double sum = 0, some = 0;

	for (size_t i = from; i < (to > from ? to : from + 1) && i < n; i++)
		if (!isnan(v[i])) {
			sum += v[i];
			some++;
		}
	return some > 0 ? sum / some : NAN;
}

/* Solid, then ever fewer dots, so that series differ without colour. The upper edge is always drawn. */
static bool
has_dot(size_t series, int x, int y)
{
	switch (series & 3) {
	case 0:
		return true;
	case 1:
		return (x + y) % 2 == 0;
	case 2:
		return x % 2 == 0 && y % 2 == 0;
	}
	return x % 2 == 0 && y % 4 == 0;
}

static void
time_graph_fill(const struct time_graph *g, struct canvas *canvas, double top)
{
	for (int x = 0; x < canvas->w; x++) {
		double below = 0;

		for (size_t k = 0; k < g->n_series; k++) {
			double v = mean_in(g->series[k].v, g->n, x, canvas->w);
			int from = (int)lround(below / top * canvas->h), to;

			if (!(v > 0))
				continue;
			below += v;
			to = (int)lround(below / top * canvas->h);
			for (int y = from; y < to; y++)
				if (y == to - 1 || has_dot(k, x, y))
					canvas_dot(canvas, x, canvas->h - 1 - y, layer_of[k]);
		}
	}
}

static void
draw_values(const struct pen *pen, struct rect r, int rows, double top)
{
	/* A value of half the top ends in the row of the middle label. */
	const int row[] = {0, rows - rows / 2, rows - 1};
	const double value[] = {top, top / 2, 0};

	for (int k = 0; k < 3; k++) {
		char text[NUMBER_TEXT];

		if ((k == 1 && rows < 4) || (k == 2 && rows < 2))
			continue;
		if (value[k] < 1e4)
			snprintf(text, sizeof text, "%.4g", value[k]);
		else
			number_digits(text, value[k], 3, false);
		pen_right(pen, r.x + GRAPH_AXIS - 1, r.y + row[k], text);
	}
}

static void
draw_times(const struct time_graph *graph, const struct pen *pen, int x, int y, int w)
{
	bool timed = graph->to > graph->from;
	double from = timed ? graph->from : 0, to = timed ? graph->to : (double)graph->n,
	       step = amount_step(to - from, w >= 60 ? 5 : 3);
	char last[NUMBER_TEXT];
	int free_from = x, end;

	snprintf(last, sizeof last, to < 100 ? "%.3g%s" : "%.0f%s", to, timed ? " s" : "");
	end = x + w - pen_columns(pen, last);
	pen_right(pen, x + w, y, last);
	for (double t = ceil(from / step) * step; t < to; t += step) {
		char text[NUMBER_TEXT];
		int at = x + (int)lround((t - from) / (to - from) * w), long_is;

		snprintf(text, sizeof text, "%.4g", fabs(t) < step / 2 ? 0 : t);
		long_is = pen_columns(pen, text);
		if (at < free_from || at + long_is + 1 > end)
			continue;
		pen_text(pen, at, y, text);
		free_from = at + long_is + 1;
	}
}

/* The legend is in the upper left, where a growing queue leaves room. It has the patterns of the areas. */
static void
time_graph_draw_legend(const struct time_graph *graph, struct grid *grid, struct rect r)
{
	struct pen p = pen_on(grid, (struct rect){r.x, r.y, r.w, 1}, ROLE_TEXT);
	int x = r.x + GRAPH_AXIS + 1;

	for (size_t k = graph->n_series; k-- > 0 && r.w >= LEGEND_FROM;) {
		struct canvas *canvas = canvas_new(1, 1);
		enum role role[PLOT_LAYERS] = {0};

		role[layer_of[k]] = p.fg = graph->series[k].role;
		for (int i = 0; i < 8; i++)
			if (has_dot(k, i % 2, i / 2))
				canvas_dot(canvas, i % 2, 3 - i / 2, layer_of[k]);
		pen_text(&p, x, r.y, "  ");
		canvas_draw(canvas, &p, x, r.y, role);
		canvas_free(canvas);
		pen_text(&p, x + 1, r.y, " ");
		x += 2 + pen_text(&p, x + 2, r.y, graph->series[k].name);
		x += pen_text(&p, x, r.y, "  ");
	}
}

void
graph_draw(const struct time_graph *graph, struct grid *grid, struct rect r)
{
	int rows = r.h - 1, columns = r.w - GRAPH_AXIS - 1;
	struct pen p = pen_on(grid, r, ROLE_DIM);
	enum role role[PLOT_LAYERS] = {0};
	struct canvas *canvas;

	if (rows < 1 || columns < 4 || graph->n == 0)
		return;
	canvas = canvas_new(columns, rows);
	time_graph_fill(graph, canvas, graph_top(graph));
	for (size_t k = 0; k < graph->n_series; k++)
		role[layer_of[k]] = graph->series[k].role;
	draw_values(&p, r, rows, graph_top(graph));
	canvas_draw(canvas, &p, r.x + GRAPH_AXIS, r.y, role);
	if (graph->n_series > 1)
		time_graph_draw_legend(graph, grid, r);
	draw_times(graph, &p, r.x + GRAPH_AXIS, r.y + r.h - 1, columns);
	canvas_free(canvas);
}
