#include "core/stats/sequence.h"

#include <math.h>

#define REFERENCE 0.99 /* the confidence at which the region is tightest at SEQUENCE_TIGHTEST */

/* x at which (1 + 1/x) (2 ln(1/α) + n ln(1 + x)) is least: the root of x − ln(1 + x) = 2 ln(1/α) / n. The left side is
 * convex and rises, and the start lies right of the root, so that Newton's steps come down to it. */
static double
tightest(size_t n)
{
	double t = -2 * log1p(-REFERENCE) / (double)n, x = t + sqrt(2 * t);

	for (int step = 0; step < 30; step++)
		x -= (x - log1p(x) - t) * (1 + x) / x;
	return x;
}

/* nτ² */
static double
clock_of(size_t n, double samples)
{
	return tightest(n) * samples / SEQUENCE_TIGHTEST;
}

double
sequence_threshold2(double confidence, size_t n, double samples)
{
	double x = clock_of(n, samples);

	return (1 + 1 / x) * (-2 * log1p(-confidence) + (double)n * log1p(x));
}

double
sequence_p(double d2, size_t n, double samples)
{
	double x = clock_of(n, samples);

	return fmin(1, exp(((double)n * log1p(x) - d2 * x / (1 + x)) / 2));
}
