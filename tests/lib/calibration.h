/* Calibration of the regions: settings as rows of data, counts of true and false refutations. Used by
 * bench/calibration.c, and by tests/unit/calibration.c in small. */
#ifndef TESTS_LIB_CALIBRATION_H
#define TESTS_LIB_CALIBRATION_H

#include <stddef.h>
#include <stdint.h>

#include "synthetic.h"

#define CALIBRATION_EFFECTS 4

struct calibration_setting {
	const char *name;
	struct synthetic how; /* rows and what makes it harder; the rest is drawn for each observation */
	double most;          /* rate of false refutations that is allowed */
	bool lagged;          /* correlated in time: to be warned about */
	size_t counters;      /* only the first so many; 0: all */
};

struct calibration_count {
	size_t observations;  /* feasible ones */
	size_t refuted[4];    /* of them, by enum region_kind */
	size_t undecided;     /* by the test of the cone */
	size_t lagged, phased; /* of them, with a warning of correlation in time, of phases */
	size_t tried;         /* infeasible ones, per effect */
	size_t found[4][CALIBRATION_EFFECTS];
};

extern const double calibration_effect[CALIBRATION_EFFECTS]; /* share of the flow that m0 does not know */
extern const struct calibration_setting calibration_setting[];
extern const size_t calibration_n_settings;

struct calibration;
struct cone;

/* NULL, and a message, if the signatures below $HECATE_TESTS cannot be read. */
struct calibration *calibration_new(void);
void calibration_free(struct calibration *);

/* A fixed seed per setting. */
struct calibration_count calibration_run(
	const struct calibration *, const struct calibration_setting *, size_t feasible, size_t per_effect);

/* The cone that a setting's observations are judged by, and how one of them is drawn: few rays as often as many, small
 * counts as often as large ones; one of the four vectors that show carries `share` of the flow. */
const struct cone *calibration_cone(const struct calibration *, const struct calibration_setting *);
struct synthetic calibration_draw(
	const struct calibration *, const struct calibration_setting *, double share, uint64_t *seed);

/* Clopper and Pearson's one-sided 95 % bounds of a rate, for k of n. */
double calibration_upper(size_t k, size_t n);
double calibration_lower(size_t k, size_t n);

#endif
