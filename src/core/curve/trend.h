/* The points of a curve, cleaned, and straight lines through them, from which knees are found (core/curve/knee.h). */
#ifndef CORE_CURVE_TREND_H
#define CORE_CURVE_TREND_H

#include <stddef.h>

struct curve;

struct trend_line {
	double a, slope;     /* y = a + slope · x */
	double rss;          /* sum of the squares of the residuals */
	double n, mean_x, sxx;
};

struct trend_piece {
	size_t first, last;  /* points, inclusive */
};

struct trend_points {
	size_t n;
	double *x, *y;       /* n; y in units of `unit` */
	double *sum[5];      /* cumulative sums of x, y, x², x·y, y², of x and y around their middles */
	double mid_x, mid_y;
	/* a power of two: the measured value is y times this, so that no square overflows or vanishes */
	double unit;
	double sigma;        /* standard deviation of a point, or a value too small to matter */
	double range;        /* range of y */
};

/* Takes the points of a curve that has at least 3, after repairing disturbed ones (core/curve/disturbed.h). If there
 * are more than KNEE_MOST, it takes means of equally many. Free with trend_points_free(). */
void trend_points_take(struct trend_points *, const struct curve *);
void trend_points_free(struct trend_points *);

/* Returns the line of least squares through points first … last. */
struct trend_line trend_line_of(const struct trend_points *, size_t first, size_t last);
double trend_line_at(const struct trend_line *, double x);
/* Returns the variance of the line's value at x, if a point has this noise (a standard deviation). */
double trend_variance_at(const struct trend_line *, double noise, double x);
/* Returns the sum of the squares of the residuals of a parabola through two pieces, without the points of the gap
 * between them. */
double trend_parabola_rss(const struct trend_points *, struct trend_piece, struct trend_piece);

#endif
