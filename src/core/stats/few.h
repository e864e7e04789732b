/* By how much Σ must be widened because it is an estimate from few samples: at 99 %, so that χ²'s quantile stays the bound. All are ≥ 1. */
#ifndef CORE_STATS_FEW_H
#define CORE_STATS_FEW_H

#include <stddef.h>

/* Only the size of Σ is an estimate, with nu > 0 degrees of freedom, and its shape is known: d²/n follows Snedecor's F with n and nu. */
double few_size(size_t n, double nu);

/* The shape is an estimate too: d² follows Hotelling's T². Below twice n degrees of freedom, where that has no power left, what it
 * is at 2n, on top of the size's. */
double few_shape(size_t n, double nu);

/* The correlations were shrunk towards 0 with weight `shrunk`, 0 < shrunk ≤ 1: d² is the regularised T² of Chen, Paul, Prentice and
 * Wang (Journal of the American Statistical Association 106, 2011), whose mean and variance follow from the spectrum of the estimate
 * alone. cov is n × n, shrunk; factor its Cholesky factor. */
double few_shrunk(size_t n, double nu, double shrunk, const double *cov, const double *factor);

#endif
