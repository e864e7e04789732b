/* Observations that are hard to judge: true models and false ones, under noise that regions of independent rows do not
 * allow for. Each setting is a row of data; `make bench-levels` prints how often true models are refuted and false ones
 * found, tests/unit/levels.c tries a few of each. All data are made. */
#ifndef TESTS_LIB_HARD_H
#define TESTS_LIB_HARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hard_noise {
	HARD_INDEPENDENT, /* rows are independent */
	HARD_SLOW,        /* a share of each counter's variance is a first-order autoregression, the rest independent */
	HARD_ONE,         /* one counter is an autoregression, the others independent */
	HARD_MEMORY,      /* fractional Gaussian noise with a Hurst exponent */
};

enum hard_gaps {
	HARD_WHOLE, /* every cell is counted */
	/* half of the counters in the first half of the rows, the others in the second; the load grows by a twentieth
	 */
	HARD_HALVES,
	HARD_BUSY,   /* one counter is missing in half of the rows whose load is above the mean */
	HARD_RANDOM, /* half of all cells are missing */
};

enum hard_model {
	HARD_SUM3, HARD_RAY5, HARD_TREE, HARD_FAULTS, HARD_M0, HARD_RAY26, HARD_RAYS26, HARD_TEN, HARD_MODELS
};

struct hard_setting {
	const char *finding; /* letter and number of the review that asked for it; NULL: none did */
	const char *name;
	enum hard_noise noise;
	double share;        /* HARD_SLOW: of the variance */
	double lag;          /* correlation of neighbours in the autoregression; HARD_MEMORY: the Hurst exponent */
	size_t rows;
	unsigned models;     /* bits by enum hard_model */
	enum hard_gaps gaps;
	size_t runs;         /* not 0: the rows are that many runs, given as a single row of means with stated errors */
	double load_lag;     /* correlation of neighbours in the load */
	/* the load is lognormal with that spread, and noise goes with it; 0: it varies by a tenth */
	double burst;
	double shift;        /* one counter is off by that share: the model is false */
	bool independent;    /* the noise is independent and identically distributed: little may be undecided */
	bool told;           /* … and the caller says so */
};

extern const struct hard_setting hard_setting[];
extern const size_t hard_n_settings;

struct hard_count {
	size_t observations;
	size_t refuted[4], undecided[4]; /* by enum region_kind */
	size_t warned;                   /* noise that is not independent was seen */
};

struct hard; /* the models' cones */

/* Reads what it needs below $HECATE_TESTS and the installed models. */
struct hard *hard_new(void);
void hard_free(struct hard *);
const char *hard_model_name(enum hard_model);

/* So many observations, from a seed. */
struct hard_count hard_run(
	struct hard *, const struct hard_setting *, enum hard_model, size_t observations, uint64_t seed);

#endif
