/* Observations whose truth is known: sample counts from flows on the rays of a cone. */
#ifndef TESTS_LIB_SYNTHETIC_H
#define TESTS_LIB_SYNTHETIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct region;

struct synthetic {
	size_t n_counters, n_rays;
	const int64_t *ray;     /* n_rays × n_counters: flows that the model knows */
	size_t n_outside;
	const int64_t *outside; /* n_outside × n_counters: flows that it does not know */
	double share;           /* share of the flow that is on the outside vectors */
	size_t spread;          /* number of rays that carry flow */
	double scale;           /* µops a sample, roughly */
	size_t rows;
	/* The fields below make it harder. All 0: independent samples, every cell counted. */
	double load_lag;        /* coefficient of the AR(1) process that the workload's factors follow */
	double noise_lag;       /* coefficient of each counter's noise, likewise an AR(1) process */
	/* each cell is extrapolated from a share of its interval between these two; 0: counted all the time */
	double run_lo, run_hi;
	double absent;          /* share of the cells that were not counted */
	/* counters have no noise: flows are whole numbers, and relations between counters hold exactly */
	bool related;
	/* number of tasks: at each border between rows every counter is off by up to so many counts */
	double tasks;
	bool steady;            /* the workload is the same in each row; only the noise of the counters varies */
	/* factor by which, from the middle on, the flows of every second line are larger; 0: none */
	double jump;
};

/* The counted cells: rows × n_counters each. */
struct synthetic_cells {
	int64_t *count;
	unsigned char *counted; /* NULL: all are counted */
	double *running;        /* NULL: all 1 */
};

/* Draws rows × n_counters counts: log-normal workload noise of 15 % in 4 factors, 1 to 5 % noise per counter. They
 * are rounded so that the expectation is kept; with share 0 it lies in the cone. The caller frees. */
int64_t *synthetic_samples(const struct synthetic *, uint64_t *seed);

/* The same cells with their quality. Free them with synthetic_cells_free(). */
struct synthetic_cells synthetic_cells(const struct synthetic *, uint64_t *seed);
void synthetic_cells_free(struct synthetic_cells *);

/* The region of so many independent samples around v. All counters share three factors of deviation `spread`; each has
 * noise of its own, which is `own` times as large. */
struct region *synthetic_region(
	const int64_t *v, size_t n, size_t rows, double spread, double own, uint64_t *seed);

/* Vectors over Haswell's counters (by name) that m0 does not allow: a load's lookup that is dropped before its walk;
 * its merged request; the same two of a store; a prefetch's reference; a walk without references. The first four
 * show when they are half of the flow; other flows can hide the last two. Returns the number of vectors. *out is n ×
 * n_counters; the caller frees. */
size_t synthetic_haswell_outside(size_t n_counters, char *const *name, int64_t **out);

#endif
