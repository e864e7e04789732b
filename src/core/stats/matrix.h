/* Small dense symmetric matrices of doubles, row major. */
#ifndef CORE_STATS_MATRIX_H
#define CORE_STATS_MATRIX_H

#include <stdbool.h>
#include <stddef.h>

/* Computes the Cholesky factor l of a − shift·1 = l lᵀ: lower triangular, zeros above the diagonal. All are n × n.
 * Returns false when a − shift·1 is not positive definite. */
bool matrix_cholesky(size_t n, const double *a, double shift, double *l);

void matrix_forward(size_t n, const double *l, double *x);  /* x := l⁻¹ x */
void matrix_backward(size_t n, const double *l, double *x); /* x := l⁻ᵀ x */

/* Computes eigenvalues and eigenvectors of a (n × n) with GSL. `value` gets n numbers in ascending order. Row k of
 * vector (n × n) is the k-th eigenvector, of length 1. Returns false when GSL fails. */
bool matrix_eigen(size_t n, const double *a, double *value, double *vector);

#endif
