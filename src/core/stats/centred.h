/* Samples less their mean, counter by counter: what covariances, lag correlations and batches are made of. */
#ifndef CORE_STATS_CENTRED_H
#define CORE_STATS_CENTRED_H

#include <stddef.h>
#include <stdint.h>

#include "base/int128.h"

struct samples;

/* Entry m of counter i is the sum of (count − mean) over the rows of one block, in counts; 0 where nothing was counted.
 * Sums and not means, so that blocks that counted more rows weigh more, and Σ_m x_im / weight_i is the error of the
 * mean. */
struct centred {
	size_t n, k;         /* counters, blocks */
	double *x;           /* n × k */
	unsigned char *here; /* n × k: something was counted; NULL: everywhere */
	/* n: Σ (count − mean)² over single rows where blocks hold several; NULL: blocks are rows */
	double *within;
};

/* More rows than this are taken as blocks, this many at most: a covariance of 26 counters gains nothing from more, and
 * memory and time stay within bounds. */
#define CENTRED_BLOCKS 2048

/* sum[i] and weight[i]: the exact sum and number of the rows that counted i. Free with centred_free(). */
struct centred *centred_new(const struct samples *, const i128 *sum, const int64_t *weight);
void centred_free(struct centred *);

/* The same with neighbouring blocks taken together until each has every counter; what is left at the end goes to the
 * last. k is 0 where a counter is nowhere. */
struct centred *centred_whole(const struct centred *);

/* Blocks that counted i, and those that counted both i and j. */
size_t centred_together(const struct centred *, size_t i, size_t j);

/* cov (n × n) := covariance of the means: with b blocks that counted both, b/(b−1) · Σ_m x_im x_jm / (weight_i
 * weight_j). Counters never counted together count as uncorrelated. */
void centred_covariance(const struct centred *, const int64_t *weight, double *cov);

#endif
