/* Observations whose truth is known: sample counts from flows on the rays of a cone. */
#ifndef TESTS_LIB_SYNTHETIC_H
#define TESTS_LIB_SYNTHETIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct synthetic {
	size_t n_counters, n_rays;
	const int64_t *ray;     /* n_rays × n_counters: flows that the model knows */
	size_t n_outside;
	const int64_t *outside; /* n_outside × n_counters: flows that it does not know */
	double share;           /* of the flow that is on the latter */
	size_t spread;          /* rays that carry flow */
	double scale;           /* µops a sample, about */
	size_t rows;
	/* What makes it harder; all 0: independent samples, all counted. */
	double load_lag;        /* the workload's factors follow an AR(1) process with this coefficient */
	double noise_lag;       /* … and so does the noise of each counter */
	/* each cell is extrapolated from a share of its interval between these; 0: counted all the time */
	double run_lo, run_hi;
	double absent;          /* share of the cells that were not counted */
	/* no noise of counters: flows are whole numbers, and relations between counters exact */
	bool related;
	double tasks;           /* each border between rows is torn by up to so many counts, counter by counter */
	bool steady;            /* the workload is the same in each row: what varies is the noise of the counters */
	/* from the middle on, the flows of every second line are larger by this factor; 0: steady */
	double jump;
};

/* What counters said: rows × n_counters each. */
struct synthetic_cells {
	int64_t *count;
	unsigned char *counted; /* NULL: all */
	double *running;        /* NULL: all 1 */
};

/* rows × n_counters counts: log-normal workload noise of 15 % in 4 factors, 1 to 5 % noise per counter, rounded so that
 * the expectation is kept: with share 0 it lies in the cone. The caller frees. */
int64_t *synthetic_samples(const struct synthetic *, uint64_t *seed);

/* The same with the quality of cells. synthetic_cells_free() what comes back. */
struct synthetic_cells synthetic_cells(const struct synthetic *, uint64_t *seed);
void synthetic_cells_free(struct synthetic_cells *);

/* Vectors over Haswell's counters (by name) that m0 does not know: a load's lookup that is dropped before its walk, its
 * merged request, the same two of a store, which all show when they are half of the flow; then a prefetch's reference
 * and a walk without references, which other flows can hide. Returns how many; *out is n × n_counters, the caller
 * frees. */
size_t synthetic_haswell_outside(size_t n_counters, char *const *name, int64_t **out);

#endif
