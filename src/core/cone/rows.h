/* Integer vectors of equal length ("rows"): reduction, order, and sets of them. */
#ifndef CORE_CONE_ROWS_H
#define CORE_CONE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Divides the row by its greatest common divisor; false for a row of zeros. */
bool rows_reduce(int64_t *v, size_t n);

/* Sorts m rows of n numbers lexicographically. */
void rows_sort(size_t n, size_t m, int64_t *row);

/* A hash set of rows by content. The rows themselves are in an array of the caller. */
struct rows_set {
	size_t n, slots;
	size_t *slot; /* row number + 1; 0 is a free slot */
};

struct rows_set rows_set_new(size_t n, size_t rows); /* for up to `rows` rows of n numbers; the caller frees `slot` */

/* Returns the slot of the row that equals v, or the free slot where it belongs. */
size_t *rows_set_slot(const struct rows_set *, const int64_t *rows, const int64_t *v);

struct rows_size {
	size_t used; /* number of non-zero entries */
	double sum;  /* sum of their magnitudes */
};

struct rows_size rows_size(const int64_t *row, size_t n);
/* Compares as qsort(3) expects: fewer non-zero entries first, then the smaller sum. */
int rows_size_compare(struct rows_size a, struct rows_size b);

/* Returns whether `row` equals one of n_rows rows, which lie one after the other. */
bool rows_have(const int64_t *rows, size_t n_rows, size_t n, const int64_t *row);

#endif
