/* Figures for documents: square matrices of correlations as heat maps, side by side, as SVG. The same data give the
 * same bytes. */
#ifndef BENCH_HEAT_H
#define BENCH_HEAT_H

#include <stddef.h>

struct str;

/* n × n values in −1 … 1, symmetric. A value that is not finite is drawn as an empty cell. */
struct heat_panel {
	const char *title;
	const double *value;
};

/* All panels have the same n names, next to the rows of the first panel and above the columns of each. The file is
 * complete, and valid without data. */
void heat_svg(const char *title, const char *const *name, size_t n, const struct heat_panel *, size_t n_panels,
	struct str *out);

/* 0xrrggbb: from blue (−1) over white (0) to red (1). Values that are not finite are grey; values beyond the ends have
 * the colour of the end. */
unsigned heat_color(double value);

#endif
