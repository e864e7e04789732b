/* The linear equalities that hold on a set of integer vectors, by exact elimination. Private to core/cone. */
#ifndef CORE_CONE_RREF_H
#define CORE_CONE_RREF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rref {
	size_t n_rows;
	/* n_rows × n: reduced row echelon form scaled to integers; greatest common divisor 1, leading coefficients
	 * positive */
	int64_t *row;
	size_t *pivot; /* n_rows: the columns of the leading coefficients, ascending */
	bool exact;    /* false: a coefficient does not fit into 64 bits, and n_rows is 0 */
};

/* Finds all c with c·v = 0 for each of the m vectors (row major, n columns). Call rref_free() on the result. */
void rref_equalities(size_t n, size_t m, const int64_t *vector, struct rref *out);

/* Finds those combinations of the given forms (independent rows of n columns) that vanish on all vectors. It works in
 * 64 bits: if an intermediate number does not fit, it returns false, and there is nothing to free. */
bool rref_narrow(size_t n, size_t n_forms, const int64_t *form, size_t m, const int64_t *vector, struct rref *out);

/* The same as rref_equalities(), with integers of unlimited size (rref_gmp.c). rref_equalities() calls it when 64 bits
 * are not enough. */
void rref_wide(size_t n, size_t m, const int64_t *vector, struct rref *out);
void rref_free(struct rref *);

#endif
