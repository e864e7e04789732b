/* From samples to a confidence region of their mean.
 *
 *   ellipsoid    { v : (v−Y)ᵀ Σ⁻¹ (v−Y) ≤ q }      q: χ²_N quantile at the confidence
 *   rotated box  | e_i·(v−Y) | ≤ sqrt(λ_i q)       e_i, λ_i: eigenvectors and eigenvalues of Σ (CounterPoint's box)
 *   independent  | v_i − Y_i | ≤ sqrt(Σ_ii q)      covariances taken as zero
 *
 * Y is the mean, Σ the covariance of the mean. For an observation that is judged repeatedly while it grows (`peeked`),
 * q is larger: that of a confidence sequence (sequence.h). Sources: CounterPoint section 4 and appendix A;
 * docs/numerics.md for the floors. */
#ifndef CORE_STATS_REGION_H
#define CORE_STATS_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/int128.h"
#include "core/stats/noise.h"

/* A region whose mean lies fewer standard deviations than this from the origin is bursty: see struct region. */
#define REGION_KNOWN_SCALE 20.0
/* If at least this many rows have no empty cell, the other rows are left out. */
#define REGION_COMPLETE ((size_t)16)

/* Samples of N counters: M rows of exact integers in units of 10^-decimals. */
struct samples {
	size_t n_counters, n_rows;
	const int64_t *count;         /* n_rows × n_counters */
	const unsigned char *counted; /* n_rows × n_counters; NULL: all counted */
	int decimals;
	/* number of samples that were added up to each row; 0 or 1: one. Σ and the means are per sample in any case */
	size_t per_row;
	const double *running;        /* n_rows × n_counters: share of the interval that the counter ran; NULL: all 1 */
	/* n_rows × n_counters: stated standard error of the cell, in counts; NULL: none */
	const double *error;
	/* number of tasks, each of which may tear a row by 1 (struct obs); the means may then be off by another tasks /
	 * rows */
	double tasks;
	/* n_counters: number of events that add up to the counter, each of which is torn separately; NULL: all 1 */
	const size_t *parts;
	bool peeked;                  /* the observation is judged repeatedly while it grows */
	/* the caller knows that rows are independent, so noise in time is not estimated */
	bool independent;
	/* counters took turns in random order and of random length. What one row misses is then independent of what
	 * other rows miss, whatever the program does, so noise in time is not estimated (docs/rotation.md) */
	bool random_turns;
	const double *tolerance;      /* n_counters: number of counts by which an exact total may be off; NULL: all 0 */
	/* n_counters: how far each mean may be off in addition to its noise, in counts per sample; NULL: all 0 */
	const double *bias;
	/* counters took turns and the program keeps step with the turns, so they counted different moments */
	bool locked;
	/* for a single row with stated errors, the number of runs it averages; 0: unknown */
	double runs;
	struct spectra_book *book; /* shares the forms of noise (noise.h); it must outlive the region. NULL: none */
};

/* Returns the value of 1 in the last decimal place of a cell, per sample. */
double samples_unit(const struct samples *);
/* Returns whether every counter was counted in the row. */
bool samples_whole(const struct samples *, size_t row);

/* A covariance and its lower Cholesky factor, in one n × n matrix: the factor up to the diagonal, the covariance above
 * it. */
struct region_spread {
	double *factor;   /* NULL: there is none */
	double *variance; /* n: the covariance's diagonal */
};

/* Returns an entry of the covariance. */
static inline double
spread_at(const struct region_spread *s, size_t n, size_t i, size_t j)
{
	return i == j ? s->variance[i] : i < j ? s->factor[i * n + j] : s->factor[j * n + i];
}

struct region {
	size_t n;             /* counters */
	/* samples used; until region_set_totals(), a row that is a sum of samples counts as one */
	size_t rows;
	bool point;           /* an exact total without noise: only `sum` counts, and rows is 1 */
	/* the mean is exactly sum[i] / (weight[i] · 10^decimals) */
	i128 *sum;
	int64_t *weight;      /* rows counted, per counter */
	int decimals;
	double unit;          /* samples_unit() of the samples */
	/* n: how far each mean may be off in addition to its noise, in counts; NULL: all 0. For a point, all are above
	 * 0 or slack is NULL */
	double *slack;
	/* number of rows left out because they have an empty cell and enough other rows have none */
	size_t left_out;
	/* number of a counter whose rows had another load than the rows in which it was not counted; n: no such counter
	 */
	size_t uneven;
	double effective;     /* how many independent samples the rows are worth; `rows` when they are independent */
	/* correlation of neighbouring rows once the load is removed, if the noise has a form; 0: independent */
	double lag;
	/* `lag` and `effective` of rows that the caller states to be independent but that do not look so; otherwise 0
	 */
	double denied_lag, denied_effective;
	double freedom;       /* degrees of freedom of the estimate Σ; 0: Σ is no estimate */
	/* ratio of the thresholds of Hotelling's ellipsoid and of χ², ≥ 1. Σ is multiplied by it, so the χ² bound
	 * applies */
	double inflation;
	/* too few rows for an ellipsoid of so many counters: the ellipsoid and the boxes exclude nothing, but the test
	 * of the cone may */
	bool open;
	/* what the rows show about noise in time; NULL: too few rows, or the rows are known to be independent */
	struct noise *noise;
	/* fewer rows than NOISE_FEWEST, and the caller does not say that they are independent: a refutation would rest
	 * on an unchecked assumption */
	bool few;
	struct noise_fit fit; /* the form of noise that Σ was computed with */
	/* A cone restricts only the proportions of counts, not how much work is done. When the load varies so much that
	 * its mean is hardly known, the test of the cone uses only the proportions: the covariance of v − v_load · mean
	 * / mean_load, which differs from Σ mainly along the mean. */
	bool bursty;
	size_t load;          /* the counter that stands for the load */
	/* degrees of freedom of the proportions' covariance; rows count by their load */
	double load_freedom;
	struct region_spread shape; /* of the proportions; empty unless bursty */
	/* what the rows' proportions show about noise in time; NULL if not bursty, or if there are too few rows */
	struct noise *proportions;
	/* n: the variances in Σ that do not come from the rows' noise (floors, extrapolation, stated errors), before
	 * the inflation */
	double *extra;
	/* the threshold holds at every test of a sequence; never set for a point or for stated errors */
	bool peeked;
	/* the means belong to different moments, and no row shows how much that matters: nothing is refuted */
	bool locked;
	/* counters took turns at random, so the rows are independent by design (struct samples) */
	bool random_turns;
	bool box_only;        /* only the rotated box is meaningful: CounterPoint's region (counterpoint.h) */
	bool stated;          /* a single row: Σ is diagonal, from the standard errors that the source states */
	double *mean;         /* n */
	struct region_spread spread; /* Σ, floors included; empty for a point */
	double *making;              /* Σ as a full matrix, while the region is made (region_fold()); then NULL */
	/* n eigenvalues, ascending, and n × n eigenvectors, one a row; NULL before region_axes(), and for a point */
	double *eigenvalue;
	double *eigenvector;
	struct region_state *state; /* private: what later calls fill in; NULL when everything is filled in */
};

/* Makes a region; free it with region_free(). It copies what it needs. `exact` makes a point from a single row, or from
 * the sum of several rows each of which is an exact total.
 *
 * Rows with empty cells are left out if enough rows have none. A model holds for the mean of any set of rows, but not
 * for means over different sets. With too few complete rows, neighbouring rows are added together until each stretch
 * has every counter. If there are not two such stretches, there is no noise model: region_has_noise_model() is false
 * and the spread is empty. A single row has a noise model if it states its errors. */
struct region *region_new(const struct samples *, bool exact);
void region_free(struct region *);

/* For a region from rows that are sums of samples (samples.per_row): sets the exact sums over all samples, and how many
 * samples counted each counter (n entries each, copied). They may include samples at the end that do not fill a row.
 * `worth` (≥ 1) is the number of samples in a row that are worth one independent sample. */
void region_set_totals(struct region *, const struct samples *, const i128 *sum, const int64_t *weight,
	size_t samples, double worth);

/* Makes a point the sum of its rows in place of their mean, if each counter was counted in all of them. Returns of how
 * many rows it is the sum; 1: it is as it was. */
int64_t region_add_up(struct region *);

/* Returns the number of samples in a block, the unit by which noise in time is estimated. */
double region_block(const struct region *);

bool region_has_noise_model(const struct region *);

/* For functions that make regions: allocates `making`, the factor and `extra`, all 0; sets eigenvalue and eigenvector
 * to those of Σ; folds `making`, whose factor is there, into the spread. */
void region_make_room(struct region *);
void region_find_axes(struct region *);
void region_fold(struct region *);

/* Returns Σ as a full matrix; the caller frees. */
double *region_covariance(const struct region *);

/* Computes eigenvalue and eigenvector, which cost more than everything else. Most verdicts do not need them. Call it
 * before a region is copied by assignment. */
void region_axes(const struct region *);

/* Returns the bound q on the distance², for a region with a noise model. It is the χ² bound or, for a peeked
 * observation, the bound of the confidence sequence, which is wider if Σ is an estimate from few samples. region_p()
 * returns the p-value of a distance²: the p-value is at most α exactly if the distance² is at least the bound at 1 − α.
 */
double region_threshold2(const struct region *, double confidence);
double region_p(const struct region *, double d2);

#endif
