/* Small exact linear algebra for oracles: slow and plain; shares no code with the program. */
#ifndef TESTS_LIB_EXACT_H
#define TESTS_LIB_EXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/int128.h"

struct fraction {
	i128 num, den; /* den > 0, lowest terms */
};

struct fraction fraction(i128 num, i128 den);
struct fraction fraction_add(struct fraction, struct fraction);
struct fraction fraction_multiply(struct fraction, struct fraction);
struct fraction fraction_negative(struct fraction);

/* Rank of an m × n integer matrix. */
size_t exact_rank(size_t m, size_t n, const int64_t *a);

/* Writes a vector x ≠ 0 with a x = 0 for an m × n matrix of rank n − 1: integers without common divisor, the first
 * non-zero one positive. */
void exact_kernel(size_t m, size_t n, const int64_t *a, int64_t *x);

/* Solves the m × n system a x = b. False: there is no solution. If the rank is n, x is the solution. */
bool exact_solve(size_t m, size_t n, const struct fraction *a, const struct fraction *b, struct fraction *x);

i128 exact_dot(const int64_t *a, const int64_t *b, size_t n);

#endif
