/* The series to which noise.c fits forms, and with which noise_ask.c tests refutations. Private to core/stats. */
#ifndef CORE_STATS_NOISE_SERIES_H
#define CORE_STATS_NOISE_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/stats/noise.h"
#include "core/stats/spectra.h"

#define NOISE_GONE 1e-9        /* share of a counter's variance below which the remainder is rounding error */
/* weight of independent rows in the fit, and in the reference of noise_ask.c */
#define NOISE_INDEPENDENT 0.8
#define NOISE_NOT_EXCLUDED 3.0 /* difference of ln L to the best form, up to which a form is not excluded */

struct noise_asked {
	struct spectra *forms;      /* NULL until first needed */
	/* ln L of each form, for the other counters after the loads are subtracted; NULL until first needed */
	double *of_rest;
	double reference;              /* the reference to which of_rest is compared */
	bool nothing;                  /* nothing is left of the other counters after the loads are subtracted */
};

/* The coefficients of n series: the slow ones one by one, and all of them as sums of products. */
struct noise {
	size_t n, k, waves;
	double nu;           /* k − 1 */
	double *wave;        /* waves × n */
	double *all;         /* n (n + 1) / 2: Σ_j Λ_j Λ_jᵀ over all j = 1 … k−1; row i has i + 1 entries */
	/* number of loads: counters that explain most of the others and are subtracted from them, one after the
	 * other */
	size_t n_loads;
	size_t load[NOISE_LOADS];
	/* n_loads × n: the multiple of a load, in its state when it was subtracted, that each counter contained */
	double *by;
	double own[NOISE_LOADS];   /* the load's sum of squares at that time */
	double *load_wave;         /* waves × n_loads */
	double independent;        /* number of independent series that the remaining series are worth */
	bool *alive;               /* n: whether the counter still varies */
	struct spectra_book *book; /* NULL: none */
	struct noise_asked *asked; /* results of one question that are reused for the next */
};

/* What the loads leave of the series. It follows from struct noise, and takes more memory. */
struct noise_left {
	double *all;  /* n × n; 0 for loads */
	double *wave; /* waves × n */
};
struct noise_left noise_left_new(const struct noise *);
void noise_left_free(struct noise_left *);

/* The energies of one or more series at the slow frequencies, and the rest at all others. They add up to dims · nu if
 * measured in the series' own sample covariance. */
struct noise_energy {
	double dims;
	double wave[SPECTRA_WAVES], rest;
};

/* The energies of one series: its squares over their mean. `all` is the sum of squares. */
void noise_energy_of_series(const struct noise *, const double *wave, double all, struct noise_energy *);
void noise_energy_of_load(const struct noise *, size_t at, struct noise_energy *);
/* The energies of the other counters after the loads are subtracted, each counter normalised separately. They count as
 * z->independent series. */
void noise_energy_of_rest(const struct noise *, const struct noise_left *, struct noise_energy *);

/* Returns ln L of series with equal and unknown variance. */
double noise_energy_likelihood(const struct noise *, const struct noise_energy *, const struct spectrum *);
/* Returns the variance of the mean divided by that of independent rows, for these energies and this form. */
double noise_energy_factor(const struct noise *, const struct noise_energy *, const struct spectrum *);

#endif
