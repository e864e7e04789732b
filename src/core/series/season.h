/* The season of a series: what repeats in it after a fixed number of rows. */
#ifndef CORE_SERIES_SEASON_H
#define CORE_SERIES_SEASON_H

#include <stdbool.h>
#include <stddef.h>

struct season {
	size_t period;   /* in rows; 0: none was found */
	double *profile; /* period values with the mean 0: what the season adds to rows 0, 1, …; owned */
	double share;    /* share of the variance around the moving mean of a period that it explains, 0 … 1 */
};

/* Finds the season of n rows; NAN rows are unknown. A season has at least two rows, and three periods within the rows.
 * Free it with season_free().
 *
 * Lines of the spectrum of the differences of neighbours are candidates, with their multiples, if white noise makes
 * such a line in less than one series of a thousand. Differences, because the spectrum of slow noise and of steps is
 * nearly flat in them. The period is the one whose profile predicts best the rows that it was not made from. */
struct season season_find(const double *v, size_t n);
void season_free(struct season *);

/* What the season adds to a row. */
static inline double
season_at(const struct season *season, size_t row)
{
	return season->period ? season->profile[row % season->period] : 0;
}

#endif
