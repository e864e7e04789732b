#include "heat.h"

#include <math.h>
#include <stdlib.h>

#include "base/str.h"
#include "base/utf8.h"
#include "base/xml.h"
#include "plot.h"

#define CELL 15.0
#define GAP 26.0      /* between panels, and at the edges */
#define HEAD 52.0     /* the figure's title, and the panels' */
#define LETTER 6.4    /* about the width of a letter */
#define FOOT 50.0     /* the legend of colours */
#define FOOT_WIDTH 560.0
#define LEVELS 20     /* shades on each side of white */
#define NO_LEVEL (LEVELS + 1)
#define STRONG 0.9    /* from here on a cell has a dot, so that it shows without colours too */
#define MISSING 0xddddddu

unsigned
heat_color(double value)
{
	static const double blue[] = {0x21, 0x66, 0xac}, red[] = {0xb2, 0x18, 0x2b};
	const double *end = value < 0 ? blue : red;
	double share = fmin(fabs(value), 1);
	unsigned color = 0;

	if (!isfinite(value))
		return MISSING;
	for (int k = 0; k < 3; k++)
		color = color << 8 | (unsigned)lround(255 + share * (end[k] - 255));
	return color;
}

/* Cells of one colour are one path, at whole pixels. */
static void
add_cell(struct str *out, double x, double y)
{
	str_addf(out, "M%.0f %.0fh%.0fv%.0fh-%.0fz", x, y, CELL - 1, CELL - 1, CELL - 1);
}

static void
add_dot(struct str *out, double x, double y)
{
	str_addf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2\"/>\n", x + (CELL - 1) / 2, y + (CELL - 1) / 2);
}

static void
path(struct str *out, const struct str *cells, unsigned color)
{
	if (cells->n)
		str_addf(out, "<path d=\"%s\" fill=\"#%06x\"/>\n", str_text(cells), color);
}

static double
longest(const char *const *name, size_t n)
{
	size_t most = 0;

	for (size_t i = 0; i < n; i++) {
		size_t w = utf8_width(name[i]);

		most = w > most ? w : most;
	}
	return LETTER * (double)most;
}

/* LEVELS on each side of white; NO_LEVEL without a value. */
static int
level_of(double v)
{
	return isfinite(v) ? (int)lround(fmax(-1, fmin(v, 1)) * LEVELS) : NO_LEVEL;
}

static unsigned
level_color(int level)
{
	return heat_color(level == NO_LEVEL ? NAN : (double)level / LEVELS);
}

static void
draw_panel(struct str *out, const struct heat_panel *p, const char *const *name, size_t n, double left, double top)
{
	struct str cells = {0};

	plot_text(out, left, HEAD - 8, "start", " font-weight=\"bold\"", p->title);
	for (size_t i = 0; i < n; i++) {
		double x = left + CELL * (double)i + CELL / 2 + 4;
		char *turn = str_format(" transform=\"rotate(-90 %.1f %.1f)\"", x, top - 6);

		plot_text(out, x, top - 6, "start", turn, name[i]);
		free(turn);
	}
	for (int level = -LEVELS; level <= NO_LEVEL; level++) {
		for (size_t i = 0; i < n * n; i++)
			if (level_of(p->value[i]) == level)
				add_cell(&cells, left + CELL * (double)(i % n), top + CELL * (double)(i / n));
		path(out, &cells, level_color(level));
		str_clear(&cells);
	}
	str_add(out, "<g fill=\"#ffffff\">\n");
	for (size_t i = 0; i < n * n; i++)
		if (i / n != i % n && isfinite(p->value[i]) && fabs(p->value[i]) > STRONG)
			add_dot(out, left + CELL * (double)(i % n), top + CELL * (double)(i / n));
	str_add(out, "</g>\n");
	str_free(&cells);
}

static void
draw_scale(struct str *out, double left, double top)
{
	static const struct {
		int level;
		const char *name;
	} sample[] = {{-LEVELS, "−1"}, {-LEVELS / 2, "−0.5"}, {0, "0"}, {LEVELS / 2, "0.5"}, {LEVELS, "1"},
		{LEVELS, "beyond ±0.9"}, {NO_LEVEL, "one of the two never varies"}};
	struct str cell = {0};

	for (size_t k = 0; k < sizeof sample / sizeof *sample; k++) {
		add_cell(&cell, left, top);
		path(out, &cell, level_color(sample[k].level));
		str_clear(&cell);
		if (k == 5) {
			str_add(out, "<g fill=\"#ffffff\">\n");
			add_dot(out, left, top);
			str_add(out, "</g>\n");
		}
		plot_text(out, left + CELL + 4, top + 11, "start", "", sample[k].name);
		left += CELL + 24 + LETTER * (double)utf8_width(sample[k].name);
	}
	str_free(&cell);
}

void
heat_svg(const char *title, const char *const *name, size_t n, const struct heat_panel *p, size_t n_panels,
	struct str *out)
{
	double names = longest(name, n), side = CELL * (double)n, left = ceil(GAP + names + 6),
	       top = ceil(HEAD + names + 8);
	double w = left + fmax((side + GAP) * (double)n_panels, FOOT_WIDTH), h = top + side + FOOT;

	plot_begin(title, w, h, out);
	for (size_t i = 0; i < n; i++)
		plot_text(out, left - 6, top + CELL * (double)i + 11, "end", "", name[i]);
	for (size_t k = 0; k < n_panels; k++)
		draw_panel(out, &p[k], name, n, left + (side + GAP) * (double)k, top);
	draw_scale(out, left, top + side + 18);
	plot_end(out);
}
