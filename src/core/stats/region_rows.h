/* Which rows and cells a region uses, and their exact sums. Private to core/stats. */
#ifndef CORE_STATS_REGION_ROWS_H
#define CORE_STATS_REGION_ROWS_H

#include <stddef.h>

struct region;
struct samples;

/* Chooses the cells that are used; *rows gets the number of rows that have some. NULL means all cells. Otherwise the
 * result is like samples.counted, and the caller frees it. If enough rows have every counter, the others are left out;
 * if not, the cells stay as they are. */
unsigned char *region_choose_cells(const struct samples *, size_t *rows);

/* Computes sum, weight and mean. A counter that no row counted keeps weight 0 and mean 0. */
void region_take_sums(struct region *, const struct samples *);

/* Adds how far the mean of a steady counter may be off because its counts were rounded when they were written, such
 * as to thousands with two decimals. The rounding of a steady counter is the same in all rows, so it is slack. */
void region_take_steps(struct region *, const struct samples *);

/* The counter for which the load differs most between the rows that have it and the others; n when no difference is
 * above chance. */
size_t region_find_uneven(const struct region *, const struct samples *);

#endif
