/* Figures for documents: square matrices of correlations as heat maps, side by side, as SVG. The same data give the
 * same bytes. */
#ifndef BENCH_HEAT_H
#define BENCH_HEAT_H

#include <stddef.h>

struct str;

/* n × n values in −1 … 1, symmetric; what is not finite is drawn as a cell without a value. */
struct heat_panel {
	const char *title;
	const double *value;
};

/* All panels have the same n names, which stand beside the rows of the first and above the columns of each. The file is
 * complete, and valid without data too. */
void heat_svg(const char *title, const char *const *name, size_t n, const struct heat_panel *, size_t n_panels,
	struct str *out);

/* 0xrrggbb: from blue (−1) over white (0) to red (1). What is not finite is grey; what lies beyond is as at the end. */
unsigned heat_color(double value);

#endif
