/* Sorted numbers. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>
#include <stdlib.h>

static inline int
sort_compare_doubles(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Sorts n doubles, ascending. The place of a NaN is not defined. */
static inline void
sort_doubles(double *value, size_t n)
{
	if (n > 1)
		qsort(value, n, sizeof *value, sort_compare_doubles);
}

#endif
