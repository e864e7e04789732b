/* Observations that are hard to decide: true and false models, under noise that regions of independent rows do not
 * allow for. Each setting is a row of data. `make bench-levels` prints how often true models are refuted and false
 * ones found; tests/unit/levels.c tries a few observations of each. All data are generated. */
#ifndef TESTS_LIB_HARD_H
#define TESTS_LIB_HARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hard_noise {
	HARD_INDEPENDENT, /* rows are independent */
	/* a share of each counter's variance is a first-order autoregression, the rest is independent */
	HARD_SLOW,
	HARD_ONE,         /* one counter is an autoregression, the others independent */
	HARD_ONE_MORE,    /* one counter has an autoregression in addition */
	HARD_MEMORY,      /* a share of the variance, or all, is fractional Gaussian noise with a Hurst exponent */
	HARD_COMMON,      /* one autoregression moves each counter by a factor of its own, which is normal */
	HARD_PAIR,        /* one autoregression is added to one counter and subtracted from another */
	HARD_STATES,      /* one counter's gain has two states, which last for a sixth of the record on average */
};

enum hard_gaps {
	HARD_WHOLE, /* every cell is counted */
	/* half of the counters are counted in the first half of the rows, the others in the second; the load grows
	 * by a twentieth */
	HARD_HALVES,
	HARD_BUSY,   /* one counter is missing in half of the rows whose load is above the mean */
	HARD_RANDOM, /* half of all cells are missing */
};

enum hard_model {
	HARD_SUM3, HARD_RAY5, HARD_TREE, HARD_FAULTS, HARD_M0, HARD_RAY26, HARD_RAYS26, HARD_TEN,
	HARD_RAY2, HARD_RAY10, HARD_MODELS
};

struct hard_setting {
	const char *finding; /* letter and number of the review's finding that asked for this setting; NULL: none */
	const char *name;
	enum hard_noise noise;
	double share;        /* HARD_SLOW, HARD_MEMORY: share of the variance; for HARD_MEMORY 0 means all */
	/* correlation of consecutive values in the autoregression; HARD_MEMORY: the Hurst exponent */
	double lag;
	size_t rows;
	unsigned models;     /* bits by enum hard_model */
	enum hard_gaps gaps;
	/* number of runs, of which one row gives the means with stated errors; 0: rows are samples */
	size_t runs;
	double white;        /* standard deviation of the independent noise, relative to the mean; 0: 2 % */
	double slow;         /* standard deviation of the slow part, if that is not a share of the variance */
	double load;         /* standard deviation of the load; 0: a tenth */
	/* counts are multiples of this number, or of this share of the largest counter; 0: of 1 */
	double step;
	double load_lag;     /* correlation of consecutive values of the load */
	/* spread of a lognormal load, which noise follows; 0: the load varies by a tenth */
	double burst;
	double shift;        /* share by which one counter is off, so that the model is false; 0: it is true */
	bool independent;    /* the noise is independent and identically distributed, so that few may be undecided */
	bool limit;          /* the level is not promised: docs/numerics.md lists it among the limits */
	bool stated;         /* the options state that the noise is independent */
};

extern const struct hard_setting hard_setting[];
extern const size_t hard_n_settings;

struct hard_count {
	size_t observations;
	size_t refuted[4], undecided[4]; /* numbers of observations, by enum region_kind */
	size_t together;                 /* those that the first step of Holm's procedure over all rejects */
	size_t warned;                   /* observations in which noise was found that is not independent */
};

struct hard; /* the models' cones */

/* Reads files below $HECATE_TESTS and the installed models. */
struct hard *hard_new(void);
void hard_free(struct hard *);
const char *hard_model_name(enum hard_model);

/* Tests `observations` observations, drawn from the seed. */
struct hard_count hard_run(
	struct hard *, const struct hard_setting *, enum hard_model, size_t observations, uint64_t seed);

#endif
