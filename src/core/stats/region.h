/* Samples to a confidence region of their mean.
 *
 *   ellipsoid    { v : (v−Y)ᵀ Σ⁻¹ (v−Y) ≤ q }        q = χ²_N quantile at the confidence
 *   box          | e_i·(v−Y) | ≤ sqrt(λ_i q)           e_i, λ_i eigenvectors and -values of Σ: CounterPoint's rotated box
 *   independent  | v_i − Y_i | ≤ sqrt(Σ_ii q)          covariances taken as zero
 *
 * Of an observation that is judged again and again while it grows (`peeked`), q is larger: that of a confidence sequence (sequence.h).
 * Y is the mean, Σ the covariance of the mean. Sources: CounterPoint section 4 and appendix A; floors: docs/numerics.md. */
#ifndef CORE_STATS_REGION_H
#define CORE_STATS_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/int128.h"

/* Below so many rows, or below two for each counter, correlations are shrunk. */
#define REGION_FEW ((size_t)20)

/* Samples of N counters: M rows, as exact integers in units of 10^-decimals. */
struct samples {
	size_t n_counters, n_rows;
	const int64_t *count;         /* n_rows × n_counters */
	const unsigned char *counted; /* n_rows × n_counters, NULL: all counted */
	int decimals;
	const double *running;        /* n_rows × n_counters: share of the interval on a counter; NULL: all 1 */
	const double *error;          /* n_rows × n_counters: stated standard error of the cell, in counts; NULL: none */
	double tasks;                 /* rows may be torn by 1 per task; the means are then off by up to tasks / rows besides */
	const size_t *parts;          /* n_counters: events that add up to the counter, each of which tears by itself; NULL: all 1 */
	bool peeked;                  /* they are judged again and again while they grow */
};

struct region {
	size_t n;             /* counters */
	size_t rows;          /* samples used */
	bool point;           /* an exact total: no noise, only `sum` counts (rows is 1) */
	/* The mean is exactly sum[i] / (weight[i] · 10^decimals). */
	i128 *sum;
	int64_t *weight;      /* rows counted, per counter */
	int decimals;
	double *slack;        /* n: each mean may be off by this much besides, whatever its noise, in counts; NULL: none */
	double effective;     /* how many independent samples the rows are worth; rows when they are independent */
	size_t batches;       /* batch means that Σ was made of, because the samples are correlated in time; 0: none */
	double lag;           /* the lag-1 correlation that asked for them, of rows (or blocks of them, where they are many); 0: found none */
	double shrinkage;     /* weight of the correlations' target in Σ, 0 … 1 (Schäfer and Strimmer) */
	double inflation;     /* Σ is so many times the estimate, because that is one from few effective samples; ≥ 1 */
	double freedom;       /* degrees of freedom that Σ has as an estimate; 0: it is none */
	bool peeked;          /* the threshold is one that holds at every look; never of a point, or where errors are stated */
	bool stated;          /* a single row: Σ is diagonal, of the standard errors that the source states */
	double *mean;         /* n */
	double *cov;          /* n × n, of the mean, floors included; NULL for a point */
	double *factor;       /* n × n, lower Cholesky factor of cov; NULL for a point */
	/* n eigenvalues, ascending, and n × n eigenvectors, row k is the k-th; valid after region_axes(); NULL for a point. */
	double *eigenvalue;
	double *eigenvector;
	struct region_state *state; /* what is filled in later; private */
};

/* Copies what it needs. `exact` makes a point of a single row; of more rows, each an exact total, the point of their sum.
 * A counter counted in fewer than two rows (in long recordings: blocks of rows) has no variance: region_has_noise_model() is then false
 * and cov is NULL. A single row has one if it states its errors. */
struct region *region_new(const struct samples *, bool exact);
void region_free(struct region *);
bool region_has_noise_model(const struct region *);

/* Make eigenvalue and eigenvector valid. They cost more than everything else, and most verdicts do without them. */
void region_axes(const struct region *);

/* The bound q on the distance², for a region with a noise model: χ²'s, or, where the observation is peeked at, the confidence sequence's, wider where
 * Σ is an estimate from few samples. And the p-value of a distance²: at most α just where it is at least the bound at 1 − α. */
double region_threshold2(const struct region *, double confidence);
double region_p(const struct region *, double d2);

/* The quantile of Snedecor's F with n and nu degrees of freedom, nu real (GSL; for larger nu an approximation). */
double fisher_quantile(double confidence, size_t n, double nu);

/* χ² quantile and upper tail with n degrees of freedom (GSL); quantiles are cached by the caller. */
double chi2_quantile(double confidence, size_t n);
double chi2_tail(double x, size_t n);

/* F's upper tail, and the points that a tail however small lies beyond: as exact as the tails are, and slow. */
double fisher_tail(double x, size_t n, double nu);
double fisher_beyond(double tail, size_t n, double nu);
double chi2_beyond(double tail, size_t n);

#endif
