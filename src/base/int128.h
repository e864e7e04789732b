/* Exact integer arithmetic. The 128-bit types are a compiler extension, which this file alone names. */
#ifndef BASE_INT128_H
#define BASE_INT128_H

#include <stddef.h>
#include <stdint.h>

__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;

/* The dot product a · b. It is exact while the sum of the products' magnitudes stays below 2^127. */
static inline i128
i128_dot(const int64_t *a, const int64_t *b, size_t n)
{
	i128 sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (i128)a[i] * b[i];
	return sum;
}

/* Returns the greatest common divisor; the one of 0 and a is a. */
static inline uint64_t
u64_gcd(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

#endif
