/* Which of two rows of numbers is simpler to read, and whether a row is among others. */
#ifndef CORE_CONE_ORDER_H
#define CORE_CONE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
