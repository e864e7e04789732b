/* The input of bench/regions.c: simulated observations of counters of the Haswell model, with their truth, and the
 * cones of its variants. */
#ifndef BENCH_REGION_STUDY_H
#define BENCH_REGION_STUDY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/stats/region.h"
#include "work/files/simulation.h"

struct cone;
struct str;
struct udd_model;

#define STUDY_CONFIDENCE 0.99

/* Choices of features that have one cone. */
struct study_cone {
	char *names;        /* names of the variants: "m0", "m4 m8 t0" */
	struct cone *cone;  /* over all counters, in the study's order */
};

struct region_study {
	struct udd_model *model;
	size_t n;                  /* counters */
	const char **name, **event; /* for each counter: the model's, and the simulated event */
	struct sim_suite suite;
	struct study_cone *cone;
	size_t n_cones;
};

/* Counters in the order in which they become active. Ends the program if a file is missing or unexpected. */
struct region_study *region_study_new(void);
void region_study_free(struct region_study *);

/* How the observations are made. */
/* Periods for which neighbouring samples are a quarter of a period apart, so that they are not correlated: 1 1/4 in a
 * sample */
#define STUDY_FAST 0.797
#define STUDY_SLOW 3.93  /* or 1/4 */
struct study_run {
	size_t active;      /* number of counters in use, the first ones */
	unsigned physical;  /* counters of the PMU; 0: as many as are in use, so that all is exact */
	size_t every;       /* every n-th workload of the suite */
	uint64_t accesses;  /* accesses of a sample */
	/* Samples. Each workload takes turns with one of little data, and both turns together last this long. 0: it
	 * runs alone, and is steady. */
	double period;
};
void region_study_run(const struct region_study *, const struct study_run *, struct simulated *out);

/* The samples of observation k, from which its region is made (views of the table); and its exact totals, `active` of
 * them. */
struct samples study_samples(const struct simulated *, size_t k);
void study_truth(const struct region_study *, const struct simulated *, size_t k, int64_t *total);

/* The same cone over the first n counters. */
struct cone *study_first(const struct cone *, size_t n);

void study_write(const char *path, const struct str *text);

#endif
