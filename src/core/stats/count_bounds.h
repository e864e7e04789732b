/* The total of one column over an observation, as the interval that it lies in. */
#ifndef CORE_STATS_COUNT_BOUNDS_H
#define CORE_STATS_COUNT_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>

struct obs;

struct count_bounds {
	double low, value, high; /* in counts, not in units of 10^-decimals; NAN, all: nothing was counted */
};

/* Computes it from all rows.
 *
 * - A count that ran all the time is exact: the ends are the count itself.
 * - A standard error that the source states is widened by Student's t for its number of runs; for an unknown number of
 *   runs, by that of two runs, as a region does.
 * - A count that had a counter for a part of the time is scaled up. What was seen before scaling is a lower end. The
 *   upper end takes it that in the rest of the time the event came at most twice as often. With three rows or more,
 *   Student's t over the rows narrows both: the spread of scaled rows includes the error of scaling each. */
struct count_bounds count_bounds(const struct obs *, size_t column, double confidence);

#endif
