/* Private to this room: the series that noise.c fits forms to, and noise_ask.c holds refutations against. */
#ifndef CORE_STATS_NOISE_SERIES_H
#define CORE_STATS_NOISE_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/stats/noise.h"
#include "core/stats/spectra.h"

#define NOISE_GONE 1e-9        /* of a counter's variance: what is left is rounding */
/* weight of independent rows in what forms are compared with; the best of all forms has the rest */
#define NOISE_INDEPENDENT 0.8
#define NOISE_NOT_EXCLUDED 3.0 /* less of ln L than the best form has */

struct noise_asked {
	struct spectra *forms, *quick; /* NULL: not asked for yet */
	double *of_rest;               /* ln L of each form, by what the loads leave of the others; NULL likewise */
	double reference;              /* … and what they are compared with */
	bool nothing;                  /* they leave nothing */
};

/* Coefficients of n series: those that are told apart, and all of them by their sums of products. */
struct noise {
	size_t n, k, waves;
	double nu;           /* k − 1 */
	double *wave;        /* waves × n */
	double *all;         /* n × n: Σ_j Λ_j Λ_jᵀ over all j = 1 … k−1 */
	size_t n_loads;      /* counters that explain most of the others are taken out of them, one after the other: */
	size_t load[NOISE_LOADS];
	double *by;          /* n_loads × n: how much of what a load has left when it is taken out is in each counter */
	double own[NOISE_LOADS]; /* … and its sum of squares */
	double *left;        /* n × n: `all` of what is left of the others; 0 for loads */
	double *left_wave;   /* waves × n: likewise */
	double *load_wave;   /* waves × n_loads */
	double independent;  /* what is left of the others is worth so many independent series */
	bool *alive;         /* n: it varies */
	struct noise_asked *asked; /* what was worked out for one question, and serves the next */
};

/* Energies of one or more series at the slow frequencies, and what is left for the others; their sum over all is
 * dims · nu if they are measured in their own sample covariance. */
struct energy {
	double dims;
	double wave[SPECTRA_WAVES], rest;
};

/* Of one series, of which `all` is the sum of squares: squares over their mean. */
void energy_of_series(const struct noise *, const double *wave, double all, struct energy *);
void energy_of_load(const struct noise *, size_t at, struct energy *);
/* Of what the loads leave of the others, each counter by itself, as so many independent series as they are worth. */
void energy_of_rest(const struct noise *, struct energy *);

/* ln L of series of equal and unknown variance. */
double energy_likelihood(const struct noise *, const struct energy *, const struct spectrum *);
/* The variance of the mean over that of independent rows, as the energies and the form have it. */
double energy_factor(const struct noise *, const struct energy *, const struct spectrum *);

#endif
