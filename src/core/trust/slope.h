/* The slope of an event's count on something measured next to it, over several tests at once. */
#ifndef CORE_TRUST_SLOPE_H
#define CORE_TRUST_SLOPE_H

#include <stdbool.h>
#include <stddef.h>

struct trust_slope {
	bool known;       /* false: x does not vary, or there are too few runs; all else is 0 */
	double slope, low, high; /* the estimate, and its interval at 99 % */
	double share;     /* share of the variance of y within tests that the slope explains, 0 … 1 */
	double sigma;     /* scale of the residuals, in counts */
};

/* Fits y = a[test] + slope · x: each test has its own level a. x, y and test have n entries; tests are numbered from 0.
 * With `beside` (n entries, or NULL), y = a[test] + b · beside + slope · x: the slope on x among runs with equal
 * `beside` (Frisch and Waugh, "Partial time regressions as compared with individual trends", 1933). It is unknown if x
 * varies only together with `beside`.
 *
 * Counts are integers, so the scale of the residuals is never taken below half a count: residuals that are exactly 0
 * give an interval, not a point. Least squares decide, with errors that may differ between runs (HC3), unless the
 * median slope of pairs explains clearly more when a tenth of the runs is left out. A processor with hyper-threading
 * sometimes reads a number of interrupts that is far off, and such an outlier of x misleads every fit that weighs
 * residuals.
 *
 * x is a count, too, and off by a few. That makes a fitted slope too small: the true one lies between it and the
 * inverse of the slope of x on y. The interval extends to that inverse. Frisch, "Statistical confluence analysis",
 * 1934. */
struct trust_slope trust_slope_fit(
	const double *x, const double *beside, const double *y, const size_t *test, size_t n, size_t n_tests);

/* The median of the slopes between all pairs of points, with its interval at 99 % from the distribution of Kendall's
 * tau: up to a quarter of the points may be arbitrarily wrong. `share` and `sigma` are 0. Theil 1950; Sen, "Estimates
 * of the regression coefficient based on Kendall's tau", Journal of the American Statistical Association 63, 1968. */
struct trust_slope trust_slope_of_pairs(const double *x, const double *y, size_t n);

#endif
