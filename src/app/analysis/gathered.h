/* Rows that are sums of many samples (core/obs/gather.h): collects the sums for a region, and turns a region of rows
 * into a region of samples. */
#ifndef APP_ANALYSIS_GATHERED_H
#define APP_ANALYSIS_GATHERED_H

#include <stddef.h>
#include <stdint.h>

#include "base/int128.h"

struct obs;
struct region;
struct samples;

/* Per kept counter, over all rows. */
struct gathered {
	size_t per_row, samples;
	i128 *sum;
	int64_t *weight;  /* samples that counted it */
	double *scatter;  /* Σ (count - mean)² over these samples; NAN: unknown */
};

/* Returns the number of rows for the noise model: a last row of fewer samples is left out, because it is not like the
 * others. */
size_t gathered_rows(const struct obs *);

/* Turns a region of rows into one of samples: exact means over all samples, and the number of independent samples that
 * they are worth. `s` are the rows that it was made of. The covariance of the means and the noise in time stay those of
 * the rows, which are blocks of samples. */
void gathered_finish(const struct gathered *, const struct samples *s, struct region *);

void gathered_free(struct gathered *);

#endif
