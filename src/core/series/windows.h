/* Windows of steady behaviour: stretches of rows in which no series changes its level. Windows of equal levels belong
 * to one phase, so a phase may come back. */
#ifndef CORE_SERIES_WINDOWS_H
#define CORE_SERIES_WINDOWS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/series/panel.h"

struct window {
	size_t first, n; /* rows first … first + n - 1 */
	size_t phase;    /* 0 … n_phases - 1, in the order in which they begin */
	/* of the border before the window: the series that jumps farthest against its own noise, and its squared jump
	 * over the variance of the jump. The first window has jump 0 */
	size_t series;
	bool of_load; /* it jumps only relative to the load, which moves all series alike */
	double jump;
	double ratio; /* of its levels, after over before */
};

struct windows {
	size_t n, n_phases, n_series;
	struct window *window; /* ascending */
	double *level;         /* n × n_series: means of the rows of a window; NAN: no row is known */
	double *noise;         /* n_series: standard deviation of a row around its window's level; NAN: unknown */
	/* n_series, ≥ 1: how many times larger the variance of a long mean is than that of independent rows */
	double *slowness;
};

#define WINDOWS_SHORTEST ((size_t)10) /* fewest rows of a window */

/* Finds the windows of a panel with at least one row. Never NULL; free it with windows_free().
 *
 * Candidates are the changes of core/series/changes.h. A candidate stays if the squared jump of one
 * series is 60 times its variance or more, in itself or in its ratio to the load. The load of a row is the median of
 * all series over their means. The variance comes from means of ever longer batches of rows (Conway, Management
 * Science 9, 1963), so noise whose correlation lasts for a hundred rows is no change. Each border is then moved to the
 * row that separates best all series that jump there. Windows are put into phases by DBSCAN with min_points 1, which
 * joins windows whose levels differ by less than the noise of one row. */
struct windows *windows_find(const struct panel *);
void windows_free(struct windows *);

/* Standard error of a series's level in a window: from the noise of its rows, or of all rows if these are few, and the
 * slowness of all. */
double windows_level_error(const struct windows *, const struct panel *, size_t window, size_t series);

#endif
