/* Rows that are sums of many samples (core/obs/gather.h): collects the sums for a region, and turns a region of rows
 * into a region of samples. */
#ifndef WORK_ANALYSIS_GATHERED_H
#define WORK_ANALYSIS_GATHERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/int128.h"

struct columns_match;
struct obs;
struct region;
struct samples;

/* Per kept counter, over all rows. */
struct gathered {
	size_t per_row, samples;
	i128 *sum;
	int64_t *weight;  /* samples that counted it */
	double *scatter;  /* Σ (count - mean)² over these samples; NAN: unknown */
	size_t left_out;  /* samples that lack a kept counter, if their sums are left out */
};

/* The rows that sums over whole samples can be taken from. If some samples of a row lack a kept counter, the row is
 * mixed: its sums are over different samples, and a model need not hold for them. */
enum gathered_rows {
	GATHERED_ALL,      /* all rows: none is mixed */
	GATHERED_COMPLETE, /* the sums over complete samples: obs.whole */
	GATHERED_SOME,     /* the rows that are not mixed */
	GATHERED_NONE,     /* there are too few of either */
};
enum gathered_rows gathered_choose(const struct obs *, const struct columns_match *, const bool *keep);

/* Returns the observation of those rows (not for GATHERED_NONE): a copy whose cells are counted in all samples of their
 * row. It owns counts and flags that differ from the original's; gathered_drop() frees them. Sums over only some
 * samples of a row are scaled to all its samples, so that rows can be compared. */
struct obs gathered_view(const struct obs *, const struct columns_match *, const bool *keep, enum gathered_rows);
void gathered_drop(struct obs *view, const struct obs *);

/* Takes the exact sums over complete samples. */
void gathered_take_complete(
	struct gathered *, const struct obs *, const struct columns_match *, const bool *keep, size_t n_kept);

/* Returns the number of rows for the noise model: a last row of fewer samples is left out, because it is not like the
 * others. */
size_t gathered_rows(const struct obs *);

/* Turns a region of rows into one of samples: exact means over all samples, and the number of independent samples that
 * they are worth. `s` are the rows that the region was made of. The covariance of the means and the noise in time stay
 * those of the rows, which are blocks of samples. */
void gathered_finish(const struct gathered *, const struct samples *s, struct region *);

void gathered_free(struct gathered *);

#endif
