/* Most signatures of a model lie half-way between two others; those need not be looked at as rays. */
#ifndef CORE_CONE_MIDPOINTS_H
#define CORE_CONE_MIDPOINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* needed[i] becomes false for some of the m vectors (row major, n columns, non-negative, distinct) that are the
 * midpoint of two others. All that is needed for their conic hull keeps true. */
void midpoints_find(size_t n, size_t m, const int64_t *vector, bool *needed);

#endif
