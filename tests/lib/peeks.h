/* Streams of samples that are tested after each sample. It counts how often, and when, a model is refuted by the
 * threshold of a single test and by that of a confidence sequence, and how often their regions miss the true mean.
 * Used by bench/peeking.c, and with small numbers by tests/unit/sequence.c. */
#ifndef TESTS_LIB_PEEKS_H
#define TESTS_LIB_PEEKS_H

#include <stddef.h>
#include <stdint.h>

#include "calibration.h"

extern const struct calibration_setting peeks_setting[];
extern const size_t peeks_n_settings;

/* the fixed threshold of one test, and the threshold of the sequence */
enum { PEEKS_FIXED, PEEKS_SEQUENCE, PEEKS_KINDS };

struct peeks_count {
	size_t streams;
	size_t ever[PEEKS_KINDS];    /* streams refuted after some sample */
	size_t last[PEEKS_KINDS];    /* streams refuted after the last sample */
	/* number of samples at the first refutation, of the median stream; 0: more than half were never refuted */
	size_t median[PEEKS_KINDS];
};

/* Streams of `rows` samples, of whose flow `share` lies outside of the model. They are tested from SEQUENCE_FIRST
 * samples on, by each threshold until its first refutation. `seed` differs from run to run. */
struct peeks_count peeks_run(const struct calibration *, const struct calibration_setting *, size_t streams,
	size_t rows, double share, uint64_t seed);

/* The same without a model: streams of n normal counters whose true mean is known. Each counter is an AR(1) process
 * with coefficient `lag`; half of the counters' variance is common. `ever` counts the streams in which the region
 * missed the true mean after some sample. A region that holds after every sample may miss it in 1 − confidence of
 * them. */
struct peeks_count peeks_cover(size_t n, double lag, size_t streams, size_t rows, uint64_t seed);

#endif
