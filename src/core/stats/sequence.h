/* Confidence sequences: regions that hold at every test at once. They judge an observation repeatedly while it grows,
 * and do not refute a true model more often than the confidence allows (sequence.c explains why). */
#ifndef CORE_STATS_SEQUENCE_H
#define CORE_STATS_SEQUENCE_H

#include <stddef.h>

/* The number of samples at which the region is tightest; this determines τ². A profile takes this many samples by
 * default. */
#define SEQUENCE_TIGHTEST 60
/* The first number of samples at which a verdict is given. With fewer samples, the correlation in time that some loads
 * have is not always visible. */
#define SEQUENCE_FIRST ((size_t)25)

/* Returns the bound on D² after `samples` ≥ 1, in n ≥ 1 dimensions. At 99 % it is smallest at SEQUENCE_TIGHTEST
 * samples. τ² is the same at every confidence, so that levels can be compared. */
double sequence_threshold2(double confidence, size_t n, double samples);

/* Returns the p-value at this test, 0 … 1. It is at most α exactly if d2 is at least the bound for confidence 1 − α. */
double sequence_p(double d2, size_t n, double samples);

#endif
