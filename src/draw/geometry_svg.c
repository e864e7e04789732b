#include "draw/report_drawings.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/udd/model.h"
#include "draw/svg.h"
#include "draw/theme.h"
#include "explorer/report/report.h"
#include "work/analysis/analysis.h"
#include "work/analysis/geometry.h"
#include "work/analysis/result.h"

#define WIDTH 700.0 /* of the plot */
#define HEIGHT 400.0
#define LEFT 110.0
#define TOP 40.0
#define RIGHT 30.0
#define BOTTOM 112.0
#define PAD 0.12          /* share of the window around its contents */
#define VISIBLE 0.04      /* share of the whole window that what matters must span; else the window is nearer */
#define LABEL_COLUMNS 90

struct plot {
	const struct geometry *g;
	const struct udd_model *model;
	const struct theme *theme;
	struct str *out;
	int64_t *x, *y;
	struct geometry_shadow shadow;
	double x0, x1, y0, y1;
};

static double
plot_x(const struct plot *p, double x)
{
	return (x - p->x0) / (p->x1 - p->x0) * WIDTH;
}

static double
plot_y(const struct plot *p, double y)
{
	return (p->y1 - y) / (p->y1 - p->y0) * HEIGHT;
}

static double
plot_sample(const struct plot *p, size_t row, const int64_t *coef)
{
	double sum = 0;

	for (size_t i = 0; i < p->g->n; i++)
		if (coef[i])
			sum += (double)coef[i] * p->g->sample[row * p->g->n + i];
	return sum;
}

/* Puts the sides of the constraint on the axes. False: a counter is missing, or a side is empty. */
static bool
plot_sides(struct plot *p, const struct constraint *c)
{
	int left = cone_row_left(c->coef, c->n, c->equality);
	size_t found = 0, wanted = 0, on_x = 0;

	for (size_t i = 0; i < c->n; i++)
		wanted += c->coef[i] != 0;
	for (size_t i = 0; i < p->g->n; i++) {
		int64_t coef = c->coef[p->g->counter[i]], *axis = (coef > 0) == (left > 0) ? p->y : p->x;

		axis[i] = coef < 0 ? -coef : coef;
		found += coef != 0;
		on_x += coef && axis == p->x;
	}
	return found == wanted && on_x && on_x < found;
}

static bool
plot_axes(struct plot *p, const struct constraint *c)
{
	if (c && plot_sides(p, c))
		return true;
	for (size_t i = 0; i < p->g->n; i++)
		p->x[i] = p->y[i] = 0;
	if (!p->g->n_pairs)
		return false;
	p->x[p->g->pair[0].x] = p->y[p->g->pair[0].y] = 1;
	return true;
}

static void
plot_include(struct plot *p, double x, double y)
{
	if (!isfinite(x) || !isfinite(y))
		return;
	p->x0 = fmin(p->x0, x);
	p->x1 = fmax(p->x1, x);
	p->y0 = fmin(p->y0, y);
	p->y1 = fmax(p->y1, y);
}

/* The mean, its regions, and the way to the edge that they break. */
static void
plot_include_regions(struct plot *p)
{
	struct geometry_point n = p->shadow.normal, m = p->shadow.mean;

	plot_include(p, m.x, m.y);
	for (int k = 0; k < 3; k++)
		for (size_t i = 0; i < p->shadow.region[k].n; i++)
			plot_include(p, p->shadow.region[k].at[i].x, p->shadow.region[k].at[i].y);
	if (p->shadow.margin > 0 && p->shadow.cone && n.x != 0 && n.y != 0) {
		plot_include(p, m.x, -n.x * m.x / n.y);
		plot_include(p, -n.y * m.y / n.x, m.y);
	}
}

/* The whole cone from the origin on, or if what matters would be a dot there, what is around it. */
static void
plot_window(struct plot *p)
{
	struct plot whole;
	double wide, tall;

	p->x0 = p->x1 = p->shadow.mean.x;
	p->y0 = p->y1 = p->shadow.mean.y;
	plot_include_regions(p);
	wide = p->x1 - p->x0;
	tall = p->y1 - p->y0;
	whole = *p;
	for (size_t i = 0; i < p->g->n_samples; i++)
		plot_include(&whole, plot_sample(p, i, p->x), plot_sample(p, i, p->y));
	whole.x0 = whole.y0 = 0;
	whole.x1 = whole.x1 > 0 ? whole.x1 * (1 + PAD) : 1;
	whole.y1 = whole.y1 > 0 ? whole.y1 * (1 + PAD) : 1;
	if (fmax(wide / whole.x1, tall / whole.y1) >= VISIBLE || !(p->shadow.mean.x > 0) || !(p->shadow.mean.y > 0)) {
		*p = whole;
		return;
	}
	wide = wide > p->shadow.mean.x * 1e-9 ? wide : fmax(1, p->shadow.mean.x * 0.05);
	tall = tall > p->shadow.mean.y * 1e-9 ? tall : fmax(1, p->shadow.mean.y * 0.05);
	p->x0 -= 3 * PAD * wide;
	p->x1 += 3 * PAD * wide;
	p->y0 -= 3 * PAD * tall;
	p->y1 += 3 * PAD * tall;
}

/* A point of this direction far outside the window. */
static struct geometry_point
plot_far(const struct plot *p, struct geometry_point way)
{
	double size = fmax(fabs(way.x) / p->x1, fabs(way.y) / p->y1), t = size > 0 ? 8 / size : 0;

	return (struct geometry_point){plot_x(p, way.x * t), plot_y(p, way.y * t)};
}

static void
plot_cone(const struct plot *p)
{
	struct geometry_point lo, hi;
	double x = plot_x(p, 0), y = plot_y(p, 0);

	if (!p->shadow.cone)
		return;
	lo = plot_far(p, p->shadow.lo);
	hi = plot_far(p, p->shadow.hi);
	str_addf(p->out, "<path d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fz\" fill=\"#%06x\" fill-opacity=\".16\"/>\n", x, y,
		lo.x, lo.y, hi.x, hi.y, svg_color(p->theme, ROLE_FEASIBLE));
	str_addf(p->out,
		"<path d=\"M%.1f %.1fL%.1f %.1fM%.1f %.1fL%.1f %.1f\" stroke=\"#%06x\" stroke-width=\"2\" "
		"fill=\"none\"/>\n",
		x, y, lo.x, lo.y, x, y, hi.x, hi.y, svg_color(p->theme, ROLE_FEASIBLE));
}

static void
plot_polygon(const struct plot *p, const struct geometry_polygon *polygon, enum role role, const char *dash)
{
	for (size_t i = 0; i < polygon->n; i++)
		str_addf(p->out, "%s%.2f %.2f", i ? "L" : "<path d=\"M", plot_x(p, polygon->at[i].x),
			plot_y(p, polygon->at[i].y));
	if (polygon->n)
		str_addf(p->out, "z\" fill=\"#%06x\" fill-opacity=\".14\" stroke=\"#%06x\" stroke-width=\"1.6\"%s/>\n",
			svg_color(p->theme, role), svg_color(p->theme, role), dash);
}

static void
plot_data(const struct plot *p, enum region_kind decides, enum role role)
{
	size_t rows = p->g->n_samples;

	for (size_t i = 0; i < rows; i++) {
		double x = plot_sample(p, i, p->x), y = plot_sample(p, i, p->y);

		if (isfinite(x) && isfinite(y) && x >= p->x0 && x <= p->x1 && y >= p->y0 && y <= p->y1)
			svg_dot(p->out, plot_x(p, x), plot_y(p, y), 1.6, svg_color(p->theme, ROLE_DIM));
	}
	plot_polygon(p, &p->shadow.region[region_shown(decides)], role, "");
	svg_dot(p->out, plot_x(p, p->shadow.mean.x), plot_y(p, p->shadow.mean.y), 5, svg_color(p->theme, role));
}

static void
plot_ticks(const struct plot *p)
{
	double step = svg_step(p->x1 - p->x0, 6);
	unsigned dim = svg_color(p->theme, ROLE_DIM), frame = svg_color(p->theme, ROLE_FRAME);
	char number[NUMBER_TEXT];

	for (double x = ceil(p->x0 / step) * step; x <= p->x1; x += step) {
		str_addf(p->out, "<path d=\"M%.1f %.1fv6\" stroke=\"#%06x\"/>\n", LEFT + plot_x(p, x), TOP + HEIGHT,
			frame);
		svg_text(p->out, LEFT + plot_x(p, x), TOP + HEIGHT + 20, dim, " text-anchor=\"middle\"",
			number_full(number, fabs(x) < step / 2 ? 0 : x, false));
	}
	step = svg_step(p->y1 - p->y0, 6);
	for (double y = ceil(p->y0 / step) * step; y <= p->y1; y += step) {
		str_addf(p->out, "<path d=\"M%.1f %.1fh-6\" stroke=\"#%06x\"/>\n", LEFT, TOP + plot_y(p, y), frame);
		svg_text(p->out, LEFT - 10, TOP + plot_y(p, y) + 4, dim, " text-anchor=\"end\"",
			number_full(number, fabs(y) < step / 2 ? 0 : y, false));
	}
	str_addf(p->out,
		"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" stroke=\"#%06x\"/>\n",
		LEFT, TOP, WIDTH, HEIGHT, frame);
}

/* "a + 2 b" */
static char *
axis_name(const struct plot *p, const int64_t *coef)
{
	struct str name = {0};
	char *text;

	for (size_t i = 0; i < p->g->n; i++)
		if (coef[i] == 1)
			str_addf(&name, "%s%s", name.n ? " + " : "", p->model->counter[p->g->counter[i]].name);
		else if (coef[i])
			str_addf(&name, "%s%" PRId64 " %s", name.n ? " + " : "", coef[i],
				p->model->counter[p->g->counter[i]].name);
	text = svg_fit(str_text(&name), LABEL_COLUMNS);
	str_free(&name);
	return text;
}

static void
plot_words(const struct plot *p, const struct finding *finding, double confidence, enum role role)
{
	char *x = axis_name(p, p->x), *y = axis_name(p, p->y), *name = svg_fit(finding->name, 50), *text;
	double at = TOP + HEIGHT + 76;
	unsigned dim = svg_color(p->theme, ROLE_DIM);

	svg_text(p->out, LEFT, TOP - 14, svg_color(p->theme, ROLE_TEXT), "", y);
	svg_text(p->out, LEFT + WIDTH, TOP + HEIGHT + 44, svg_color(p->theme, ROLE_TEXT), " text-anchor=\"end\"", x);
	str_addf(p->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"22\" height=\"12\" fill=\"#%06x\" fill-opacity=\".16\" "
		"stroke=\"#%06x\"/>\n", LEFT, at - 10, svg_color(p->theme, ROLE_FEASIBLE),
		svg_color(p->theme, ROLE_FEASIBLE));
	svg_text(p->out, LEFT + 30, at, dim, "", "the model allows");
	svg_dot(p->out, LEFT + 11, at + 16, 5, svg_color(p->theme, role));
	text = p->g->point ? str_format("%s, exact", name)
		: str_format("%s: mean and its %g %% region; dots: %zu of %zu samples", name, confidence * 100,
			p->g->n_samples, p->g->rows);
	svg_text(p->out, LEFT + 30, at + 20, dim, "", text);
	free(text);
	free(name);
	free(x);
	free(y);
}

void
geometry_svg(const struct report *report, const struct geometry *geometry, const struct theme *theme, struct str *out)
{
	const struct finding *finding = &report->result->finding[geometry->finding];
	const struct constraint *c = finding->proof.n_violated ? finding->proof.violated
		: finding->proof.n_certificates                ? finding->proof.certificate
							     : NULL;
	enum region_kind decides = (enum region_kind)report->how->decides;
	enum role role = finding->verdict == VERDICT_INFEASIBLE ? ROLE_INFEASIBLE : ROLE_ACCENT;
	struct plot p = {.g = geometry, .model = report->model, .theme = theme, .out = out,
		.x = mem_new_array(geometry->n, sizeof *p.x), .y = mem_new_array(geometry->n, sizeof *p.y)};
	char *title;

	if (!geometry->failed && plot_axes(&p, c)) {
		geometry_shadow(geometry, p.x, p.y, decides, &p.shadow);
		plot_window(&p);
		title = str_format("Cone of the model and region of %s", finding->name);
		svg_begin(out, LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM, theme, title);
		free(title);
		/* an inner document cuts off what is outside */
		str_addf(out, "<svg x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" overflow=\"hidden\">\n", LEFT,
			TOP, WIDTH, HEIGHT);
		plot_cone(&p);
		plot_data(&p, decides, role);
		str_add(out, "</svg>\n<g " SVG_FONT " font-size=\"12\">\n");
		plot_ticks(&p);
		plot_words(&p, finding, report->how->confidence, role);
		str_add(out, "</g>\n");
		svg_end(out);
		shadow_clear(&p.shadow);
	}
	free(p.x);
	free(p.y);
}
