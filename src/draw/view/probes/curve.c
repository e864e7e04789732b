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
window_of(const struct scene *s, bool log, struct window *w)
{
	double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY, room;

	include(s->main, &x0, &x1, &y0, &y1);
	include(s->other, &x0, &x1, &y0, &y1);
	if (!(x0 <= x1) || !isfinite(y0) || !isfinite(y1))
		return false;
	if (s->probe) {
		x0 = fmin(x0, (double)s->probe->first);
		x1 = fmax(x1, (double)s->probe->last);
	}
	w->log = log && x0 > 0;
	w->x0 = w->log ? scaled_x(w, x0) : x0;
	w->x1 = w->log ? scaled_x(w, x1) : x1;
	w->x1 = w->x1 > w->x0 ? w->x1 : w->x0 + 1;
	if (y0 > 0 && y0 < 0.4 * y1)
		y0 = 0;
	room = fmax((y1 - y0) * 0.12, fabs(y1) * 0.04);
	room = room > 0 ? room : 1;
	w->y0 = y0 == 0 ? 0 : y0 - room > 0 || y0 < 0 ? y0 - room : 0;
	w->y1 = y1 + 1.5 * room;
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
draw_y_ticks(const struct pen *p, struct rect plot, const struct window *w)
{
	double step = amount_step(w->y1 - w->y0, fmax(2, plot.h / (double)TICK_ROWS));
	char text[PROBE_TEXT];
	int widest = 1;

	for (double y = ceil(w->y0 / step) * step; y <= w->y1; y += step) {
		int columns = pen_columns(p, y_text(text, fabs(y) < step / 2 ? 0 : y, step));

		widest = columns > widest ? columns : widest;
		if (plot.w > 0)
			pen_right(p, plot.x - 1, plot.y + (int)(dot_y(w, y) / 4), text);
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
draw_x_ticks(const struct pen *p, struct rect plot, const struct scene *s)
{
	const struct window *w = &s->w;
	int free_from = 0;
	double step;

	if (w->log) {
		for (double e = ceil(w->x0 - 1e-9); e <= w->x1; e++)
			draw_x_tick(p, plot, s, exp2(e), &free_from);
		return;
	}
	step = amount_step(w->x1 - w->x0, fmax(2, plot.w / (double)TICK_COLUMNS));
	if (s->probe && s->probe->footprint)
		step = exp2(ceil(log2(step)));
	for (double x = ceil(w->x0 / step) * step; x <= w->x1; x += step)
		draw_x_tick(p, plot, s, x, &free_from);
}

/* The body has instructions of one kind. */
static bool
one_op(const struct probe *p)
{
	return p->fill.body.n == 1;
}

/* What x is, in fewer words where there is little room. */
static void
add_x_words(struct line *l, const struct scene *s)
{
	const struct probe *p = s->probe;
	const char *op = p && one_op(p) ? probe_op_name(p->fill.body.step[0].op) : "";
	const char *what = p && p->footprint ? "bytes" : "instructions",
		   *where = !p ? "" : p->of_code ? " of code that run again and again"
		: p->footprint ? " that are read again and again"
		: p->block ? " between two misses" : " in a pass";
	const char *own = s->main ? s->main->curve.x_name : NULL;
	char *words;

	if (!own && !p)
		return;
	op = p && p->footprint ? "" : op;
	words = own ? mem_str(own) : str_format("%s%s%s%s", op, *op ? " " : "", what, where);
	if (!own && l->x + pen_columns(&l->pen, words) > l->end) {
		free(words);
		words = str_format("%s%s%s", op, *op ? " " : "", what);
	}
	if (!own && *op && l->x + pen_columns(&l->pen, words) > l->end) {
		free(words);
		words = str_format("x: %s", op);
	}
	line_add(l, ROLE_DIM, 0, "%s", words);
	free(words);
}

/* What x is, with the machine of each curve where there are two. */
static void
curve_draw_legend(const struct state *state, struct grid *g, struct rect r, const struct scene *s)
{
	struct line l = line_on(g, r, 0);
	const struct probe_book *b = state->data.probes;

	l.x = r.x;
	if (s->other) {
		line_add(&l, ROLE_ACCENT, CELL_BOLD, "%s", g->ascii ? "@@" : "⠤⠤");
		line_add(&l, ROLE_TEXT, 0, " %s  ", b->machine);
		line_add(&l, ROLE_PATH4, CELL_BOLD, "%s", g->ascii ? "oo" : "⠄⠄");
		line_add(&l, ROLE_TEXT, 0, " %s  ", b->other);
	}
	add_x_words(&l, s);
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
draw_points(const struct scene *s, const struct curve *c, enum plot_layer layer, int off)
{
	double x = 0, y = 0;

	for (size_t i = 0; i < c->n; i++) {
		double next_x = dot_x(&s->w, c->point[i].x), next_y = dot_y(&s->w, c->point[i].mean);

		if (i && fabs(next_x - x) + fabs(next_y - y) < 1 + off)
			continue; /* points may be closer together than dots */
		if (i)
			canvas_line(s->canvas, x, y, next_x, next_y, layer, 1, off);
		else
			canvas_dot(s->canvas, next_x, next_y, layer);
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
put_label(const struct scene *s, const struct pen *p, struct rect plot, double x, double y, const char *text)
{
	static const int away[] = {-1, 1, -2, 2, -3, 3, -4, 4, -5, 5, -6, 6};
	int columns = pen_columns(p, text), column = (int)(dot_x(&s->w, x) / 2) - columns / 2,
	    row = (int)(dot_y(&s->w, y) / 4);

	column = column + columns > plot.w - 1 ? plot.w - 1 - columns : column < 1 ? 1 : column;
	for (size_t i = 0; i < sizeof away / sizeof *away; i++)
		if (is_free(s->canvas, p, plot, column - 1, row + away[i], columns + 2)) {
			pen_text(p, plot.x + column, plot.y + row + away[i], text);
			return;
		}
}

/* What a trend says: "both loads overlap", "4 cycles each". */
static char *
trend_words(const struct scene *s, const struct knee *answer, const struct knee_trend *t)
{
	const struct probe *p = s->probe;
	double middle = trend_at(t, (t->first + t->last) / 2);
	char number[NUMBER_TEXT];

	if (p && p->value == PROBE_SLOPE)
		return str_format("%s cycles each", number_digits(number, t->slope, 3, false));
	if (p && p->value == PROBE_RATE && t->slope > 0)
		return str_format("%s in a cycle", number_digits(number, 1 / t->slope, 3, false));
	if (p && p->block && answer)
		return str_format("%s", t->last <= answer->high ? "both loads overlap" : "they do not");
	return str_format("%s %s", number_digits(number, middle, 3, false), probe_y_words(p));
}

static void
label_trends(const struct scene *s, struct pen *p, struct rect plot, const struct knee *answer)
{
	const struct knees *k = s->main->knees;

	p->fg = ROLE_TEXT;
	for (size_t i = 0; i < k->n_trends; i++) {
		const struct knee_trend *t = &k->trend[i];
		char *text = trend_words(s, answer, t);
		double middle = s->w.log ? sqrt(fmax(t->first, 1) * t->last) : (t->first + t->last) / 2;

		put_label(s, p, plot, middle, trend_at(t, middle), text);
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
label_knee(const struct scene *s, struct pen *p, struct rect plot, const struct knee *k)
{
	char x[PROBE_TEXT], low[PROBE_TEXT], high[PROBE_TEXT];
	char *text = str_format("knee %s (%s to %s)", probe_x_text(x, s->probe, k->x),
		probe_x_text(low, s->probe, k->low), probe_x_text(high, s->probe, k->high));
	int at = (int)(dot_x(&s->w, k->x) / 2);

	p->fg = ROLE_ACCENT;
	if (pen_columns(p, text) + 2 > plot.w * 2 / 3 || !put_beside(s, p, plot, at, text)) {
		free(text);
		text = str_format("knee %s", x);
		put_beside(s, p, plot, at, text);
	}
	free(text);
}

/* --- the pane ---------------------------------------------------------------------------------------------------- */

static void
curve_draw_nothing(const struct state *s, struct grid *g, struct rect r)
{
	struct page p = {.s = s, .g = g, .r = r};
	const struct probe_entry *e = state_probe(s);

	page_blank(&p);
	if (e && !probe_book_runs(s->data.probes, s->data.probes->machine, s->view.probes.chosen))
		page_words(&p, ROLE_DIM,
			"This probe needs a processor itself; it does not run on a simulated machine.");
	else if (state_probing(s))
		page_words(&p, ROLE_DIM, "Its first point is measured, or it waits for its turn.");
	else if (e && e->probe)
		page_words(&p, ROLE_DIM, "Not measured yet. Enter measures this probe, a all of them.");
	else if (e && e->fault)
		page_words(&p, ROLE_DIM, "The file of this probe cannot be read. i shows why.");
}

static void
draw_scene(const struct state *state, struct grid *g, struct rect r, struct scene *s)
{
	static const enum role role[PLOT_LAYERS] = {[PLOT_FILL] = ROLE_FRAME, [PLOT_EDGE] = ROLE_DIM,
		[PLOT_SAMPLE] = ROLE_PATH4, [PLOT_GAP] = ROLE_TEXT, [PLOT_POINT] = ROLE_ACCENT};
	struct pen p = pen_on(g, r, ROLE_DIM);
	struct rect plot = {r.x, r.y, 0, r.h - LEGEND_ROWS};
	const struct knee *k = answer_knee(s);
	int gutter;

	s->w.rows = plot.h;
	gutter = draw_y_ticks(&p, plot, &s->w);
	if (plot.h < 2 || r.w < gutter + 8)
		return;
	plot = (struct rect){r.x + gutter, r.y, r.w - gutter - 1, plot.h};
	s->w.columns = plot.w;
	s->canvas = canvas_new(plot.w, plot.h);
	if (k)
		draw_knee(s, k);
	if (s->other)
		draw_points(s, &s->other->curve, PLOT_SAMPLE, 2);
	if (s->main && s->main->knees)
		draw_fit(s, s->main->knees);
	if (s->main) {
		draw_ranges(s, &s->main->curve);
		draw_points(s, &s->main->curve, PLOT_POINT, 0);
	}
	p.clip = plot;
	canvas_draw(s->canvas, &p, plot.x, plot.y, role);
	if (k)
		label_knee(s, &p, plot, k);
	if (s->main && s->main->knees)
		label_trends(s, &p, plot, k);
	canvas_free(s->canvas);
	p = pen_on(g, r, ROLE_DIM);
	draw_y_ticks(&p, plot, &s->w);
	draw_x_ticks(&p, plot, s);
	curve_draw_legend(state, g, (struct rect){plot.x, plot.y + plot.h + 1, plot.w, 1}, s);
}

void
draw_curve(const struct state *state, struct grid *g, struct rect r, bool focus, struct drawn *d)
{
	const struct probe_entry *e = state_probe(state);
	struct scene s = {.probe = e ? e->probe : NULL, .main = state_probe_curve(state, false),
		.other = state->view.probes.beside ? state_probe_curve(state, true) : NULL};

	(void)focus;
	(void)d;
	if (window_of(&s, state->view.probes.log_x, &s.w))
		draw_scene(state, g, r, &s);
	else
		curve_draw_nothing(state, g, r);
}

void
title_curve(const struct state *s, struct str *title, struct str *info)
{
	const struct probe_entry *e = state_probe(s);
	const struct probe_measured *m = state_probe_curve(s, false);

	if (!e) {
		str_add(title, "Curve");
		return;
	}
	str_add(title, e->name);
	if (m && m->curve.y_name)
		str_add(info, m->curve.y_name);
	else
		str_add(info, probe_y_words(e->probe));
}
