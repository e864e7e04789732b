/* The forms that slow noise may have, as spectra. noise.h tests a refutation against this family. */
#ifndef CORE_STATS_SPECTRA_H
#define CORE_STATS_SPECTRA_H

#include <stddef.h>

#include "core/stats/noise.h"

/* The number of cosine coefficients that are treated one by one: the slowest consecutively, then four to an octave. All
 * others are taken together. */
#define SPECTRA_WAVES NOISE_WAVES

/* Fewer rows hardly show a share with a Hurst exponent of 0.95, and testing that form would leave few refutations.
 * `bench/bound.py` prints how few. */
#define SPECTRA_MANY ((size_t)100)

/* One form of noise whose samples have the variance 1. */
struct spectrum {
	struct noise_form form;
	double zero;                /* k times the variance of the mean of k rows */
	double *wave;               /* variances of the coefficients that are treated one by one */
	double rest, log_rest;      /* mean variance of the others, and its logarithm */
	double log_all;             /* Σ of the logarithms of the variances of all k − 1 coefficients */
};

struct spectra {
	size_t rows, waves, n;
	size_t j[SPECTRA_WAVES]; /* the numbers of the coefficients */
	struct spectrum *one;    /* n forms; the first one is independent rows */
	/* private to the book: as asked for; how many hold the forms, and the forms that were made before */
	double slowest;
	size_t holders;
	struct spectra *next;
};

/* Returns the forms for rows ≥ NOISE_FEWEST from the book, which makes them if it has none; with NULL, new ones. Noise
 * that forgets is tested up to a correlation time of `slowest` rows; 0: the time of docs/numerics.md. Each holder ends
 * with spectra_drop(), with the same book. Threads may share a book. */
struct spectra *spectra_hold(struct spectra_book *, size_t rows, double slowest);
void spectra_drop(struct spectra_book *, struct spectra *); /* NULL is allowed for the forms */

/* Writes the numbers j of the coefficients that are treated one by one, ascending, and returns their number, which is
 * at most a third of all. */
size_t spectra_waves(size_t rows, size_t j[SPECTRA_WAVES]);

#endif
