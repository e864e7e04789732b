#include "core/cone/order.h"

#include <string.h>

#include "core/cone/rows.h"

struct row_size
row_size(const int64_t *row, size_t n)
{
	struct row_size s = {0};

	for (size_t i = 0; i < n; i++) {
		s.used += row[i] != 0;
		s.sum += (double)row_magnitude(row[i]);
	}
	return s;
}

int
row_size_compare(struct row_size a, struct row_size b)
{
	if (a.used != b.used)
		return a.used < b.used ? -1 : 1;
	return a.sum < b.sum ? -1 : a.sum > b.sum;
}

bool
rows_have(const int64_t *rows, size_t n_rows, size_t n, const int64_t *row)
{
	for (size_t i = 0; i < n_rows; i++)
		if (memcmp(rows + i * n, row, n * sizeof *row) == 0)
			return true;
	return false;
}
