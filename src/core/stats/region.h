/* Samples to a confidence region of their mean.
 *
 *   ellipsoid    { v : (v−Y)ᵀ Σ⁻¹ (v−Y) ≤ q }        q = χ²_N quantile at the confidence
 *   box          | e_i·(v−Y) | ≤ sqrt(λ_i q)           e_i, λ_i eigenvectors and -values of Σ: CounterPoint's rotated
 * box independent  | v_i − Y_i | ≤ sqrt(Σ_ii q)          covariances taken as zero
 *
 * Of an observation that is judged again and again while it grows (`peeked`), q is larger: that of a confidence
 * sequence (sequence.h). Y is the mean, Σ the covariance of the mean. Sources: CounterPoint section 4 and appendix
 * A; floors: docs/numerics.md. */
#ifndef CORE_STATS_REGION_H
#define CORE_STATS_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/int128.h"
#include "core/stats/noise.h"

/* Deviations from the origin below which a mean is bursty: see struct region. */
#define REGION_KNOWN_SCALE 20.0

/* Samples of N counters: M rows, as exact integers in units of 10^-decimals. */
struct samples {
	size_t n_counters, n_rows;
	const int64_t *count;         /* n_rows × n_counters */
	const unsigned char *counted; /* n_rows × n_counters, NULL: all counted */
	int decimals;
	/* each row is the sum of so many samples, of which Σ and the means are; 0 or 1: one */
	size_t per_row;
	const double *running;        /* n_rows × n_counters: share of the interval on a counter; NULL: all 1 */
	/* n_rows × n_counters: stated standard error of the cell, in counts; NULL: none */
	const double *error;
	/* rows may be torn by 1 per task; the means are then off by up to tasks / rows besides */
	double tasks;
	/* n_counters: events that add up to the counter, each of which tears by itself; NULL: all 1 */
	const size_t *parts;
	bool peeked;                  /* they are judged again and again while they grow */
	bool independent;             /* the caller knows that rows are independent: noise in time is not asked for */
	const double *tolerance;      /* n_counters: an exact total may be off by so many counts; NULL: by none */
	/* counters took turns, and the program keeps step with them: what they counted belongs to different moments */
	bool locked;
	/* of a single row with stated errors: of so many runs it is the mean; 0: not known */
	double runs;
};

/* One in the last place of a cell, per sample. */
double samples_unit(const struct samples *);

struct region {
	size_t n;             /* counters */
	size_t rows;          /* samples used; rows that are sums count as one each until region_set_totals() */
	bool point;           /* an exact total: no noise, only `sum` counts (rows is 1) */
	/* The mean is exactly sum[i] / (weight[i] · 10^decimals). */
	i128 *sum;
	int64_t *weight;      /* rows counted, per counter */
	int decimals;
	double unit;          /* samples_unit() of its samples */
	/* n: each mean may be off by this much besides, whatever its noise, in counts; NULL: none. Of a point all are
	 * above 0 */
	double *slack;
	size_t left_out;      /* rows with an empty cell that are not used, because enough others have none */
	/* a counter that was counted when the load was another than in the rows that lack it; n: none */
	size_t uneven;
	double effective;     /* how many independent samples the rows are worth; rows when they are independent */
	/* correlation of neighbouring rows, the load taken out, where the noise has a form; 0: independent */
	double lag;
	double freedom;       /* degrees of freedom that Σ has as an estimate; 0: it is none */
	/* the ellipsoid is Hotelling's: its threshold is so many times that of χ². It is in cov, so that χ²'s stays the
	 * bound; ≥ 1 */
	double inflation;
	/* too few rows for the ellipsoid of so many counters: it and the boxes exclude nothing, the test of the cone
	 * may */
	bool open;
	struct noise *noise;  /* what the rows say of noise in time; NULL: they are too few */
	struct noise_fit fit; /* … and what Σ was made of */
	/* A cone says nothing of how much is done, only in which proportions. Where the load varies so much that its
	 * mean is hardly known, the test of the cone goes by the proportions alone: by the covariance of v − v_load
	 * mean / mean_load, which is Σ's but for a little of it along the mean. */
	bool bursty;
	size_t load;          /* the counter that stands for the load */
	/* degrees of freedom of the proportions' covariance: rows count by the load that they have */
	double load_freedom;
	double *shape, *shape_factor; /* n × n, as cov and factor; NULL unless bursty */
	/* what the rows' proportions say of noise in time; NULL unless bursty, or too few */
	struct noise *proportions;
	/* n: variances in cov that are none of the rows' noise (floors, extrapolation, stated errors), before the
	 * inflation */
	double *extra;
	/* the threshold is one that holds at every look; never of a point, or where errors are stated */
	bool peeked;
	bool locked;          /* the means are of different moments, by how much no row shows: nothing is refuted */
	bool box_only;        /* no region but the rotated box means anything: CounterPoint's (counterpoint.h) */
	bool stated;          /* a single row: Σ is diagonal, of the standard errors that the source states */
	double *mean;         /* n */
	double *cov;          /* n × n, of the mean, floors included; NULL for a point */
	double *factor;       /* n × n, lower Cholesky factor of cov; NULL for a point */
	/* n eigenvalues, ascending, and n × n eigenvectors, row k is the k-th; valid after region_axes(); NULL for a
	 * point. */
	double *eigenvalue;
	double *eigenvector;
	struct region_state *state; /* what is filled in later; private. NULL: all is there */
};

/* Copies what it needs. `exact` makes a point of a single row; of more rows, each an exact total, the point of
 * their sum.
 *
 * Rows with empty cells are left out where enough rows have none: a model holds for the mean of any rows, but not
 * for means that are taken over different ones. Else neighbouring rows are taken together until each stretch has
 * every counter. Where there are not two such stretches there is no noise model: region_has_noise_model() is false
 * and cov is NULL. A single row has one if it states its errors. */
struct region *region_new(const struct samples *, bool exact);
void region_free(struct region *);

/* Of a region from rows that are sums of samples (samples.per_row): the exact sums over all samples, and how many
 * samples each counter was counted in (n entries each, copied). They may include samples at the end that make no whole
 * row. `worth`: how many samples are worth an independent one within a row; at least 1. */
void region_set_totals(struct region *, const struct samples *, const i128 *sum, const int64_t *weight,
		       size_t samples, double worth);

/* Noise in time is seen in blocks of so many samples. */
double region_block(const struct region *);

bool region_has_noise_model(const struct region *);

/* Room, all 0, for what a noise model consists of: cov, factor, extra, eigenvalue, eigenvector. For those who make
 * regions. */
void region_make_room(struct region *);

/* Make eigenvalue and eigenvector valid. They cost more than everything else, and most verdicts do without them. */
void region_axes(const struct region *);

/* The bound q on the distance², for a region with a noise model: χ²'s, or, where the observation is peeked at, the
 * confidence sequence's, wider where Σ is an estimate from few samples. And the p-value of a distance²: at most α
 * just where it is at least the bound at 1 − α. */
double region_threshold2(const struct region *, double confidence);
double region_p(const struct region *, double d2);

#endif
