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

struct row_size {
	size_t used; /* numbers that are not 0 */
	double sum;  /* of their magnitudes */
};

struct row_size row_size(const int64_t *row, size_t n);
/* Fewer numbers first, then smaller ones: as qsort(3) wants it. */
int row_size_compare(struct row_size a, struct row_size b);

/* Is it one of these, which stand one behind the other? */
bool rows_have(const int64_t *rows, size_t n_rows, size_t n, const int64_t *row);

#endif
