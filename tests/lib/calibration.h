/* Calibration of the regions: each setting is a row of data, with counts of true and false refutations.
 * bench/calibration.c prints the table; tests/unit/calibration.c tries a few observations of each. Data are
 * generated (synthetic.h), so the truth is known. */
#ifndef TESTS_LIB_CALIBRATION_H
#define TESTS_LIB_CALIBRATION_H

#include <stddef.h>
#include <stdint.h>

#include "synthetic.h"

#define CALIBRATION_EFFECTS 4

struct calibration_setting {
	const char *name;
	struct synthetic how; /* rows, and what makes the setting harder; the rest is drawn for each observation */
	double most;          /* allowed rate of false refutations */
	bool lagged;          /* correlated in time, which must be reported */
	size_t counters;      /* number of counters, the first ones; 0: all */
};

struct calibration_count {
	size_t observations;  /* feasible observations */
	size_t refuted[4];    /* feasible observations that are refuted, by enum region_kind */
	size_t undecided;     /* feasible observations that the test of the cone leaves undecided */
	size_t lagged, phased; /* those with a warning of correlation in time; those with a warning of phases */
	size_t tried;         /* infeasible observations for each effect */
	size_t found[4][CALIBRATION_EFFECTS];
};

extern const double calibration_effect[CALIBRATION_EFFECTS]; /* share of the flow that m0 does not know */
extern const struct calibration_setting calibration_setting[];
extern const size_t calibration_n_settings;

struct calibration;
struct cone;

/* Prints a message and returns NULL if the signatures below $HECATE_TESTS cannot be read. */
struct calibration *calibration_new(void);
void calibration_free(struct calibration *);

/* Runs a setting, which has a seed of its own. */
struct calibration_count calibration_run(
	const struct calibration *, const struct calibration_setting *, size_t feasible, size_t per_effect);

/* The cone against which a setting's observations are tested, and how one of these is drawn. Few rays are drawn as
 * often as many, small counts as often as large ones. One of the four vectors that show carries `share` of the flow. */
const struct cone *calibration_cone(const struct calibration *, const struct calibration_setting *);
struct synthetic calibration_draw(
	const struct calibration *, const struct calibration_setting *, double share, uint64_t *seed);

/* Clopper and Pearson's one-sided 95 % bounds of a rate, for k of n. */
double calibration_upper(size_t k, size_t n);
double calibration_lower(size_t k, size_t n);
/* The upper bound at another confidence. */
double calibration_bound(size_t k, size_t n, double confidence);

#endif
