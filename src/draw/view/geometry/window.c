/* View 4: which part of the plane a plot shows. */
#include "draw/view/geometry/geometry.h"

#include <math.h>

#define VISIBLE 14        /* dots that a region must span to be visible within the whole cone */
#define APART 8           /* dots between a region that misses the cone and the cone's edge, to be seen apart */
#define LOPSIDED 8        /* of the two gaps to the edge, one so many times wider than the other is not shown */
#define LEAST_WINDOW 1e-9 /* share of the mean; less is rounding */
#define PAD 0.12          /* share of the window, around its contents */

double
plot_dot_x(const struct window *w, double x)
{
	return (x - w->x0) / (w->x1 - w->x0) * (2 * w->columns - 1);
}

double
plot_dot_y(const struct window *w, double y)
{
	return (w->y1 - y) / (w->y1 - w->y0) * (4 * w->rows - 1);
}

static void
include(struct window *w, double x, double y)
{
	w->x0 = fmin(w->x0, x);
	w->x1 = fmax(w->x1, x);
	w->y0 = fmin(w->y0, y);
	w->y1 = fmax(w->y1, y);
}

static void
include_regions(const struct state *s, const struct scene *c, struct window *w)
{
	include(w, c->shadow.mean.x, c->shadow.mean.y);
	for (int k = 0; k < 3; k++)
		for (size_t i = 0; i < c->shadow.region[k].n && scene_boxes(s, (enum region_kind)k); i++)
			include(w, c->shadow.region[k].at[i].x, c->shadow.region[k].at[i].y);
}

double
plot_sample_along(const struct geometry *g, size_t row, const int64_t *coef)
{
	double sum = 0;

	for (size_t i = 0; i < g->n; i++)
		if (coef[i])
			sum += (double)coef[i] * g->sample[row * g->n + i];
	return sum;
}

struct window
plot_whole_window(const struct state *state, const struct scene *c, struct rect r)
{
	struct window w = {.columns = r.w, .rows = r.h};

	include_regions(state, c, &w);
	for (size_t k = 0; k < c->g->n_samples; k++) {
		double x = plot_sample_along(c->g, k, c->plane.x), y = plot_sample_along(c->g, k, c->plane.y);

		if (isfinite(x) && isfinite(y))
			include(&w, x, y);
	}
	w.x0 = w.y0 = 0;
	w.x1 = w.x1 > 0 ? w.x1 * (1 + PAD) : 1;
	w.y1 = w.y1 > 0 ? w.y1 * (1 + PAD) : 1;
	return w;
}

bool
plot_edge_at_mean(const struct scene *c, struct geometry_point *up, struct geometry_point *side)
{
	struct geometry_point n = c->shadow.normal, m = c->shadow.mean;

	if (!c->shadow.cone || n.x == 0 || n.y == 0)
		return false;
	*up = (struct geometry_point){m.x, -n.x * m.x / n.y};
	*side = (struct geometry_point){-n.y * m.y / n.x, m.y};
	return true;
}

/* The window's lower end with a margin; counts are not negative. */
static double
lower_end(double least, double margin)
{
	return least >= 0 ? fmax(0, least - margin) : least - margin;
}

struct window
plot_region_window(const struct state *state, const struct scene *scene, struct rect r)
{
	struct geometry_point m = scene->shadow.mean, up, side;
	struct window w = {.x0 = m.x, .x1 = m.x, .y0 = m.y, .y1 = m.y, .columns = r.w, .rows = r.h};
	double wide, tall;

	include_regions(state, scene, &w);
	if (scene->shadow.margin > 0 && plot_edge_at_mean(scene, &up, &side)) {
		double high = fabs(up.y - m.y) / fmax(w.y1 - w.y0, fabs(m.y) * LEAST_WINDOW),
		       broad = fabs(side.x - m.x) / fmax(w.x1 - w.x0, fabs(m.x) * LEAST_WINDOW);

		if (scene->g->point) {
			high = fabs(up.y - m.y) / fmax(fabs(m.y), 1);
			broad = fabs(side.x - m.x) / fmax(fabs(m.x), 1);
		}
		if (high <= LOPSIDED * broad)
			include(&w, up.x, up.y);
		if (broad <= LOPSIDED * high)
			include(&w, side.x, side.y);
	}
	wide = w.x1 - w.x0;
	tall = w.y1 - w.y0;
	if (wide <= fabs(m.x) * LEAST_WINDOW)
		wide = fmax(1, fabs(m.x) * 0.05);
	if (tall <= fabs(m.y) * LEAST_WINDOW)
		tall = fmax(1, fabs(m.y) * 0.05);
	w.x0 = lower_end(w.x0, PAD * 2 * wide);
	w.x1 += PAD * 2 * wide;
	w.y0 = lower_end(w.y0, PAD * 2 * tall);
	w.y1 += PAD * 2 * tall;
	return w;
}

const struct geometry_polygon *
plot_deciding_region(const struct state *s, const struct scene *c)
{
	enum region_kind kind = (enum region_kind)s->question.how.decides;

	return &c->shadow.region[kind == REGION_CONE ? REGION_ELLIPSOID : kind];
}

/* Dots from the cone's edge to the nearest point of what misses it. */
static double
dots_apart(const struct state *state, const struct scene *scene, const struct window *w)
{
	const struct geometry_polygon *p = plot_deciding_region(state, scene);
	struct geometry_point n = scene->shadow.normal, m = scene->shadow.mean;
	double per_x = (w->x1 - w->x0) / (2 * w->columns), per_y = (w->y1 - w->y0) / (4 * w->rows),
	       length = hypot(n.x * per_x, n.y * per_y), least = fabs(n.x * m.x + n.y * m.y);

	for (size_t i = 0; i < p->n; i++)
		least = fmin(least, fabs(n.x * p->at[i].x + n.y * p->at[i].y));
	return length > 0 ? least / length : 0;
}

enum plot_zoom
plot_zoom_of(const struct state *s, const struct scene *c, struct rect r)
{
	struct window whole = plot_whole_window(s, c, r), near = plot_region_window(s, c, r);
	double dots = fmax((near.x1 - near.x0) / (whole.x1 - whole.x0) * 2 * r.w,
		(near.y1 - near.y0) / (whole.y1 - whole.y0) * 4 * r.h);

	if (near.x0 <= whole.x0 && near.y0 <= whole.y0 && near.x1 >= whole.x1 && near.y1 >= whole.y1)
		return ZOOM_WHOLE; /* there is nothing closer to show */
	if (s->view.plot.zoom != ZOOM_AUTO)
		return s->view.plot.zoom;
	if (c->shadow.margin > 0 && dots_apart(s, c, &whole) < APART)
		return ZOOM_REGION;
	return dots >= VISIBLE ? ZOOM_WHOLE : ZOOM_REGION;
}
