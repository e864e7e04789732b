/* Single rows that do not belong to a series. */
#ifndef CORE_SERIES_OUTLIERS_H
#define CORE_SERIES_OUTLIERS_H

#include <stddef.h>

struct outlier {
	size_t row;
	double value, expected; /* the median of the rows around it */
	double deviations;      /* from it, in standard deviations of normal noise */
};

struct outliers {
	size_t n;
	struct outlier *outlier; /* ascending by row; owned */
	double most;             /* deviations above which a row is an outlier; 0: too few rows for one */
};

#define OUTLIERS_AROUND ((size_t)15) /* rows on each side whose median is expected */

/* Finds outliers by Hampel's filter (GSL's gsl_filter_impulse): rows farther from the median of the 31 rows around them
 * than normal noise makes in one of a hundred families of this many rows (`tried`, those of all series together). The
 * noise is the larger of that of these 31 rows and that of the whole series, each by its median absolute deviation.
 * Free with outliers_free(). */
struct outliers outliers_find(const double *v, size_t n, size_t tried);
void outliers_free(struct outliers *);

#endif
