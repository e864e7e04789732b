/* The linear equalities that a set of integer vectors satisfies, by exact elimination. */
#ifndef CORE_CONE_RREF_H
#define CORE_CONE_RREF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rref {
	size_t n_rows;
	int64_t *row;  /* n_rows × n: reduced row echelon form scaled to integers, gcd 1, leading coefficient positive */
	size_t *pivot; /* n_rows: the column of the leading coefficient, ascending */
	bool exact;    /* false: a coefficient does not fit 64 bits; then n_rows is 0 */
};

/* All c with c·v = 0 for each of the m vectors (row major, n columns). rref_free() what it fills. */
void rref_equalities(size_t n, size_t m, const int64_t *vector, struct rref *out);
void rref_free(struct rref *);

#endif
