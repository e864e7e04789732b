/* What bench/regions.c measures on: simulated observations of counters of the Haswell model, with their truth, and the
 * cones of its variants. */
#ifndef BENCH_REGION_STUDY_H
#define BENCH_REGION_STUDY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/files/simulation.h"
#include "core/stats/region.h"

struct cone;
struct str;
struct udd_model;

#define STUDY_CONFIDENCE 0.99

/* Choices of features whose cones are one. */
struct study_cone {
	char *names;        /* of the variants: "m0", "m4 m8 t0" */
	struct cone *cone;  /* over all counters, in the study's order */
};

struct region_study {
	struct udd_model *model;
	size_t n;                  /* counters */
	const char **name, **event; /* of each: the model's, and what is simulated */
	struct sim_suite suite;
	struct study_cone *cone;
	size_t n_cones;
};

/* Counters in the order in which they become active. Ends the program where a file is missing or is not what is
 * expected. */
struct region_study *region_study_new(void);
void region_study_free(struct region_study *);

/* How the observations come about. */
/* periods of which neighbouring samples are a quarter of one apart, so that they do not resemble each other: 1 1/4 in a
 * sample … */
#define STUDY_FAST 0.797
#define STUDY_SLOW 3.93  /* … or 1/4 */
struct study_run {
	size_t active;      /* the first so many counters are counted */
	unsigned physical;  /* counters of the PMU; 0: as many as are active, so that all is exact */
	size_t every;       /* each so manieth workload of the suite */
	uint64_t accesses;  /* of a sample */
	/* samples: each workload takes turns with one of little data, and both turns together last so long; 0: it runs
	 * alone, and is steady */
	double period;
};
void region_study_run(const struct region_study *, const struct study_run *, struct simulated *out);

/* The samples of observation k, as its region is made of them; views of the table. And the exact totals, `active` of
 * them. */
struct samples study_samples(const struct simulated *, size_t k);
void study_truth(const struct region_study *, const struct simulated *, size_t k, int64_t *total);

/* The same cone over the first n counters. */
struct cone *study_first(const struct cone *, size_t n);

void study_write(const char *path, const struct str *text);

#endif
