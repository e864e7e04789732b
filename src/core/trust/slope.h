/* The slope of an event's count on something measured next to it, over several tests at once. */
#ifndef CORE_TRUST_SLOPE_H
#define CORE_TRUST_SLOPE_H

#include <stdbool.h>
#include <stddef.h>

struct trust_slope {
	bool known;       /* false: x does not vary, or there are too few runs; all else is 0 */
	double slope, low, high; /* the estimate, and its interval at 99 % */
	double share;     /* of the variance of y within tests that the slope explains, 0 … 1 */
	double sigma;     /* scale of what remains, in counts */
};

/* Fits y = a[test] + slope · x: each test has its own level a. x, y and test have n entries; tests are numbered from 0.
 * With `beside` (n entries, or NULL), y = a[test] + b · beside + slope · x: the slope on x where the other is the same
 * (Frisch and Waugh, "Partial time regressions as compared with individual trends", 1933). It is not known where x
 * varies only with the other.
 *
 * Counts are integers, so the scale of what remains is never taken below half a count: residuals that are exactly 0
 * give an interval, not a point. Least squares decide, with errors that may differ between runs (HC3), unless the
 * median slope of pairs explains clearly more of all runs but a tenth: a processor with hyper-threading now and then
 * reads a number of interrupts that is far off, and such an outlier of x deceives every fit that weighs residuals.
 *
 * x is a count, too, and off by a few. That makes a fitted slope too small: the true one lies between it and the
 * inverse of the slope of x on y. The interval reaches to there. Frisch, "Statistical confluence analysis", 1934. */
struct trust_slope trust_slope_fit(
	const double *x, const double *beside, const double *y, const size_t *test, size_t n, size_t n_tests);

/* The median of the slopes between all pairs of points, with its interval at 99 % from the distribution of Kendall's
 * tau: up to a quarter of the points may be anything. `share` and `sigma`
 * are 0. Theil 1950; Sen, "Estimates of the regression
 * coefficient based on Kendall's tau", Journal of the American Statistical Association 63, 1968. */
struct trust_slope trust_slope_of_pairs(const double *x, const double *y, size_t n);

#endif
