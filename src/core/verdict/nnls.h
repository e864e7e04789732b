/* Least squares with non-negative multipliers. */
#ifndef CORE_VERDICT_NNLS_H
#define CORE_VERDICT_NNLS_H

#include <stdbool.h>
#include <stddef.h>

struct nnls {
	bool converged;   /* false: the iteration limit was reached; the result is the last state */
	size_t n_active;
	size_t *active;   /* indices of columns that carry the solution, free ones included */
	double *z;        /* n_active multipliers; only those of free columns may be negative */
	double *fit;      /* dim: Σ z_j c_j */
	double norm2;     /* |fit|² */
};

/* Minimise |y − Σ z_j c_j|² over z, with z_j ≥ 0 except for the first n_free columns, which must be independent.
 *
 * c is n × dim with rows of length 1; row j is the column c_j. Instead of y the products g_j = c_j·y are given,
 * because some callers know these more exactly than y. Source: Lawson and Hanson, Solving Least Squares Problems,
 * chapter 23. Free the result with nnls_free(). */
void nnls_solve(size_t n, size_t dim, size_t n_free, const double *c, const double *g, struct nnls *out);
void nnls_free(struct nnls *);

#endif
