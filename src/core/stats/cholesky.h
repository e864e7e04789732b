/* Small dense symmetric matrices, row major. */
#ifndef CORE_STATS_CHOLESKY_H
#define CORE_STATS_CHOLESKY_H

#include <stdbool.h>
#include <stddef.h>

/* a − shift·1 = l lᵀ with l lower triangular (its upper part is set to 0). False when it is not positive definite. */
bool cholesky(size_t n, const double *a, double shift, double *l);

void cholesky_forward(size_t n, const double *l, double *x);  /* x := l⁻¹ x */
void cholesky_backward(size_t n, const double *l, double *x); /* x := l⁻ᵀ x */

#endif
