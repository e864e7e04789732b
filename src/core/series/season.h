/* The season of a series: what repeats in it after a fixed number of rows. */
#ifndef CORE_SERIES_SEASON_H
#define CORE_SERIES_SEASON_H

#include <math.h>
#include <stddef.h>

struct season {
	double period;   /* in rows; 0: none was found */
	size_t places;   /* rows of a period, rounded up */
	/* places values with the mean 0: what the season adds to a row at that distance from a period's begin; owned */
	double *profile;
	double share;    /* share of the variance around the moving mean of a period that it explains, 0 … 1 */
};

/* Finds the season of n rows; NAN rows are unknown. A season has at least two rows, and three periods within the rows.
 * Free it with season_free().
 *
 * Lines of the spectrum of the differences of neighbours are candidates, with their multiples, if white noise makes
 * such a line in less than one series of a thousand. Differences, because the spectrum of slow noise and of steps is
 * nearly flat in them. The period is the one whose profile predicts best the rows that it was not made from; an F test
 * of the profile must agree. */
struct season season_find(const double *v, size_t n);
void season_free(struct season *);

/* The place of a row in a period: how many whole rows from its begin. */
static inline size_t
season_place(double period, size_t row)
{
	double place = fmod((double)row + 1e-6, period);

	return (size_t)place;
}

/* What the season adds to a row. If the period is no whole number of rows, a place stands for its middle, and rows
 * between two middles get a value between. */
double season_at(const struct season *, size_t row);

#endif
