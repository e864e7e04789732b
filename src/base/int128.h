/* 128-bit integers for exact sums; a compiler extension, named in one place. */
#ifndef BASE_INT128_H
#define BASE_INT128_H

#include <stddef.h>
#include <stdint.h>

__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;

/* a · b, exact where the sum of the products' sizes is below 2^127. */
static inline i128
i128_dot(const int64_t *a, const int64_t *b, size_t n)
{
	i128 sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (i128)a[i] * b[i];
	return sum;
}

#endif
