/* Samples less their mean, counter by counter. Covariances, lag correlations and batches are computed from them. */
#ifndef CORE_STATS_CENTRED_H
#define CORE_STATS_CENTRED_H

#include <stddef.h>
#include <stdint.h>

#include "base/int128.h"

struct samples;

/* Entry m of counter i is the sum of (count − mean) over the rows of block m, in counts; 0 where nothing was counted.
 * The entries are sums and not means, so a block that counted more rows weighs more, and Σ_m x_im / weight_i is the
 * error of the mean. */
struct centred {
	size_t n, k;         /* number of counters, of blocks */
	double *x;           /* n × k */
	unsigned char *here; /* n × k: whether the block counted the counter; NULL: everywhere */
	/* n: Σ (count − mean)² over single rows if blocks hold several rows; NULL: each block is a row */
	double *within;
};

/* The most blocks. Above this number, several rows make a block. A covariance of 26 counters gains nothing from more,
 * and memory and time stay bounded. */
#define CENTRED_BLOCKS 2048

/* Centres the samples. sum[i] and weight[i] are the exact sum and the number of the rows that counted i. Free the
 * result with centred_free(). */
struct centred *centred_new(const struct samples *, const i128 *sum, const int64_t *weight);
void centred_free(struct centred *);

/* The same blocks, neighbours added together until each new block has every counter. Blocks left at the end go to
 * the last block. k is 0 if some counter was never counted. */
struct centred *centred_whole(const struct centred *);

/* cov (n × n) := covariance of the means. If b blocks counted both i and j, its entry is b/(b−1) · Σ_m x_im x_jm /
 * (weight_i weight_j). Counters that were never counted together count as uncorrelated. */
void centred_covariance(const struct centred *, const int64_t *weight, double *cov);

#endif
