/* Do neighbouring samples resemble each other? */
#ifndef CORE_STATS_LAG_H
#define CORE_STATS_LAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct centred;

struct lag {
	bool found;  /* more than chance would do, one time in some hundred */
	double rho;  /* lag-1 correlation, pooled over counters and corrected for its bias, 0 … 0.99 */
	double most; /* the largest correlation that is not excluded: a few deviations above what is seen, found or not */
	double time; /* autocorrelation time 1 + 2 Σ_k ρ_k, in samples: so many are worth one independent one; ≥ 1 */
};

/* cov is the covariance of the means as centred_covariance() makes it, weight as in centred_new(). */
struct lag lag_find(const struct centred *, const int64_t *weight, const double *cov);

/* What part of an autocorrelation time batches of `length` samples see by themselves: their variance is so many times that of
 * independent samples. */
double lag_seen_by(double rho, double length);

/* Variances and covariances of n batches of `length` samples of AR(1) series, 0 ≤ rho < 1, are as uncertain as those of so many
 * independent ones: n / (1 + 2 Σ_k r_k²), r_k their correlation k batches apart (Bartlett, Supplement to the Journal of the Royal
 * Statistical Society 8, 1946). */
double lag_worth(double rho, double length, double n);

#endif
