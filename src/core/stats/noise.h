/* Slow noise: what the rows of an observation show about the variance of their mean, and what they cannot exclude.
 *
 * The mean of k rows has the variance g_0 σ²/k. g_0 is 1 if rows are independent, and grows with the time over which
 * the noise is correlated. No row shows g_0 itself: it is the spectrum at frequency 0. Rows show the spectrum next to
 * it, through the cosine coefficients
 *
 *   Λ_j = sqrt(2/k) Σ_t cos(π j (t + 1/2)/k) x_t,   j = 1 … k−1.
 *
 * These are independent of the mean and nearly independent of each other, with the variances g_j σ². Noise of a known
 * form has known g. The family Θ of forms is: independent rows (all g are 1); independent noise plus a share s of the
 * variance whose correlation falls within τ rows (first-order autoregression), or which has long memory (fractional
 * Gaussian noise with Hurst exponent H). τ goes up to 0.6 of the record, and beyond that in short records; H goes up to
 * 0.95.
 *
 * A refutation with the distance d² in r dimensions may be due to slow noise in two ways, and p is the larger of both:
 *
 *   all series have the form θ       p = max over θ of P(T²_r ≥ d²_θ) · L_θ / L_ref,  L of all counters
 *   the refuting direction alone     p = max over θ of P(d²_θ ≥ d²)   · L_θ / L_ref,  L of its own series
 *
 * with L_ref = v L_independent + w L_best. d²_θ is the distance with the covariance that θ gives; in the second case
 * only one of the r dimensions has it. L is the likelihood of the coefficients j ≥ 1, which are independent of the
 * mean.
 *
 * Why such a p is valid whatever form the noise has: for any fixed form φ the expectation of L_φ / L_θ under θ is 1.
 * Hence P_θ(p_θ ≤ α) ≤ α with L_φ as the denominator. The best of all forms is not a fixed one, so its weight w is a
 * choice of noise_ask.c, small enough for the levels of docs/numerics.md. The smaller of two such p would not be valid,
 * the larger one is.
 *
 * The second p is multiplied by κ L_own(best) / L_own(the form that all counters show), at most 1: as long as the
 * direction's own series looks like all others, the case that it alone is slow has the weight κ. This is a choice;
 * docs/numerics.md shows the levels that it gives. If the slowest of all forms explains the series best, nothing is
 * refuted.
 *
 * L must not depend on the unknown covariance W between counters. So W is integrated out over its invariant measure:
 * for d series with spectrum θ, L_θ ∝ Π_j g_j^(−d/2) · det(Σ_j Λ_j Λ_jᵀ / g_j)^(−(k−1)/2).
 *
 * Sources: Müller, Econometrica 82, 2014, and Lazarus, Lewis, Stock and Watson, Journal of Business & Economic
 * Statistics 36, 2018 (cosine coefficients and tests with few of them); Beran, Statistics for Long-Memory Processes,
 * 1994 (fractional Gaussian noise). docs/numerics.md shows the levels that this method keeps. */
#ifndef CORE_STATS_NOISE_H
#define CORE_STATS_NOISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct centred;
struct spectra_book;

/* The fewest rows from which noise in time is estimated. */
#define NOISE_FEWEST ((size_t)8)

struct noise;

/* Makes the series from samples without empty cells; free them with noise_free(). weight is as in centred_new(), cov
 * from centred_covariance(). Returns NULL when there are fewer rows than NOISE_FEWEST. The result does not refer to the
 * samples, but to the book (NULL: none). */
struct noise *noise_new(const struct centred *, const int64_t *weight, const double *cov, struct spectra_book *);
/* The same from rows in proportion to one counter, the load. If the load comes in bursts, noise that varies with it
 * shows its form only in proportions. Rows with a small load are left out. mean has n entries. Returns NULL when too
 * few rows remain. */
struct noise *noise_new_in_proportion(
	const struct centred *, const int64_t *weight, const double *mean, size_t load, struct spectra_book *);
void noise_free(struct noise *);

/* The forms of noise depend on the number of rows alone. A book shares them among observations, and among the threads
 * that judge these. It must outlive them. */
struct spectra_book *spectra_book_new(void);
void spectra_book_free(struct spectra_book *);

/* Returns the fit of independent rows. */
struct noise_fit noise_no_fit(void);

/* A form that noise may have. */
struct noise_form {
	double share;  /* share of the variance that is slow; 0: rows are independent */
	double time;   /* number of rows after which a correlation has fallen by a factor of e; 0: long memory */
	double memory; /* Hurst exponent of the slow part; 0: none */
	bool edge;     /* the form is one of the slowest that are tested */
	/* the variance of the mean, divided by that of independent rows with the same sample variance */
	double factor;
};

/* The forms that fit best: one for each load (a counter that explains most of the others), and one for the other
 * counters after the loads are taken out. Without evidence to the contrary, the forms are those of independent rows.
 * `cautious` is for observations that are judged repeatedly: among the forms with short correlation that are not
 * excluded, it takes the one that increases the variance of the mean most. */
#define NOISE_LOADS 4
#define NOISE_WAVES 48 /* the most coefficients that are treated one by one */
struct noise_fit {
	struct noise_form of_load[NOISE_LOADS], of_rest;
	/* of_rest's spectrum: at the mean, at the coefficients treated one by one, and at all others */
	double zero, wave[NOISE_WAVES], others;
};
struct noise_fit noise_fit(const struct noise *, bool cautious);

/* Returns the counter that explains most of the others. */
size_t noise_load(const struct noise *);

/* Returns the correlation of neighbouring rows after the loads are taken out of the counters, 0 … 1. The samples are
 * those given to noise_new(). */
double noise_lag(const struct noise *, const struct centred *, const int64_t *weight);

/* Returns the variance that direction·mean would have if rows were independent. */
double noise_variance(const struct noise *, const double *direction);

/* Replaces cov (n × n), the covariance of the mean for independent rows, by its covariance under the fit. */
void noise_apply(const struct noise *, const struct noise_fit *, double *cov);

struct noise_question {
	/* n: the direction a of the refutation; NULL: any direction, and then the answer depends on d2 alone */
	const double *direction;
	/* squared distance along `direction`; the variance is that of noise_apply() plus `extra` */
	double d2;
	double extra;            /* variance of a·mean that does not come from the rows' noise: floors, extrapolation */
	double dimensions;       /* number of dimensions of the distance */
};

/* Why a refutation does not stand. */
enum noise_doubt {
	NOISE_NO_DOUBT,
	NOISE_FEW_ROWS, /* there are fewer rows than NOISE_FEWEST, which show nothing about noise in time */
	NOISE_POSSIBLE, /* the rows cannot exclude a form of noise that would explain it */
	NOISE_AT_EDGE,  /* the slowest form that is tested fits best, so the noise may be slower than any of them */
};

struct noise_answer {
	double p;               /* the largest p_θ, at most 1 */
	double p_independent;   /* what p would be if rows were known to be independent */
	enum noise_doubt why;   /* why the refutation does not stand, if p is too large */
	struct noise_form form; /* the form for which p_θ is largest */
	double d2;              /* the squared distance if rows were independent */
	/* about how many rows would refute even under `form`; NAN: no number of rows would */
	double rows;
};

struct noise_answer noise_ask(const struct noise *, const struct noise_fit *, const struct noise_question *);

/* Returns the square of the distance from the mean of the only series beyond which no form explains it: P(T² ≥ d²) L_θ
 * is at most level × the mean of all L, for each form θ with a correlation time of up to so many records. `extra` is
 * variance of the mean that the rows do not show. */
double noise_reach2(const struct noise *, double records, double extra, double level);

#endif
