/* The forms that slow noise may have, as spectra: the family that noise.h tests a refutation against. */
#ifndef CORE_STATS_SPECTRA_H
#define CORE_STATS_SPECTRA_H

#include <stddef.h>

#include "core/stats/noise.h"

/* Cosine coefficients that are told apart: the slowest, one by one, then four to an octave. All others are taken
 * together. */
#define SPECTRA_WAVES NOISE_WAVES

/* One form of noise whose samples have the variance 1. */
struct spectrum {
	struct noise_form form;
	double zero;               /* k times the variance of the mean of k rows */
	double wave[SPECTRA_WAVES]; /* variances of the coefficients that are told apart */
	double rest, log_rest;      /* mean variance of the others, and its ln */
	double log_all;             /* Σ ln of the variances of all k − 1 coefficients */
};

struct spectra {
	size_t rows, waves, n;
	size_t j[SPECTRA_WAVES]; /* the numbers of the coefficients */
	struct spectrum *one; /* n; the first one is independent rows */
};

/* For rows ≥ NOISE_FEWEST: all forms; or only those that forget within ten rows. What a single counter does by
 * itself, among others that do not, is not seen in the others, so that few rows could not exclude anything slower
 * of it. Free with spectra_free(). */
struct spectra *spectra_new(size_t rows);
struct spectra *spectra_new_quick(size_t rows);
void spectra_free(struct spectra *);

/* Which coefficients of so many rows are told apart: their numbers j, ascending; returns how many. A third of all
 * at most. */
size_t spectra_waves(size_t rows, size_t j[SPECTRA_WAVES]);

#endif
