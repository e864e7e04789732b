/* The linear equalities that a set of integer vectors satisfies, by exact elimination. */
#ifndef CORE_CONE_RREF_H
#define CORE_CONE_RREF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rref {
	size_t n_rows;
	/* n_rows × n: reduced row echelon form scaled to integers, gcd 1, leading coefficient positive */
	int64_t *row;
	size_t *pivot; /* n_rows: the column of the leading coefficient, ascending */
	bool exact;    /* false: a coefficient does not fit 64 bits; then n_rows is 0 */
};

/* All c with c·v = 0 for each of the m vectors (row major, n columns). rref_free() what it fills. */
void rref_equalities(size_t n, size_t m, const int64_t *vector, struct rref *out);

/* Of the combinations of these forms (independent rows of n columns) all that vanish on the vectors too. In 64 bits:
 * false, and nothing to free, when they do not suffice on the way. */
bool rref_narrow(size_t n, size_t n_forms, const int64_t *form, size_t m, const int64_t *vector, struct rref *out);

/* What rref_equalities() does, in integers without limit (rref_gmp.c); it is asked when 64 bits are not enough. */
void rref_wide(size_t n, size_t m, const int64_t *vector, struct rref *out);
void rref_free(struct rref *);

#endif
