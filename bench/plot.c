#include "plot.h"

#include <math.h>

#include "base/str.h"
#include "base/utf8.h"
#include "base/xml.h"

#define PANEL_W 400.0
#define PANEL_H 380.0
#define LEFT 62.0   /* from a panel's edge to its frame: room for the y axis */
#define RIGHT 16.0
#define TOP 76.0    /* the figure's title, the panel's, and the names of stretches */
#define BOTTOM 50.0
#define LEGEND_ROW 16.0
#define LETTER 6.4    /* about the width of a letter */
#define TICKS_MOST 7
#define DECADE_MOST 307 /* the largest number that a double can hold five times */
#define FAINT 0xddddddu

/* The frame of one panel, in pixels, and the values at its edges. */
struct frame {
	const struct plot_panel *panel;
	struct str *out;
	double left, top, w, h;
	double x0, x1, y0, y1; /* of the axes; y as log10 on a logarithmic axis */
};

double
plot_step(double range, int most)
{
	double unit, parts;

	if (!isfinite(range) || range <= 0)
		return 1;
	unit = pow(10, floor(log10(range / most)));
	parts = range / most / unit;
	return unit * (parts <= 1 ? 1 : parts <= 2 ? 2 : parts <= 5 ? 5 : 10);
}

static bool
can_show(const struct plot_panel *p, double x, double y)
{
	return isfinite(x) && isfinite(y) && (!p->log_y || y > 0);
}

static double
height_of(const struct plot_panel *p, double y)
{
	return p->log_y ? log10(y) : y;
}

static void
widen(double v, bool *any, double *low, double *high)
{
	*low = *any && *low < v ? *low : v;
	*high = *any && *high > v ? *high : v;
	*any = true;
}

/* From 0 (or a power of ten) to a whole tick above the data; leaves room for the legend. */
static void
find_axes(struct frame *f)
{
	const struct plot_panel *p = f->panel;
	bool any_x = false, any_y = false;
	double room = 0;

	f->x0 = f->y0 = 0;
	f->x1 = f->y1 = 1;
	for (size_t s = 0; s < p->n_series; s++) {
		const struct plot_series *l = &p->series[s];

		room += l->name ? LEGEND_ROW : 0;
		for (size_t i = 0; i < l->n; i++)
			for (int k = 0; k < 3; k++) {
				double y = k == 0 || !l->low ? l->y[i] : k == 1 ? l->low[i] : l->high[i];

				if (!can_show(p, l->x[i], y))
					continue;
				widen(l->x[i], &any_x, &f->x0, &f->x1);
				widen(height_of(p, y), &any_y, &f->y0, &f->y1);
			}
	}
	if (f->x1 <= f->x0)
		f->x1 = f->x0 + 1;
	if (p->log_y) {
		f->y0 = floor(f->y0);
		f->y1 = f->y1 > f->y0 ? f->y1 : f->y0 + 1;
	} else {
		double step;

		f->y0 = fmin(f->y0, 0);
		step = plot_step(f->y1 - f->y0, TICKS_MOST);
		f->y0 = floor(f->y0 / step) * step;
		f->y1 = fmax(ceil(f->y1 / step) * step, f->y0 + step);
	}
	f->y1 += (f->y1 - f->y0) * room / (f->h - room);
}

static double
px(const struct frame *f, double x)
{
	return f->left + (x - f->x0) / (f->x1 - f->x0) * f->w;
}

/* y as on the axis: a logarithm on a logarithmic axis. */
static double
py(const struct frame *f, double y)
{
	return f->top + f->h - (y - f->y0) / (f->y1 - f->y0) * f->h;
}

void
plot_text(struct str *out, double x, double y, const char *anchor, const char *more, const char *s)
{
	str_addf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>", x, y, anchor, more);
	xml_add(out, s);
	str_add(out, "</text>\n");
}

void
plot_begin(const char *title, double w, double h, struct str *out)
{
	str_addf(out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
		"height=\"%.0f\" "
		"viewBox=\"0 0 %.0f %.0f\">\n",
		w, h, w, h);
	str_addf(out, "<rect width=\"%.0f\" height=\"%.0f\" fill=\"#ffffff\"/>\n", w, h);
	str_addf(out,
		"<g font-family=\"DejaVu Sans,Liberation Sans,Helvetica,Arial,sans-serif\" font-size=\"11\" "
		"fill=\"#%06x\">\n",
		PLOT_INK);
	plot_text(out, 16, 24, "start", " font-size=\"14\"", title);
}

void
plot_end(struct str *out)
{
	str_add(out, "</g>\n</svg>\n");
}

static void
line(struct str *out, double x0, double y0, double x1, double y1, unsigned color, const char *more)
{
	str_addf(out, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#%06x\"%s/>\n", x0, y0, x1, y1, color, more);
}

static void
number(struct str *out, double v, double step)
{
	int decimals = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;

	v = fabs(v) < step / 2 ? 0 : v; /* not -0 */
	if (fabs(v) >= 1e7 || decimals > 6)
		str_addf(out, "%g", v);
	else
		str_addf(out, "%.*f", decimals, v);
}

static void
y_tick(const struct frame *f, double at, double value, double step)
{
	struct str s = {0};

	line(f->out, f->left, py(f, at), f->left + f->w, py(f, at), FAINT, "");
	number(&s, value, step);
	plot_text(f->out, f->left - 6, py(f, at) + 4, "end", "", str_text(&s));
	str_free(&s);
}

static void
draw_axes(const struct frame *f)
{
	const struct plot_panel *p = f->panel;
	double step = plot_step(f->x1 - f->x0, TICKS_MOST), middle = f->top + f->h / 2;
	bool close = f->y1 - f->y0 < 2.5; /* few decades: ticks at 2 and 5, too */
	struct str turn = {0};

	if (p->log_y) {
		int decades = (int)fmax(1, plot_step(f->y1 - f->y0, TICKS_MOST));

		for (int decade = (int)f->y0; decade <= f->y1 && decade <= DECADE_MOST; decade += decades)
			for (int k = 1; k <= (close ? 5 : 1); k += k == 2 ? 3 : 1)
				if (decade + log10(k) <= f->y1)
					y_tick(f, decade + log10(k), k * pow(10, decade), pow(10, decade));
	} else {
		double y_step = plot_step(f->y1 - f->y0, TICKS_MOST);

		for (double k = ceil(f->y0 / y_step - 1e-9); k * y_step <= f->y1 + y_step * 1e-9; k++)
			y_tick(f, k * y_step, k * y_step, y_step);
	}
	for (double k = ceil(f->x0 / step - 1e-9); k * step <= f->x1 + step * 1e-9; k++) {
		struct str s = {0};

		line(f->out, px(f, k * step), f->top + f->h, px(f, k * step), f->top + f->h + 4, PLOT_INK, "");
		number(&s, k * step, step);
		plot_text(f->out, px(f, k * step), f->top + f->h + 17, "middle", "", str_text(&s));
		str_free(&s);
	}
	line(f->out, f->left, f->top, f->left, f->top + f->h, PLOT_INK, "");
	line(f->out, f->left, f->top + f->h, f->left + f->w, f->top + f->h, PLOT_INK, "");
	plot_text(f->out, f->left + f->w / 2, f->top + f->h + 36, "middle", "", p->x_label);
	str_addf(&turn, " transform=\"rotate(-90 %.1f %.1f)\"", f->left - 46, middle);
	plot_text(f->out, f->left - 46, middle, "middle", str_text(&turn), p->y_label);
	plot_text(f->out, f->left, f->top - 26, "start", " font-weight=\"bold\"", p->title);
	str_free(&turn);
}

static void
draw_stretches(const struct frame *f)
{
	double from = f->x0;

	for (size_t k = 0; k < f->panel->n_stretches; k++) {
		const struct plot_stretch *s = &f->panel->stretch[k];

		if (!(s->end > from) || s->end > f->x1)
			continue;
		if (s->end < f->x1)
			line(f->out, px(f, s->end), f->top - 8, px(f, s->end), f->top + f->h, 0x999999,
				" stroke-dasharray=\"3 3\"");
		plot_text(
			f->out, (px(f, from) + px(f, s->end)) / 2, f->top - 6, "middle", " fill=\"#555555\"", s->name);
		from = s->end;
	}
}

/* From each point that can be drawn to the next; "M" begins the path. */
static void
add_points(const struct frame *f, const struct plot_series *s, const double *y, bool backwards, const char *first)
{
	for (size_t i = 0; i < s->n; i++) {
		size_t k = backwards ? s->n - 1 - i : i;

		if (!can_show(f->panel, s->x[k], y[k]))
			continue;
		str_addf(f->out, "%s%.1f %.1f", first, px(f, s->x[k]), py(f, height_of(f->panel, y[k])));
		first = "L";
	}
}

static size_t
count_shown(const struct frame *f, const struct plot_series *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += can_show(f->panel, s->x[i], s->y[i]) &&
			(!s->low ||
				(can_show(f->panel, s->x[i], s->low[i]) && can_show(f->panel, s->x[i], s->high[i])));
	return n;
}

static void
draw_marker(struct str *out, enum plot_marker m, double x, double y)
{
	switch (m) {
	case PLOT_NO_MARKER:
		break;
	case PLOT_CIRCLE:
		str_addf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n", x, y);
		break;
	case PLOT_SQUARE:
		str_addf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"5.4\" height=\"5.4\"/>\n", x - 2.7, y - 2.7);
		break;
	case PLOT_TRIANGLE:
		str_addf(out, "<path d=\"M%.1f %.1fl3.6 6h-7.2z\"/>\n", x, y - 3.6);
		break;
	}
}

static void
draw_series(const struct frame *f, const struct plot_series *s)
{
	if (count_shown(f, s) == 0)
		return;
	if (s->low) {
		str_add(f->out, "<path d=\"");
		add_points(f, s, s->high, false, "M");
		add_points(f, s, s->low, true, "L");
		str_addf(f->out, "z\" fill=\"#%06x\" fill-opacity=\"0.18\" stroke=\"none\"/>\n", s->color);
	}
	str_add(f->out, "<path d=\"");
	add_points(f, s, s->y, false, "M");
	str_addf(f->out, "\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"%s\" stroke-linejoin=\"round\"/>\n",
		s->color, s->thin ? "0.7" : "2");
	if (s->marker == PLOT_NO_MARKER)
		return;
	str_addf(f->out, "<g fill=\"#%06x\">\n", s->color);
	for (size_t i = 0; i < s->n; i++)
		if (can_show(f->panel, s->x[i], s->y[i]))
			draw_marker(f->out, s->marker, px(f, s->x[i]), py(f, height_of(f->panel, s->y[i])));
	str_add(f->out, "</g>\n");
}

/* In the upper left corner, where find_axes() left room; no line of the grid crosses it. */
static void
draw_legend(const struct frame *f)
{
	double y = f->top + 12;
	size_t rows = 0, longest = 0;

	for (size_t k = 0; k < f->panel->n_series; k++)
		if (f->panel->series[k].name) {
			size_t n = utf8_width(f->panel->series[k].name);

			longest = n > longest ? n : longest;
			rows++;
		}
	if (rows > 0)
		str_addf(f->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#ffffff\"/>\n",
			f->left + 4, f->top + 2, 44 + LETTER * (double)longest, LEGEND_ROW * (double)rows + 4);
	for (size_t k = 0; k < f->panel->n_series; k++) {
		const struct plot_series *s = &f->panel->series[k];

		if (!s->name)
			continue;
		line(f->out, f->left + 10, y, f->left + 34, y, s->color,
			s->thin ? " stroke-width=\"0.7\"" : " stroke-width=\"2\"");
		str_addf(f->out, "<g fill=\"#%06x\">\n", s->color);
		draw_marker(f->out, s->marker, f->left + 22, y);
		str_add(f->out, "</g>\n");
		plot_text(f->out, f->left + 40, y + 4, "start", "", s->name);
		y += LEGEND_ROW;
	}
}

static void
draw_panel(struct str *out, const struct plot_panel *p, double at)
{
	struct frame f = {.panel = p,
		.out = out,
		.left = at + LEFT,
		.top = TOP,
		.w = PANEL_W - LEFT - RIGHT,
		.h = PANEL_H - TOP - BOTTOM};

	find_axes(&f);
	draw_axes(&f);
	draw_stretches(&f);
	for (int thin = 1; thin >= 0; thin--)
		for (size_t k = 0; k < p->n_series; k++)
			if (p->series[k].thin == thin)
				draw_series(&f, &p->series[k]);
	draw_legend(&f);
}

void
plot_svg(const char *title, const struct plot_panel *p, size_t n, struct str *out)
{
	plot_begin(title, PANEL_W * (double)(n > 0 ? n : 1), PANEL_H, out);
	for (size_t k = 0; k < n; k++)
		draw_panel(out, &p[k], PANEL_W * (double)k);
	plot_end(out);
}
