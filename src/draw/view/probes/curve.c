/* The curve of the chosen probe: its points, the lines that fit them, the knee with its interval, and what each line
 * means. The other machine's curve is dotted, below it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/curve/knee.h"
#include "draw/amount.h"
#include "draw/plot_canvas.h"
#include "draw/view/probes/probes.h"
#include "explorer/state/state_probes.h"

enum { LEGEND_ROWS = 2, TICK_COLUMNS = 9, TICK_ROWS = 4 };

/* The part of the plane that is shown, and its place on the canvas. */
struct window {
	double x0, x1, y0, y1; /* x: logarithms with `log` */
	bool log;
	int columns, rows;
};

struct scene {
	const struct probe *probe;           /* NULL: no file */
	const struct probe_measured *main, *other; /* NULL: none */
	struct window w;
	struct canvas *canvas;
};

static double
scaled_x(const struct window *w, double x)
{
	return w->log ? log2(fmax(x, 1)) : x;
}

static double
dot_x(const struct window *w, double x)
{
	return (scaled_x(w, x) - w->x0) / (w->x1 - w->x0) * (2 * w->columns - 1);
}

static double
dot_y(const struct window *w, double y)
{
	return (w->y1 - y) / (w->y1 - w->y0) * (4 * w->rows - 1);
}

static void
include(const struct probe_measured *m, double *x0, double *x1, double *y0, double *y1)
{
	for (size_t i = 0; m && i < m->curve.n; i++) {
		const struct curve_point *p = &m->curve.point[i];

		*x0 = fmin(*x0, p->x);
		*x1 = fmax(*x1, p->x);
		*y0 = fmin(*y0, p->min);
		*y1 = fmax(*y1, p->mean); /* one disturbed repetition would flatten the curve */
	}
}

/* The whole range of x, so that a curve that grows stays where it is. False: there is no point. */
static bool
window_of(const struct scene *scene, bool log, struct window *window)
{
	double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY, room;

	include(scene->main, &x0, &x1, &y0, &y1);
	include(scene->other, &x0, &x1, &y0, &y1);
	if (!(x0 <= x1) || !isfinite(y0) || !isfinite(y1))
		return false;
	if (scene->probe) {
		x0 = fmin(x0, (double)scene->probe->first);
		x1 = fmax(x1, (double)scene->probe->last);
	}
	window->log = log && x0 > 0;
	window->x0 = window->log ? scaled_x(window, x0) : x0;
	window->x1 = window->log ? scaled_x(window, x1) : x1;
	window->x1 = window->x1 > window->x0 ? window->x1 : window->x0 + 1;
	if (y0 > 0 && y0 < 0.4 * y1)
		y0 = 0;
	room = fmax((y1 - y0) * 0.12, fabs(y1) * 0.04);
	room = room > 0 ? room : 1;
	window->y0 = y0 == 0 ? 0 : y0 - room > 0 || y0 < 0 ? y0 - room : 0;
	window->y1 = y1 + 1.5 * room;
	return true;
}

/* --- axes -------------------------------------------------------------------------------------------------------- */

static char *
y_text(char out[PROBE_TEXT], double v, double step)
{
	char number[NUMBER_TEXT];
	int places = step >= 1 ? 0 : (int)ceil(-log10(step) - 1e-9);

	if (places == 0)
		snprintf(out, PROBE_TEXT, "%s", number_count(number, v, false));
	else
		snprintf(out, PROBE_TEXT, "%.*f", places < 4 ? places : 4, v);
	return out;
}

/* Ticks to the left of the plot; returns the columns that they need. With plot.w 0 it only measures. */
static int
draw_y_ticks(const struct pen *pen, struct rect plot, const struct window *window)
{
	double step = amount_step(window->y1 - window->y0, fmax(2, plot.h / (double)TICK_ROWS));
	char text[PROBE_TEXT];
	int widest = 1;

	for (double y = ceil(window->y0 / step) * step; y <= window->y1; y += step) {
		int columns = pen_columns(pen, y_text(text, fabs(y) < step / 2 ? 0 : y, step));

		widest = columns > widest ? columns : widest;
		if (plot.w > 0)
			pen_right(pen, plot.x - 1, plot.y + (int)(dot_y(window, y) / 4), text);
	}
	return widest + 2;
}

static void
draw_x_tick(const struct pen *p, struct rect plot, const struct scene *s, double x, int *free_from)
{
	char text[PROBE_TEXT];
	int columns = pen_columns(p, probe_x_text(text, s->probe, x)), at = plot.x + (int)(dot_x(&s->w, x) / 2);

	at -= columns / 2;
	at = at < plot.x ? plot.x : at;
	if (at < *free_from || at + columns > plot.x + plot.w)
		return;
	pen_text(p, at, plot.y + plot.h, text);
	*free_from = at + columns + 2;
}

static void
draw_x_ticks(const struct pen *pen, struct rect plot, const struct scene *scene)
{
	const struct window *window = &scene->w;
	int free_from = 0;
	double step;

	if (window->log) {
		for (double e = ceil(window->x0 - 1e-9); e <= window->x1; e++)
			draw_x_tick(pen, plot, scene, exp2(e), &free_from);
		return;
	}
	step = amount_step(window->x1 - window->x0, fmax(2, plot.w / (double)TICK_COLUMNS));
	if (scene->probe && scene->probe->footprint)
		step = exp2(ceil(log2(step)));
	for (double x = ceil(window->x0 / step) * step; x <= window->x1; x += step)
		draw_x_tick(pen, plot, scene, x, &free_from);
}

/* The body has instructions of one kind. */
static bool
one_op(const struct probe *p)
{
	return p->fill.body.n == 1;
}

/* What x is, in fewer words where there is little room. */
static void
add_x_words(struct line *line, const struct scene *scene)
{
	const struct probe *probe = scene->probe;
	const char *op = probe && one_op(probe) ? probe_op_name(probe->fill.body.step[0].op) : "";
	const char *what = probe && probe->footprint ? "bytes" : "instructions",
		   *where = !probe ? "" : probe->of_code ? " of code that run again and again"
		: probe->footprint ? " that are read again and again"
		: probe->block ? " between two misses" : " in a pass";
	const char *own = scene->main ? scene->main->curve.x_name : NULL;
	char *words;

	if (!own && !probe)
		return;
	op = probe && probe->footprint ? "" : op;
	words = own ? mem_str(own) : str_format("%s%s%s%s", op, *op ? " " : "", what, where);
	if (!own && line->x + pen_columns(&line->pen, words) > line->end) {
		free(words);
		words = str_format("%s%s%s", op, *op ? " " : "", what);
	}
	if (!own && *op && line->x + pen_columns(&line->pen, words) > line->end) {
		free(words);
		words = str_format("x: %s", op);
	}
	line_add(line, ROLE_DIM, 0, "%s", words);
	free(words);
}

/* What x is, with the machine of each curve where there are two. */
static void
curve_draw_legend(const struct state *state, struct grid *grid, struct rect r, const struct scene *scene)
{
	struct line l = line_on(grid, r, 0);
	const struct probe_book *book = state->data.probes;

	l.x = r.x;
	if (scene->other) {
		line_add(&l, ROLE_ACCENT, CELL_BOLD, "%s", grid->ascii ? "@@" : "⠤⠤");
		line_add(&l, ROLE_TEXT, 0, " %s  ", book->machine);
		line_add(&l, ROLE_PATH4, CELL_BOLD, "%s", grid->ascii ? "oo" : "⠄⠄");
		line_add(&l, ROLE_TEXT, 0, " %s  ", book->other);
	}
	add_x_words(&l, scene);
}

/* --- curves ------------------------------------------------------------------------------------------------------ */

/* Down to the least repetition. What a disturbance adds to the greatest says nothing of the machine. */
static void
draw_ranges(const struct scene *s, const struct curve *c)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct curve_point *p = &c->point[i];
		double x = dot_x(&s->w, p->x);

		if (p->mean > p->min)
			canvas_line(s->canvas, x, dot_y(&s->w, p->min), x, dot_y(&s->w, p->mean), PLOT_FILL, 1, 1);
	}
}

/* A line through the points; `off`: dots that are left out between two. */
static void
draw_points(const struct scene *scene, const struct curve *c, enum plot_layer layer, int off)
{
	double x = 0, y = 0;

	for (size_t i = 0; i < c->n; i++) {
		double next_x = dot_x(&scene->w, c->point[i].x), next_y = dot_y(&scene->w, c->point[i].mean);

		if (i && fabs(next_x - x) + fabs(next_y - y) < 1 + off)
			continue; /* points may be closer together than dots */
		if (i)
			canvas_line(scene->canvas, x, y, next_x, next_y, layer, 1, off);
		else
			canvas_dot(scene->canvas, next_x, next_y, layer);
		x = next_x;
		y = next_y;
	}
}

static double
trend_at(const struct knee_trend *t, double x)
{
	return t->a + t->slope * x;
}

static void
draw_fit(const struct scene *s, const struct knees *k)
{
	const struct window *w = &s->w;

	for (size_t i = 0; i < k->n_trends; i++) {
		const struct knee_trend *t = &k->trend[i];
		double reach = 0.04 * (t->last - t->first), first = t->first - reach, last = t->last + reach;

		canvas_line(s->canvas, dot_x(w, first), dot_y(w, trend_at(t, first)), dot_x(w, last),
			dot_y(w, trend_at(t, last)), PLOT_EDGE, 1, 3);
	}
}

/* The first knee at which the curve rises is the answer; NULL: there is none. */
static const struct knee *
answer_knee(const struct scene *s)
{
	const struct knees *k = s->main ? s->main->knees : NULL;

	for (size_t i = 0; k && i < k->n; i++)
		if (!s->probe || (s->probe->value == PROBE_KNEE && k->knee[i].kind == KNEE_JUMP &&
			k->knee[i].after > k->knee[i].before))
			return &k->knee[i];
	return NULL;
}

static void
draw_knee(const struct scene *s, const struct knee *k)
{
	const struct window *w = &s->w;
	double low = dot_x(w, k->low), high = dot_x(w, k->high), x = dot_x(w, k->x);

	for (double at = low; at <= high; at += 2)
		canvas_line(s->canvas, at, 0, at, 4 * w->rows, PLOT_FILL, 1, 7);
	canvas_line(s->canvas, x, 0, x, 4 * w->rows, PLOT_GAP, 1, 3);
}

/* --- labels ------------------------------------------------------------------------------------------------------ */

static bool
is_free(const struct canvas *c, const struct pen *p, struct rect plot, int column, int row, int columns)
{
	if (column < 0 || row < 0 || row >= plot.h || column + columns > plot.w)
		return false;
	for (int i = 0; i < columns; i++) {
		const struct cell *cell = grid_at(p->grid, plot.x + column + i, plot.y + row);

		if (canvas_layer(c, column + i, row) != PLOT_NONE || !cell || cell->cp != ' ')
			return false;
	}
	return true;
}

/* Writes a text near a place, where nothing is drawn. */
static void
put_label(const struct scene *scene, const struct pen *pen, struct rect plot, double x, double y, const char *text)
{
	static const int away[] = {-1, 1, -2, 2, -3, 3, -4, 4, -5, 5, -6, 6};
	int columns = pen_columns(pen, text), column = (int)(dot_x(&scene->w, x) / 2) - columns / 2,
	    row = (int)(dot_y(&scene->w, y) / 4);

	column = column + columns > plot.w - 1 ? plot.w - 1 - columns : column < 1 ? 1 : column;
	for (size_t i = 0; i < sizeof away / sizeof *away; i++)
		if (is_free(scene->canvas, pen, plot, column - 1, row + away[i], columns + 2)) {
			pen_text(pen, plot.x + column, plot.y + row + away[i], text);
			return;
		}
}

/* What a trend says: "both loads overlap", "4 cycles each". */
static char *
trend_words(const struct scene *scene, const struct knee *answer, const struct knee_trend *trend)
{
	const struct probe *probe = scene->probe;
	double middle = trend_at(trend, (trend->first + trend->last) / 2);
	char number[NUMBER_TEXT];

	if (probe && probe->value == PROBE_SLOPE)
		return str_format("%s cycles each", number_digits(number, trend->slope, 3, false));
	if (probe && probe->value == PROBE_RATE && trend->slope > 0)
		return str_format("%s in a cycle", number_digits(number, 1 / trend->slope, 3, false));
	if (probe && probe->block && answer)
		return str_format("%s", trend->last <= answer->high ? "both loads overlap" : "they do not");
	return str_format("%s %s", number_digits(number, middle, 3, false), probe_y_words(probe));
}

static void
label_trends(const struct scene *scene, struct pen *pen, struct rect plot, const struct knee *answer)
{
	const struct knees *knees = scene->main->knees;

	pen->fg = ROLE_TEXT;
	for (size_t i = 0; i < knees->n_trends; i++) {
		const struct knee_trend *t = &knees->trend[i];
		char *text = trend_words(scene, answer, t);
		double middle = scene->w.log ? sqrt(fmax(t->first, 1) * t->last) : (t->first + t->last) / 2;

		put_label(scene, pen, plot, middle, trend_at(t, middle), text);
		free(text);
	}
}

/* Writes a text left of a column, or right of it, as far up as there is room. False: there is none. */
static bool
put_beside(const struct scene *s, const struct pen *p, struct rect plot, int at, const char *text)
{
	int columns = pen_columns(p, text), column[] = {at - columns - 1, at + 2};

	for (int row = 0; row < plot.h; row++)
		for (size_t i = 0; i < sizeof column / sizeof *column; i++)
			if (is_free(s->canvas, p, plot, column[i], row, columns)) {
				pen_text(p, plot.x + column[i], plot.y + row, text);
				return true;
			}
	return false;
}

/* "knee 126 (126 to 128)", or without its interval, at the top and beside the line. */
static void
label_knee(const struct scene *scene, struct pen *pen, struct rect plot, const struct knee *k)
{
	char x[PROBE_TEXT], low[PROBE_TEXT], high[PROBE_TEXT];
	char *text = str_format("knee %s (%s to %s)", probe_x_text(x, scene->probe, k->x),
		probe_x_text(low, scene->probe, k->low), probe_x_text(high, scene->probe, k->high));
	int at = (int)(dot_x(&scene->w, k->x) / 2);

	pen->fg = ROLE_ACCENT;
	if (pen_columns(pen, text) + 2 > plot.w * 2 / 3 || !put_beside(scene, pen, plot, at, text)) {
		free(text);
		text = str_format("knee %s", x);
		put_beside(scene, pen, plot, at, text);
	}
	free(text);
}

/* --- the pane ---------------------------------------------------------------------------------------------------- */

static void
curve_draw_nothing(const struct state *state, struct grid *grid, struct rect r)
{
	struct page p = {.s = state, .g = grid, .r = r};
	const struct probe_entry *entry = state_probe(state);

	page_blank(&p);
	if (entry && !probe_book_runs(state->data.probes, state->data.probes->machine, state->view.probes.chosen))
		page_words(&p, ROLE_DIM,
			"This probe needs a processor itself; it does not run on a simulated machine.");
	else if (state_probing(state))
		page_words(&p, ROLE_DIM, "Its first point is measured, or it waits for its turn.");
	else if (entry && entry->probe)
		page_words(&p, ROLE_DIM, "Not measured yet. Enter measures this probe, a all of them.");
	else if (entry && entry->fault)
		page_words(&p, ROLE_DIM, "The file of this probe cannot be read. i shows why.");
}

static void
draw_scene(const struct state *state, struct grid *grid, struct rect r, struct scene *scene)
{
	static const enum role role[PLOT_LAYERS] = {[PLOT_FILL] = ROLE_FRAME, [PLOT_EDGE] = ROLE_DIM,
		[PLOT_SAMPLE] = ROLE_PATH4, [PLOT_GAP] = ROLE_TEXT, [PLOT_POINT] = ROLE_ACCENT};
	struct pen p = pen_on(grid, r, ROLE_DIM);
	struct rect plot = {r.x, r.y, 0, r.h - LEGEND_ROWS};
	const struct knee *knee = answer_knee(scene);
	int gutter;

	scene->w.rows = plot.h;
	gutter = draw_y_ticks(&p, plot, &scene->w);
	if (plot.h < 2 || r.w < gutter + 8)
		return;
	plot = (struct rect){r.x + gutter, r.y, r.w - gutter - 1, plot.h};
	scene->w.columns = plot.w;
	scene->canvas = canvas_new(plot.w, plot.h);
	if (knee)
		draw_knee(scene, knee);
	if (scene->other)
		draw_points(scene, &scene->other->curve, PLOT_SAMPLE, 2);
	if (scene->main && scene->main->knees)
		draw_fit(scene, scene->main->knees);
	if (scene->main) {
		draw_ranges(scene, &scene->main->curve);
		draw_points(scene, &scene->main->curve, PLOT_POINT, 0);
	}
	p.clip = plot;
	canvas_draw(scene->canvas, &p, plot.x, plot.y, role);
	if (knee)
		label_knee(scene, &p, plot, knee);
	if (scene->main && scene->main->knees)
		label_trends(scene, &p, plot, knee);
	canvas_free(scene->canvas);
	p = pen_on(grid, r, ROLE_DIM);
	draw_y_ticks(&p, plot, &scene->w);
	draw_x_ticks(&p, plot, scene);
	curve_draw_legend(state, grid, (struct rect){plot.x, plot.y + plot.h + 1, plot.w, 1}, scene);
}

void
draw_curve(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	const struct probe_entry *entry = state_probe(state);
	struct scene s = {.probe = entry ? entry->probe : NULL, .main = state_probe_curve(state, false),
		.other = state->view.probes.beside ? state_probe_curve(state, true) : NULL};

	(void)focus;
	(void)drawn;
	if (window_of(&s, state->view.probes.log_x, &s.w))
		draw_scene(state, grid, r, &s);
	else
		curve_draw_nothing(state, grid, r);
}

void
title_curve(const struct state *state, struct str *title, struct str *info)
{
	const struct probe_entry *entry = state_probe(state);
	const struct probe_measured *measured = state_probe_curve(state, false);

	if (!entry) {
		str_add(title, "Curve");
		return;
	}
	str_add(title, entry->name);
	if (measured && measured->curve.y_name)
		str_add(info, measured->curve.y_name);
	else
		str_add(info, probe_y_words(entry->probe));
}
