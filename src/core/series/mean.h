/* The mean of one series: how exact it is, and whether the series rises or falls. NAN values are left out. */
#ifndef CORE_SERIES_MEAN_H
#define CORE_SERIES_MEAN_H

#include <stdbool.h>
#include <stddef.h>

#define SERIES_FEWEST_FOR_BOUNDS ((size_t)40) /* with fewer values the correlation of neighbours is hardly known */

/* Compares the last third with the first. There is a trend if their means differ by at least a tenth, and by more than
 * the standard deviation of the values within a third. Noise, correlated or not, hardly ever does that. */
struct series_trend {
	double ratio;  /* last mean over first mean; NAN: fewer than two values in a third, or the first mean is 0 */
	int direction; /* 1 rises, -1 falls, 0 no visible trend */
};
struct series_trend series_trend(const double *v, size_t n);

/* The mean, and its bounds at this confidence. Correlation in time is allowed for as in core/stats/region.h, even if it
 * is too small to be found there. For AR(1) series the bounds at 95 % contain the mean in at least 92 of 100 cases
 * (tests/unit/series_mean.c). */
struct series_mean {
	double mean, low, high; /* low and high are NAN with too few values */
	size_t n;               /* number of values that are not NAN */
	double effective;       /* number of independent values that they are worth; NAN with too few values */
};
/* The values are never negative. */
struct series_mean series_mean(const double *v, size_t n, double confidence);

/* The ratio of the means of two independent series. Method of variance estimates recovery (MOVER): A. Donner and G. Y.
 * Zou, "Closed-form confidence intervals for functions of the normal mean and standard deviation", Statistical Methods
 * in Medical Research 21, 2012, section 3. It is Fieller's interval where the means' bounds are symmetric. */
struct series_ratio {
	double ratio;     /* NAN: a mean is unknown, or the divisor is 0 */
	double low, high; /* at the confidence of the means' bounds; NAN where one of these is; high may be infinite */
};
/* The ratio of `above` to `below`. The means are not negative. */
struct series_ratio series_ratio(struct series_mean above, struct series_mean below);

#endif
