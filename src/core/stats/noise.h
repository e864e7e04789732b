/* Noise that is slow: what the rows of an observation say about the variance of their mean, and what they cannot
 * exclude.
 *
 * The mean of k rows has the variance g_0 σ²/k, where g_0 is 1 if rows are independent, and the larger the slower
 * the noise is. No row shows g_0 itself: it is the spectrum at frequency 0. Rows show the spectrum beside it,
 * through the cosine coefficients
 *
 *   Λ_j = sqrt(2/k) Σ_t cos(π j (t + 1/2)/k) x_t,   j = 1 … k−1,
 *
 * which are independent of the mean and nearly so of each other, with the variances g_j σ². Noise of known form has
 * known g: independent rows (all 1); a share s of the variance that forgets within τ rows (first-order
 * autoregression) beside independent noise; long memory (fractional Gaussian noise with Hurst exponent H). These
 * forms, from the fastest to one that forgets within half the record, are the family Θ.
 *
 * A refutation with the distance d² in r dimensions is tested against each form θ that the noise may have had:
 *
 *   p_θ = P(T²_r ≥ d²_θ) · L_θ / (w L_independent + (1 − w) L_best),    p = max over θ of p_θ,
 *
 * where d²_θ is the distance with the covariance that θ gives, and L the likelihood of the coefficients j ≥ 1,
 * which the mean is independent of. For any fixed form φ the expectation of L_φ / L_θ under θ is 1, hence P_θ(p_θ ≤
 * α) ≤ α with L_φ as the denominator: p is valid whatever form the noise has. (The best of all forms is none that
 * is fixed; that it has a weight of 1 − w keeps the level nevertheless, as docs/numerics.md shows.) Rows that look
 * independent lower the p-value of slow noise; where they are too few to look like anything, it stays high, and the
 * refutation does not stand.
 *
 * L is the likelihood of what does not depend on the unknown covariance W between counters: for d series with
 * spectrum θ, and W integrated out over its invariant measure, L_θ ∝ Π_j g_j^(−d/2) · det(Σ_j Λ_j Λ_jᵀ /
 * g_j)^(−(k−1)/2).
 *
 * Sources: Müller, Econometrica 82, 2014, and Lazarus, Lewis, Stock and Watson, Journal of Business & Economic
 * Statistics 36, 2018 (cosine coefficients and tests with few of them); Beran, Statistics for Long-Memory
 * Processes, 1994 (fractional Gaussian noise). docs/numerics.md shows what levels this holds. */
#ifndef CORE_STATS_NOISE_H
#define CORE_STATS_NOISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct centred;

/* With fewer rows nothing is said of noise in time. */
#define NOISE_FEWEST ((size_t)8)

struct noise;

/* From samples without empty cells; weight as in centred_new(), cov of centred_covariance(). NULL where there are
 * fewer than NOISE_FEWEST. Independent of the samples afterwards. */
struct noise *noise_new(const struct centred *, const int64_t *weight, const double *cov);
/* The same from rows in proportion to one counter, the load: noise that goes with a load which comes in bursts
 * shows its form only then. Rows in which the load is small are left out. mean has n entries. NULL where too few
 * are left. */
struct noise *noise_new_in_proportion(const struct centred *, const int64_t *weight, const double *mean, size_t load);
void noise_free(struct noise *);

/* Nothing speaks against independent rows. */
struct noise_fit noise_no_fit(void);

/* A form that noise may have. */
struct noise_form {
	double share;  /* of the variance, that is slow; 0: rows are independent */
	double time;   /* rows within which it is forgotten, by a factor of e; 0: long memory */
	double memory; /* Hurst exponent; 0: none */
	/* the variance of the mean is so many times that of independent rows with the same sample variance */
	double factor;
};

/* The forms that fit best: of loads, which are counters that explain most of the others, and of what they leave of
 * the others. Independent rows, where nothing speaks against them. `cautious`: not the best but the slowest that is
 * not excluded, of those that forget quickly; for what is looked at again and again. */
#define NOISE_LOADS 4
#define NOISE_WAVES 48 /* coefficients that are told apart, at most */
struct noise_fit {
	struct noise_form of_load[NOISE_LOADS], of_rest;
	/* of_rest's spectrum: of the mean, of the coefficients that are told apart, and of the others */
	double zero, wave[NOISE_WAVES], others;
};
struct noise_fit noise_fit(const struct noise *, bool cautious);

/* The counter that explains most of the others. */
size_t noise_load(const struct noise *);

/* Correlation of neighbouring rows in what the loads leave of the counters, 0 … 1. The samples are those of
 * noise_new(). */
double noise_lag(const struct noise *, const struct centred *, const int64_t *weight);

/* The variance of direction·mean, if rows were independent. */
double noise_variance(const struct noise *, const double *direction);

/* cov (n × n), the covariance of the mean if rows were independent, becomes what the fit makes of it. */
void noise_apply(const struct noise *, const struct noise_fit *, double *cov);

struct noise_question {
	/* n: the direction a of the refutation; NULL: any, and then the answer depends on d2 alone */
	const double *direction;
	/* the squared distance along it, with the covariance that noise_apply() made, and `extra` */
	double d2;
	double extra;            /* variance of a·mean that is none of the rows' noise: floors, extrapolation */
	double dimensions;       /* of the distance */
	/* n_normals × n: directions with the same noise as a has, which tell something of its form; NULL: none */
	const double *normal;
	size_t n_normals;
};

struct noise_answer {
	double p;               /* the largest p_θ, at most 1 */
	struct noise_form form; /* where it is largest */
	double d2;              /* the squared distance if rows were independent */
	double rows;            /* with about so many rows the refutation would stand against that form */
};

struct noise_answer noise_ask(const struct noise *, const struct noise_fit *, const struct noise_question *);

#endif
