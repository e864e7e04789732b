/* Figures for documents: panels with axes, lines and bands, as SVG. The same data give the same bytes. */
#ifndef BENCH_PLOT_H
#define BENCH_PLOT_H

#include <stdbool.h>
#include <stddef.h>

struct str;

enum plot_marker { PLOT_NO_MARKER, PLOT_CIRCLE, PLOT_SQUARE, PLOT_TRIANGLE };

/* n points from left to right. Points that are not finite, or not positive on a logarithmic axis, are left out. */
struct plot_series {
	const char *name;        /* in the legend; NULL: not in it */
	size_t n;
	const double *x, *y;
	const double *low, *high; /* a band around the line, n each; NULL: none */
	unsigned color;          /* 0xrrggbb */
	bool thin;               /* one of many, drawn below the others */
	enum plot_marker marker;
};

/* The name of a stretch of the x axis, from the end of the previous one (or the axis' begin) to `end`. */
struct plot_stretch {
	const char *name;
	double end;
};

struct plot_panel {
	const char *title, *x_label, *y_label; /* with units */
	bool log_y;
	const struct plot_series *series;
	size_t n_series;
	const struct plot_stretch *stretch;
	size_t n_stretches;
};

/* For the parts of a figure: its head with the title, up to the group that plot_end() closes; a text with more attributes
 * ("" for none). */
#define PLOT_INK 0x222222u
void plot_begin(const char *title, double w, double h, struct str *out);
void plot_end(struct str *out);
void plot_text(struct str *out, double x, double y, const char *anchor, const char *more, const char *s);

/* The panels side by side under a title, on a white ground. The file is complete, and valid without data. */
void plot_svg(const char *title, const struct plot_panel *, size_t n, struct str *out);

/* The distance of ticks, 1, 2 or 5 times a power of ten, that cuts 0 … `range` into at most `most` parts; 1 for a range
 * of 0. */
double plot_step(double range, int most);

#endif
