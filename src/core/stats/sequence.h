/* Regions that hold at every look: what a growing observation is judged by, again and again, without a true model being
 * refuted more often than the confidence allows.
 *
 * Let Z_n be the sum of n samples less n times their true mean, in units in which a sample's covariance is the identity
 * of N dimensions. For each λ, exp(λ·Z_n − n|λ|²/2) is a martingale that begins at 1 (for samples that are not normal,
 * nearly so once n is large). So is its mean over λ drawn from a normal distribution of variance τ² in each direction:
 *
 *   M_n = (1 + nτ²)^(−N/2) · exp(|Z_n|² τ² / (2 (1 + nτ²)))
 *
 * By Ville's inequality M_n ever reaches 1/α with a probability of α at most. |Z_n|² is n times the distance² D² in the
 * covariance of the mean, hence, with x = nτ²,
 *
 *   M_n < 1/α  ⟺  D² < (1 + 1/x) · (2 ln(1/α) + N ln(1 + x))
 *
 * for all n at once, and 1/M_n is a p-value that may be looked at whenever one likes. Sources: Robbins, Annals of
 * Mathematical Statistics 41, 1970 (the mixture); Howard, Ramdas, McAuliffe and Sekhon, Annals of Statistics 49, 2021
 * (confidence sequences); Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Annals of Statistics 52, 2024 (with an
 * estimated covariance). */
#ifndef CORE_STATS_SEQUENCE_H
#define CORE_STATS_SEQUENCE_H

#include <stddef.h>

/* Samples at which the region is tightest, which is what τ² is chosen by: what a watching takes when nothing else is
 * asked for. */
#define SEQUENCE_TIGHTEST 60
/* From so many samples on something is said: with fewer, correlation in time as strong as some loads have it is not
 * seen every time. */
#define SEQUENCE_FIRST ((size_t)25)

/* The bound on D² after `samples` ≥ 1, in n ≥ 1 dimensions. At 99 % it is least at SEQUENCE_TIGHTEST samples; τ² is the
 * same at every confidence, so that levels can be compared. */
double sequence_threshold2(double confidence, size_t n, double samples);

/* The p-value at this look, 0 … 1: at most α just where d2 is at least the bound of confidence 1 − α. */
double sequence_p(double d2, size_t n, double samples);

#endif
