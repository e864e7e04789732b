/* Eigenvalues and -vectors of a small symmetric matrix (GSL). */
#ifndef CORE_STATS_EIGEN_H
#define CORE_STATS_EIGEN_H

#include <stdbool.h>
#include <stddef.h>

/* a is n × n; value gets n numbers, ascending; row k of vector (n × n) is the k-th, of length 1. False when GSL fails.
 */
bool eigen_symmetric(size_t n, const double *a, double *value, double *vector);

#endif
