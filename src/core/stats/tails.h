/* Quantiles and upper tails of χ², Snedecor's F and Hotelling's T², as exact as GSL's tails. Degrees of freedom may be
 * fractional. A tail is 1 if the value is not positive. No function fails. */
#ifndef CORE_STATS_TAILS_H
#define CORE_STATS_TAILS_H

#include <stddef.h>

/* χ² with n degrees of freedom. */
double chi2_quantile(double confidence, size_t n);
double chi2_tail(double x, size_t n);

/* F with n and nu degrees of freedom. */
double fisher_quantile(double confidence, double n, double nu);
double fisher_tail(double x, double n, double nu);

/* T² in n dimensions with a covariance estimated with nu degrees of freedom: nu n / (nu − n + 1) times F with n and nu
 * − n + 1. If nu < n, the covariance is singular: the quantile is INFINITY, and the tail is 1. Source: Hotelling,
 * Annals of Mathematical Statistics 2, 1931. */
double hotelling_quantile(double confidence, double n, double nu);
double hotelling_tail(double d2, double n, double nu);

/* Return the value at which the tail has fallen to `tail`, however small that is. They are as exact as the tails, but
 * slow. */
double chi2_beyond(double tail, size_t n);
double fisher_beyond(double tail, double n, double nu);

#endif
