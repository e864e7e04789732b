/* How far correlations from few samples are to be believed. */
#ifndef CORE_STATS_SHRINK_H
#define CORE_STATS_SHRINK_H

struct centred;

/* The weight λ of the identity in λ·1 + (1−λ)·R that makes the expected squared error of the correlations R smallest, estimated from
 * the samples: λ = Σ_{i≠j} Var(r_ij) / Σ_{i≠j} r_ij², between 0 and 1. Counters that never vary take no part.
 * Source: Schäfer and Strimmer, A Shrinkage Approach to Large-Scale Covariance Matrix Estimation, Statistical Applications in
 * Genetics and Molecular Biology 4 (2005), article 32, section 2.3 and table 2, target D. */
double shrink_intensity(const struct centred *);

#endif
