/* Why the regions hold at every test.
 *
 * Let Z_n be the sum of n samples less n times their true mean, in units in which a sample's covariance is the identity
 * of N dimensions. For each λ, exp(λ·Z_n − n|λ|²/2) is a martingale that begins at 1. (For samples that are not normal
 * this is nearly so once n is large.) So is its mean over λ drawn from a normal distribution of variance τ² in each
 * direction:
 *
 *   M_n = (1 + nτ²)^(−N/2) · exp(|Z_n|² τ² / (2 (1 + nτ²)))
 *
 * By Ville's inequality M_n ever reaches 1/α with a probability of at most α. |Z_n|² is n times the distance² D² in the
 * covariance of the mean. With x = nτ² it follows that
 *
 *   M_n < 1/α  ⟺  D² < (1 + 1/x) · (2 ln(1/α) + N ln(1 + x))
 *
 * for all n at once, and 1/M_n is a p-value that may be computed at any time. Sources: Robbins, Annals of Mathematical
 * Statistics 41, 1970 (the mixture); Howard, Ramdas, McAuliffe and Sekhon, Annals of Statistics 49, 2021 (confidence
 * sequences); Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Annals of Statistics 52, 2024 (with an estimated
 * covariance). */
#include "core/stats/sequence.h"

#include <math.h>

#define REFERENCE 0.99 /* the confidence at which the region is tightest after SEQUENCE_TIGHTEST samples */

/* The x at which (1 + 1/x) (2 ln(1/α) + n ln(1 + x)) is least. It is the root of x − ln(1 + x) = 2 ln(1/α) / n. The
 * left side is convex and rising, and the start lies to the right of the root, so Newton's steps come down to it. */
static double
tightest(size_t n)
{
	double t = -2 * log1p(-REFERENCE) / (double)n, x = t + sqrt(2 * t);

	for (int step = 0; step < 30; step++)
		x -= (x - log1p(x) - t) * (1 + x) / x;
	return x;
}

/* x = nτ² after so many samples */
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
