/* View 4, Geometry: cone, region and samples of one observation as a shadow on two axes, in braille. */
#include "draw/view/geometry/geometry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "draw/view/view_page.h"
#include "draw/view/view_relation.h"
#include "draw/view/view_table.h"
#include "draw/view/view_trust.h"

#define AXIS_ROWS 14      /* rows of a plot that names its axes inside, too */

static const struct pane_spec plot_wish[] = {
	{.priority = 0, .band = 0, .column = 0, .min_w = 20, .min_h = 5, .weight_w = 3, .weight_h = 1},
};
static const struct pane_spec legend_wish[] = {
	{.priority = 1, .band = 0, .column = 1, .min_w = 22, .min_h = 8, .max_w = 22, .from_w = 70, .below_w = 110,
		.weight_h = 1},
	{.priority = 1, .band = 0, .column = 1, .min_w = 37, .min_h = 17, .weight_w = 1, .from_w = 110, .weight_h = 1},
};
static const struct pane_spec whole_wish[] = {
	{.priority = 2, .band = 0, .column = 1, .min_w = 37, .min_h = 14, .weight_w = 1, .from_w = 110, .from_h = 30,
		.weight_h = 1},
};

/* From the origin to a point beyond the window. */
static void
draw_edge(struct canvas *v, const struct window *w, struct geometry_point way, double aside)
{
	double far = fmax(fabs(way.x) / fmax(fabs(w->x1), fabs(w->x0)), fabs(way.y) / fmax(fabs(w->y1), fabs(w->y0))),
	       t = far > 0 ? 2 / far : 0;

	canvas_line(v, plot_dot_x(w, 0) + aside, plot_dot_y(w, 0), plot_dot_x(w, way.x * t) + aside,
		plot_dot_y(w, way.y * t), PLOT_EDGE, 1, 0);
}

static bool
in_cone(const struct geometry_shadow *s, double x, double y)
{
	return s->cone && s->lo.x * y - s->lo.y * x > 0 && s->hi.y * x - s->hi.x * y > 0 && x > 0;
}

static void
draw_cone(struct canvas *canvas, const struct window *window, const struct geometry_shadow *shadow)
{
	bool line = shadow->lo.x * shadow->hi.y == shadow->lo.y * shadow->hi.x;

	for (int j = 2; j < canvas->h; j += 4)
		for (int i = 0; i < canvas->w; i += 4) {
			double x = window->x0 + (i + 0.5) / (canvas->w - 1) * (window->x1 - window->x0),
			       y = window->y1 - (j + 0.5) / (canvas->h - 1) * (window->y1 - window->y0);

			if (in_cone(shadow, x, y))
				canvas_dot(canvas, i, j, PLOT_FILL);
		}
	if (!shadow->cone)
		return;
	if (line || shadow->lo.y > 0) /* an edge along an axis says only that counts are not negative */
		draw_edge(canvas, window, shadow->lo, 0);
	if (line || shadow->hi.x > 0)
		draw_edge(canvas, window, shadow->hi, 0);
	if (line) /* the whole cone is this line */
		draw_edge(canvas, window, shadow->hi, 1);
}

static void
draw_polygon(struct canvas *v, const struct window *w, const struct geometry_polygon *p, enum plot_layer layer, int on,
	int off)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct geometry_point *a = &p->at[i], *b = &p->at[(i + 1) % p->n];

		canvas_line(v, plot_dot_x(w, a->x), plot_dot_y(w, a->y), plot_dot_x(w, b->x), plot_dot_y(w, b->y),
			layer, on, off);
	}
}

/* A ring around the exact point, and the gap to the cone. */
static void
draw_point(struct canvas *canvas, const struct window *window, const struct scene *c)
{
	double x = plot_dot_x(window, c->shadow.mean.x), y = plot_dot_y(window, c->shadow.mean.y);
	struct geometry_point up, side;

	if (c->shadow.margin > 0 && plot_edge_at_mean(c, &up, &side)) {
		canvas_line(canvas, x, y, plot_dot_x(window, up.x), plot_dot_y(window, up.y), PLOT_GAP, 1, 2);
		canvas_line(canvas, x, y, plot_dot_x(window, side.x), plot_dot_y(window, side.y), PLOT_GAP, 1, 2);
	}
	canvas_dot(canvas, x, y, PLOT_POINT);
	for (int k = 0; k < 16; k++)
		canvas_dot(canvas, x + 2.6 * cos(k * M_PI / 8), y + 2.6 * sin(k * M_PI / 8), PLOT_POINT);
}

static void
draw_scene(const struct state *state, const struct scene *scene, struct canvas *canvas, const struct window *window)
{
	static const enum plot_layer layer[3] = {
		[REGION_ELLIPSOID] = PLOT_ELLIPSE, [REGION_BOX] = PLOT_ROTATED, [REGION_INDEPENDENT] = PLOT_INDEPENDENT
	};

	draw_cone(canvas, window, &scene->shadow);
	for (int k = 2; k >= 0; k--)
		if (scene_boxes(state, (enum region_kind)k))
			draw_polygon(canvas, window, &scene->shadow.region[k], layer[k], k == REGION_ELLIPSOID ? 1 : 2,
				k == REGION_ELLIPSOID ? 0 : k == REGION_BOX ? 1 : 2);
	for (size_t k = 0; k < scene->g->n_samples; k++)
		canvas_dot(canvas, plot_dot_x(window, plot_sample_along(scene->g, k, scene->plane.x)),
			plot_dot_y(window, plot_sample_along(scene->g, k, scene->plane.y)), PLOT_SAMPLE);
	if (scene->g->point)
		draw_point(canvas, window, scene);
}

/* Returns 1, 2 or 5 times a power of ten, for at most this many steps; at least 1 if counts are exact. */
static double
tick_step(double span, int most, bool whole)
{
	double rough = span / (most > 1 ? most : 1), ten = pow(10, floor(log10(rough)));

	ten *= rough <= ten ? 1 : rough <= 2 * ten ? 2 : rough <= 5 * ten ? 5 : 10;
	return whole && ten < 1 ? 1 : ten;
}

/* Ticks as short as the steps allow: "50 k", "9.725 M", "10 656". */
static char *
tick_text(char out[NUMBER_TEXT], double v, double step, double most)
{
	static const struct { double unit; char sign; } big[] = {{1e12, 'T'}, {1e9, 'G'}, {1e6, 'M'}, {1e3, 'k'}};
	double size = fmax(fabs(most), fabs(v));
	char fraction[NUMBER_TEXT];
	int places;

	if (fabs(v) < step / 2) {
		snprintf(out, NUMBER_TEXT, "0");
		return out;
	}
	for (size_t i = 0; i < sizeof big / sizeof *big && size >= 1e5; i++) {
		places = step < big[i].unit ? (int)ceil(log10(big[i].unit / step) - 1e-9) : 0;
		if (size < big[i].unit || places > 3)
			continue;
		snprintf(out, NUMBER_TEXT, "%.*f %c", places, v / big[i].unit, big[i].sign);
		return out;
	}
	if (step >= 1)
		return number_exact(out, llround(v), false, false);
	places = (int)ceil(-log10(step) - 1e-9);
	snprintf(fraction, sizeof fraction, "%.*f", places, fabs(v - trunc(v)));
	if (*fraction == '0') { /* else it was rounded up to 1 */
		size_t n = strlen(number_exact(out, (long long)trunc(v), false, false));

		snprintf(out + n, NUMBER_TEXT - n, "%s", fraction + 1);
	} else {
		number_exact(out, llround(v), false, false);
	}
	return out;
}

/* Draws ticks of the y axis in the gutter to the left of the plot; returns its width. While the plot begins at column 0
 * there is no gutter, and this only measures it. */
static int
draw_y_ticks(struct pen *pen, struct rect plot, const struct window *window)
{
	double step = tick_step(window->y1 - window->y0, plot.h / 4, window->whole);
	char text[NUMBER_TEXT];
	int widest = 1;

	for (double y = ceil(window->y0 / step) * step; y <= window->y1; y += step) {
		int row = (int)(plot_dot_y(window, y) / 4), columns;

		tick_text(text, y, step, window->y1);
		columns = pen_columns(pen, text);
		widest = columns > widest ? columns : widest;
		if (plot.x > 0)
			pen_right(pen, plot.x - 1, plot.y + row, text);
	}
	return widest + 2;
}

static void
draw_x_ticks(struct pen *pen, struct rect plot, const struct window *window)
{
	double step = tick_step(window->x1 - window->x0, plot.w / 10, window->whole);
	int free_from = 0;

	for (double x = ceil(window->x0 / step) * step; x <= window->x1; x += step) {
		char text[NUMBER_TEXT];
		int columns, at;

		tick_text(text, x, step, window->x1);
		columns = pen_columns(pen, text);
		at = plot.x + (int)(plot_dot_x(window, x) / 2) - (x <= window->x0 ? 0 : columns / 2);
		if (at < free_from || at < plot.x - 1 || at + columns > plot.x + plot.w)
			continue;
		pen_text(pen, at, plot.y + plot.h, text);
		free_from = at + columns + 2;
	}
}

/* Is the area under these cells uniform: all inside the cone, or all outside with nothing drawn? */
static bool
room_for(const struct canvas *v, int column, int row, int columns, enum plot_layer ground)
{
	for (int i = 0; i < columns; i++) {
		enum plot_layer here = canvas_layer(v, column + i, row);

		if (2 * (column + i) >= v->w || (here != ground && here != PLOT_NONE))
			return false;
	}
	return column >= 0;
}

/* Writes "cone", and below it the text, in a uniform area. False: there is no such area. */
static bool
label_with(const struct scene *c, const struct canvas *canvas, const struct window *window, struct pen *pen,
	struct rect plot, const char *text)
{
	int columns = pen_columns(pen, text) > 4 ? pen_columns(pen, text) : 4;

	pen->fg = ROLE_FEASIBLE;
	for (int row = plot.h * 3 / 4; row > 0 && row < plot.h - 1; row--)
		for (int x = plot.w - columns - 1; x >= 0; x -= 2) {
			double left = window->x0 + (window->x1 - window->x0) * x / plot.w,
			       y = window->y1 - (window->y1 - window->y0) * row / plot.h;

			if (!in_cone(&c->shadow, left, y) || !room_for(canvas, x, row, columns, PLOT_FILL) ||
				!room_for(canvas, x, row + 1, columns, PLOT_FILL))
				continue;
			pen->attr = CELL_BOLD;
			pen_text(pen, plot.x + x + (columns - 4) / 2, plot.y + row, "cone");
			pen->attr = 0;
			pen_text(pen, plot.x + x, plot.y + row + 1, text);
			return true;
		}
	return false;
}

/* Labels the cone with what its edge says, if there is room for that. */
static void
label_cone(const struct state *state, const struct scene *c, const struct canvas *canvas, const struct window *window,
	struct pen *pen, struct rect plot)
{
	char *text = edge_text(state, c), *shown = relation_pretty(text ? text : "");

	if (!label_with(c, canvas, window, pen, plot, shown))
		label_with(c, canvas, window, pen, plot, "");
	free(shown);
	free(text);
}

/* Where the region's cells begin and end on the canvas. */
static void
region_cells(const struct state *state, const struct scene *scene, const struct window *w, int *left, int *right)
{
	const struct geometry_polygon *p = plot_deciding_region(state, scene);
	double at = plot_dot_x(w, scene->shadow.mean.x), first = at - 3, last = at + 3;

	for (size_t i = 0; i < p->n; i++) {
		first = fmin(first, plot_dot_x(w, p->at[i].x));
		last = fmax(last, plot_dot_x(w, p->at[i].x));
	}
	*left = (int)fmax(first / 2, 0);
	*right = (int)fmin(last / 2, w->columns - 1);
}

/* Writes the observation's name, and its region's level or how far the point is off, next to it in a uniform area. */
static void
label_point(const struct state *state, const struct scene *c, struct canvas *canvas, const struct window *window,
	struct pen *pen, struct rect plot)
{
	const struct finding *finding = state_finding(state);
	struct str text = {0};
	int left, right, columns, middle;

	if (!isfinite(c->shadow.mean.y))
		return; /* it lacks one of the two counters */
	middle = (int)(plot_dot_y(window, c->shadow.mean.y) / 4);
	str_add(&text, finding->name);
	if (!c->g->point && c->g->spread)
		str_addf(&text, ", %g %% region", state->question.how.confidence * 100);
	columns = pen_columns(pen, str_text(&text));
	region_cells(state, c, window, &left, &right);
	pen->fg = verdict_role(finding->verdict);
	for (int k = 0; k < 2 * plot.h; k++) {
		int row = middle + (k % 2 ? -(k + 1) / 2 : k / 2);

		for (int side = 0; side < 3 && row >= 0 && row < plot.h; side++) {
			int x = side == 0 ? right + 2 : side == 1 ? left - 2 - columns : (left + right - columns) / 2;

			if (!room_for(canvas, x, row, columns, PLOT_FILL))
				continue;
			pen->attr = CELL_BOLD;
			pen_text(pen, plot.x + x, plot.y + row, str_text(&text));
			pen->attr = 0;
			for (int i = 0; i < columns; i++) /* taken */
				canvas_dot(canvas, 2 * (x + i), 4 * row, PLOT_POINT);
			str_free(&text);
			return;
		}
	}
	str_free(&text);
}

/* What an axis counts, in the words of its counters; their names where it is a sum that would be too long. */
static void
draw_axis_words(const struct state *state, const struct scene *scene, struct pen *pen, struct rect r, bool x_axis)
{
	const int64_t *coef = x_axis ? scene->plane.x : scene->plane.y;
	struct str words = {0}, out = {0};
	char *name = axis_name(state, scene, coef);

	for (size_t i = 0; i < scene->g->n; i++) {
		const char *text = state->question.model->counter[scene->g->counter[i]].text;

		if (coef[i] && *text)
			str_addf(&words, "%s%s", words.n ? " + " : "", text);
	}
	str_addf(&out, "%s ", x_axis ? "→" : "↑");
	if (x_axis || !words.n)
		str_addf(&out, "%s%s", name, words.n ? ": " : "");
	str_add(&out, str_text(&words));
	if (words.n && pen_columns(pen, str_text(&out)) > r.w) {
		str_clear(&out);
		str_addf(&out, "%s %s", x_axis ? "→" : "↑", name);
	}
	pen_text(pen, x_axis && pen_columns(pen, str_text(&out)) < r.w ? r.x + r.w - pen_columns(pen, str_text(&out))
		: r.x, r.y, str_text(&out));
	str_free(&out);
	str_free(&words);
	free(name);
}

/* Draws the plot; with `words` and enough rows, also what its axes count. */
static void
draw_plot_in(const struct state *state, const struct scene *scene, struct grid *grid, struct rect r,
	enum plot_zoom zoom, bool words)
{
	struct pen p = pen_on(grid, r, ROLE_DIM);
	bool named = words && r.h >= AXIS_ROWS;
	struct rect plot = {0, r.y, r.w, r.h - 1};
	struct window w = zoom == ZOOM_WHOLE ? plot_whole_window(state, scene, plot)
					     : plot_region_window(state, scene, plot);
	enum role role[PLOT_LAYERS];
	struct canvas *canvas;
	int gutter;

	w.whole = scene->g->point;
	gutter = draw_y_ticks(&p, plot, &w);
	if (r.h < 3 || r.w < gutter + 4)
		return;
	if (named) {
		draw_axis_words(state, scene, &p, (struct rect){r.x + 1, r.y, r.w - 2, 1}, false);
		draw_axis_words(state, scene, &p, (struct rect){r.x + 1, r.y + r.h - 1, r.w - 2, 1}, true);
		r.y++;
		r.h -= 2;
	}
	plot = (struct rect){r.x + gutter, r.y, r.w - gutter - 1, r.h - 1};
	w.columns = plot.w;
	w.rows = plot.h;
	canvas = canvas_new(plot.w, plot.h);
	draw_scene(state, scene, canvas, &w);
	scene_roles(state, role);
	p.clip = plot;
	canvas_draw(canvas, &p, plot.x, plot.y, role);
	if (!state_stale(state))
		label_point(state, scene, canvas, &w, &p, plot);
	if (!state_stale(state))
		label_cone(state, scene, canvas, &w, &p, plot);
	canvas_free(canvas);
	p = pen_on(grid, r, ROLE_DIM);
	draw_y_ticks(&p, plot, &w);
	draw_x_ticks(&p, plot, &w);
}

/* Why there is no plot, and which key helps. */
static void
geometry_draw_nothing(const struct state *state, struct grid *grid, struct rect r)
{
	const struct finding *finding = state_finding(state);
	struct page p = {.s = state, .g = grid, .r = r};

	if (!state->answers.result || state->answers.result->error) {
		page_words(&p, ROLE_DIM,
			state->answers.result ? "This choice of features makes an error, so there is no cone."
				  : "The cone is being computed; its shadow comes here.");
		page_words(&p, ROLE_DIM, "1 shows the features.");
	} else if (!finding) {
		page_words(&p, ROLE_TEXT, "There is no observation to draw.");
		page_words(&p, ROLE_DIM, "r runs a command under this model.");
	} else if (!state->answers.geometry || state->answers.geometry->finding != state->view.selected) {
		page_words(&p, ROLE_DIM, "Cone and region are being computed.");
	} else if (state->answers.geometry->failed) {
		page_words(&p, ROLE_TEXT,
			finding->reason ? finding->reason
				: "There is no picture of this observation: its computation was stopped.");
		page_words(&p, ROLE_DIM, "] shows the next observation.");
	} else {
		page_words(&p, ROLE_TEXT, "This observation shares a single counter with the model: a plot needs two.");
		page_words(&p, ROLE_DIM, "] shows the next observation.");
	}
}

static void
draw_main(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	struct scene c;

	(void)focus;
	if (!scene_open(state, &c)) {
		geometry_draw_nothing(state, grid, r);
		return;
	}
	drawn->layout.zoom = plot_zoom_of(state, &c, r);
	draw_plot_in(state, &c, grid, r, drawn->layout.zoom, true);
	scene_close(&c);
}

/* The other zoom: the whole cone if the plot is close up, and vice versa. */
static void
draw_whole(const struct state *s, struct grid *g, struct rect r, bool focus, struct drawn *d)
{
	struct scene c;

	(void)focus;
	if (!scene_open(s, &c))
		return;
	draw_plot_in(s, &c, g, r, d->layout.zoom == ZOOM_WHOLE ? ZOOM_REGION : ZOOM_WHOLE, false);
	scene_close(&c);
}

static void
title_plot(const struct state *state, struct str *title, struct str *info)
{
	struct scene c;
	char *x, *y;

	if (!scene_open(state, &c)) {
		str_add(title, "Geometry");
		return;
	}
	x = axis_name(state, &c, c.plane.x);
	y = axis_name(state, &c, c.plane.y);
	str_add(title, y);
	str_addf(info, "against %s", x);
	free(x);
	free(y);
	scene_close(&c);
}

static void
info_plot(const struct state *s, struct rect body, struct str *info)
{
	struct scene c;

	if (counters_letters_width(s) /* letters need the room */ || !scene_open(s, &c))
		return;
	str_add(info, plot_zoom_of(s, &c, body) == ZOOM_REGION ? " · close up" : " · whole cone");
	scene_close(&c);
}

static void
title_legend(const struct state *s, struct str *title, struct str *info)
{
	(void)s;
	(void)info;
	str_add(title, "Legend");
}

static void
title_whole(const struct state *s, struct str *title, struct str *info)
{
	(void)s;
	str_add(title, "Other zoom");
	str_add(info, "z swaps");
}

const struct pane_draw pane_draw_plot = {.title = title_plot, .info = info_plot, .draw = draw_main,
	PANE_WISHES(plot_wish)};
const struct pane_draw pane_draw_legend = {.title = title_legend, .draw = draw_legend, PANE_WISHES(legend_wish)};
const struct pane_draw pane_draw_whole = {.title = title_whole, .draw = draw_whole, PANE_WISHES(whole_wish)};
const struct view_draw view_draw_geometry = {.sentence = geometry_sentence};
