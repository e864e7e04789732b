/* Which rows and cells a region uses, and their exact sums. Private to core/stats. */
#ifndef CORE_STATS_REGION_ROWS_H
#define CORE_STATS_REGION_ROWS_H

#include <stddef.h>

struct region;
struct samples;

/* Chooses the cells that are used, and sets *rows to the number of rows with used cells. Returns NULL if all cells are
 * used. Otherwise the result is like samples.counted, and the caller frees it. If enough rows have every counter, the
 * other rows are left out; if not, all rows are used. */
unsigned char *region_choose_cells(const struct samples *, size_t *rows);

/* Computes sum, weight and mean. A counter that no row counted keeps weight 0 and mean 0. */
void region_take_sums(struct region *, const struct samples *);

/* Adds how far the mean of a steady counter may be off because its counts were rounded when they were written, such
 * as to thousands with two decimals. The rounding of a steady counter is the same in all rows, so it is slack. */
void region_take_steps(struct region *, const struct samples *);

/* Returns the counter for which the load differs most between the rows that counted it and the other rows; n if no
 * difference is larger than chance. */
size_t region_find_uneven(const struct region *, const struct samples *);

#endif
