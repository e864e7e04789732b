/* Integer vectors of equal length, and sets of them. */
#ifndef CORE_CONE_ROWS_H
#define CORE_CONE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

uint64_t row_magnitude(int64_t x);

/* Divide by the greatest common divisor; false for a row of zeros. */
bool row_reduce(int64_t *v, size_t n);

/* qsort()s m rows of n numbers lexicographically. */
void rows_sort(size_t n, size_t m, int64_t *row);

/* Numbers of rows by value, by open addressing; the rows stand elsewhere, one behind the other. */
struct row_set {
	size_t n, slots;
	size_t *slot; /* row + 1, 0 is free */
};

struct row_set row_set_new(size_t n, size_t rows); /* free `slot` */

/* The slot of the row that equals v, or the free one where it belongs. */
size_t *row_set_slot(const struct row_set *, const int64_t *rows, const int64_t *v);

#endif
