/* Observations whose rows are sums of many samples (core/obs/gather.h), on their way into a region and out of it again.
 */
#ifndef APP_ANALYSIS_GATHERED_H
#define APP_ANALYSIS_GATHERED_H

#include <stddef.h>
#include <stdint.h>

#include "base/int128.h"

struct obs;
struct region;
struct samples;

/* Of each kept counter: all that was counted. */
struct gathered {
	size_t per_row, samples;
	i128 *sum;
	int64_t *weight;  /* samples that counted it */
	double *scatter;  /* Σ (count - mean)² over them; NAN: not known */
};

/* Rows that make the noise model: a last row of fewer samples is no row like the others. */
size_t gathered_rows(const struct obs *);

/* A region of rows becomes one of samples: means over all of them, exactly, and what these are worth. `s` are the rows
 * that it was made of. The covariance of the means and the noise in time stay those of the rows, which are blocks of
 * samples. */
void gathered_finish(const struct gathered *, const struct samples *s, struct region *);

void gathered_free(struct gathered *);

#endif
