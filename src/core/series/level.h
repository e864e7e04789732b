/* The level of one series: its mean, how well it is known, and where it goes. Values that are NAN are left out. */
#ifndef CORE_SERIES_LEVEL_H
#define CORE_SERIES_LEVEL_H

#include <stdbool.h>
#include <stddef.h>

#define LEVEL_FEWEST_FOR_BOUNDS ((size_t)40) /* below, how much neighbours resemble each other is hardly known */

/* The last third against the first. It goes somewhere when their means differ by a tenth at least, and by more than the
 * values of one third differ among themselves (their standard deviation): noise, correlated or not, does that hardly
 * ever. */
struct trend {
	double ratio;  /* of the means; NAN: fewer than two values in a third, or from nothing */
	int direction; /* 1, -1, or 0: none that can be seen */
};
struct trend level_trend(const double *v, size_t n);

/* The mean, and between which bounds it lies at this confidence. Correlation in time is allowed for as in
 * core/stats/region.h, and where it is too small to be found there; of AR(1) series the bounds at 95 % hold the mean 92
 * times in 100 at least (tests/unit/level). */
struct level {
	double mean, low, high; /* low and high NAN: too few values */
	size_t n;               /* values that there are */
	double effective;       /* how many independent ones they are worth; NAN */
};
/* Values are taken as not below zero. */
struct level level_mean(const double *v, size_t n, double confidence);

#endif
