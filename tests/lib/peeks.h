/* Streams of samples that are looked at after each of them: how often, and when, a model is refuted by the threshold of
 * one look and by that of a confidence sequence; and how often their regions miss the true mean. Used by
 * bench/peeking.c, and by tests/unit/sequence.c in small. */
#ifndef TESTS_LIB_PEEKS_H
#define TESTS_LIB_PEEKS_H

#include <stddef.h>
#include <stdint.h>

#include "calibration.h"

extern const struct calibration_setting peeks_setting[];
extern const size_t peeks_n_settings;

/* By the fixed threshold, by the sequence's. */
enum { PEEKS_FIXED, PEEKS_SEQUENCE, PEEKS_KINDS };

struct peeks_count {
	size_t streams;
	size_t ever[PEEKS_KINDS];    /* refuted at some look */
	size_t last[PEEKS_KINDS];    /* refuted at the last */
	/* samples at the first refutation, of the median stream; 0: more than half were never refuted */
	size_t median[PEEKS_KINDS];
};

/* Streams of `rows` samples with that share of their flow where the model has none, looked at from SEQUENCE_FIRST
 * samples on, and stopped for each kind at its first refutation. `seed` differs from run to run. */
struct peeks_count peeks_run(const struct calibration *, const struct calibration_setting *, size_t streams,
	size_t rows, double share, uint64_t seed);

/* The same with no model: streams of n normal counters whose true mean is known, each like its neighbour in time by
 * `lag`, half of their variance in common. `ever` counts those in which the region missed the true mean at some look: 1
 * − confidence of them may, where it is to hold at all looks. */
struct peeks_count peeks_cover(size_t n, double lag, size_t streams, size_t rows, uint64_t seed);

#endif
